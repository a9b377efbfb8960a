package limits_test

// The tests count on the service's side, from the times at which it received requests, against the
// documented limits. They use neither the client's limiter nor the simulator's counter.

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
)

// perMinute returns the documented limits: requests in any 60 seconds.
func perMinute() map[terminal49.Bucket]int {
	return map[terminal49.Bucket]int{terminal49.BucketDefault: 100, terminal49.BucketCreate: 100,
		terminal49.BucketInfer: 200, terminal49.BucketRefresh: 10}
}

// answered counts the requests by the status of the response.
func answered(requests []terminal49test.Request) map[int]int {
	count := map[int]int{}
	for _, r := range requests {
		count[r.Status]++
	}
	return count
}

// inBucket returns the requests of a bucket, according to the catalogue.
func inBucket(bucket terminal49.Bucket, requests []terminal49test.Request) []terminal49test.Request {
	member := map[string]bool{}
	for _, o := range operation.All() {
		member[o.Name] = terminal49.Bucket(o.Bucket) == bucket
	}
	return slices.DeleteFunc(slices.Clone(requests), func(r terminal49test.Request) bool { return !member[r.Operation] })
}

// worstWindow returns the maximum number of requests that the service received in any 60 seconds.
// Like the service, it does not count refused requests; a request that is exactly 60 seconds old is
// outside the window.
func worstWindow(requests []terminal49test.Request) (worst int) {
	var window []time.Time
	for _, r := range requests {
		if r.Status == http.StatusTooManyRequests {
			continue
		}
		window = append(window, r.At)
		for r.At.Sub(window[0]) >= time.Minute {
			window = window[1:]
		}
		worst = max(worst, len(window))
	}
	return worst
}

// requireWithinLimits fails if any bucket received more than its limit in any 60 seconds. The
// number of refusals must be as given: none if the key is not shared.
func requireWithinLimits(t *testing.T, srv *terminal49test.Server) (requests []terminal49test.Request, refused int) {
	t.Helper()
	requests = srv.Requests()
	for bucket, limit := range perMinute() {
		require.LessOrEqual(t, worstWindow(inBucket(bucket, requests)), limit, "bucket %s, most requests in 60 s", bucket)
	}
	return requests, answered(requests)[http.StatusTooManyRequests]
}

// figures reports how much of a bucket's budget was used over a span, and returns that share.
func figures(t *testing.T, scenario string, bucket terminal49.Bucket, requests []terminal49test.Request,
	span time.Duration, w *waits) float64 {
	t.Helper()
	mine, limit := inBucket(bucket, requests), perMinute()[bucket]
	budget := limit * int(span/time.Minute)
	share := float64(len(mine)) / float64(budget)
	t.Logf("figure: limits: %s: %s: %d of %d requests in %v (%.2f %%), worst window %d of %d, longest wait %v",
		bucket, scenario,
		len(mine), budget, span, 100*share, worstWindow(mine), limit, w.longest(bucket).Round(time.Millisecond))
	return share
}

// The count must be able to fail: it finds the one window that is too full, and ends windows
// exactly.
func TestLimits_WorstWindow(t *testing.T) {
	start := time.Now()
	at := func(status int, times ...time.Duration) (list []terminal49test.Request) {
		for _, d := range times {
			list = append(list, terminal49test.Request{At: start.Add(d), Status: status})
		}
		return list
	}
	m := time.Minute
	require.Equal(t, 0, worstWindow(nil))
	require.Equal(t, 2, worstWindow(at(200, 0, m-1, m, 2*m)), "the first is out when the third comes")
	require.Equal(t, 3, worstWindow(at(503, 0, 2*m, 2*m+1, 3*m-1, 3*m)), "a window may begin anywhere")
	require.Equal(t, 1, worstWindow(slices.Concat(at(200, 0), at(429, 1, 2), at(200, m))))
	require.Len(t, inBucket(terminal49.BucketInfer,
		[]terminal49test.Request{{Operation: "shipments.get"}, {Operation: "tracking_requests.infer"}}), 1)
}

// waits records how long requests waited for the limiter.
type waits struct {
	mu sync.Mutex
	by map[terminal49.Bucket]time.Duration
}

func (w *waits) note() terminal49.Option {
	return terminal49.WithHooks(terminal49.Hooks{OnAttempt: func(_ context.Context, a terminal49.Attempt) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.by == nil {
			w.by = map[terminal49.Bucket]time.Duration{}
		}
		w.by[a.Bucket] = max(w.by[a.Bucket], a.LimiterWait)
	}})
}

func (w *waits) longest(b terminal49.Bucket) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.by[b]
}

// demand makes callers call again after each response, until ctx ends, and returns the number of
// responses of each.
func demand(ctx context.Context, t *testing.T, callers int, do func(ctx context.Context, caller int) error) []int {
	calls := make([]int, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for {
				err := do(ctx, i)
				if errors.Is(err, context.DeadlineExceeded) || !assertNoError(t, err) {
					return
				}
				calls[i]++
			}
		})
	}
	all.Wait()
	return calls
}

func assertNoError(t *testing.T, err error) bool {
	if err != nil {
		t.Errorf("unexpected error: %v", err)
	}
	return err == nil
}
