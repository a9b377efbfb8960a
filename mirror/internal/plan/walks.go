package plan

import "time"

// Walk is when a scope is walked next.
type Walk struct {
	*List
	Every    time.Duration
	Due      time.Time
	Last     int64 // ticket of the latest walk that ended
	Failures int   // in a row
}

// First returns the plan that is due first, of those that are due at the same time the first.
func First(plans []*Walk) *Walk {
	first := plans[0]
	for _, p := range plans[1:] {
		if p.Due.Before(first.Due) {
			first = p
		}
	}
	return first
}

// RetryAfter is how long to wait after the nth failure in a row.
func RetryAfter(n int, most time.Duration) time.Duration {
	return min(time.Second<<min(n-1, 20), most)
}
