package demurrage

import (
	"fmt"
	"slices"

	"github.com/go-freight/terminal49"
)

// window is the time in which the clock of a charge runs, as far as it is known.
type window struct {
	calendar calendar
	charge   *Charge
	stay     *Stay
	until    terminal49.Date

	running   bool
	unbounded bool     // it may have begun at any time before
	notes     []string // see ChargeEstimate
}

// count adds the ways in which the stay may have gone to cases. It reports false if nothing bounds
// them.
func (w *window) count(all *cases) bool {
	if problem := w.stay.contradiction(w.charge); problem != "" {
		w.notes = append(w.notes, problem)
		return false
	}
	if event := w.hasNotBegun(); event != "" {
		w.notes = append(w.notes, name(event)+" is not reported, so the clock has not started")
		all.add(nil, terminal49.Date{})
		return true
	}
	starts := w.starts()
	stop := w.stop(starts.first)
	reported := w.lastFreeDay()
	if starts == (span{}) || stop.first.IsZero() {
		return false
	}
	if starts.last.IsZero() { // it may not have begun
		starts.last = later(starts.first, addDays(w.until, 1))
	}
	if starts.first.IsZero() {
		w.unbounded, starts.first = true, starts.last
	}
	if w.unbounded && w.charge.NumberSkipped { // an earlier start may cost less
		return false
	}
	days := newTimetable(w.calendar, w.charge, w.stay, earlier(starts.first, starts.last))
	for _, first := range starts.days() {
		for _, last := range stop.until(w.until).ends() {
			for _, free := range days.endsOfFreeTime(first, reported.days()) {
				n := counter{timetable: days, lastFree: free}
				all.add(n.count(first, last))
			}
		}
	}
	return true
}

// lastFreeDay returns the days that the last free day that was reported may be.
func (w *window) lastFreeDay() span {
	s := w.stay.reported(w.charge.LastFreeDay.Event)
	if s.first != s.last {
		w.note(w.charge.LastFreeDay.Event, s)
	}
	return s
}

// hasNotBegun returns the event for which a clock waits, of a container that was discharged; "" if
// there is none. What the service reports, and has not, has not happened.
func (w *window) hasNotBegun() Event {
	if w.stay.Events[Discharge].IsZero() {
		return ""
	}
	for _, event := range w.charge.Starts {
		isReported := slices.Contains([]Event{PortOut, FullOut, EmptyReturn}, event)
		if isReported && w.stay.span(event).last.IsZero() && !w.stay.isUncertain(event) {
			return event
		}
	}
	return ""
}

// days returns the days of a span, and both ends of one that ends before it begins.
func (s span) days() (days []terminal49.Date) {
	if s.last.Before(s.first) || s.first == s.last {
		return s.ends()
	}
	for day := s.first; !s.last.Before(day); day = addDays(day, 1) {
		days = append(days, day)
	}
	return days
}

// until returns the days that are not after one, and the day itself for those that are.
func (s span) until(day terminal49.Date) span {
	return span{earlier(s.first, day), earlier(s.last, day)}
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
	open := false
	for _, event := range w.charge.Starts {
		s := w.stay.span(event)
		w.note(event, s)
		all.first, all.last = later(all.first, s.first), later(all.last, s.last)
		open = open || s.last.IsZero()
	}
	if open {
		all.last = terminal49.Date{}
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

// stop returns the last days that may count, for a clock that starts on a day or later: a zero
// first day if nothing bounds them. Without a stop the clock runs until the last day that is asked
// for.
func (w *window) stop(start terminal49.Date) span {
	s := w.stay.span(w.charge.Stops)
	isOpen := s.last.IsZero()
	if isOpen && !w.stay.isUncertain(w.charge.Stops) {
		w.running = true
		return span{w.until, w.until}
	}
	if s.first.IsZero() && !start.IsZero() {
		s.first = start
		if w.charge.StartsNextDay {
			s.first = addDays(start, -1)
		}
	}
	w.note(w.charge.Stops, s)
	if isOpen { // it may have stopped, or not
		s.last = addDays(w.until, 1)
	}
	w.running = w.until.Before(s.last)
	if w.charge.StopDayFree && !s.first.IsZero() {
		s.first, s.last = addDays(s.first, -1), addDays(s.last, -1)
	}
	return s
}

// note notes what is not known of an event.
func (w *window) note(event Event, s span) {
	switch at := w.stay.Events[event]; {
	case s.first == s.last && !s.first.IsZero():
	case s.last.IsZero() && w.stay.isUncertain(event):
		w.notes = append(w.notes, "whether "+name(event)+" has happened is not known")
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
