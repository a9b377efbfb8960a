package limits_test

// No caller starves: callers are served in order of arrival, regardless of what others do.

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// longestTurn is the longest that a call may wait which finds ahead others in line. A slot that is
// in use comes back within flight, the longest from sending to the response, and one minute: in any
// such span at least limit calls get their turn, so that a caller is among those of span number
// ⌊ahead/limit⌋+1 at the latest. On top of that the pace may hold a call back, by at most one step
// for each call ahead and its own:
//
//	(⌊ahead/limit⌋ + 1) · (1 min + flight) + (ahead + 1) / PerSecond
func longestTurn(ahead, limit int, flight time.Duration, pace float64) time.Duration {
	spans := time.Duration(ahead/limit + 1)
	return spans*(time.Minute+flight) + time.Duration(float64(ahead+1)/pace*float64(time.Second))
}

// leastShare is the part of the calls that each of so many callers gets at least, if all call again
// as soon as they are answered. While a request is in flight, which is less than a minute, no more
// than the other slots can be used, and no more than the pace allows; its caller then joins the
// line with each of the others ahead once at most. So there are at most meanwhile + callers - 1
// others to each turn:
//
//	1 / (callers + meanwhile),  meanwhile = min(limit - 1, Burst + PerSecond · flight)
func leastShare(callers, limit int, flight time.Duration, l terminal49.RateLimits) float64 {
	meanwhile := min(float64(limit-1), float64(l.Burst)+l.PerSecond*flight.Seconds())
	return 1 / (float64(callers) + meanwhile)
}

// Callers that each call again at once, with and without others that give up, get equal parts of
// the budget. TestLimits_FullDemandNearby shows the same without a pace.
func TestLimits_Fairness(t *testing.T) {
	t.Parallel()
	const flight = 2 * time.Millisecond
	long, short := testkit.Scale(20*time.Minute, time.Hour), testkit.Scale(10*time.Minute, 20*time.Minute)
	paced := terminal49.RateLimits{PerSecond: 0.5, Burst: 1}
	for name, c := range map[string]struct {
		span   time.Duration
		limits terminal49.RateLimits
		others int // in addition to three patient ones for each slot of the bucket
		do     func(ctx context.Context, t *testing.T, random *rand.Rand, call func(context.Context) error)
	}{
		"paced":                     {span: long, limits: terminal49.DefaultRateLimits()},
		"paced below the limit":     {span: long, limits: paced},
		"with cancelled calls":      {short, unpaced(), 20, cancelled},
		"with short deadlines":      {short, unpaced(), 20, impatient},
		"paced and short deadlines": {long, paced, 20, impatient},
	} {
		for _, bucket := range []terminal49.Bucket{terminal49.BucketDefault, terminal49.BucketRefresh} {
			t.Run(name+"/"+string(bucket), func(t *testing.T) {
				t.Parallel()
				busy(t, func(t *testing.T, srv *terminal49test.Server) {
					ctx, cancel := context.WithTimeout(t.Context(), c.span)
					defer cancel()
					var w waits
					client := testkit.SimulatedClient(t, srv, testkit.Distant(flight/2),
						terminal49.WithRateLimits(c.limits), w.note())
					one := oneCall()[bucket]
					call := func(ctx context.Context) error { return one(ctx, client) }
					var others sync.WaitGroup
					for i := range c.others {
						random := rand.New(rand.NewPCG(3, uint64(i)))
						others.Go(func() {
							for ctx.Err() == nil {
								c.do(ctx, t, random, call)
							}
						})
					}
					limit := perMinute()[bucket]
					calls := demand(ctx, t, 3*limit, func(ctx context.Context, _ int) error { return call(ctx) })
					others.Wait()

					requests, refused := requireWithinLimits(t, srv)
					require.Zero(t, refused)
					// If the pace is slower than the limit, the pace determines what can be used.
					usable := min(1, c.limits.PerSecond*60/float64(limit))
					require.Greater(t, figures(t, name, bucket, requests, c.span, &w), 0.99*usable)
					requireFair(t, name, bucket, calls, leastShare(3*limit, limit, flight, c.limits))
					require.LessOrEqual(t, w.longest(bucket),
						longestTurn(3*limit+c.others-1, limit, flight, c.limits.PerSecond))
				})
			})
		}
	}
}

// requireFair checks that each caller got at least its share of all calls, not counting the call
// that the end interrupted.
func requireFair(t *testing.T, scenario string, bucket terminal49.Bucket, calls []int, share float64) {
	t.Helper()
	all := 0
	for _, n := range calls {
		all += n
	}
	bound := int(share*float64(all)) - 1
	t.Logf("figure: limits: %s: %s: each of %d callers got %d to %d of %d calls, at least %d by the order of the line", bucket,
		scenario, len(calls), slices.Min(calls), slices.Max(calls), all, bound)
	require.GreaterOrEqual(t, slices.Min(calls), max(bound, 1))
}

// cancelled calls and is cancelled at some moment within the next two minutes, then calls again.
func cancelled(ctx context.Context, _ *testing.T, random *rand.Rand, call func(context.Context) error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer time.AfterFunc(time.Duration(random.Int64N(int64(2*time.Minute))), cancel).Stop()
	_ = call(ctx)
	testkit.Advance(time.Second)
}

// impatient calls with a deadline a few seconds off, and calls again after a pause. While patient
// callers are waiting, which is until the last minutes, its turn cannot come in time, and it fails
// at once.
func impatient(ctx context.Context, t *testing.T, random *rand.Rand, call func(context.Context) error) {
	testkit.Advance(10 * time.Second)
	short, cancel := context.WithTimeout(ctx, time.Duration(random.Int64N(int64(5*time.Second))))
	defer cancel()
	start := time.Now()
	end, _ := ctx.Deadline()
	err := call(short)
	if end.Sub(start) > 6*time.Minute {
		if !errors.Is(err, context.DeadlineExceeded) || testkit.Elapsed(start) > 0 {
			t.Errorf("an impatient call ended after %v with %v", testkit.Elapsed(start), err)
		}
	}
}
