package fleettest_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet/fleettest"
)

// slotLimiter is one process.
type slotLimiter struct {
	*slotEngine
	setup fleettest.Setup

	pauses     sync.Mutex
	pausedHere map[terminal49.Bucket]time.Time
	renewing   atomic.Int64
	owners     map[context.Context]bool
}

// open opens a limiter for a process.
func (e *slotEngine) open(_ *testing.T, s fleettest.Setup) terminal49.Limiter {
	l := &slotLimiter{e, s, sync.Mutex{}, map[terminal49.Bucket]time.Time{}, atomic.Int64{}, map[context.Context]bool{}}
	if e.ownBudgets {
		l.slotEngine = newEngine(e.broken)
	}
	if e.minute {
		l.setup.Window = time.Minute
	}
	if e.startEmpties {
		e.faults().Lose()
	}
	return l
}

func (l *slotLimiter) now() time.Time {
	if l.processClock {
		return l.setup.Clock()
	}
	return time.Now()
}

func (l *slotLimiter) windows(n float64) time.Duration {
	return time.Duration(n * float64(l.setup.Window))
}

func (l *slotLimiter) hold() time.Duration {
	if l.holdWindows > 0 {
		return l.windows(l.holdWindows)
	}
	return l.windows(1.5)
}

func (l *slotLimiter) limit(b terminal49.Bucket) int {
	s := l.setup.Limits
	if l.limits != nil {
		s = l.limits(s)
	}
	switch b {
	case terminal49.BucketCreate:
		return s.Create
	case terminal49.BucketInfer:
		return s.Infer
	case terminal49.BucketRefresh:
		return s.Refresh
	}
	return s.Default
}

// refuse returns the error of a limiter with these limits.
func (b broken) refuse(l terminal49.RateLimits) error {
	if b.anyLimit {
		return nil
	}
	_, err := terminal49.NewLimiter(l)
	return err
}

func shareOf(ctx context.Context) float64 {
	if call, ok := terminal49.CallFromContext(ctx); ok {
		return call.Share
	}
	return 1
}

func (l *slotLimiter) Acquire(ctx context.Context, b terminal49.Bucket) (func(), error) {
	p := &place{process: l, share: shareOf(ctx)}
	if l.hangs {
		<-l.setup.Context.Done()
	}
	if l.oneForContext && l.has(ctx) {
		return func() {}, nil
	}
	for {
		if ctx.Err() != nil && !l.contextIgnored {
			return nil, l.leave(ctx, b, p)
		}
		lease, wait, err := l.ask(b, p)
		switch {
		case errors.Is(err, errAway) && l.awayAllows:
			return func() {}, nil
		case err != nil && (l.awayFails || !errors.Is(err, errAway)):
			return nil, err
		case err != nil:
			wait = l.windows(0.05)
		case lease != nil && l.ready(ctx, lease):
			return l.granted(ctx, lease), nil
		case lease == nil && err == nil && l.tooLate(ctx, wait):
			return nil, cmpErr(l.leave(ctx, b, p), context.DeadlineExceeded)
		}
		over := ctx.Done()
		if l.contextIgnored {
			over = nil
		}
		select {
		case <-over:
		case <-l.setup.Context.Done():
			return nil, context.Canceled
		case <-time.After(l.askAgain(wait)):
		}
	}
}

func cmpErr(errs ...error) error {
	return errs[slices.IndexFunc(errs, func(err error) bool { return err != nil })]
}

// askAgain returns when to ask the engine again: soon before a slot is free.
func (l *slotLimiter) askAgain(wait time.Duration) time.Duration {
	if early := l.setup.Window / 60; wait > early {
		wait -= early
	}
	return max(min(wait, l.windows(0.05)), l.windows(l.poll), l.setup.Window/600)
}

// has reports whether a call with this context has asked before.
func (l *slotLimiter) has(ctx context.Context) bool {
	l.pauses.Lock()
	defer l.pauses.Unlock()
	defer func() { l.owners[ctx] = true }()
	return l.owners[ctx]
}

// ask asks the engine for a slot, unless the process knows of a pause.
func (l *slotLimiter) ask(b terminal49.Bucket, p *place) (lease *slotLease, wait time.Duration, err error) {
	if wait = l.pausedFor(b); wait > 0 && !l.pauseSkipsWaiters {
		return nil, wait, nil
	}
	var full error
	err = l.call(func() {
		if l.lossAllows && l.lostWithin(2*l.setup.Window) {
			lease = &slotLease{bucket: b, noSlot: true, since: l.now(), ended: make(chan struct{})}
			return
		}
		if l.lineIsFull > 0 && len(l.bucket(b).line) >= l.lineIsFull {
			full = errors.New("too many calls are waiting")
			return
		}
		lease, wait = l.take(b, p)
	})
	return lease, wait, errors.Join(err, full)
}

func (l *slotLimiter) pausedFor(b terminal49.Bucket) time.Duration {
	l.pauses.Lock()
	defer l.pauses.Unlock()
	return l.pausedHere[b].Sub(l.now())
}

// tooLate reports whether the wait exceeds the deadline.
func (l *slotLimiter) tooLate(ctx context.Context, wait time.Duration) bool {
	deadline, ok := ctx.Deadline()
	left := time.Until(deadline)
	switch {
	case l.contextIgnored || l.deadlineIgnored:
		return false
	case l.neverWaits, l.deadlineRequired && !ok:
		return true
	case l.halfOfDeadline:
		left /= 2
	}
	return ok && wait > left
}

// ready waits until the slot is free. If the context ends first or a pause has begun, it gives the
// slot back, because nothing was sent.
func (l *slotLimiter) ready(ctx context.Context, lease *slotLease) bool {
	select {
	case <-ctx.Done():
	case <-time.After(lease.since.Sub(l.now())):
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if lease.noSlot || l.contextIgnored {
		return true
	}
	s := l.bucket(lease.bucket)
	if l.setup.Context.Err() != nil || ctx.Err() == nil && !l.stopped(s, lease) {
		return true
	}
	switch {
	case s.owner[lease.slot] != lease || l.unsentKept:
	case l.unsentFreesAnother:
		if i := slices.IndexFunc(s.owner, func(o *slotLease) bool { return o != nil && o != lease }); i >= 0 {
			s.owner[i], s.free[i] = nil, l.now()
		}
		fallthrough
	default:
		s.owner[lease.slot], s.free[lease.slot] = nil, lease.since
	}
	return false
}

// stopped reports whether the bucket is paused.
func (l *slotLimiter) stopped(s *slots, lease *slotLease) bool {
	return !l.pauseSkipsWaiters && (l.pausedFor(lease.bucket) > 0 || !l.pauseLocal && l.now().Before(s.paused))
}

// leave removes a call from the line.
func (l *slotLimiter) leave(ctx context.Context, b terminal49.Bucket, p *place) error {
	if l.setup.Context.Err() != nil {
		return cmpErr(ctx.Err(), context.Canceled)
	}
	_ = l.call(func() {
		s := l.bucket(b)
		switch {
		case l.cancelledTakes: // it is still in the line
			go func() { _, _ = l.Acquire(l.setup.Context, b) }()
		case l.refusedTakes:
			if i := slices.IndexFunc(s.free, l.now().After); i >= 0 {
				s.free[i] = l.now().Add(l.hold())
			}
		case l.cancelledStays:
			p.asked = l.now().Add(l.windows(100))
			return
		}
		s.line = slices.DeleteFunc(s.line, func(other *place) bool { return other == p })
	})
	return cmpErr(ctx.Err(), context.DeadlineExceeded)
}

func (l *slotLimiter) granted(ctx context.Context, lease *slotLease) func() {
	go l.renew(ctx, lease)
	if l.contextReleases {
		context.AfterFunc(ctx, func() { l.release(lease) })
	}
	if l.deathReleases {
		context.AfterFunc(l.setup.Context, func() { l.eventually(true, func() { clear(l.bucket(lease.bucket).free) }) })
	}
	return func() {
		if l.lateReleaseLost && ctx.Err() != nil {
			lease.once.Do(func() { close(lease.ended) })
			return
		}
		l.release(lease)
	}
}

// renew keeps the slot while the process lives, also if the engine has lost it.
func (l *slotLimiter) renew(ctx context.Context, lease *slotLease) {
	n := l.renewing.Add(1)
	defer l.renewing.Add(-1)
	if lease.noSlot || l.notRenewed || l.renewedAtOnce > 0 && n > l.renewedAtOnce {
		return
	}
	over := ctx.Done()
	if !l.renewedForContext {
		over = nil
	}
	for n := 1; l.renewals == 0 || n <= l.renewals; n++ {
		select {
		case <-over:
			return
		case <-lease.ended:
			return
		case <-l.setup.Context.Done():
			return
		case <-time.After(l.windows(0.13)):
		}
		if l.pauseStopsRenewal && l.pausedFor(lease.bucket) > 0 {
			continue
		}
		l.mu.Lock()
		if s := l.bucket(lease.bucket); !l.away && l.owns(s, lease) {
			s.free[lease.slot] = l.now().Add(l.hold())
		}
		away := l.away
		l.mu.Unlock()
		if away && l.awayEndsRenewal {
			return
		}
	}
}

// owns reports whether a lease has its slot. If it was lost, another free one is taken.
func (l *slotLimiter) owns(s *slots, lease *slotLease) bool {
	if s.owner[lease.slot] == lease {
		return true
	}
	free := slices.IndexFunc(s.free, func(at time.Time) bool { return !at.After(l.now()) })
	if free < 0 || l.lostIsGone {
		return false
	}
	lease.slot = free
	s.owner[free], s.share[free] = lease, lease.share
	return true
}

func (l *slotLimiter) Pause(b terminal49.Bucket, d time.Duration) {
	if l.pauseMost > 0 {
		d = min(d, l.windows(l.pauseMost))
	}
	if l.pauseForever {
		d += 100 * time.Hour
	}
	until := l.now().Add(d)
	l.pauses.Lock()
	if until.After(l.pausedHere[b]) && !l.pauseShortens && !l.pauseLostIdle && !l.pauseForgotten {
		l.pausedHere[b] = until
	}
	l.pauses.Unlock()
	if !l.pauseLocal {
		l.eventually(l.pauseLost, func() { l.pauseBuckets(b, until) })
	}
}

func (l *slotLimiter) pauseBuckets(b terminal49.Bucket, until time.Time) {
	named := l.bucket(b)
	for _, s := range l.buckets {
		switch {
		case s != named && !l.pauseOfAll:
		case l.pauseAdded && s.paused.After(l.now()):
			s.paused = s.paused.Add(until.Sub(l.now()))
		case until.After(s.paused) || l.pauseShortens:
			s.paused = until
		}
		if s == named && l.pauseFrees {
			clear(s.free)
		}
	}
	if l.pauseOfBuckets {
		for _, other := range []string{"default", "create", "infer", "refresh"} {
			l.bucket(terminal49.Bucket(other)).paused = until
		}
	}
}

// eventually does something in the engine, at once if possible, and otherwise when it is back.
func (l *slotLimiter) eventually(once bool, effect func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.away {
		effect()
		return
	}
	if once {
		return
	}
	go func() {
		for l.call(effect) != nil {
			select {
			case <-l.setup.Context.Done():
				return
			case <-time.After(l.windows(0.05)):
			}
		}
	}()
}
