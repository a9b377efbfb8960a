package plan

import "time"

// ClockSlack is how far a stored time may be ahead of the clock: the clocks of two machines differ,
// and small corrections do not matter.
const ClockSlack = time.Minute

// IsAhead reports whether a stored time is from a clock that was ahead of this one.
func IsAhead(stored, now time.Time) bool { return stored.Sub(now) >= ClockSlack }

// Wait returns how long to wait for a step that is done at an interval: never longer than the
// interval, and not at all if the time at which it was last done is from a clock that was ahead.
func Wait(last time.Time, every time.Duration, now time.Time) time.Duration {
	if IsAhead(last, now) {
		return 0
	}
	return max(0, every-max(0, now.Sub(last)))
}

// Walk is when a list is walked next.
type Walk struct {
	List     *List
	Every    time.Duration
	Due      time.Time
	Last     int64 // ticket of the latest walk that ended
	Failures int   // in a row
}

// First returns the walk that is due first; of several, the first in the list.
func First(walks []*Walk) *Walk {
	first := walks[0]
	for _, w := range walks[1:] {
		if w.Due.Before(first.Due) {
			first = w
		}
	}
	return first
}

// RetryAfter is how long to wait after the nth failure in a row.
func RetryAfter(n int, most time.Duration) time.Duration {
	return min(time.Second<<min(n-1, 20), most)
}
