package demurrage

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// cases are the ways in which a stay may have gone, with the least and the most that they cost.
type cases struct {
	after terminal49.Date // days after it also count as more

	n         int
	sum, more limits
	days      map[int]*caseDay
	unrated   bool // the tariff has no amount for a day

	lastFree terminal49.Date // zero if it depends on the case
}

// limits are the least and the most of all cases.
type limits struct{ least, most decimal.Decimal }

func (l *limits) add(amount decimal.Decimal, first bool) {
	if first || amount.LessThan(l.least) {
		l.least = amount
	}
	if first || amount.GreaterThan(l.most) {
		l.most = amount
	}
}

// caseDay is a day in all cases.
type caseDay struct {
	countedDay // of the case that costs most
	limits
	n int // cases that have it
}

// add adds a case: its days, and its last free day.
func (c *cases) add(days []countedDay, lastFree terminal49.Date) {
	at := slices.IndexFunc(days, func(d countedDay) bool { return c.after.Before(d.of.date) })
	if at < 0 {
		at = len(days)
	}
	more := sumOf(days[at:])
	sum := sumOf(days[:at]).Add(more)
	first := c.n == 0
	isMost := first || sum.GreaterThan(c.sum.most)
	c.sum.add(sum, first)
	c.more.add(more, first)
	if first {
		c.lastFree, c.days = lastFree, map[int]*caseDay{}
	} else if c.lastFree != lastFree {
		c.lastFree = terminal49.Date{}
	}
	c.n++
	for _, day := range days {
		c.addDay(day, isMost)
	}
}

// sumOf returns what days cost. Equal days in a row are added at once.
func sumOf(days []countedDay) (sum decimal.Decimal) {
	for i := 0; i < len(days); {
		amount, n := days[i].amount, 0
		for ; i < len(days) && days[i].amount == amount; i++ {
			n++
		}
		sum = sum.Add(amount.Mul(decimal.NewFromInt(int64(n))))
	}
	return sum
}

func (c *cases) addDay(day countedDay, isMost bool) {
	all := c.days[day.of.number]
	if all == nil {
		all = new(caseDay)
		c.days[day.of.number] = all
	}
	c.unrated, day.unrated = c.unrated || day.unrated, all.unrated || day.unrated
	if all.n == 0 || day.amount != all.least || day.amount != all.limits.most {
		all.limits.add(day.amount, all.n == 0)
	}
	if all.n++; isMost || all.n == 1 {
		all.countedDay = day
	}
	all.unrated = day.unrated
}

// list returns the days in their order. A day that some cases do not have may cost nothing, and so
// may one of a clock that may have begun at any time: it may be in any tier. Such a day has no
// most, nor has one without an amount.
func (c *cases) list(unbounded bool) (all []Day) {
	for _, d := range c.days {
		if unbounded || d.n < c.n {
			d.limits.add(decimal.Zero, false)
		}
		day := Day{d.of.date, d.state, d.tier, between(d.least, d.limits.most), d.why()}
		if unbounded || d.unrated {
			day.Amount.Most = terminal49.Opt[decimal.Decimal]{}
		}
		all = append(all, day)
	}
	slices.SortFunc(all, func(a, b Day) int { return a.Date.Compare(b.Date) })
	return all
}
