package terminal49test

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"time"
)

// WithReplicaLag answers a share of the GET requests, from 0 to 1, from a replica: the whole world
// as it was at a moment up to d ago, in simulated time. Lists, filters, totals and includes agree
// with each other within a response, but two responses can be of different moments. The seed
// decides which requests it affects. Writes and their responses, bodies of webhooks and the methods
// of Server are not affected, nor are positions of vessels, which move with the clock. The world is
// copied a few times in each d if it changes.
func WithReplicaLag(share float64, d time.Duration) Option {
	return func(c *config) { c.replicaShare, c.replicaLag = share, max(d, 0) }
}

// replicas are the copies of the world in the last lag, oldest first.
type replicas struct {
	lag   time.Duration // 0 without replicas
	taken []replica
	reads int
}

// replica is a copy of the world as it was until a moment.
type replica struct {
	until time.Time
	world *world
}

// copiesPerLag bounds how many copies there are.
const copiesPerLag = 4

// preserve copies the world before it changes at a moment, unless the copy would never be read or
// there is one of nearly the same moment.
func (w *world) preserve(at, now time.Time) {
	p := &w.replicas
	if p.lag == 0 || at.Before(now.Add(-p.lag)) {
		return
	}
	p.forget(now)
	if n := len(p.taken); n == 0 || at.Sub(p.taken[n-1].until) >= p.lag/copiesPerLag {
		p.taken = append(p.taken, replica{at, w.copy()})
	}
}

// forget drops the copies that are too old.
func (p *replicas) forget(now time.Time) {
	p.taken = slices.DeleteFunc(p.taken, func(r replica) bool { return r.until.Before(now.Add(-p.lag)) })
}

// worldFor returns the world that answers a request.
func (s *Server) worldFor(method string, now time.Time) *world {
	p := &s.world.replicas
	if p.lag == 0 || method != http.MethodGet {
		return s.world
	}
	p.reads++
	p.forget(now)
	draw := s.world.ids.draw(fmt.Sprint("replica/", p.reads))
	if draw >= s.config.replicaShare || len(p.taken) == 0 {
		return s.world
	}
	return p.taken[int(draw/s.config.replicaShare*float64(len(p.taken)))].world
}

// copy returns a copy of the world for reading.
func (w *world) copy() *world {
	c := *w
	c.history, c.replicas, c.schedule, c.deliveryQueue = nil, replicas{}, schedule{}, deliveryQueue{}
	c.lines, c.ports, c.metroAreas, c.terminals = w.lines.copy(), w.ports.copy(), w.metroAreas.copy(), w.terminals.copy()
	c.vessels, c.parties, c.partyRoles = w.vessels.copy(), w.parties.copy(), w.partyRoles.copy()
	c.custom = customFields{definitions: w.custom.definitions.copy(), values: w.custom.values.copy()}
	c.docs.documents, c.docs.schemas, c.docs.emails = w.docs.documents.copy(), w.docs.schemas.copy(), w.docs.emails.copy()
	c.docs.types = slices.Clone(w.docs.types)
	c.shipments, c.containers, c.requests = w.shipments.copy(), w.containers.copy(), w.requests.copy()
	c.events, c.rawEvents = w.events.copy(), w.rawEvents.copy()
	c.webhooks, c.notifications, c.changeEvents = w.webhooks.copy(), w.notifications.copy(), w.changeEvents.copy()
	c.containerOf, c.eventsOf, c.rawEventsOf = maps.Clone(w.containerOf), maps.Clone(w.eventsOf), maps.Clone(w.rawEventsOf)
	c.gone = maps.Clone(w.gone)
	if c.synthetic != nil {
		c.makeEvents()
	}
	return &c
}

func (t *table[T]) copy() table[T] {
	c := table[T]{rows: make(map[string]*T, len(t.rows)), order: slices.Clone(t.order), made: t.made,
		changed: slices.Clone(t.changed), removed: slices.Clone(t.removed)}
	for id, row := range t.rows {
		if row == nil {
			c.rows[id] = nil // a removed one
			continue
		}
		own := *row
		detach(reflect.ValueOf(&own).Elem())
		c.rows[id] = &own
	}
	return c
}

// detach copies what a value refers to and a test could change in place. Bytes are files, which do
// not change.
func detach(v reflect.Value) {
	if !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			detach(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			own := reflect.New(v.Type().Elem())
			own.Elem().Set(v.Elem())
			v.Set(own)
		}
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		v.Set(own)
		for i := range own.Len() {
			detach(own.Index(i))
		}
	case reflect.Map:
		if v.IsNil() {
			return
		}
		own := reflect.MakeMapWithSize(v.Type(), v.Len())
		for _, key := range v.MapKeys() {
			own.SetMapIndex(key, v.MapIndex(key))
		}
		v.Set(own)
	}
}
