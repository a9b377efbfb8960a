package fleet_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

// service counts requests as the service does: at some moment between sending and the response.
type service struct {
	mu      sync.Mutex
	counted []time.Time
}

func (s *service) count() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counted = append(s.counted, time.Now())
}

// worst returns the most requests in any window that begins at or after a time.
func (s *service) worst(window time.Duration, from time.Time) (worst int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortFunc(s.counted, time.Time.Compare)
	first := 0
	for i, at := range s.counted {
		for s.counted[first].Before(from) && first < i || at.Sub(s.counted[first]) >= window {
			first++
		}
		worst = max(worst, i-first+1)
	}
	return worst
}

// process is a process of a fleet, which can be cut off from the engine.
type process struct {
	*memory
	mu   sync.Mutex
	dead bool
}

func (p *process) set(dead bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = dead
}

func (p *process) gone() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

func (p *process) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	if p.gone() {
		return fleet.Reply{}, context.Canceled
	}
	return p.memory.Serve(ctx, c)
}

func limiter(t testing.TB, e fleet.Engine, opts ...fleet.Option) *fleet.Limiter {
	t.Helper()
	l, err := fleet.New(e, "key", opts...)
	require.NoError(t, err)
	return l
}

func acquire(t testing.TB, l *fleet.Limiter) (release func()) {
	t.Helper()
	release, err := l.Acquire(t.Context(), terminal49.BucketDefault)
	require.NoError(t, err)
	return release
}

// work sends requests one after another until ctx ends. Each takes up to flight each way.
func work(ctx context.Context, l terminal49.Limiter, s *service, random *rand.Rand, flight time.Duration) {
	for {
		release, err := l.Acquire(ctx, terminal49.BucketDefault)
		if err != nil {
			return
		}
		time.Sleep(time.Duration(random.Int64N(int64(flight))))
		s.count()
		time.Sleep(time.Duration(random.Int64N(int64(flight))))
		release()
	}
}

// shareOf returns the context of a call with WithRateLimitShare, as a limiter receives it.
func shareOf(t testing.TB, share float64) context.Context {
	t.Helper()
	var got context.Context
	client, err := terminal49.New("key", terminal49.WithRateLimitShare(share), terminal49.WithLimiter(contextLimiter{&got}))
	require.NoError(t, err)
	_, _ = client.Shipments.Get(t.Context(), "e4bb9af5-1ef7-4a58-a24a-14ee2ba4e0f7", nil)
	require.NotNil(t, got)
	return got
}

type contextLimiter struct{ got *context.Context }

func (l contextLimiter) Acquire(ctx context.Context, _ terminal49.Bucket) (func(), error) {
	*l.got = ctx
	return nil, context.Canceled
}
func (contextLimiter) Pause(terminal49.Bucket, time.Duration) {}

// settle waits until every slot has ended and no call is pending.
func settle() { time.Sleep(3 * time.Minute) }

// A cancelled call sent nothing, so with a limit of one the next call is sent at once. The
// source is the package's documentation: a bucket has as many slots as requests are allowed.
func TestLimiter_SlotOfACallThatGaveUp(t *testing.T) {
	for seed := range uint64(40) {
		synctest.Test(t, func(t *testing.T) {
			defer settle()
			l := limiter(t, newMemory(seed, 20*time.Millisecond), fleet.WithRateLimits(terminal49.RateLimits{Default: 1}))
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			_, err := l.Acquire(ctx, terminal49.BucketDefault)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			time.Sleep(time.Duration(2*seed) * time.Millisecond)
			start := time.Now()
			acquire(t, l)()
			require.Less(t, time.Since(start), time.Second, "seed %d", seed)
		})
	}
}
