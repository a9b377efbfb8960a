package fleet_test

import (
	"context"
	"errors"
	"fmt"
	"math"
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

// By default, requests wait while the engine is away, for all processes or for half of them: no
// minute exceeds the limit, and the budget is used again when the engine is back. Each change is
// one event.
func TestFallback_DefaultKeepsTheLimit(t *testing.T) {
	for cut := 5; cut <= 10; cut += 5 {
		synctest.Test(t, func(t *testing.T) {
			defer settle()
			m, all := newMemory(uint64(cut), 5*time.Millisecond), &service{}
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
			defer cancel()
			var wg sync.WaitGroup
			var journals [10]journal
			var processes [10]*process
			for i := range 10 {
				processes[i] = &process{memory: m}
				l := limiter(t, processes[i], journals[i].note())
				for w := range 11 {
					wg.Go(func() { work(ctx, l, all, rand.New(rand.NewPCG(1, uint64(20*i+w))), 300*time.Millisecond) })
				}
			}
			time.Sleep(5*time.Minute + 17*time.Second)
			for _, p := range processes[:cut] {
				p.set(true)
			}
			start := time.Now()
			time.Sleep(5 * time.Minute)
			all.mu.Lock()
			during := len(all.counted)
			all.mu.Unlock()
			for _, p := range processes[:cut] {
				p.set(false)
			}
			wg.Wait()
			for i := range cut {
				require.Equal(t, []fleet.EventKind{fleet.EngineAway, fleet.EngineBack}, journals[i].kinds())
			}
			require.LessOrEqual(t, all.worst(time.Minute, time.Time{}), limit)
			used := len(all.counted) - during
			require.GreaterOrEqual(t, used, 4*limit*95/100, "in %v after the engine is back", time.Since(start))
		})
	}
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

func (c *counting) Serve(ctx context.Context, call fleet.Call) (fleet.Reply, error) {
	c.set(func() { c.calls++ })
	return c.memory.Serve(ctx, call)
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
// limits hold again. Several losses allow no more than one does (docs/fleet.md). With WithSettling
// the limits always hold.
func TestLimiter_RecoversFromAnEmptiedEngine(t *testing.T) {
	for name, c := range map[string]struct {
		opts   []fleet.Option
		starts time.Duration // between two processes
		more   int           // losses
		every  time.Duration
	}{
		"written back": {}, "settled": {opts: []fleet.Option{fleet.WithSettling()}},
		"twice": {more: 1, every: 8 * time.Second}, "for half a minute": {starts: 3 * time.Second, more: 15, every: 2 * time.Second},
	} {
		for seed := range uint64(testkit.Scale(2, 4)) {
			synctest.Test(t, func(t *testing.T) {
				defer settle()
				m, s, j := newMemory(seed, 5*time.Millisecond), &service{}, &journal{}
				ctx, cancel := context.WithTimeout(t.Context(), 16*time.Minute)
				defer cancel()
				var wg sync.WaitGroup
				random := rand.New(rand.NewPCG(seed, 2))
				for i := range 20 {
					time.Sleep(c.starts)
					p := &process{memory: m}
					l := limiter(t, p, append(c.opts, j.note())...)
					alive, kill := context.WithCancel(ctx)
					defer kill()
					if i%3 == 0 { // dies just before the engine does
						time.AfterFunc(5*time.Minute-time.Duration(random.Int64N(int64(20*time.Second))), func() {
							p.set(true)
							kill()
						})
					}
					for w := range 6 {
						wg.Go(func() { work(alive, l, s, rand.New(rand.NewPCG(seed, uint64(10*i+w))), time.Second) })
					}
				}
				time.Sleep(5*time.Minute + 30*time.Second)
				m.empty()
				for range c.more {
					time.Sleep(c.every)
					m.empty()
				}
				emptied := time.Now()
				wg.Wait()
				require.LessOrEqual(t, s.worst(time.Minute, emptied.Add(time.Minute)), limit)
				require.LessOrEqual(t, s.worst(time.Minute, time.Time{}), 2*limit)
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

// The longest pause reaches the other processes too.
func TestLimiter_LongestPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l, other := limiter(t, m), limiter(t, m)
		l.Pause(terminal49.BucketDefault, math.MaxInt64)
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		_, err := other.Acquire(ctx, terminal49.BucketDefault)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Zero(t, m.taken())
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

// A call of an engine that hangs ends after two seconds, then four and eight. Requests wait until
// replies arrive again.
func TestLimiter_HangingEngine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, j := newMemory(1, 0), &journal{}
		m.lost = 1
		l := limiter(t, m, j.note())
		time.AfterFunc(time.Minute, func() { m.set(func() { m.lost = 0 }) })
		start := time.Now()
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() { acquire(t, l)() })
		}
		wg.Wait()
		require.InDelta(t, time.Minute+6*time.Second, time.Since(start), float64(6*time.Second))
		require.LessOrEqual(t, m.calls(), 10)
		time.Sleep(20 * time.Second)
		require.Equal(t, 5, m.taken(), "the places of lost replies are used")
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

// stopping is the engine of a process that is suspended for two minutes during the first call.
type stopping struct {
	*memory
	next *bool
}

func (s stopping) Serve(ctx context.Context, c fleet.Call) (fleet.Reply, error) {
	r, err := s.memory.Serve(ctx, c)
	if *s.next {
		*s.next = false
		time.Sleep(2 * time.Minute)
	}
	return r, err
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

// ErrNotSetUp documents that such an error fails requests at once, also after the engine has
// worked, and those that are waiting.
func TestFallback_NotSetUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m := newMemory(1, 0)
		l := limiter(t, m, fleet.WithRateLimits(terminal49.RateLimits{Refresh: 1}))
		for range 2 {
			m.set(func() { m.away = fmt.Errorf("%w: no table", fleet.ErrNotSetUp) })
			start := time.Now()
			_, err := l.Acquire(t.Context(), terminal49.BucketRefresh)
			require.NotErrorIs(t, err, fleet.ErrEngineAway)
			require.ErrorIs(t, err, fleet.ErrNotSetUp)
			require.ErrorContains(t, err, "no table")
			require.Zero(t, time.Since(start))
			m.set(func() { m.away = nil })
			time.Sleep(time.Minute)
			release, err := l.Acquire(t.Context(), terminal49.BucketRefresh)
			require.NoError(t, err)
			release()
		}
	})
}

// Event documents one event a minute of each kind. An engine that flaps is away once, and its last
// state is reported.
func TestEvent_OnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer settle()
		m, j := newMemory(1, 0), &journal{}
		l := limiter(t, m, fleet.WithFallback(fleet.Fail()), j.note())
		for i := range 100 {
			m.set(func() { m.away = nil })
			if i%2 == 0 {
				m.set(func() { m.away = errAway })
			}
			time.Sleep(5 * time.Second)
			if release, err := l.Acquire(t.Context(), terminal49.BucketDefault); err == nil {
				release()
			}
		}
		time.Sleep(2 * time.Minute)
		kinds := j.kinds()
		require.LessOrEqual(t, len(kinds), 2*(500/60+1))
		require.Equal(t, fleet.EngineBack, kinds[len(kinds)-1])
	})
}

// docs/fleet.md: the turn of a process that was killed in line goes to the next one within three
// seconds.
func TestLimiter_TurnOfAKilledProcess(t *testing.T) {
	for ahead := 1; ahead <= 3; ahead++ {
		synctest.Test(t, func(t *testing.T) {
			defer settle()
			m := newMemory(1, 0)
			refresh := fleet.WithRateLimits(terminal49.RateLimits{Refresh: ahead})
			start, first := time.Now(), limiter(t, m, refresh)
			for range ahead {
				release, err := first.Acquire(t.Context(), terminal49.BucketRefresh)
				require.NoError(t, err)
				release()
			}
			var waiting sync.WaitGroup
			for range ahead {
				p := &process{memory: m}
				l := limiter(t, p, refresh)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				waiting.Go(func() { _, _ = l.Acquire(ctx, terminal49.BucketRefresh) })
				synctest.Wait()
				time.AfterFunc(30*time.Second, func() {
					p.set(true)
					cancel()
				})
			}
			release, err := limiter(t, m, refresh).Acquire(t.Context(), terminal49.BucketRefresh)
			require.NoError(t, err)
			require.Less(t, time.Since(start), time.Minute+3*time.Second)
			release()
			waiting.Wait()
		})
	}
}
