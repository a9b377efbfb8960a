package terminal49

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// notingLimiter notes what it is asked for.
type notingLimiter struct {
	mu       sync.Mutex
	acquired []Bucket
	released int
	paused   map[Bucket]time.Duration
	err      error
}

func (l *notingLimiter) Acquire(_ context.Context, b Bucket) (func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acquired = append(l.acquired, b)
	if l.err != nil {
		return nil, l.err
	}
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.released++
	}, nil
}

func (l *notingLimiter) Pause(b Bucket, d time.Duration) { l.paused = map[Bucket]time.Duration{b: d} }

func limitedClient(t *testing.T, rt http.RoundTripper, opts ...Option) *Client {
	t.Helper()
	client, err := New(testToken, append([]Option{WithBaseURL(testBase), WithHTTPClient(&http.Client{Transport: rt})}, opts...)...)
	require.NoError(t, err)
	return client
}

func TestEveryAttemptAsksTheLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := &notingLimiter{}
		rt, _ := failing(2)
		_, err := limitedClient(t, rt, WithLimiter(limiter)).Shipments.Get(t.Context(), shipmentID, nil)
		require.NoError(t, err)
		require.Equal(t, []Bucket{BucketDefault, BucketDefault, BucketDefault}, limiter.acquired)
		require.Equal(t, 3, limiter.released)
	})
}

func TestBuckets(t *testing.T) {
	for _, c := range everyCall() {
		api, limiter := newFakeAPI(), &notingLimiter{}
		api.on(c.method, c.path, 200, c.reply)
		require.NoError(t, c.do(t.Context(), limitedClient(t, api, WithLimiter(limiter))))
		want := map[string]Bucket{
			"tracking_requests.create": BucketCreate, "tracking_requests.infer": BucketInfer, "containers.refresh": BucketRefresh,
		}[c.op]
		if want == "" {
			want = BucketDefault
		}
		require.Equal(t, []Bucket{want}, limiter.acquired, c.op)
	}
}

func TestALimiterThatRefuses(t *testing.T) {
	refusal := errors.New("the fleet is busy")
	limiter, api := &notingLimiter{err: refusal}, newFakeAPI()
	_, err := limitedClient(t, api, WithLimiter(limiter)).TrackingRequests.Create(t.Context(), fullCreate())
	require.ErrorIs(t, err, refusal)
	require.False(t, IsOutcomeUnknown(err), "nothing was sent")
	require.Empty(t, api.requests())
	require.Len(t, limiter.acquired, 1, "a refusal is final")
}

func TestA429PausesItsBucket(t *testing.T) {
	limiter := &notingLimiter{}
	client := limitedClient(t, rateLimited("7"), WithLimiter(limiter), WithoutRetries())
	_, err := client.Containers.Refresh(t.Context(), containerID)
	require.ErrorIs(t, err, ErrRateLimited)
	require.Equal(t, map[Bucket]time.Duration{BucketRefresh: 7 * time.Second}, limiter.paused)
}

// sendingTimes has n refreshes sent one after another and returns when each was.
func sendingTimes(t *testing.T, n int, opts ...Option) (times []time.Duration) {
	t.Helper()
	start := time.Now()
	rt := roundTripper(func(*http.Request) (*http.Response, error) {
		times = append(times, time.Since(start))
		return answer(200, `{"message":"m"}`)(nil)
	})
	client := limitedClient(t, rt, opts...)
	for range n {
		_, err := client.Containers.Refresh(t.Context(), containerID)
		require.NoError(t, err)
	}
	return times
}

func TestLimitsTakeEffect(t *testing.T) {
	for name, test := range map[string]struct {
		opts []Option
		at   []time.Duration // when requests 10, 11 and 12 are sent, not sooner
	}{
		"documented": {nil, []time.Duration{0, time.Minute, time.Minute}},
		"raised":     {[]Option{WithLimits(Limits{Refresh: 11})}, []time.Duration{0, 0, time.Minute}},
		"paced":      {[]Option{WithLimits(Limits{Refresh: 100, PerSecond: 1, Burst: 10})}, []time.Duration{0, time.Second, 2 * time.Second}},
		"none":       {[]Option{WithoutLimits()}, []time.Duration{0, 0, 0}},
		"shared":     {[]Option{WithLimiter(newLimiter(t, Limits{Refresh: 11}))}, []time.Duration{0, 0, time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				times := sendingTimes(t, 12, test.opts...)
				for i, want := range test.at {
					got := times[9+i]
					require.GreaterOrEqual(t, got, want)
					require.Less(t, got, want+time.Second)
				}
			})
		})
	}
}

func TestOneLimiterForTwoClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := WithLimiter(newLimiter(t, Limits{}))
		start := time.Now()
		require.Less(t, sendingTimes(t, 10, shared)[9], time.Second)
		sendingTimes(t, 1, shared)
		require.GreaterOrEqual(t, time.Since(start), time.Minute, "the second client found the budget spent")
	})
}

func TestAWaitBeyondTheDeadlineIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := limitedClient(t, answer(200, `{"message":"m"}`))
		for range 10 {
			_, err := client.Containers.Refresh(t.Context(), containerID)
			require.NoError(t, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Containers.Refresh(ctx, containerID)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Zero(t, time.Since(start))
		_, err = client.ShippingLines.List(t.Context())
		require.Error(t, err, "another bucket is open, and answers")
		require.NotErrorIs(t, err, context.DeadlineExceeded)
	})
}

func newLimiter(t *testing.T, l Limits) Limiter {
	t.Helper()
	limiter, err := NewLimiter(l)
	require.NoError(t, err)
	return limiter
}

func TestNewLimiterRefusesNonsense(t *testing.T) {
	_, err := NewLimiter(Limits{Refresh: -1})
	var bad *ArgumentError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "WithLimits", bad.Field)
}
