package terminal49test

import (
	"slices"
	"sort"
)

// span is a range of the positions of made rows, from to before to.
type span struct{ from, to int }

// selection is which made rows a list has, for as many as cannot be made for each page.
type selection[T any] struct {
	match func(*T) bool // nil accepts all
	// known reports that match need not be called for the rows that did not change: those in
	// unchanged are accepted.
	known     bool
	unchanged []span // in order
	changed   []int  // positions of rows that are matched one by one, in order
}

// list returns the rows, and after them the made rows of the selection.
func (t *table[T]) list(kind string, rows []ref, of selection[T]) listing {
	if t.made == nil {
		return listing{rows: rows}
	}
	matches := func(i int) bool {
		row := t.get(t.made.id(i))
		return row != nil && of.match(row)
	}
	var spans []span
	switch {
	case of.match == nil:
		spans = cut([]span{{0, t.made.count}}, t.removed)
	case !of.known:
		for i := range t.made.count {
			if matches(i) {
				spans = append(spans, span{i, i + 1})
			}
		}
	default:
		spans = cut(of.unchanged, of.changed)
		for _, i := range of.changed {
			if matches(i) {
				spans = append(spans, span{i, i + 1})
			}
		}
		slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	}
	return listing{rows: rows, spans: spans, starts: startsOf(spans), nth: func(i int) ref { return ref{kind, t.made.id(i)} }}
}

// cut takes single positions out of spans. Both are in order.
func cut(spans []span, out []int) (rest []span) {
	for _, s := range spans {
		at, _ := slices.BinarySearch(out, s.from)
		for ; at < len(out) && out[at] < s.to; at++ {
			if s.from < out[at] {
				rest = append(rest, span{s.from, out[at]})
			}
			s.from = out[at] + 1
		}
		if s.from < s.to {
			rest = append(rest, s)
		}
	}
	return rest
}

// startsOf returns how many positions there are before each span, and then in all.
func startsOf(spans []span) []int {
	starts := make([]int, 1, len(spans)+1)
	for i, s := range spans {
		starts = append(starts, starts[i]+s.to-s.from)
	}
	return starts
}

// blocks returns the spans of the rows that are accepted by a match that is the same for all
// unchanged rows with the same key, such as a day. Keys do not increase with the position.
func (t *table[T]) blocks(changed []int, key func(i int) int, match func(*T) bool) (spans []span) {
	if t.made == nil {
		return nil
	}
	for from := 0; from < t.made.count; {
		day := key(from)
		to := from + sort.Search(t.made.count-from, func(i int) bool { return key(from+i) < day })
		sample := from
		for at, _ := slices.BinarySearch(changed, from); at < len(changed) && changed[at] == sample; at++ {
			sample++
		}
		if sample < to && match(t.get(t.made.id(sample))) {
			spans = append(spans, span{from, to})
		}
		from = to
	}
	return spans
}
