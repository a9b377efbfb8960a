package plan

import "time"

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
