package terminal49_test

import (
	"context"
	"math"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
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
				require.Equal(t, c.permanent, failure.Permanent())
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
