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

// skipped returns why a day is not counted; "" if it is.
func (t *Tariff) skipped(day terminal49.Date, skips []Skip) string {
	switch {
	case slices.Contains(skips, SkipHolidays) && slices.Contains(t.Holidays, day):
		return "a holiday"
	case slices.Contains(skips, SkipWeekends) && slices.ContainsFunc(t.Weekend, func(name string) bool { return strings.EqualFold(name, weekdayOf(day)) }):
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
	for i, after := range inOrder {
		for _, before := range inOrder[:i] {
			if (slices.Contains(of, before) || slices.Contains(of, after)) && s.reversed(before, after) {
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
	a, b := dayOf(s.Events[before]), dayOf(s.Events[after])
	return a.isKnown() && b.isKnown() && b.last.Before(a.first)
}

func (s *Stay) order(before, after Event) string {
	return name(after) + " is reported for " + dayOf(s.Events[after]).last.String() + ", before " + name(before) + " on " + dayOf(s.Events[before]).first.String()
}

// name returns an event for people.
func name(event Event) string { return strings.ReplaceAll(string(event), "_", " ") }

// span is the days on which an event may have happened, from the first to the last. A zero last is
// open: it may not have happened yet.
type span struct{ first, last terminal49.Date }

func (s span) isKnown() bool { return !s.first.IsZero() && !s.last.IsZero() }

// dayOf returns the day of a time at its place, or the days that it may be if the zone is unknown.
func dayOf(t terminal49.Time) span {
	if day, known := t.Date(); known {
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
	if at := s.Events[event]; !at.IsZero() {
		return dayOf(at)
	}
	if days, ok := s.Between[event]; ok {
		return span{days.First, days.Last}
	}
	i := slices.Index(inOrder, event)
	if i < 0 {
		return span{}
	}
	var between span
	for _, before := range inOrder[:i] {
		between.first = later(between.first, dayOf(s.Events[before]).first)
	}
	for _, after := range slices.Backward(inOrder[i+1:]) {
		if last := dayOf(s.Events[after]).last; !last.IsZero() {
			between.last = last
		}
	}
	return between
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
