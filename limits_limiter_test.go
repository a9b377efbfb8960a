package terminal49

// What a Limiter that is not the built-in one may rely on, and what the client can rely on when it misbehaves.

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
	wait     time.Duration // in Acquire, whatever the context says
	panics   bool          // in Acquire
}

func (l *notingLimiter) returned() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.released
}

func (l *notingLimiter) Acquire(_ context.Context, b Bucket) (func(), error) {
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

func (l *notingLimiter) Pause(b Bucket, d time.Duration) { l.paused = map[Bucket]time.Duration{b: d} }

func TestLimiter_EveryAttemptAcquires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := &notingLimiter{}
		rt, _ := failing(2)
		_, err := limitedClient(t, rt, WithLimiter(limiter)).Shipments.Get(t.Context(), shipmentID, nil)
		require.NoError(t, err)
		require.Equal(t, []Bucket{BucketDefault, BucketDefault, BucketDefault}, limiter.acquired)
		require.Equal(t, 3, limiter.released)
	})
}

func TestLimiter_Buckets(t *testing.T) {
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

func TestLimiter_ThatRefuses(t *testing.T) {
	refusal := errors.New("the fleet is busy")
	limiter, api := &notingLimiter{err: refusal}, newFakeAPI()
	_, err := limitedClient(t, api, WithLimiter(limiter)).TrackingRequests.Create(t.Context(), fullCreate())
	require.ErrorIs(t, err, refusal)
	require.False(t, IsOutcomeUnknown(err), "nothing was sent")
	require.Empty(t, api.requests())
	require.Len(t, limiter.acquired, 1, "a refusal is final")
}

func TestLimiter_A429PausesItsBucket(t *testing.T) {
	limiter := &notingLimiter{}
	client := limitedClient(t, rateLimited("7"), WithLimiter(limiter), WithoutRetries())
	_, err := client.Containers.Refresh(t.Context(), containerID)
	require.ErrorIs(t, err, ErrRateLimited)
	require.Equal(t, map[Bucket]time.Duration{BucketRefresh: 7 * time.Second}, limiter.paused)
}

// A slow limiter that does not look at the context delays the end of a call, but nothing is sent for a call that is over.
func TestLimiter_ThatIsSlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter, api := &notingLimiter{wait: 5 * time.Second}, newFakeAPI()
		api.on(http.MethodGet, "/shipments", http.StatusOK, shipmentPage(""))
		client := limitedClient(t, api, WithLimiter(limiter))
		require.NoError(t, first(client.Shipments.List(t.Context(), nil)))
		require.Len(t, api.requests(), 1)

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := client.Shipments.List(ctx, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.False(t, IsOutcomeUnknown(err))
		require.Len(t, api.requests(), 1)
		require.Len(t, limiter.acquired, 2)
		require.Equal(t, 2, limiter.returned(), "what was given is given back, used or not")
	})
}

// release is called once for each Acquire that succeeded, however the attempt went: answered, failed, timed out, given up
// on its way (then two seconds later, when the request must have arrived) or torn down by a panic.
func TestLimiter_EveryReleaseIsCalledOnce(t *testing.T) {
	hang := roundTripper(func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	})
	broken := roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset") })
	bomb := roundTripper(func(*http.Request) (*http.Response, error) { panic("in the transport") })
	for name, c := range map[string]struct {
		rt   roundTripper
		late time.Duration
		opts []Option
	}{
		"answered":  {answer(http.StatusOK, shipmentPage("")), 0, nil},
		"refused":   {rateLimited("7"), 0, nil},
		"failed":    {broken, 0, nil},
		"timed out": {hang, 2 * time.Second, []Option{WithAttemptTimeout(time.Second)}},
		"given up":  {hang, 2 * time.Second, nil},
		"panic":     {bomb, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				limiter := &notingLimiter{}
				client := limitedClient(t, c.rt, append(c.opts, WithLimiter(limiter), WithoutRetries())...)
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

// A panic in user code is the caller's to see, like any other; no slot of the built-in limiter is lost to it, nor does a
// limiter's own panic leave the client unusable.
func TestLimiter_APanicCostsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		rt := roundTripper(func(*http.Request) (*http.Response, error) {
			if calls++; calls <= 10 {
				panic("in the transport")
			}
			return answer(http.StatusOK, `{"message":"m"}`)(nil)
		})
		client, start := limitedClient(t, rt), time.Now()
		for range 10 {
			require.Panics(t, func() { _, _ = client.Containers.Refresh(t.Context(), containerID) })
		}
		for range 10 {
			require.NoError(t, first(client.Containers.Refresh(t.Context(), containerID)))
		}
		require.Equal(t, time.Minute, time.Since(start), "all ten slots are back a minute after the panics")

		limiter := &notingLimiter{panics: true}
		client = limitedClient(t, answer(http.StatusOK, `{"message":"m"}`), WithLimiter(limiter))
		require.Panics(t, func() { _, _ = client.Containers.Refresh(t.Context(), containerID) })
		limiter.panics = false
		require.NoError(t, first(client.Containers.Refresh(t.Context(), containerID)))
		require.Equal(t, 1, limiter.returned())
	})
}
