package fleettest_test

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet/fleettest"
)

// slotEngine is the reference: slots on one clock. A slot is taken for a hold, which is renewed
// while the request is in flight and its process lives, and for one window after its release.
type slotEngine struct {
	faults
	mu      sync.Mutex
	buckets map[string]*slots
}

type slots struct {
	free   []time.Time // when each slot is free
	owner  []*slotLease
	share  []float64 // of the request that took it last
	paused time.Time

	tat     time.Time // of GCRA
	counted time.Time // of a counter per window: the window
	count   int
}

type slotLease struct {
	bucket *slots
	slot   int
	since  time.Time
	once   sync.Once
	ended  chan struct{}
}

// sharedSlots returns how processes open a limiter on one engine with these faults.
func sharedSlots(f faults) func(*testing.T, fleettest.Setup) terminal49.Limiter {
	shared := &slotEngine{faults: f, buckets: map[string]*slots{}}
	return func(_ *testing.T, s fleettest.Setup) terminal49.Limiter {
		if f.ownBudgets {
			return &slotLimiter{&slotEngine{faults: f, buckets: map[string]*slots{}}, s, time.Time{}}
		}
		return &slotLimiter{shared, s, time.Time{}}
	}
}

// slotLimiter is one process.
type slotLimiter struct {
	*slotEngine
	setup fleettest.Setup

	pausedHere time.Time
}

func (l *slotLimiter) limit(b terminal49.Bucket) int {
	s := l.setup.Limits
	limits := map[terminal49.Bucket]int{
		terminal49.BucketDefault: s.Default, terminal49.BucketCreate: s.Create,
		terminal49.BucketInfer: s.Infer, terminal49.BucketRefresh: s.Refresh,
	}
	switch {
	case l.halfTheSlots:
		return limits[b] / 2
	case l.overflows:
		return limits[b] % 128
	}
	return limits[b] + l.moreSlots
}

// refuse returns the error of a limiter with these limits.
func (f faults) refuse(l terminal49.Limits) error {
	if f.anyLimit {
		return nil
	}
	_, err := terminal49.NewLimiter(l)
	return err
}

func (l *slotLimiter) now() time.Time {
	if l.processClock {
		return l.setup.Clock()
	}
	return time.Now()
}

func (l *slotLimiter) hold() time.Duration {
	if l.holdWindows > 0 {
		return time.Duration(l.holdWindows * float64(l.setup.Window))
	}
	return l.setup.Window * 3 / 2
}

func (l *slotLimiter) bucket(b terminal49.Bucket) *slots {
	key := l.setup.Namespace + "/" + string(b)
	switch {
	case l.sharedBuckets:
		key = l.setup.Namespace
	case l.namespaceIgnored:
		key = string(b)
	case l.namespaceCut:
		key = l.setup.Namespace[:20] + "/" + string(b)
	}
	if l.buckets[key] == nil {
		n := l.limit(b)
		l.buckets[key] = &slots{free: make([]time.Time, n), owner: make([]*slotLease, n), share: make([]float64, n)}
	}
	return l.buckets[key]
}

func (l *slotLimiter) Acquire(ctx context.Context, b terminal49.Bucket) (func(), error) {
	for {
		if ctx.Err() != nil && !l.contextIgnored {
			if l.cancelledTakes && l.setup.Context.Err() == nil { // it is still in the queue
				go func() { _, _ = l.Acquire(l.setup.Context, b) }()
			}
			return nil, ctx.Err()
		}
		lease, wait := l.take(b, shareOf(ctx))
		if lease != nil {
			go l.renew(lease)
			if l.contextReleases {
				context.AfterFunc(ctx, func() { l.release(lease) })
			}
			return func() {
				if l.lateReleaseLost && ctx.Err() != nil {
					lease.once.Do(func() { close(lease.ended) })
					return
				}
				l.release(lease)
			}, nil
		}
		deadline, ok := ctx.Deadline()
		if ok && time.Now().Add(wait).After(deadline) && !l.deadlineIgnored && !l.contextIgnored {
			return nil, context.DeadlineExceeded
		}
		over := ctx.Done()
		if l.contextIgnored {
			over = nil
		}
		select {
		case <-over:
		case <-l.setup.Context.Done():
			return nil, context.Canceled
		case <-time.After(max(min(wait, l.setup.Window/20), time.Microsecond)):
		}
	}
}

// take takes a slot, or returns how long to wait for one.
func (l *slotLimiter) take(b terminal49.Bucket, share float64) (*slotLease, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s, now := l.bucket(b), l.now()
	paused := s.paused
	if l.pauseLocal {
		paused = l.pausedHere
	}
	if now.Before(paused) {
		return nil, paused.Sub(now)
	}
	if l.algorithm != nil {
		if wait := l.algorithm(s, l, b, now); wait > 0 {
			return nil, wait
		}
		return &slotLease{bucket: s, slot: -1, ended: make(chan struct{})}, 0
	}
	next := slices.MinFunc(s.free, time.Time.Compare)
	if next.After(now) {
		return nil, next.Sub(now)
	}
	if !l.sharesIgnored && !l.roomFor(share, s, b, now) {
		return nil, l.setup.Window / 20
	}
	slot := slices.Index(s.free, next)
	s.share[slot] = share
	s.free[slot] = now.Add(l.hold())
	s.owner[slot] = &slotLease{bucket: s, slot: slot, since: now, ended: make(chan struct{})}
	return s.owner[slot], 0
}

func shareOf(ctx context.Context) float64 {
	if call, ok := terminal49.CallFromContext(ctx); ok {
		return call.Share
	}
	return 1
}

// roomFor reports whether a request leaves its share and all larger ones within their parts.
func (l *slotLimiter) roomFor(share float64, s *slots, b terminal49.Bucket, now time.Time) bool {
	for _, part := range append(slices.Clone(s.share), share) {
		if part < share || l.sharesApart && part != share {
			continue
		}
		taken := 0
		for i, free := range s.free {
			if free.After(now) && (s.share[i] == part || s.share[i] < part && !l.sharesApart) {
				taken++
			}
		}
		top := max(int(part*float64(l.limit(b))), 1)
		if l.sharesRoundUp {
			top = int(math.Ceil(part * float64(l.limit(b))))
		}
		if taken >= top {
			return false
		}
	}
	return true
}

// renew keeps the slot while the process lives.
func (l *slotLimiter) renew(lease *slotLease) {
	if lease.slot < 0 || l.notRenewed {
		return
	}
	for {
		select {
		case <-lease.ended:
			return
		case <-l.setup.Context.Done():
			return
		case <-time.After(l.setup.Window / 8):
		}
		l.mu.Lock()
		if lease.bucket.owner[lease.slot] == lease {
			lease.bucket.free[lease.slot] = l.now().Add(l.hold())
		}
		l.mu.Unlock()
	}
}

func (l *slotLimiter) release(lease *slotLease) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if lease.slot < 0 {
		return
	}
	s, slot := lease.bucket, lease.slot
	first := false
	lease.once.Do(func() { first = true; close(lease.ended) })
	switch {
	case l.anyoneReleases && !first: // by the number of the slot
		s.owner[slot], s.free[slot] = nil, l.now().Add(l.setup.Window)
	case l.releasedTwice && !first: // by count: another slot
		for i := range s.free {
			if s.owner[i] != nil {
				s.owner[i], s.free[i] = nil, l.now().Add(l.setup.Window)
				break
			}
		}
	}
	if !first || s.owner[slot] != lease {
		return
	}
	s.owner[slot] = nil
	switch {
	case l.freeAtRelease:
		s.free[slot] = l.now()
	case l.fromAcquire:
		s.free[slot] = lease.since.Add(l.setup.Window)
	default:
		s.free[slot] = l.now().Add(l.setup.Window)
	}
}

func (l *slotLimiter) Pause(b terminal49.Bucket, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	until := l.now().Add(d)
	if l.pauseForever {
		until = until.Add(100 * time.Hour)
	}
	if l.pauseLocal {
		l.pausedHere = until
		return
	}
	if s := l.bucket(b); until.After(s.paused) || l.pauseShortens {
		s.paused = until
	}
}
