package webhook_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// The callback gets the container as it is now, not as it was when the notification was created.
func TestOnContainer_ReadsTheContainer(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "A"})
		id := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: shipment})
		_, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, []terminal49.EventName{terminal49.EventContainerUpdated})
		require.NoError(t, err)
		var got []*terminal49.Container
		var last webhook.Delivery
		h := testkit.NewHandler(t,
			webhook.OnContainer(client, &terminal49.ContainerGetParams{Include: []terminal49.ContainerInclude{"shipment"}},
				func(_ context.Context, n *webhook.Notification, container *terminal49.Container) error {
					require.Equal(t, terminal49.EventContainerUpdated, n.Event)
					got = append(got, container)
					return nil
				}),
			webhook.OnDelivery(func(_ context.Context, d webhook.Delivery) { last = d }))
		notify := func() (body []byte) { // of an event that was reported before the container changed again
			for _, released := range []bool{false, true} {
				srv.UpdateContainer(id, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(released) })
			}
			sent := srv.WebhookNotifications()
			return fmt.Appendf(nil, `{"data": {"id": %q, "type": "webhook_notification", "attributes": {"event": "container.updated"}}}`, sent[len(sent)-2].ID)
		}

		require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(notify())).Code)
		require.Equal(t, webhook.OutcomeHandled, last.Outcome)
		require.Len(t, got, 1)
		require.Equal(t, terminal49.Some(true), got[0].AvailableForPickup)
		require.Equal(t, terminal49.RelationshipIncluded, got[0].Shipment.State())

		srv.AddFault(terminal49test.Fault{Operation: "containers.get", Times: 10, Status: http.StatusServiceUnavailable})
		body := notify()
		require.Equal(t, 500, testkit.Serve(h, testkit.SignedRequest(body)).Code)
		require.ErrorIs(t, last.Err, terminal49.ErrServer)
		srv.ClearFaults()
		require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(body)).Code, "delivered again")
		require.Len(t, got, 2)

		body = notify()
		srv.RemoveContainer(id)
		require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(body)).Code)
		require.Equal(t, webhook.OutcomeIgnored, last.Outcome)
		require.Len(t, got, 2)
	})
}

// A tracking request or a document without a container costs no request.
func TestOnContainer_IgnoresOtherNotifications(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		h := testkit.NewHandler(t, webhook.OnContainer(testkit.SimulatedClient(t, srv), nil,
			func(context.Context, *webhook.Notification, *terminal49.Container) error {
				t.Error("called")
				return nil
			}))
		for _, event := range []terminal49.EventName{terminal49.EventTrackingRequestFailed, terminal49.EventDocumentExtractionFailed} {
			body := fmt.Appendf(nil, `{"data": {"id": "1-%s", "type": "webhook_notification", "attributes": {"event": %q}}}`, event, event)
			require.Equal(t, 200, testkit.Serve(h, testkit.SignedRequest(body)).Code)
		}
		require.Zero(t, srv.RequestCount())
	})
}

func TestHandler_ListenAndServe(t *testing.T) {
	h := testkit.NewHandler(t, webhook.OnAny(func(context.Context, *webhook.Notification) error { return nil }))
	require.Error(t, h.ListenAndServe(t.Context(), "127.0.0.1:-1"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, h.ListenAndServe(ctx, "127.0.0.1:0"))
	require.Equal(t, http.StatusServiceUnavailable, testkit.Serve(h, testkit.SignedRequest(testkit.Numbered(1))).Code, "shut down")
}
