package terminal49test

import (
	"sort"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// timeRange has the bounds of a filter, both inclusive; zero is none.
type timeRange struct{ from, to time.Time }

// timeRange reads filter[name][start] and filter[name][end].
func (x *exchange) timeRange(name string) timeRange {
	end := func(side string) time.Time {
		parameter := "filter[" + name + "][" + side + "]"
		text := x.query.Get(parameter)
		if text == "" {
			return time.Time{}
		}
		for _, layout := range []string{time.RFC3339, time.DateOnly} {
			if t, err := time.Parse(layout, text); err == nil {
				return t
			}
		}
		x.violate("%s must be an ISO 8601 date or time", parameter)
		return time.Time{}
	}
	return timeRange{end("start"), end("end")}
}

func (r timeRange) has(t time.Time) bool {
	return (r.from.IsZero() || !t.Before(r.from)) && (r.to.IsZero() || !t.After(r.to))
}

func (r timeRange) bounded() bool { return r != timeRange{} }

// among returns the positions of the times within the range. The times decrease with the position.
func (r timeRange) among(count int, at func(i int) time.Time) state.Span {
	s := state.Span{From: 0, To: count}
	if !r.to.IsZero() {
		s.From = sort.Search(count, func(i int) bool { return !at(i).After(r.to) })
	}
	if !r.from.IsZero() {
		s.To = sort.Search(count, func(i int) bool { return at(i).Before(r.from) })
	}
	return s
}
