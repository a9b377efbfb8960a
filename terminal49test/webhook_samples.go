package terminal49test

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// sampleSeed is the seed of the ids in samples.
const sampleSeed = 49

// samplePayload returns a sample delivery of the event. It comes from a separate world in which the
// event happens, so that samples do not depend on the test's data. documentType is that of the
// document in it; "" means an arrival notice. id is that of the notification; "" generates the same
// one each time.
func samplePayload(id, event, documentType string, at time.Time) wire.Object {
	w := newWorld(sampleSeed, func() time.Time { return at })
	w.addReferenceData()
	w.addDocumentTypes()
	w.addWebhook(Webhook{URL: "https://example.com/webhooks", Events: knownEvents(), CreatedAt: at})
	shipment := w.addShipment(Shipment{
		BillOfLadingNumber: "MEDUSH4081712", ShippingLine: "MSCU", ReferenceNumbers: []string{"PO-4711"}, PortOfLading: "CNSHA",
		PortOfDischarge: "USLAX", PODTerminal: "WBCT", Destination: "USCHI", DestinationTerminal: "BNSF LPC",
		PODVessel: "9708851", PODVoyageNumber: "428E", PODETA: at.Add(9 * day24),
	})
	container := w.addContainer(Container{
		Shipment: shipment, Number: ContainerNumber("MEDU", 408_171), EquipmentType: "dry", EquipmentLength: 40,
		EquipmentHeight: "high_cube", WeightPounds: 31_460,
	})
	s, c := w.shipments.Get(shipment), w.containers.Get(container)
	subject, what, _ := strings.Cut(event, ".")
	switch {
	case subject == "tracking_request":
		w.sampleRequest(event, what, s, at)
	case subject == "document", subject == "document_representation", subject == "link":
		w.sampleDocument(event, documentType, s, at)
	case event == "container.created": // notified when the container was added
	case event == "container.updated":
		w.notifyChanges(s, c, at, func() {
			c.AvailableForPickup, c.Holds = Bool(false), []Hold{{Name: "customs", Description: "CUST EXAM"}}
		})
	case event == "container.pod_terminal_changed":
		w.notifyChanges(s, c, at, func() { c.PODTerminal = "APMT LA" })
	case event == "shipment.estimated.arrival":
		w.notifyChanges(s, nil, at, func() { s.PODETA = at.Add(10 * day24) })
	default:
		w.sampleMilestone(event, s, c, at)
	}
	n := w.notifications.Find(func(n *WebhookNotification) bool { return n.Event == event })
	n.ID = cmp.Or(id, n.ID)
	return w.payload(n)
}

func (w *world) sampleRequest(event, what string, s *Shipment, at time.Time) {
	r := TrackingRequest{RequestNumber: s.BillOfLadingNumber, SCAC: s.ShippingLine, Status: what, CreatedAt: at}
	switch what {
	case "succeeded":
		r.Status, r.Shipment = "created", s.ID
	case "tracking_stopped":
		r.Shipment = s.ID
	case "failed":
		r.FailedReason = "not_found"
	}
	w.notify(event, at, wire.Ref{Kind: "tracking_request", ID: w.addRequest(r)})
}

func (w *world) sampleDocument(event, documentType string, s *Shipment, at time.Time) {
	d := Document{
		FileName: "arrival-notice.pdf", FileContentType: "application/pdf", DocumentType: cmp.Or(documentType, "arrival_notice"), Source: "email",
		Shipments: []string{s.ID}, CreatedAt: at,
		EmailSubmission: w.addEmail(EmailSubmission{Subject: "Arrival notice", From: []string{"documents@example.com"}, CreatedAt: at}),
	}
	switch event {
	case "document.extraction_failed":
	case "document_representation.failed":
		d.DocumentType = "unknown"
	default:
		d.Payload = map[string]any{"bill_of_lading_numbers": []string{s.BillOfLadingNumber}}
	}
	w.notify(event, at, wire.Ref{Kind: "document", ID: w.addDocument(d)})
}

func (w *world) sampleMilestone(event string, s *Shipment, c *Container, at time.Time) {
	e := TransportEvent{Event: event, Container: c.ID, Timestamp: at, CreatedAt: at}
	name := strings.TrimPrefix(strings.TrimPrefix(event, "container.transport."), "estimated.")
	mentions := func(words ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
	}
	switch {
	case mentions("empty_out", "full_in", "vessel_loaded", "vessel_departed"):
		e.Location = s.PortOfLading
	case mentions("transshipment", "feeder"):
		e.Location = "KRPUS"
	case mentions("rail_arrived", "rail_unloaded", "inland", "lfd_rail"):
		e.Location, e.Terminal = s.Destination, s.DestinationTerminal
	default:
		e.Location, e.Terminal = s.PortOfDischarge, s.PODTerminal
	}
	if mentions("vessel", "transshipment", "feeder") {
		e.Vessel, e.VoyageNumber = s.PODVessel, s.PODVoyageNumber
	}
	if strings.HasSuffix(event, ".changed") {
		e.ValueTimestamp = at
		e.Value, e.DataSource = at.Add(3*day24).UTC().Format(time.RFC3339), "terminal"
	}
	w.addEvent(e)
}
