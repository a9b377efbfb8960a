package terminal49test

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// State is a resource as it was from a time on.
type State struct {
	At time.Time // simulated time
	Resource
	// Removed reports that the resource was removed; JSON is nil.
	Removed bool
}

// WithHistory keeps every state of every resource for [Server.History]. A method call or a writing
// request then renders the whole world; a step of a journey renders what it changed.
func WithHistory() Option { return func(c *config) { c.history = true } }

// WithHistoryFunc calls report with each new state, in order, instead of keeping it for
// [Server.History]. Use it for a server that runs for hours. report runs under the server's lock
// and must not call the server, which panics.
func WithHistoryFunc(report func(State)) Option {
	return func(c *config) { c.history, c.reportHistory = true, report }
}

// History returns the states of resources, oldest first, for a server with [WithHistory]; nil
// otherwise. An empty type or id matches all. Every response and every webhook body has states that
// are in it, except the positions of vessels, which move with the clock, the party_roles of
// shipments, which depend on the request, and events of removed containers.
func (s *Server) History(kind, id string) []State {
	return readWorld(s, func(w *world) (list []State) {
		if w.history == nil || w.history.report != nil {
			return nil
		}
		list = w.history.statesOf(kind, id)
		if r := (wire.Ref{Kind: kind, ID: id}); len(list) == 0 && w.isSynthetic(id) {
			for _, made := range w.readBatch(state.Listing{Rows: []wire.Ref{r}}, 0, nil) {
				list = append(list, State{At: w.synthetic.start, Resource: made})
			}
		}
		return list
	})
}

// statesOf returns the states of resources with a type and an id; "" matches all.
func (h *history) statesOf(kind, id string) (list []State) {
	for _, state := range h.states {
		if (kind == "" || kind == state.Type) && (id == "" || id == state.ID) {
			list = append(list, state)
		}
	}
	return list
}

// history has the latest state of each resource and, without report, all states.
type history struct {
	report  func(State) // nil keeps the states
	states  []State
	latest  map[wire.Ref]latestState
	seed    maphash.Seed
	changed []wire.Ref // since the last call of remember; some of them twice
	all     bool       // everything can have changed since then
}

// latestState is what is kept of a state to notice the next one.
type latestState struct {
	hash    uint64
	removed bool
}

// startHistory makes the tables record which of their rows can have changed.
func (w *world) startHistory(report func(State)) {
	if given := report; given != nil {
		report = func(s State) { w.lock.during(func() { given(s) }) }
	}
	h := &history{report: report, latest: map[wire.Ref]latestState{}, seed: maphash.MakeSeed(), all: true}
	w.history = h
	follow(h, "shipment", &w.shipments)
	follow(h, "container", &w.containers)
	follow(h, "tracking_request", &w.requests)
	follow(h, "transport_event", &w.events)
	follow(h, "raw_event", &w.rawEvents)
	follow(h, "party_role", &w.partyRoles)
	follow(h, "webhook", &w.webhooks)
	follow(h, "webhook_notification", &w.notifications)
	w.changeEvents.Changing = func(id string, n *changeEvent) { h.changed = append(h.changed, wire.Ref{Kind: n.kind, ID: id}) }
	w.custom.values.Changing = func(string, *customField) { h.all = true }
	w.docs.documents.Changing = func(string, *Document) { h.all = true }
	w.remember(w.now())
}

// follow records the rows of a table that can have changed. After a removal everything is rendered,
// because any relationship can name the removed resource.
func follow[T any](h *history, kind string, t *state.Table[T]) {
	t.Changing = func(id string, row *T) {
		h.changed = append(h.changed, wire.Ref{Kind: kind, ID: id})
		h.all = h.all || row == nil
	}
}

// changedAnything makes the next call of remember render everything.
func (w *world) changedAnything() {
	if w.history != nil {
		w.history.all = true
	}
}

// remember adds the states that are new since the last call.
func (w *world) remember(at time.Time) {
	h := w.history
	if h == nil {
		return
	}
	if h.all {
		w.rememberAll(at)
	} else {
		w.rememberSome(at, h.changed)
	}
	h.changed, h.all = nil, false
}

// rememberAll renders each resource in memory.
func (w *world) rememberAll(at time.Time) {
	h := w.history
	seen := make(map[wire.Ref]bool, len(h.latest))
	for _, source := range snapshotSources() {
		l := source.list(w)
		l = state.Listing{Rows: slices.Concat(l.Rows, l.Kept)}
		for from := 0; from < l.Len(); from += snapshotBatch {
			for _, r := range w.readBatch(l, from, nil) {
				seen[wire.Ref{Kind: r.Type, ID: r.ID}] = true
				h.add(State{At: at, Resource: r})
			}
		}
	}
	for _, removed := range h.unseen(seen) {
		h.add(State{At: at, Resource: Resource{Type: removed.Kind, ID: removed.ID}, Removed: true})
	}
}

// rememberSome renders the given resources and those that show something of them.
func (w *world) rememberSome(at time.Time, rows []wire.Ref) {
	done := make(map[wire.Ref]bool, 2*len(rows))
	one := func(r wire.Ref) {
		if !done[r] && !w.isGenerated(r) {
			done[r] = true
			for _, res := range w.readBatch(state.Listing{Rows: []wire.Ref{r}}, 0, nil) {
				w.history.add(State{At: at, Resource: res})
			}
		}
	}
	shipment := func(id string) {
		one(wire.Ref{Kind: "shipment", ID: id})
		for _, container := range w.containersOf(id) {
			one(wire.Ref{Kind: "container", ID: container})
		}
	}
	for _, r := range rows {
		switch r.Kind {
		case "shipment":
			shipment(r.ID)
		case "container":
			one(r)
			if c := w.containers.Get(r.ID); c != nil {
				shipment(c.Shipment)
			}
		default:
			one(r)
		}
	}
}

func (h *history) add(s State) {
	if s.Type == "vessel" { // its position moves with the clock
		return
	}
	key, now := wire.Ref{Kind: s.Type, ID: s.ID}, latestState{maphash.Bytes(h.seed, s.JSON), s.Removed}
	if was, known := h.latest[key]; known && was == now {
		return
	}
	h.latest[key] = now
	if h.report != nil {
		h.report(s)
	} else {
		h.states = append(h.states, s)
	}
}

// unseen returns the resources that existed and were not seen, in a stable order.
func (h *history) unseen(seen map[wire.Ref]bool) (rows []wire.Ref) {
	for r, was := range h.latest {
		if !seen[r] && !was.removed {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b wire.Ref) int { return strings.Compare(a.Kind+a.ID, b.Kind+b.ID) })
	return rows
}
