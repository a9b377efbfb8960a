package transport

import (
	"container/list"
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Window is the [Limiter] of one process. In each bucket it keeps an exact log of the rolling
// window, and a pace in addition.
//
// Acquire takes a slot, which is free again one window after its release. The service counts a
// request at some moment between the two, so no window of the service holds more than the limit,
// whatever the latency, and the whole limit is usable at once. The pace only keeps a loop from
// using it all at once.
//
// Waiters are served in order of arrival. A waiter that gives up does not affect the others.
type Window struct {
	buckets map[string]*bucket
}

var _ Limiter = (*Window)(nil)

// NewWindow returns a Window with a bucket for each of limits: that many requests in any window.
// perSecond and burst set the pace of each bucket; with perSecond zero or less there is none. A
// name that is not in limits means the bucket "default"; without such a bucket it is not limited. A
// limit or burst below one counts as one.
func NewWindow(limits map[string]int, window time.Duration, perSecond float64, burst int) *Window {
	w := &Window{buckets: make(map[string]*bucket, len(limits))}
	for name, limit := range limits {
		b := &bucket{name: name, limit: max(limit, 1), window: window}
		if perSecond > 0 {
			b.pace = rate.NewLimiter(rate.Limit(perSecond), max(burst, 1))
		}
		w.buckets[name] = b
	}
	return w
}

// Acquire waits for a slot of the bucket. If no slot can be free before ctx's deadline, it fails at
// once with an error that is context.DeadlineExceeded.
func (w *Window) Acquire(ctx context.Context, name string) (release func(), err error) {
	if b := w.bucket(name); b != nil {
		return b.acquire(ctx)
	}
	return func() {}, ctx.Err()
}

// Pause closes the bucket for d. It never shortens an earlier pause.
func (w *Window) Pause(name string, d time.Duration) {
	if b := w.bucket(name); b != nil {
		b.pause(time.Now().Add(d))
	}
}

func (w *Window) bucket(name string) *bucket {
	if b := w.buckets[name]; b != nil {
		return b
	}
	return w.buckets["default"]
}

type bucket struct {
	name   string
	limit  int
	window time.Duration

	mu       sync.Mutex
	pace     *rate.Limiter // nil for none
	inFlight int           // slots taken and not released
	freeAt   []time.Time   // when each released slot is free again, ascending
	paused   time.Time     // until when the bucket is closed
	queue    list.List     // of chan struct{}, capacity 1: each wakes one waiter
}

func (b *bucket) acquire(ctx context.Context) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queue.Len() == 0 && ctx.Err() == nil {
		if now := time.Now(); b.take(now, b.earliest(now, 0)) {
			return b.releaseOnce(), nil
		}
	}
	woken := make(chan struct{}, 1)
	ahead := b.queue.Len()
	waiter := b.queue.PushBack(woken)
	defer b.leaveQueue(waiter)
	for {
		if ctx.Err() != nil {
			return nil, contextError(ctx)
		}
		now := time.Now()
		at := b.earliest(now, ahead)
		first := b.queue.Front() == waiter
		if first && b.take(now, at) {
			return b.releaseOnce(), nil
		}
		if deadline, ok := ctx.Deadline(); ok && !at.Before(deadline) {
			return nil, fmt.Errorf("bucket %s has no slot for %v, which is past the context's deadline: %w",
				b.name, at.Sub(now).Round(time.Millisecond), context.DeadlineExceeded)
		}
		b.wait(ctx, woken, first, at.Sub(now))
		ahead = 0 // from here on only a lower bound is known, which is what the first waiter needs
	}
}

// take takes the slot that is free at a time, if that is now and the pace admits it.
func (b *bucket) take(now, at time.Time) bool {
	if at.After(now) || b.pace != nil && !b.pace.AllowN(now, 1) {
		return false
	}
	b.inFlight++
	return true
}

// wait releases the lock until something may have changed. Only the first waiter uses the clock.
func (b *bucket) wait(ctx context.Context, woken <-chan struct{}, first bool, d time.Duration) {
	b.mu.Unlock()
	defer b.mu.Lock()
	var clock <-chan time.Time
	if first {
		timer := time.NewTimer(d)
		defer timer.Stop()
		clock = timer.C
	}
	select {
	case <-ctx.Done():
	case <-woken:
	case <-clock:
	}
}

// earliest returns the earliest moment at which a waiter with so many others ahead can take a slot.
// It is exact for the first waiter unless all slots are in flight, and a lower bound for the
// others.
func (b *bucket) earliest(now time.Time, ahead int) time.Time {
	free := 0
	for free < len(b.freeAt) && !b.freeAt[free].After(now) {
		free++
	}
	b.freeAt = b.freeAt[free:]

	at := b.slotAt(now, ahead)
	if b.paused.After(at) {
		at = b.paused
	}
	if paced := b.pacedAt(now, ahead); paced.After(at) {
		at = paced
	}
	return at
}

// slotAt returns when a slot is free for a waiter, by the window alone. Slots are taken in the
// order in which they become free: those free now, those with a known time, and those in flight,
// not before one window from now. A waiter further back takes one of them a second time.
func (b *bucket) slotAt(now time.Time, ahead int) time.Time {
	at, free := now, b.limit-b.inFlight-len(b.freeAt)
	switch slot := ahead % b.limit; {
	case slot < free:
	case slot < free+len(b.freeAt):
		at = b.freeAt[slot-free]
	default:
		at = now.Add(b.window)
	}
	return at.Add(time.Duration(ahead/b.limit) * b.window)
}

// pacedAt returns when the pace admits a waiter.
func (b *bucket) pacedAt(now time.Time, ahead int) time.Time {
	if b.pace == nil {
		return now
	}
	missing := float64(ahead+1) - b.pace.TokensAt(now)
	if missing <= 0 {
		return now
	}
	return now.Add(time.Duration(math.Ceil(missing / float64(b.pace.Limit()) * float64(time.Second))))
}

// releaseOnce returns a function that releases a slot once. It takes fewer allocations than
// sync.OnceFunc.
func (b *bucket) releaseOnce() func() {
	var released atomic.Bool
	return func() {
		if !released.Swap(true) {
			b.release()
		}
	}
}

func (b *bucket) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight--
	// No waiter is woken: none could have expected this slot any sooner.
	b.freeAt = append(b.freeAt, time.Now().Add(b.window))
}

// leaveQueue removes a waiter, served or not; the next one moves up.
func (b *bucket) leaveQueue(waiter *list.Element) {
	b.queue.Remove(waiter)
	if first := b.queue.Front(); first != nil {
		wake(first)
	}
}

func (b *bucket) pause(until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !until.After(b.paused) {
		return
	}
	b.paused = until
	// All waiters, not just the first: some may have a deadline that is now too early.
	for e := b.queue.Front(); e != nil; e = e.Next() {
		wake(e)
	}
}

func wake(waiter *list.Element) {
	select {
	case waiter.Value.(chan struct{}) <- struct{}{}:
	default: // it was woken before and has not run yet
	}
}
