package questions

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// keysOf returns the keys of a container; "" if it has none, or if that is unknown.
func keysOf(by string, c *one) []string {
	switch by {
	case "holds":
		return oneOrMore(holdsOf(c))
	case "situation":
		return []string{string(c.v.Situation)}
	case "terminal":
		return []string{c.v.Place.TerminalID}
	case "bound_for":
		return []string{c.v.BoundFor.TerminalID}
	case "line":
		return []string{c.shipment.ShippingLineSCAC}
	case "port":
		return []string{c.shipment.PortOfDischargeLOCODE}
	case "destination":
		return []string{c.shipment.DestinationLOCODE}
	case "vessel":
		return []string{c.shipment.PODVesselIMO}
	case "customer":
		return []string{c.shipment.CustomerName}
	case "stage":
		return []string{string(c.v.Stage())}
	case "equipment":
		return []string{equipmentOf(c)}
	case "last_free_day":
		return []string{textOf(c.v.LastFreeDay.At)}
	case "since_week":
		return []string{mondayOf(c.v.Since)}
	}
	return []string{mondayOf(c.v.ETA)} // eta_week
}

func oneOrMore(keys []string) []string {
	if len(keys) == 0 {
		return []string{""}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// mondayOf returns the Monday of the week of a day.
func mondayOf(t terminal49.Time) string {
	day, known := t.Date()
	if !known {
		return ""
	}
	at := time.Date(day.Year, day.Month, day.Day, 0, 0, 0, 0, time.UTC)
	for at.Weekday() != time.Monday {
		at = at.AddDate(0, 0, -1)
	}
	return at.Format(time.DateOnly)
}

// groupOf is a group in the making.
type groupOf struct {
	Group
	fees terminal49.FeeSummary
}

// count sets the groups of the containers that were found.
func (a *Answer) count(q Question, found []*one) {
	groups, first := map[[2]string]*groupOf{}, map[string]int{}
	all := newGroup("", "")
	for _, c := range found {
		all.add(c)
		for _, key := range keysOf(q.By[0], c) {
			seconds := secondKeys(q.By, c)
			first[key]++
			for _, second := range seconds {
				if groups[[2]string{key, second}] == nil {
					groups[[2]string{key, second}] = newGroup(key, second)
				}
				groups[[2]string{key, second}].add(c)
			}
		}
	}
	for _, g := range groups {
		a.Groups = append(a.Groups, g.done())
	}
	a.Owed = all.done().Owed
	slices.SortFunc(a.Groups, func(x, y Group) int {
		return cmp.Or(bySize(q.By[0], first[x.Key], first[y.Key]), cmp.Compare(x.Key, y.Key),
			bySize(q.By[len(q.By)-1], x.Containers, y.Containers), cmp.Compare(x.SecondKey, y.SecondKey))
	})
}

func secondKeys(by []string, c *one) []string {
	if len(by) < 2 {
		return []string{""}
	}
	return keysOf(by[1], c)
}

// bySize orders the largest group first. Days are in their order instead.
func bySize(by string, x, y int) int {
	if by == "last_free_day" || by == "eta_week" || by == "since_week" {
		return 0
	}
	return cmp.Compare(y, x)
}

func newGroup(key, second string) *groupOf {
	return &groupOf{Group: Group{Key: key, SecondKey: second, Situations: map[terminal49.Situation]int{}, Urgencies: map[terminal49.Urgency]int{}}}
}

func (g *groupOf) add(c *one) {
	g.Containers++
	g.Situations[c.v.Situation]++
	g.Urgencies[c.v.Urgency]++
	g.DaysPast += max(0, -c.v.DaysLeft.Or(0))
	g.fees = g.fees.Add(c.v.Fees)
	if c.v.Fees.Owes() {
		g.Owed.Containers++
	}
	if isUnpriced(c.v.Fees) {
		g.Owed.Unknown++
	}
}

// isUnpriced reports whether the fees, or the amounts of some that count, are not reported. Totals
// that differ do not count beside line items.
func isUnpriced(fees terminal49.FeeSummary) bool {
	return !fees.Reported || len(fees.NotPosted) > 0 || slices.ContainsFunc(fees.Currencies(), func(s terminal49.FeeCurrencySum) bool {
		return s.TotalConflict && s.LineCount == 0 && !fees.TotalExcluded
	})
}

func (g *groupOf) done() Group {
	g.Owed.Amounts = AmountsOf(g.fees)
	return g.Group
}
