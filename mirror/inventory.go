package mirror

import (
	"slices"

	"github.com/go-freight/terminal49/mirror/internal/store"
)

// inventory is the rows of all containers, with what they have in all.
type inventory struct {
	readable   []*store.Stored // in no order
	inUse      bool            // a question reads the slice, so a change copies it first
	at         map[string]int  // where each is in readable
	unreadable map[string]bool
	found      []*vocabulary // by the index of nameFields; nil until a filter asks
	room       []thing       // of countIn
}

func newInventory(size int) *inventory {
	return &inventory{
		readable: make([]*store.Stored, 0, size), at: make(map[string]int, size), unreadable: map[string]bool{}, found: make([]*vocabulary, len(nameFields)),
	}
}

// rows returns how many rows there are.
func (v *inventory) rows() int { return len(v.readable) + len(v.unreadable) }

// use returns those that can be read. They stay as they are.
func (v *inventory) use() []*store.Stored {
	v.inUse = true
	return v.readable
}

// put adds a row or replaces it.
func (v *inventory) put(e *store.Stored) {
	v.prepare()
	at, has := v.at[e.ID]
	switch {
	case e.Err != nil:
		v.remove(e.ID)
		v.unreadable[e.ID] = true
		return
	case has:
		v.count(v.readable[at], -1)
		v.readable[at] = e
	default:
		v.at[e.ID] = len(v.readable)
		v.readable = append(v.readable, e)
		delete(v.unreadable, e.ID)
	}
	v.count(e, 1)
}

// keep removes the rows whose id is not in ids.
func (v *inventory) keep(ids map[string]bool) {
	v.prepare()
	for id := range v.unreadable {
		if !ids[id] {
			delete(v.unreadable, id)
		}
	}
	for id := range v.at {
		if !ids[id] {
			v.remove(id)
		}
	}
}

// remove removes a row, and moves the last one to its place.
func (v *inventory) remove(id string) {
	at, has := v.at[id]
	if !has {
		return
	}
	v.count(v.readable[at], -1)
	last := len(v.readable) - 1
	v.readable[at] = v.readable[last]
	v.at[v.readable[at].ID] = at
	v.readable = slices.Delete(v.readable, last, last+1)
	delete(v.at, id)
}

// prepare makes the slice one that can be changed.
func (v *inventory) prepare() {
	if v.inUse {
		v.readable, v.inUse = slices.Clone(v.readable), false
	}
}

// vocabulary returns what the containers have for a field of a filter, by its index.
func (v *inventory) vocabulary(field int) *vocabulary {
	if v.found[field] == nil {
		v.found[field] = newVocabulary()
		for _, e := range v.readable {
			v.countIn(field, e, 1)
		}
	}
	return v.found[field]
}

// count counts what a container has, or no longer has.
func (v *inventory) count(e *store.Stored, n int) {
	for field, found := range v.found {
		if found != nil {
			v.countIn(field, e, n)
		}
	}
}

func (v *inventory) countIn(field int, e *store.Stored, n int) {
	v.room = nameFields[field].of(e, v.room[:0])
	for _, t := range v.room {
		if t != (thing{}) {
			v.found[field].count(t, n)
		}
	}
}
