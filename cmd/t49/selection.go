package main

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// selection selects from a list what the service has no filter for, or none that is exact.
type selection struct {
	worklist.Filter
	all        worklist.Set // what was read
	candidates []*terminal49.Container
}

// addProblems selects containers that are held, owe something or are past their last free day, and
// have not left.
func (s *selection) addProblems() {
	s.Work = []worklist.Work{worklist.WorkHolds, worklist.WorkOwing, worklist.WorkOverdue}
	s.Situations = []terminal49.Situation{
		terminal49.SituationPayFirst, terminal49.SituationReady, terminal49.SituationStale, terminal49.SituationHeld, terminal49.SituationUnknown,
		terminal49.SituationNotReleasedInland, terminal49.SituationNotReleased, terminal49.SituationAwaitingTransfer, terminal49.SituationOnRail,
		terminal49.SituationAtSea, terminal49.SituationBeforeVoyage,
	}
}

func (s *selection) isEmpty() bool { return len(s.Values()) == 0 }

// hasNames reports whether a text selects, so that what it means is known after all was read.
func (s *selection) hasNames() bool { return len(s.Vessels)+len(s.Terminals) > 0 }

// ask returns the question to some records.
func (s *selection) ask(of *worklist.Set, now time.Time) (*worklist.Question, error) {
	return of.Ask(now, s.Filter, terminal49.VerdictOptions{})
}

// of returns the containers of a list that are selected, in its order.
func (s *selection) of(list iter.Seq2[*terminal49.Container, error], now time.Time) iter.Seq2[*terminal49.Container, error] {
	return func(yield func(*terminal49.Container, error) bool) {
		for c, err := range list {
			if err != nil {
				yield(nil, err)
				return
			}
			if s.includes(c, now) && !yield(c, nil) {
				return
			}
		}
		for _, c := range s.named(now) {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// includes reports whether a container is selected. One that may be is a candidate if names select.
func (s *selection) includes(c *terminal49.Container, now time.Time) bool {
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	r := worklist.NewRecord(c, &v)
	s.all.Put(r)
	var one worklist.Set
	one.Put(r)
	q, err := s.ask(&one, now)
	if err != nil || !q.Has(r) {
		return false // it has no such name
	}
	if s.hasNames() {
		s.candidates = append(s.candidates, c)
	}
	return !s.hasNames()
}

// named returns the candidates that names select, now that all was read.
func (s *selection) named(now time.Time) (list []*terminal49.Container) {
	q, err := s.ask(&s.all, now)
	if err != nil {
		return nil
	}
	for _, c := range s.candidates {
		if q.Has(s.all.Get(c.ID)) {
			list = append(list, c)
		}
	}
	return list
}

// listSelected prints the containers of a list that are selected.
func (a *app) listSelected(ctx context.Context, t *table, params terminal49.ContainerListParams, s *selection, show func(*terminal49.Container) error) error {
	if s.isEmpty() {
		params.PageSize = a.pageSize() // otherwise more are read than printed
		return printList(t, a.client.Containers.All(ctx, &params, terminal49.WithResponse(&a.read)), show)
	}
	now := time.Now()
	err := printList(t, s.of(a.client.Containers.All(ctx, &params, terminal49.WithResponse(&a.read)), now), show)
	if err == nil {
		a.noteLeftOut(s, now)
	}
	return err
}

// noteLeftOut notes a name that nothing has, what a name means, and how many have no last free day.
func (a *app) noteLeftOut(s *selection, now time.Time) {
	q, err := s.ask(&s.all, now)
	if unknown := (*worklist.UnknownNameError)(nil); errors.As(err, &unknown) && s.all.Len() > 0 {
		a.note("none of the %d containers that were read has such a place or vessel: %s", s.all.Len(), unknown)
	}
	if err != nil {
		return
	}
	counts, err := q.Count(worklist.KeySituation)
	if err == nil && counts.Undated > 0 {
		a.note("%d that may wait for pickup are left out: their last free day is not known", counts.Undated)
	}
}

// sheetColumns are those that only --csv has: a terminal has no room for them.
var sheetColumns = []string{"LINE", "VESSEL", "VOYAGE", "PORT ETA", "PORT ARRIVAL", "REFERENCES", "CUSTOMER", "OWED", "CURRENCY"}

// sheetCells are the cells of these columns. What is owed is empty while it is not known.
func sheetCells(c *terminal49.Container, v terminal49.Verdict) []string {
	s, ok := c.Shipment.Value()
	if !ok {
		s = &terminal49.Shipment{}
	}
	references := unique(append(append([]string{}, s.ReferenceNumbers...), c.ReferenceNumbers...))
	cells := []string{
		s.ShippingLineSCAC, s.PODVesselName, s.PODVoyageNumber, s.PODETA.String(), c.PODArrivedAt.String(),
		strings.Join(references, ", "), s.CustomerName, "", "",
	}
	if owed, currency, known := v.Fees.Owed(); known && fees(v) != "" {
		cells[7], cells[8] = owed.StringFixed(2), currency
	}
	return cells
}
