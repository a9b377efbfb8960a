package limits_test

// These tests have uneven demand and responses: bursts after pauses, and responses slower than the
// window.

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// bursts returns bursts of up to four times the limit and the pauses before them, some of which end
// within the window of the previous burst.
func bursts(limit int) (sizes []int, pauses []time.Duration) {
	random := rand.New(rand.NewPCG(4, uint64(limit)))
	for range testkit.Scale(2, 6) {
		sizes = append(sizes, limit/2+random.IntN(limit*7/2))
		pauses = append(pauses, time.Duration(random.Int64N(int64(2*time.Minute))))
	}
	return append(sizes, limit, limit), append(pauses, time.Minute, time.Minute) // to the edge
}

// Requests are sent as early as possible: at once, or when the request that is one limit earlier is
// a minute old. Calls are sent in order of arrival.
func TestLimits_BurstsAreSentAsSoonAsAllowed(t *testing.T) {
	t.Parallel()
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		client, call := testkit.SimulatedClient(t, srv, terminal49.WithRateLimits(unpaced())), oneCall()[bucket]
		var want, got []time.Time
		sizes, pauses := bursts(limit)
		for i, size := range sizes {
			time.Sleep(pauses[i])
			volley := make([]time.Time, size)
			var all sync.WaitGroup
			for j := range volley {
				soonest := time.Now()
				if n := len(want); n >= limit && want[n-limit].Add(time.Minute).After(soonest) {
					soonest = want[n-limit].Add(time.Minute)
				}
				want = append(want, soonest)
				all.Go(func() {
					assertNoError(t, call(t.Context(), client))
					volley[j] = time.Now() // the service is so near that the response arrives at once
				})
				synctest.Wait() // call j is queued before j+1
			}
			all.Wait()
			got = append(got, volley...)
		}
		require.Equal(t, want, got)
		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		var received []time.Time
		for _, r := range inBucket(bucket, requests) {
			received = append(received, r.At)
		}
		require.Equal(t, want, received)
		require.Equal(t, limit, worstWindow(requests))
		t.Logf("figure: limits: %s: volleys of %v: each of %d requests at the first moment the limit allows", bucket,
			sizes, len(want))
	})
}

// With the usual pace and a distant service, a burst ends no later than the turn of its last call.
func TestLimits_BurstsFromAfar(t *testing.T) {
	t.Parallel()
	const flight = 2 * time.Second
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		var w waits
		client, call := testkit.SimulatedClient(t, srv, testkit.Distant(flight/2), w.note()), oneCall()[bucket]
		sizes, pauses := bursts(limit)
		for i, size := range sizes {
			time.Sleep(pauses[i])
			start := time.Now()
			var all sync.WaitGroup
			for range size {
				all.Go(func() { assertNoError(t, call(t.Context(), client)) })
			}
			all.Wait()
			require.Less(t, time.Since(start),
				longestTurn(size-1, limit, flight, terminal49.DefaultRateLimits().PerSecond)+flight)
		}
		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		require.Len(t, inBucket(bucket, requests), sum(sizes))
		t.Logf("figure: limits: %s: volleys of %v from up to %v away: worst window %d of %d, longest wait %v", bucket,
			sizes, flight,
			worstWindow(requests), limit, w.longest(bucket).Round(time.Millisecond))
	})
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

// The client knows that the service has counted a request only when it has the response, so a slot
// is used until a minute after that: with responses that take d on average, 60 s / (60 s + d) of
// the budget can be used. That is nearly all if responses take a second, and much less if they take
// longer than the window.
func TestLimits_StalledResponses(t *testing.T) {
	t.Parallel()
	const stall = 90 * time.Second
	span := testkit.Scale(10*time.Minute, 30*time.Minute)
	for name, every := range map[string]int{"every fifth answer takes 90 s": 5, "every answer takes 90 s": 1} {
		for bucket, limit := range perMinute() {
			t.Run(name+"/"+string(bucket), func(t *testing.T) {
				t.Parallel()
				busy(t, func(t *testing.T, srv *terminal49test.Server) {
					ctx, cancel := context.WithTimeout(t.Context(), span)
					defer cancel()
					var (
						w  waits
						mu sync.Mutex
						n  int
					)
					back := func() time.Duration {
						mu.Lock()
						defer mu.Unlock()
						if n++; n%every == 0 {
							return stall
						}
						return 0
					}
					client := testkit.SimulatedClient(t, srv, testkit.Apart(testkit.UpTo(time.Second), back),
						terminal49.WithAttemptTimeout(2*stall), w.note())
					call := oneCall()[bucket]
					demand(ctx, t, limit*5/2, func(ctx context.Context, _ int) error { return call(ctx, client) })
					requests, refused := requireWithinLimits(t, srv)
					require.Zero(t, refused)
					usable := 60 / (60.5 + stall.Seconds()/float64(every))
					share := figures(t, name, bucket, requests, span, &w)
					require.Greater(t, share, 0.97*usable)
				})
			})
		}
	}
}
