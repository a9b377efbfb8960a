package ratelimit

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// WithRateLimitShare documents a part of the budget, rounded down but at least one request.
func TestTop_RoundsDown(t *testing.T) {
	for _, c := range []struct {
		share float64
		limit int
		want  int
	}{{0.6, 100, 60}, {0.29, 100, 29}, {0.57, 100, 57}, {0.999, 10, 9}, {0.05, 10, 1}, {0.19, 10, 1}, {1, 7, 7}, {1e-300, 100, 1}} {
		assert.Equal(t, c.want, Top(c.share, c.limit), "%v of %d", c.share, c.limit)
	}
}

// sharedCall is one call of a random demand.
type sharedCall struct {
	share                   float64
	arrived, granted, ended time.Time // granted is zero if it was cancelled
	window                  time.Duration
	released                bool
}

// uses reports whether the call has a slot at a time: from its grant to one window after its end.
func (c *sharedCall) uses(at time.Time) bool {
	return !c.granted.IsZero() && !c.granted.After(at) && (!c.released || c.ended.Add(c.window).After(at))
}

// The rule is that of WithRateLimitShare's documentation: for every share q, the slots in use by
// calls of q and of smaller shares are at most ⌊q·limit⌋, but at least one is allowed. A call waits
// only while one of the bounds that apply to it is reached; a larger share goes first, and equal
// ones go in order of arrival.
func TestWindow_Shares(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 49))
			limit, window := 1+random.IntN(12), time.Duration(1+random.IntN(3))*time.Second
			shares := []float64{1, 0.8, 0.6, 0.3, 0.05}[:1+random.IntN(5)]
			w := NewWindow(map[string]int{"default": limit}, window, 0, 0)
			calls := demandShares(t, w, random, shares, window)
			for _, c := range calls {
				if c.granted.IsZero() {
					continue
				}
				blocked := c.granted.Equal(c.arrived)
				for _, q := range shares {
					if q < c.share {
						continue
					}
					require.LessOrEqual(t, usedBy(calls, q, c.granted), max(1, int(q*float64(limit)+1e-9)), "seed %d, share %v", seed, q)
					blocked = blocked || usedBy(calls, q, c.granted.Add(-1)) >= max(1, int(q*float64(limit)+1e-9))
				}
				require.True(t, blocked, "seed %d: a call waited for %v although it could be sent", seed, c.granted.Sub(c.arrived))
			}
			requireOrder(t, seed, calls)
		})
	}
}

// demandShares makes calls of random shares at random times. Some are cancelled.
func demandShares(t *testing.T, w *Window, random *rand.Rand, shares []float64, window time.Duration) (calls []*sharedCall) {
	var wg sync.WaitGroup
	for range 150 {
		time.Sleep(time.Duration(random.IntN(4)) * time.Duration(random.IntN(200)) * time.Millisecond)
		c := &sharedCall{share: shares[random.IntN(len(shares))], arrived: time.Now(), window: window}
		patience := time.Duration(random.IntN(20)) * window
		flight := time.Duration(random.IntN(3)) * time.Duration(random.IntN(500)) * time.Millisecond
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			defer time.AfterFunc(patience, cancel).Stop()
			release, err := w.Acquire(ctx, "default", c.share)
			if err == nil {
				c.granted = time.Now()
				time.Sleep(flight)
				c.released = true
				release()
			}
			c.ended = time.Now()
		})
		synctest.Wait() // it is in the queue before the next one
		calls = append(calls, c)
	}
	wg.Wait()
	return calls
}

func usedBy(calls []*sharedCall, most float64, at time.Time) (n int) {
	for _, c := range calls {
		if c.share <= most && c.uses(at) {
			n++
		}
	}
	return n
}

// requireOrder requires that no call was granted before a waiting one of higher priority.
func requireOrder(t *testing.T, seed uint64, calls []*sharedCall) {
	t.Helper()
	for i, b := range calls {
		for j, a := range calls {
			first := a.share > b.share && a.arrived.Before(b.granted) || a.share == b.share && j < i
			if b.granted.IsZero() || !first {
				continue
			}
			if a.granted.IsZero() { // then it had given up
				require.False(t, a.ended.After(b.granted), "seed %d: call %d went before call %d", seed, i, j)
				continue
			}
			require.False(t, a.granted.After(b.granted), "seed %d: call %d went before call %d", seed, i, j)
		}
	}
}

// While background calls use their whole part, a call of the application within the rest is sent
// with the next step of the pace.
func TestWindow_BackgroundLeavesRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 100}, time.Minute, 10, 20)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		var wg sync.WaitGroup
		for range 80 {
			wg.Go(func() {
				for {
					release, err := w.Acquire(ctx, "default", 0.6)
					if err != nil {
						return
					}
					time.Sleep(100 * time.Millisecond)
					release()
				}
			})
		}
		random := rand.New(rand.NewPCG(1, 1))
		for range 8 { // 40 calls within 8 s, then a window and a response
			start := time.Now()
			for range 40 {
				time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond)
				asked := time.Now()
				release, err := w.Acquire(ctx, "default", 1)
				require.NoError(t, err)
				require.LessOrEqual(t, time.Since(asked), 100*time.Millisecond+time.Microsecond)
				release()
			}
			time.Sleep(time.Since(start) + time.Minute)
		}
		cancel()
		wg.Wait()
	})
}

// A call fails at once if its share has no slot before the deadline, also behind other calls of its
// share. A call without a share does not.
func TestWindow_ShareDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 10}, time.Minute, 0, 0)
		for range 3 {
			release, err := w.Acquire(t.Context(), "default", 0.3)
			require.NoError(t, err)
			release()
		}
		start := time.Now()
		late, cancel := context.WithTimeout(t.Context(), time.Minute) // exactly as long, which is too late
		defer cancel()
		_, err := w.Acquire(late, "default", 0.3)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				release, err := w.Acquire(t.Context(), "default", 0.3)
				if assert.NoError(t, err) {
					release()
				}
			})
		}
		synctest.Wait()
		late, cancel = context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		_, err = w.Acquire(late, "default", 0.3)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		release, err := w.Acquire(late, "default", 0.3)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Nil(t, release)
		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for range 7 {
			_, err := w.Acquire(short, "default", 1)
			require.NoError(t, err)
		}
		require.Zero(t, time.Since(start))
		wg.Wait()
	})
}

// Slots documents a log of one rolling window. A fleet's process asks At only while its engine is
// away, so a release alone must forget what is older.
func TestSlots_RememberOneWindow(t *testing.T) {
	s, now := NewSlots(10, time.Minute), time.Now()
	for range 1000 {
		s.Take(0.5)
		s.Release(now, 0.5)
		now = now.Add(time.Second)
	}
	require.LessOrEqual(t, len(s.freeAt), 60)
	require.Equal(t, []level{{1, 0}, {0.5, len(s.freeAt)}}, s.levels)
}
