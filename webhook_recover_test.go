package terminal49

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// aWorld has a webhook for everything and one of each thing that deliveries are about.
func aWorld(t *testing.T, srv *terminal49test.Server) (shipment, container, webhook string) {
	t.Helper()
	shipment = srv.AddShipment(terminal49test.Shipment{
		Number: "MEDUSH4081712", ShippingLine: "MSCU", PortOfDischarge: "USLAX", PODTerminal: "WBCT", Vessel: "9708851",
	})
	container = srv.AddContainer(terminal49test.Container{Shipment: shipment, Number: "MSCU1234566"})
	webhook = srv.AddWebhook(terminal49test.Webhook{URL: endpointURL, Events: toStrings(WebhookEvents())})
	return shipment, container, webhook
}

// linkedOnly reads a notification of the world as it would be delivered: only linked.
func linkedOnly(t *testing.T, srv *terminal49test.Server, i int) *Notification {
	t.Helper()
	n := srv.WebhookNotifications()[i]
	body, err := json.Marshal(map[string]any{"data": map[string]any{
		"id": n.ID, "type": "webhook_notification", "attributes": map[string]any{"event": n.Event, "created_at": n.CreatedAt},
		"relationships": map[string]any{"reference_object": map[string]any{"data": map[string]any{"id": n.ReferenceID, "type": n.ReferenceType}}},
	}})
	require.NoError(t, err)
	return parsedDelivery(t, body)
}

// From a delivery with nothing included to the container, the shipment, the place, the terminal and the vessel.
func TestWebhookResolve(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		shipment, container, _ := aWorld(t, srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{
			Event: "container.transport.available", Container: container, Location: "USLAX", Terminal: "WBCT", Vessel: "9708851",
		})
		client := simClient(t, srv)
		minimal := linkedOnly(t, srv, 0)
		n, err := client.Webhooks.Resolve(t.Context(), minimal)
		require.NoError(t, err)
		milestone, ok := n.Payload.(*MilestonePayload).Milestone.Value()
		require.True(t, ok)
		require.Equal(t, EventAvailable, milestone.Event)
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
		require.Equal(t, "USLAX", place.(*Port).LOCODE)
		vessel, ok := n.Vessel.Value()
		require.True(t, ok)
		require.Equal(t, "9708851", vessel.IMO)
		require.Equal(t, RelationshipAbsent, minimal.Container.State(), "what was given stays as it was")
		require.Equal(t, RelationshipLinked, minimal.Payload.(*MilestonePayload).Milestone.State())

		sentSoFar := len(srv.Requests())
		again, err := client.Webhooks.Resolve(t.Context(), n)
		require.NoError(t, err)
		require.Equal(t, n.Container, again.Container)
		require.Len(t, srv.Requests(), sentSoFar, "nothing is missing any more")
	})
}

// Every event of the samples leads to a container or a shipment, or is about neither.
func TestWebhookResolveEveryFamily(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, _ := aWorld(t, srv)
		for _, event := range eventNames {
			srv.AddTransportEvent(terminal49test.TransportEvent{
				Event: string(event), Container: container, Location: "USCHI", Value: "2024-07-11T07:00:00Z",
			})
		}
		request := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MSCU555000222", SCAC: "MSCU"})
		time.Sleep(time.Minute)
		client := simClient(t, srv)
		for i, told := range srv.WebhookNotifications() {
			n, err := client.Webhooks.Resolve(t.Context(), linkedOnly(t, srv, i))
			require.NoError(t, err, told.Event)
			require.Equal(t, RelationshipIncluded, n.Shipment.State(), told.Event)
			switch p := n.Payload.(type) {
			case *TrackingRequestPayload:
				require.Equal(t, request, p.Request.ID())
				require.Equal(t, RelationshipIncluded, p.Request.State())
			case *LastFreeDayPayload:
				require.False(t, p.LastFreeDay.IsZero(), told.Event)
			case *EstimatePayload:
				require.Equal(t, n.Event == EventShipmentEstimatedArrival, n.Container.State() == RelationshipAbsent)
			case *MilestonePayload:
				area, ok := n.Location.Value()
				require.True(t, ok)
				_, inland := area.(*MetroArea)
				require.Equal(t, n.Container.ID() == container, inland)
			}
		}
	})
}

func TestWebhookResolveFailures(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, _ := aWorld(t, srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.available", Container: container})
		minimal := linkedOnly(t, srv, 0)
		var argument *ArgumentError
		_, err := simClient(t, srv).Webhooks.Resolve(t.Context(), nil)
		require.ErrorAs(t, err, &argument)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = simClient(t, srv).Webhooks.Resolve(ctx, minimal)
		require.ErrorIs(t, err, context.Canceled)

		srv.Fault(terminal49test.Fault{Kind: terminal49test.FaultStatus, Operation: "containers.get", Status: 404, Times: 1})
		n, err := simClient(t, srv).Webhooks.Resolve(t.Context(), minimal)
		require.NoError(t, err)
		require.Equal(t, RelationshipLinked, n.Container.State(), "gone, and said so")
	})
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		n := parsedDelivery(t, delivered(EventAvailable, "transport_event", "", ""))
		n.ID = notificationID
		_, err := simClient(t, srv).Webhooks.Resolve(t.Context(), n)
		require.ErrorIs(t, err, ErrFeatureNotEnabled)
	}, terminal49test.WithoutWebhooks())
}

func failAll(srv *terminal49test.Server) {
	for _, n := range srv.WebhookNotifications() {
		srv.UpdateWebhookNotification(n.ID, func(n *terminal49test.WebhookNotification) { n.DeliveryStatus = "failed" })
	}
}

func TestWebhookRecover(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, webhook := aWorld(t, srv)
		client := simClient(t, srv)
		srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(false) })
		failAll(srv) // before the outage
		time.Sleep(time.Hour)
		since := time.Now()
		for i, event := range []EventName{EventVesselArrived, EventVesselDischarged} {
			time.Sleep(time.Minute)
			srv.AddTransportEvent(terminal49test.TransportEvent{Event: string(event), Container: container, Location: "USLAX"})
			require.Len(t, srv.WebhookNotifications(), i+2)
		}
		srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
		failAll(srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_out", Container: container}) // arrives
		time.Sleep(time.Minute)
		srv.UpdateWebhook(webhook, func(w *terminal49test.Webhook) { w.Inactive = true })

		var got []EventName
		fail := true
		h := newHandler(t, OnAny(func(_ context.Context, n *Notification) error {
			require.True(t, n.Recovered)
			require.Equal(t, webhook, n.WebhookID)
			box, ok := n.Container.Value()
			require.True(t, ok)
			require.Equal(t, Some(true), box.AvailableForPickup, "as it is now")
			if n.Event == EventVesselDischarged && fail {
				return errors.New("not yet")
			}
			got = append(got, n.Event)
			return nil
		}))
		report, err := client.Webhooks.Recover(t.Context(), since, h.Handle)
		require.ErrorContains(t, err, "1 of 3 notifications")
		require.Equal(t, []EventName{EventVesselArrived, EventContainerUpdated}, got, "in order, and what failed keeps none back")
		require.Len(t, report.Inactive, 1)
		require.Equal(t, webhook, report.Inactive[0].ID)
		require.Equal(t, 3, report.Found)
		require.Equal(t, 2, report.Handled)
		require.Len(t, report.Unhandled, 1)
		require.Equal(t, EventVesselDischarged, report.Unhandled[0].Event)
		require.Len(t, received(srv, "containers.get"), 1, "the container is read once")

		fail, got = false, nil
		report, err = client.Webhooks.Recover(t.Context(), since, h.Handle)
		require.NoError(t, err)
		require.Equal(t, []EventName{EventVesselDischarged}, got, "the others were handled before")
		require.Equal(t, 3, report.Handled)

		_, err = client.Webhooks.Ensure(t.Context(), endpointURL, WebhookEvents())
		require.NoError(t, err)
		report, err = client.Webhooks.Recover(t.Context(), time.Now(), h.Handle)
		require.NoError(t, err)
		require.Equal(t, &RecoverReport{}, report)
	})
	var argument *ArgumentError
	_, err := newClient(t, answer(200, "{}")).Webhooks.Recover(t.Context(), time.Now(), nil)
	require.ErrorAs(t, err, &argument)
	_, err = newClient(t, answer(500, "{}")).Webhooks.Recover(t.Context(), time.Now(), func(context.Context, *Notification) error { return nil })
	require.ErrorIs(t, err, ErrServer)
}

// The list is read to its end unless it proves to be sorted.
func TestFailedNotifications(t *testing.T) {
	item := func(i int, at string) string {
		return fmt.Sprintf(`{"id":"%d","type":"webhook_notification","attributes":{"event":"container.updated","delivery_status":"failed","created_at":%q}}`, i, at)
	}
	const next = `"links":{"next":"https://api.example.test/proxy/v2/webhook_notifications?page[number]=%d"}`
	page := func(number int, items string) string {
		link := `"links":{}`
		if number < 3 {
			link = fmt.Sprintf(next, number+1)
		}
		return `{"data":[` + items + `],` + link + `}`
	}
	since := time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		pages []string
		want  int // requests
		found int
	}{
		"newest first": {[]string{
			page(1, item(1, "2024-07-02T00:00:00Z")+","+item(2, "2024-07-01T00:00:00Z")),
			page(2, item(3, "2024-06-30T00:00:00Z")), page(3, item(4, "2024-06-29T00:00:00Z")),
		}, 2, 2},
		"oldest first": {[]string{
			page(1, item(1, "2024-06-01T00:00:00Z")+","+item(2, "2024-06-02T00:00:00Z")),
			page(2, item(3, "2024-06-03T00:00:00Z")), page(3, item(4, "2024-07-02T00:00:00Z")),
		}, 3, 1},
		"no order": {[]string{
			page(1, item(1, "2024-07-02T00:00:00Z")+","+item(2, "2024-07-03T00:00:00Z")),
			page(2, item(3, "2024-06-03T00:00:00Z")), page(3, item(4, "2024-07-02T00:00:00Z")),
		}, 3, 3},
	} {
		t.Run(name, func(t *testing.T) {
			api := newFakeAPI()
			api.onPages("/webhook_notifications", map[string]string{
				"include=reference_object&page[size]=100": c.pages[0], "include=reference_object&page[number]=2&page[size]=100": c.pages[1], "include=reference_object&page[number]=3&page[size]=100": c.pages[2],
			})
			failed, err := drain(newClient(t, api).WebhookNotifications.Failed(t.Context(), since))
			require.NoError(t, err)
			require.Len(t, failed, c.found)
			require.Len(t, api.requests(), c.want)
		})
	}
}
