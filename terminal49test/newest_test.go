package terminal49test_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// Source: the documentation of WithLog.
func TestWithLog_KeepsTheNewest(t *testing.T) {
	for _, keep := range []int{0, 1, 3, 100} {
		srv := newServer(t, terminal49test.WithLog(keep), terminal49test.WithWebhookHandler(&recordingEndpoint{}))
		srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
		for i := range 10 {
			getAPI(t, srv, fmt.Sprintf("/shipments?odd%d=1", i))
			srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", i)})
			srv.Advance(time.Minute)
		}
		kept := min(keep, 10)
		require.Equal(t, 10, srv.RequestCount())
		require.Len(t, srv.Requests(), kept)
		require.Len(t, srv.Violations(), kept)
		require.Len(t, srv.WebhookDeliveries(), kept)
		for i := range kept {
			require.Equal(t, fmt.Sprintf("odd%d=1", 10-kept+i), srv.Requests()[i].Query)
			require.Equal(t, 10-kept+i+1, srv.Requests()[i].Number)
			require.Equal(t, 10-kept+i+1, srv.WebhookDeliveries()[i].Number)
			require.Len(t, srv.RequestsAfter(10-kept+i+1), kept-i-1)
			require.Len(t, srv.WebhookDeliveriesAfter(10-kept+i+1), kept-i-1)
			require.Contains(t, srv.Violations()[i].Problem, fmt.Sprintf(`"odd%d"`, i))
		}
		all := srv.WebhookNotifications()
		require.Len(t, all, 10, "the service's own log is not shortened")
		require.True(t, srv.Redeliver(all[0].ID))
	}
}

// Source: the documentation of WithLog: 50,000 by default.
func TestWithLog_Default(t *testing.T) {
	if !testkit.Whole() {
		t.Skip("65,000 requests take seconds; PROOF=whole runs it")
	}
	srv := newServer(t)
	for range 65_000 {
		getAPI(t, srv, "/nothing")
	}
	require.Equal(t, 65_000, srv.RequestCount())
	require.Len(t, srv.Requests(), 50_000)
	require.Len(t, srv.Violations(), 50_000)
}

// Source: docs/service-containers.md#deliveries: a redelivery repeats the delivery. It has the same
// bytes, however many notifications there were meanwhile.
func TestWithLog_RetriesRepeatTheBody(t *testing.T) {
	var bodies []string
	endpoint := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		bodies = append(bodies, string(body))
		if len(bodies) == 1 {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	srv := newServer(t, terminal49test.WithLog(1), terminal49test.WithWebhookHandler(endpoint))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
	first := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	srv.Advance(2 * time.Second)
	for i := range 5 {
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", i)})
	}
	srv.UpdateContainer(first, func(c *terminal49test.Container) { c.SealNumber = "later" })
	srv.Advance(time.Hour)
	require.Len(t, bodies, 7)
	require.Contains(t, bodies[1:], bodies[0])
}
