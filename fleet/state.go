package fleet

import (
	"slices"
	"time"
)

// Format is the version of what engines store. An engine that finds another one returns
// [ErrNotSetUp].
const Format = 1

// State is a bucket as an engine stores it. Times are microseconds. It is the rule that every
// engine follows: engines in memory and in SQLite call Serve, and the scripts for Redis and
// Postgres do the same.
type State struct {
	Format int
	Born   int64            // since when no slot was lost
	Last   int64            // when the bucket was last used
	Offset int64            // by how much the engine's clock has gone backwards so far
	Paused int64            // until when no slot is granted
	Line   int64            // how many places were given
	Slots  map[string]Entry // by owner: the slots that are taken, and the places of those who wait
}

// Entry is a slot that is taken, or a place of a request that waits.
type Entry struct {
	Until int64 // when the slot is free, or the place is lost
	Top   int   // see [Place]; zero if it is not known
	Place int64 // the number in line; zero for a slot
}

// Serve applies a call at a time of the engine's clock, in microseconds.
func (s *State) Serve(clock int64, c Call) Reply {
	now := s.tick(clock, c.Seen)
	if c.Pause > 0 {
		s.Paused = max(s.Paused, now+micros(c.Pause))
	}
	r := Reply{Now: now, Born: s.Born}
	for _, slot := range c.Slots {
		r.Lost += s.keep(now, slot)
	}
	if c.Born == 0 || c.Born == s.Born {
		r.Grants = s.serve(now, c)
	}
	for _, e := range s.Slots {
		if e.Place == 0 {
			r.InUse++
		}
	}
	r.Paused = max(0, duration(s.Paused-now))
	return r
}

// tick returns the time, which is later than before, also if the engine's clock went backwards, and
// drops the entries that are over. If a process has seen a later time than the bucket, the engine
// has lost what happened in between.
func (s *State) tick(clock, seen int64) (now int64) {
	now, lost := clock+s.Offset, s.Last < seen || s.Slots == nil
	if last := max(s.Last, seen); now <= last {
		if last-now > second {
			s.Offset += last - now
		}
		now = last + 1
	}
	if s.Slots == nil {
		s.Format, s.Slots = Format, map[string]Entry{}
	}
	if s.Last = now; lost {
		s.Born = now
	}
	for owner, e := range s.Slots {
		if e.Until <= now {
			delete(s.Slots, owner)
		}
	}
	return now
}

// keep sets how long a slot stays taken, and returns 1 if it was lost.
func (s *State) keep(now int64, slot Slot) (lost int) {
	e, known := s.Slots[slot.Owner]
	if slot.For <= 0 {
		delete(s.Slots, slot.Owner)
		return 0
	}
	if !known {
		lost = 1
	}
	s.Slots[slot.Owner] = Entry{now + micros(slot.For), e.Top, 0}
	return lost
}

// serve puts the places in line and grants them slots in that order.
func (s *State) serve(now int64, c Call) []Grant {
	for _, p := range c.Places {
		if _, known := s.Slots[p.Owner]; !known {
			s.Line++
			s.Slots[p.Owner] = Entry{now + micros(c.Window)/12, p.Top, s.Line}
		}
	}
	window := micros(c.Window)
	grants := make([]Grant, len(c.Places))
	for i, p := range c.Places {
		e := s.Slots[p.Owner]
		start := max(now, e.Until-window*3/2) // if it has a slot: the reply to an earlier call was lost
		if e.Place != 0 {
			start = max(now, s.Paused, s.Born+micros(c.Settle), s.free(now, e, c))
		}
		if e.Place == 0 || start <= now+window/60 {
			e.Until, e.Place = start+window*3/2, 0
			grants[i].Taken = true
		} else {
			start = min(start, max(now+window, s.Paused))
			e.Until = start + window/12
		}
		grants[i].Wait = duration(start - now)
		s.Slots[p.Owner] = e
	}
	return grants
}

// free returns when a slot is free for a place, within its own bound and all larger ones.
func (s *State) free(now int64, place Entry, c Call) (at int64) {
	bounds := map[int]bool{c.Limit: true, place.Top: true}
	for _, e := range s.Slots {
		if e.Top >= place.Top && e.Top < c.Limit {
			bounds[e.Top] = true
		}
	}
	for bound := range bounds {
		at = max(at, s.freeWithin(now, bound, place, c))
	}
	return at
}

// freeWithin returns when a slot within a bound is free for a place: those ahead of it take the
// slots that are free earlier, unless they are late by a thirtieth of a window. A slot is granted a
// sixtieth of a window before it is free, so a place is overtaken when it is late by that much.
func (s *State) freeWithin(now int64, bound int, place Entry, c Call) int64 {
	var taken []int64 // until when slots are taken, or kept for those ahead
	for _, e := range s.Slots {
		late := e.Until - micros(c.Window)/20
		switch {
		case e.Top > bound && bound < c.Limit:
		case e.Place == 0:
			taken = append(taken, e.Until)
		case late > now && (e.Top > place.Top || e.Top == place.Top && e.Place < place.Place):
			taken = append(taken, late)
		}
	}
	if n := len(taken) - max(bound, 1); n >= 0 {
		slices.Sort(taken)
		return taken[n]
	}
	return now
}

// second is one second. A clock that goes backwards by less stands still for so long.
const second = 1_000_000

// micros returns d in microseconds, rounded up.
func micros(d time.Duration) int64 {
	n := int64(d / time.Microsecond)
	if d%time.Microsecond > 0 {
		n++
	}
	return n
}

func duration(micros int64) time.Duration { return time.Duration(micros) * time.Microsecond }
