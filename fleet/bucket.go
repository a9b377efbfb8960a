package fleet

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/go-freight/terminal49/internal/ratelimit"
	"github.com/go-freight/terminal49/internal/transport"
)

// bucket is one bucket of a limiter. Its method step does all that is due. It runs whenever
// something has changed, so goroutines wait for nothing but the engine.
type bucket struct {
	config
	engine  *engine
	id      Bucket
	process string // part of the names of slots, random
	limit   int

	mu         sync.Mutex
	pace       *rate.Limiter
	queue      ratelimit.Queue // of *waiter
	paused     time.Time       // until when the bucket is closed
	timer      *time.Timer     // of step
	slots      []*slot         // in the order in which they were asked for
	calling    bool            // a call of the engine is pending
	owing      bool            // the engine lacks slots, which must be reported before places
	pauseOwed  bool            // the pause was not reported to the engine
	called     time.Time       // when the latest call began
	lostAt     time.Time       // when the engine was last found to have lost slots
	losses     int64           // those in any bucket that this one knows of
	born, seen int64           // see Call
	count      int64           // how many slots were named
	inUse      int             // slots of all processes, when the engine last replied
	stats      Stats           // the counts of this process
}

// waiter is a call that waits for a slot.
type waiter struct {
	since    time.Time
	deadline time.Time // zero for none
	result   chan result
}

type result struct {
	slot *slot
	err  error
}

func (b *bucket) acquire(ctx context.Context, share float64) (func(), error) {
	w := &waiter{since: time.Now(), result: make(chan result, 1)}
	w.deadline, _ = ctx.Deadline()
	b.mu.Lock()
	if at := b.earliest(w.since, b.turns(share), b.queue.Of(share), b.queue.Ahead(share)); w.isLate(at) {
		b.stats.Denied++
		b.mu.Unlock()
		return nil, ratelimit.TooLate(b.id.Name, at.Sub(w.since))
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
		return nil, b.ended(ctx)
	}
}

func (w *waiter) isLate(at time.Time) bool { return !w.deadline.IsZero() && !at.Before(w.deadline) }

// ended returns the error of a call whose context has ended. It includes whether the engine is
// away.
func (b *bucket) ended(ctx context.Context) error {
	err := transport.ContextError(ctx)
	if away := b.engine.reason(); away != nil {
		return fmt.Errorf("%w: %w", away, err)
	}
	return err
}

// leave removes a waiter that gave up. If it has just received a slot, the slot is given back.
func (b *bucket) leave(place *ratelimit.Waiter, w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.Remove(place)
	select {
	case r := <-w.result:
		if r.slot == nil {
			return // it has failed meanwhile
		}
		b.giveBack(r.slot)
	default:
	}
	b.stats.Denied++
	b.step()
}

func (b *bucket) release(s *slot) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.state, s.released = released, time.Now()
	b.step()
}

func (b *bucket) giveBack(s *slot) { s.state, s.released = givenBack, time.Now() }

func (b *bucket) pause(until time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if until.After(b.paused) {
		b.pauseOwed = true
		b.pauseUntil(until)
		b.step()
	}
}

// pauseUntil closes the bucket. Slots that were not used yet are given back.
func (b *bucket) pauseUntil(until time.Time) {
	b.paused = ratelimit.Later(b.paused, until)
	for _, s := range b.slots {
		if s.state == granted && s.at.Before(b.paused) {
			b.giveBack(s)
		}
	}
	b.failLate(time.Now())
}

// earliest returns a lower bound of when a request can be sent that has n others of its share, and
// ahead in all, ahead of it. turns are the times of the places of its share: a later place is not
// served before an earlier one.
func (b *bucket) earliest(now time.Time, turns []time.Time, n, ahead int) time.Time {
	at := ratelimit.Later(b.paused, ratelimit.PacedAt(b.pace, now, ahead))
	if len(turns) > 0 {
		at = ratelimit.Later(at, turns[min(n, len(turns)-1)])
	}
	return at.Add(time.Duration(max(n-len(turns), 0)/b.limit) * b.window)
}

// turns returns when the places of a share can be served.
func (b *bucket) turns(share float64) (turns []time.Time) {
	for _, s := range b.slots {
		if s.share == share && s.state <= granted {
			turns = append(turns, s.at)
		}
	}
	return turns
}

// failLate fails the waiters whose deadline is before their turn.
func (b *bucket) failLate(now time.Time) {
	for share := range b.queue.Shares {
		turns, n := b.turns(share), 0
		b.queue.Each(func(place *ratelimit.Waiter, _ int) {
			if place.Share != share {
				return
			}
			if at := b.earliest(now, turns, n, 0); place.Value.(*waiter).isLate(at) {
				b.fail(place, ratelimit.TooLate(b.id.Name, at.Sub(now)))
			}
			n++
		})
	}
}

func (b *bucket) fail(place *ratelimit.Waiter, err error) {
	b.stats.Denied++
	b.queue.Remove(place)
	place.Value.(*waiter).result <- result{err: err}
}

// step serves the waiters that can be served now, calls the engine if something is due, and
// schedules its next run.
func (b *bucket) step() {
	now := time.Now()
	next := earlier(b.serve(now), b.line(now))
	if at := b.callAt(now); !b.calling && !at.IsZero() {
		if b.unsettled(now) && b.paused.After(now) {
			at = ratelimit.Later(at, b.called.Add(b.window/60)) // the engine may lose all again with each call
		}
		switch {
		case at.After(now):
			next = earlier(next, at)
		case b.engine.mayCall(now):
			b.call(now)
		default:
			b.failAway()
			next = earlier(next, b.engine.retry(now))
		}
	}
	b.stepAt(now, next)
}

// earlier returns the earlier of two moments; a zero one is ignored.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func (b *bucket) stepAt(now, at time.Time) {
	switch {
	case b.timer == nil && at.IsZero():
	case b.timer == nil:
		b.timer = time.AfterFunc(at.Sub(now), func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.step()
		})
	case at.IsZero():
		b.timer.Stop()
	default:
		b.timer.Reset(at.Sub(now))
	}
}

// serve gives granted slots to the first waiters, and returns when the next one can be used. A slot
// is given back if only waiters with a smaller share are left, or if its hold may soon end, because
// the process was suspended.
func (b *bucket) serve(now time.Time) (next time.Time) {
	for _, s := range b.slots {
		if s.state != granted {
			continue
		}
		first := b.queue.First()
		if first == nil || first.Share < s.share || now.Sub(s.renewed) > b.window/2 {
			b.giveBack(s)
			continue
		}
		if at := ratelimit.Later(s.at, ratelimit.PacedAt(b.pace, now, 0)); at.After(now) {
			next = earlier(next, at)
			continue
		}
		b.give(now, first, s)
	}
	return next
}

func (b *bucket) give(now time.Time, to *ratelimit.Waiter, s *slot) {
	w := to.Value.(*waiter)
	s.state = inFlight
	b.pace.AllowN(now, 1)
	b.queue.Remove(to)
	b.stats.Granted++
	if now.Sub(w.since) > b.window/60 {
		b.stats.Waited++
	}
	if b.inUse*10 >= b.limit*9 {
		b.stats.NearLimit++
	}
	w.result <- result{slot: s}
}

// line puts the first waiters of each share in line, as far as the pace admits, and gives back the
// places of waiters that have left. It returns when the pace admits the next one.
func (b *bucket) line(now time.Time) (next time.Time) {
	places, have := 0, map[float64]int{}
	for _, s := range b.slots {
		if s.state > granted {
			continue
		}
		if have[s.share] >= b.queue.Of(s.share) {
			b.giveBack(s)
			continue
		}
		have[s.share]++
		places++
	}
	most := max(b.limit/25, 1)
	for share, waiting := range b.queue.Shares {
		for n := have[share]; n < min(waiting, most); n++ {
			if at := ratelimit.PacedAt(b.pace, now, places).Add(-b.window / 60); at.After(now) {
				return at
			}
			b.count++
			b.slots = append(b.slots, &slot{owner: b.process + "-" + strconv.FormatInt(b.count, 36), share: share})
			places++
		}
	}
	return time.Time{}
}

// callAt returns when the engine must be called next, zero for never.
func (b *bucket) callAt(now time.Time) (next time.Time) {
	if n := b.engine.losses.Load(); n != b.losses {
		b.owing, b.losses = b.owing || b.born != 0, n
	}
	if b.owing && len(b.slots) > 0 || b.pauseOwed && b.paused.After(now) {
		return now
	}
	if len(b.slots) > 0 && b.unsettled(now) {
		next = b.called.Add(b.window / 30)
	}
	for _, s := range b.slots {
		if at, due := b.dueAt(s, now); due && !b.isOver(s, now) {
			next = earlier(next, at)
		}
	}
	return next
}

// failAway fails the waiters while the engine is away, if they must not wait for it.
func (b *bucket) failAway() {
	away := b.engine.reason()
	if away == nil || !b.fallback.fails && !is(away, ErrNotSetUp) {
		return
	}
	b.queue.Each(func(place *ratelimit.Waiter, _ int) { b.fail(place, away) })
}
