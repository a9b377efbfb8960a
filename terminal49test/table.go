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
}

func (t *table[T]) put(id string, row *T) {
	if t.rows == nil {
		t.rows = map[string]*T{}
	}
	if _, there := t.rows[id]; !there {
		t.order = append(t.order, id)
	}
	t.rows[id] = row
}

func (t *table[T]) get(id string) *T { return t.rows[id] }

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
	delete(t.rows, id)
	t.order = slices.DeleteFunc(t.order, func(other string) bool { return other == id })
}
