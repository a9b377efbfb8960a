package terminal49_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

// waiting starts to track a number with the given journey and returns the id of the request.
func waiting(srv *terminal49test.Server, j terminal49test.Journey) string {
	srv.Script(testkit.SureNumber, j)
	return srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: testkit.SureNumber, SCAC: "MAEU"})
}

func TestWait_UntilCreated(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := waiting(srv, terminal49test.Journey{TrackingDelay: 30 * time.Second,
			Containers: []terminal49test.Container{{Number: "MSKU7182047"}}})
		var seen []terminal49.TrackingRequestStatus
		got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), id, &terminal49.WaitParams{
			OnPoll: func(r *terminal49.TrackingRequest) { seen = append(seen, r.Status) },
		})
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackingCreated, got.Status)
		shipment, ok := got.Shipment.Value()
		require.True(t, ok)
		require.Equal(t, 1, shipment.Containers.Len())
		require.Len(t, seen, len(srv.Requests()))
		for i, status := range seen {
			want := terminal49.TrackingPending
			if i == len(seen)-1 {
				want = terminal49.TrackingCreated
			}
			require.Equal(t, want, status)
		}
	})
}

func TestWait_ThroughRetriesAndManifest(t *testing.T) {
	for name, j := range map[string]terminal49test.Journey{
		"the carrier cannot be reached at first": {FailedAttempts: 3},
		"the manifest comes after two days": {Outcome: terminal49test.OutcomeAwaitingManifest,
			ManifestAfter: 48 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				seen := map[terminal49.TrackingRequestStatus]bool{}
				got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), waiting(srv, j),
					&terminal49.WaitParams{
						OnPoll: func(r *terminal49.TrackingRequest) { seen[r.Status] = true },
					})
				require.NoError(t, err)
				require.Equal(t, terminal49.TrackingCreated, got.Status)
				require.Equal(t, j.Outcome != "", seen[terminal49.TrackingAwaitingManifest])
			})
		})
	}
}

func TestWait_EndsWithAFailure(t *testing.T) {
	failed := func(reason string) terminal49test.Journey {
		return terminal49test.Journey{Outcome: terminal49test.OutcomeFailed, FailedReason: reason}
	}
	for name, c := range map[string]struct {
		journey   terminal49test.Journey
		reason    terminal49.FailedReason
		permanent bool
	}{
		"not found":                {failed("not_found"), terminal49.FailedNotFound, true},
		"cancelled":                {failed("booking_cancelled"), terminal49.FailedBookingCancelled, true},
		"a reason that is new":     {failed("volcano"), "volcano", false},
		"the service had trouble":  {failed("internal_processing_error"), terminal49.FailedInternalProcessingError, false},
		"the carrier is not there": {failed("shipping_line_unreachable"), terminal49.FailedShippingLineUnreachable, false},
		"fourteen attempts failed": {terminal49test.Journey{FailedAttempts: 14}, terminal49.FailedRetriesExhausted, true},
		"the manifest never comes": {terminal49test.Journey{Outcome: terminal49test.OutcomeAwaitingManifest}, terminal49.FailedExpired, true},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(),
					waiting(srv, c.journey), &terminal49.WaitParams{MaxInterval: time.Hour})
				var failure *terminal49.TrackingFailedError
				require.ErrorAs(t, err, &failure)
				require.Equal(t, c.reason, failure.Reason())
				require.Equal(t, c.permanent, failure.Reason().Permanent())
				require.Same(t, got, failure.Request)
				require.ErrorContains(t, err, string(c.reason))
				require.ErrorContains(t, err, testkit.SureNumber)
			})
		})
	}
}

// A request that was stopped is not a failure, but it is final.
func TestWait_EndsWhenStopped(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: testkit.SureNumber, SCAC: "MAEU",
			Status: "tracking_stopped"})
		got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), id, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackingStopped, got.Status)
		require.Len(t, srv.Requests(), 1)
	})
}

// A status unknown to this version does not end the wait.
func TestWait_ThroughAnUnknownStatus(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: testkit.SureNumber, SCAC: "MAEU",
			Status: "in_review"})
		time.AfterFunc(5*time.Minute, func() {
			srv.UpdateTrackingRequest(id, func(r *terminal49test.TrackingRequest) { r.Status = "created" })
		})
		start := time.Now()
		got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), id, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackingCreated, got.Status)
		require.InDelta(t, 5*time.Minute, testkit.Elapsed(start), float64(72*time.Second))
	})
}

// The intervals grow by half from two seconds to a minute, a fifth up or down, and differ between
// waiters.
func TestWait_GrowingIntervals(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := waiting(srv, terminal49test.Journey{TrackingDelay: 2 * time.Hour})
		_, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), id, nil)
		require.NoError(t, err)

		nominal, odd := 2*time.Second, 0
		for i, gap := range testkit.Gaps(srv.Requests()) {
			require.GreaterOrEqual(t, gap, nominal*4/5, "interval %d", i)
			require.LessOrEqual(t, gap, nominal*6/5+time.Nanosecond, "interval %d", i)
			if gap != nominal {
				odd++
			}
			nominal = min(nominal+nominal/2, time.Minute)
		}
		require.Greater(t, odd, 100, "jittered")
		require.Less(t, len(srv.Requests()), 150, "two hours cost little more than a request a minute")
	})
}

func TestWait_Intervals(t *testing.T) {
	for name, c := range map[string]struct {
		params     terminal49.WaitParams
		first, top time.Duration
	}{
		"its own": {terminal49.WaitParams{MinInterval: time.Second, MaxInterval: 3 * time.Second},
			time.Second, 3 * time.Second},
		"the first above the default": {terminal49.WaitParams{MinInterval: 5 * time.Minute}, 5 * time.Minute,
			5 * time.Minute},
		"the last below the default": {terminal49.WaitParams{MaxInterval: 4 * time.Second}, 2 * time.Second,
			4 * time.Second},
		"all below the defaults": {terminal49.WaitParams{MaxInterval: time.Second}, time.Second, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := waiting(srv, terminal49test.Journey{TrackingDelay: time.Hour})
				_, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), id, &c.params)
				require.NoError(t, err)
				all := testkit.Gaps(srv.Requests())
				require.InDelta(t, c.first, all[0], float64(c.first/5)+1)
				require.InDelta(t, c.top, all[len(all)-1], float64(c.top/5)+1)
			})
		})
	}
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		_, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), testkit.RequestID,
			&terminal49.WaitParams{MinInterval: -time.Second})
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument)
		require.Empty(t, srv.Requests())

		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err = testkit.SimulatedClient(t, srv).TrackingRequests.Wait(ctx, waiting(srv, terminal49test.Journey{TrackingDelay: 2 * time.Hour}), &terminal49.WaitParams{MinInterval: 1 << 62})
		require.ErrorIs(t, err, context.DeadlineExceeded, "centuries do not overflow")
	})
}

// passingFaults makes this many polls in a row fail, each with all its attempts.
func passingFaults(srv *terminal49test.Server, polls int) {
	kinds := []terminal49test.Fault{
		{Status: http.StatusServiceUnavailable}, {Kind: terminal49test.FaultDrop},
		{Status: http.StatusBadGateway, Shape: terminal49test.ShapeHTML},
		{Kind: terminal49test.FaultRefuse}, {Status: http.StatusTooManyRequests},
	}
	for poll := range polls {
		f := kinds[poll%len(kinds)]
		f.Operation, f.Times = "tracking_requests.get", 4
		srv.AddFault(f)
	}
}

func TestWait_OutlastsPassingErrors(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := waiting(srv, terminal49test.Journey{TrackingDelay: time.Hour})
		client := testkit.SimulatedClient(t, srv)
		passingFaults(srv, terminal49.MaxPollFailures-1)
		polls := 0
		got, err := client.TrackingRequests.Wait(t.Context(), id, &terminal49.WaitParams{OnPoll: func(*terminal49.TrackingRequest) {
			if polls++; polls == 3 { // a success resets the count of failures
				passingFaults(srv, terminal49.MaxPollFailures-1)
			}
		}})
		require.NoError(t, err)
		require.Equal(t, terminal49.TrackingCreated, got.Status)
		require.Equal(t, len(srv.Requests())-4*2*(terminal49.MaxPollFailures-1), polls)
	})
}

func TestWait_GivesUp(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		id := waiting(srv, terminal49test.Journey{TrackingDelay: time.Hour})
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.get", Skip: 1,
			Status: http.StatusServiceUnavailable, Times: -1})
		got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), id, nil)
		require.ErrorIs(t, err, terminal49.ErrServer)
		require.Equal(t, terminal49.TrackingPending, got.Status, "the last state")
		require.Len(t, srv.Requests(), 1+4*terminal49.MaxPollFailures)
	})
}

// A permanent error ends the wait at once.
func TestWait_DoesNotOutlastOtherErrors(t *testing.T) {
	for status, want := range map[int]error{
		http.StatusNotFound: terminal49.ErrNotFound, http.StatusUnauthorized: terminal49.ErrUnauthorized,
		http.StatusForbidden: terminal49.ErrForbidden,
	} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			id := waiting(srv, terminal49test.Journey{TrackingDelay: time.Hour})
			srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.get", Skip: 2, Status: status})
			got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(t.Context(), id, nil)
			require.ErrorIs(t, err, want)
			require.NotNil(t, got)
			require.Len(t, srv.Requests(), 3)
		})
	}
}

// When the context ends, Wait returns at once with the last state that it read.
func TestWait_EndsWithItsContext(t *testing.T) {
	for name, c := range map[string]struct {
		fault terminal49test.Fault
		known bool
	}{
		"between two polls":           {terminal49test.Fault{Operation: "documents.relink"}, true},
		"while the service stalls":    {terminal49test.Fault{Kind: terminal49test.FaultStallHeaders, Skip: 1}, true},
		"while a body stalls":         {terminal49test.Fault{Kind: terminal49test.FaultStallBody, Skip: 1}, true},
		"while it waits for a retry":  {terminal49test.Fault{Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute), Skip: 1}, true},
		"before it has seen anything": {terminal49test.Fault{Kind: terminal49test.FaultStallHeaders}, false},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := waiting(srv, terminal49test.Journey{TrackingDelay: time.Hour})
				srv.AddFault(c.fault)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(20*time.Second, cancel)
				start := time.Now()
				got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(ctx, id, nil)
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, 20*time.Second, testkit.Elapsed(start))
				require.Equal(t, c.known, got != nil)
			})
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				id := waiting(srv, terminal49test.Journey{TrackingDelay: time.Hour})
				srv.AddFault(c.fault)
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				start := time.Now()
				got, err := testkit.SimulatedClient(t, srv).TrackingRequests.Wait(ctx, id, nil)
				require.ErrorIs(t, err, context.DeadlineExceeded)
				require.Equal(t, 20*time.Second, testkit.Elapsed(start))
				require.Equal(t, c.known, got != nil)
			})
		})
	}
}

func TestWait_JitterOfTheLongestInterval(t *testing.T) {
	for range 500 {
		require.Positive(t, terminal49.Jitter(math.MaxInt64))
	}
}

const listOp, getOp = "tracking_requests.list", "tracking_requests.get"

// pendingRequests adds n requests, one a second, which are created after delay.
func pendingRequests(srv *terminal49test.Server, n int, delay time.Duration) (ids []string) {
	for i := range n {
		number := fmt.Sprintf("MAEU%06d", i+1)
		srv.Script(number, terminal49test.Journey{TrackingDelay: delay})
		ids = append(ids, srv.AddTrackingRequest(terminal49test.TrackingRequest{
			RequestNumber: number, SCAC: "MAEU", CreatedAt: srv.Now().Add(time.Duration(i-n) * time.Second),
		}))
	}
	return ids
}

// waitAll returns the outcomes by id. Each id has one.
func waitAll(ctx context.Context, t *testing.T, client *terminal49.Client, ids []string, params *terminal49.WaitParams) map[string]terminal49.WaitOutcome {
	t.Helper()
	outcomes := map[string]terminal49.WaitOutcome{}
	for o := range client.TrackingRequests.WaitAll(ctx, ids, params) {
		require.NotContains(t, outcomes, o.ID)
		outcomes[o.ID] = o
	}
	require.Len(t, outcomes, len(ids))
	return outcomes
}

// A page has at most 100 items (docs/service.md#page-sizes). The list is newest first and filters
// by creation (docs/service.md#order-of-lists and #other-filters). So a poll of 500 requests costs
// 5 requests, and not one each; requests of others that are newer cost their pages once.
func TestWaitAll_PollsTheList(t *testing.T) {
	for name, c := range map[string]struct{ n, newer, perPoll, once int }{
		"one":                       {1, 0, 1, 0},
		"two":                       {2, 0, 1, 0},
		"a page":                    {100, 0, 1, 0},
		"five pages":                {500, 0, 5, 0},
		"five pages below two more": {500, 200, 5, 2},
	} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			ids := pendingRequests(srv, c.n, 40*time.Minute)
			for i := range c.newer {
				srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("HLCU%06d", i), SCAC: "HLCU", Status: "created", CreatedAt: srv.Now().Add(time.Minute)})
			}
			polls := map[string]int{}
			params := &terminal49.WaitParams{OnPoll: func(r *terminal49.TrackingRequest) { polls[r.ID]++ }}
			for id, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, params) {
				require.NoError(t, o.Err)
				require.Equal(t, id, o.Request.ID)
				require.Equal(t, terminal49.TrackingCreated, o.Request.Status)
				shipment, ok := o.Request.Shipment.Value()
				require.True(t, ok, "as Wait returns it")
				require.NotEmpty(t, shipment.ID)
			}
			most := slices.Max(slices.Collect(func(yield func(int) bool) {
				for _, n := range polls {
					yield(n)
				}
			}))
			require.Greater(t, most, 20)
			require.LessOrEqual(t, len(srv.Requests()), c.perPoll*most+c.once, name)
			for _, r := range srv.Requests() {
				require.NotEqual(t, http.StatusTooManyRequests, r.Status)
			}
			if c.n > 1 {
				gets := testkit.Received(srv, getOp)
				require.LessOrEqual(t, len(gets), c.n/100+1, "%s: at most where one is left alone on its page", name)
				for _, gap := range testkit.Gaps(gets) {
					require.Greater(t, gap, time.Second, "%s: one in a poll", name)
				}
			}
			t.Logf("figure: wait all: %s: %d requests for %d polls of %d", name, len(srv.Requests()), most, c.n)
		})
	}
}

// A list that shows few of the requests costs at most five more requests than reading each.
func TestWaitAll_SparseRequests(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		var ids []string
		for i := range 3000 {
			request := terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("HLCU%06d", i), SCAC: "HLCU", Status: "created", CreatedAt: srv.Now().Add(-time.Duration(i) * time.Minute)}
			if id := srv.AddTrackingRequest(request); i%1000 == 999 {
				ids = append(ids, id)
			}
		}
		waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, nil)
		require.LessOrEqual(t, len(srv.Requests()), len(ids)+5)
	})
}

// Each is yielded as it settles, with what Wait returns: the sources are those of the tests of
// Wait.
func TestWaitAll_YieldsWhatWaitReturns(t *testing.T) {
	add := func(srv *terminal49test.Server, status, reason string) string {
		return srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU1", SCAC: "MAEU", Status: status, FailedReason: reason})
	}
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		failed, stopped, done := add(srv, "failed", "not_found"), add(srv, "tracking_stopped", ""), add(srv, "created", "")
		slow := add(srv, "in_review", "") // unknown to this version
		const unknown, invalid = "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", "MAEU1"
		start := time.Now()
		time.AfterFunc(5*time.Minute, func() {
			srv.UpdateTrackingRequest(slow, func(r *terminal49test.TrackingRequest) { r.Status = "created" })
		})
		ids := []string{failed, unknown, strings.ToUpper(stopped), invalid, slow, done, strings.ToUpper(slow), failed}
		outcomes, last := map[string]terminal49.WaitOutcome{}, ""
		for o := range testkit.SimulatedClient(t, srv).TrackingRequests.WaitAll(t.Context(), ids, nil) {
			require.NotContains(t, outcomes, o.ID)
			outcomes[o.ID], last = o, o.ID
			require.True(t, o.ID == slow || testkit.Elapsed(start) == 0, "at once")
		}
		require.Len(t, outcomes, 6, "one for each id")
		require.Equal(t, slow, last)
		var failure *terminal49.TrackingFailedError
		require.ErrorAs(t, outcomes[failed].Err, &failure)
		require.Same(t, outcomes[failed].Request, failure.Request)
		require.Equal(t, terminal49.TrackingStopped, outcomes[strings.ToUpper(stopped)].Request.Status)
		require.NoError(t, outcomes[done].Err)
		require.ErrorIs(t, outcomes[unknown].Err, terminal49.ErrNotFound)
		require.ErrorContains(t, outcomes[unknown].Err, unknown)
		require.Nil(t, outcomes[unknown].Request)
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, outcomes[invalid].Err, &argument)
		require.Equal(t, terminal49.TrackingCreated, outcomes[slow].Request.Status)
	})
}

// A list may lag behind (docs/service.md#lagging-lists). Requests that it does not show, or shows
// in an earlier state, are not lost.
func TestWaitAll_AListThatLags(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ids := pendingRequests(srv, 10, time.Minute)
		client := testkit.SimulatedClient(t, srv, testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
			if info, _ := terminal49.CallFromContext(req.Context()); info.Op == listOp {
				return testkit.Answer(http.StatusOK, `{"data":[]}`)(req)
			}
			return next.RoundTrip(req)
		}))
		for _, o := range waitAll(t.Context(), t, client, ids, nil) {
			require.NoError(t, o.Err)
			require.Equal(t, terminal49.TrackingCreated, o.Request.Status)
		}
	})
}

// Any error of the list but a temporary one leaves the requests to be read one by one.
func TestWaitAll_AListThatFails(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ids := pendingRequests(srv, 10, time.Minute)
		srv.AddFault(terminal49test.Fault{Operation: listOp, Status: http.StatusBadRequest, Times: -1})
		for _, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, nil) {
			require.NoError(t, o.Err)
		}
	})
	for failures, want := range map[int]struct {
		err   error
		reads int // of the last request, which may be left alone
	}{terminal49MaxPollFailures - 1: {nil, 1}, terminal49MaxPollFailures: {terminal49.ErrServer, 0}} {
		testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
			ids := pendingRequests(srv, 10, time.Hour)
			srv.AddFault(terminal49test.Fault{Operation: listOp, Status: http.StatusServiceUnavailable, Skip: 1, Times: 4 * failures})
			for _, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, nil) {
				require.ErrorIs(t, o.Err, want.err)
				require.NotNil(t, o.Request, "the last state")
			}
			require.LessOrEqual(t, len(testkit.Received(srv, getOp)), want.reads)
		})
	}
}

// terminal49MaxPollFailures is documented at Wait: up to four temporary errors in a row are
// ignored.
const terminal49MaxPollFailures = 5

func TestWaitAll_EndsWithItsContext(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		ids := pendingRequests(srv, 150, time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		start := time.Now()
		for _, o := range waitAll(ctx, t, testkit.SimulatedClient(t, srv), ids, nil) {
			require.ErrorIs(t, o.Err, context.DeadlineExceeded)
			require.Equal(t, terminal49.TrackingPending, o.Request.Status)
		}
		require.Equal(t, 20*time.Second, testkit.Elapsed(start))
		sent := len(srv.Requests())
		for range testkit.SimulatedClient(t, srv).TrackingRequests.WaitAll(ctx, ids, nil) {
			break
		}
		for _, o := range waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), ids, &terminal49.WaitParams{MinInterval: -1}) {
			var argument *terminal49.ArgumentError
			require.ErrorAs(t, o.Err, &argument)
			require.Equal(t, "MinInterval", argument.Field)
		}
		waitAll(t.Context(), t, testkit.SimulatedClient(t, srv), nil, nil)
		require.Len(t, srv.Requests(), sent)
	})
}

// filter[created_at] is documented (docs/service.md#other-filters), but not whether its bounds are
// inclusive, and a filter may be ignored. The bounds leave a second on each side.
func TestWaitAll_BoundsOfTheList(t *testing.T) {
	const id, other = "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4e"
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		item := func(id, created, status string) string {
			return fmt.Sprintf(`{"id":%q,"type":"tracking_request","attributes":{"request_number":"1","created_at":%q,"status":%q}}`, id, created, status)
		}
		var sent []url.Values
		client := testkit.NewClient(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent = append(sent, req.URL.Query())
			status := []string{"pending", "created"}[len(sent)-1]
			return testkit.Answer(http.StatusOK, `{"data":[`+item(id, "2026-08-10T10:00:00.7Z", status)+`,`+item(other, "2026-08-10T09:59:58.2Z", status)+`]}`)(req)
		}))
		waitAll(t.Context(), t, client, []string{id, other}, nil)
		require.Equal(t, url.Values{"page[size]": {"100"}}, sent[0])
		require.Equal(t, url.Values{"page[size]": {"100"}, "filter[created_at][start]": {"2026-08-10T09:59:57Z"},
			"filter[created_at][end]": {"2026-08-10T10:00:01Z"}}, sent[1])
	})
}
