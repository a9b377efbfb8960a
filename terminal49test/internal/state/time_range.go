package state

import (
	"sort"
	"time"
)

// TimeRange has the bounds of a filter, both inclusive; zero is none.
type TimeRange struct{ From, To time.Time }

// Has reports whether a time is within the bounds.
func (r TimeRange) Has(t time.Time) bool {
	return (r.From.IsZero() || !t.Before(r.From)) && (r.To.IsZero() || !t.After(r.To))
}

// Bounded reports whether there is a bound.
func (r TimeRange) Bounded() bool { return r != TimeRange{} }

// Among returns the positions of the times within the range. The times decrease with the position.
func (r TimeRange) Among(count int, at func(i int) time.Time) Span {
	s := Span{From: 0, To: count}
	if !r.To.IsZero() {
		s.From = sort.Search(count, func(i int) bool { return !at(i).After(r.To) })
	}
	if !r.From.IsZero() {
		s.To = sort.Search(count, func(i int) bool { return at(i).Before(r.From) })
	}
	return s
}
