package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit"
)

// journal records events.
type journal struct {
	mu   sync.Mutex
	list []fleet.Event
}

func (j *journal) note() fleet.Option {
	return fleet.WithEvents(func(e fleet.Event) {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.list = append(j.list, e)
	})
}

func (j *journal) kinds() (kinds []fleet.EventKind) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.list {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

var errAway = errors.New("connection refused")

// LocalShare documents ⌊part·limit⌋ requests per window for each process, and that requests sent
// within the last window count. With one divided by the number of processes no minute exceeds the
// limit, also when the engine is back. The exception is the first minute without the engine, if the
// processes used unequal parts before. Each change is one event.
func TestFallback_LocalShare(t *testing.T) {
	for seed := range uint64(testkit.Scale(2, 4)) {
		synctest.Test(t, func(t *testing.T) {
			defer settle()
			m, all := newMemory(seed, 5*time.Millisecond), &service{}
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
			defer cancel()
			var wg sync.WaitGroup
			var journals [10]journal
			var own [10]service
			for i := range 10 {
				l := limiter(t, m, journals[i].note())
				wg.Go(func() {
					var workers sync.WaitGroup
					for w := range 11 {
						workers.Go(func() {
							random := rand.New(rand.NewPCG(seed, uint64(20*i+w)))
							time.Sleep(time.Duration(i) * 10 * time.Millisecond)
							work(ctx, both{l, all, &own[i]}, &service{}, random, 300*time.Millisecond)
						})
					}
					workers.Wait()
				})
			}
			time.Sleep(5*time.Minute + 17*time.Second)
			m.set(func() { m.away = errAway })
			start := time.Now()
			time.Sleep(5 * time.Minute)
			m.set(func() { m.away = nil })
			wg.Wait()
			for i := range own {
				require.LessOrEqual(t, own[i].worst(time.Minute, start.Add(time.Minute)), limit, "process %d", i)
				require.Equal(t, []fleet.EventKind{fleet.EngineAway, fleet.EngineBack}, journals[i].kinds())
				require.ErrorIs(t, journals[i].list[0].Err, errAway)
				during := 0
				for _, at := range own[i].counted {
					if at.After(start.Add(time.Minute)) && at.Before(start.Add(5*time.Minute)) {
						during++
					}
				}
				require.GreaterOrEqual(t, during, 30)
				require.LessOrEqual(t, during, 40)
			}
			t.Logf("figure: fleet: engine away for a third of the time: %d of %d requests, worst minute %d", len(all.counted),
				15*limit, all.worst(time.Minute, time.Time{}))
			require.LessOrEqual(t, all.worst(time.Minute, start.Add(time.Minute)), limit)
			require.GreaterOrEqual(t, len(all.counted), 15*limit*95/100)
		})
	}
}

// Requests that were sent without the engine are reported to it before the next slot is taken.
func TestFallback_WritesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, j := newMemory(1, 0), &journal{}
		m.away = errAway
		l := limiter(t, m, fleet.WithFallback(fleet.LocalShare(0.05)), j.note())
		for range 5 {
			acquire(t, l)()
		}
		short, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := l.Acquire(short, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded, "⌊0.05·100⌋ are used")
		m.set(func() { m.away = nil })
		time.Sleep(10 * time.Second) // the engine is tried after at most four
		require.Equal(t, 5, m.taken())
		acquire(t, l)()
		synctest.Wait()
		require.Equal(t, 6, m.taken())
		require.Equal(t, []fleet.EventKind{fleet.EngineAway, fleet.EngineBack}, j.kinds(), "nothing was forgotten")
	})
}

// With Wait, requests wait until the engine is back, which is tried at growing intervals of at most
// four seconds.
func TestFallback_Wait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		m.away = errAway
		e := &counting{memory: m}
		l := limiter(t, e, fleet.WithFallback(fleet.Wait()))
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() { acquire(t, l)() })
		}
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		start := time.Now()
		_, err := l.Acquire(ctx, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.LessOrEqual(t, time.Since(start), 30*time.Second)
		time.Sleep(time.Hour - time.Since(start))
		require.Less(t, e.tried(), 3600/2+20)
		m.set(func() { m.away = nil })
		back := time.Now()
		wg.Wait()
		require.LessOrEqual(t, time.Since(back), 6*time.Second)
	})
}

// counting counts the calls that were tried.
type counting struct {
	*memory
	calls int
}

func (c *counting) tried() (n int) {
	c.set(func() { n = c.calls })
	return n
}

func (c *counting) Take(ctx context.Context, r fleet.Request) (fleet.Grant, error) {
	c.set(func() { c.calls++ })
	return c.memory.Take(ctx, r)
}

// With Fail, requests fail at once, and the engine is not called before its next try is due.
func TestFallback_Fail(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		m.away = errAway
		e := &counting{memory: m}
		l := limiter(t, e, fleet.WithFallback(fleet.Fail()))
		start := time.Now()
		for range 10 {
			_, err := l.Acquire(t.Context(), terminal49.BucketDefault)
			require.ErrorIs(t, err, fleet.ErrEngineAway)
			require.ErrorIs(t, err, errAway)
		}
		require.Zero(t, time.Since(start))
		require.Equal(t, 1, e.tried())
		m.set(func() { m.away = nil })
		time.Sleep(5 * time.Second)
		acquire(t, l)()
	})
}

// The slot of a request in flight is renewed even if nothing else happens. If that fails until its
// hold has ended, this is reported once.
func TestEvent_SlotsExpired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, j := newMemory(1, 0), &journal{}
		l := limiter(t, m, j.note())
		release := acquire(t, l)
		time.Sleep(time.Hour)
		require.Equal(t, 1, m.taken())
		require.Empty(t, j.kinds())
		m.set(func() { m.away = errAway })
		time.Sleep(time.Hour)
		require.Zero(t, m.taken())
		require.Equal(t, []fleet.EventKind{fleet.EngineAway, fleet.SlotsExpired}, j.kinds())
		require.Equal(t, terminal49.BucketDefault, j.list[1].Bucket)
		require.Equal(t, 1, j.list[1].Slots)
		m.set(func() { m.away = nil })
		time.Sleep(10 * time.Second)
		require.Equal(t, 1, m.taken(), "it is taken again")
		require.Equal(t, []fleet.EventKind{fleet.EngineBack, fleet.SlotsLost}, j.kinds()[2:])
		release()
	})
}

// Each process reports the slots of its last minute again to an engine that lost them. If all
// processes live, only slots of processes that make no more calls stay lost; one window later the
// limits hold again. With WithSettling they always hold.
func TestLimiter_RecoversFromAnEmptiedEngine(t *testing.T) {
	for name, opts := range map[string][]fleet.Option{"written back": nil, "settled": {fleet.WithSettling()}} {
		for seed := range uint64(testkit.Scale(2, 4)) {
			synctest.Test(t, func(t *testing.T) {
				defer settle()
				m, s, j := newMemory(seed, 5*time.Millisecond), &service{}, &journal{}
				ctx, cancel := context.WithTimeout(t.Context(), 16*time.Minute)
				defer cancel()
				var wg sync.WaitGroup
				random := rand.New(rand.NewPCG(seed, 2))
				for i := range 20 {
					p := &process{memory: m}
					l := limiter(t, p, append(opts, j.note())...)
					alive, kill := context.WithCancel(ctx)
					defer kill()
					if i%3 == 0 { // dies just before the engine does
						time.AfterFunc(5*time.Minute-time.Duration(random.Int64N(int64(20*time.Second))), func() {
							p.mu.Lock()
							p.dead = true
							p.mu.Unlock()
							kill()
						})
					}
					for w := range 6 {
						wg.Go(func() { work(alive, l, s, rand.New(rand.NewPCG(seed, uint64(10*i+w))), time.Second) })
					}
				}
				time.Sleep(5 * time.Minute)
				m.empty()
				emptied := time.Now()
				wg.Wait()
				require.LessOrEqual(t, s.worst(time.Minute, emptied.Add(time.Minute)), limit)
				if name == "settled" {
					require.LessOrEqual(t, s.worst(time.Minute, time.Time{}), limit)
					require.GreaterOrEqual(t, len(s.counted), (16*limit-2*limit*3/2)*97/100, "the budget is used, except in two holds")
				}
				assert.Contains(t, j.kinds(), fleet.SlotsLost)
				t.Logf("figure: fleet: emptied engine, %s: %d requests, worst minute %d", name, len(s.counted), s.worst(time.Minute, time.Time{}))
			})
		}
	}
}

// An idle process whose slots were lost reports all slots of its last minute at its next renewal.
func TestLimiter_ReportsLostSlotsAtRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l, other := limiter(t, m), limiter(t, m)
		for range 20 {
			acquire(t, l)()
		}
		release := acquire(t, l)
		time.Sleep(10 * time.Second)
		m.empty()
		acquire(t, other)()
		time.Sleep(15 * time.Second)
		require.Equal(t, 22, m.taken())
		acquire(t, l)()
		synctest.Wait()
		require.Equal(t, 23, m.taken())
		release()
	})
}

// A pause that the engine did not receive reaches the other processes once the engine is back.
func TestLimiter_PauseWhileAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l, other := limiter(t, m), limiter(t, m)
		m.set(func() { m.away = errAway })
		l.Pause(terminal49.BucketDefault, time.Minute)
		start := time.Now()
		time.Sleep(20 * time.Second)
		m.set(func() { m.away = nil })
		time.Sleep(10 * time.Second)
		acquire(t, other)()
		require.InDelta(t, time.Minute, time.Since(start), float64(20*time.Millisecond))
	})
}

// An engine that hangs costs a call at most its timeout; then the fallback is used.
func TestLimiter_HangingEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, j := newMemory(1, 0), &journal{}
		m.lost = 1
		l := limiter(t, m, j.note())
		start := time.Now()
		for range 5 {
			acquire(t, l)()
		}
		require.Equal(t, 2*time.Second, time.Since(start))
		m.set(func() { m.lost = 0 })
		time.Sleep(20 * time.Second)
		require.Equal(t, 5, m.taken(), "the slot of the lost response is free")
		require.Equal(t, []fleet.EventKind{fleet.EngineAway, fleet.EngineBack}, j.kinds())
	})
}

// A process that was suspended during Take does not use the slot: its hold may have ended, and
// others may have taken it.
func TestLimiter_DropsASlotThatComesLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		stopped := true
		l := limiter(t, stopping{m, &stopped})
		start := time.Now()
		release := acquire(t, l)
		require.Equal(t, 2*time.Minute, time.Since(start))
		synctest.Wait()
		require.Equal(t, 1, m.taken(), "only the second slot")
		require.Equal(t, 2, m.asked())
		release()
	})
}

// stopping is the engine of a process that is suspended for two minutes during the first Take.
type stopping struct {
	*memory
	next *bool
}

func (s stopping) Take(ctx context.Context, r fleet.Request) (fleet.Grant, error) {
	g, err := s.memory.Take(ctx, r)
	if *s.next {
		*s.next = false
		time.Sleep(2 * time.Minute)
	}
	return g, err
}

// Fail documents that requests fail at once with ErrEngineAway, however short their deadline is.
func TestFallback_FailBeforeADeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		m.away = errAway
		l := limiter(t, m, fleet.WithFallback(fleet.Fail()))
		for range 100 {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			_, err := l.Acquire(ctx, terminal49.BucketDefault)
			require.ErrorIs(t, err, fleet.ErrEngineAway)
			cancel()
			time.Sleep(100 * time.Millisecond)
		}
	})
}

// Acquire documents context.DeadlineExceeded for a wait that would exceed the deadline, and
// ErrEngineAway, with the engine's error, while the engine is away.
func TestFallback_WaitPastTheDeadlineSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		m.away = errAway
		l := limiter(t, m, fleet.WithFallback(fleet.Wait()))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := l.Acquire(ctx, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		ctx, cancel = context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err = l.Acquire(ctx, terminal49.BucketDefault)
		for _, target := range []error{context.DeadlineExceeded, fleet.ErrEngineAway, errAway} {
			require.ErrorIs(t, err, target)
		}
	})
}

// Event.String returns one line for a log, without what Event.Err hides.
func TestEvent_String(t *testing.T) {
	for want, e := range map[string]fleet.Event{
		"fleet: slots lost: 3 of bucket create": {Kind: fleet.SlotsLost, Bucket: terminal49.BucketCreate, Slots: 3},
		"fleet: engine away: refused":           {Kind: fleet.EngineAway, Err: errors.New("refused")},
		"fleet: engine back":                    {Kind: fleet.EngineBack},
	} {
		assert.Equal(t, want, e.String())
	}
}

// ErrNotSetUp documents that an engine which has never responded fails requests at once. One that
// has worked is away: the fallback is used.
func TestFallback_NotSetUp(t *testing.T) {
	missing := fmt.Errorf("%w: no table", fleet.ErrNotSetUp)
	for _, fallback := range []fleet.Fallback{fleet.LocalShare(0.5), fleet.Wait()} {
		synctest.Test(t, func(t *testing.T) {
			m := newMemory(1, 0)
			m.away = missing
			l, err := fleet.New(m, "key", fleet.WithFallback(fallback))
			require.NoError(t, err)
			start := time.Now()
			_, err = l.Acquire(t.Context(), terminal49.BucketDefault)
			require.ErrorIs(t, err, fleet.ErrEngineAway)
			require.ErrorIs(t, err, fleet.ErrNotSetUp)
			require.ErrorContains(t, err, "no table")
			require.Less(t, time.Since(start), time.Second)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(1, 0)
		l, err := fleet.New(m, "key", fleet.WithFallback(fleet.LocalShare(0.5)))
		require.NoError(t, err)
		for range 2 {
			release, err := l.Acquire(t.Context(), terminal49.BucketDefault)
			require.NoError(t, err)
			release()
			time.Sleep(time.Second)
			m.mu.Lock()
			m.away = missing
			m.mu.Unlock()
		}
	})
}
