package limits_test

// The client shares its budget with other clients of the same limiter, other processes with the
// same key, and its own retries.

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Clients of one key that share a limiter stay within its one budget, use it up, and get equal
// parts of it.
func TestLimits_SharedLimiter(t *testing.T) {
	t.Parallel()
	const clients, flight = 4, 2 * time.Second
	span := testkit.Scale(5*time.Minute, 10*time.Minute)
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		ctx, cancel := context.WithTimeout(t.Context(), span)
		defer cancel()
		var w waits
		limiter, err := terminal49.NewLimiter(terminal49.RateLimits{})
		require.NoError(t, err)
		call := oneCall()[bucket]
		var shared [clients]*terminal49.Client
		for i := range shared {
			shared[i] = testkit.SimulatedClient(t, srv, terminal49.WithLimiter(limiter), testkit.Distant(flight/2), w.note())
		}
		calls := demand(ctx, t, 3*limit,
			func(ctx context.Context, caller int) error { return call(ctx, shared[caller%clients]) })
		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		require.Greater(t, figures(t, "four clients with one limiter", bucket, requests, span, &w), 0.97)
		requireFair(t, "four clients with one limiter", bucket, calls,
			leastShare(3*limit, limit, flight, terminal49.DefaultRateLimits()))
	})
}

// Clients without a shared limiter are refused, so the test above depends on the limiter.
func TestLimits_ClientsWithoutASharedLimiter(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var all sync.WaitGroup
		for range 2 {
			client := testkit.SimulatedClient(t, srv, terminal49.WithMaxAttempts(1))
			for range 100 {
				all.Go(func() { _, _ = client.Shipments.List(t.Context(), nil) })
			}
		}
		all.Wait()
		_, refused := requireWithinLimits(t, srv)
		require.NotZero(t, refused)
	})
}

// Another process uses most of the key's budget between two periods of full demand. The first
// refusal closes only its bucket, until the service has room again; other than it, only requests in
// transit are refused. A minute later the whole budget is used again.
func TestLimits_ABudgetThatOthersSpend(t *testing.T) {
	t.Parallel()
	const spell, flight, minute = 6 * time.Minute, 200 * time.Millisecond, time.Minute
	pace := terminal49.RateLimits{PerSecond: 10, Burst: 1}
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		var w waits
		calls := oneCall()
		client := testkit.SimulatedClient(t, srv, testkit.Distant(flight/2), terminal49.WithRateLimits(pace), w.note())
		fullDemand := func() {
			ctx, cancel := context.WithTimeout(t.Context(), spell)
			defer cancel()
			demand(ctx, t, limit*5/4, func(ctx context.Context, _ int) error { return calls[bucket](ctx, client) })
		}
		fullDemand()
		_, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)

		testkit.Advance(minute)
		foreign := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
		spent := time.Now()
		for range limit * 7 / 10 {
			require.NoError(t, calls[bucket](t.Context(), foreign))
		}
		testkit.Advance(10 * time.Second)
		mine, start := len(srv.Requests()), time.Now()
		time.AfterFunc(35*time.Second, func() {
			another := map[bool]terminal49.Bucket{true: terminal49.BucketInfer,
				false: terminal49.BucketRefresh}[bucket == terminal49.BucketRefresh]
			asked := time.Now()
			assertNoError(t, calls[another](t.Context(), client))
			if testkit.Elapsed(asked) > flight {
				t.Errorf("bucket %s was held up for %v", another, testkit.Elapsed(asked))
			}
		})
		fullDemand()

		requests, refused := requireWithinLimits(t, srv)
		require.NotZero(t, refused)
		require.LessOrEqual(t, refused, int(pace.PerSecond*flight.Seconds())+pace.Burst, "only what was on its way")
		var closed time.Time
		var later []terminal49test.Request
		for _, r := range inBucket(bucket, requests[mine:]) {
			if r.Status == http.StatusTooManyRequests && closed.IsZero() {
				closed = r.At.Add(flight)
			}
			if !closed.IsZero() && r.At.After(closed) {
				require.False(t, r.At.Before(spent.Add(minute)), "sent %v into the pause", r.At.Sub(closed))
			}
			if r.At.After(start.Add(2 * minute)) {
				later = append(later, r)
			}
		}
		require.Greater(t, figures(t, "after a pause that the service asked for", bucket, later, spell-2*minute, &w), 0.97)
	})
}

// Retries count like first attempts: a failing service receives the whole budget and no more.
func TestLimits_RetriesCount(t *testing.T) {
	t.Parallel()
	span := testkit.Scale(5*time.Minute, 10*time.Minute)
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		ctx, cancel := context.WithTimeout(t.Context(), span)
		defer cancel()
		var trouble sync.WaitGroup
		trouble.Go(func() { // for twenty seconds of each minute
			for ctx.Err() == nil {
				srv.AddFault(terminal49test.Fault{Status: http.StatusServiceUnavailable, Times: -1})
				testkit.Advance(20 * time.Second)
				srv.ClearFaults()
				testkit.Advance(40 * time.Second)
			}
		})
		defer trouble.Wait()
		var w waits
		client, call := testkit.SimulatedClient(t, srv, testkit.Distant(time.Second), w.note()), oneCall()[bucket]
		demand(ctx, t, limit*5/2, func(ctx context.Context, _ int) error {
			err := call(ctx, client)
			if errors.Is(err, terminal49.ErrServer) { // retries are used up, or there are none for creations
				return nil
			}
			return err
		})
		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		require.NotZero(t, answered(requests)[http.StatusServiceUnavailable])
		require.Greater(t, figures(t, "trouble a third of the time", bucket, requests, span, &w), 0.97)
	})
}
