package terminal49test_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// logged returns the ids in the service's log of notifications, by delivery status, as the client
// reads it.
func logged(t *testing.T, srv *terminal49test.Server) map[string][]string {
	t.Helper()
	ids := map[string][]string{}
	for n, err := range testkit.SimulatedClient(t, srv).WebhookNotifications.All(t.Context(), nil) {
		require.NoError(t, err)
		ids[string(n.DeliveryStatus)] = append(ids[string(n.DeliveryStatus)], n.ID)
	}
	return ids
}

func deliveredIDs(srv *terminal49test.Server) []string {
	var ids []string
	for _, d := range srv.WebhookDeliveries() {
		ids = append(ids, d.NotificationID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// Source: docs/service-containers.md#notification-log: the log lists every notification with its
// delivery_status, also one whose delivery never comes.
func TestWebhookNoise_LostNotificationsAreOnlyInTheLog(t *testing.T) {
	for _, status := range []string{"", "pending", "succeeded", "failed"} {
		srv, _, change := newWebhookServer(t, &recordingEndpoint{},
			terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{LostStatus: status}),
			terminal49test.WithLostWebhooks(func(n terminal49test.WebhookNotification) bool {
				return n.Event == "container.updated" && n.CreatedAt.Equal(start)
			}))
		change()
		srv.Advance(time.Minute)
		change()
		srv.Advance(100 * time.Hour) // longer than all retries
		lost, kept := srv.WebhookNotifications()[0].ID, srv.WebhookNotifications()[1].ID
		want := map[string][]string{"succeeded": {kept}}
		want[cmp.Or(status, "pending")] = append(want[cmp.Or(status, "pending")], lost)
		require.Equal(t, want, logged(t, srv))
		require.Equal(t, []string{kept}, deliveredIDs(srv))

		require.True(t, srv.Redeliver(lost))
		last := srv.WebhookDeliveries()[1]
		require.Equal(t, lost, last.NotificationID)
		require.Equal(t, 200, last.Status)
		require.True(t, strings.Contains(string(last.Body), `"available_for_pickup":true`), "the body is of the event")
		srv.CheckViolations(t)
	}
}

// Some deliveries never come. The seed decides which are lost.
func TestWebhookNoise_LostShareIsSeeded(t *testing.T) {
	delivered := func(share float64, seed int64) []string {
		srv, _, change := newWebhookServer(t, &recordingEndpoint{}, terminal49test.WithSeed(seed),
			terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{Lost: share}))
		for range 400 {
			change()
			srv.Advance(time.Minute)
		}
		require.Len(t, srv.WebhookNotifications(), 400)
		return deliveredIDs(srv)
	}
	require.Len(t, delivered(0, 1), 400)
	require.Empty(t, delivered(1, 1))
	some := delivered(0.25, 1)
	require.InDelta(t, 300, len(some), 40)
	require.Equal(t, some, delivered(0.25, 1))
	require.NotEqual(t, some, delivered(0.25, 2))
}
