package terminal49test

import (
	"encoding/binary"
	"maps"
	"slices"
	"strconv"

	"github.com/google/uuid"
)

// table holds the records of one type by id, in the order they were added.
type table[T any] struct {
	rows  map[string]*T
	order []string

	made    *maker[T] // nil if all rows are in memory
	changed []int     // positions of made rows that are in rows, in order; nil there if removed
	removed []int     // those that are nil
	last    *T        // the latest made row that was not kept
	lastID  string

	changing func(id string, row *T) // nil without a history; row is nil if it was removed
}

// maker makes rows by position, for as many as memory could not hold.
type maker[T any] struct {
	count int
	id    func(i int) string
	index func(id string) (i int, ok bool)
	row   func(i int) *T
	kept  func(id string) // is called before a row is first changed
}

func (t *table[T]) put(id string, row *T) {
	if t.rows == nil {
		t.rows = map[string]*T{}
	}
	if _, there := t.rows[id]; !there && t.own(id) == nil {
		t.order = append(t.order, id)
	}
	if i, ok := slices.BinarySearch(t.removed, t.position(id)); ok {
		t.removed = slices.Delete(t.removed, i, i+1)
	}
	t.rows[id] = row
	t.note(id, row)
}

// note records that a row can have changed.
func (t *table[T]) note(id string, row *T) {
	if t.changing != nil {
		t.changing(id, row)
	}
}

func (t *table[T]) get(id string) *T {
	row, known := t.rows[id]
	if known || t.made == nil {
		return row
	}
	if t.lastID == id {
		return t.last
	}
	if i, ok := t.made.index(id); ok {
		t.last, t.lastID = t.made.row(i), id
		return t.last
	}
	return nil
}

// own is get for a row that is going to change: a made one is kept in memory.
func (t *table[T]) own(id string) *T {
	row := t.get(id)
	if row == nil {
		return nil
	}
	defer t.note(id, row)
	if _, known := t.rows[id]; known {
		return row
	}
	if t.rows == nil {
		t.rows = map[string]*T{}
	}
	t.made.kept(id)
	t.rows[id] = row
	t.lastID = ""
	t.changed = insertSorted(t.changed, t.position(id))
	return row
}

func insertSorted(list []int, i int) []int {
	at, _ := slices.BinarySearch(list, i)
	return slices.Insert(list, at, i)
}

func (t *table[T]) all() []*T {
	list := make([]*T, len(t.order))
	for i, id := range t.order {
		list[i] = t.rows[id]
	}
	return list
}

// find returns the first row that matches, or nil.
func (t *table[T]) find(match func(*T) bool) *T {
	for _, id := range t.order {
		if match(t.rows[id]) {
			return t.rows[id]
		}
	}
	return nil
}

// ids generates ids from a seed. The n-th id of a kind does not depend on ids of other kinds.
type ids struct {
	space  uuid.UUID
	counts map[string]int
}

func newIDs(seed int64) *ids {
	var raw [8]byte
	binary.BigEndian.PutUint64(raw[:], uint64(seed))
	return &ids{space: uuid.NewSHA1(uuid.NameSpaceOID, raw[:]), counts: map[string]int{}}
}

func (g *ids) next(kind string) string {
	g.counts[kind]++
	return uuid.NewSHA1(g.space, []byte(kind+"/"+strconv.Itoa(g.counts[kind]))).String()
}

// draw returns a number from 0 to below 1 that depends on the seed and the name.
func (g *ids) draw(name string) float64 {
	sum := uuid.NewSHA1(g.space, []byte(name))
	return float64(binary.BigEndian.Uint32(sum[:4])) / (1 << 32)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// remove deletes a row.
func (t *table[T]) remove(id string) {
	if i := t.position(id); i >= 0 {
		t.own(id)
		t.rows[id], t.removed = nil, insertSorted(t.removed, i)
		t.note(id, nil)
		return
	}
	delete(t.rows, id)
	t.note(id, nil)
	t.order = slices.DeleteFunc(t.order, func(other string) bool { return other == id })
}

func (t *table[T]) isMade(id string) bool { return t.position(id) >= 0 }

// position returns the position of a made row; -1 for any other.
func (t *table[T]) position(id string) int {
	if t.made == nil {
		return -1
	}
	if i, ok := t.made.index(id); ok {
		return i
	}
	return -1
}
