package worklist

import (
	"iter"
	"maps"
	"slices"
)

// Set is records of containers, each once. The zero value is empty. It is not safe for concurrent
// use; what [Set.Ask] returns does not see later changes.
type Set struct {
	records []*Record      // in no order
	shared  bool           // a question reads the slice, so a change copies it first
	at      map[string]int // where each is in records
	found   []*vocabulary  // by the index of nameFields; nil until a filter asks
	room    []thing        // of countIn
}

// NewSet returns an empty set with room for a number of records.
func NewSet(size int) *Set {
	return &Set{records: make([]*Record, 0, size), at: make(map[string]int, size)}
}

// Len returns the number of records.
func (s *Set) Len() int { return len(s.records) }

// Get returns the record with an id; nil if there is none.
func (s *Set) Get(id string) *Record {
	if at, has := s.at[id]; has {
		return s.records[at]
	}
	return nil
}

// IDs returns the ids of the records, in no order.
func (s *Set) IDs() iter.Seq[string] { return maps.Keys(s.at) }

// Put adds a record, or replaces the one with its id.
func (s *Set) Put(r *Record) {
	s.prepare()
	if at, has := s.at[r.ID]; has {
		s.count(s.records[at], -1)
		s.records[at] = r
	} else {
		s.at[r.ID] = len(s.records)
		s.records = append(s.records, r)
	}
	s.count(r, 1)
}

// Remove removes the record with an id, if there is one. The last record moves to its place.
func (s *Set) Remove(id string) {
	at, has := s.at[id]
	if !has {
		return
	}
	s.prepare()
	s.count(s.records[at], -1)
	last := len(s.records) - 1
	s.records[at] = s.records[last]
	s.at[s.records[at].ID] = at
	s.records = slices.Delete(s.records, last, last+1)
	delete(s.at, id)
}

// prepare makes the records a slice and a map that can be changed.
func (s *Set) prepare() {
	if s.at == nil {
		s.at = map[string]int{}
	}
	if s.shared {
		s.records, s.shared = slices.Clone(s.records), false
	}
}

// vocabulary returns what the containers have for a field of a filter, by its index.
func (s *Set) vocabulary(field int) *vocabulary {
	if s.found == nil {
		s.found = make([]*vocabulary, len(nameFields))
	}
	if s.found[field] == nil {
		s.found[field] = newVocabulary()
		for _, r := range s.records {
			s.countIn(field, r, 1)
		}
	}
	return s.found[field]
}

// count counts what a container has, or no longer has.
func (s *Set) count(r *Record, n int) {
	for field, found := range s.found {
		if found != nil {
			s.countIn(field, r, n)
		}
	}
}

func (s *Set) countIn(field int, r *Record, n int) {
	s.room = nameFields[field].of(r, s.room[:0])
	for _, t := range s.room {
		if t != (thing{}) {
			s.found[field].count(t, n)
		}
	}
}
