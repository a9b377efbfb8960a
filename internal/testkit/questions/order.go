package questions

import (
	"cmp"
	"slices"

	"github.com/go-freight/terminal49"
)

// orderOf returns how containers are ordered: by the key, in which what is unknown is last; then by
// urgency, then by id.
func orderOf(order string) func(a, b *one) int {
	return func(a, b *one) int {
		return cmp.Or(byKey(order, a, b), a.v.Compare(*b.v), cmp.Compare(a.ID, b.ID))
	}
}

func byKey(order string, a, b *one) int {
	switch order {
	case "last_free_day": // the earliest first
		return unknownLast(textOf(a.v.LastFreeDay.At), textOf(b.v.LastFreeDay.At))
	case "eta": // the earliest first
		return timesLast(a.v.ETA, b.v.ETA)
	case "since": // the longest at their place, or on their leg, first
		return timesLast(a.v.Since, b.v.Since)
	case "owed": // by currency, and the largest amount first
		return byOwed(a, b)
	case "number":
		return unknownLast(a.v.Number, b.v.Number)
	}
	return 0
}

func unknownLast(a, b string) int {
	if (a == "") != (b == "") {
		return cmp.Compare(b, a)
	}
	return cmp.Compare(a, b)
}

func timesLast(a, b terminal49.Time) int {
	if a.IsZero() != b.IsZero() {
		return b.Compare(a)
	}
	return a.Compare(b)
}

// byOwed orders by the first currency in which something is owed, and then by the amount.
func byOwed(a, b *one) int {
	x, y := mostOwed(a), mostOwed(b)
	switch {
	case len(x)+len(y) == 0:
		return 0
	case len(x) == 0:
		return 1
	case len(y) == 0:
		return -1
	}
	return cmp.Or(cmp.Compare(x[0].CurrencyCode, y[0].CurrencyCode), y[0].Owed.Cmp(x[0].Owed))
}

// mostOwed returns the sums in which something is owed, by currency.
func mostOwed(c *one) []terminal49.FeeCurrencySum {
	return slices.DeleteFunc(c.v.Fees.Currencies(), func(s terminal49.FeeCurrencySum) bool { return !s.Owed.IsPositive() })
}
