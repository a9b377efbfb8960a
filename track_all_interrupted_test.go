package terminal49_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// After a cancellation at any outcome, TrackAll starts no further number, yields those in progress,
// and ends.
func TestTrackAll_CancelledAtEveryOutcome(t *testing.T) {
	numbers := bulkNumbers(24)
	for stop := range len(numbers) + 1 {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
			srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultSlow,
				Delay: time.Second, Times: -1})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if stop == 0 {
				cancel()
			}
			taken, atStop, count, canceled := 0, 0, 0, 0
			for outcome := range client.TrackingRequests.TrackAll(ctx, pulled(numbers, &taken),
				&terminal49.TrackAllParams{Concurrency: 3}) {
				require.Equal(t, count, outcome.Index)
				if count++; count == stop {
					cancel()
					atStop = taken
				}
				if outcome.Result == terminal49.TrackResultFailed {
					require.GreaterOrEqual(t, count, stop)
					require.ErrorIs(t, outcome.Err, context.Canceled)
					canceled++
				} else {
					require.Equal(t, terminal49.TrackResultCreated, outcome.Result)
				}
			}
			require.Equal(t, atStop, taken, "nothing is taken after the end")
			require.Equal(t, taken, count, "nothing that was taken is lost")
			if stop > 0 && stop <= 12 {
				require.NotZero(t, canceled, "some were in work")
			}

			for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
				require.NoError(t, outcome.Err)
			}
			requireOnce(t, srv, numbers)
		}, terminal49test.WithoutRateLimits())
	}
}

// After an interruption at any request nothing continues to run, and after another run each number
// is tracked once.
func TestTrackAll_InterruptedAtEveryRequest(t *testing.T) {
	numbers := bulkNumbers(6)
	for position := range 3 * len(numbers) {
		for _, lost := range []bool{false, true} { // the request is the last to arrive, or the first not to
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				for _, op := range []string{"tracking_requests.infer", "tracking_requests.list",
					"tracking_requests.create"} {
					srv.AddFault(terminal49test.Fault{Operation: op, Kind: terminal49test.FaultSlow, Delay: time.Second,
						Times: -1})
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var sent atomic.Int64
				interrupted := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					switch n := int(sent.Add(1)) - 1; {
					case n == position && lost:
						cancel()
					case n == position:
						time.AfterFunc(time.Millisecond, cancel)
					}
					return next.RoundTrip(req)
				}))
				count := 0
				for outcome := range interrupted.TrackingRequests.TrackAll(ctx, terminal49.NumbersToTrack(numbers...),
					&terminal49.TrackAllParams{Concurrency: 2}) {
					if count++; outcome.Result == terminal49.TrackResultFailed {
						require.ErrorIs(t, outcome.Err, context.Canceled)
					}
				}
				srv.ClearFaults()
				for outcome := range testkit.SimulatedClient(t, srv).TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
					require.NoError(t, outcome.Err)
				}
				requireOnce(t, srv, numbers)
			})
		}
	}
}

func TestTrackAll_BrokenOffAtEveryOutcome(t *testing.T) {
	numbers := bulkNumbers(20)
	for stop := 1; stop <= len(numbers); stop++ {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			var after atomic.Bool
			var working atomic.Int64
			client := testkit.SimulatedClient(t, srv, terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					if after.Load() {
						t.Error("something was sent after the loop")
					}
					working.Add(1)
					defer working.Add(-1)
					defer testkit.Advance(time.Millisecond) // it notices late
					return next.RoundTrip(req)
				})
			}))
			srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultSlow,
				Delay: time.Second, Times: -1})
			count, taken := 0, 0
			for range client.TrackingRequests.TrackAll(t.Context(), pulled(numbers, &taken), nil) {
				if count++; count == stop {
					break
				}
			}
			require.Zero(t, working.Load(), "the loop ends when all it started has")
			was := taken
			after.Store(true)
			testkit.Advance(time.Minute)
			require.Equal(t, was, taken)
			after.Store(false)
			for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
				require.NoError(t, outcome.Err)
			}
			requireOnce(t, srv, numbers)
		})
	}
}

// A panic in the loop's body ends all goroutines.
func TestTrackAll_PanicInTheLoop(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		require.PanicsWithValue(t, "mine", func() {
			for range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(bulkNumbers(50)...), nil) {
				panic("mine")
			}
		})
		sent := len(srv.Requests())
		testkit.Advance(time.Minute)
		require.Len(t, srv.Requests(), sent)
	})
}

// A deadline that the rate limits put out of reach ends the whole run at once, not number by
// number.
func TestTrackAll_DeadlineOutOfReach(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, terminal49.WithRateLimits(terminal49.RateLimits{Create: 10}))
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Second)
		defer cancel()
		numbers, taken, count := bulkNumbers(500), 0, 0
		for outcome := range client.TrackingRequests.TrackAll(ctx, pulled(numbers, &taken), nil) {
			if count++; outcome.Result == terminal49.TrackResultFailed {
				require.ErrorIs(t, outcome.Err, context.DeadlineExceeded)
			}
		}
		require.GreaterOrEqual(t, count, 10)
		require.Less(t, taken, 10+2*8*4)
		require.Equal(t, taken, count)
		require.NoError(t, ctx.Err(), "it did not wait for the deadline")
	})
}

func TestTrackAll_ThroughFaults(t *testing.T) {
	operations := []string{"tracking_requests.infer", "tracking_requests.list", "tracking_requests.create"}
	faults := []terminal49test.Fault{
		{Status: 500}, {Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(3 * time.Second)},
		{Status: 502, Shape: terminal49test.ShapeHTML},
		{Status: 429, RetryAfter: terminal49test.RetryAfterSeconds(7 * time.Second)}, {Status: 500, Acted: true},
		{Kind: terminal49test.FaultRefuse}, {Kind: terminal49test.FaultDrop}, {Kind: terminal49test.FaultDrop, Acted: true},
		{Kind: terminal49test.FaultStallHeaders}, {Kind: terminal49test.FaultStallHeaders, Acted: true},
		{Kind: terminal49test.FaultStallBody},
		{Kind: terminal49test.FaultTruncate}, {Kind: terminal49test.FaultMalformedJSON}, {Kind: terminal49test.FaultEmpty},
		{Kind: terminal49test.FaultSlow, Delay: 5 * time.Second}, {Kind: terminal49test.FaultBrokenGzip},
	}
	numbers := bulkNumbers(15)
	for _, op := range operations {
		for i, fault := range faults {
			t.Run(fmt.Sprintf("%s/%d %s", op, i, fault.Kind), func(t *testing.T) {
				testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
					fault.Operation, fault.Skip, fault.Times = op, 2, 6
					srv.AddFault(fault)
					client := testkit.SimulatedClient(t, srv,
						terminal49.WithRateLimits(terminal49.RateLimits{Default: 1000, Create: 1000, Infer: 1000}))
					var left []string
					for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
						switch outcome.Result {
						case terminal49.TrackResultCreated, terminal49.TrackResultExisting, terminal49.TrackResultFoundAfterUnknown:
							require.NotNil(t, outcome.Request)
						case terminal49.TrackResultFailed:
							require.Error(t, outcome.Err)
							left = append(left, outcome.Number)
						default:
							require.Fail(t, "no fault makes a number bad", "%v", outcome)
						}
					}
					require.LessOrEqual(t, len(left), 6)
					srv.ClearFaults()
					for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(left...), nil) {
						require.NoError(t, outcome.Err)
					}
					requireOnce(t, srv, numbers)
				}, terminal49test.WithoutRateLimits())
			})
		}
	}
}

// Two concurrent runs with the same numbers create each number once.
func TestTrackAll_TwoRunsAtOnce(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		numbers := bulkNumbers(60)
		var mu sync.Mutex
		counts := map[terminal49.TrackResult]int{}
		var runs sync.WaitGroup
		for range 2 {
			client := testkit.SimulatedClient(t, srv)
			runs.Go(func() {
				for outcome := range client.TrackingRequests.TrackAll(t.Context(), terminal49.NumbersToTrack(numbers...), nil) {
					mu.Lock()
					counts[outcome.Result]++
					mu.Unlock()
				}
			})
		}
		runs.Wait()
		require.Equal(t, map[terminal49.TrackResult]int{terminal49.TrackResultCreated: 60,
			terminal49.TrackResultExisting: 60}, counts)
		requireOnce(t, srv, numbers)
	})
}
