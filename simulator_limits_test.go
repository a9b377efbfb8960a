package terminal49

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

// answered counts the requests by the status of their answer.
func answered(requests []terminal49test.Request) map[int]int {
	count := map[int]int{}
	for _, r := range requests {
		count[r.Status]++
	}
	return count
}

// distant puts the service some way off: requests arrive and answers come back after random times.
func distant(each time.Duration) Option {
	return around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		time.Sleep(rand.N(each))
		defer func() { time.Sleep(rand.N(each)) }()
		return next.RoundTrip(req)
	})
}

// At full demand for an hour (less where the simulator slows down), counted by the service: nothing is refused, and hardly
// anything of the budget is left.
func TestRateLimitsAtFullDemand(t *testing.T) {
	for name, c := range map[string]struct {
		perMinute, workers int
		span               time.Duration
		do                 func(context.Context, *Client) error
	}{
		"default": {100, 120, time.Hour, func(ctx context.Context, c *Client) error {
			return first(c.Shipments.Get(ctx, shipmentID, nil))
		}},
		"infer": {200, 220, time.Hour, func(ctx context.Context, c *Client) error {
			return first(c.TrackingRequests.Infer(ctx, sureNumber))
		}},
		"refresh": {10, 15, time.Hour, func(ctx context.Context, c *Client) error {
			return first(c.Containers.Refresh(ctx, containerID))
		}},
		"create": {100, 110, 10 * time.Minute, func(ctx context.Context, c *Client) error {
			return first(c.TrackingRequests.Create(ctx, sureRequest()))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				addNamedResources(srv)
				srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: sureNumber, SCAC: "MAEU", Status: "created"})
				srv.Script(sureNumber, terminal49test.Journey{Infer: &terminal49test.Inference{SCAC: "MAEU", Confidence: 0.98}})
				ctx, cancel := context.WithTimeout(t.Context(), c.span)
				defer cancel()
				client := simClient(t, srv, distant(time.Second))
				var workers sync.WaitGroup
				for range c.workers {
					workers.Go(func() {
						for !errors.Is(c.do(ctx, client), context.DeadlineExceeded) {
						}
					})
				}
				workers.Wait()
				count := answered(srv.Requests())
				require.Zero(t, count[http.StatusTooManyRequests])
				budget := c.perMinute * int(c.span/time.Minute)
				require.GreaterOrEqual(t, len(srv.Requests()), budget*97/100, "of %d", budget)
			}, terminal49test.WithoutReferenceData())
		})
	}
}

// The first calls of a fresh client wait for nothing but the pace.
func TestRateLimitsOfAFreshClient(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client, start := simClient(t, srv), time.Now()
		for i := range 60 {
			require.NoError(t, first(client.Shipments.List(t.Context(), nil)))
			paced := max(0, time.Duration(i+1-20)*100*time.Millisecond) // 20 at once, then 10 a second
			require.InDelta(t, paced, time.Since(start), float64(time.Millisecond), "call %d", i)
		}
	})
}

// Clients of one key that share a limiter stay within its one budget; without it they do not.
func TestSharedLimiter(t *testing.T) {
	demand := func(t *testing.T, srv *terminal49test.Server, clients ...*Client) {
		var all sync.WaitGroup
		for _, client := range clients {
			all.Go(func() {
				for range 100 {
					if !assertNoError(t, first(client.Shipments.List(t.Context(), nil))) {
						return
					}
				}
			})
		}
		all.Wait()
	}
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		limiter, start := newLimiter(t, Limits{PerSecond: 1000}), time.Now()
		demand(t, srv, simClient(t, srv, WithLimiter(limiter)), simClient(t, srv, WithLimiter(limiter)))
		require.Equal(t, map[int]int{200: 200}, answered(srv.Requests()))
		require.InDelta(t, time.Minute, time.Since(start), float64(time.Second))
	})
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		demand(t, srv, simClient(t, srv), simClient(t, srv))
		require.NotZero(t, answered(srv.Requests())[http.StatusTooManyRequests])
	})
}

func assertNoError(t *testing.T, err error) bool {
	if err != nil {
		t.Errorf("unexpected error: %v", err)
	}
	return err == nil
}

// Another process spends the budget of the key. The first refusal closes the bucket for all calls of this client until
// the service's Retry-After has passed; other buckets stay open.
func TestABudgetThatOthersSpend(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		other := simClient(t, srv, WithoutLimits(), WithUserAgent("other"))
		for range 70 {
			require.NoError(t, first(other.Shipments.List(t.Context(), nil)))
		}
		time.Sleep(10 * time.Second)
		foreign := len(srv.Requests())

		start := time.Now()
		client := simClient(t, srv, distant(100*time.Millisecond), WithLimits(Limits{PerSecond: 10, Burst: 1}))
		var all sync.WaitGroup
		for range 60 {
			all.Go(func() { assertNoError(t, first(client.Shipments.List(t.Context(), nil))) })
		}
		time.Sleep(10 * time.Second)
		require.NoError(t, first(client.TrackingRequests.Infer(t.Context(), sureNumber)))
		require.Less(t, time.Since(start), 11*time.Second, "another bucket is not held up")
		all.Wait()

		var refused, inThePause int
		var until time.Time
		for _, r := range srv.Requests()[foreign:] {
			if r.Operation != "shipments.list" {
				continue
			}
			if r.Status == http.StatusTooManyRequests {
				if refused++; refused == 1 {
					until = start.Add(50 * time.Second) // when the others' first requests leave the window
				}
			}
			if refused > 0 && r.Status == http.StatusOK && r.At.Before(until) {
				inThePause++
			}
		}
		require.NotZero(t, refused)
		require.LessOrEqual(t, refused, 3, "only what was on its way already")
		require.Zero(t, inThePause)
	})
}

// A wait that would outlast the deadline is not begun, and says what it is about.
func TestLimitBeyondTheDeadline(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		addNamedResources(srv)
		client := simClient(t, srv)
		for range 10 {
			require.NoError(t, first(client.Containers.Refresh(t.Context(), containerID)))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Containers.Refresh(ctx, containerID)
		require.Zero(t, time.Since(start))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "refresh")
		require.False(t, IsOutcomeUnknown(err), "nothing was sent")
		require.Len(t, srv.Requests(), 10)
	})
}

// Retries pay like first attempts: a service in trouble is not met with more than the budget.
func TestRetriesPayTheLimit(t *testing.T) {
	simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.Fault(terminal49test.Fault{Status: http.StatusServiceUnavailable, Times: -1})
		client := simClient(t, srv)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		var workers sync.WaitGroup
		for range 20 {
			workers.Go(func() {
				for !errors.Is(first(client.Shipments.List(ctx, nil)), context.DeadlineExceeded) {
				}
			})
		}
		workers.Wait()
		requests := srv.Requests()
		for i := range requests {
			if i >= 100 {
				require.GreaterOrEqual(t, requests[i].At.Sub(requests[i-100].At), time.Minute, "request %d", i)
			}
		}
		require.Greater(t, len(requests), 450)
	})
}
