package terminal49test

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// deliveryDelay is how long a notification is pending.
const deliveryDelay = time.Second

// changeEvent is the reference object of a notification without a transport event or other
// resource: a new estimate, or a container that was added or changed.
type changeEvent struct {
	id, kind             string
	at                   time.Time
	shipment, container  string
	terminal             wire.Ref
	estimate             time.Time
	changeset            wire.Raw // written at once, because the container changes later
	port, vessel, voyage string
}

// notify adds a notification for each active webhook that subscribes to the event and existed at
// the time.
func (w *world) notify(event string, at time.Time, about wire.Ref) (notified bool) {
	for _, h := range w.webhooks.All() {
		if h.Inactive || !slices.Contains(h.Events, event) || at.Before(h.CreatedAt) {
			continue
		}
		n := w.addNotification(WebhookNotification{
			Event: event, CreatedAt: at, Webhook: h.ID, ReferenceType: about.Kind, ReferenceID: about.ID,
		})
		w.planDelivery(n, at)
		notified = true
	}
	return notified
}

// notifyChange notifies the webhooks that subscribe to an event, and keeps the event if there are
// any.
func (w *world) notifyChange(event string, n changeEvent) {
	n.id = w.ids.Next(n.kind)
	if w.notify(event, n.at, wire.Ref{Kind: n.kind, ID: n.id}) {
		w.changeEvents.Put(n.id, &n)
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
	w.notify("tracking_request."+event, at, wire.Ref{Kind: "tracking_request", ID: r.ID})
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
			containers = append(containers, w.containers.Get(id))
		}
	}
	if c != nil && !slices.Contains(containers, c) {
		containers = append(containers, c)
	}
	before := make([]wire.Object, len(containers))
	for i, container := range containers {
		before[i] = w.changesetValues(container)
	}
	do()
	if c != nil {
		w.containers.Note(c.ID, c)
	}
	if s != nil {
		w.shipments.Note(s.ID, s)
		w.shipmentsOf.move(s.ID, number, s.BillOfLadingNumber)
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
func (w *world) changesetValues(c *Container) wire.Object {
	return wire.Object{
		{"available_for_pickup", c.AvailableForPickup},
		{"fees_at_pod_terminal", renderFees(c.Fees)}, {"holds_at_pod_terminal", renderHolds(c.Holds)},
		{"pickup_lfd", c.ImportDeadlines.PickupLFD()}, {"pickup_lfd_line", c.ImportDeadlines.Line}, {"pickup_lfd_rail", c.ImportDeadlines.Rail},
		{"pickup_appointment_at", c.PickupAppointmentAt}, {"pod_terminal", wire.OrNull(w.terminalRef(w.podTerminal(c)).ID)},
	}
}

func (w *world) notifyContainer(c *Container, before wire.Object, at time.Time) {
	n := changeEvent{
		kind: "container_updated_event", at: at, shipment: c.Shipment, container: c.ID, terminal: w.terminalRef(w.podTerminal(c)),
	}
	var changes wire.Object
	moved := false
	for i, now := range w.changesetValues(c) {
		was, is := wire.AppendJSON(nil, before[i].Value), wire.AppendJSON(nil, now.Value)
		if bytes.Equal(was, is) {
			continue
		}
		changes = append(changes, wire.Member{now.Name, []wire.Raw{was, is}})
		moved = moved || now.Name == "pod_terminal"
	}
	if moved {
		w.notifyChange("container.pod_terminal_changed", changeEvent{
			kind: "container_pod_terminal_changed_event", at: at, shipment: n.shipment, container: n.container, terminal: n.terminal,
		})
	}
	if changes != nil {
		n.changeset = changes.AppendTo(nil)
		w.notifyChange("container.updated", n)
	}
}

func (w *world) renderChangeEvent(n *changeEvent) wire.Resource {
	r := wire.Resource{Ref: wire.Ref{Kind: n.kind, ID: n.id}}
	shipment, container := wire.ToOne("shipment", "shipment", n.shipment), wire.ToOne("container", "container", n.container)
	terminal := wire.Relation{Name: "terminal", One: n.terminal}
	switch n.kind {
	case "estimated_event":
		port := w.place(n.port)
		r.Attributes = wire.Object{
			{"created_at", n.at}, {"estimated_timestamp", n.estimate}, {"voyage_number", wire.OrNull(n.voyage)},
			{"event", "shipment.estimated.arrival"}, {"location_locode", wire.OrNull(port.code)}, {"timezone", wire.OrNull(port.tz)},
			{"data_source", "shipping_line"},
		}
		r.Relations = []wire.Relation{shipment, {Name: "port", One: port.ref}, {Name: "vessel", One: w.vesselRef(n.vessel)}}
	case "container_created_event":
		r.Attributes = wire.Object{{"timestamp", n.at}, {"timezone", "Etc/UTC"}}
		r.Relations = []wire.Relation{container, shipment}
	case "container_updated_event":
		zone := cmp.Or(w.terminalPlace(n.terminal.ID).tz, "Etc/UTC")
		r.Attributes = wire.Object{
			{"changeset", n.changeset}, {"timestamp", n.at}, {"timezone", zone}, {"data_source", "terminal"},
		}
		r.Relations = []wire.Relation{container, terminal, shipment}
	default:
		r.Attributes = wire.Object{{"timestamp", n.at}, {"data_source", "shipping_line"}}
		r.Relations = []wire.Relation{container, shipment, terminal}
	}
	return r
}
