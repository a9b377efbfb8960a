package terminal49test_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A call returns at once when its context ends, in every phase.
func TestSimulator_CancellationInEveryPhase(t *testing.T) {
	for name, c := range map[string]struct {
		fault terminal49test.Fault
		spend int // calls before
		opts  []terminal49.Option
	}{
		"waiting for the budget": {spend: 100},
		"waiting for the pace": {spend: 1,
			opts: []terminal49.Option{terminal49.WithRateLimits(terminal49.RateLimits{PerSecond: 0.01, Burst: 1})}},
		"waiting for the header": {fault: terminal49test.Fault{Kind: terminal49test.FaultStallHeaders}},
		"reading the body":       {fault: terminal49test.Fault{Kind: terminal49test.FaultStallBody}},
		"waiting for a slow answer": {fault: terminal49test.Fault{Kind: terminal49test.FaultSlow,
			Delay: 20 * time.Second}},
		"waiting as Retry-After says": {fault: terminal49test.Fault{Status: 503,
			RetryAfter: terminal49test.RetryAfterSeconds(time.Minute)}},
		"backing off": {
			fault: terminal49test.Fault{Kind: terminal49test.FaultRefuse, Times: -1},
			opts: []terminal49.Option{terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 1000,
				MinBackoff: time.Minute, MaxBackoff: time.Minute})},
		},
	} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				srv.AddShipment(terminal49test.Shipment{ID: testkit.ShipmentID, BillOfLadingNumber: "MAEU123"})
				client := testkit.SimulatedClient(t, srv, c.opts...)
				for range c.spend {
					require.NoError(t, testkit.First(client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)))
				}
				if c.spend == 0 {
					srv.AddFault(c.fault)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				time.AfterFunc(10*time.Second, cancel)
				start := time.Now()
				err := testkit.First(client.Shipments.Get(ctx, testkit.ShipmentID, nil))
				require.ErrorIs(t, err, context.Canceled)
				require.Equal(t, 10*time.Second, testkit.Elapsed(start))
			})
		})
	}
}

// An error has the text of every shape of body, or the status if the body has none.
func TestSimulator_ErrorShapes(t *testing.T) {
	const words = "the crane is broken"
	for shape, hasText := range map[terminal49test.ErrorShape]bool{
		terminal49test.ShapeFull: true, terminal49test.ShapeTitleOnly: true, terminal49test.ShapeNoTitle: true,
		terminal49test.ShapeDetailOnly: true, terminal49test.ShapeNullDetail: true, terminal49test.ShapeNullSource: true,
		terminal49test.ShapeSingularKey: true, terminal49test.ShapeErrorText: true, terminal49test.ShapeErrorsText: true,
		terminal49test.ShapeMessage: true, terminal49test.ShapeDetailText: true,
		terminal49test.ShapeHTML: false, terminal49test.ShapeEmpty: false, terminal49test.ShapeMalformedJSON: false,
	} {
		t.Run(string("shape "+shape), func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				srv.AddFault(terminal49test.Fault{Status: 422, Shape: shape, Title: words, Detail: words})
				err := testkit.First(testkit.SimulatedClient(t, srv).Shipments.Get(t.Context(), testkit.ShipmentID, nil))
				require.ErrorIs(t, err, terminal49.ErrInvalid)
				require.ErrorContains(t, err, "422")
				if hasText {
					require.ErrorContains(t, err, words)
				}
			})
		})
	}
}

// A wait beyond the caller's deadline is not started.
func TestSimulator_RetryAfterBeyondTheDeadline(t *testing.T) {
	for _, call := range testkit.FaultyCalls() {
		for name, limit := range map[string]time.Duration{"deadline": time.Second, "no deadline": 0} {
			t.Run(call.Name+"/"+name, func(t *testing.T) {
				testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
					srv.AddFault(terminal49test.Fault{Status: http.StatusTooManyRequests,
						RetryAfter: terminal49test.RetryAfterSeconds(time.Hour)})
					ctx := t.Context()
					if limit > 0 {
						var cancel context.CancelFunc
						ctx, cancel = context.WithTimeout(ctx, limit)
						defer cancel()
					}
					start := time.Now()
					err := call.Do(ctx, testkit.SimulatedClient(t, srv))
					require.Zero(t, testkit.Elapsed(start))
					require.ErrorIs(t, err, terminal49.ErrRateLimited)
					require.NotErrorIs(t, err, context.DeadlineExceeded)
					var answer *terminal49.APIError
					require.ErrorAs(t, err, &answer)
					require.Equal(t, terminal49.Some(time.Hour), answer.RetryAfter)
					require.False(t, terminal49.IsOutcomeUnknown(err))
				})
			})
		}
	}
}

// A creation whose response is lost is sent once; one that is rate limited is sent again.
func TestSimulator_CreationIsNeverDoubled(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		srv.AddFault(terminal49test.Fault{Operation: "tracking_requests.create", Kind: terminal49test.FaultDrop, Acted: true})
		_, err := client.TrackingRequests.Create(t.Context(), testkit.SureRequest())
		require.True(t, terminal49.IsOutcomeUnknown(err))
		page, err := client.TrackingRequests.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv)
		srv.AddFault(terminal49test.Fault{
			Operation: "tracking_requests.create", Status: http.StatusTooManyRequests,
			RetryAfter: terminal49test.RetryAfterSeconds(time.Minute),
		})
		_, err := client.TrackingRequests.Create(t.Context(), testkit.SureRequest())
		require.NoError(t, err)
		page, err := client.TrackingRequests.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
	})
}

// If the context ends in the wait between two attempts, the error has the response of the first
// one.
func TestSimulator_CancelledRetryKeepsTheLastResponse(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddFault(terminal49test.Fault{Status: http.StatusTooManyRequests,
			RetryAfter: terminal49test.RetryAfterSeconds(time.Minute)})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(10*time.Second, cancel)
		start := time.Now()
		_, err := testkit.SimulatedClient(t, srv).Shipments.Get(ctx, testkit.ShipmentID, nil)
		require.Equal(t, 10*time.Second, testkit.Elapsed(start))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, terminal49.ErrRateLimited)
	})
}
