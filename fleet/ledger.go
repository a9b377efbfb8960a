package fleet

import (
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/ratelimit"
)

// slot is the slot of one request, from its place in line until it is free again.
type slot struct {
	owner    string
	share    float64
	state    slotState
	at       time.Time // when it can be used; zero if the engine was not asked yet
	again    time.Time // when a place is asked for once more before its turn; zero for never
	renewed  time.Time // when the latest call that set its hold began; zero if none succeeded
	released time.Time
	known    bool // the engine may have it
	noted    bool // that it is released or given back was reported to the engine
	outlived bool // its hold ended while the request was in flight
}

type slotState int

const (
	placed    slotState = iota // waits in line
	granted                    // is taken, and not used yet
	inFlight                   // its request is sent
	released                   // its request is over
	givenBack                  // it is free, because no request was sent
)

// hold returns how long the engine keeps the slot of a request in flight. If the process dies, the
// slot becomes free by itself, at least one window after the service can have counted the request.
func (b *bucket) hold() time.Duration { return b.window + b.window/2 }

// clockError is how exact an engine is: the clock of SQLite counts milliseconds, and the times of a
// call are cut to microseconds.
const clockError = time.Millisecond + time.Microsecond

// keepFor returns how long from now on the engine should keep a slot.
func (b *bucket) keepFor(s *slot, now time.Time) time.Duration {
	switch s.state {
	case givenBack:
		return 0
	case released:
		return max(0, s.released.Add(b.window+clockError).Sub(now))
	}
	return b.hold()
}

// isOver reports whether a slot can be dropped: it no longer counts, and the engine frees it, by
// itself if it could not be reported.
func (b *bucket) isOver(s *slot, now time.Time) bool {
	if s.state < released || b.keepFor(s, now) > 0 {
		return false
	}
	return s.noted || !s.known || now.Sub(s.released) > 2*b.window
}

// dueAt returns when a slot must be reported to the engine, at the latest. Slots in flight are
// renewed every third of a window: one that is released just before is still held for a window.
// Those that are released or given back within a moment are reported together.
func (b *bucket) dueAt(s *slot, now time.Time) (at time.Time, due bool) {
	switch s.state {
	case placed:
		return ratelimit.Later(now, earlier(s.again, s.at.Add(-b.engine.lead(b.window)))), true
	case granted, inFlight:
		return s.renewed.Add(b.window / 3), true
	case released:
		return s.released.Add(b.window / 60), !s.noted
	}
	return s.released.Add(b.window / 120), !s.noted
}

// report returns the slots that the engine must know of, together with those that are due soon. It
// drops those that are over, and reports slots in flight whose hold has ended.
func (b *bucket) report(now time.Time) (kept, places []*slot) {
	rest, expired := b.slots[:0], 0
	for _, s := range b.slots {
		if b.isOver(s, now) {
			continue
		}
		rest = append(rest, s)
		at, due := b.dueAt(s, now)
		switch {
		case s.state == placed:
			places = append(places, s)
		case b.owing || due && (s.state >= released || !at.Add(-b.window/6).After(now)):
			kept = append(kept, s)
		}
		if s.state == inFlight && !s.outlived && !s.renewed.Add(b.hold()).After(now) {
			s.outlived = true
			expired++
		}
	}
	clear(b.slots[len(rest):])
	b.slots = rest
	b.emit(SlotsExpired, expired)
	return kept, places
}

func (b *bucket) emit(kind EventKind, slots int) {
	if slots > 0 {
		b.engine.emit(Event{Kind: kind, Bucket: terminal49.Bucket(b.id.Name), Slots: slots})
	}
}

// call reports to the engine what is due and asks for slots. The call does not end with a waiter's
// context, because its result must not be lost.
func (b *bucket) call(now time.Time) {
	kept, places := b.report(now)
	c := Call{Bucket: b.id, Limit: b.limit, Window: b.window, Born: b.born, Seen: b.seen}
	switch {
	case b.settling:
		c.Settle = b.hold()
	case b.unsettled(now):
		c.Settle = b.window / 12
	}
	if b.pauseOwed {
		c.Pause = max(0, b.paused.Add(clockError).Sub(now))
	}
	over := make([]bool, len(kept))
	for i, s := range kept {
		s.known, over[i] = true, s.state >= released
		c.Slots = append(c.Slots, Slot{s.owner, b.keepFor(s, now)})
	}
	for _, s := range places {
		s.known = true
		c.Places = append(c.Places, Place{s.owner, ratelimit.Top(s.share, b.limit)})
	}
	all := b.owing
	b.called, b.calling, b.owing, b.pauseOwed = now, true, false, false
	go func() {
		r, err := b.engine.serve(c)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.calling = false
		if err != nil {
			b.owing, b.pauseOwed = b.owing || all, b.pauseOwed || c.Pause > 0
		} else {
			b.kept(now, kept, over, all, r)
			b.placed(now, places, r)
		}
		b.step()
	}()
}

// kept records that the engine received slots in a call that began at start.
func (b *bucket) kept(start time.Time, kept []*slot, over []bool, all bool, r Reply) {
	for i, s := range kept {
		s.renewed, s.noted = start, over[i]
	}
	b.emit(SlotsLost, r.Lost)
	lost := b.born != 0 && r.Born != b.born
	b.owing = b.owing || !all && (lost || r.Lost > 0)
	b.born, b.seen, b.inUse = r.Born, r.Now, r.InUse
	if lost {
		b.lost(time.Now())
	}
}

// lost has all buckets report their slots, since an engine rarely loses those of one only. For a
// hold, unsettled is then true: this process takes no slot until the others had time to report
// theirs, and calls the engine often enough to find another loss before they take some. It then
// closes the bucket for a hold, because the others may not know of the first loss.
func (b *bucket) lost(now time.Time) {
	if b.unsettled(now) {
		b.pauseUntil(now.Add(b.hold()))
	}
	b.lostAt, b.pauseOwed = now, true
	b.losses = b.engine.losses.Add(1)
	go b.engine.returned()
}

func (b *bucket) unsettled(now time.Time) bool { return now.Sub(b.lostAt) < b.hold() }

// placed records the outcome for places of a call that began at start. A slot is given back unused
// if its hold may soon end, because the call took long.
func (b *bucket) placed(start time.Time, places []*slot, r Reply) {
	now := time.Now()
	if r.Paused > 0 {
		b.pauseUntil(now.Add(r.Paused))
	}
	for i, g := range r.Grants {
		s := places[i]
		switch {
		case s.state != placed: // its waiter has left meanwhile
		case g.Taken && now.Sub(start) > b.window/3:
			b.giveBack(s)
		case g.Taken:
			s.state, s.renewed, s.at = granted, start, now.Add(g.Wait)
		default:
			s.at = now.Add(min(g.Wait, max(b.window, r.Paused)))
			b.askAgain(s, now, g.Wait > r.Paused && g.Wait >= b.window)
		}
	}
	b.failLate(now)
}

// askAgain makes a place ask once more soon if the engine knows of no slot that was released: one
// that was just granted to a caller that has left is about to be given back. The turn of the place
// stays as it is.
func (b *bucket) askAgain(s *slot, now time.Time, noneReleased bool) {
	if !noneReleased || !s.again.IsZero() {
		s.again = time.Time{}
		return
	}
	s.again = now.Add(b.window / 12)
}
