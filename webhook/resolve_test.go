package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// addWorld adds a shipment, its container and a webhook for all events.
func addWorld(t *testing.T, srv *terminal49test.Server) (shipment, container, hook string) {
	t.Helper()
	shipment = srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "MEDUSH4081712", ShippingLine: "MSCU", PortOfDischarge: "USLAX", PODTerminal: "WBCT",
		PODVessel: "9708851",
	})
	container = srv.AddContainer(terminal49test.Container{Shipment: shipment, Number: "MSCU1234566"})
	hook = srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: testkit.EventTexts(terminal49.WebhookEvents())})
	return shipment, container, hook
}

// transportEvents returns the event names of transport events.
func transportEvents() []terminal49.EventName {
	return slices.DeleteFunc(terminal49.WebhookEvents(), func(e terminal49.EventName) bool {
		return !strings.HasPrefix(string(e), "container.transport.") && !strings.HasPrefix(string(e), "container.pickup_")
	})
}

// linkedOnly returns a notification of the simulator as a delivery that includes nothing.
func linkedOnly(t *testing.T, srv *terminal49test.Server, i int) *webhook.Notification {
	t.Helper()
	n := srv.WebhookNotifications()[i]
	body, err := json.Marshal(map[string]any{"data": map[string]any{
		"id": n.ID, "type": "webhook_notification",
		"attributes": map[string]any{"event": n.Event, "created_at": n.CreatedAt},
		"relationships": map[string]any{"reference_object": map[string]any{"data": map[string]any{"id": n.ReferenceID,
			"type": n.ReferenceType}}},
	}})
	require.NoError(t, err)
	return testkit.ParsedDelivery(t, body)
}

// From a delivery that includes nothing, Resolve reaches the container, the shipment, the location,
// the terminal and the vessel.
func TestResolve_CompletesALinkedNotification(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		shipment, container, _ := addWorld(t, srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{
			Event: "container.transport.available", Container: container, Location: "USLAX", Terminal: "WBCT",
			Vessel: "9708851",
		})
		client := testkit.SimulatedClient(t, srv)
		minimal := linkedOnly(t, srv, 0)
		n, err := webhook.Resolve(t.Context(), client, minimal)
		require.NoError(t, err)
		milestone, ok := n.Payload.(*webhook.MilestonePayload).Milestone.Value()
		require.True(t, ok)
		require.Equal(t, terminal49.EventAvailable, milestone.Event)
		box, ok := n.Container.Value()
		require.True(t, ok)
		require.Equal(t, container, box.ID)
		bill, ok := n.Shipment.Value()
		require.True(t, ok)
		require.Equal(t, shipment, bill.ID)
		terminal, ok := n.Terminal.Value()
		require.True(t, ok)
		require.Equal(t, "WBCT", terminal.Nickname)
		place, ok := n.Location.Value()
		require.True(t, ok)
		require.Equal(t, "USLAX", place.(*terminal49.Port).LOCODE)
		vessel, ok := n.Vessel.Value()
		require.True(t, ok)
		require.Equal(t, "9708851", vessel.IMO)
		require.Equal(t, terminal49.RelationshipAbsent, minimal.Container.State(), "the argument is not modified")
		require.Equal(t, terminal49.RelationshipLinked, minimal.Payload.(*webhook.MilestonePayload).Milestone.State())

		sentSoFar := len(srv.Requests())
		again, err := webhook.Resolve(t.Context(), client, n)
		require.NoError(t, err)
		require.Equal(t, n.Container, again.Container)
		require.Len(t, srv.Requests(), sentSoFar, "nothing is missing")
	})
}

// Every event of the simulator leads to a shipment.
func TestResolve_EveryFamily(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, _ := addWorld(t, srv)
		require.Len(t, transportEvents(), 33)
		for _, event := range transportEvents() {
			srv.AddTransportEvent(terminal49test.TransportEvent{
				Event: string(event), Container: container, Location: "USCHI", Value: "2024-07-11T07:00:00Z",
			})
		}
		request := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MSCU555000222", SCAC: "MSCU"})
		testkit.Advance(time.Minute)
		client := testkit.SimulatedClient(t, srv)
		for i, sent := range srv.WebhookNotifications() {
			n, err := webhook.Resolve(t.Context(), client, linkedOnly(t, srv, i))
			require.NoError(t, err, sent.Event)
			require.Equal(t, terminal49.RelationshipIncluded, n.Shipment.State(), sent.Event)
			switch p := n.Payload.(type) {
			case *webhook.TrackingRequestPayload:
				require.Equal(t, request, p.Request.ID())
				require.Equal(t, terminal49.RelationshipIncluded, p.Request.State())
			case *webhook.LastFreeDayPayload:
				require.False(t, p.LastFreeDay.IsZero(), sent.Event)
			case *webhook.EstimatePayload:
				require.Equal(t, n.Event == terminal49.EventShipmentEstimatedArrival,
					n.Container.State() == terminal49.RelationshipAbsent)
			case *webhook.MilestonePayload:
				area, ok := n.Location.Value()
				require.True(t, ok)
				_, inland := area.(*terminal49.MetroArea)
				require.Equal(t, n.Container.ID() == container, inland)
			}
		}
	})
}

func TestResolve_Failures(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, _ := addWorld(t, srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container})
		minimal := linkedOnly(t, srv, 0)
		var argument *terminal49.ArgumentError
		_, err := webhook.Resolve(t.Context(), testkit.SimulatedClient(t, srv), nil)
		require.ErrorAs(t, err, &argument)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = webhook.Resolve(ctx, testkit.SimulatedClient(t, srv), minimal)
		require.ErrorIs(t, err, context.Canceled)

		srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultStatus, Operation: "containers.get", Status: 404, Times: 1})
		n, err := webhook.Resolve(t.Context(), testkit.SimulatedClient(t, srv), minimal)
		require.NoError(t, err)
		require.Equal(t, terminal49.RelationshipLinked, n.Container.State(), "a missing container stays linked")
	})
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		n := testkit.ParsedDelivery(t, testkit.Delivered(terminal49.EventAvailable, "transport_event", "", ""))
		n.ID = testkit.NotificationID
		_, err := webhook.Resolve(t.Context(), testkit.SimulatedClient(t, srv), n)
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
	}, terminal49test.WithoutWebhooks())
}

func failAll(srv *terminal49test.Server) {
	for _, n := range srv.WebhookNotifications() {
		srv.UpdateWebhookNotification(n.ID, func(n *terminal49test.WebhookNotification) { n.DeliveryStatus = "failed" })
	}
}

// A delivery of an unknown event that includes nothing leads to its container and shipment, because
// the notification itself does.
func TestResolve_UnknownEvents(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		bill := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712"})
		box := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: bill})
		event := srv.AddTransportEvent(terminal49test.TransportEvent{Event: string(deliveryAppointment), Container: box})
		client := testkit.SimulatedClient(t, srv)
		for kind, id := range map[string]string{"transport_event": event, "container": box} {
			sent := srv.AddWebhookNotification(terminal49test.WebhookNotification{
				Event: string(deliveryAppointment), ReferenceType: kind, ReferenceID: id,
			})
			bodies := [][]byte{aboutResource(deliveryAppointment, kind, id)}
			if kind == "transport_event" { // included, but without relationships
				bodies = append(bodies, aboutResource(deliveryAppointment, kind, id, `{"id":"`+id+`","type":"transport_event"}`))
			}
			for _, body := range bodies {
				n := testkit.ParsedDelivery(t, body)
				n.ID = sent
				full, err := webhook.Resolve(t.Context(), client, n)
				require.NoError(t, err)
				shipment, container := reached(full)
				require.Equal(t, "included "+bill, shipment)
				require.Equal(t, "included "+box, container)
				require.JSONEq(t, string(body), string(full.Payload.(*webhook.UnknownPayload).Raw()))
			}
		}
	})
}

// A document event that includes nothing leads to the document, and to its only shipment.
func TestResolve_DocumentEvents(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		bill := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712"})
		id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", DocumentType: "arrival_notice", Shipments: []string{bill}})
		for event := range documentEvents {
			n := testkit.ParsedDelivery(t, aboutResource(event, "document", id))
			full, err := webhook.Resolve(t.Context(), testkit.SimulatedClient(t, srv), n)
			require.NoError(t, err)
			require.Equal(t, terminal49.RelationshipIncluded, full.Payload.(*webhook.DocumentPayload).Document.State())
			shipment, container := reached(full)
			require.Equal(t, "included "+bill, shipment)
			require.Equal(t, "absent ", container)
		}
	})
}

// Source: Resolve's documentation. It fetches the notification first if the event names no resource
// of its type, and never looks for a resource under the id of another.
func TestResolve_EventsWithoutTheirReference(t *testing.T) {
	const other = `"reference_object":{"data":{"id":"` + testkit.VesselID + `","type":"document_representation"}}`
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		bill := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712"})
		ids := map[terminal49.EventName]string{
			terminal49.EventDocumentExtracted:        srv.AddDocument(terminal49test.Document{FileName: "a.pdf", Shipments: []string{bill}}),
			terminal49.EventTrackingRequestSucceeded: srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MEDUSH4081712", Status: "created", Shipment: bill}),
		}
		kinds := map[terminal49.EventName]string{terminal49.EventDocumentExtracted: "document", terminal49.EventTrackingRequestSucceeded: "tracking_request"}
		for event, kind := range kinds {
			sent := srv.AddWebhookNotification(terminal49test.WebhookNotification{Event: string(event), ReferenceType: kind, ReferenceID: ids[event]})
			for _, relationships := range []string{"", other} {
				body := fmt.Appendf(nil, `{"data":{"id":%q,"type":"webhook_notification","attributes":{"event":%q},"relationships":{%s}}}`, sent, event, relationships)
				full, err := webhook.Resolve(t.Context(), client, testkit.ParsedDelivery(t, body))
				require.NoError(t, err)
				shipment, _ := reached(full)
				require.Equal(t, "included "+bill, shipment, "%s %s", event, relationships)

				asked := len(srv.Requests())
				full, err = webhook.Resolve(t.Context(), client, testkit.ParsedDelivery(t, []byte(strings.Replace(string(body), sent, testkit.NotificationID, 1))))
				require.NoError(t, err)
				shipment, _ = reached(full)
				require.Equal(t, "absent ", shipment)
				require.Len(t, srv.Requests(), asked+1, "only the notification, which is missing")
			}
		}
	})
}

// A document's only container is reached too, and through it the shipment.
func TestResolve_DocumentOfAContainer(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		bill := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MEDUSH4081712"})
		box := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: bill})
		id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", DocumentType: "arrival_notice", Containers: []string{box}})
		n := testkit.ParsedDelivery(t, aboutResource(terminal49.EventDocumentExtracted, "document", id))
		full, err := webhook.Resolve(t.Context(), testkit.SimulatedClient(t, srv), n)
		require.NoError(t, err)
		shipment, container := reached(full)
		require.Equal(t, "included "+bill, shipment)
		require.Equal(t, "included "+box, container)
	})
}
