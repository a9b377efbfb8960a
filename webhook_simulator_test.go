package terminal49

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// addNamedWebhooks adds what the calls of webhookCalls and notificationCalls ask for by id.
func addNamedWebhooks(srv *terminal49test.Server) {
	srv.AddWebhook(terminal49test.Webhook{ID: webhookID, URL: endpointURL, Events: []string{"container.created"}})
	srv.AddWebhookNotification(terminal49test.WebhookNotification{ID: notificationID, Event: "container.created", Webhook: webhookID})
}

func TestWebhooksNotEnabled(t *testing.T) {
	for _, c := range slices.Concat(webhookCalls(), notificationCalls()) {
		t.Run(c.op+"?"+c.query, func(t *testing.T) {
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				client := simClient(t, srv)
				addNamedWebhooks(srv)
				err := c.do(t.Context(), client)
				require.ErrorIs(t, err, ErrFeatureNotEnabled)
				require.NotErrorIs(t, err, ErrNotFound)
			}, terminal49test.WithoutWebhooks())
		})
	}
}

func TestSimulatedWebhookLife(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		ctx := t.Context()
		w, err := client.Webhooks.Create(ctx, WebhookCreate{
			URL: endpointURL, Events: WebhookEvents(), Headers: []WebhookHeader{{Name: "X-Api-Key", Value: NewSecret(headerValue)}},
		})
		require.NoError(t, err)
		require.True(t, w.Active)
		require.ElementsMatch(t, WebhookEvents(), w.Events)
		require.NotEmpty(t, w.Secret.Reveal())
		require.Equal(t, headerValue, w.Headers[0].Value.Reveal())

		_, err = client.TrackingRequests.Create(ctx, TrackingRequestCreate{RequestType: RequestBillOfLading, RequestNumber: "TEST-TR-SUCCEEDED", SCAC: "TEST"})
		require.NoError(t, err)
		time.Sleep(40 * 24 * time.Hour)
		include := &WebhookNotificationListParams{Include: []WebhookNotificationInclude{WebhookNotificationIncludeReferenceObject}}
		families := map[EventFamily]int{}
		for n, err := range client.WebhookNotifications.All(ctx, include) {
			require.NoError(t, err)
			require.Equal(t, DeliverySucceeded, n.DeliveryStatus)
			require.Equal(t, w.ID, n.Webhook.ID())
			about, ok := n.ReferenceObject.Value()
			require.True(t, ok, n.Event)
			_, unknown := about.(*UnknownResource)
			require.False(t, unknown, n.Event)
			families[n.Event.Family()]++
		}
		for _, family := range []EventFamily{
			FamilyTrackingRequest, FamilyMilestone, FamilyEstimate, FamilyContainerCreated, FamilyContainerUpdated, FamilyLastFreeDay,
		} {
			require.NotZero(t, families[family], family)
		}

		w, err = client.Webhooks.Update(ctx, w.ID, WebhookUpdate{Active: Some(false), Headers: Some([]WebhookHeader{})})
		require.NoError(t, err)
		require.False(t, w.Active)
		require.Empty(t, w.Headers)
		require.NoError(t, client.Webhooks.Delete(ctx, w.ID))
		_, err = client.Webhooks.Get(ctx, w.ID)
		require.ErrorIs(t, err, ErrNotFound)
		require.ErrorIs(t, client.Webhooks.Delete(ctx, w.ID), ErrNotFound)
		page, err := client.Webhooks.List(ctx, nil)
		require.NoError(t, err)
		require.Empty(t, page.Items)
	})
}

// Everything the service has to offer can be subscribed to, shown and read without loss.
func TestSimulatedExamples(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		categories, err := client.Webhooks.Events(t.Context())
		require.NoError(t, err)
		var offered []EventName
		for _, category := range categories {
			for _, event := range category.Events {
				require.NotEmpty(t, event.Description)
				offered = append(offered, event.Name)
			}
		}
		require.ElementsMatch(t, WebhookEvents(), offered)
		for _, event := range offered {
			examples, err := client.WebhookNotifications.Examples(t.Context(), event)
			require.NoError(t, err, event)
			require.Len(t, examples, 1)
			require.Equal(t, event, examples[0].Event)
		}
		for _, event := range []EventName{EventLinkCreated, EventEmailSubmissionCreated} {
			_, err = client.WebhookNotifications.Examples(t.Context(), event)
			require.ErrorIs(t, err, ErrInvalid)
			_, err = client.Webhooks.Create(t.Context(), WebhookCreate{URL: endpointURL, Events: []EventName{event}})
			require.ErrorIs(t, err, ErrInvalid)
			_, err = client.Webhooks.Trigger(t.Context(), WebhookTrigger{URL: endpointURL, Event: event})
			require.ErrorIs(t, err, ErrInvalid)
		}
	})
}

func TestSimulatedTrigger(t *testing.T) {
	status := http.StatusAccepted
	var signature string
	endpoint := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		signature = r.Header.Get("X-T49-Webhook-Signature")
		w.WriteHeader(status)
	})
	trigger := WebhookTrigger{URL: endpointURL, Event: EventContainerUpdated, Secret: NewSecret(webhookSecret)}
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		result, err := client.Webhooks.Trigger(t.Context(), trigger)
		require.NoError(t, err)
		require.True(t, result.Succeeded)
		require.Equal(t, terminal49test.SignWebhook(webhookSecret, []byte(result.RequestBody)), signature)
		require.Equal(t, signature, result.RequestHeaders.Get("X-T49-Webhook-Signature"))
		status = http.StatusInternalServerError
		result, err = client.Webhooks.Trigger(t.Context(), trigger)
		require.NoError(t, err)
		require.False(t, result.Succeeded)
		require.Equal(t, Some(http.StatusInternalServerError), result.StatusCode)
	}, terminal49test.WithWebhookHandler(endpoint))
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		result, err := client.Webhooks.Trigger(t.Context(), trigger)
		require.NoError(t, err)
		require.False(t, result.Succeeded)
		require.NotEmpty(t, result.Error)
		require.True(t, result.StatusCode.IsNull())
	})
}

func TestSimulatedWebhookContextEnds(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := simClient(t, srv)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := client.Webhooks.IPs(ctx)
		require.ErrorIs(t, err, context.Canceled)
	})
}
