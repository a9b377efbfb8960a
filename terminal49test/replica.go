package terminal49test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// WithReplicaLag answers a share of the GET requests, from 0 to 1, from a replica: the whole world
// as it was at a moment up to d ago, in simulated time. Lists, filters, totals and includes agree
// with each other within a response, but two responses can be of different moments. The seed
// decides which requests it affects. Writes and their responses, bodies of webhooks and the methods
// of Server are not affected, nor are positions of vessels, which move with the clock. The world is
// copied a few times in each d if it changes. A share is limited to 0 to 1; NaN means 0.
func WithReplicaLag(share float64, d time.Duration) Option {
	return func(c *config) { c.replicaShare, c.replicaLag = clampShare(share), max(d, 0) }
}

func clampShare(n float64) float64 {
	if n > 0 { // not NaN
		return min(n, 1)
	}
	return 0
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

// preserve copies the world before it changes at a moment, unless no request could read the copy or
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
	draw := s.world.ids.Draw(fmt.Sprint("replica/", p.reads))
	if draw >= s.config.replicaShare || len(p.taken) == 0 {
		return s.world
	}
	return p.taken[int(draw/s.config.replicaShare*float64(len(p.taken)))].world
}

// copy returns a copy of the world for reading.
func (w *world) copy() *world {
	c := *w
	c.history, c.replicas, c.Schedule, c.deliveryQueue = nil, replicas{}, state.Schedule[task]{}, deliveryQueue{}
	c.lines, c.ports, c.metroAreas, c.terminals = w.lines.Copy(), w.ports.Copy(), w.metroAreas.Copy(), w.terminals.Copy()
	c.vessels, c.parties, c.partyRoles = w.vessels.Copy(), w.parties.Copy(), w.partyRoles.Copy()
	c.custom = customFields{definitions: w.custom.definitions.Copy(), values: w.custom.values.Copy()}
	c.docs.documents, c.docs.schemas, c.docs.emails = w.docs.documents.Copy(), w.docs.schemas.Copy(), w.docs.emails.Copy()
	c.docs.types = slices.Clone(w.docs.types)
	c.shipments, c.containers, c.requests = w.shipments.Copy(), w.containers.Copy(), w.requests.Copy()
	c.events, c.rawEvents = w.events.Copy(), w.rawEvents.Copy()
	c.webhooks, c.notifications, c.changeEvents = w.webhooks.Copy(), w.notifications.Copy(), w.changeEvents.Copy()
	c.containerOf, c.eventsOf, c.rawEventsOf = maps.Clone(w.containerOf), maps.Clone(w.eventsOf), maps.Clone(w.rawEventsOf)
	c.gone = maps.Clone(w.gone)
	if c.synthetic != nil {
		c.makeEvents()
	}
	return &c
}
