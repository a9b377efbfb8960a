package terminal49test

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// deliveryDelay is how long a notification is pending.
const deliveryDelay = time.Second

// changeEvent is the reference object of a notification without a transport event or other
// resource: a new estimate, or a container that was added or changed.
type changeEvent struct {
	id, kind             string
	at                   time.Time
	shipment, container  string
	terminal             ref
	estimate             time.Time
	changeset            object
	port, vessel, voyage string
}

// notify adds a notification for each active webhook that subscribes to the event and existed at
// the time.
func (w *world) notify(event string, at time.Time, about ref) (notified bool) {
	for _, h := range w.webhooks.all() {
		if h.Inactive || !slices.Contains(h.Events, event) || at.Before(h.CreatedAt) {
			continue
		}
		n := w.addNotification(WebhookNotification{
			Event: event, CreatedAt: at, Webhook: h.ID, ReferenceType: about.kind, ReferenceID: about.id,
		})
		w.planDelivery(n, at)
		notified = true
	}
	return notified
}

// notifyChange keeps the event for those who are notified.
func (w *world) notifyChange(event string, n changeEvent) {
	n.id = w.ids.next(n.kind)
	if w.notify(event, n.at, ref{n.kind, n.id}) {
		w.changeEvents.put(n.id, &n)
	}
}

// notifyRequest adds the notifications of a tracking request's new status.
func (w *world) notifyRequest(r *TrackingRequest, was string, at time.Time) {
	event := r.Status
	switch r.Status {
	case was, "pending":
		return
	case "created":
		event = "succeeded"
	}
	w.notify("tracking_request."+event, at, ref{"tracking_request", r.ID})
}

// notifyChanges runs do, which changes a shipment and its containers, and adds the notifications of
// these changes. Shipment and container can be nil.
func (w *world) notifyChanges(s *Shipment, c *Container, at time.Time, do func()) {
	var containers []*Container
	var number string
	var eta time.Time
	if s != nil {
		number, eta = s.BillOfLadingNumber, s.PODETA
		for _, id := range w.containersOf(s.ID) {
			containers = append(containers, w.containers.get(id))
		}
	}
	if c != nil && !slices.Contains(containers, c) {
		containers = append(containers, c)
	}
	before := make([]object, len(containers))
	for i, container := range containers {
		before[i] = w.changesetValues(container)
	}
	do()
	if c != nil {
		w.containers.note(c.ID, c)
	}
	if s != nil {
		w.shipments.note(s.ID, s)
		w.shipmentsOf.move(s, number, s.BillOfLadingNumber)
	}
	for i, container := range containers {
		if c == nil || c == container {
			container.updatedAt = laterOf(container.updatedAt, at)
		}
		w.notifyContainer(container, before[i], at)
	}
	if s != nil && !s.PODETA.IsZero() && !s.PODETA.Equal(eta) {
		w.notifyChange("shipment.estimated.arrival", changeEvent{
			kind: "estimated_event", at: at, shipment: s.ID, estimate: s.PODETA, port: s.PortOfDischarge,
			vessel: s.PODVessel, voyage: s.PODVoyageNumber,
		})
	}
}

// changesetValues returns the values that container.updated reports, under its names.
func (w *world) changesetValues(c *Container) object {
	return object{
		{"available_for_pickup", c.AvailableForPickup},
		{"fees_at_pod_terminal", renderFees(c.Fees)}, {"holds_at_pod_terminal", renderHolds(c.Holds)},
		{"pickup_lfd", c.ImportDeadlines.PickupLFD()}, {"pickup_lfd_line", c.ImportDeadlines.Line}, {"pickup_lfd_rail", c.ImportDeadlines.Rail},
		{"pickup_appointment_at", c.PickupAppointmentAt}, {"pod_terminal", orNull(w.terminalRef(w.podTerminal(c)).id)},
	}
}

func (w *world) notifyContainer(c *Container, before object, at time.Time) {
	n := changeEvent{
		kind: "container_updated_event", at: at, shipment: c.Shipment, container: c.ID, terminal: w.terminalRef(w.podTerminal(c)),
	}
	moved := false
	for i, now := range w.changesetValues(c) {
		was, is := appendJSON(nil, before[i].value), appendJSON(nil, now.value)
		if bytes.Equal(was, is) {
			continue
		}
		n.changeset = append(n.changeset, member{now.name, []rawJSON{was, is}})
		moved = moved || now.name == "pod_terminal"
	}
	if moved {
		w.notifyChange("container.pod_terminal_changed", changeEvent{
			kind: "container_pod_terminal_changed_event", at: at, shipment: n.shipment, container: n.container, terminal: n.terminal,
		})
	}
	if n.changeset != nil {
		w.notifyChange("container.updated", n)
	}
}

// rawJSON is an encoded value. Old values are encoded at once because the container changes later.
type rawJSON []byte

// MarshalJSON returns the value unchanged.
func (r rawJSON) MarshalJSON() ([]byte, error) { return r, nil }

func (w *world) renderChangeEvent(n *changeEvent) resource {
	r := resource{ref: ref{n.kind, n.id}}
	shipment, container := toOne("shipment", "shipment", n.shipment), toOne("container", "container", n.container)
	terminal := relation{name: "terminal", one: n.terminal}
	switch n.kind {
	case "estimated_event":
		port := w.place(n.port)
		r.attributes = object{
			{"created_at", n.at}, {"estimated_timestamp", n.estimate}, {"voyage_number", orNull(n.voyage)},
			{"event", "shipment.estimated.arrival"}, {"location_locode", orNull(port.code)}, {"timezone", orNull(port.tz)},
			{"data_source", "shipping_line"},
		}
		r.relations = []relation{shipment, {name: "port", one: port.ref}, {name: "vessel", one: w.vesselRef(n.vessel)}}
	case "container_created_event":
		r.attributes = object{{"timestamp", n.at}, {"timezone", "Etc/UTC"}}
		r.relations = []relation{container, shipment}
	case "container_updated_event":
		zone := cmp.Or(w.terminalPlace(n.terminal.id).tz, "Etc/UTC")
		r.attributes = object{
			{"changeset", n.changeset}, {"timestamp", n.at}, {"timezone", zone}, {"data_source", "terminal"},
		}
		r.relations = []relation{container, terminal, shipment}
	default:
		r.attributes = object{{"timestamp", n.at}, {"data_source", "shipping_line"}}
		r.relations = []relation{container, shipment, terminal}
	}
	return r
}
