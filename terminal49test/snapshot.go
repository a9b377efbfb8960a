package terminal49test

import (
	"iter"
	"slices"
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

func (t *table[T]) refs(kind string) listing {
	rows := make([]ref, len(t.order))
	for i, id := range t.order {
		rows[i] = ref{kind, id}
	}
	l := t.list(kind, rows, selection[T]{})
	for _, i := range t.changed {
		l.kept = append(l.kept, ref{kind, t.made.id(i)})
	}
	return l
}

// snapshotSource is a list of a snapshot, and the types of its resources.
type snapshotSource struct {
	kinds []string
	list  func(*world) listing
}

func (s snapshotSource) has(types []string) bool {
	return len(types) == 0 || slices.ContainsFunc(s.kinds, func(kind string) bool { return slices.Contains(types, kind) })
}

func snapshotSources() []snapshotSource {
	of := func(list func(*world) listing, kinds ...string) snapshotSource { return snapshotSource{kinds, list} }
	return []snapshotSource{
		of(func(w *world) listing { return w.lines.refs("shipping_line") }, "shipping_line"),
		of(func(w *world) listing { return w.ports.refs("port") }, "port"),
		of(func(w *world) listing { return w.metroAreas.refs("metro_area") }, "metro_area"),
		of(func(w *world) listing { return w.terminals.refs("terminal") }, "terminal", "rail_terminal"),
		of(func(w *world) listing { return w.vessels.refs("vessel") }, "vessel"),
		of(func(w *world) listing { return w.parties.refs("party") }, "party"),
		of(func(w *world) listing { return w.shipments.refs("shipment") }, "shipment"),
		of(func(w *world) listing { return w.containers.refs("container") }, "container"),
		of((*world).transportEventRefs, "transport_event"),
		of(func(w *world) listing { return listing{rows: w.listedEvents("raw_event", w.rawEventsOf)} }, "raw_event"),
		of(func(w *world) listing { return w.requests.refs("tracking_request") }, "tracking_request"),
		of(func(w *world) listing { return w.partyRoles.refs("party_role") }, "party_role"),
		of(func(w *world) listing { return w.custom.definitions.refs("custom_field_definition") }, "custom_field_definition"),
		of(func(w *world) listing { return listing{rows: w.optionRefs()} }, "custom_field_option"),
		of(func(w *world) listing { return w.custom.values.refs("custom_field") }, "custom_field"),
		of(func(w *world) listing { return w.docs.documents.refs("document") }, "document"),
		of(func(w *world) listing { return listing{rows: w.representationRefs()} }, "document_representation"),
		of(func(w *world) listing { return w.docs.emails.refs("email_submission") }, "email_submission"),
		of(func(w *world) listing { return w.webhooks.refs("webhook") }, "webhook"),
		of(func(w *world) listing { return w.notifications.refs("webhook_notification") }, "webhook_notification"),
		of(func(w *world) listing { return listing{rows: w.changeEventRefs()} },
			"estimated_event", "container_created_event", "container_updated_event", "container_pod_terminal_changed_event"),
	}
}

// transportEventRefs returns the events of the containers that exist, and after them those of the
// synthetic containers.
func (w *world) transportEventRefs() listing {
	rows := w.listedEvents("transport_event", w.eventsOf)
	if w.synthetic == nil {
		return listing{rows: rows}
	}
	rows = slices.DeleteFunc(rows, func(r ref) bool { return w.events.isMade(r.id) })
	l := listing{rows: rows, nth: func(i int) ref { return ref{"transport_event", w.synthetic.eventID(i)} }}
	for _, s := range w.containers.refs("container").spans {
		l.spans = append(l.spans, span{s.from * syntheticEvents, s.to * syntheticEvents})
	}
	l.starts = startsOf(l.spans)
	for _, container := range w.containers.changed {
		if w.containers.get(w.synthetic.containerID(container)) == nil {
			continue
		}
		for n := range syntheticEvents {
			l.kept = append(l.kept, l.nth(container*syntheticEvents+n))
		}
	}
	return l
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
		res, ok := view{w: w}.render(r)
		if ok && (len(types) == 0 || slices.Contains(types, res.kind)) {
			batch = append(batch, Resource{res.kind, res.id, res.append(make([]byte, 0, res.size()))})
		}
	}
	return batch
}
