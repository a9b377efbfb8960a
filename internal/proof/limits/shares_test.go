package limits_test

// Background calls stay within their part of each bucket, and the application's calls do not wait
// for them.

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// received records when the service received the requests of each share.
type received struct {
	mu sync.Mutex
	by map[float64][]terminal49test.Request
}

func (r *received) note() terminal49.Option {
	return testkit.Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		call, _ := terminal49.CallFromContext(req.Context())
		r.mu.Lock()
		r.by[call.Share] = append(r.by[call.Share], terminal49test.Request{At: time.Now()})
		r.mu.Unlock()
		return next.RoundTrip(req)
	})
}

func (r *received) count(share float64) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.by[share])
}

// WithRateLimitShare(0.6) documents that background calls have at most ⌊0.6·limit⌋ requests in any
// minute. They and the application use two clients with one limiter. While the background uses its
// whole part, an application that needs at most the rest waits for one step of the pace: 100 ms.
// When it needs more, the whole budget is used.
func TestLimits_BackgroundLeavesItsPartAlone(t *testing.T) {
	t.Parallel()
	const flight = 400 * time.Millisecond
	quiet, busy := testkit.Scale(6*time.Minute, 40*time.Minute), testkit.Scale(4*time.Minute, 20*time.Minute)
	eachBucket(t, func(t *testing.T, srv *terminal49test.Server, bucket terminal49.Bucket, limit int) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		limiter, err := terminal49.NewLimiter(terminal49.RateLimits{})
		require.NoError(t, err)
		r, call := received{by: map[float64][]terminal49test.Request{}}, oneCall()[bucket]
		var w waits
		opts := []terminal49.Option{terminal49.WithLimiter(limiter), testkit.Distant(flight / 2), r.note()}
		own := testkit.SimulatedClient(t, srv, append(opts, w.note())...)
		background := testkit.SimulatedClient(t, srv, append(opts, terminal49.WithRateLimitShare(0.6))...)
		var all sync.WaitGroup
		for range 2 * limit {
			all.Go(func() {
				var err error
				for err == nil {
					err = call(ctx, background)
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("background: %v", err)
				}
			})
		}
		part := limit * 6 / 10
		start := time.Now()
		for testkit.Elapsed(start) < quiet {
			for range limit - part {
				asked := time.Now()
				require.NoError(t, call(ctx, own))
				require.LessOrEqual(t, testkit.Elapsed(asked), flight+100*time.Millisecond+time.Microsecond)
			}
			testkit.Advance(time.Minute) // so no minute has more than the rest
		}
		require.Greater(t, float64(r.count(0.6))/float64(part), 0.97*testkit.Elapsed(start).Minutes(), "the background uses its part")
		before := len(srv.Requests())
		full, end := context.WithTimeout(ctx, busy)
		defer end()
		demand(full, t, 2*limit, func(ctx context.Context, _ int) error { return call(ctx, own) })
		cancel()
		all.Wait()

		requests, refused := requireWithinLimits(t, srv)
		require.Zero(t, refused)
		require.LessOrEqual(t, worstWindow(r.by[0.6]), part)
		require.Greater(t, figures(t, "a background of 0.6 and full demand", bucket, requests[before:], busy, &w), 0.97)
	})
}

// WithRateLimitShare marks calls, and a call may send many requests: pages that are prefetched,
// retries, redirects, inferences, uploads. Every one has the share of its call; an option of the
// call replaces that of the client.
func TestLimits_EveryRequestHasTheShareOfItsCall(t *testing.T) {
	for name, share := range map[string]struct {
		want float64
		opts []terminal49.CallOption
	}{"the client's": {0.6, nil}, "the call's": {0.25, []terminal49.CallOption{terminal49.WithRateLimitShare(0.25)}},
		"all": {1, []terminal49.CallOption{terminal49.WithRateLimitShare(1)}}} {
		t.Run(name, func(t *testing.T) {
			testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
				r := received{by: map[float64][]terminal49test.Request{}}
				manyRequests(t, srv, testkit.SimulatedClient(t, srv, terminal49.WithRateLimitShare(0.6), r.note()), share.opts)
				sent := slices.DeleteFunc(srv.Requests(), func(r terminal49test.Request) bool {
					return strings.HasPrefix(r.Operation, "storage.") // has no limits
				})
				require.Len(t, r.by, 1)
				require.Len(t, r.by[share.want], len(sent))
				require.Greater(t, len(sent), 12)
			})
		})
	}
}

// manyRequests makes calls that send several requests each.
func manyRequests(t *testing.T, srv *terminal49test.Server, client *terminal49.Client, opts []terminal49.CallOption) {
	for range 7 {
		srv.AddShipment(terminal49test.Shipment{ShippingLine: "MAEU"})
	}
	srv.AddFault(terminal49test.Fault{Operation: "shipments.list", Kind: terminal49test.FaultStatus, Status: 503})
	srv.AddFault(terminal49test.Fault{Operation: "webhooks.list", Kind: terminal49test.FaultRedirect})
	pages := terminal49.PageParams{PageSize: 2}
	prefetched := append([]terminal49.CallOption{terminal49.WithPrefetch(3)}, opts...)
	for _, err := range client.Shipments.All(t.Context(), &terminal49.ShipmentListParams{PageParams: pages}, prefetched...) {
		require.NoError(t, err)
	}
	numbers := terminal49.NumbersToTrack("MSKU7182047")
	for outcome := range client.TrackingRequests.TrackAll(t.Context(), numbers, nil, opts...) {
		require.NoError(t, outcome.Err)
	}
	_, err := client.Webhooks.Ensure(t.Context(), "https://example.com/hook", []terminal49.EventName{terminal49.EventContainerUpdated}, opts...)
	require.NoError(t, err)
	doc, err := client.Documents.Upload(t.Context(), terminal49.DocumentFile{FileName: "a.pdf", Content: strings.NewReader("%PDF-1.4")}, opts...)
	require.NoError(t, err)
	_, err = client.Documents.Download(t.Context(), doc.ID, io.Discard, opts...)
	require.NoError(t, err)
}
