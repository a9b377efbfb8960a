package demurrage

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// CostOfMoreDays returns what n more days cost: those after the last day of an estimate, if the
// container stays. It is 0 if all clocks have stopped or are still in free time, and unknown if a
// charge is. Errors are those of [Tariff.Estimate]; n must not be negative.
func (t *Tariff) CostOfMoreDays(s Stay, until terminal49.Date, n int) (Amount, error) {
	if n < 0 || n > mostDays {
		return Amount{}, argument("n", "must be from 0 to 3660 days")
	}
	if err := t.Validate(); err != nil {
		return Amount{}, err
	}
	_, more, err := t.estimateAfter(&s, until, addDays(until, n))
	return more, err
}

// Result is how what was posted relates to an estimate.
type Result string

// The values of Result.
const (
	Agrees        Result = "agrees"         // equal, or within the range
	PostedMore    Result = "posted_more"    // more than the most that the estimate has
	PostedLess    Result = "posted_less"    // less than the least
	NotPosted     Result = "not_posted"     // nothing, or no amount, is posted
	OtherCurrency Result = "other_currency" // cannot be compared
	NotEstimated  Result = "not_estimated"  // the estimate is unknown
)

// Comparison is an estimated charge next to what a terminal has posted.
type Comparison struct {
	Kind      Kind            `json:"kind"`
	Estimated Amount          `json:"estimated"`
	Posted    decimal.Decimal `json:"posted"` // the sum; 0 unless something is posted in Currency
	Currency  string          `json:"currency"`
	Result    Result          `json:"result"`
}

// posted are the types of fees that a terminal posts for a kind of charge. It posts no detention.
var posted = map[Kind][]terminal49.FeeType{
	Demurrage: {terminal49.FeeDemurrage}, Combined: {terminal49.FeeDemurrage}, Storage: {terminal49.FeeExtendedDwellTime},
}

// Compare compares an estimate with the fees of a container. A total, and fees of other types, are
// left out: what they consist of is unknown. The fees are those of the day when the terminal was
// last checked, so make the estimate until that day.
func Compare(e *Estimate, fees []terminal49.Fee) (all []Comparison) {
	for _, c := range e.Charges {
		if posted[c.Kind] != nil {
			all = append(all, compare(e, c, fees))
		}
	}
	return all
}

func compare(e *Estimate, charge ChargeEstimate, fees []terminal49.Fee) Comparison {
	c := Comparison{Kind: charge.Kind, Estimated: charge.Amount, Currency: e.Currency, Result: NotPosted}
	for _, fee := range fees {
		switch {
		case !slices.Contains(posted[charge.Kind], fee.Type) || fee.Amount.IsZero():
		case fee.CurrencyCode != e.Currency:
			c.Result = OtherCurrency
		default:
			c.Posted = c.Posted.Add(fee.Amount)
		}
	}
	if c.Result == OtherCurrency || c.Posted.IsZero() {
		return c
	}
	least, known := c.Estimated.Least.Get()
	most, bounded := c.Estimated.Most.Get()
	switch {
	case !known && !bounded:
		c.Result = NotEstimated
	case known && c.Posted.LessThan(least):
		c.Result = PostedLess
	case bounded && c.Posted.GreaterThan(most):
		c.Result = PostedMore
	default:
		c.Result = Agrees
	}
	return c
}
