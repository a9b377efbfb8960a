package demurrage

import (
	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// Amount is what a charge comes to, in units of the currency: from Least to Most, which are equal
// if all that it depends on is known. Most alone is missing if nothing bounds it, and both are if
// the amount is unknown, which is not zero.
type Amount struct {
	Least terminal49.Opt[decimal.Decimal] `json:"least"`
	Most  terminal49.Opt[decimal.Decimal] `json:"most"`
}

// Exact returns the amount, and false if it is a range or unknown.
func (a Amount) Exact() (decimal.Decimal, bool) {
	least, known := a.Least.Get()
	most, bounded := a.Most.Get()
	return least, known && bounded && least.Equal(most)
}

// Add returns the sum of two amounts in the same currency. It is unknown if one of them is.
func (a Amount) Add(b Amount) Amount {
	return Amount{addKnown(a.Least, b.Least), addKnown(a.Most, b.Most)}
}

func addKnown(a, b terminal49.Opt[decimal.Decimal]) (sum terminal49.Opt[decimal.Decimal]) {
	x, known := a.Get()
	if y, ok := b.Get(); ok && known {
		sum = terminal49.Some(x.Add(y))
	}
	return sum
}

// Format returns a human-readable amount in a currency, such as "USD 300.00", "USD 0.00 to USD
// 300.00" or "unknown".
func (a Amount) Format(currency string) string {
	least, known := a.Least.Get()
	most, bounded := a.Most.Get()
	switch {
	case !known && !bounded:
		return "unknown"
	case !bounded:
		return terminal49.FormatMoney(least, currency) + " or more"
	case least.Equal(most):
		return terminal49.FormatMoney(least, currency)
	}
	return terminal49.FormatMoney(least, currency) + " to " + terminal49.FormatMoney(most, currency)
}

// between returns the amount of a range.
func between(least, most decimal.Decimal) Amount {
	return Amount{terminal49.Some(decimal.Min(least, most)), terminal49.Some(decimal.Max(least, most))}
}
