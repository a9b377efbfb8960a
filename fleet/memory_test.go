package fleet_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/fleet"
)

// Nothing that the tests start may outlive them.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memory is an engine in memory, with a clock, delays and faults of its own.
type memory struct {
	mu      sync.Mutex
	skew    time.Duration // of its clock
	random  *rand.Rand    // nil for an engine without delay
	delay   time.Duration // each way, at most
	away    error         // calls fail with it, if it is not nil
	lost    float64       // part of the responses that are lost, after the call had its effect
	buckets map[fleet.Bucket]*bucket
	takes   int
	keeps   int
}

type bucket struct {
	born   time.Time
	paused time.Time
	slots  map[string]*slot
}

type slot struct {
	until time.Time
	top   int
}

var errLost = errors.New("read tcp 10.1.2.3:6379: i/o timeout")

func newMemory(seed uint64, delay time.Duration) *memory {
	return &memory{random: rand.New(rand.NewPCG(seed, 1)), delay: delay, skew: time.Duration(seed) * time.Hour,
		buckets: map[fleet.Bucket]*bucket{}}
}

// call has an effect between two delays, unless the engine is away.
func (m *memory) call(ctx context.Context, b fleet.Bucket, effect func(now time.Time, b *bucket)) error {
	if err := m.travel(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	away, lost := m.away, m.random.Float64() < m.lost
	if away == nil {
		now := time.Now().Add(m.skew)
		effect(now, m.bucket(b, now))
	}
	m.mu.Unlock()
	if lost {
		<-ctx.Done()
		return errLost
	}
	return cmp.Or(away, m.travel(ctx))
}

func (m *memory) travel(ctx context.Context) error {
	m.mu.Lock()
	d := time.Duration(m.random.Int64N(int64(m.delay) + 1))
	m.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (m *memory) bucket(id fleet.Bucket, now time.Time) *bucket {
	b := m.buckets[id]
	if b == nil {
		b = &bucket{born: now, slots: map[string]*slot{}}
		m.buckets[id] = b
	}
	for owner, s := range b.slots {
		if !s.until.After(now) {
			delete(b.slots, owner)
		}
	}
	return b
}

func (m *memory) Take(ctx context.Context, r fleet.Request) (g fleet.Grant, err error) {
	return g, m.call(ctx, r.Bucket, func(now time.Time, b *bucket) {
		m.takes++
		g = fleet.Grant{Born: b.born.UnixMicro(), Wait: max(b.paused.Sub(now), b.born.Add(r.Settle).Sub(now), b.wait(now, r))}
		if g.Wait > 0 || r.Born != 0 && r.Born < g.Born {
			return
		}
		g.Taken, g.Wait = true, 0
		b.slots[r.Owner] = &slot{now.Add(r.Hold), r.Top}
	})
}

// wait returns how long it takes until all bounds that apply to r have room.
func (b *bucket) wait(now time.Time, r fleet.Request) (wait time.Duration) {
	bounds := map[int]bool{r.Limit: true, r.Top: true}
	for _, s := range b.slots {
		if s.top >= r.Top && s.top <= r.Limit {
			bounds[s.top] = true
		}
	}
	for bound := range bounds {
		var ends []time.Duration
		for _, s := range b.slots {
			if s.top <= bound || bound == r.Limit {
				ends = append(ends, s.until.Sub(now))
			}
		}
		slices.Sort(ends)
		if n := len(ends) - bound; n >= 0 {
			wait = max(wait, ends[n])
		}
	}
	return wait
}

func (m *memory) Keep(ctx context.Context, id fleet.Bucket, slots []fleet.Slot) (forgotten int, err error) {
	return forgotten, m.call(ctx, id, func(now time.Time, b *bucket) {
		m.keeps++
		for _, s := range slots {
			switch known := b.slots[s.Owner]; {
			case s.For <= 0:
				delete(b.slots, s.Owner)
			case known != nil:
				known.until = now.Add(s.For)
			default:
				forgotten++
				b.slots[s.Owner] = &slot{now.Add(s.For), math.MaxInt}
			}
		}
	})
}

func (m *memory) Pause(ctx context.Context, id fleet.Bucket, d time.Duration) error {
	return m.call(ctx, id, func(now time.Time, b *bucket) {
		if until := now.Add(d); until.After(b.paused) {
			b.paused = until
		}
	})
}

// set changes the engine between two calls.
func (m *memory) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// empty deletes everything in the engine.
func (m *memory) empty() { m.set(func() { clear(m.buckets) }) }

// taken returns how many slots are taken.
func (m *memory) taken() (n int) {
	m.set(func() {
		for id := range m.buckets {
			n += len(m.bucket(id, time.Now().Add(m.skew)).slots)
		}
	})
	return n
}

// asked returns how often a slot was asked for.
func (m *memory) asked() (n int) {
	m.set(func() { n = m.takes })
	return n
}

// calls returns how often slots were asked for and kept.
func (m *memory) calls() (n int) {
	m.set(func() { n = m.takes + m.keeps })
	return n
}
