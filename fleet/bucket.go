package fleet

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/go-freight/terminal49/internal/ratelimit"
	"github.com/go-freight/terminal49/internal/transport"
)

// bucket is one bucket of a limiter. Its method step serves the waiters one after another. It runs
// whenever something has changed, so goroutines wait for nothing but the engine.
type bucket struct {
	config
	engine  *engine
	id      Bucket
	process string // part of the names of slots, random
	limit   int

	mu        sync.Mutex
	pace      *rate.Limiter
	queue     ratelimit.Queue       // of *waiter
	own       ratelimit.Slots       // requests of this process, against its LocalShare
	paused    time.Time             // until when the bucket is closed
	notBefore map[float64]time.Time // by share: when to ask the engine again
	timer     *time.Timer           // of step
	asking    bool                  // a Take is pending
	born      int64                 // the latest Grant.Born; 0 before the first
	count     int64                 // how many slots were named
	ledger
}

// waiter is a call that waits for a slot.
type waiter struct {
	deadline time.Time // zero for none
	result   chan result
}

type result struct {
	slot *slot
	err  error
}

func (b *bucket) acquire(ctx context.Context, share float64) (func(), error) {
	w := &waiter{result: make(chan result, 1)}
	w.deadline, _ = ctx.Deadline()
	b.mu.Lock()
	now := time.Now()
	if at := b.earliest(now, share, &b.queue); w.isLate(at) {
		b.mu.Unlock()
		return nil, b.tooLate(at.Sub(now))
	}
	place := b.queue.Push(share, w)
	b.step()
	b.mu.Unlock()
	select {
	case r := <-w.result:
		if r.err != nil {
			return nil, r.err
		}
		return sync.OnceFunc(func() { b.release(r.slot) }), nil
	case <-ctx.Done():
		b.leave(place, w)
		return nil, transport.ContextError(ctx)
	}
}

// tooLate returns the error of a wait past the deadline. It includes whether the engine is away.
func (b *bucket) tooLate(wait time.Duration) error {
	err := ratelimit.TooLate(b.id.Name, wait)
	if away := b.engine.reason(); away != nil {
		return fmt.Errorf("%w: %w: %w", ErrEngineAway, away, err)
	}
	return err
}

func (w *waiter) isLate(at time.Time) bool { return !w.deadline.IsZero() && !at.Before(w.deadline) }

// leave removes a waiter that gave up. If it has just received a slot, the slot is freed, because
// nothing was sent.
func (b *bucket) leave(place *ratelimit.Waiter, w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.Remove(place)
	select {
	case r := <-w.result:
		if r.slot != nil {
			b.own.Release(time.Now(), r.slot.share)
			r.slot.unsent = true
			b.keep()
		}
	default:
	}
	b.step()
}

func (b *bucket) release(s *slot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.released = time.Now()
	b.own.Release(s.released, s.share)
	b.keep()
}

func (b *bucket) pause(until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !until.After(b.paused) {
		return
	}
	b.paused, b.pauseOwed = until, true
	b.failLate(time.Now())
	b.keep()
	b.step()
}

// earliest returns a lower bound of when a request of the share can be sent, behind those of q that
// are served before it.
func (b *bucket) earliest(now time.Time, share float64, q *ratelimit.Queue) time.Time {
	ahead := q.Ahead(share)
	at := ratelimit.Later(b.paused, ratelimit.PacedAt(b.pace, now, ahead))
	if b.engine.reason() != nil {
		next, trying := b.engine.nextTry()
		if own := b.own.At(now, share, q); b.mode() == local && own.Before(next) {
			next = own
		}
		if trying || b.mode() == fail {
			next = now
		}
		return ratelimit.Later(at, next)
	}
	return ratelimit.Later(at, b.askAt(now, share).Add(time.Duration(ahead/b.limit)*b.window))
}

// askAt returns when to ask the engine for a slot. A smaller share waits at least as long as a
// larger one.
func (b *bucket) askAt(now time.Time, share float64) time.Time {
	at := now
	for s, t := range b.notBefore {
		switch {
		case !t.After(now):
			delete(b.notBefore, s)
		case s >= share:
			at = ratelimit.Later(at, t)
		}
	}
	return at
}

// failLate fails the waiters whose deadline is before their turn.
func (b *bucket) failLate(now time.Time) {
	b.queue.Each(func(place *ratelimit.Waiter, _ int) {
		at := b.earliest(now, place.Share, &ratelimit.Queue{})
		if w := place.Value.(*waiter); w.isLate(at) {
			b.fail(place, b.tooLate(at.Sub(now)))
		}
	})
}

func (b *bucket) fail(place *ratelimit.Waiter, err error) {
	b.queue.Remove(place)
	place.Value.(*waiter).result <- result{err: err}
}

// step serves the waiters that can be served now, and schedules its next run.
func (b *bucket) step() {
	for first := b.queue.First(); first != nil; first = b.queue.First() {
		now := time.Now()
		if at := ratelimit.Later(b.paused, ratelimit.PacedAt(b.pace, now, 0)); at.After(now) {
			b.stepAt(now, at)
			return
		}
		away, until := b.engine.reason(), b.engine.localUntil()
		switch {
		case away != nil:
			if !b.fallBack(now, first.Share, away) {
				return
			}
		case b.fallback.mode == local && until.After(now):
			if !b.takeOwn(now, first.Share, until) {
				return
			}
		default:
			b.askEngine(now, first.Share)
			return
		}
	}
	if b.timer != nil {
		b.timer.Stop()
	}
}

func (b *bucket) stepAt(now, at time.Time) {
	if b.timer != nil {
		b.timer.Reset(at.Sub(now))
		return
	}
	b.timer = time.AfterFunc(at.Sub(now), func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.step()
	})
}

// askEngine asks for a slot unless it is too early, or another call must end first. step runs again
// after the result.
func (b *bucket) askEngine(now time.Time, share float64) {
	if at := b.askAt(now, share); at.After(now) {
		b.stepAt(now, at)
	} else if !b.asking && !b.freeing() && !(b.owing && b.keep()) {
		b.ask(share)
	}
}

// fallBack serves the first waiter while the engine is away, and reports whether it did. It also
// tries the engine again at intervals.
func (b *bucket) fallBack(now time.Time, share float64, away error) bool {
	if !b.asking && !b.keeping && !(b.owing && b.keep()) && b.engine.mayCall(now) {
		b.ask(share)
	}
	next := b.engine.retry(now)
	switch b.mode() {
	case fail:
		if !b.asking && !b.keeping {
			b.queue.Each(func(place *ratelimit.Waiter, _ int) {
				b.fail(place, fmt.Errorf("%w: %w", ErrEngineAway, away))
			})
		}
	case local:
		return b.takeOwn(now, share, next)
	}
	b.stepAt(now, next)
	return false
}

// mode returns the fallback while the engine is away.
func (b *bucket) mode() mode {
	if b.engine.isNotSetUp() {
		return fail
	}
	return b.fallback.mode
}

// takeOwn grants the first waiter a slot of the process's LocalShare, and reports whether one is
// free. If none is, step runs again when one is, and at next at the latest.
func (b *bucket) takeOwn(now time.Time, share float64, next time.Time) bool {
	if at := b.own.At(now, share, &ratelimit.Queue{}); at.Before(next) {
		next = at
	}
	if next.After(now) {
		b.stepAt(now, next)
		return false
	}
	b.owing = true
	b.give(now, b.newSlot(share))
	b.keep()
	return true
}

// ask asks the engine for a slot. The call does not end with a waiter's context, because its result
// must not be lost. The slot goes to the waiter that is first by then.
func (b *bucket) ask(share float64) {
	b.asking = true
	s := b.newSlot(share)
	r := Request{
		Bucket: b.id, Owner: s.owner, Limit: b.limit, Top: ratelimit.Top(share, b.limit), Hold: b.hold(), Born: b.born,
	}
	if b.settling {
		r.Settle = r.Hold
	}
	go func() {
		var g Grant
		start := time.Now()
		err := b.engine.do(func(ctx context.Context) (err error) {
			g, err = b.engine.Take(ctx, r)
			return err
		})
		b.mu.Lock()
		b.asking = false
		b.answered(s, start, g, err)
		b.step()
		b.mu.Unlock()
	}()
}

func (b *bucket) newSlot(share float64) *slot {
	b.count++
	return &slot{owner: b.process + "-" + strconv.FormatInt(b.count, 36), share: share}
}

// answered handles the result of a Take that began at start. The slot is freed unused after an
// error, because it may have been taken, and if its hold may soon end because the call took long.
func (b *bucket) answered(s *slot, start time.Time, g Grant, err error) {
	now := time.Now()
	s.known, s.renewed = true, start
	switch {
	case err != nil || g.Taken && now.Sub(start) > b.window/3:
		s.unsent = true
		b.slots = append(b.slots, s)
		b.keep()
	case g.Taken:
		b.give(now, s)
	default:
		b.notBefore[s.share] = now.Add(b.waitFor(g))
		b.failLate(now)
	}
	if err == nil && g.Born != b.born {
		b.owing = b.owing || b.born != 0
		b.born = g.Born
	}
}

// give grants a slot to the first waiter. If only waiters with a smaller share are left, it frees
// the slot.
func (b *bucket) give(now time.Time, s *slot) {
	b.slots = append(b.slots, s)
	first := b.queue.First()
	if first == nil || first.Share < s.share {
		s.unsent = true
		b.keep()
		return
	}
	b.pace.AllowN(now, 1)
	b.own.Take(s.share)
	b.queue.Remove(first)
	first.Value.(*waiter).result <- result{slot: s}
	b.renewLater(now)
}

// leastWait is the shortest wait between two calls of Take. Up to as much again is added at random.
const leastWait = 5 * time.Millisecond

// waitFor returns how long to wait after g before asking again. A request in flight that ends now
// frees its slot one window from now, so a Wait up to the hold is cut to that. A longer Wait means
// that the bucket is paused. If the engine has lost slots, it is asked again once they are written
// back.
func (b *bucket) waitFor(g Grant) time.Duration {
	wait := g.Wait
	if wait <= b.hold() {
		wait = min(wait, b.window)
	}
	if b.born != 0 && g.Born != b.born {
		wait = 0
	}
	return max(wait, leastWait+rand.N(leastWait))
}
