package terminal49test

import (
	"cmp"
	"slices"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// merges holds what happened to merged shipments and to their containers.
type merges struct {
	into   map[string]string // by the id of the merged shipment
	origin map[string]string // container id -> the shipment whose journey it follows
}

// RemoveContainer removes a container from its shipment, as the service's staff can, and reports
// whether the id exists. Requests for the container are then answered 404. It is in no list,
// include or relationship, except in the relationship of a notification about it. Its transport
// events remain only in the log of notifications. No webhook is notified: the service documents no
// event.
func (s *Server) RemoveContainer(id string) bool {
	return withWorld(s, func(w *world) bool { return w.removeContainer(id) })
}

// MergeShipments merges a shipment into another one and reports whether both ids exist and differ.
// Containers, tracking requests, transport events and document links move; reference numbers, tags,
// party roles and custom field values move unless the other shipment has them. Requests for the
// merged shipment are then answered 404, and it is in no list; see [WithMergedShipmentsKept]. No
// webhook is notified: the service has merges, but documents neither an event nor a response.
func (s *Server) MergeShipments(from, into string) bool {
	return withWorld(s, func(w *world) bool { return w.mergeShipments(from, into, !s.config.mergedKept) })
}

func (w *world) removeContainer(id string) bool {
	c := w.containers.Get(id)
	if c == nil {
		return false
	}
	w.setContainers(c.Shipment, without(w.containersOf(c.Shipment), id))
	for _, d := range w.docs.documents.All() {
		d.Containers = without(d.Containers, id)
	}
	w.removeEvents(id)
	w.removeAttached(wire.Ref{Kind: "container", ID: id})
	w.containers.Remove(id)
	w.gone[wire.Ref{Kind: "container", ID: id}] = wire.Ref{}
	return true
}

// removeEvents detaches the events from a container; only the log of notifications still names
// them.
func (w *world) removeEvents(container string) {
	for _, id := range w.eventsOf[container] {
		w.events.Get(id).Container = ""
	}
	for _, id := range w.rawEventsOf[container] {
		w.rawEvents.Get(id).Container = ""
	}
	delete(w.eventsOf, container)
	delete(w.rawEventsOf, container)
}

func (w *world) mergeShipments(from, into string, remove bool) bool {
	a, b := w.shipments.Own(from), w.shipments.Own(into)
	if a == nil || b == nil || a == b {
		return false
	}
	w.moveContainers(from, into)
	w.moveReferences(from, into)
	b.ReferenceNumbers, b.Tags = union(b.ReferenceNumbers, a.ReferenceNumbers), union(b.Tags, a.Tags)
	if remove {
		w.removeAttached(wire.Ref{Kind: "shipment", ID: from})
		w.shipments.Remove(from)
		w.shipmentsOf.remove(from, a.BillOfLadingNumber)
		w.gone[wire.Ref{Kind: "shipment", ID: from}] = wire.Ref{Kind: "shipment", ID: into}
	}
	return true
}

// moveContainers moves the containers to another shipment; each continues its journey.
func (w *world) moveContainers(from, into string) {
	moved := w.containersOf(from)
	for _, id := range moved {
		w.merged.origin[id] = cmp.Or(w.merged.origin[id], from)
		c := w.containers.Own(id)
		c.Shipment, c.updatedAt = into, w.now()
	}
	w.setContainers(into, slices.Concat(w.containersOf(into), moved))
	w.setContainers(from, nil)
	w.merged.into[from] = into
}

func (w *world) moveReferences(from, into string) {
	for _, e := range w.events.All() {
		if e.Shipment == from {
			e.Shipment = into
		}
	}
	w.ownRequest(from)
	for _, r := range append(w.requests.All(), w.changedRequests()...) {
		if r.Shipment == from {
			r.Shipment = into
		}
	}
	for _, d := range w.docs.documents.All() {
		if slices.Contains(d.Shipments, from) {
			d.Shipments = union(without(d.Shipments, from), []string{into})
		}
	}
	w.moveAttached(from, into)
}

// moveAttached moves the party roles and custom field values that the other shipment does not have.
func (w *world) moveAttached(from, into string) {
	for _, r := range w.partyRoles.All() {
		if r.Shipment == from && !slices.Contains(w.partiesWithRole(PartyRole{Shipment: into}, r.Role), r.Party) {
			r.Shipment = into
		}
	}
	to := wire.Ref{Kind: "shipment", ID: into}
	for _, f := range w.custom.values.All() {
		if f.entity == (wire.Ref{Kind: "shipment", ID: from}) && w.field(to, w.custom.definitions.Get(f.definition).APISlug) == nil {
			f.entity = to
		}
	}
}

// removeAttached removes the party roles and custom field values of a shipment or container.
func (w *world) removeAttached(of wire.Ref) {
	for _, r := range w.partyRoles.All() {
		if of == (wire.Ref{Kind: "shipment", ID: r.Shipment}) || of == (wire.Ref{Kind: "container", ID: r.Container}) {
			w.partyRoles.Remove(r.ID)
		}
	}
	for _, f := range w.custom.values.All() {
		if f.entity == of {
			w.custom.values.Remove(f.id)
		}
	}
}

// relink replaces merged shipments in relationships by their successors, and leaves out removed
// resources. Notifications keep their relationships.
func (w *world) relink(r wire.Resource) wire.Resource {
	if len(w.gone) == 0 || r.Kind == "webhook_notification" {
		return r
	}
	for i, rel := range r.Relations {
		r.Relations[i].One = w.successor(rel.One)
		for j, target := range rel.Many {
			rel.Many[j] = w.successor(target)
		}
		r.Relations[i].Many = slices.DeleteFunc(rel.Many, func(target wire.Ref) bool { return target.ID == "" })
	}
	return r
}

func (w *world) successor(r wire.Ref) wire.Ref {
	for next, gone := w.gone[r]; gone; next, gone = w.gone[r] {
		r = next
	}
	return r
}

// onJourney returns the containers that follow a shipment's journey, and their current shipment.
func (w *world) onJourney(shipment string) (s *Shipment, containers []string) {
	now := shipment
	for next := w.merged.into[now]; next != ""; next = w.merged.into[now] {
		now = next
	}
	for _, id := range w.containersOf(now) {
		if cmp.Or(w.merged.origin[id], now) == shipment {
			containers = append(containers, id)
		}
	}
	return w.shipments.Get(now), containers
}

func without(list []string, s string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(other string) bool { return other == s })
}

func union(list, more []string) []string {
	list = slices.Clone(list)
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
