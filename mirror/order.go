package mirror

import (
	"cmp"

	"github.com/go-freight/terminal49"
)

// Order is the order of the containers that [Overview.List] returns. What is unknown is last.
type Order string

// The values of Order.
const (
	OrderUrgency     Order = "urgency"       // the most urgent first, as [terminal49.Verdict.Compare] orders them; the default
	OrderLastFreeDay Order = "last_free_day" // the earliest first
	OrderETA         Order = "eta"           // the earliest first
	OrderSince       Order = "since"         // the longest at their place, or on their leg, first
	OrderOwed        Order = "owed"          // by currency, and the largest amount first
	OrderNumber      Order = "number"        // by container number
)

var orders = map[Order]func(a, b listedItem) int{
	"":           func(_, _ listedItem) int { return 0 },
	OrderUrgency: func(_, _ listedItem) int { return 0 },
	OrderLastFreeDay: func(a, b listedItem) int {
		return compareTimes(a.verdict.LastFreeDay.At, b.verdict.LastFreeDay.At)
	},
	OrderETA:    func(a, b listedItem) int { return compareTimes(a.verdict.ETA, b.verdict.ETA) },
	OrderSince:  func(a, b listedItem) int { return compareTimes(a.verdict.Since, b.verdict.Since) },
	OrderOwed:   compareOwed,
	OrderNumber: func(a, b listedItem) int { return cmp.Compare(a.verdict.Number, b.verdict.Number) },
}

// compareTimes orders times, the unknown ones last.
func compareTimes(a, b terminal49.Time) int {
	if a.IsZero() != b.IsZero() {
		return b.Compare(a)
	}
	return a.Compare(b)
}

// compareOwed orders containers by what is owed, first by the currency.
func compareOwed(a, b listedItem) int {
	x, hasX := mostOwed(a)
	y, hasY := mostOwed(b)
	switch {
	case hasX && hasY:
		return cmp.Or(cmp.Compare(x.CurrencyCode, y.CurrencyCode), y.Owed.Cmp(x.Owed))
	case hasX:
		return -1
	case hasY:
		return 1
	}
	return 0
}

// mostOwed returns the first currency in which something is owed.
func mostOwed(of listedItem) (terminal49.FeeCurrencySum, bool) {
	if owed := of.of.Facts.Owed(); owed != nil {
		for _, sum := range owed.Currencies() {
			if sum.Owed.IsPositive() {
				return sum, true
			}
		}
	}
	return terminal49.FeeCurrencySum{}, false
}
