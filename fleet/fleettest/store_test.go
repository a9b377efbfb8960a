package fleettest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
)

// memory is the correct engine: a fleet.State for each bucket, on one clock.
type memory struct {
	mu      sync.Mutex
	states  map[fleet.Bucket]*fleet.State
	away    bool
	outages int
	delay   time.Duration
	lostAt  time.Time

	notes  map[string]int // what a bug remembers in the engine
	counts map[string]*count
}

func newMemory() *memory {
	return &memory{states: map[fleet.Bucket]*fleet.State{}, notes: map[string]int{}, counts: map[string]*count{}}
}

// bug is one change of what a process and the engine do. A nil field changes nothing.
type bug struct {
	setup   func(s *fleettest.Setup)
	options []fleet.Option
	refuses func(terminal49.RateLimits) error
	// starts is called when a process starts.
	starts func(p *process)
	// before changes a call before the engine applies it, and after what it has stored and returns.
	// Both hold the engine's lock.
	before func(p *process, s *fleet.State, c *fleet.Call)
	after  func(p *process, s *fleet.State, c fleet.Call, r *fleet.Reply)
	clock  func(s fleettest.Setup) time.Time
	// acquire, free and pause replace the methods of the limiter.
	acquire func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error)
	free    func(ctx context.Context, p *process, free func())
	pause   func(p *process, b terminal49.Bucket, d time.Duration)
}

// process is one process: a fleet.Limiter that reaches the engine through a bug.
type process struct {
	bug
	*memory
	limiter *fleet.Limiter
	setup   fleettest.Setup
	calls   atomic.Int64 // of Acquire
	waiting atomic.Int64

	own   sync.Mutex
	notes map[string]int // what a bug remembers in the process
}

var (
	errAway = errors.New("the engine is away")
	errDead = errors.New("the process was killed")
)

// opened returns how processes open a limiter with a bug, and the faults of their engine.
func opened(b bug) (func(*testing.T, fleettest.Setup) terminal49.Limiter, fleettest.Faults) {
	m := newMemory()
	return func(t *testing.T, s fleettest.Setup) terminal49.Limiter {
		p := &process{bug: b, memory: m, setup: s, notes: map[string]int{}}
		if b.setup != nil {
			b.setup(&p.setup)
		}
		var err error
		p.limiter, err = fleet.New(p, "", append(slices.Clone(b.options), fleet.WithNamespace(p.setup.Namespace),
			fleet.WithRateLimits(p.setup.Limits), fleet.WithWindow(p.setup.Window))...)
		if err != nil {
			t.Error(err)
		}
		if b.starts != nil {
			b.starts(p)
		}
		return p
	}, m.faults()
}

func (m *memory) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

func (m *memory) faults() fleettest.Faults {
	return fleettest.Faults{
		Away: func() func() {
			m.set(func() { m.away = true; m.outages++ })
			return func() { m.set(func() { m.away = false }) }
		},
		Slow: func(d time.Duration) func() {
			m.set(func() { m.delay = d })
			return func() { m.set(func() { m.delay = 0 }) }
		},
		Lose: func() { m.set(func() { clear(m.states); m.lostAt = time.Now() }) },
	}
}

// isAway reports whether the engine is away, and how many outages there were.
func (m *memory) isAway() (away bool, outages int) {
	m.set(func() { away, outages = m.away, m.outages })
	return away, outages
}

func (m *memory) state(b fleet.Bucket) *fleet.State {
	if m.states[b] == nil {
		m.states[b] = &fleet.State{}
	}
	return m.states[b]
}

// Serve implements [fleet.Engine]. Half of the delay is before the effect.
func (p *process) Serve(ctx context.Context, c fleet.Call) (r fleet.Reply, err error) {
	c.Slots, c.Places = slices.Clone(c.Slots), slices.Clone(c.Places)
	if err := p.travel(ctx); err != nil {
		return r, err
	}
	p.set(func() {
		if p.away {
			err = errAway
		}
		if p.before != nil {
			p.before(p, p.state(c.Bucket), &c)
		}
		if err != nil {
			return
		}
		now := time.Now()
		if p.clock != nil {
			now = p.clock(p.setup)
		}
		if r = p.state(c.Bucket).Serve(now.UnixMicro(), c); p.after != nil {
			p.after(p, p.state(c.Bucket), c, &r)
		}
	})
	return r, errors.Join(err, p.travel(ctx))
}

func (p *process) travel(ctx context.Context) error {
	var d time.Duration
	p.set(func() { d = p.delay / 2 })
	select {
	case <-p.setup.Context.Done():
	case <-ctx.Done():
	case <-time.After(d):
	}
	if p.setup.Context.Err() != nil {
		return errDead
	}
	return ctx.Err()
}

// Acquire implements [terminal49.Limiter].
func (p *process) Acquire(ctx context.Context, b terminal49.Bucket) (free func(), err error) {
	p.calls.Add(1)
	p.waiting.Add(1)
	defer p.waiting.Add(-1)
	if p.acquire == nil {
		free, err = p.limiter.Acquire(ctx, b)
	} else {
		free, err = p.acquire(ctx, p, b)
	}
	if err != nil || p.free == nil {
		return free, err
	}
	release := free
	return func() { p.bug.free(ctx, p, release) }, nil
}

// Pause implements [terminal49.Limiter].
func (p *process) Pause(b terminal49.Bucket, d time.Duration) {
	if p.pause == nil {
		p.limiter.Pause(b, d)
		return
	}
	p.bug.pause(p, b, d)
}

func (p *process) windows(n float64) time.Duration { return time.Duration(n * float64(p.setup.Window)) }

// note counts how often a name was noted in the process.
func (p *process) note(name string) int {
	p.own.Lock()
	defer p.own.Unlock()
	p.notes[name]++
	return p.notes[name]
}

// refuse returns the error of a limiter with these limits.
func (b bug) refuse(l terminal49.RateLimits) error {
	if b.refuses != nil {
		return b.refuses(l)
	}
	_, err := terminal49.NewLimiter(l)
	return err
}

// count is what an algorithm other than slots counts.
type count struct {
	tat, since  time.Time
	n, previous int
}

// counting returns a bug that counts requests by an algorithm in place of slots: decide returns how
// long to wait, or counts a request. released is called at the release of one.
func counting(decide func(c *count, limit int, window time.Duration, now time.Time) time.Duration, released ...func(c *count)) bug {
	return bug{acquire: func(ctx context.Context, p *process, b terminal49.Bucket) (func(), error) {
		for {
			var wait time.Duration
			var c *count
			p.set(func() {
				key := fmt.Sprint(p.setup.Namespace, b)
				if p.counts[key] == nil {
					p.counts[key] = &count{}
				}
				c = p.counts[key]
				wait = decide(c, limitOf(p.setup.Limits, b), p.setup.Window, time.Now())
			})
			if wait == 0 {
				return func() {
					for _, f := range released {
						p.set(func() { f(c) })
					}
				}, nil
			}
			if end, ok := ctx.Deadline(); ok && time.Until(end) < wait {
				return nil, context.DeadlineExceeded
			}
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-p.setup.Context.Done():
				return nil, errDead
			case <-time.After(wait):
			}
		}
	}}
}

func limitOf(l terminal49.RateLimits, b terminal49.Bucket) int {
	return map[terminal49.Bucket]int{terminal49.BucketCreate: l.Create, terminal49.BucketInfer: l.Infer, terminal49.BucketRefresh: l.Refresh, terminal49.BucketDefault: l.Default}[b]
}
