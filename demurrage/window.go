package demurrage

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// stayCase is one way in which a stay may have gone.
type stayCase struct {
	days     []countedDay
	sum      decimal.Decimal
	lastFree terminal49.Date
}

// window is the time in which the clock of a charge runs, as far as it is known.
type window struct {
	tariff *Tariff
	charge *Charge
	stay   *Stay
	until  terminal49.Date

	running   bool
	unbounded bool     // it may have begun at any time before
	unrated   bool     // the tariff has no amount for a day
	notes     []string // see ChargeEstimate
}

// cases returns the ways in which the stay may have gone, with the least and the most that it
// costs. There is none if nothing bounds it.
func (w *window) cases() (all []stayCase) {
	if problem := w.stay.contradiction(w.charge); problem != "" {
		w.notes = append(w.notes, problem)
		return nil
	}
	if event := w.hasNotBegun(); event != "" {
		w.notes = append(w.notes, name(event)+" is not reported, so the clock has not started")
		return []stayCase{{}}
	}
	starts, stop := w.starts(), w.stop()
	if starts.last.IsZero() && starts.first.IsZero() {
		return nil
	}
	if starts.last.IsZero() { // it may not have begun
		starts.last = addDays(w.until, 1)
		all = append(all, stayCase{})
	}
	if starts.first.IsZero() {
		w.unbounded, starts.first = true, starts.last
	}
	for _, first := range starts.some() {
		for _, last := range stop.ends() {
			all = append(all, w.count(first, last))
		}
	}
	return all
}

// hasNotBegun returns the event for which a clock waits, of a container that was discharged; "" if
// there is none. What the service reports, and has not, has not happened.
func (w *window) hasNotBegun() Event {
	if w.stay.Events[Discharge].IsZero() {
		return ""
	}
	for _, event := range w.charge.Starts {
		if slices.Contains([]Event{PortOut, FullOut, EmptyReturn}, event) && w.stay.span(event).last.IsZero() {
			return event
		}
	}
	return ""
}

func (w *window) count(first, last terminal49.Date) (c stayCase) {
	c.days, c.lastFree = w.tariff.count(w.charge, w.stay, first, earlier(last, w.until))
	for _, day := range c.days {
		c.sum = c.sum.Add(day.amount)
		w.unrated = w.unrated || day.unrated
	}
	return c
}

// mostCases bounds the days that are tried.
const mostCases = 60

// some returns the days of a span, or the first and the last if there are very many.
func (s span) some() (days []terminal49.Date) {
	if s.last.Before(s.first) || s.last.Sub(s.first) > mostCases {
		return []terminal49.Date{s.first, s.last}
	}
	for day := s.first; !s.last.Before(day); day = addDays(day, 1) {
		days = append(days, day)
	}
	return days
}

// ends returns the first and the last day of a span, once if they are the same.
func (s span) ends() []terminal49.Date {
	if s.first == s.last {
		return []terminal49.Date{s.last}
	}
	return []terminal49.Date{s.first, s.last}
}

// starts returns the days on which the clock may have started: when the latest of the events that
// start it happened.
func (w *window) starts() (all span) {
	open, known := false, true
	for _, event := range w.charge.Starts {
		s := w.stay.span(event)
		w.note(event, s)
		all.first, all.last = later(all.first, s.first), later(all.last, s.last)
		open, known = open || s.last.IsZero(), known && !s.first.IsZero()
	}
	if open {
		all.last = terminal49.Date{}
	}
	if !known && open {
		return span{}
	}
	if !known {
		all.first = terminal49.Date{}
	}
	if w.charge.StartsNextDay {
		all.first, all.last = nextDay(all.first), nextDay(all.last)
	}
	return all
}

func nextDay(d terminal49.Date) terminal49.Date {
	if d.IsZero() {
		return d
	}
	return addDays(d, 1)
}

// stop returns the last days that may count. Without a stop the clock runs until the last day that
// is asked for.
func (w *window) stop() span {
	s := w.stay.span(w.charge.Stops)
	if s.last.IsZero() {
		w.running = true
		return span{w.until, w.until}
	}
	if s.first.IsZero() {
		s.first = s.last
	}
	w.note(w.charge.Stops, s)
	w.running = w.until.Before(s.last)
	if w.charge.StopDayFree {
		s.first, s.last = addDays(s.first, -1), addDays(s.last, -1)
	}
	return s
}

// note notes what is not known of an event.
func (w *window) note(event Event, s span) {
	switch at := w.stay.Events[event]; {
	case s.first == s.last && !s.first.IsZero():
	case at.IsZero() && !w.isBetween(event):
		w.notes = append(w.notes, name(event)+" is not reported")
	case w.isBetween(event):
		w.notes = append(w.notes, fmt.Sprintf("%s was on %s, %s or between", name(event), s.first, s.last))
	default:
		w.notes = append(w.notes, fmt.Sprintf("the zone of %s is unknown, so it was on %s or %s", name(event), s.first, s.last))
	}
}

// isBetween reports whether the stay has the days between which an event happened.
func (w *window) isBetween(event Event) bool {
	_, has := w.stay.Between[event]
	return has
}
