package worklist

import (
	"cmp"
	"strings"

	"github.com/go-freight/terminal49"
)

// Order is the order of the containers of a list. A "-" before it reverses it, such as
// "-last_free_day". What is unknown is last in both. Containers that are equal in it are in the
// order of their urgency, then of their ids.
type Order string

// The values of Order.
const (
	OrderUrgency     Order = "urgency"       // the most urgent first, as [terminal49.Verdict.Compare] orders them; the default
	OrderLastFreeDay Order = "last_free_day" // the earliest day at its place first
	OrderETA         Order = "eta"           // the earliest first
	OrderSince       Order = "since"         // the longest at their place, or on their leg, first
	OrderOwed        Order = "owed"          // by currency, and the largest amount first
	OrderNumber      Order = "number"        // of the container
	OrderPlace       Order = "place"         // where the container is or, if it is nowhere, is bound for
	OrderVessel      Order = "vessel"        // by name
	OrderCustomer    Order = "customer"      // by name
)

// orderNames are the orders in an error.
const orderNames = "urgency, last_free_day, eta, since, owed, number, place, vessel or customer, with - before it for the reverse"

// ordering compares containers whose value is known. One of urgency has no functions.
type ordering struct {
	known   func(i *Item) bool
	compare func(a, b *Item) int
}

var orderings = map[Order]ordering{
	"":               {},
	OrderUrgency:     {},
	OrderLastFreeDay: {func(i *Item) bool { return !lastFreeDay(i).IsZero() }, func(a, b *Item) int { return lastFreeDay(a).Compare(lastFreeDay(b)) }},
	OrderETA:         byTime(func(i *Item) terminal49.Time { return i.Verdict.ETA }),
	OrderSince:       byTime(func(i *Item) terminal49.Time { return i.Verdict.Since }),
	OrderOwed:        {func(i *Item) bool { return mostOwed(i) != nil }, compareOwed},
	OrderNumber:      byText(func(i *Item) string { return i.Verdict.Number }),
	OrderPlace:       byText(func(i *Item) string { return cmp.Or(i.Verdict.Place.String(), i.Verdict.BoundFor.String()) }),
	OrderVessel:      byText(func(i *Item) string { return i.Record.Facts.Vessel.Name }),
	OrderCustomer:    byText(func(i *Item) string { return i.Record.Facts.Customer }),
}

func byTime(of func(*Item) terminal49.Time) ordering {
	return ordering{func(i *Item) bool { return !of(i).IsZero() }, func(a, b *Item) int { return of(a).Compare(of(b)) }}
}

func byText(of func(*Item) string) ordering {
	return ordering{func(i *Item) bool { return of(i) != "" }, func(a, b *Item) int { return strings.Compare(of(a), of(b)) }}
}

// lastFreeDay returns the day on the calendar of its place; zero if it is unknown.
func lastFreeDay(i *Item) terminal49.Date { return dayOf(i.Verdict.LastFreeDay.At) }

// comparer returns a function that compares containers in an order; nil for an unknown order.
func (o Order) comparer() func(a, b *Item) int {
	name, reverse := strings.CutPrefix(string(o), "-")
	by, known := orderings[Order(name)]
	if !known || reverse && name == "" {
		return nil
	}
	sign := 1
	if reverse {
		sign = -1
	}
	if by.known == nil {
		return func(a, b *Item) int { return sign * compareUrgency(a, b) }
	}
	return func(a, b *Item) int { return cmp.Or(by.of(a, b, sign), compareUrgency(a, b)) }
}

// of compares two containers, those without a value last.
func (o ordering) of(a, b *Item, sign int) int {
	switch hasA, hasB := o.known(a), o.known(b); {
	case hasA && hasB:
		return sign * o.compare(a, b)
	case hasA:
		return -1
	case hasB:
		return 1
	}
	return 0
}

func compareUrgency(a, b *Item) int {
	return cmp.Or(a.Verdict.Compare(*b.Verdict), strings.Compare(a.Record.ID, b.Record.ID))
}

// compareOwed orders containers by what is owed, first by the currency.
func compareOwed(a, b *Item) int {
	x, y := mostOwed(a), mostOwed(b)
	return cmp.Or(strings.Compare(x.CurrencyCode, y.CurrencyCode), y.Owed.Cmp(x.Owed))
}

// mostOwed returns the first currency in which something is owed; nil for none.
func mostOwed(i *Item) *terminal49.FeeCurrencySum {
	if owed := i.Record.Facts.Owed(); owed != nil {
		for _, sum := range owed.Currencies() {
			if sum.Owed.IsPositive() {
				return &sum
			}
		}
	}
	return nil
}
