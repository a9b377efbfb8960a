package fleet

import (
	"context"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// ledger records the slots of a bucket's own requests, and what must be reported to the engine.
type ledger struct {
	slots     []*slot // of the last window, and those that the engine may still hold
	keeping   bool    // a Keep is pending
	owing     bool    // the engine lacks slots, which must be reported before the next Take
	pauseOwed bool
	keepTimer *time.Timer
}

// slot is a slot of one request.
type slot struct {
	owner    string
	share    float64
	known    bool      // the engine granted it, or took it over
	renewed  time.Time // when the latest call that set its hold began; zero if none succeeded
	released time.Time // zero while the request is in flight
	unsent   bool      // it is free, because no request was sent
	noted    bool      // that it is released or free was reported to the engine
	outlived bool      // its hold ended while the request was in flight
}

// hold returns how long the engine keeps the slot of a request in flight. If the process dies, the
// slot becomes free by itself, at least one window after the service can have counted the request.
func (b *bucket) hold() time.Duration { return b.window + b.window/2 }

// renewal returns the interval at which slots in flight are renewed. A slot that is released just
// before its next renewal is then still held for at least one window.
func (b *bucket) renewal() time.Duration { return b.window / 3 }

func (s *slot) inFlight() bool { return s.released.IsZero() && !s.unsent }

// keepFor returns how long from now on the engine should keep a slot.
func (b *bucket) keepFor(s *slot, now time.Time) time.Duration {
	switch {
	case s.unsent:
		return 0
	case s.inFlight():
		return b.hold()
	}
	return max(0, s.released.Add(b.window).Sub(now))
}

// isOver reports whether a slot can be dropped: it no longer counts, and the engine frees it.
func (b *bucket) isOver(s *slot, now time.Time) bool {
	if s.inFlight() || b.keepFor(s, now) > 0 {
		return false
	}
	return s.noted || !s.known || !s.renewed.Add(b.hold()).After(now)
}

// keep sends what must be reported to the engine, unless such a call is pending. It reports whether
// one is pending now.
func (b *bucket) keep() bool {
	if b.keeping {
		return true
	}
	now, pause := time.Now(), time.Duration(0)
	if b.pauseOwed {
		pause = b.paused.Sub(now)
	}
	b.outlive(now)
	due, all := b.due(now), b.owing
	if len(due) == 0 && pause <= 0 {
		b.owing, b.pauseOwed = false, false
		b.renewLater(now)
		return false
	}
	if !b.engine.mayCall(now) {
		b.keepAt(now, b.engine.retry(now))
		return false
	}
	b.owing, b.pauseOwed = false, false
	b.send(now, pause, due, all)
	return true
}

// send reports a pause, unless it is zero, and the slots in due; all means that these are all
// slots.
func (b *bucket) send(now time.Time, pause time.Duration, due []*slot, all bool) {
	b.keeping = true
	slots, over := make([]Slot, len(due)), make([]bool, len(due))
	for i, s := range due {
		slots[i], over[i] = Slot{s.owner, b.keepFor(s, now)}, !s.inFlight()
	}
	go func() {
		forgotten, err := b.report(pause, slots)
		b.mu.Lock()
		b.keeping = false
		b.pauseOwed = b.pauseOwed || err != nil && pause > 0
		b.owing = b.owing || err != nil && all
		if err == nil {
			b.kept(now, due, over, forgotten)
			b.owing = b.owing || forgotten > 0 && !all
		}
		b.keep()
		b.step()
		b.mu.Unlock()
	}()
}

// report calls the engine for a pause, unless it is zero, and for slots.
func (b *bucket) report(pause time.Duration, slots []Slot) (forgotten int, err error) {
	if pause > 0 {
		err = b.engine.do(func(ctx context.Context) error { return b.engine.Pause(ctx, b.id, pause) })
	}
	if err == nil && len(slots) > 0 {
		err = b.engine.do(func(ctx context.Context) (err error) {
			forgotten, err = b.engine.Keep(ctx, b.id, slots)
			return err
		})
	}
	return forgotten, err
}

// due drops the slots that are over and returns those that must be reported: all of them if owing.
func (b *bucket) due(now time.Time) (due []*slot) {
	kept := b.slots[:0]
	for _, s := range b.slots {
		if b.isOver(s, now) {
			continue
		}
		kept = append(kept, s)
		if b.owing || b.isDue(s, now) {
			due = append(due, s)
		}
	}
	clear(b.slots[len(kept):])
	b.slots = kept
	return due
}

// isDue reports whether a slot must be reported to the engine. Slots in flight are renewed together
// with others that are due soon.
func (b *bucket) isDue(s *slot, now time.Time) bool {
	if s.inFlight() {
		return now.Sub(s.renewed) >= b.renewal()/2
	}
	return !s.noted
}

// kept records that the engine received slots at a time. Slots that were new to the engine were not
// forgotten by it.
func (b *bucket) kept(at time.Time, due []*slot, over []bool, forgotten int) {
	for i, s := range due {
		if !s.known {
			forgotten--
		}
		s.known, s.renewed, s.noted = true, at, over[i]
	}
	if forgotten > 0 {
		b.emit(SlotsLost, forgotten)
	}
}

// outlive reports slots in flight whose hold has ended.
func (b *bucket) outlive(now time.Time) {
	n := 0
	for _, s := range b.slots {
		if s.inFlight() && s.known && !s.outlived && !s.renewed.Add(b.hold()).After(now) {
			s.outlived = true
			n++
		}
	}
	if n > 0 {
		b.emit(SlotsExpired, n)
	}
}

func (b *bucket) emit(kind EventKind, slots int) {
	b.engine.emit(Event{Kind: kind, Bucket: terminal49.Bucket(b.id.Name), Slots: slots})
}

// freeing reports whether the engine is about to learn that a slot is free, which the next question
// could miss.
func (b *bucket) freeing() bool {
	return b.keeping && slices.ContainsFunc(b.slots, func(s *slot) bool { return s.unsent && s.known && !s.noted })
}

// renewLater schedules the next renewal of slots in flight.
func (b *bucket) renewLater(now time.Time) {
	var next time.Time
	for _, s := range b.slots {
		if at := s.renewed.Add(b.renewal()); s.inFlight() && s.known && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if !next.IsZero() {
		b.keepAt(now, next)
	}
}

func (b *bucket) keepAt(now, at time.Time) {
	if b.keepTimer != nil {
		b.keepTimer.Reset(at.Sub(now))
		return
	}
	b.keepTimer = time.AfterFunc(at.Sub(now), func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.keep()
	})
}
