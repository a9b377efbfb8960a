package worklist

import (
	"slices"

	"github.com/go-freight/terminal49"
)

// underWayStages are those of a container that has no last free day yet, and is expected somewhere.
var underWayStages = []terminal49.Stage{terminal49.StageBeforeVoyage, terminal49.StageAtSea, terminal49.StageOnRail}

// isOnDays reports whether a container meets the bounds of days, or may meet them because a day is
// unknown that it should have: an arrival under way, a last free day at a place.
func (q *Question) isOnDays(r *Record, v *terminal49.Verdict) (is, unknown bool) {
	onDay, known := isWithin(v.LastFreeDay.At, q.filter.LastFreeDayFrom, q.filter.LastFreeDayTo)
	left, counted := hasDaysLeft(v.DaysLeft, q.filter.DaysLeftFrom, q.filter.DaysLeftTo)
	due, expected := isWithin(v.ETA, q.filter.ETAFrom, q.filter.ETATo)
	underWay := slices.Contains(underWayStages, r.Facts.Stage)
	known, counted, expected = known || underWay, counted || underWay, expected || !underWay
	if known && counted && expected || v.Situation.HasLeft() {
		return onDay && left && due, false
	}
	return false, (onDay || !known) && (left || !counted) && (due || !expected)
}

// isLate reports whether the appointment is after the last free day.
func isLate(r *Record, v *terminal49.Verdict) bool {
	day := dayOf(v.LastFreeDay.At)
	return !day.IsZero() && day.Before(r.Facts.Appointment)
}

// dayOf returns the day of a time on the calendar of its place; zero if it is unknown.
func dayOf(t terminal49.Time) terminal49.Date {
	if day, known := t.Date(); known {
		return day
	}
	return terminal49.Date{}
}

// hasDaysLeft reports whether the days left are within bounds, if any are set, and whether that is
// known.
func hasDaysLeft(left, from, to terminal49.Opt[int]) (has, known bool) {
	days, known := left.Get()
	least, bound := from.Get()
	most, above := to.Get()
	if !bound && !above {
		return true, true
	}
	return known && (!bound || days >= least) && (!above || days <= most), known
}

// isWithin reports whether a time is on one of some days, and whether that is known. Zero days set
// no bound.
func isWithin(t terminal49.Time, from, to terminal49.Date) (is, known bool) {
	if from.IsZero() && to.IsZero() {
		return true, true
	}
	day := dayOf(t)
	return !day.IsZero() && !day.Before(from) && (to.IsZero() || !to.Before(day)), !day.IsZero()
}
