package state

import (
	"slices"
	"sort"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Listing is a list of references, which need not all be in memory.
type Listing struct {
	Rows   []wire.Ref
	Spans  []Span               // positions of the made rows that follow
	Starts []int                // how many there are before each span, and in all
	Nth    func(i int) wire.Ref // the made row at a position
	Kept   []wire.Ref           // those of the made rows that were changed
}

func (l Listing) made() int {
	if len(l.Starts) == 0 {
		return 0
	}
	return l.Starts[len(l.Starts)-1]
}

func (l Listing) Len() int { return len(l.Rows) + l.made() }

// Slice returns the references from a position to before another.
func (l Listing) Slice(from, to int) []wire.Ref {
	list := slices.Clone(l.Rows[min(from, len(l.Rows)):min(to, len(l.Rows))])
	from, to = max(from-len(l.Rows), 0), min(to-len(l.Rows), l.made())
	at := sort.SearchInts(l.Starts, from+1) - 1 // the span that has the first one
	for ; from < to; from++ {
		for from >= l.Starts[at+1] {
			at++
		}
		list = append(list, l.Nth(l.Spans[at].From+from-l.Starts[at]))
	}
	return list
}

// Refs returns all rows.
func (t *Table[T]) Refs(kind string) Listing {
	rows := make([]wire.Ref, len(t.Order))
	for i, id := range t.Order {
		rows[i] = wire.Ref{Kind: kind, ID: id}
	}
	l := t.List(kind, rows, Selection[T]{All: true})
	for _, i := range t.Changed {
		l.Kept = append(l.Kept, wire.Ref{Kind: kind, ID: t.Made.ID(i)})
	}
	return l
}

// Span is a range of the positions of made rows, from to before to.
type Span struct{ From, To int }

// Selection is which made rows a list has, for as many as cannot be made for each page.
type Selection[T any] struct {
	Match func(*T) bool
	All   bool // Match accepts all rows
	// Known reports that match need not be called for the rows that did not change: those in
	// unchanged are accepted.
	Known     bool
	Unchanged []Span // in order
	Changed   []int  // positions of rows that are matched one by one, in order
}

// List returns the rows, and after them the made rows of the selection.
func (t *Table[T]) List(kind string, rows []wire.Ref, of Selection[T]) Listing {
	if t.Made == nil {
		return Listing{Rows: rows}
	}
	matches := func(i int) bool {
		row := t.Get(t.Made.ID(i))
		return row != nil && of.Match(row)
	}
	var spans []Span
	switch {
	case of.All:
		spans = cut([]Span{{0, t.Made.Count}}, t.Removed)
	case !of.Known:
		for i := range t.Made.Count {
			if matches(i) {
				spans = append(spans, Span{i, i + 1})
			}
		}
	default:
		spans = cut(of.Unchanged, of.Changed)
		for _, i := range of.Changed {
			if matches(i) {
				spans = append(spans, Span{i, i + 1})
			}
		}
		slices.SortFunc(spans, func(a, b Span) int { return a.From - b.From })
	}
	return Listing{Rows: rows, Spans: spans, Starts: StartsOf(spans), Nth: func(i int) wire.Ref { return wire.Ref{Kind: kind, ID: t.Made.ID(i)} }}
}

// cut takes single positions out of spans. Both are in order.
func cut(spans []Span, out []int) (rest []Span) {
	for _, s := range spans {
		at, _ := slices.BinarySearch(out, s.From)
		for ; at < len(out) && out[at] < s.To; at++ {
			if s.From < out[at] {
				rest = append(rest, Span{s.From, out[at]})
			}
			s.From = out[at] + 1
		}
		if s.From < s.To {
			rest = append(rest, s)
		}
	}
	return rest
}

// StartsOf returns how many positions there are before each span, and then in all.
func StartsOf(spans []Span) []int {
	starts := make([]int, 1, len(spans)+1)
	for i, s := range spans {
		starts = append(starts, starts[i]+s.To-s.From)
	}
	return starts
}

// Blocks returns the spans of the rows that are accepted by a match that is the same for all
// unchanged rows with the same key, such as a day. Keys do not increase with the position.
func (t *Table[T]) Blocks(changed []int, key func(i int) int, match func(*T) bool) (spans []Span) {
	if t.Made == nil {
		return nil
	}
	for from := 0; from < t.Made.Count; {
		day := key(from)
		to := from + sort.Search(t.Made.Count-from, func(i int) bool { return key(from+i) < day })
		sample := from
		for at, _ := slices.BinarySearch(changed, from); at < len(changed) && changed[at] == sample; at++ {
			sample++
		}
		if sample < to && match(t.Get(t.Made.ID(sample))) {
			spans = append(spans, Span{from, to})
		}
		from = to
	}
	return spans
}
