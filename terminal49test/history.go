package terminal49test

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"
)

// State is a resource as it was from a time on.
type State struct {
	At time.Time // simulated time
	Resource
	// Removed reports that the resource was removed; JSON is nil.
	Removed bool
}

// WithHistory keeps every state of every resource for [Server.History]. A call of a method or a
// request that writes renders the whole world, in addition to what journeys change.
func WithHistory() Option { return func(c *config) { c.history = true } }

// WithHistoryFunc calls report with each state as it comes to be, in order, instead of keeping it
// for [Server.History]: for a server that runs for hours. report runs under the server's lock and
// must not call the server.
func WithHistoryFunc(report func(State)) Option {
	return func(c *config) { c.history, c.reportHistory = true, report }
}

// History returns the states of resources in the order in which they came to be, for a server with
// [WithHistory]; nil otherwise. An empty type or id matches all. Every response and every webhook
// body has states that are in it, except the positions of vessels, which move with the clock, the
// party_roles of shipments, which depend on the request, and events of removed containers.
func (s *Server) History(kind, id string) []State {
	return readWorld(s, func(w *world) (list []State) {
		if w.history == nil || w.history.report != nil {
			return nil
		}
		for _, state := range w.history.states {
			if (kind == "" || kind == state.Type) && (id == "" || id == state.ID) {
				list = append(list, state)
			}
		}
		if r := (ref{kind, id}); len(list) == 0 && w.isSynthetic(id) {
			for _, made := range w.readBatch(listing{rows: []ref{r}}, 0, nil) {
				list = append(list, State{At: w.synthetic.start, Resource: made})
			}
		}
		return list
	})
}

// history has the latest state of each resource and, without report, all states.
type history struct {
	report  func(State) // nil keeps the states
	states  []State
	latest  map[ref]latestState
	seed    maphash.Seed
	changed []ref // since the last call of remember; some of them twice
	all     bool  // everything can have changed since then
}

// latestState is what is kept of a state to notice the next one.
type latestState struct {
	hash    uint64
	removed bool
}

// startHistory makes the tables record which of their rows can have changed.
func (w *world) startHistory(report func(State)) {
	h := &history{report: report, latest: map[ref]latestState{}, seed: maphash.MakeSeed(), all: true}
	w.history = h
	follow(h, "shipment", &w.shipments)
	follow(h, "container", &w.containers)
	follow(h, "tracking_request", &w.requests)
	follow(h, "transport_event", &w.events)
	follow(h, "raw_event", &w.rawEvents)
	follow(h, "party_role", &w.partyRoles)
	follow(h, "webhook", &w.webhooks)
	follow(h, "webhook_notification", &w.notifications)
	w.changeEvents.changing = func(id string, n *changeEvent) { h.changed = append(h.changed, ref{n.kind, id}) }
	w.custom.values.changing = func(string, *customField) { h.all = true }
	w.docs.documents.changing = func(string, *Document) { h.all = true }
	w.remember(w.now())
}

// follow records the rows of a table that can have changed. After a removal everything is
// rendered, because any relationship can name what is gone.
func follow[T any](h *history, kind string, t *table[T]) {
	t.changing = func(id string, row *T) {
		h.changed = append(h.changed, ref{kind, id})
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
	seen := make(map[ref]bool, len(h.latest))
	for _, source := range snapshotSources() {
		l := source.list(w)
		l = listing{rows: slices.Concat(l.rows, l.kept)}
		for from := 0; from < l.len(); from += snapshotBatch {
			for _, r := range w.readBatch(l, from, nil) {
				seen[ref{r.Type, r.ID}] = true
				h.add(State{At: at, Resource: r})
			}
		}
	}
	for _, removed := range h.unseen(seen) {
		h.add(State{At: at, Resource: Resource{Type: removed.kind, ID: removed.id}, Removed: true})
	}
}

// rememberSome renders the given resources and those that show something of them.
func (w *world) rememberSome(at time.Time, rows []ref) {
	done := make(map[ref]bool, 2*len(rows))
	one := func(r ref) {
		if !done[r] && !w.isGenerated(r) {
			done[r] = true
			for _, res := range w.readBatch(listing{rows: []ref{r}}, 0, nil) {
				w.history.add(State{At: at, Resource: res})
			}
		}
	}
	shipment := func(id string) {
		one(ref{"shipment", id})
		for _, container := range w.containersOf(id) {
			one(ref{"container", container})
		}
	}
	for _, r := range rows {
		switch r.kind {
		case "shipment":
			shipment(r.id)
		case "container":
			one(r)
			if c := w.containers.get(r.id); c != nil {
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
	key, now := ref{s.Type, s.ID}, latestState{maphash.Bytes(h.seed, s.JSON), s.Removed}
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
func (h *history) unseen(seen map[ref]bool) (rows []ref) {
	for r, was := range h.latest {
		if !seen[r] && !was.removed {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b ref) int { return strings.Compare(a.kind+a.id, b.kind+b.id) })
	return rows
}
