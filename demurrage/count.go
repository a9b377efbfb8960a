package demurrage

import (
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// DayState is what a day of a stay is for a charge.
type DayState string

// The values of DayState.
const (
	Free    DayState = "free"
	Charged DayState = "charged"
	Skipped DayState = "skipped" // a weekend or holiday that does not count
	Stopped DayState = "stopped" // an interruption
)

// counter counts the days of one charge, in one case: known first and last days.
type counter struct {
	calendar calendar
	charge   *Charge
	stay     *Stay

	free     int // free days so far
	charged  int // charged days so far
	skipped  int // days after free time so far that cost nothing and have a number
	lastFree terminal49.Date
	sum      decimal.Decimal
}

// countedDay is a day in one case.
type countedDay struct {
	date   terminal49.Date
	state  DayState
	tier   int // from 1; 0 if it is not charged
	amount decimal.Decimal
	why    string

	unrated bool // the tariff has no amount for it
}

// count returns the days from the first to the last, both included. The last free day that was
// reported is zero if none was, and so is the one returned if no day is free.
func (n *counter) count(first, last, reported terminal49.Date) (days []countedDay, lastFree terminal49.Date) {
	place := n.stay.place(n.charge)
	n.lastFree = n.endOfFreeTime(first, reported, place)
	for day := first; !last.Before(day); day = addDays(day, 1) {
		if exists(day, place) {
			days = append(days, n.next(day))
		}
	}
	if n.lastFree.Before(first) {
		return days, terminal49.Date{}
	}
	return days, n.lastFree
}

// mostFreeDays bounds how far the end of free time is looked for.
const mostFreeDays = 4000

// endOfFreeTime returns the last free day: the day before the first if there is none.
func (n *counter) endOfFreeTime(first, reported terminal49.Date, place *time.Location) terminal49.Date {
	day, left := addDays(first, -1), n.charge.FreeDays
	for i := 0; left > 0 && i < mostFreeDays; i++ {
		day = addDays(day, 1)
		if n.stay.interruption(n.charge, day) == "" && n.calendar.skipped(day, n.charge.FreeSkips) == "" && exists(day, place) {
			left--
		}
	}
	switch rule := n.charge.LastFreeDay.Rule; {
	case reported.IsZero():
	case rule == Later:
		return later(day, reported)
	case rule == Earlier:
		return earlier(day, reported)
	case rule == Replaces:
		return reported
	}
	return day
}

func (n *counter) next(day terminal49.Date) countedDay {
	if kind := n.stay.interruption(n.charge, day); kind != "" {
		return countedDay{date: day, state: Stopped, why: "the clock is stopped: " + kind}
	}
	if !n.lastFree.Before(day) {
		if why := n.calendar.skipped(day, n.charge.FreeSkips); why != "" {
			return countedDay{date: day, state: Skipped, why: why + ", which uses up no free day"}
		}
		n.free++
		return countedDay{date: day, state: Free, why: "free day " + strconv.Itoa(n.free)}
	}
	if why := n.calendar.skipped(day, n.charge.ChargedSkips); why != "" {
		if n.charge.NumberSkipped {
			n.skipped++
		}
		return countedDay{date: day, state: Skipped, why: why + ", which is not charged"}
	}
	return n.chargedDay(day)
}

// chargedDay returns a day after free time.
func (n *counter) chargedDay(day terminal49.Date) countedDay {
	n.charged++
	number := n.charged + n.skipped
	if n.charge.TiersFrom == FromFirstDay {
		number += n.charge.FreeDays
	}
	i := n.charge.tier(number)
	if i < 0 {
		return countedDay{date: day, state: Charged, why: "charged day " + strconv.Itoa(n.charged) + ", after the last tier", unrated: true}
	}
	amount, why := n.charge.Tiers[i].PerDay, "charged day "+strconv.Itoa(n.charged)+", tier "+strconv.Itoa(i+1)
	if most := n.charge.Cap; most != nil && n.sum.Add(amount).GreaterThan(*most) {
		amount, why = most.Sub(n.sum), why+", up to the cap"
	}
	n.sum = n.sum.Add(amount)
	return countedDay{date: day, state: Charged, tier: i + 1, amount: amount, why: why}
}

// tier returns the index of the tier of a day, -1 if it is after the last.
func (c *Charge) tier(number int) int {
	return slices.IndexFunc(c.Tiers, func(t Tier) bool { return t.To == 0 || number <= t.To })
}
