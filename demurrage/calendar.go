package demurrage

import (
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// addDays returns the day n days after d.
func addDays(d terminal49.Date, n int) terminal49.Date {
	return terminal49.DateOf(time.Date(d.Year, d.Month, d.Day+n, 0, 0, 0, 0, time.UTC))
}

func weekdayOf(d terminal49.Date) string {
	return strings.ToLower(time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Weekday().String())
}

// calendar has the days of a tariff that are not worked.
type calendar struct {
	weekend  map[string]bool
	holidays map[terminal49.Date]bool
}

func (t *Tariff) calendar() calendar {
	c := calendar{weekend: map[string]bool{}, holidays: map[terminal49.Date]bool{}}
	for _, name := range t.Weekend {
		c.weekend[strings.ToLower(name)] = true
	}
	for _, day := range t.Holidays {
		c.holidays[day] = true
	}
	return c
}

// skipped returns why a day is not counted; "" if it is.
func (c calendar) skipped(day terminal49.Date, skips []Skip) string {
	switch {
	case slices.Contains(skips, SkipHolidays) && c.holidays[day]:
		return "a holiday"
	case slices.Contains(skips, SkipWeekends) && c.weekend[weekdayOf(day)]:
		return "a weekend"
	}
	return ""
}

// place returns the zone in which the days of a charge are counted: that of the event that starts
// it, or UTC if that is unknown.
func (s *Stay) place(c *Charge) *time.Location {
	for _, event := range c.Starts {
		if local, err := s.Events[event].Local(); err == nil {
			return local.Location()
		}
	}
	return time.UTC
}

// exists reports whether a place has a day. Samoa had no 30 December 2011.
func exists(d terminal49.Date, place *time.Location) bool {
	return terminal49.DateOf(time.Date(d.Year, d.Month, d.Day, 12, 0, 0, 0, place)) == d
}

// contradiction returns a sentence if an event of a charge was reported before one that precedes
// it; "" otherwise.
func (s *Stay) contradiction(c *Charge) string {
	of := append([]Event{c.Stops}, c.Starts...)
	for _, after := range inOrder {
		for _, before := range inOrder {
			if before.precedes(after) && (slices.Contains(of, before) || slices.Contains(of, after)) && s.reversed(before, after) {
				return s.order(before, after)
			}
		}
	}
	for _, start := range c.Starts {
		if c.LastFreeDay.Event != "" && s.reversed(start, c.LastFreeDay.Event) {
			return s.order(start, c.LastFreeDay.Event)
		}
	}
	return ""
}

// reversed reports whether an event was reported for a day before that of one that precedes it.
func (s *Stay) reversed(before, after Event) bool {
	a, b := s.reported(before), s.reported(after)
	return a.isKnown() && b.isKnown() && b.last.Before(a.first)
}

func (s *Stay) order(before, after Event) string {
	return name(after) + " is reported for " + s.reported(after).last.String() + ", before " + name(before) + " on " + s.reported(before).first.String()
}

// name returns an event for people.
func name(event Event) string { return strings.ReplaceAll(string(event), "_", " ") }

// span is the days on which an event may have happened, from the first to the last. A zero last is
// open: it may not have happened yet.
type span struct{ first, last terminal49.Date }

func (s span) isKnown() bool { return !s.first.IsZero() && !s.last.IsZero() }

// dayOf returns the day of a time at its place, or the days that it may be if the zone is unknown.
func dayOf(t terminal49.Time) span {
	local, err := t.Local()
	isUTC := err == nil && t.Zone() == "" && local.Location() == time.UTC // not at a place
	if day, known := t.Date(); known && !isUTC {
		return span{day, day}
	}
	at, known := t.Instant()
	if !known {
		return span{}
	}
	// Places are from 12 hours behind UTC to 14 hours ahead.
	return span{terminal49.DateOf(at.UTC().Add(-12 * time.Hour)), terminal49.DateOf(at.UTC().Add(14 * time.Hour))}
}

// span returns the days on which an event may have happened. One that was not reported is between
// those that come before and after it.
func (s *Stay) span(event Event) span {
	_, isBetween := s.Between[event]
	if isBetween || !s.Events[event].IsZero() {
		return s.reported(event)
	}
	var between span
	for _, other := range inOrder {
		is := s.reported(other)
		switch {
		case other.precedes(event):
			between.first = later(between.first, is.first)
		case event.precedes(other) && !is.last.IsZero() && (between.last.IsZero() || is.last.Before(between.last)):
			between.last = is.last
		}
	}
	return between
}

// isUncertain reports whether it is not known that an event has happened, or one after it.
func (s *Stay) isUncertain(event Event) bool {
	return slices.ContainsFunc(s.Uncertain, func(other Event) bool { return event == other || event.precedes(other) })
}

// reported returns the days of an event that was reported, or that the program knows it to be
// between; an empty span if it is neither.
func (s *Stay) reported(event Event) span {
	if at := s.Events[event]; !at.IsZero() {
		return dayOf(at)
	}
	days := s.Between[event]
	return span{days.First, days.Last}
}

func later(a, b terminal49.Date) terminal49.Date {
	if a.Before(b) {
		return b
	}
	return a
}

func earlier(a, b terminal49.Date) terminal49.Date {
	if b.Before(a) {
		return b
	}
	return a
}

// interruption returns the kind of the interruption that stops a charge on a day; "" for none.
func (s *Stay) interruption(c *Charge, day terminal49.Date) string {
	for _, i := range s.Interruptions {
		if slices.Contains(c.StoppedBy, i.Kind) && !day.Before(i.First) && !i.Last.Before(day) {
			return i.Kind
		}
	}
	return ""
}
