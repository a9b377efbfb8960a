package terminal49test

import (
	"iter"
	"slices"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Resource is a resource as a response sends it.
type Resource struct {
	Type, ID string
	JSON     []byte // the resource object, as in data
}

// Snapshot returns every resource that a perfect copy of the service would hold now, in a stable
// order, by type. With types, it returns only those, such as "container". Each resource is read
// when it is yielded, so stop the clock for a consistent snapshot; see [Server.SetSpeed]. The
// server can be called meanwhile.
func (s *Server) Snapshot(types ...string) iter.Seq[Resource] {
	return func(yield func(Resource) bool) {
		for _, source := range snapshotSources() {
			if !source.has(types) {
				continue
			}
			rows := readWorld(s, source.list)
			for from := 0; from < rows.Len(); from += snapshotBatch {
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

// snapshotSource is a list of a snapshot, and the types of its resources.
type snapshotSource struct {
	kinds []string
	list  func(*world) state.Listing
}

func (s snapshotSource) has(types []string) bool {
	return len(types) == 0 || slices.ContainsFunc(s.kinds, func(kind string) bool { return slices.Contains(types, kind) })
}

func snapshotSources() []snapshotSource {
	of := func(list func(*world) state.Listing, kinds ...string) snapshotSource {
		return snapshotSource{kinds, list}
	}
	return []snapshotSource{
		of(func(w *world) state.Listing { return w.lines.Refs("shipping_line") }, "shipping_line"),
		of(func(w *world) state.Listing { return w.ports.Refs("port") }, "port"),
		of(func(w *world) state.Listing { return w.metroAreas.Refs("metro_area") }, "metro_area"),
		of(func(w *world) state.Listing { return w.terminals.Refs("terminal") }, "terminal", "rail_terminal"),
		of(func(w *world) state.Listing { return w.vessels.Refs("vessel") }, "vessel"),
		of(func(w *world) state.Listing { return w.parties.Refs("party") }, "party"),
		of(func(w *world) state.Listing { return w.shipments.Refs("shipment") }, "shipment"),
		of(func(w *world) state.Listing { return w.containers.Refs("container") }, "container"),
		of((*world).transportEventRefs, "transport_event"),
		of(func(w *world) state.Listing { return state.Listing{Rows: w.listedEvents("raw_event", w.rawEventsOf)} }, "raw_event"),
		of(func(w *world) state.Listing { return w.requests.Refs("tracking_request") }, "tracking_request"),
		of(func(w *world) state.Listing { return w.partyRoles.Refs("party_role") }, "party_role"),
		of(func(w *world) state.Listing { return w.custom.definitions.Refs("custom_field_definition") }, "custom_field_definition"),
		of(func(w *world) state.Listing { return state.Listing{Rows: w.optionRefs()} }, "custom_field_option"),
		of(func(w *world) state.Listing { return w.custom.values.Refs("custom_field") }, "custom_field"),
		of(func(w *world) state.Listing { return w.docs.documents.Refs("document") }, "document"),
		of(func(w *world) state.Listing { return state.Listing{Rows: w.representationRefs()} }, "document_representation"),
		of(func(w *world) state.Listing { return w.docs.emails.Refs("email_submission") }, "email_submission"),
		of(func(w *world) state.Listing { return w.webhooks.Refs("webhook") }, "webhook"),
		of(func(w *world) state.Listing { return w.notifications.Refs("webhook_notification") }, "webhook_notification"),
		of(func(w *world) state.Listing { return state.Listing{Rows: w.changeEventRefs()} },
			"estimated_event", "container_created_event", "container_updated_event", "container_pod_terminal_changed_event"),
	}
}

// transportEventRefs returns the events of the containers that exist, and after them those of the
// synthetic containers.
func (w *world) transportEventRefs() state.Listing {
	rows := w.listedEvents("transport_event", w.eventsOf)
	if w.synthetic == nil {
		return state.Listing{Rows: rows}
	}
	rows = slices.DeleteFunc(rows, func(r wire.Ref) bool { return w.events.IsMade(r.ID) })
	l := state.Listing{Rows: rows, Nth: func(i int) wire.Ref { return wire.Ref{Kind: "transport_event", ID: w.synthetic.eventID(i)} }}
	for _, s := range w.containers.Refs("container").Spans {
		l.Spans = append(l.Spans, state.Span{From: s.From * syntheticEvents, To: s.To * syntheticEvents})
	}
	l.Starts = state.StartsOf(l.Spans)
	for _, container := range w.containers.Changed {
		if w.containers.Get(w.synthetic.containerID(container)) == nil {
			continue
		}
		for n := range syntheticEvents {
			l.Kept = append(l.Kept, l.Nth(container*syntheticEvents+n))
		}
	}
	return l
}

// listedEvents returns the events of the containers that exist.
func (w *world) listedEvents(kind string, of map[string][]string) (rows []wire.Ref) {
	for _, container := range state.SortedKeys(of) {
		for _, id := range of[container] {
			if w.containers.Get(container) != nil {
				rows = append(rows, wire.Ref{Kind: kind, ID: id})
			}
		}
	}
	return rows
}

func (w *world) optionRefs() (rows []wire.Ref) {
	for _, d := range w.custom.definitions.All() {
		for _, o := range d.Options {
			rows = append(rows, wire.Ref{Kind: "custom_field_option", ID: o.ID})
		}
	}
	return rows
}

func (w *world) representationRefs() (rows []wire.Ref) {
	for _, d := range w.docs.documents.All() {
		rows = append(rows, wire.Ref{Kind: "document_representation", ID: d.representation})
	}
	return rows
}

func (w *world) changeEventRefs() (rows []wire.Ref) {
	for _, n := range w.changeEvents.All() {
		rows = append(rows, wire.Ref{Kind: n.kind, ID: n.id})
	}
	return rows
}

// readBatch renders a part of a list.
func (w *world) readBatch(l state.Listing, from int, types []string) (batch []Resource) {
	for _, r := range l.Slice(from, from+snapshotBatch) {
		if len(types) > 0 && !slices.Contains(types, r.Kind) && r.Kind != "terminal" {
			continue
		}
		res, ok := view{w: w}.render(r)
		if ok && (len(types) == 0 || slices.Contains(types, res.Kind)) {
			batch = append(batch, Resource{res.Kind, res.ID, res.AppendTo(make([]byte, 0, res.Size()))})
		}
	}
	return batch
}
