// Package ratelimit counts requests in rolling windows and queues those that have to wait. It knows
// neither requests nor contexts of calls, only buckets and shares of their budgets.
package ratelimit

import (
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"
)

// Window is the limiter of one process. In each bucket it keeps an exact log of the rolling
// window, and a pace in addition.
//
// Acquire takes a slot, which is free again one window after its release. The service counts a
// request at some moment between the two, so no window of the service holds more than the limit,
// at any latency, and the whole limit is usable at once. The pace only keeps a loop from
// using it all at once.
//
// Waiters with a larger share are served first, and those with equal shares in order of arrival. A
// waiter that gives up does not affect the others.
type Window struct {
	buckets map[string]*bucket
}

// NewWindow returns a Window with a bucket for each of limits: that many requests in any window.
// perSecond and burst set the pace of each bucket; with perSecond zero or less there is none. A
// name that is not in limits means the bucket "default"; without such a bucket it is not limited. A
// limit or burst below one counts as one.
func NewWindow(limits map[string]int, window time.Duration, perSecond float64, burst int) *Window {
	w := &Window{buckets: make(map[string]*bucket, len(limits))}
	for name, limit := range limits {
		b := &bucket{name: name, slots: NewSlots(limit, window)}
		if perSecond > 0 {
			b.pace = rate.NewLimiter(rate.Limit(perSecond), max(burst, 1))
		}
		w.buckets[name] = b
	}
	return w
}

// Acquire waits for a slot of the bucket for a request of the share, which is 1 for the whole
// budget. If no slot can be free before ctx's deadline, it fails at once with an error that is
// context.DeadlineExceeded. If ctx ends, the error is that of ctx.
func (w *Window) Acquire(ctx context.Context, name string, share float64) (release func(), err error) {
	if b := w.bucket(name); b != nil {
		return b.acquire(ctx, share)
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
	name string

	mu     sync.Mutex
	slots  Slots
	pace   *rate.Limiter // nil for none
	paused time.Time     // until when the bucket is closed
	queue  Queue         // of chan struct{}, capacity 1: each wakes one waiter
}

func (b *bucket) acquire(ctx context.Context, share float64) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queue.First() == nil && ctx.Err() == nil {
		if now := time.Now(); b.take(now, b.earliest(now, share, &b.queue), share) {
			return b.releaseOnce(share), nil
		}
	}
	woken, ahead := make(chan struct{}, 1), &b.queue
	at := b.earliest(time.Now(), share, ahead)
	waiter := b.queue.Push(share, woken)
	defer b.leaveQueue(waiter)
	for {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		now, first := time.Now(), b.queue.First() == waiter
		if first && b.take(now, at, share) {
			return b.releaseOnce(share), nil
		}
		if deadline, ok := ctx.Deadline(); ok && !at.Before(deadline) {
			return nil, TooLate(b.name, at.Sub(now))
		}
		b.wait(ctx, woken, first, at.Sub(now))
		// From here on only a lower bound is known, which is what the first waiter needs.
		at = b.earliest(time.Now(), share, &Queue{})
	}
}

// TooLate returns the error of a wait for a bucket that would exceed the deadline.
func TooLate(bucket string, wait time.Duration) error {
	return fmt.Errorf("bucket %s has no slot for %v, which is past the context's deadline: %w",
		bucket, wait.Round(time.Millisecond), context.DeadlineExceeded)
}

// take takes the slot that is free at a time, if that is now and the pace admits it.
func (b *bucket) take(now, at time.Time, share float64) bool {
	if at.After(now) || b.pace != nil && !b.pace.AllowN(now, 1) {
		return false
	}
	b.slots.Take(share)
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

// earliest returns the earliest moment at which a request of the share can take a slot, after those
// in q that are ahead of it. It is exact if none is ahead and no slot is in flight, and a lower
// bound otherwise.
func (b *bucket) earliest(now time.Time, share float64, q *Queue) time.Time {
	at := Later(b.slots.At(now, share, q), b.paused)
	return Later(at, PacedAt(b.pace, now, q.Ahead(share)))
}

// PacedAt returns when a pace admits a request with so many others ahead. A nil pace admits it now.
func PacedAt(pace *rate.Limiter, now time.Time, ahead int) time.Time {
	if pace == nil {
		return now
	}
	missing := float64(ahead+1) - pace.TokensAt(now)
	if missing <= 0 {
		return now
	}
	return now.Add(time.Duration(math.Ceil(missing / float64(pace.Limit()) * float64(time.Second))))
}

// releaseOnce returns a function that releases a slot once. It takes fewer allocations than
// sync.OnceFunc.
func (b *bucket) releaseOnce(share float64) func() {
	var released atomic.Bool
	return func() {
		if !released.Swap(true) {
			b.release(share)
		}
	}
}

func (b *bucket) release(share float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// No waiter is woken: none could have expected this slot any sooner.
	b.slots.Release(time.Now(), share)
}

// leaveQueue removes a waiter, served or not; the next one moves up.
func (b *bucket) leaveQueue(waiter *Waiter) {
	b.queue.Remove(waiter)
	if first := b.queue.First(); first != nil {
		wake(first, 0)
	}
}

func (b *bucket) pause(until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !until.After(b.paused) {
		return
	}
	b.paused = until
	b.queue.Each(wake) // all waiters: some may have a deadline that is now too early
}

func wake(waiter *Waiter, _ int) {
	select {
	case waiter.Value.(chan struct{}) <- struct{}{}:
	default: // it was woken before and has not run yet
	}
}
