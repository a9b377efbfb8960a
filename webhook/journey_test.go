package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// lateHandler is a handler that is set after the webhook was created, because it needs the secret.
type lateHandler struct{ http.Handler }

// A whole journey is delivered with duplicates, out of order and with failing callbacks. Each
// notification is handled once.
func TestHandler_HandlesAWholeJourneyOnce(t *testing.T) {
	var late lateHandler
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		w, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, terminal49.WebhookEvents())
		require.NoError(t, err)
		var mu sync.Mutex
		handled, tries, payloads, ready := map[string]int{}, map[string]int{}, map[string]int{}, false
		h, err := webhook.NewHandler(webhook.WithSecrets(w.Secret), webhook.OnAny(func(ctx context.Context, n *webhook.Notification) error {
			mu.Lock()
			defer mu.Unlock()
			require.Empty(t, n.Warnings)
			require.Equal(t, w.ID, n.WebhookID)
			full, err := webhook.Resolve(ctx, client, n) // calls the service during its delivery
			require.NoError(t, err)
			require.Equal(t, terminal49.RelationshipIncluded, full.Shipment.State(), n.Event)
			if tries[n.ID]++; tries[n.ID] == 1 && len(tries)%4 == 0 {
				return errors.New("not now")
			}
			handled[n.ID]++
			payloads[fmt.Sprintf("%T", n.Payload)]++
			return nil
		}), webhook.OnContainerUpdated(func(_ context.Context, n *webhook.Notification, p *webhook.ContainerUpdatedPayload) error {
			container, ok := n.Container.Value()
			require.True(t, ok)
			require.NotEmpty(t, p.Changeset.Attributes())
			require.Empty(t, p.Changeset.Warnings())
			ready = ready || terminal49.PickupReadiness(container).Ready()
			return nil
		}))
		require.NoError(t, err)
		only, err := webhook.OnlyFrom(client.Webhooks, nil)
		require.NoError(t, err)
		late.Handler = only(h)

		_, err = client.TrackingRequests.Create(ctx, terminal49.TrackingRequestCreate{RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU123456789", SCAC: "MAEU"})
		require.NoError(t, err)
		testkit.Advance(40 * 24 * time.Hour)
		require.NoError(t, h.Shutdown(ctx))

		sent := srv.WebhookNotifications()
		require.Greater(t, len(sent), 20)
		require.Len(t, handled, len(sent), "none is lost")
		for _, n := range sent {
			require.Equal(t, 1, handled[n.ID], n.Event)
			require.Equal(t, "succeeded", n.DeliveryStatus)
		}
		require.Greater(t, len(srv.WebhookDeliveries()), len(sent))
		require.True(t, ready)
		for _, payload := range []webhook.Payload{
			&webhook.TrackingRequestPayload{}, &webhook.MilestonePayload{}, &webhook.EstimatePayload{},
			&webhook.ContainerCreatedPayload{}, &webhook.ContainerUpdatedPayload{}, &webhook.LastFreeDayPayload{},
			&webhook.AppointmentPayload{},
		} {
			require.NotZero(t, payloads[fmt.Sprintf("%T", payload)], "%T", payload)
		}
	}, terminal49test.WithWebhookHandler(&late), terminal49test.WithoutRateLimits(),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{DuplicateEvery: 3, DelayEvery: 5}))
}

// During a long outage the service stops delivering and deactivates the webhook; Recover and Ensure
// restore it.
func TestHandler_RecoversFromAnOutage(t *testing.T) {
	var late lateHandler
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		late.Handler = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
		events := []terminal49.EventName{terminal49.EventContainerUpdated}
		_, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, events)
		require.NoError(t, err)
		container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "A"})})
		since := time.Now()
		for i := range 5 {
			srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(i%2 == 0) })
		}
		testkit.Advance(48 * time.Hour)

		var got int
		h := testkit.NewHandler(t, webhook.OnContainerUpdated(func(_ context.Context, n *webhook.Notification, p *webhook.ContainerUpdatedPayload) error {
			require.True(t, n.Recovered)
			require.NotEmpty(t, p.Changeset.Attributes())
			got++
			return nil
		}))
		report, err := webhook.Recover(ctx, client, since, h.Handle)
		require.NoError(t, err)
		require.Len(t, report.Inactive, 1, "switched off")
		require.Equal(t, 5, report.Handled)
		require.Equal(t, 5, got)
		w, err := client.Webhooks.Ensure(ctx, testkit.EndpointURL, events)
		require.NoError(t, err)
		require.True(t, w.Active)
	}, terminal49test.WithWebhookHandler(&late))
}
