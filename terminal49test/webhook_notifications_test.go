package terminal49test_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// Examples include what the service's own samples include: some nothing, some an event without
// relationships.
func TestWebhookNotifications_Examples(t *testing.T) {
	srv := newServer(t)
	const none, bare = "none", "bare"
	special := map[string]string{
		"container.transport.available": none, "container.transport.not_available": none, "container.transport.delivered": none,
		"container.transport.estimated.vessel_departed": bare, "container.transport.estimated.vessel_arrived": bare,
		"container.pickup_lfd_terminal.changed": bare, "container.pickup_lfd_rail.changed": bare,
		"container.pickup_appointment.changed": bare,
		"tracking_request.succeeded":           "container shipment tracking_request",
		"tracking_request.failed":              "tracking_request",
		"tracking_request.awaiting_manifest":   "tracking_request",
		"tracking_request.tracking_stopped":    "shipment tracking_request",
		"container.transport.empty_out":        "container port shipment transport_event",
		"container.transport.vessel_loaded":    "container port shipment transport_event vessel",
		"container.transport.rail_arrived":     "container metro_area shipment terminal transport_event",
		"container.transport.full_out":         "container port shipment terminal transport_event",
		"shipment.estimated.arrival":           "estimated_event port shipment",
		"document.extracted":                   "document document_representation email_submission",
		"container.created":                    "container container_created_event shipment",
		"container.updated":                    "container container_updated_event port shipment terminal",
		"container.pod_terminal_changed":       "container container_pod_terminal_changed_event shipment terminal",
	}
	for _, event := range allEvents(t, srv) {
		t.Run(event, func(t *testing.T) {
			a := getAPI(t, srv, "/webhook_notifications/examples?event="+event)
			checkReply(t, a, 200, map[string]any{
				"data/type": "webhook_notification", "data/attributes/event": event, "data/attributes/delivery_status": "pending",
			})
			if a.at("data/id") != a.at("data/attributes/id") {
				t.Errorf("the attributes must repeat the id: %s", a.raw)
			}
			about := "reference_object"
			if strings.HasPrefix(event, "document.") { // link.created has the usual form
				about = "document"
			}
			if a.at("data/relationships/"+about+"/data/id") == nil {
				t.Errorf("the notification has no reference: %s", a.raw)
			}
			kinds := []string{}
			for _, r := range a.list("included") {
				kind, _ := testReply{doc: r}.at("type").(string)
				kinds = append(kinds, kind)
			}
			slices.Sort(kinds)
			got := strings.Join(slices.Compact(kinds), " ")
			switch expected := special[event]; {
			case expected == none && a.has("included"):
				t.Errorf("included must be absent: %s", a.raw)
			case expected == bare && (got != "transport_event" || a.has("included/0/relationships")):
				t.Errorf("included must be only the event, without relationships: %s", a.raw)
			case expected != "" && expected != none && expected != bare && got != expected:
				t.Errorf("included are %q, want %q", got, expected)
			}
		})
	}
	srv.CheckViolations(t)

	for _, path := range []string{"", "?event=container.melted", "?event=email_submission.created"} {
		a := getAPI(t, srv, "/webhook_notifications/examples"+path)
		checkReply(t, a, 400, map[string]any{"errors/0/source/parameter": "event", "errors/0/detail": nil})
	}
}

func TestWebhookNotifications_OfAJourney(t *testing.T) {
	srv := newServer(t)
	before := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU100200300", SCAC: "MAEU"})
	srv.Advance(time.Minute)
	id := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: allEvents(t, srv)})
	some := srv.AddWebhook(terminal49test.Webhook{URL: "https://b.example", Events: []string{"container.updated"}})
	off := srv.AddWebhook(terminal49test.Webhook{URL: "https://c.example", Events: allEvents(t, srv), Inactive: true})
	if n := len(srv.WebhookNotifications()); n != 0 {
		t.Fatalf("%d notifications of events before the webhooks", n)
	}

	srv.Script("MSCU555000111", terminal49test.Journey{Steps: []terminal49test.Step{
		{After: time.Hour, Do: terminal49test.VesselDeparted(72 * time.Hour)},
		{After: 2 * time.Hour, Do: terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs"})},
		{After: 3 * time.Hour, Do: terminal49test.PickupLFD("terminal", 4)},
		{After: 4 * time.Hour, Do: terminal49test.PickupAppointment(24 * time.Hour)},
		{After: 5 * time.Hour, Do: terminal49test.TrackingStopped("booking_cancelled")},
	}, Containers: []terminal49test.Container{{Number: "MSCU1234566"}}})
	srv.Script("MSCU555000222", terminal49test.Journey{Outcome: terminal49test.OutcomeFailed})
	srv.Script("MSCU555000333", terminal49test.Journey{Outcome: terminal49test.OutcomeAwaitingManifest})
	for _, number := range []string{"MSCU555000111", "MSCU555000222", "MSCU555000333"} {
		srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: number, SCAC: "MSCU"})
	}
	srv.Advance(5 * time.Second)
	for _, n := range srv.WebhookNotifications() {
		if n.DeliveryStatus != "pending" {
			t.Errorf("%s is %s immediately", n.Event, n.DeliveryStatus)
		}
	}
	srv.Advance(6 * time.Hour)

	var first, second []string
	for _, n := range srv.WebhookNotifications() {
		switch n.Webhook {
		case id:
			first = append(first, n.Event)
		case some:
			second = append(second, n.Event)
		case off:
			t.Errorf("the inactive webhook was notified of %s", n.Event)
		}
		if n.DeliveryStatus != "succeeded" {
			t.Errorf("%s is still %s", n.Event, n.DeliveryStatus)
		}
		if n.ReferenceID == before {
			t.Errorf("notified of an earlier request: %s", n.Event)
		}
	}
	expected := []string{
		"container.created", "tracking_request.succeeded", "tracking_request.failed", "tracking_request.awaiting_manifest",
		"container.transport.vessel_departed", "container.transport.estimated.vessel_arrived", "shipment.estimated.arrival",
		"container.updated",
		"container.pickup_lfd_terminal.changed", "container.pickup_lfd.changed", "container.updated",
		"container.pickup_appointment.changed", "container.updated",
		"tracking_request.tracking_stopped",
	}
	slices.Sort(first) // the order of simultaneous notifications is not fixed
	slices.Sort(expected)
	if !slices.Equal(first, expected) {
		t.Errorf("notified %q\nwant %q", first, expected)
	}
	if !slices.Equal(second, []string{"container.updated", "container.updated", "container.updated"}) {
		t.Errorf("the other webhook was notified of %q", second)
	}
	srv.CheckViolations(t)
}

func TestWebhookNotifications_Operations(t *testing.T) {
	srv := newServer(t)
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MSCU1", PortOfDischarge: "USLAX", PODTerminal: "WBCT"})
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: shipment})
	hook := srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example", Events: allEvents(t, srv)})
	srv.UpdateContainer(container, func(c *terminal49test.Container) {
		c.Holds = []terminal49test.Hold{{Name: "customs", Description: "CBP"}}
		c.AvailableForPickup = terminal49test.Bool(false)
	})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.SealNumber = "not notified" })
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.PODTerminal = "APMT LA" })
	srv.UpdateShipment(shipment, func(s *terminal49test.Shipment) { s.PODETA = start.Add(24 * time.Hour) })
	srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_out", Container: container, Timestamp: start})
	old := terminal49test.TransportEvent{Event: "container.transport.full_in", Container: container, CreatedAt: start.Add(-time.Hour)}
	srv.AddTransportEvent(old) // reported before the webhook existed
	if got, expected := notifiedEvents(srv), []string{
		"container.updated", "container.pod_terminal_changed", "container.updated", "shipment.estimated.arrival",
		"container.transport.full_out",
	}; !slices.Equal(got, expected) {
		t.Fatalf("notified %q, want %q", got, expected)
	}

	list := getAPI(t, srv, "/webhook_notifications?include=reference_object&page[size]=100")
	checkReply(t, list, 200, map[string]any{
		"meta/total": 5.0, "meta/pagination/records": 5.0,
		"data/0/attributes/event": "container.transport.full_out", "data/0/relationships/webhook/data/id": hook,
		"data/1/relationships/reference_object/data/type": "estimated_event",
		"included/1/type": "estimated_event",
		"included/1/attributes/estimated_timestamp":  "2024-07-02T12:00:00Z",
		"included/1/attributes/timezone":             "America/Los_Angeles",
		"included/1/attributes/location_locode":      "USLAX",
		"included/3/type":                            "container_pod_terminal_changed_event",
		"included/3/relationships/shipment/data/id":  shipment,
		"included/4/type":                            "container_updated_event",
		"included/4/relationships/container/data/id": container,
	})
	first := srv.WebhookNotifications()[0]
	one := getAPI(t, srv, "/webhook_notifications/"+first.ID+"?include=reference_object")
	checkReply(t, one, 200, map[string]any{"data/id": first.ID, "data/attributes/id": first.ID})
	changes, err := json.Marshal(one.at("included/0/attributes/changeset"))
	const expected = `{"available_for_pickup":[null,false],` +
		`"holds_at_pod_terminal":[[],[{"description":"CBP","name":"customs","status":"hold"}]]}`
	if err != nil || string(changes) != expected {
		t.Errorf("changeset %s, want %s", changes, expected)
	}
	checkReply(t, getAPI(t, srv, "/webhook_notifications/nope"), 404, nil)

	srv.UpdateWebhookNotification(first.ID, func(n *terminal49test.WebhookNotification) { n.DeliveryStatus = "failed" })
	srv.Advance(time.Minute)
	checkReply(t, getAPI(t, srv, "/webhook_notifications/"+first.ID), 200, map[string]any{"data/attributes/delivery_status": "failed"})
	srv.CheckViolations(t)

	checkReply(t, getAPI(t, srv, "/webhook_notifications?include=container"), 400, map[string]any{"errors/0/source/parameter": "include"})
}

// notifiedEvents returns the events of the notifications, oldest first.
func notifiedEvents(srv *terminal49test.Server) []string {
	var events []string
	for _, n := range srv.WebhookNotifications() {
		events = append(events, n.Event)
	}
	return events
}
