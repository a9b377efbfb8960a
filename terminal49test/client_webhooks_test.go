package terminal49test_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestSimulator_WebhooksNotEnabled(t *testing.T) {
	for _, c := range slices.Concat(testkit.CallsOf("webhooks"), testkit.CallsOf("notifications")) {
		t.Run(c.Op+"?"+c.Query, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				client := testkit.SimulatedClient(t, srv)
				testkit.AddNamedWebhooks(srv)
				err := c.Do(t.Context(), client)
				require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
				require.NotErrorIs(t, err, terminal49.ErrNotFound)
			}, terminal49test.WithoutWebhooks())
		})
	}
}

func TestSimulator_WebhookFromCreationToDeletion(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		ctx := t.Context()
		w, err := client.Webhooks.Create(ctx, terminal49.WebhookCreate{
			URL: testkit.EndpointURL, Events: terminal49.WebhookEvents(),
			Headers: []terminal49.WebhookHeader{{Name: "X-Api-Key", Value: terminal49.NewSecret(testkit.HeaderValue)}},
		})
		require.NoError(t, err)
		require.True(t, w.Active)
		require.ElementsMatch(t, terminal49.WebhookEvents(), w.Events)
		require.NotEmpty(t, w.Secret.Reveal())
		require.Equal(t, testkit.HeaderValue, w.Headers[0].Value.Reveal())

		_, err = client.TrackingRequests.Create(ctx,
			terminal49.TrackingRequestCreate{RequestType: terminal49.RequestTypeBillOfLading,
				RequestNumber: "TEST-TR-SUCCEEDED", SCAC: "TEST"})
		require.NoError(t, err)
		testkit.Advance(40 * 24 * time.Hour)
		include := &terminal49.WebhookNotificationListParams{Include: []terminal49.WebhookNotificationInclude{terminal49.WebhookNotificationIncludeReferenceObject}}
		events := map[terminal49.EventName]int{}
		for n, err := range client.WebhookNotifications.All(ctx, include) {
			require.NoError(t, err)
			require.Equal(t, terminal49.DeliverySucceeded, n.DeliveryStatus)
			require.Equal(t, w.ID, n.Webhook.ID())
			about, ok := n.ReferenceObject.Value()
			require.True(t, ok, n.Event)
			_, unknown := about.(*terminal49.UnknownResource)
			require.False(t, unknown, n.Event)
			events[n.Event]++
		}
		for _, event := range []terminal49.EventName{
			terminal49.EventTrackingRequestSucceeded, terminal49.EventVesselArrived, terminal49.EventShipmentEstimatedArrival,
			terminal49.EventContainerCreated, terminal49.EventContainerUpdated, terminal49.EventPickupLFDChanged,
		} {
			require.NotZero(t, events[event], event)
		}

		w, err = client.Webhooks.Update(ctx, w.ID,
			terminal49.WebhookUpdate{Active: terminal49.Some(false), Headers: terminal49.Some([]terminal49.WebhookHeader{})})
		require.NoError(t, err)
		require.False(t, w.Active)
		require.Empty(t, w.Headers)
		require.NoError(t, client.Webhooks.Delete(ctx, w.ID))
		_, err = client.Webhooks.Get(ctx, w.ID)
		require.ErrorIs(t, err, terminal49.ErrNotFound)
		require.ErrorIs(t, client.Webhooks.Delete(ctx, w.ID), terminal49.ErrNotFound)
		page, err := client.Webhooks.List(ctx, nil)
		require.NoError(t, err)
		require.Empty(t, page.Items)
	})
}

// Every event of the service has an example that can be read without loss.
func TestSimulator_EveryEventHasAnExample(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		categories, err := client.Webhooks.Events(t.Context())
		require.NoError(t, err)
		var offered []terminal49.EventName
		for _, category := range categories {
			for _, event := range category.Events {
				require.NotEmpty(t, event.Description)
				offered = append(offered, event.Name)
			}
		}
		require.ElementsMatch(t, terminal49.WebhookEvents(), offered)
		for _, event := range offered {
			examples, err := client.WebhookNotifications.Examples(t.Context(), event)
			require.NoError(t, err, event)
			require.Len(t, examples, 1)
			require.Equal(t, event, examples[0].Event)
		}
		for _, event := range []terminal49.EventName{terminal49.EventEmailSubmissionCreated} {
			_, err = client.WebhookNotifications.Examples(t.Context(), event)
			require.ErrorIs(t, err, terminal49.ErrInvalid)
			_, err = client.Webhooks.Create(t.Context(),
				terminal49.WebhookCreate{URL: testkit.EndpointURL, Events: []terminal49.EventName{event}})
			require.ErrorIs(t, err, terminal49.ErrInvalid)
			_, err = client.Webhooks.Trigger(t.Context(), terminal49.WebhookTrigger{URL: testkit.EndpointURL, Event: event})
			require.ErrorIs(t, err, terminal49.ErrInvalid)
		}
	})
}

func TestSimulator_WebhookTrigger(t *testing.T) {
	status := http.StatusAccepted
	var signature string
	endpoint := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		signature = r.Header.Get("X-T49-Webhook-Signature")
		w.WriteHeader(status)
	})
	trigger := terminal49.WebhookTrigger{URL: testkit.EndpointURL, Event: terminal49.EventContainerUpdated,
		Secret: terminal49.NewSecret(testkit.WebhookSecret)}
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		result, err := client.Webhooks.Trigger(t.Context(), trigger)
		require.NoError(t, err)
		require.True(t, result.Succeeded)
		require.Equal(t, terminal49test.SignWebhook(testkit.WebhookSecret, []byte(result.RequestBody)), signature)
		require.Equal(t, signature, result.RequestHeaders.Get("X-T49-Webhook-Signature"))
		status = http.StatusInternalServerError
		result, err = client.Webhooks.Trigger(t.Context(), trigger)
		require.NoError(t, err)
		require.False(t, result.Succeeded)
		require.Equal(t, terminal49.Some(http.StatusInternalServerError), result.StatusCode)
	}, terminal49test.WithWebhookHandler(endpoint))
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		result, err := client.Webhooks.Trigger(t.Context(), trigger)
		require.NoError(t, err)
		require.False(t, result.Succeeded)
		require.NotEmpty(t, result.Error)
		require.True(t, result.StatusCode.IsNull())
	})
}

func TestSimulator_WebhookCallsEndWithTheirContext(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := client.Webhooks.IPs(ctx)
		require.ErrorIs(t, err, context.Canceled)
	})
}
