// Package state holds rows of any type, for the simulated service: tables in the order of addition,
// whose rows can be generated when they are read, lists over them, ids that follow from a seed,
// tasks in the order in which they are due, and the simulated clock. It contains neither the
// resources of the service nor HTTP.
package state

import (
	"iter"
	"slices"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Table holds the records of one type by id, in the order they were added.
type Table[T any] struct {
	Rows  map[string]*T
	Order []string

	Made    *Maker[T] // nil if all rows are in memory
	Changed []int     // positions of made rows that are in rows, in order; nil there if removed
	Removed []int     // those that are nil
	last    *T        // the latest made row that was not kept
	lastID  string

	Changing func(id string, row *T) // nil without a history; row is nil if it was removed

	Newest []wire.Ref // an order of all rows in memory that lists keep; nil after a change
}

// Maker makes rows by position, for as many as memory could not hold.
type Maker[T any] struct {
	Count int
	ID    func(i int) string
	Index func(id string) (i int, ok bool)
	Row   func(i int) *T
	Kept  func(id string) // is called before a row is first changed
}

func (t *Table[T]) Put(id string, row *T) {
	if t.Rows == nil {
		t.Rows = map[string]*T{}
	}
	if _, there := t.Rows[id]; !there && t.Own(id) == nil {
		t.Order = append(t.Order, id)
	}
	if i, ok := slices.BinarySearch(t.Removed, t.position(id)); ok {
		t.Removed = slices.Delete(t.Removed, i, i+1)
	}
	t.Rows[id] = row
	t.Note(id, row)
}

// Note records that a row can have changed.
func (t *Table[T]) Note(id string, row *T) {
	t.Newest = nil
	if t.Changing != nil {
		t.Changing(id, row)
	}
}

func (t *Table[T]) Get(id string) *T {
	row, known := t.Rows[id]
	if known || t.Made == nil {
		return row
	}
	if t.lastID == id {
		return t.last
	}
	if i, ok := t.Made.Index(id); ok {
		t.last, t.lastID = t.Made.Row(i), id
		return t.last
	}
	return nil
}

// Own is get for a row that is going to change: a made one is kept in memory.
func (t *Table[T]) Own(id string) *T {
	row := t.Get(id)
	if row == nil {
		return nil
	}
	defer t.Note(id, row)
	if _, known := t.Rows[id]; known {
		return row
	}
	if t.Rows == nil {
		t.Rows = map[string]*T{}
	}
	t.Made.Kept(id)
	t.Rows[id] = row
	t.lastID = ""
	t.Changed = insertSorted(t.Changed, t.position(id))
	return row
}

func insertSorted(list []int, i int) []int {
	at, _ := slices.BinarySearch(list, i)
	return slices.Insert(list, at, i)
}

func (t *Table[T]) All() []*T {
	list := make([]*T, len(t.Order))
	for i, id := range t.Order {
		list[i] = t.Rows[id]
	}
	return list
}

// InMemory yields the rows in memory: first all others, then the made ones that were changed.
func (t *Table[T]) InMemory() iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for _, id := range t.Order {
			if !yield(t.Rows[id]) {
				return
			}
		}
		for _, i := range t.Changed {
			if row := t.Rows[t.Made.ID(i)]; row != nil && !yield(row) {
				return
			}
		}
	}
}

// Find returns the first row that matches, or nil.
func (t *Table[T]) Find(match func(*T) bool) *T {
	for _, id := range t.Order {
		if match(t.Rows[id]) {
			return t.Rows[id]
		}
	}
	return nil
}

// Remove deletes a row.
func (t *Table[T]) Remove(id string) {
	if i := t.position(id); i >= 0 {
		t.Own(id)
		t.Rows[id], t.Removed = nil, insertSorted(t.Removed, i)
		t.Note(id, nil)
		return
	}
	delete(t.Rows, id)
	t.Note(id, nil)
	t.Order = slices.DeleteFunc(t.Order, func(other string) bool { return other == id })
}

func (t *Table[T]) IsMade(id string) bool { return t.position(id) >= 0 }

// position returns the position of a made row; -1 for any other.
func (t *Table[T]) position(id string) int {
	if t.Made == nil {
		return -1
	}
	if i, ok := t.Made.Index(id); ok {
		return i
	}
	return -1
}
