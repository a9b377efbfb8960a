package terminal49_test

// These tests are about the options of the limits and the contract of Limiter.
// internal/proof/limits proves that the limits hold.

import (
	"context"
	"errors"
	"math"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func limitedClient(t *testing.T, rt http.RoundTripper, opts ...terminal49.Option) *terminal49.Client {
	t.Helper()
	client, err := terminal49.New(testkit.Token,
		append([]terminal49.Option{terminal49.WithBaseURL(testkit.Base),
			terminal49.WithHTTPClient(&http.Client{Transport: rt})}, opts...)...)
	require.NoError(t, err)
	return client
}

// sendingTimes sends n refreshes one after another and returns the time of each.
func sendingTimes(t *testing.T, n int, opts ...terminal49.Option) (times []time.Duration) {
	t.Helper()
	start := time.Now()
	rt := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		times = append(times, time.Since(start))
		return testkit.Answer(200, `{"message":"m"}`)(nil)
	})
	client := limitedClient(t, rt, opts...)
	for range n {
		_, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
		require.NoError(t, err)
	}
	return times
}

func TestLimitsOption_TakesEffect(t *testing.T) {
	for name, test := range map[string]struct {
		opts []terminal49.Option
		at   []time.Duration // when requests 10, 11 and 12 are sent, not sooner
	}{
		"documented": {nil, []time.Duration{0, time.Minute, time.Minute}},
		"raised": {[]terminal49.Option{terminal49.WithRateLimits(terminal49.RateLimits{Refresh: 11})},
			[]time.Duration{0, 0, time.Minute}},
		"paced": {[]terminal49.Option{terminal49.WithRateLimits(terminal49.RateLimits{Refresh: 100, PerSecond: 1,
			Burst: 10})}, []time.Duration{0, time.Second, 2 * time.Second}},
		"none": {[]terminal49.Option{terminal49.WithoutRateLimits()}, []time.Duration{0, 0, 0}},
		"shared": {[]terminal49.Option{terminal49.WithLimiter(newLimiter(t, terminal49.RateLimits{Refresh: 11}))},
			[]time.Duration{0, 0, time.Minute}},
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

func TestLimitsOption_OneLimiterForTwoClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := terminal49.WithLimiter(newLimiter(t, terminal49.RateLimits{}))
		start := time.Now()
		require.Less(t, sendingTimes(t, 10, shared)[9], time.Second)
		sendingTimes(t, 1, shared)
		require.GreaterOrEqual(t, time.Since(start), time.Minute, "the second client found the budget spent")
	})
}

func TestLimitsOption_AWaitBeyondTheDeadlineIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := limitedClient(t, testkit.Answer(200, `{"message":"m"}`))
		for range 10 {
			_, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
			require.NoError(t, err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err := client.Containers.Refresh(ctx, testkit.ContainerID)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorContains(t, err, "refresh")
		require.False(t, terminal49.IsOutcomeUnknown(err), "nothing was sent")
		require.Zero(t, time.Since(start))
		_, err = client.ShippingLines.List(t.Context())
		require.Error(t, err, "another bucket is open, and answers")
		require.NotErrorIs(t, err, context.DeadlineExceeded)
	})
}

func newLimiter(t *testing.T, l terminal49.RateLimits) terminal49.Limiter {
	t.Helper()
	limiter, err := terminal49.NewLimiter(l)
	require.NoError(t, err)
	return limiter
}

func TestNewLimiter_RefusesInvalidLimits(t *testing.T) {
	_, err := terminal49.NewLimiter(terminal49.RateLimits{Refresh: -1})
	var bad *terminal49.ArgumentError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, "WithRateLimits", bad.Field)
}

// Issue 28, E3: a limit of math.MaxInt overflowed and meant one request a minute.
func TestLimits_AtMost1000(t *testing.T) {
	for field, limits := range map[string]func(n int) terminal49.RateLimits{
		"Default": func(n int) terminal49.RateLimits { return terminal49.RateLimits{Default: n} },
		"Create":  func(n int) terminal49.RateLimits { return terminal49.RateLimits{Create: n} },
		"Infer":   func(n int) terminal49.RateLimits { return terminal49.RateLimits{Infer: n} },
		"Refresh": func(n int) terminal49.RateLimits { return terminal49.RateLimits{Refresh: n} },
	} {
		for n, refused := range map[int]bool{
			0: false, 1: false, 1_000: false, 1_001: true, math.MaxInt: true, -1: true, math.MinInt: true,
		} {
			for name, make := range map[string]func() error{
				"NewLimiter": func() error { _, err := terminal49.NewLimiter(limits(n)); return err },
				"New":        func() error { _, err := terminal49.New("key", terminal49.WithRateLimits(limits(n))); return err },
			} {
				err := make()
				if !refused {
					require.NoError(t, err, "%s %s %d", name, field, n)
					continue
				}
				var argument *terminal49.ArgumentError
				require.ErrorAs(t, err, &argument, "%s %s %d", name, field, n)
				require.Equal(t, name, argument.Op)
				require.Contains(t, argument.Problem, field+" must")
				require.Contains(t, argument.Problem, "WithoutRateLimits turns limits off")
			}
		}
	}
}

// The largest limit is usable at once by a client whose pace allows it.
func TestLimits_TheLargestIsUsable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := newLimiter(t, terminal49.RateLimits{Refresh: 1_000, PerSecond: math.MaxFloat64, Burst: math.MaxInt})
		start := time.Now()
		for range 1_000 {
			release, err := limiter.Acquire(t.Context(), terminal49.BucketRefresh)
			require.NoError(t, err)
			release()
		}
		require.Zero(t, time.Since(start))
		_, err := limiter.Acquire(t.Context(), terminal49.BucketRefresh)
		require.NoError(t, err)
		require.Equal(t, time.Minute, time.Since(start))
	})
}

// notingLimiter records its calls.
type notingLimiter struct {
	mu       sync.Mutex
	acquired []terminal49.Bucket
	released int
	paused   map[terminal49.Bucket]time.Duration
	err      error
	wait     time.Duration // in Acquire, ignoring the context
	panics   bool          // in Acquire
}

func (l *notingLimiter) returned() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.released
}

func (l *notingLimiter) Acquire(_ context.Context, b terminal49.Bucket) (func(), error) {
	time.Sleep(l.wait)
	if l.panics {
		panic("in the limiter")
	}
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

func (l *notingLimiter) Pause(b terminal49.Bucket, d time.Duration) {
	l.paused = map[terminal49.Bucket]time.Duration{b: d}
}

func TestLimiter_EveryAttemptAcquires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := &notingLimiter{}
		rt, _ := testkit.Failing(2)
		_, err := limitedClient(t, rt, terminal49.WithLimiter(limiter)).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
		require.NoError(t, err)
		require.Equal(t, []terminal49.Bucket{terminal49.BucketDefault, terminal49.BucketDefault,
			terminal49.BucketDefault}, limiter.acquired)
		require.Equal(t, 3, limiter.released)
	})
}

func TestLimiter_Buckets(t *testing.T) {
	for _, c := range testkit.EveryCall() {
		api, limiter := testkit.NewFakeAPI(), &notingLimiter{}
		api.On(c.Method, c.Path, 200, c.Reply)
		require.NoError(t, c.Do(t.Context(), limitedClient(t, api, terminal49.WithLimiter(limiter))))
		want := map[string]terminal49.Bucket{
			"tracking_requests.create": terminal49.BucketCreate, "tracking_requests.infer": terminal49.BucketInfer,
			"containers.refresh": terminal49.BucketRefresh,
		}[c.Op]
		if want == "" {
			want = terminal49.BucketDefault
		}
		require.Equal(t, []terminal49.Bucket{want}, limiter.acquired, c.Op)
	}
}

func TestLimiter_ThatRefuses(t *testing.T) {
	refusal := errors.New("the fleet is busy")
	limiter, api := &notingLimiter{err: refusal}, testkit.NewFakeAPI()
	_, err := limitedClient(t, api, terminal49.WithLimiter(limiter)).TrackingRequests.Create(t.Context(),
		testkit.FullCreate())
	require.ErrorIs(t, err, refusal)
	require.False(t, terminal49.IsOutcomeUnknown(err), "nothing was sent")
	require.Empty(t, api.Requests())
	require.Len(t, limiter.acquired, 1, "a refusal is final")
}

func TestLimiter_A429PausesItsBucket(t *testing.T) {
	limiter := &notingLimiter{}
	client := limitedClient(t, rateLimited("7"), terminal49.WithLimiter(limiter), terminal49.WithMaxAttempts(1))
	_, err := client.Containers.Refresh(t.Context(), testkit.ContainerID)
	require.ErrorIs(t, err, terminal49.ErrRateLimited)
	require.Equal(t, map[terminal49.Bucket]time.Duration{terminal49.BucketRefresh: 7 * time.Second}, limiter.paused)
}

// A slow limiter that ignores the context delays the end of a call, but nothing is sent for a call
// that is over.
func TestLimiter_ThatIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter, api := &notingLimiter{wait: 5 * time.Second}, testkit.NewFakeAPI()
		api.On(http.MethodGet, "/shipments", http.StatusOK, testkit.ShipmentPage(""))
		client := limitedClient(t, api, terminal49.WithLimiter(limiter))
		require.NoError(t, testkit.First(client.Shipments.List(t.Context(), nil)))
		require.Len(t, api.Requests(), 1)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := client.Shipments.List(ctx, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.False(t, terminal49.IsOutcomeUnknown(err))
		require.Len(t, api.Requests(), 1)
		require.Len(t, limiter.acquired, 2)
		require.Equal(t, 2, limiter.returned(), "what was given is given back, used or not")
	})
}

// release is called once for each successful Acquire, after any outcome of the attempt: a
// response, a failure, a timeout, a cancellation in transit (two seconds later, when the request
// must have arrived) or a panic.
func TestLimiter_EveryReleaseIsCalledOnce(t *testing.T) {
	hang := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	})
	broken := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("connection reset")
	})
	bomb := testkit.RoundTripper(func(*http.Request) (*http.Response, error) { panic("in the transport") })
	for name, c := range map[string]struct {
		rt   testkit.RoundTripper
		late time.Duration
		opts []terminal49.Option
	}{
		"answered":  {testkit.Answer(http.StatusOK, testkit.ShipmentPage("")), 0, nil},
		"refused":   {rateLimited("7"), 0, nil},
		"failed":    {broken, 0, nil},
		"timed out": {hang, 2 * time.Second, []terminal49.Option{terminal49.WithAttemptTimeout(time.Second)}},
		"given up":  {hang, 2 * time.Second, nil},
		"panic":     {bomb, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limiter := &notingLimiter{}
				client := limitedClient(t, c.rt,
					append(c.opts, terminal49.WithLimiter(limiter), terminal49.WithMaxAttempts(1))...)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				func() {
					defer func() { _ = recover() }()
					_, _ = client.Shipments.List(ctx, nil)
				}()
				if c.late > 0 {
					time.Sleep(c.late - 1)
					require.Zero(t, limiter.returned())
					time.Sleep(time.Nanosecond)
					synctest.Wait()
				}
				require.Equal(t, 1, limiter.returned())
				time.Sleep(time.Hour)
				require.Equal(t, 1, limiter.returned())
			})
		})
	}
}

// A panic in user code reaches the caller and loses no slot of the built-in limiter. A panic of a
// limiter does not make the client unusable.
func TestLimiter_APanicCostsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		rt := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			if calls++; calls <= 10 {
				panic("in the transport")
			}
			return testkit.Answer(http.StatusOK, `{"message":"m"}`)(nil)
		})
		client, start := limitedClient(t, rt), time.Now()
		for range 10 {
			require.Panics(t, func() { _, _ = client.Containers.Refresh(t.Context(), testkit.ContainerID) })
		}
		for range 10 {
			require.NoError(t, testkit.First(client.Containers.Refresh(t.Context(), testkit.ContainerID)))
		}
		require.Equal(t, time.Minute, time.Since(start), "all ten slots are back a minute after the panics")

		limiter := &notingLimiter{panics: true}
		client = limitedClient(t, testkit.Answer(http.StatusOK, `{"message":"m"}`), terminal49.WithLimiter(limiter))
		require.Panics(t, func() { _, _ = client.Containers.Refresh(t.Context(), testkit.ContainerID) })
		limiter.panics = false
		require.NoError(t, testkit.First(client.Containers.Refresh(t.Context(), testkit.ContainerID)))
		require.Equal(t, 1, limiter.returned())
	})
}
