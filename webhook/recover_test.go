package webhook_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
	"github.com/stretchr/testify/require"
)

func TestRecover_HandlesFailedNotifications(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, container, hook := addWorld(t, srv)
		client := testkit.SimulatedClient(t, srv)
		srv.UpdateContainer(container,
			func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(false) })
		failAll(srv) // before the outage
		testkit.Advance(time.Hour)
		since := time.Now()
		for i, event := range []terminal49.EventName{terminal49.EventVesselArrived, terminal49.EventVesselDischarged} {
			testkit.Advance(time.Minute)
			srv.AddTransportEvent(terminal49test.TransportEvent{Event: string(event), Container: container,
				Location: "USLAX"})
			require.Len(t, srv.WebhookNotifications(), i+2)
		}
		srv.UpdateContainer(container,
			func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })
		failAll(srv)
		srv.AddTransportEvent(terminal49test.TransportEvent{Event: "container.transport.full_out", Container: container}) // arrives
		testkit.Advance(time.Minute)
		srv.UpdateWebhook(hook, func(w *terminal49test.Webhook) { w.Inactive = true })

		var got []terminal49.EventName
		fail := true
		h := testkit.NewHandler(t, webhook.OnAny(func(_ context.Context, n *webhook.Notification) error {
			require.True(t, n.Recovered)
			require.Equal(t, hook, n.WebhookID)
			box, ok := n.Container.Value()
			require.True(t, ok)
			require.Equal(t, terminal49.Some(true), box.AvailableForPickup, "as it is now")
			if n.Event == terminal49.EventVesselDischarged && fail {
				return errors.New("not yet")
			}
			got = append(got, n.Event)
			return nil
		}))
		report, err := webhook.Recover(t.Context(), client, since, h.Handle)
		require.ErrorContains(t, err, "1 of 3 notifications")
		require.Equal(t, []terminal49.EventName{terminal49.EventVesselArrived, terminal49.EventContainerUpdated}, got,
			"in order, and a failure does not stop the others")
		require.Len(t, report.Inactive, 1)
		require.Equal(t, hook, report.Inactive[0].ID)
		require.Equal(t, 3, report.Found)
		require.Equal(t, 2, report.Handled)
		require.Len(t, report.Unhandled, 1)
		require.Equal(t, terminal49.EventVesselDischarged, report.Unhandled[0].Event)
		require.Len(t, testkit.Received(srv, "containers.get"), 1, "the container is read once")

		fail, got = false, nil
		report, err = webhook.Recover(t.Context(), client, since, h.Handle)
		require.NoError(t, err)
		require.Equal(t, []terminal49.EventName{terminal49.EventVesselDischarged}, got, "the others were handled before")
		require.Equal(t, 3, report.Handled)

		_, err = client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, terminal49.WebhookEvents())
		require.NoError(t, err)
		report, err = webhook.Recover(t.Context(), client, time.Now(), h.Handle)
		require.NoError(t, err)
		require.Equal(t, &webhook.RecoverReport{}, report)
	})
	var argument *terminal49.ArgumentError
	_, err := webhook.Recover(t.Context(), testkit.NewClient(t, testkit.Answer(200, "{}")), time.Now(), nil)
	require.ErrorAs(t, err, &argument)
	_, err = webhook.Recover(t.Context(), testkit.NewClient(t, testkit.Answer(500, "{}")), time.Now(),
		func(context.Context, *webhook.Notification) error { return nil })
	require.ErrorIs(t, err, terminal49.ErrServer)
}

func TestRecoverAndResolve_RefuseNil(t *testing.T) {
	client, none := testkit.NewClient(t, testkit.Answer(200, "{}")), context.Context(nil)
	handle := func(context.Context, *webhook.Notification) error { return nil }
	n := testkit.ParsedDelivery(t, testkit.Numbered(1))
	_, err := webhook.Recover(none, client, time.Now(), handle)
	testkit.RequireArgument(t, err, "ctx")
	_, err = webhook.Recover(t.Context(), nil, time.Now(), handle)
	testkit.RequireArgument(t, err, "client")
	_, err = webhook.Resolve(none, client, n)
	testkit.RequireArgument(t, err, "ctx")
	_, err = webhook.Resolve(t.Context(), nil, n)
	testkit.RequireArgument(t, err, "client")
}
