package transport

import (
	"container/list"
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Window is the [Limiter] of one process: in each bucket, an exact log of the
// rolling window and a pace on top of it.
//
// A slot is taken by Acquire and comes back one window after its release. The
// service counts a request at some moment between the two, so no window that it
// can look at holds more than the limit, whatever the latency; and the whole limit
// can be used at once. The pace only keeps a loop from spending it in one volley.
//
// Waiters are served in the order they came. One that gives up leaves no trace.
type Window struct {
	buckets map[string]*bucket
}

var _ Limiter = (*Window)(nil)

// NewWindow returns a Window with a bucket for each of limits: that many requests
// in any window. perSecond and burst set the pace of each bucket; with perSecond
// zero or less there is none. A name that is not in limits means the bucket called
// "default"; if there is no such bucket it is not limited. A limit or burst below
// one is taken as one.
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

// Acquire waits for a slot of the bucket. If the slot cannot come before ctx's
// deadline it fails at once, with an error that is context.DeadlineExceeded.
func (w *Window) Acquire(ctx context.Context, name string) (release func(), err error) {
	if b := w.bucket(name); b != nil {
		return b.acquire(ctx)
	}
	return func() {}, ctx.Err()
}

// Pause keeps everybody out of the bucket for d. It never shortens an earlier pause.
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
	spent    []time.Time   // when each released slot comes back, ascending; with inFlight at most limit
	paused   time.Time     // nobody enters before
	queue    list.List     // of chan struct{}, capacity 1: how to wake that waiter
}

func (b *bucket) acquire(ctx context.Context) (func(), error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	wake := make(chan struct{}, 1)
	ahead := b.queue.Len()
	me := b.queue.PushBack(wake)
	defer b.leave(me)
	for {
		if ctx.Err() != nil {
			return nil, contextError(ctx)
		}
		now := time.Now()
		at := b.earliest(now, ahead)
		first := b.queue.Front() == me
		if first && !at.After(now) && (b.pace == nil || b.pace.AllowN(now, 1)) {
			b.inFlight++
			return sync.OnceFunc(b.release), nil
		}
		if deadline, ok := ctx.Deadline(); ok && !at.Before(deadline) {
			return nil, fmt.Errorf("bucket %s has no slot for %v, which is past the context's deadline: %w",
				b.name, at.Sub(now).Round(time.Millisecond), context.DeadlineExceeded)
		}
		b.sleep(ctx, wake, first, at.Sub(now))
		ahead = 0 // from here on only a lower bound is known, which is what the first needs
	}
}

// sleep gives the lock away until there may be news: only the first in line
// watches the clock.
func (b *bucket) sleep(ctx context.Context, wake <-chan struct{}, first bool, d time.Duration) {
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
	case <-wake:
	case <-clock:
	}
}

// earliest is the earliest moment at which a newcomer with so many waiters ahead
// can enter. It is exact for the first in line unless all slots are in flight, and
// a lower bound for everyone else.
func (b *bucket) earliest(now time.Time, ahead int) time.Time {
	gone := 0
	for gone < len(b.spent) && !b.spent[gone].After(now) {
		gone++
	}
	b.spent = b.spent[gone:]

	// The slots in the order they come back: free now, known, not before a window
	// from now. Whoever is further back waits for one of them a second time.
	at, free := now, b.limit-b.inFlight-len(b.spent)
	switch slot := ahead % b.limit; {
	case slot < free:
	case slot < free+len(b.spent):
		at = b.spent[slot-free]
	default:
		at = now.Add(b.window)
	}
	at = at.Add(time.Duration(ahead/b.limit) * b.window)

	if b.paused.After(at) {
		at = b.paused
	}
	if b.pace == nil {
		return at
	}
	if lack := float64(ahead+1) - b.pace.TokensAt(now); lack > 0 {
		paced := now.Add(time.Duration(math.Ceil(lack / float64(b.pace.Limit()) * float64(time.Second))))
		if paced.After(at) {
			at = paced
		}
	}
	return at
}

func (b *bucket) release() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.inFlight--
	// Nobody has to be woken: no waiter could have hoped for this slot any sooner.
	b.spent = append(b.spent, time.Now().Add(b.window))
}

// leave takes a waiter out of the queue, served or not; the next one moves up.
func (b *bucket) leave(me *list.Element) {
	b.queue.Remove(me)
	if first := b.queue.Front(); first != nil {
		wakeUp(first)
	}
}

func (b *bucket) pause(until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !until.After(b.paused) {
		return
	}
	b.paused = until
	// All, not just the first: for some the deadline is out of reach now.
	for e := b.queue.Front(); e != nil; e = e.Next() {
		wakeUp(e)
	}
}

func wakeUp(e *list.Element) {
	select {
	case e.Value.(chan struct{}) <- struct{}{}:
	default: // it has been woken already and has yet to look
	}
}
