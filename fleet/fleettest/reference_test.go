package fleettest_test

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet/fleettest"
)

// slotEngine is the reference: slots on one clock, and a line of calls that wait for them. A slot
// is taken for a hold, which is renewed while the request is in flight and its process lives, and
// for one window after its release.
type slotEngine struct {
	broken
	mu      sync.Mutex
	buckets map[string]*slots
	arrived int // places so far

	away   bool
	delay  time.Duration // of each call
	lostAt time.Time
}

var errAway = errors.New("engine is away")

type slots struct {
	free   []time.Time // when each slot is free
	owner  []*slotLease
	share  []float64 // of the request that took it last
	paused time.Time
	line   []*place
	used   time.Time // when it was last used

	algorithmState
}

// place is a call's place in a line. Its process must ask again in time.
type place struct {
	process *slotLimiter
	share   float64
	arrival int
	asked   time.Time
}

type slotLease struct {
	bucket  terminal49.Bucket
	slot    int
	noSlot  bool // an algorithm counts instead
	share   float64
	since   time.Time // when the slot is free
	endedAt time.Time
	once    sync.Once
	ended   chan struct{}
}

func newEngine(b broken) *slotEngine { return &slotEngine{broken: b, buckets: map[string]*slots{}} }

// faults lets the suite make the engine fail.
func (e *slotEngine) faults() fleettest.Faults {
	set := func(change func()) {
		e.mu.Lock()
		defer e.mu.Unlock()
		change()
	}
	return fleettest.Faults{
		Away: func() func() {
			set(func() { e.away = true })
			return func() { set(func() { e.away = false }) }
		},
		Slow: func(d time.Duration) func() {
			set(func() { e.delay = d })
			return func() { set(func() { e.delay = 0 }) }
		},
		Lose: func() { set(func() { clear(e.buckets); e.lostAt = time.Now() }) },
	}
}

// lostWithin reports whether the engine has lost its data at most d ago. The caller holds mu.
func (e *slotEngine) lostWithin(d time.Duration) bool { return time.Since(e.lostAt) < d }

// call does something in the engine, unless it is away. Half of the delay is before it.
func (e *slotEngine) call(effect func()) error {
	e.mu.Lock()
	delay := e.delay
	e.mu.Unlock()
	time.Sleep(delay / 2)
	e.mu.Lock()
	away := e.away
	if !away {
		effect()
	}
	e.mu.Unlock()
	time.Sleep(delay / 2)
	if away {
		return errAway
	}
	return nil
}

// bucket returns the slots of a bucket. The caller holds mu.
func (l *slotLimiter) bucket(b terminal49.Bucket) *slots {
	key, now := l.keyOf(l.setup.Namespace, b), l.now()
	s := l.buckets[key]
	if s != nil && l.forgetAfter > 0 && now.Sub(s.used) > l.windows(l.forgetAfter) {
		s = nil
	}
	if s == nil {
		n := l.limit(b)
		s = &slots{free: make([]time.Time, n), owner: make([]*slotLease, n), share: make([]float64, n)}
		l.buckets[key] = s
	}
	if l.pauseLostIdle && now.Sub(s.used) > l.setup.Window {
		s.paused = time.Time{}
	}
	if l.oneMoreWhenIdle && now.Sub(s.used) > l.windows(50) && len(s.free) == l.limit(b) && !s.used.IsZero() {
		s.free, s.owner, s.share = append(s.free, time.Time{}), append(s.owner, nil), append(s.share, 0)
	}
	s.used = now
	return s
}

// take takes a slot that is free within a 60th of the window, or returns how long to wait for one.
// The caller holds mu.
func (l *slotLimiter) take(b terminal49.Bucket, p *place) (*slotLease, time.Duration) {
	s, now := l.bucket(b), l.now()
	ahead := l.inLine(s, p, now)
	if wait := s.paused.Sub(now); wait > 0 && !l.pauseLocal && !(l.pauseSkipsWaiters && p.arrival < l.arrived) {
		return nil, wait
	}
	if l.algorithm != nil {
		if wait := l.algorithm(s, l, b, now); wait > 0 {
			return nil, wait
		}
		return &slotLease{bucket: b, noSlot: true, since: now, ended: make(chan struct{})}, 0
	}
	if wait := l.waitFor(s, len(ahead), now); wait > l.setup.Window/60 {
		return nil, wait
	}
	if !l.sharesIgnored && !l.roomFor(p.share, s, ahead, b, now) {
		return nil, l.setup.Window / 20
	}
	s.line = slices.DeleteFunc(s.line, func(other *place) bool { return other == p })
	slot := slices.Index(s.free, slices.MinFunc(s.free, time.Time.Compare))
	lease := &slotLease{
		bucket: b, slot: slot, share: p.share, ended: make(chan struct{}),
		since: now.Add(max(0, s.free[slot].Sub(now))),
	}
	s.share[slot], s.owner[slot] = p.share, lease
	s.free[slot] = lease.since.Add(l.hold())
	return lease, 0
}

// inLine puts p in line, removes those that did not ask again, and returns those ahead of p.
func (l *slotLimiter) inLine(s *slots, p *place, now time.Time) (ahead []*place) {
	if p.arrival == 0 {
		l.arrived++
		p.arrival = l.arrived
	}
	p.asked = now
	s.line = slices.DeleteFunc(s.line, func(other *place) bool {
		return other == p || now.Sub(other.asked) > l.setup.Window/12+l.delay && !l.placesForever
	})
	at, _ := slices.BinarySearchFunc(s.line, p, l.order)
	s.line = slices.Insert(s.line, at, p)
	if !l.noLine && !l.lineOfProcess {
		return s.line[:at]
	}
	for _, other := range s.line[:at] {
		if l.lineOfProcess && other.process == p.process {
			ahead = append(ahead, other)
		}
	}
	return ahead
}

// order compares two places: larger shares first, then first come, first served.
func (l *slotLimiter) order(a, b *place) int {
	byShare, byArrival := cmp.Compare(b.share, a.share), cmp.Compare(a.arrival, b.arrival)
	if l.smallSharesFirst {
		byShare = -byShare
	}
	if l.lastComeFirst {
		byArrival = -byArrival
	}
	if l.sharesNotFirst {
		byShare = 0
	}
	return cmp.Or(byShare, byArrival)
}

// waitFor returns how long it takes at least until a slot is free for the call behind some others.
// A request in flight can end now.
func (l *slotLimiter) waitFor(s *slots, ahead int, now time.Time) time.Duration {
	n := len(s.free)
	if n == 0 || ahead >= n {
		return l.setup.Window * time.Duration(max(1, ahead/max(1, n)))
	}
	next := slices.MinFunc(s.free, time.Time.Compare)
	if ahead > 0 {
		sorted := slices.Clone(s.free)
		slices.SortFunc(sorted, time.Time.Compare)
		next = sorted[ahead]
	}
	return min(next.Sub(now), l.setup.Window)
}

// roomFor reports whether a request leaves its share and all larger ones within their parts, after
// those ahead of it.
func (l *slotLimiter) roomFor(share float64, s *slots, ahead []*place, b terminal49.Bucket, now time.Time) bool {
	parts := append(slices.Clone(s.share), share)
	slices.Sort(parts)
	for _, part := range slices.Compact(parts) {
		if part == 1 || part < share || l.sharesApart && part != share {
			continue
		}
		taken, counts := 0, func(other float64) bool {
			return other == part || other < part && !l.sharesApart || l.sharesCountAll && part < 1
		}
		for i, free := range s.free {
			if free.After(now) && counts(s.share[i]) {
				taken++
			}
		}
		for _, other := range ahead {
			if counts(other.share) {
				taken++
			}
		}
		if taken >= l.top(part, l.limit(b)) {
			return false
		}
	}
	return true
}

func (l *slotLimiter) top(part float64, limit int) int {
	switch {
	case l.sharesRoundUp:
		return int(math.Ceil(part * float64(limit)))
	case l.sharesTruncated:
		return max(int(part*float64(limit)), 1)
	}
	return max(int(part*float64(limit)+1e-9), 1)
}
