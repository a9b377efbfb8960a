package state

import "slices"

// Newest keeps the last rows that were added, at most a quarter more than its limit.
type Newest[T any] struct {
	Limit int
	rows  []T
}

// Add adds a row and returns the rows that are dropped.
func (l *Newest[T]) Add(row T) (dropped []T) {
	l.rows = append(l.rows, row)
	if len(l.rows)-l.Limit <= l.Limit/4 { // a sum could overflow
		return nil
	}
	keep := len(l.rows) - l.Limit
	dropped, l.rows = l.rows[:keep], slices.Clone(l.rows[keep:])
	return dropped
}

// List returns the last rows up to the limit.
func (l *Newest[T]) List() []T { return l.rows[max(len(l.rows)-l.Limit, 0):] }

// All returns the rows that are kept, which can be more than the limit.
func (l *Newest[T]) All() []T { return l.rows }
