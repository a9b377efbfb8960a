package terminal49_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// A delivery is signed with the secret of its webhook, which the service generates (service-facts
// 5). With the secret of a deleted webhook a receiver rejects every delivery.

var ensured = []terminal49.EventName{terminal49.EventContainerUpdated}

// away delays each request and each response by less than two seconds.
func away(random *rand.Rand) terminal49.Option {
	var mu sync.Mutex
	delay := func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return time.Duration(random.Int64N(int64(2 * time.Second)))
	}
	return testkit.Apart(delay, delay)
}

// Ten programs that start within the same seconds hold the secret of the one webhook that is left.
func TestEnsure_ProgramsThatStartTogether(t *testing.T) {
	for run := range testkit.Scale(50, 500) {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			random := rand.New(rand.NewPCG(uint64(run), 10))
			near, within := run%2 == 0, time.Duration(random.Int64N(int64(5*time.Second)))+1
			var all sync.WaitGroup
			got := make([]*terminal49.Webhook, 10)
			for i := range got {
				start := time.Duration(random.Int64N(int64(within)))
				opts := []terminal49.Option{}
				if !near {
					opts = append(opts, away(rand.New(rand.NewPCG(uint64(run), uint64(i)))))
				}
				client := testkit.SimulatedClient(t, srv, opts...)
				all.Go(func() {
					time.Sleep(start)
					var err error
					got[i], err = client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, ensured)
					require.NoError(t, err)
				})
			}
			all.Wait()
			page, err := testkit.SimulatedClient(t, srv).Webhooks.List(t.Context(), nil)
			require.NoError(t, err)
			require.Len(t, page.Items, 1, "run %d", run)
			for i, w := range got {
				require.Equal(t, page.Items[0].ID, w.ID, "run %d, program %d", run, i)
				require.Equal(t, page.Items[0].Secret.Reveal(), w.Secret.Reveal(), "run %d, program %d", run, i)
			}
		})
	}
}

// The age is the time between created_at and the Date of the response, which RFC 9110, 6.6.1
// requires; without one the local clock is used. An unknown age may be a young one.
func TestEnsure_WaitsOnlyForYoungWebhooks(t *testing.T) {
	now := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // in a synctest bubble
	for name, c := range map[string]struct {
		created any
		date    time.Time
		waits   bool
	}{
		"an hour old":                     {created: now.Add(-time.Hour)},
		"a second old":                    {created: now.Add(-time.Second), waits: true},
		"created in the future":           {created: now.Add(time.Hour), waits: true},
		"without a creation time":         {created: nil, waits: true},
		"an hour old by the service":      {created: now, date: now.Add(time.Hour)},
		"a second old by the service":     {created: now.Add(-time.Hour), date: now.Add(time.Second - time.Hour), waits: true},
		"an hour old, local clock behind": {created: now.Add(time.Hour), date: now.Add(2 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])},
					Attributes: map[string]any{"created_at": c.created}})
				client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					resp, err := next.RoundTrip(req)
					if err == nil && !c.date.IsZero() {
						resp.Header.Set("Date", c.date.Format(http.TimeFormat))
					}
					return resp, err
				}))
				var last terminal49.Response
				w, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, ensured, terminal49.WithResponse(&last))
				require.NoError(t, err)
				require.Equal(t, id, w.ID)
				require.Equal(t, 200, last.Status)
				require.Equal(t, c.waits, time.Since(now) > 0)
				require.LessOrEqual(t, time.Since(now), 3*time.Second)
				require.Len(t, testkit.Received(srv, "webhooks.list"), map[bool]int{false: 1, true: 2}[c.waits])
			})
		})
	}
}

// The wait for a young webhook ends with the context, and its secret is not returned.
func TestEnsure_WaitEndsWithTheContext(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		w, err := testkit.SimulatedClient(t, srv).Webhooks.Ensure(ctx, testkit.EndpointURL, ensured)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Nil(t, w)
		require.Equal(t, time.Second, time.Since(start))
	})
}

// A program that finds a young webhook uses the one that is left if its creator deletes it.
func TestEnsure_FindsAnotherAfterTheWait(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		young := srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])}})
		client := testkit.SimulatedClient(t, srv)
		var older string
		time.AfterFunc(time.Second, func() {
			older = srv.AddWebhook(terminal49test.Webhook{URL: testkit.EndpointURL, Events: []string{string(ensured[0])},
				CreatedAt: srv.Now().Add(-2 * time.Second)})
			_ = client.Webhooks.Delete(context.Background(), young)
		})
		w, err := client.Webhooks.Ensure(t.Context(), testkit.EndpointURL, ensured)
		require.NoError(t, err)
		require.Equal(t, older, w.ID)
		kept, ok := srv.Webhook(w.ID)
		require.True(t, ok)
		require.Equal(t, kept.Secret, w.Secret.Reveal())
	})
}
