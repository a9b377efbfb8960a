package board

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// found is a page of what a query finds.
type found struct {
	*worklist.List
	rows    []*row
	pages   int
	all     int // containers of the board
	version string
	owed    string // by the containers of the list together; "" if there are no fees
	byDay   string // how many arrive on which day, if arrivals were asked for

	counts *worklist.Counts // by situation, of the list without what is counted above it
	holds  *worklist.Counts // likewise, by hold
}

// find asks a query of the model, and reads the containers of its page.
func (q *query) find(ctx context.Context, s *site) (*found, error) {
	now := s.source.now()
	counted, err := q.ask(s.model, now, q.withoutCounts())
	if err != nil {
		return nil, err
	}
	f := &found{all: counted.all, version: counted.version}
	if f.counts, err = counted.Count(worklist.KeySituation); err == nil {
		f.holds, err = counted.Count(worklist.KeyHold)
	}
	if err != nil {
		return nil, err
	}
	listed, err := q.ask(s.model, now, q.Filter)
	if err != nil {
		return nil, err
	}
	if err := f.turn(q, listed.Question); err != nil {
		return nil, err
	}
	if f.rows, err = rows(ctx, s.source, f.List); err != nil { // the state of the source says why
		f.rows = briefRows(f.List)
	}
	return f, nil
}

// ask asks the model, or no container at all if the query cannot be understood.
func (q *query) ask(m *model, now time.Time, f worklist.Filter) (view, error) {
	if !q.none {
		v, err := m.ask(now, f)
		if err == nil {
			return v, nil
		}
		q.refuse(err)
	}
	v, err := m.ask(now, worklist.Filter{})
	if err == nil {
		v.Question, err = new(worklist.Set).Ask(now, worklist.Filter{}, terminal49.VerdictOptions{})
	}
	return v, err
}

// withoutCounts returns the filter without what is counted above the list.
func (q *query) withoutCounts() worklist.Filter {
	f := q.Filter
	f.Situations, f.Urgencies, f.Holds, f.Fees = nil, nil, nil, nil
	return f
}

// turn finds the page that is asked for, or the last one, with what the list owes.
func (f *found) turn(q *query, of *worklist.Question) (err error) {
	counts, err := of.Count(worklist.KeySituation)
	if err != nil {
		return err
	}
	f.owed = owedBy(counts)
	f.pages = max(1, (counts.Total+q.perPage()-1)/q.perPage())
	q.Page = min(q.Page, f.pages)
	if f.List, err = of.List(worklist.ListOptions{Order: q.Sort, Offset: (q.Page - 1) * q.perPage(), Limit: q.perPage()}); err != nil {
		return err
	}
	if slices.Contains(q.Work, worklist.WorkArriving) {
		f.byDay, err = arrivals(of)
	}
	return err
}

// arrivals counts the expected arrivals by the day at their places.
func arrivals(of *worklist.Question) (string, error) {
	counts, err := of.Count(worklist.KeyETA)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, g := range counts.Groups {
		if g.Key != "" {
			texts = append(texts, g.Key+": "+grouped(g.Containers))
		}
	}
	return strings.Join(texts, ", "), nil
}

// travelling are the situations of containers that are at no terminal, which could report fees.
var travelling = []terminal49.Situation{terminal49.SituationBeforeVoyage, terminal49.SituationAtSea, terminal49.SituationOnRail}

// owedBy returns what is owed together, by currency; "" if there are no fees.
func owedBy(counts *worklist.Counts) string {
	if len(counts.Owed.Fees.Currencies()) == 0 {
		return ""
	}
	unknown := 0
	for _, g := range counts.Groups {
		if !slices.Contains(travelling, terminal49.Situation(g.Key)) {
			unknown += g.Owed.Unknown
		}
	}
	text := "owed: " + counts.Owed.Fees.String()
	if unknown > 0 {
		text += "; fees or amounts are not known for " + grouped(unknown)
	}
	return text
}

// urgent returns how many containers have an urgency.
func (f *found) urgent(u terminal49.Urgency) (n int) {
	for _, g := range f.counts.Groups {
		n += g.Urgencies[u]
	}
	return n
}
