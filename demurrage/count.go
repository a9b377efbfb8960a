package demurrage

import (
	"slices"
	"strconv"

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
	*timetable

	free     int // free days so far
	charged  int // charged days so far
	skipped  int // days after free time so far that cost nothing and have a number
	lastFree terminal49.Date
	sum      decimal.Decimal // so far, of a charge with a cap
}

// countedDay is a day in one case.
type countedDay struct {
	of     *plannedDay
	state  DayState
	tier   int // from 1; 0 if it is not charged, or after the last tier
	amount decimal.Decimal
	number int    // among the free or charged days
	reason string // why it is skipped or stopped
	isFree bool   // it is skipped in free time
	capped bool

	unrated bool // the tariff has no amount for it
}

// why returns Day.Why.
func (d *countedDay) why() string {
	switch {
	case d.state == Stopped:
		return "the clock is stopped: " + d.reason
	case d.state == Skipped && d.isFree:
		return d.reason + ", which uses up no free day"
	case d.state == Skipped:
		return d.reason + ", which is not charged"
	case d.state == Free:
		return "free day " + strconv.Itoa(d.number)
	case d.tier == 0:
		return "charged day " + strconv.Itoa(d.number) + ", after the last tier"
	case d.capped:
		return "charged day " + strconv.Itoa(d.number) + ", tier " + strconv.Itoa(d.tier) + ", up to the cap"
	}
	return "charged day " + strconv.Itoa(d.number) + ", tier " + strconv.Itoa(d.tier)
}

// count returns the days from the first to the last, both included, until the next call, and the
// last free day, which is zero if no day is free.
func (n *counter) count(first, last terminal49.Date) (days []countedDay, lastFree terminal49.Date) {
	n.room = n.room[:0]
	for i := n.index(first); !last.Before(n.at(i).date); i++ {
		if day := n.at(i); day.exists {
			n.room = append(n.room, n.next(day))
		}
	}
	if n.lastFree.Before(first) {
		return n.room, terminal49.Date{}
	}
	return n.room, n.lastFree
}

func (n *counter) next(day *plannedDay) countedDay {
	if day.stopped != "" {
		return countedDay{of: day, state: Stopped, reason: day.stopped}
	}
	if !n.lastFree.Before(day.date) {
		if day.freeSkip != "" {
			return countedDay{of: day, state: Skipped, reason: day.freeSkip, isFree: true}
		}
		n.free++
		return countedDay{of: day, state: Free, number: n.free}
	}
	if day.chargedSkip != "" {
		if n.charge.NumberSkipped {
			n.skipped++
		}
		return countedDay{of: day, state: Skipped, reason: day.chargedSkip}
	}
	return n.chargedDay(day)
}

// chargedDay returns a day after free time.
func (n *counter) chargedDay(of *plannedDay) countedDay {
	n.charged++
	number := n.charged + n.skipped
	if n.charge.TiersFrom == FromFirstDay {
		number += n.charge.FreeDays
	}
	day, i := countedDay{of: of, state: Charged, number: n.charged}, n.charge.tier(number)
	if day.unrated = i < 0; day.unrated {
		return day
	}
	day.tier, day.amount = i+1, n.charge.Tiers[i].PerDay
	if most := n.charge.Cap; most != nil {
		if day.capped = n.sum.Add(day.amount).GreaterThan(*most); day.capped {
			day.amount = most.Sub(n.sum)
		}
		n.sum = n.sum.Add(day.amount)
	}
	return day
}

// tier returns the index of the tier of a day, -1 if it is after the last.
func (c *Charge) tier(number int) int {
	return slices.IndexFunc(c.Tiers, func(t Tier) bool { return t.To == 0 || number <= t.To })
}
