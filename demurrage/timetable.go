package demurrage

import (
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// timetable is what the days of a stay are for a charge, whenever its clock began.
type timetable struct {
	calendar calendar
	charge   *Charge
	stay     *Stay
	place    *time.Location
	days     []plannedDay // without a gap
	room     []countedDay // of the latest case
}

// plannedDay is a day of a timetable.
type plannedDay struct {
	date                  terminal49.Date
	number                int    // of days since 1970
	exists                bool   // at the place
	stopped               string // the kind of an interruption
	freeSkip, chargedSkip string // why it does not count in free time and after it
}

// newTimetable returns the days of a charge from one on.
func newTimetable(c calendar, charge *Charge, s *Stay, from terminal49.Date) *timetable {
	t := &timetable{calendar: c, charge: charge, stay: s, place: s.place(charge)}
	t.days = append(t.days, t.plan(from))
	return t
}

func (t *timetable) plan(day terminal49.Date) plannedDay {
	return plannedDay{
		date: day, number: day.Sub(terminal49.Date{Year: 1970, Month: time.January, Day: 1}),
		exists: exists(day, t.place), stopped: t.stay.interruption(t.charge, day),
		freeSkip: t.calendar.skipped(day, t.charge.FreeSkips), chargedSkip: t.calendar.skipped(day, t.charge.ChargedSkips),
	}
}

// index returns the index of a day.
func (t *timetable) index(day terminal49.Date) int { return day.Sub(t.days[0].date) }

// at returns a day.
func (t *timetable) at(i int) *plannedDay {
	for len(t.days) <= i {
		t.days = append(t.days, t.plan(addDays(t.days[len(t.days)-1].date, 1)))
	}
	return &t.days[i]
}

// mostFreeDays bounds how far the end of free time is looked for.
const mostFreeDays = 4000

// endsOfFreeTime returns the last free days, each once, of a stay that begins on a day, for each
// last free day that may be reported, zero for none: the day before the first if there is none.
func (t *timetable) endsOfFreeTime(first terminal49.Date, reported []terminal49.Date) (all []terminal49.Date) {
	own := t.endOfFreeTime(first)
	for _, day := range reported {
		switch rule := t.charge.LastFreeDay.Rule; {
		case day.IsZero():
			day = own
		case rule == Later:
			day = later(own, day)
		case rule == Earlier:
			day = earlier(own, day)
		case rule != Replaces:
			day = own
		}
		if !slices.Contains(all, day) {
			all = append(all, day)
		}
	}
	return all
}

// endOfFreeTime returns the last free day by the number of free days.
func (t *timetable) endOfFreeTime(first terminal49.Date) terminal49.Date {
	day, left, begin := addDays(first, -1), t.charge.FreeDays, t.index(first)
	for i := 0; left > 0 && i < mostFreeDays; i++ {
		at := t.at(begin + i)
		if day = at.date; at.stopped == "" && at.freeSkip == "" && at.exists {
			left--
		}
	}
	return day
}
