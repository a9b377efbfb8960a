package terminal49test

import "slices"

// newest keeps the last rows that were added, at most a quarter more than its limit.
type newest[T any] struct {
	limit int
	rows  []T
}

// add adds a row and returns the rows that are dropped.
func (l *newest[T]) add(row T) (dropped []T) {
	l.rows = append(l.rows, row)
	if len(l.rows) <= l.limit+l.limit/4 {
		return nil
	}
	keep := len(l.rows) - l.limit
	dropped, l.rows = l.rows[:keep], slices.Clone(l.rows[keep:])
	return dropped
}

// list returns the last rows up to the limit.
func (l *newest[T]) list() []T { return l.rows[max(len(l.rows)-l.limit, 0):] }
