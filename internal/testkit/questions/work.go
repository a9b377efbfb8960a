package questions

import (
	"time"

	"github.com/go-freight/terminal49"
)

// usualDays are the days of the kinds of work that have some.
var usualDays = map[string]int{"arriving": 5, "eta_slipped": 1, "dwelling": 5, "empty_due": 5}

func daysOf(f Filter, work string) int {
	if f.Days != 0 {
		return f.Days
	}
	return usualDays[work]
}

// daysUsed returns the days of the kinds of work of a filter; nil if none has days.
func daysUsed(f Filter) (all map[string]int) {
	for _, w := range f.Work {
		if usualDays[w] > 0 {
			if all == nil {
				all = map[string]int{}
			}
			all[w] = daysOf(f, w)
		}
	}
	return all
}

// isWork reports whether a container is of a kind of work. One that is not in works is a situation.
func isWork(work string, q Question, c *one) bool {
	if is := works[work]; is != nil {
		return is(c, q.Clock.Time(), daysOf(q.Filter, work))
	}
	return string(c.v.Situation) == work
}

// works are the kinds of work, by the comments of their constants.
var works = map[string]func(c *one, now time.Time, days int) bool{
	// At its place of pickup and off the ship, whether released or not.
	"waiting": func(c *one, _ time.Time, _ int) bool {
		return c.isSomewhere() && c.v.Situation != terminal49.SituationAwaitingTransfer && c.v.Stage() != terminal49.StageArrived
	},
	"overdue":  func(c *one, _ time.Time, _ int) bool { return c.v.Urgency == terminal49.UrgencyOverdue },
	"imminent": func(c *one, _ time.Time, _ int) bool { return c.v.Urgency == terminal49.UrgencyImminent },
	"at_risk": func(c *one, _ time.Time, _ int) bool {
		return c.v.Urgency == terminal49.UrgencyOverdue || c.v.Urgency == terminal49.UrgencyImminent
	},
	// Also after the container has left.
	"owing": func(c *one, _ time.Time, _ int) bool { return c.v.Fees.Owes() },
	// In force, and the container has not left.
	"holds": func(c *one, _ time.Time, _ int) bool {
		return len(c.v.Readiness.ActiveHolds) > 0 && !c.v.Situation.HasLeft()
	},
	// Expected within Days, or earlier and not arrived yet.
	"arriving": func(c *one, now time.Time, days int) bool {
		until := terminal49.NewTime(now.Add(time.Duration(days)*24*time.Hour), "")
		return !c.v.ETA.IsZero() && c.v.ETA.Compare(until) <= 0
	},
	// Expected at least Days later than the first estimate.
	"eta_slipped": func(c *one, _ time.Time, days int) bool { return hasSlipped(c, days) },
	// At a terminal for more than Days of the calendar.
	"dwelling": func(c *one, now time.Time, days int) bool { return c.isSomewhere() && isOlder(c.v.Since, now, days) },
	// Picked up more than Days of the calendar ago, and not returned empty.
	"empty_due": func(c *one, now time.Time, days int) bool {
		return c.v.Situation == terminal49.SituationOut && isOlder(c.v.Since, now, days)
	},
}

// isSomewhere reports whether a container is at a terminal, or at a port or in a city if no more is
// known.
func (c *one) isSomewhere() bool { return c.v.Place != terminal49.VerdictPlace{} }

// isOlder reports whether a time was more than so many days ago, on the calendar of its place or,
// without a zone, in whole days.
func isOlder(t terminal49.Time, now time.Time, days int) bool {
	if left, known := t.DaysLeft(now); known {
		return -left > days
	}
	return !t.IsZero() && t.Compare(terminal49.NewTime(now.AddDate(0, 0, -days), "")) < 0
}

// hasSlipped compares the arrival that is expected next with the shipping line's first estimate of
// the same arrival.
func hasSlipped(c *one, days int) bool {
	first := c.shipment.DestinationOriginalETA
	switch c.v.Stage() {
	case terminal49.StageBeforeVoyage, terminal49.StageAtSea:
		first = c.shipment.PODOriginalETA
	}
	was, hadDay := first.Date()
	is, hasDay := c.v.ETA.Date()
	return hadDay && hasDay && is.Sub(was) >= days
}
