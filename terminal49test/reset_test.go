package terminal49test_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// Source: the documentation of Reset.
func TestReset_MakesTheWorldOfTheOptions(t *testing.T) {
	in := &recordingEndpoint{}
	srv := newServer(t, terminal49test.WithWebhookHandler(in), terminal49test.WithSyntheticContainers(3), terminal49test.WithHistory())
	begun := slices.Collect(srv.Snapshot())
	change := func() {
		srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
		srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
		srv.Advance(time.Minute)
	}
	change()
	srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Times: 3, Status: 503})
	srv.SetSpeed(1e-6)
	getAPI(t, srv, "/containers?sort=weight")
	require.NotEmpty(t, srv.Violations())

	srv.Reset()
	require.Equal(t, begun, slices.Collect(srv.Snapshot()))
	require.Equal(t, start, srv.Now())
	require.Zero(t, srv.Speed())
	require.Empty(t, srv.Faults())
	require.Empty(t, srv.Requests())
	require.Empty(t, srv.Violations())
	require.Empty(t, srv.WebhookDeliveries())
	require.Empty(t, srv.History("container", "MSKU7182047"))

	change()
	require.Equal(t, 200, getAPI(t, srv, "/shipments").status)
	require.Len(t, in.bodies, 2)
	require.Equal(t, []int{2}, numbersOf(srv.WebhookDeliveries(), func(d terminal49test.WebhookDelivery) int { return d.Number }))
	require.Equal(t, []int{2}, numbersOf(srv.Requests(), func(r terminal49test.Request) int { return r.Number }))
}

func numbersOf[T any](list []T, number func(T) int) (numbers []int) {
	for _, item := range list {
		numbers = append(numbers, number(item))
	}
	return numbers
}

// Requests, methods and a running clock go on while the world is made again.
func TestReset_WhileRequestsAreServed(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(1000), terminal49test.WithoutRateLimits(),
		terminal49test.WithWebhookHandler(&recordingEndpoint{}))
	t.Cleanup(srv.Close)
	done := make(chan bool)
	go func() {
		defer close(done)
		for range 20 {
			getAPI(t, srv, "/containers")
			for range srv.Snapshot() {
			}
		}
	}()
	for range 10 {
		srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
		srv.SeedDemo()
		srv.Reset()
	}
	<-done
}
