package terminal49test

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"time"
)

// Resource is a resource as a response sends it.
type Resource struct {
	Type, ID string
	JSON     []byte // the resource object, as in data
}

// State is a resource as it was from a time on.
type State struct {
	At time.Time // simulated time
	Resource
	// Removed reports that the resource was removed; JSON is nil.
	Removed bool
}

// WithHistory keeps every state of every resource for [Server.History]. It renders the whole world
// after each change, so it is meant for up to some thousand resources.
func WithHistory() Option { return func(c *config) { c.history = true } }

// Snapshot returns every resource that a perfect copy of the service would hold now, in a stable
// order, by type. With types, it returns only those, such as
// "container". Each resource is read when it is yielded, so stop the clock for a consistent
// snapshot. The server can be called meanwhile.
func (s *Server) Snapshot(types ...string) iter.Seq[Resource] {
	return func(yield func(Resource) bool) {
		for _, source := range snapshotSources() {
			rows := readWorld(s, source)
			for from := 0; from < rows.len(); from += snapshotBatch {
				for _, r := range readWorld(s, func(w *world) []Resource { return w.readBatch(rows, from, types) }) {
					if !yield(r) {
						return
					}
				}
			}
		}
	}
}

// snapshotBatch is how many resources are read at a time.
const snapshotBatch = 256

// History returns the states of resources in the order in which they came to be, for a server with
// [WithHistory]; nil without it. An empty type or id matches all. Every response and every webhook
// body has states that are in it, except the positions of vessels, which move with the clock, the
// party_roles of shipments, which depend on the request, and events of removed containers.
func (s *Server) History(kind, id string) []State {
	return readWorld(s, func(w *world) (list []State) {
		if w.history == nil {
			return nil
		}
		for _, state := range w.history.states {
			if (kind == "" || kind == state.Type) && (id == "" || id == state.ID) {
				list = append(list, state)
			}
		}
		if r := (ref{kind, id}); len(list) == 0 && (w.containers.isMade(id) || w.shipments.isMade(id)) {
			for _, made := range w.readBatch(listing{rows: []ref{r}}, 0, nil) {
				list = append(list, State{At: w.synthetic.start, Resource: made})
			}
		}
		return list
	})
}

func (t *table[T]) refs(kind string) listing {
	rows := make([]ref, len(t.order))
	for i, id := range t.order {
		rows[i] = ref{kind, id}
	}
	l := t.list(kind, rows, true, nil, nil)
	for _, i := range t.changed {
		l.kept = append(l.kept, ref{kind, t.made.id(i)})
	}
	return l
}

// snapshotSources returns the lists of a snapshot.
func snapshotSources() []func(*world) listing {
	return []func(*world) listing{
		func(w *world) listing { return w.lines.refs("shipping_line") },
		func(w *world) listing { return w.ports.refs("port") },
		func(w *world) listing { return w.metroAreas.refs("metro_area") },
		func(w *world) listing { return w.terminals.refs("terminal") },
		func(w *world) listing { return w.vessels.refs("vessel") },
		func(w *world) listing { return w.parties.refs("party") },
		func(w *world) listing { return w.shipments.refs("shipment") },
		func(w *world) listing { return w.containers.refs("container") },
		func(w *world) listing { return listing{rows: w.listedEvents("transport_event", w.eventsOf)} },
		func(w *world) listing { return listing{rows: w.listedEvents("raw_event", w.rawEventsOf)} },
		func(w *world) listing { return w.requests.refs("tracking_request") },
		func(w *world) listing { return w.partyRoles.refs("party_role") },
		func(w *world) listing { return w.custom.definitions.refs("custom_field_definition") },
		func(w *world) listing { return listing{rows: w.optionRefs()} },
		func(w *world) listing { return w.custom.values.refs("custom_field") },
		func(w *world) listing { return w.docs.documents.refs("document") },
		func(w *world) listing { return listing{rows: w.representationRefs()} },
		func(w *world) listing { return w.docs.emails.refs("email_submission") },
		func(w *world) listing { return w.webhooks.refs("webhook") },
		func(w *world) listing { return w.notifications.refs("webhook_notification") },
		func(w *world) listing { return listing{rows: w.changeEventRefs()} },
	}
}

// listedEvents returns the events of the containers that exist.
func (w *world) listedEvents(kind string, of map[string][]string) (rows []ref) {
	for _, container := range sortedKeys(of) {
		for _, id := range of[container] {
			if w.containers.get(container) != nil {
				rows = append(rows, ref{kind, id})
			}
		}
	}
	return rows
}

func (w *world) optionRefs() (rows []ref) {
	for _, d := range w.custom.definitions.all() {
		for _, o := range d.Options {
			rows = append(rows, ref{"custom_field_option", o.ID})
		}
	}
	return rows
}

func (w *world) representationRefs() (rows []ref) {
	for _, d := range w.docs.documents.all() {
		rows = append(rows, ref{"document_representation", d.representation})
	}
	return rows
}

func (w *world) changeEventRefs() (rows []ref) {
	for _, n := range w.changeEvents.all() {
		rows = append(rows, ref{n.kind, n.id})
	}
	return rows
}

// readBatch renders a part of a list.
func (w *world) readBatch(l listing, from int, types []string) (batch []Resource) {
	for _, r := range l.slice(from, from+snapshotBatch) {
		if len(types) > 0 && !slices.Contains(types, r.kind) && r.kind != "terminal" {
			continue
		}
		res, ok := w.render(r)
		if ok && (len(types) == 0 || slices.Contains(types, res.kind)) {
			batch = append(batch, Resource{res.kind, res.id, appendJSON(nil, res.object())})
		}
	}
	return batch
}

// history holds all states of all resources.
type history struct {
	states []State
	latest map[ref]int // position in states
}

// remember adds the states that are new since the last call.
func (w *world) remember(at time.Time) {
	h := w.history
	if h == nil {
		return
	}
	seen := make(map[ref]bool, len(h.latest))
	for _, source := range snapshotSources() {
		l := source(w)
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

func (h *history) add(s State) {
	key := ref{s.Type, s.ID}
	if i, known := h.latest[key]; known && bytes.Equal(h.states[i].JSON, s.JSON) || s.Type == "vessel" {
		return
	}
	h.latest[key] = len(h.states)
	h.states = append(h.states, s)
}

// unseen returns the resources that existed and were not seen, in a stable order.
func (h *history) unseen(seen map[ref]bool) (rows []ref) {
	for r, i := range h.latest {
		if !seen[r] && !h.states[i].Removed {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b ref) int { return strings.Compare(a.kind+a.id, b.kind+b.id) })
	return rows
}
