package ratelimit

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func serviceLimits() map[string]int {
	return map[string]int{"default": 100, "create": 100, "infer": 200, "refresh": 10}
}

// TestWindow_RollingHour asks for more than the limit, for an hour, and counts as the service does:
// at some moment between sending and the response.
func TestWindow_RollingHour(t *testing.T) {
	for name, limit := range serviceLimits() {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := NewWindow(serviceLimits(), time.Minute, 10, 20)
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				start := time.Now()
				var (
					mu      sync.Mutex
					counted []time.Time
					wg      sync.WaitGroup
				)
				for g := range 60 {
					rng := rand.New(rand.NewPCG(7, uint64(g)))
					wg.Go(func() {
						for {
							release, err := w.Acquire(ctx, name, 1)
							if err != nil {
								return
							}
							there := time.Duration(rng.Int64N(int64(800 * time.Millisecond)))
							back := time.Duration(rng.Int64N(int64(800 * time.Millisecond)))
							time.Sleep(there)
							mu.Lock()
							counted = append(counted, time.Now())
							mu.Unlock()
							time.Sleep(back)
							release()
						}
					})
				}
				wg.Wait()
				slices.SortFunc(counted, time.Time.Compare)
				for i := limit; i < len(counted); i++ {
					if span := counted[i].Sub(counted[i-limit]); span < time.Minute {
						t.Fatalf("%d requests within %v at %v", limit+1, span, counted[i].Sub(start))
					}
				}
				budget := 60 * limit
				t.Logf("%d of %d, %.2f%%", len(counted), budget, 100*float64(len(counted))/float64(budget))
				assert.GreaterOrEqual(t, len(counted)*100, budget*97)
			})
		})
	}
}

func TestWindow_FreshStartWaitsForThePaceAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(serviceLimits(), time.Minute, 10, 20)
		start := time.Now()
		for i := range 60 {
			release, err := w.Acquire(t.Context(), "default", 1)
			require.NoError(t, err)
			release()
			pace := time.Duration(max(0, i-19)) * 100 * time.Millisecond
			assert.InDelta(t, pace, time.Since(start), float64(time.Microsecond), "request %d", i)
		}
	})
}

func TestWindow_WithoutPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 3}, time.Minute, 0, 0)
		start := time.Now()
		var at []time.Duration
		for range 7 {
			release, err := w.Acquire(t.Context(), "no such bucket", 1)
			require.NoError(t, err)
			at = append(at, time.Since(start))
			time.Sleep(time.Second)
			release()
		}
		m := time.Minute
		assert.Equal(t, []time.Duration{0, time.Second, 2 * time.Second, m + time.Second, m + 2*time.Second, m + 3*time.Second, 2*m + 2*time.Second}, at)
	})
}

func TestWindow_WithoutDefaultBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"infer": 0}, time.Minute, 0, 0)
		w.Pause("other", time.Hour)
		start := time.Now()
		for range 3 {
			release, err := w.Acquire(t.Context(), "other", 1)
			require.NoError(t, err)
			release()
		}
		assert.Zero(t, time.Since(start))
		for range 2 { // a limit of zero is a limit of one
			release, err := w.Acquire(t.Context(), "infer", 1)
			require.NoError(t, err)
			release()
		}
		assert.Equal(t, time.Minute, time.Since(start))
	})
}

func TestWindow_CountsSlotsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 1}, time.Minute, 0, 0)
		first, err := w.Acquire(t.Context(), "default", 1)
		require.NoError(t, err)
		start := time.Now()
		go func() {
			time.Sleep(5 * time.Minute)
			first()
			first() // a second release does nothing
		}()
		second, err := w.Acquire(t.Context(), "default", 1)
		require.NoError(t, err)
		assert.Equal(t, 6*time.Minute, time.Since(start))
		second()
	})
}

func TestWindow_IsFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 2}, time.Minute, 10, 1)
		var (
			mu    sync.Mutex
			order []int
			wg    sync.WaitGroup
		)
		for i := range 20 {
			wg.Go(func() {
				release, err := w.Acquire(t.Context(), "default", 1)
				if !assert.NoError(t, err) {
					return
				}
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
				release()
			})
			synctest.Wait() // i is in the queue before i+1
		}
		wg.Wait()
		assert.Len(t, order, 20)
		assert.True(t, slices.IsSorted(order), "%v", order)
	})
}

func TestWindow_CancelledWaitersKeepNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 2}, time.Minute, 10, 1)
		start := time.Now()
		for range 2 {
			release, err := w.Acquire(t.Context(), "default", 1)
			require.NoError(t, err)
			release()
		}
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				_, err := w.Acquire(ctx, "default", 1)
				assert.ErrorIs(t, err, context.Canceled)
			})
		}
		synctest.Wait()
		time.Sleep(10 * time.Second)
		before := time.Now()
		cancel()
		wg.Wait()
		assert.Zero(t, time.Since(before))

		release, err := w.Acquire(t.Context(), "default", 1)
		require.NoError(t, err)
		release()
		assert.Equal(t, time.Minute, time.Since(start), "the next one waits as if the fifty had never waited")
		b := w.buckets["default"]
		assert.Nil(t, b.queue.First())
		assert.Equal(t, len(b.slots.freeAt), b.slots.levels[0].used)
		assert.LessOrEqual(t, len(b.slots.freeAt), 2)
	})
}

func TestWindow_Deadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 2}, time.Minute, 10, 20)
		for range 2 {
			release, err := w.Acquire(t.Context(), "default", 1)
			require.NoError(t, err)
			release()
		}
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // exactly as long, which is too late
		defer cancel()
		_, err := w.Acquire(ctx, "default", 1)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Contains(t, err.Error(), "bucket default")
		assert.Zero(t, time.Since(start), "it fails at once")

		// Two waiters take the slots that are free first; a third would wait two minutes.
		long, cancelLong := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancelLong()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				release, err := w.Acquire(long, "default", 1)
				if assert.NoError(t, err) {
					release()
				}
			})
		}
		synctest.Wait()
		_, err = w.Acquire(long, "default", 1)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Zero(t, time.Since(start))
		wg.Wait()

		done, cancelDone := context.WithCancel(t.Context())
		cancelDone()
		_, err = w.Acquire(done, "default", 1)
		assert.ErrorIs(t, err, context.Canceled)
	})
}

func TestWindow_PaceDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 100}, time.Minute, 1, 1)
		release, err := w.Acquire(t.Context(), "default", 1)
		require.NoError(t, err)
		release()
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		_, err = w.Acquire(ctx, "default", 1)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Zero(t, time.Since(start))
	})
}

func TestWindow_Pause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := NewWindow(map[string]int{"default": 100, "infer": 100}, time.Minute, 0, 0)
		start := time.Now()
		w.Pause("default", 30*time.Second)
		w.Pause("default", 10*time.Second) // never shorter
		w.Pause("default", -time.Second)

		release, err := w.Acquire(t.Context(), "infer", 1)
		require.NoError(t, err)
		release()
		assert.Zero(t, time.Since(start), "the other bucket is open")

		short, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for range 3 { // their deadline allows the first pause, not the second
			wg.Go(func() {
				_, err := w.Acquire(short, "default", 1)
				assert.ErrorIs(t, err, context.DeadlineExceeded)
				assert.Equal(t, 20*time.Second, time.Since(start), "the longer pause ends the wait")
			})
		}
		wg.Go(func() {
			release, err := w.Acquire(t.Context(), "default", 1)
			if assert.NoError(t, err) {
				release()
			}
			assert.Equal(t, 50*time.Second, time.Since(start))
		})
		time.Sleep(20 * time.Second)
		w.Pause("default", 30*time.Second)
		wg.Wait()
	})
}

// TestWindow_MixedCallers mixes callers that are cancelled with callers that succeed.
func TestWindow_MixedCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 7
		w := NewWindow(map[string]int{"default": limit}, time.Minute, 5, 3)
		var (
			mu  sync.Mutex
			in  []time.Time
			wg  sync.WaitGroup
			end = time.Now().Add(20 * time.Minute)
		)
		for g := range 30 {
			rng := rand.New(rand.NewPCG(3, uint64(g)))
			wg.Go(func() {
				for time.Now().Before(end) {
					ctx, cancel := context.WithCancel(t.Context())
					stop := time.AfterFunc(time.Duration(rng.Int64N(int64(3*time.Minute))), cancel)
					release, err := w.Acquire(ctx, "default", 1)
					if err == nil {
						mu.Lock()
						in = append(in, time.Now())
						mu.Unlock()
						time.Sleep(time.Duration(rng.Int64N(int64(time.Second))))
						release()
					}
					stop.Stop()
					cancel()
				}
			})
		}
		wg.Wait()
		slices.SortFunc(in, time.Time.Compare)
		for i := limit; i < len(in); i++ {
			require.GreaterOrEqual(t, in[i].Sub(in[i-limit]), time.Minute)
		}
		assert.Greater(t, len(in), 19*limit, "giving up takes no slot")
		b := w.buckets["default"]
		assert.Nil(t, b.queue.First())
		assert.Equal(t, len(b.slots.freeAt), b.slots.levels[0].used)
	})
}
