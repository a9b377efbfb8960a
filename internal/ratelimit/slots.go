package ratelimit

import "time"

// MaxLimit is the largest limit of a bucket, for every limiter. A process keeps each slot of the
// last window in memory, and a shared store reads an entry for each at every call, which takes
// Redis two milliseconds at this limit. Five times the service's largest limit leaves room for
// accounts with higher ones.
const MaxLimit = 1_000

// Slots is an exact log of one bucket's rolling window: a slot is free again one window after its
// release. Requests of a share, together with those of smaller shares, may use only that part of
// the slots. The rest is left for larger shares.
type Slots struct {
	limit  int
	window time.Duration
	levels []level // in use, by share, descending; the share 1 is always there
	freeAt []freed // when each released slot is free again, ascending
}

// level counts the slots that requests of one share use: those in flight, and those of freeAt.
type level struct {
	share float64
	used  int
}

type freed struct {
	at    time.Time
	share float64
}

// NewSlots returns a log of limit slots, at least one.
func NewSlots(limit int, window time.Duration) Slots {
	return Slots{limit: max(limit, 1), window: window, levels: []level{{share: 1}}}
}

// Top returns how many of limit slots requests of a share and smaller ones may use together.
func Top(share float64, limit int) int {
	const rounding = 1e-9 // 0.29*100 is below 29
	return max(1, int(share*float64(limit)+rounding))
}

// Take takes a slot for a request of the share. The caller checks that At has passed.
func (s *Slots) Take(share float64) {
	i := 0
	for i < len(s.levels) && s.levels[i].share > share {
		i++
	}
	if i == len(s.levels) || s.levels[i].share != share {
		s.levels = append(s.levels, level{})
		copy(s.levels[i+1:], s.levels[i:])
		s.levels[i] = level{share: share}
	}
	s.levels[i].used++
}

// Release notes that the request of a slot is over.
func (s *Slots) Release(now time.Time, share float64) {
	s.expire(now)
	s.freeAt = append(s.freeAt, freed{now.Add(s.window), share})
}

// expire forgets the slots that are free again.
func (s *Slots) expire(now time.Time) {
	n := 0
	for n < len(s.freeAt) && !s.freeAt[n].at.After(now) {
		s.drop(s.freeAt[n].share)
		n++
	}
	s.freeAt = s.freeAt[n:]
}

func (s *Slots) drop(share float64) {
	for i := range s.levels {
		if s.levels[i].share != share {
			continue
		}
		if s.levels[i].used--; s.levels[i].used == 0 && i > 0 {
			s.levels = append(s.levels[:i], s.levels[i+1:]...)
		}
		return
	}
}

// At returns when a request of the share can take a slot, after those in q that are ahead of it.
// The time is exact if none is ahead and no slot is in flight, and a lower bound otherwise.
func (s *Slots) At(now time.Time, share float64, q *Queue) time.Time {
	s.expire(now)
	at := s.levelAt(now, 1, q.Ahead(share))
	for _, l := range s.levels[1:] {
		if l.share > share {
			at = Later(at, s.levelAt(now, l.share, q.between(share, l.share)))
		}
	}
	if share < 1 {
		at = Later(at, s.levelAt(now, share, q.between(share, share)))
	}
	return at
}

// levelAt returns when a slot is free for a request with so many others ahead, among the slots that
// its share may use. Slots are taken in the order in which they become free: those free now, those
// with a known time, and those in flight, which are free one window from now at the earliest. A
// waiter further back takes a slot a second time.
func (s *Slots) levelAt(now time.Time, share float64, ahead int) time.Time {
	top, used := Top(share, s.limit), 0
	for _, l := range s.levels {
		if l.share <= share {
			used += l.used
		}
	}
	at := now
	if missing := ahead%top - (top - used); missing >= 0 {
		at = s.freedAt(now, share, missing)
	}
	return at.Add(time.Duration(ahead/top) * s.window)
}

// freedAt returns when slot n, counted from zero, of those that the share may use becomes free.
func (s *Slots) freedAt(now time.Time, share float64, n int) time.Time {
	if share == 1 && n < len(s.freeAt) {
		return s.freeAt[n].at
	}
	for _, f := range s.freeAt {
		if f.share > share {
			continue
		}
		if n == 0 {
			return f.at
		}
		n--
	}
	return now.Add(s.window)
}

// Later returns the later of two moments.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
