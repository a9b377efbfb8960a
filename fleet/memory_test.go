package fleet_test

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
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
	random  *rand.Rand
	delay   time.Duration // each way, at most
	away    error         // calls fail with it, if it is not nil
	lost    float64       // part of the responses that are lost, after the call had its effect
	buckets map[fleet.Bucket]*fleet.State
	takes   int // calls with places
	all     int
}

var errLost = errors.New("read tcp 10.1.2.3:6379: i/o timeout")

func newMemory(seed uint64, delay time.Duration) *memory {
	return &memory{random: rand.New(rand.NewPCG(seed, 1)), delay: delay, skew: time.Duration(seed) * time.Hour,
		buckets: map[fleet.Bucket]*fleet.State{}}
}

// Serve has an effect between two delays, unless the engine is away.
func (m *memory) Serve(ctx context.Context, c fleet.Call) (r fleet.Reply, err error) {
	if err := m.travel(ctx); err != nil {
		return r, err
	}
	m.mu.Lock()
	away, lost := m.away, m.random.Float64() < m.lost
	if away == nil {
		m.all++
		if len(c.Places) > 0 {
			m.takes++
		}
		r = m.bucket(c.Bucket).Serve(time.Now().Add(m.skew).UnixMicro(), c)
	}
	m.mu.Unlock()
	if lost {
		<-ctx.Done()
		return r, errLost
	}
	return r, cmp.Or(away, m.travel(ctx))
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

func (m *memory) bucket(id fleet.Bucket) *fleet.State {
	if m.buckets[id] == nil {
		m.buckets[id] = &fleet.State{}
	}
	return m.buckets[id]
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
		for _, b := range m.buckets {
			n += b.Serve(time.Now().Add(m.skew).UnixMicro(), fleet.Call{Window: time.Minute}).InUse
		}
	})
	return n
}

// asked returns how often slots were asked for.
func (m *memory) asked() (n int) {
	m.set(func() { n = m.takes })
	return n
}

// calls returns how often the engine was called.
func (m *memory) calls() (n int) {
	m.set(func() { n = m.all })
	return n
}
