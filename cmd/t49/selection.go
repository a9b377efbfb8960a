package main

import (
	"context"
	"iter"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// selection selects from a list what the service has no filter for, or none that is exact.
type selection struct {
	near     *dueDays // --days-left
	vessel   string   // --vessel
	place    string   // --place
	problems bool     // --problems
}

func (s selection) isEmpty() bool { return s == selection{} }

// of returns the containers of a list that are selected.
func (s selection) of(all iter.Seq2[*terminal49.Container, error]) iter.Seq2[*terminal49.Container, error] {
	if s.isEmpty() {
		return all
	}
	return func(yield func(*terminal49.Container, error) bool) {
		for c, err := range all {
			if (err != nil || s.includes(c, time.Now())) && !yield(c, err) {
				return
			}
		}
	}
}

func (s selection) includes(c *terminal49.Container, now time.Time) bool {
	shipment, _ := c.Shipment.Value()
	if s.vessel != "" && (shipment == nil || !containsFold(shipment.PODVesselName, s.vessel)) {
		return false
	}
	v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
	return containsFold(place(v), s.place) && (!s.problems || hasProblem(v)) && (s.near == nil || s.near.includes(v))
}

// counted adds to n how many containers a list has.
func counted(all iter.Seq2[*terminal49.Container, error], n *int) iter.Seq2[*terminal49.Container, error] {
	return func(yield func(*terminal49.Container, error) bool) {
		for c, err := range all {
			if err == nil {
				*n++
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func containsFold(text, part string) bool {
	return strings.Contains(strings.ToUpper(text), strings.ToUpper(part))
}

// hasProblem reports whether a container that has not left is held, owes something, or is overdue.
func hasProblem(v terminal49.Verdict) bool {
	if v.Situation.HasLeft() {
		return false
	}
	return len(v.Readiness.ActiveHolds) > 0 || v.Fees.Owes() || v.Urgency == terminal49.UrgencyOverdue
}

// listSelected prints the containers of a list that are selected.
func (a *app) listSelected(ctx context.Context, t *table, params terminal49.ContainerListParams, s selection, show func(*terminal49.Container) error) error {
	if s.isEmpty() {
		params.PageSize = a.pageSize() // otherwise more are read than printed
	}
	read, named := 0, 0
	names, rest := selection{vessel: s.vessel, place: s.place}, selection{near: s.near, problems: s.problems}
	all := counted(a.client.Containers.All(ctx, &params, terminal49.WithResponse(&a.read)), &read)
	err := printList(t, rest.of(counted(names.of(all), &named)), show)
	if err == nil && read > 0 && named == 0 {
		a.note("none of the %d containers that were read has such a place or vessel: without the flag, places are listed, and --csv has vessels", read)
	}
	if s.near != nil && s.near.unknown > 0 {
		a.note("%d that may wait for pickup are left out: their last free day is not known", s.near.unknown)
	}
	return err
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
