package terminal49test

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// world is the state of the simulated service, guarded by the server's lock.
type world struct {
	state.Schedule[task]
	lock    *guard    // must be held to use the world
	instant time.Time // of the last task
	webhookStore
	ids     *state.IDs
	clock   func() time.Time
	account string // id of the token's account
	user    string // id of the token's user

	credential string // id of the token as an API key

	trackingDelay time.Duration
	journeys      map[string]Journey // by normalized number

	lines       state.Table[ShippingLine]
	ports       state.Table[Port]
	metroAreas  state.Table[MetroArea]
	terminals   state.Table[Terminal]
	vessels     state.Table[Vessel]
	parties     state.Table[Party]
	partyRoles  state.Table[PartyRole]
	custom      customFields
	docs        documentStore
	shipments   state.Table[Shipment]
	containers  state.Table[Container]
	requests    state.Table[TrackingRequest]
	requestsOf  byNumber
	shipmentsOf byNumber
	events      state.Table[TransportEvent]
	rawEvents   state.Table[RawEvent]
	containerOf map[string][]string // shipment id -> container ids
	eventsOf    map[string][]string // container id -> transport event ids
	rawEventsOf map[string][]string // container id -> raw event ids
	renderers   map[string]renderer
	pollPlanned map[string]bool // shipments on a journey; true while their next poll is planned
	history     *history        // nil without WithHistory
	synthetic   *synthetic      // nil without WithSyntheticContainers
	replicas    replicas
	gone        map[wire.Ref]wire.Ref // what was removed, and the successor of a merged shipment
	merged      merges
	traffic     *traffic // nil without SeedTraffic
}

func newWorld(seed int64, clock func() time.Time) *world {
	w := &world{
		renderers: renderers(),
		ids:       state.NewIDs(seed), clock: clock, journeys: map[string]Journey{},
		containerOf: map[string][]string{}, eventsOf: map[string][]string{}, rawEventsOf: map[string][]string{},
		gone: map[wire.Ref]wire.Ref{}, merged: merges{into: map[string]string{}, origin: map[string]string{}},
		webhookStore: webhookStore{deliveryQueue: deliveryQueue{bodies: map[string]*deliveryBody{}, failedInARow: map[string]int{}}},
		docs:         documentStore{scripts: map[string]DocumentScript{}},
		pollPlanned:  map[string]bool{}, requestsOf: byNumber{}, shipmentsOf: byNumber{},
	}
	w.account, w.user = w.ids.Next("account"), w.ids.Next("user")
	w.credential = w.ids.Next("credential")
	return w
}

func (w *world) now() time.Time { return w.clock().UTC().Truncate(time.Second) }

func (w *world) advance(now time.Time) {
	for w.step(now) {
	}
}

// step runs the next task that is due, after the bodies of earlier instants are written, and
// reports whether there was one.
func (w *world) step(now time.Time) bool {
	at, planned := w.NextAt()
	due := planned && !at.After(now)
	if !due || !at.Equal(w.instant) {
		w.writeBodies()
	}
	if !due {
		return false
	}
	w.instant = at
	w.preserve(at, now)
	defer w.remember(at)
	return w.runNext(now)
}

// The finders below accept an id or the code in common use. They return nil for an unknown key.

func (w *world) line(key string) *ShippingLine {
	if l := w.lines.Get(key); l != nil || key == "" {
		return l
	}
	return w.lines.Find(func(l *ShippingLine) bool {
		return l.SCAC == key || slices.Contains(l.AlternativeSCACs, key)
	})
}

func (w *world) port(key string) *Port {
	if p := w.ports.Get(key); p != nil || key == "" {
		return p
	}
	return w.ports.Find(func(p *Port) bool { return p.LOCODE == key })
}

func (w *world) metroArea(key string) *MetroArea {
	if m := w.metroAreas.Get(key); m != nil || key == "" {
		return m
	}
	return w.metroAreas.Find(func(m *MetroArea) bool { return m.LOCODE == key })
}

func (w *world) terminal(key string) *Terminal {
	if t := w.terminals.Get(key); t != nil || key == "" {
		return t
	}
	return w.terminals.Find(func(t *Terminal) bool { return t.Nickname == key })
}

func (w *world) vessel(key string) *Vessel {
	if v := w.vessels.Get(key); v != nil || key == "" {
		return v
	}
	return w.vessels.Find(func(v *Vessel) bool { return v.IMO == key })
}

func (w *world) identify(id, kind string) string {
	if id != "" {
		return id
	}
	return w.ids.Next(kind)
}

func (w *world) orNow(t time.Time) time.Time {
	if t.IsZero() {
		return w.now()
	}
	return t
}

// withWorld runs do under the lock, after everything that is due.
func withWorld[T any](s *Server, do func(*world) T) T {
	return readWorld(s, func(w *world) T {
		w.preserve(w.now(), w.now())
		defer func() {
			w.changedAnything()
			w.remember(w.now())
		}()
		return do(w)
	})
}

// readWorld is withWorld for a function that changes nothing.
func readWorld[T any](s *Server, do func(*world) T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	return do(s.world)
}

func updateRow[T any](t *state.Table[T], id string, change func(*T)) bool {
	row := t.Own(id)
	if row == nil {
		return false
	}
	change(row)
	return true
}

// readRow is updateRow for a function that changes nothing.
func readRow[T any](t *state.Table[T], id string, read func(*T)) bool {
	row := t.Get(id)
	if row != nil {
		read(row)
	}
	return row != nil
}
