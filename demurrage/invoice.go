package demurrage

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// Invoice is a bill for one container, as your program reads it.
type Invoice struct {
	Currency string           `json:"currency"`
	Lines    []InvoiceLine    `json:"lines"`
	Total    *decimal.Decimal `json:"total,omitempty"` // as stated; nil if it is not
}

// InvoiceLine charges some days at one amount a day. One whose Amount is negative credits them.
type InvoiceLine struct {
	Kind   Kind            `json:"kind"`
	From   terminal49.Date `json:"from"` // the first day
	To     terminal49.Date `json:"to"`   // the last day
	Days   int             `json:"days"` // as stated, which may be fewer than From to To
	PerDay decimal.Decimal `json:"per_day"`
	Amount decimal.Decimal `json:"amount"`
}

// Problem is what is wrong with an invoice.
type Problem string

// The values of Problem.
const (
	WrongCurrency Problem = "wrong_currency" // another one than the tariff's
	WrongSum      Problem = "wrong_sum"      // the lines or days do not add up
	UnknownKind   Problem = "unknown_kind"   // the tariff has no such charge, or it cannot be estimated
	BeforeStart   Problem = "before_start"   // a day before the clock started
	AfterStop     Problem = "after_stop"     // a day after the clock stopped
	FreeDay       Problem = "free_day"       // a day of free time
	SkippedDay    Problem = "skipped_day"    // a weekend or holiday that is not charged
	StoppedDay    Problem = "stopped_day"    // a day of an interruption
	WrongAmount   Problem = "wrong_amount"   // another amount than the tier of the day has
	ChargedTwice  Problem = "charged_twice"  // a day of the same kind on two lines
	MoreDays      Problem = "more_days"      // more days than are charged from the first to the last
	CreditLine    Problem = "credit_line"    // nothing is wrong with it, but its days are not compared
)

// Finding is one thing that is wrong with an invoice.
type Finding struct {
	Problem Problem         `json:"problem"`
	Line    int             `json:"line"`          // from 1; 0 for the invoice
	Date    terminal49.Date `json:"date,omitzero"` // of the first day that it is about
	Text    string          `json:"text"`          // a sentence
	Owed    Amount          `json:"owed"`          // what the line should be; missing for the invoice
}

// Check compares an invoice with an estimate that was made until at least the invoice's last day,
// and returns what is wrong with it, in the order of its lines; none if it is right. Where the
// estimate is a range, an amount is right if it may be. A line that credits days takes them back,
// so that a later line may charge them again. It states facts and gives no legal opinion.
func Check(e *Estimate, inv Invoice) (all []Finding) {
	if inv.Currency != e.Currency {
		return []Finding{{Problem: WrongCurrency, Text: fmt.Sprintf("the invoice is in %.20q, and the tariff in %s", inv.Currency, e.Currency)}}
	}
	sum, before := decimal.Zero, map[Kind]map[terminal49.Date]bool{}
	for i, line := range inv.Lines {
		sum = sum.Add(line.Amount)
		c := checker{line: line, number: i + 1, currency: e.Currency, seen: before[line.Kind]}
		if c.seen == nil {
			c.seen = map[terminal49.Date]bool{}
			before[line.Kind] = c.seen
		}
		all = append(all, c.check(e)...)
	}
	if inv.Total != nil && !sum.Equal(*inv.Total) {
		all = append(all, Finding{Problem: WrongSum, Text: fmt.Sprintf("the lines add up to %s, and the total is %s", terminal49.FormatMoney(sum, e.Currency), terminal49.FormatMoney(*inv.Total, e.Currency))})
	}
	return all
}

// checker checks a line.
type checker struct {
	line     InvoiceLine
	number   int
	currency string
	seen     map[terminal49.Date]bool // days on earlier lines of the same kind
	charge   *ChargeEstimate
	owed     Amount
	found    []Finding
}

func (c *checker) find(problem Problem, day terminal49.Date, text string) {
	if !slices.ContainsFunc(c.found, func(f Finding) bool { return f.Problem == problem }) {
		c.found = append(c.found, Finding{problem, c.number, day, text, c.owed})
	}
}

func (c *checker) check(e *Estimate) []Finding {
	i := slices.IndexFunc(e.Charges, func(of ChargeEstimate) bool { return of.Kind == c.line.Kind })
	days := c.line.To.Sub(c.line.From) + 1
	switch {
	case c.line.Amount.IsNegative():
		c.credit(days)
	case i < 0:
		c.find(UnknownKind, c.line.From, "the tariff has no "+string(c.line.Kind))
	case e.Charges[i].Amount == Amount{}:
		c.find(UnknownKind, c.line.From, fmt.Sprintf("the %s cannot be estimated: %s", c.line.Kind, e.Charges[i].Notes))
	case e.Until.Before(c.line.To) && e.Charges[i].Running:
		c.find(UnknownKind, c.line.From, fmt.Sprintf("the estimate is only until %s, before the last day of the line", e.Until))
	case c.line.From.IsZero() || days < 1 || days > mostDays || c.line.Days < 1:
		c.find(MoreDays, c.line.From, "the line must have a first day, a last day and a number of days")
	default:
		c.charge = &e.Charges[i]
		c.compare()
	}
	return c.found
}

// credit takes the days of a line back that earlier lines charge. A credit may have no days, and
// the sign on its daily amount or not.
func (c *checker) credit(days int) {
	want := c.line.PerDay.Abs().Mul(decimal.NewFromInt(int64(c.line.Days)))
	if credited := c.line.Amount.Abs(); c.line.Days != 0 && !want.Equal(credited) {
		c.find(WrongSum, c.line.From, fmt.Sprintf("%d days at %s are %s, not %s", c.line.Days, c.money(c.line.PerDay.Abs()), c.money(want), c.money(credited)))
	}
	c.find(CreditLine, c.line.From, "the line credits "+c.money(c.line.Amount.Abs())+"; its days are not compared with the estimate")
	for i := range min(days, mostDays) {
		delete(c.seen, addDays(c.line.From, i))
	}
}

// compare compares the days of the line with those of the estimate.
func (c *checker) compare() {
	var claimed []Day
	charged := 0
	c.owed = between(decimal.Zero, decimal.Zero)
	for day := c.line.From; !c.line.To.Before(day); day = addDays(day, 1) {
		d := c.charge.on(day)
		claimed = append(claimed, d)
		if d.State == Charged {
			charged++
		}
		c.owed = c.owed.Add(d.Amount)
	}
	if want := c.line.PerDay.Mul(decimal.NewFromInt(int64(c.line.Days))); !want.Equal(c.line.Amount) {
		c.find(WrongSum, c.line.From, fmt.Sprintf("%d days at %s are %s, not %s", c.line.Days, c.money(c.line.PerDay), c.money(want), c.money(c.line.Amount)))
	}
	if all := len(claimed); c.line.Days != all && c.line.Days != charged {
		c.find(MoreDays, c.line.From, fmt.Sprintf("the line has %d days; from %s to %s are %d, and %d are charged", c.line.Days, c.line.From, c.line.To, all, charged))
	}
	for _, d := range claimed {
		c.day(d, c.line.Days == len(claimed))
	}
}

// on returns a day of the estimate; one without a state if it has no such day.
func (c *ChargeEstimate) on(day terminal49.Date) Day {
	if i := slices.IndexFunc(c.Days, func(d Day) bool { return d.Date == day }); i >= 0 {
		return c.Days[i]
	}
	d := Day{Date: day, Amount: between(decimal.Zero, decimal.Zero)}
	if len(c.Days) > 0 && day.Before(c.Days[0].Date) && c.Amount.Most.IsZero() && c.Days[0].Amount.Most.IsZero() {
		d.Amount.Most = c.Amount.Most // it is not known since when the clock runs
	}
	return d
}

// day checks a day of a line that charges all days, or only some.
func (c *checker) day(d Day, all bool) {
	least := d.Amount.Least.Or(decimal.Zero)
	most, bounded := d.Amount.Most.Get()
	switch {
	case c.seen[d.Date] && d.State == Charged:
		c.find(ChargedTwice, d.Date, fmt.Sprintf("%s is on an earlier line", d.Date))
	case d.State == Charged && (c.line.PerDay.LessThan(least) || bounded && c.line.PerDay.GreaterThan(most)):
		c.find(WrongAmount, d.Date, fmt.Sprintf("%s is in tier %d, at %s, not %s", d.Date, d.Tier, d.Amount.Format(c.currency), c.money(c.line.PerDay)))
	case d.State == Charged || !all || !bounded:
	case d.State == Free:
		c.find(FreeDay, d.Date, fmt.Sprintf("%s is a free day: %s", d.Date, d.Why))
	case d.State == Skipped:
		c.find(SkippedDay, d.Date, fmt.Sprintf("%s is %s", d.Date, d.Why))
	case d.State == Stopped:
		c.find(StoppedDay, d.Date, fmt.Sprintf("%s: %s", d.Date, d.Why))
	case len(c.charge.Days) > 0 && c.charge.Days[len(c.charge.Days)-1].Date.Before(d.Date):
		c.find(AfterStop, d.Date, fmt.Sprintf("%s is after the last day, %s", d.Date, c.charge.Days[len(c.charge.Days)-1].Date))
	default:
		c.find(BeforeStart, d.Date, fmt.Sprintf("%s is before the clock started", d.Date))
	}
	c.seen[d.Date] = true
}

func (c *checker) money(amount decimal.Decimal) string {
	return terminal49.FormatMoney(amount, c.currency)
}
