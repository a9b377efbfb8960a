package limits_test

// The documented limits hold and nearly the whole budget is used, at any demand. Other tests
// are in fairness_test.go, cancel_test.go and shared_test.go.

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// unpaced turns the pace off: a budget is used at once, which tests the edges of windows.
func unpaced() terminal49.RateLimits { return terminal49.RateLimits{PerSecond: 1e6, Burst: 1e6} }

// oneCall makes one call in a bucket. Each creation is of another number and leads to a shipment.
func oneCall() map[terminal49.Bucket]func(context.Context, *terminal49.Client) error {
	var numbers atomic.Int64
	return map[terminal49.Bucket]func(context.Context, *terminal49.Client) error{
		terminal49.BucketDefault: func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Shipments.Get(ctx, testkit.ShipmentID, nil))
		},
		terminal49.BucketInfer: func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.TrackingRequests.Infer(ctx, testkit.SureNumber))
		},
		terminal49.BucketRefresh: func(ctx context.Context, c *terminal49.Client) error {
			return testkit.First(c.Containers.Refresh(ctx, testkit.ContainerID))
		},
		terminal49.BucketCreate: func(ctx context.Context, c *terminal49.Client) error {
			r := testkit.SureRequest()
			r.RequestNumber = fmt.Sprintf("MAEU%09d", numbers.Add(1))
			return testkit.First(c.TrackingRequests.Create(ctx, r))
		},
	}
}

// eachBucket runs a scenario on each bucket, each against its own service with the resources that
// oneCall requests.
func eachBucket(t *testing.T, test func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int)) {
	for bucket, limit := range perMinute() {
		t.Run(string(bucket), func(t *testing.T) {
			t.Parallel()
			busy(t, func(t *testing.T, srv *terminal49test.Server) { test(t, srv, bucket, limit) })
		})
	}
}

// busy is simulated with the resources that oneCall requests.
func busy(t *testing.T, test func(*testing.T, *terminal49test.Server)) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		srv.AddShippingLine(terminal49test.ShippingLine{SCAC: "MAEU", Name: "Maersk", BillOfLadingTrackingSupport: true})
		srv.AddShipment(terminal49test.Shipment{ID: testkit.ShipmentID, BillOfLadingNumber: testkit.SureNumber,
			ShippingLine: "MAEU"})
		srv.AddContainer(terminal49test.Container{ID: testkit.ContainerID, Number: "MSCU1234566",
			Shipment: testkit.ShipmentID})
		srv.Script(testkit.SureNumber,
			terminal49test.Journey{Inference: &terminal49test.Inference{SCAC: "MAEU", Confidence: 0.98}})
		test(t, srv)
	}, terminal49test.WithoutReferenceData())
}

// With a near service and no pace, every slot is used again at once, so that an hour's whole budget
// is used. Each of three callers per slot gets its turns.
func TestLimits_FullDemandNearby(t *testing.T) {
	span, flight := testkit.Scale(10*time.Minute, time.Hour), 2*time.Millisecond
	t.Parallel()
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		ctx, cancel := context.WithTimeout(t.Context(), span)
		defer cancel()
		var w waits
		client, call := testkit.SimulatedClient(t, srv, testkit.Distant(flight/2), terminal49.WithRateLimits(unpaced()),
			w.note()), oneCall()[bucket]
		calls := demand(ctx, t, 3*limit, func(ctx context.Context, _ int) error { return call(ctx, client) })
		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		require.InDelta(t, 1, figures(t, "nearby, without a pace", bucket, requests, span, &w), 1e-9)
		requireFair(t, "nearby, without a pace", bucket, calls, leastShare(3*limit, limit, flight, unpaced()))
		require.LessOrEqual(t, w.longest(bucket), longestTurn(3*limit-1, limit, flight, unpaced().PerSecond))
	})
}

// All buckets at once on one client, every kind of call in the default bucket, and a service up to
// a second away in either direction. A slot is freed a minute after its response, up to two seconds
// later than at the service: with one second on average, 60/61 of the budget can be used.
func TestLimits_FullDemandOnAllBuckets(t *testing.T) {
	t.Parallel()
	busy(t, func(t *testing.T, srv *terminal49test.Server) {
		span := testkit.Scale(10*time.Minute, time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), span)
		defer cancel()
		var w waits
		client, calls := testkit.SimulatedClient(t, srv, testkit.Distant(time.Second), w.note()), oneCall()
		mixed := []func(context.Context) error{
			func(ctx context.Context) error { return calls[terminal49.BucketDefault](ctx, client) },
			func(ctx context.Context) error { return testkit.First(client.ShippingLines.List(ctx)) },
			func(ctx context.Context) error {
				return testkit.First(client.Containers.Get(ctx, testkit.ContainerID, nil))
			},
			func(ctx context.Context) error {
				return testkit.First(client.Shipments.Update(ctx, testkit.ShipmentID,
					terminal49.ShipmentUpdate{Tags: terminal49.Some([]string{"hot"})}))
			},
			func(ctx context.Context) error { return testkit.First(client.Parties.List(ctx, nil)) },
			func(ctx context.Context) error {
				return testkit.First(client.Containers.TransportEvents(ctx, testkit.ContainerID, nil))
			},
		}
		var all sync.WaitGroup
		for bucket, limit := range perMinute() {
			all.Go(func() {
				demand(ctx, t, limit*5/4, func(ctx context.Context, caller int) error {
					if bucket == terminal49.BucketDefault {
						return mixed[caller%len(mixed)](ctx)
					}
					return calls[bucket](ctx, client)
				})
			})
		}
		all.Wait()
		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		for bucket := range perMinute() {
			require.Greater(t, figures(t, "all buckets at once, up to 2 s away", bucket, requests, span, &w), 0.97, bucket)
		}
	})
}

// The first calls of a fresh client wait for nothing but the pace.
func TestLimits_FreshClient(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client, start := testkit.SimulatedClient(t, srv), time.Now()
		for i := range 60 {
			require.NoError(t, testkit.First(client.Shipments.List(t.Context(), nil)))
			paced := max(0, time.Duration(i+1-20)*100*time.Millisecond) // 20 at once, then 10 a second
			require.InDelta(t, paced, testkit.Elapsed(start), float64(time.Millisecond), "call %d", i)
		}
	})
}

// A bucket with hundreds of waiters does not delay calls in another.
func TestLimits_AFullBucketDelaysNoOther(t *testing.T) {
	for full, limit := range perMinute() {
		busy(t, func(t *testing.T, srv *terminal49test.Server) {
			ctx, cancel := context.WithCancel(t.Context())
			client, calls := testkit.SimulatedClient(t, srv), oneCall()
			var inLine sync.WaitGroup
			for range limit + 300 {
				inLine.Go(func() { _ = calls[full](ctx, client) })
			}
			testkit.Advance(30 * time.Second)
			require.Len(t, srv.Requests(), limit, "the rest are in line")
			start := time.Now()
			for other := range perMinute() {
				if other != full {
					require.NoError(t, calls[other](t.Context(), client))
				}
			}
			require.Zero(t, testkit.Elapsed(start), "while %s is full", full)
			cancel()
			inLine.Wait()
			require.Zero(t, testkit.Elapsed(start))
		})
	}
}
