package worklist

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// keysOf are the keys of a container. Without any, it is counted under "".
var keysOf = map[Key]func(r *Record, v *terminal49.Verdict, to []thing) []thing{
	KeySituation: func(_ *Record, v *terminal49.Verdict, to []thing) []thing {
		return append(to, thing{key: string(v.Situation)})
	},
	KeyTerminal: func(r *Record, v *terminal49.Verdict, to []thing) []thing {
		if v.Place == (terminal49.VerdictPlace{}) {
			return to
		}
		return append(to, placed(r.place))
	},
	KeyBoundFor: func(r *Record, v *terminal49.Verdict, to []thing) []thing {
		if v.BoundFor == (terminal49.VerdictPlace{}) {
			return to
		}
		return append(to, placed(r.boundFor))
	},
	KeyLine: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(r.Facts.Line))
	},
	KeyPort: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(r.Facts.PortOfDischarge))
	},
	KeyDestination: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(r.Facts.Destination))
	},
	KeyVessel: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(r.Facts.Vessel))
	},
	KeyCustomer: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, plain(r.Facts.Customer))
	},
	KeyHold: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return appendHolds(to, r)
	},
	KeyStage: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, thing{key: string(r.Facts.Stage)})
	},
	KeyEquipment: func(r *Record, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, plain(r.Facts.Equipment))
	},
	KeyFee: func(r *Record, _ *terminal49.Verdict, to []thing) []thing { return appendFees(to, r) },
	KeyLastFreeDay: func(_ *Record, v *terminal49.Verdict, to []thing) []thing {
		return appendDay(to, dayOf(v.LastFreeDay.At))
	},
	KeyETA: func(_ *Record, v *terminal49.Verdict, to []thing) []thing { return appendDay(to, dayOf(v.ETA)) },
	KeyETAWeek: func(_ *Record, v *terminal49.Verdict, to []thing) []thing {
		return appendDay(to, mondayOf(dayOf(v.ETA)))
	},
	KeySinceWeek: func(_ *Record, v *terminal49.Verdict, to []thing) []thing {
		return appendDay(to, mondayOf(dayOf(v.Since)))
	},
}

// isRepeated are the keys that a container may be counted under more than once.
var isRepeated = map[Key]bool{KeyHold: true, KeyFee: true}

// inOrder are those whose keys have an order of their own.
var inOrder = map[Key]bool{KeyLastFreeDay: true, KeyETA: true, KeyETAWeek: true, KeySinceWeek: true}

func appendDay(to []thing, day terminal49.Date) []thing {
	if day.IsZero() {
		return to
	}
	return append(to, thing{key: day.String()})
}

// mondayOf returns the Monday of the week of a day.
func mondayOf(day terminal49.Date) terminal49.Date {
	if day.IsZero() {
		return day
	}
	noon := time.Date(day.Year, day.Month, day.Day, 12, 0, 0, 0, time.UTC)
	return terminal49.DateOf(noon.AddDate(0, 0, -(int(noon.Weekday())+6)%7))
}

// counting counts containers.
type counting struct {
	by     []Key
	room   [2][]thing // of the latest keys
	groups map[[2]string]*group
	sizes  map[string]int // of each first key
	total  int
	apart  bool // a container may be in several groups, so what is owed for all is not that of the groups
	owed   owed // if apart
}

// group is a Count in the making.
type group struct {
	Count
	owed owed
}

// Count counts the containers that the question is about by one or two keys. A container with
// several holds is in several groups; Counts.Total counts it once. Days are in their order; of the
// others, the largest group is first.
//
// Errors: *terminal49.ArgumentError for an unknown key, and for any other number of keys.
func (q *Question) Count(by ...Key) (*Counts, error) {
	if err := checkKeys(by); err != nil {
		return nil, err
	}
	c := &counting{by: by, groups: map[[2]string]*group{}, sizes: map[string]int{}}
	c.apart = slices.ContainsFunc(by, func(key Key) bool { return isRepeated[key] })
	aside := q.each(slices.Values(q.records), c.add)
	return c.result(aside), nil
}

// keyNames are the keys in an error.
const keyNames = "situation, terminal, bound_for, line, port, destination, vessel, customer, holds, fees, stage, equipment, last_free_day, eta or eta_week"

// checkKeys returns what is wrong with what containers are grouped by.
func checkKeys(by []Key) error {
	if n := len(by); n < 1 || n > 2 || n == 2 && by[0] == by[1] {
		return problem("By", "must be one or two different keys")
	}
	for _, key := range by {
		if keysOf[key] == nil {
			return problem("By", "must be "+keyNames+", not "+quoted(string(key)))
		}
	}
	return nil
}

// add counts a container in each of its groups.
func (c *counting) add(r *Record, v *terminal49.Verdict) {
	c.total++
	part := feesOf(r)
	if c.apart {
		c.owed.add(&part)
	}
	first, second := c.keys(0, r, v), noKey
	if len(c.by) == 2 {
		second = c.keys(1, r, v)
	}
	for i := range first {
		c.sizes[first[i].key]++
		for j := range second {
			c.group(&first[i], &second[j]).count(&part, v)
		}
	}
}

// noKey is the key of a container without one.
var noKey = []thing{{}}

// keys returns the keys of a container until the next call; an empty one if it has none.
func (c *counting) keys(n int, r *Record, v *terminal49.Verdict) []thing {
	c.room[n] = keysOf[c.by[n]](r, v, c.room[n][:0])
	if len(c.room[n]) == 0 {
		return noKey
	}
	return c.room[n]
}

func (c *counting) group(first, second *thing) *group {
	key := [2]string{first.key, second.key}
	g := c.groups[key]
	if g == nil {
		g = &group{Count: Count{
			Key: first.key, SecondKey: second.key, Situations: map[terminal49.Situation]int{}, Urgencies: map[terminal49.Urgency]int{},
		}}
		c.groups[key] = g
	}
	if first.key != "" && g.Label == "" {
		g.Label = first.label()
	}
	if second.key != "" && g.SecondLabel == "" {
		g.SecondLabel = second.label()
	}
	return g
}

func (g *group) count(part *feesPart, v *terminal49.Verdict) {
	g.Containers++
	g.Situations[v.Situation]++
	g.Urgencies[v.Urgency]++
	g.DaysPast += max(0, -v.DaysLeft.Or(0))
	g.owed.add(part)
}

// feesPart is what a container adds to an Owed.
type feesPart struct {
	fees         *terminal49.FeeSummary // nil if there are none
	owes, priced bool                   // something is owed; all amounts are known
	reported     bool
}

func feesOf(r *Record) feesPart {
	return feesPart{fees: r.Facts.owed, owes: r.Facts.owes, priced: r.Facts.priced, reported: r.Facts.FeesReported}
}

// isPriced reports whether all amounts are known.
func isPriced(fees *terminal49.FeeSummary) bool {
	return len(fees.NotPosted) == 0 && !slices.ContainsFunc(fees.Currencies(), terminal49.FeeCurrencySum.Unclear)
}

// owed is an Owed in the making.
type owed struct {
	Owed
	parts               []terminal49.FeeSummary // not in Owed.Fees yet
	settled, unreported bool                    // some containers have no fees, or none that are reported
}

// mostParts is how many summaries are added at once.
const mostParts = 16

func (o *owed) add(part *feesPart) {
	switch {
	case part.fees != nil:
		o.addFees(part)
	case part.reported:
		o.settled = true
	default:
		o.unreported = true
		o.Unknown++
	}
}

func (o *owed) addFees(part *feesPart) {
	if o.parts = append(o.parts, *part.fees); len(o.parts) == mostParts {
		o.Fees, o.parts = o.Fees.Add(o.parts...), o.parts[:0]
	}
	if part.owes {
		o.Containers++
	}
	if !part.priced {
		o.Unknown++
	}
}

// sum returns what is owed.
func (o *owed) sum() Owed {
	if o.settled {
		o.parts = append(o.parts, terminal49.SumFees([]terminal49.Fee{}))
	}
	if o.unreported {
		o.parts = append(o.parts, terminal49.SumFees(nil))
	}
	if len(o.parts) > 0 {
		o.Fees = o.Fees.Add(o.parts...)
	}
	return o.Owed
}

// result returns the counts. Days are in their order; of the others, the largest group is first.
func (c *counting) result(aside Aside) *Counts {
	r := &Counts{Total: c.total, Owed: c.owed.sum(), Aside: aside}
	for _, g := range c.groups {
		g.Count.Owed = g.owed.sum()
		r.Groups = append(r.Groups, g.Count)
	}
	slices.SortFunc(r.Groups, func(a, b Count) int {
		return cmp.Or(c.compare(0, c.sizes[a.Key], c.sizes[b.Key]), cmp.Compare(a.Key, b.Key), c.compare(1, a.Containers, b.Containers), cmp.Compare(a.SecondKey, b.SecondKey))
	})
	if !c.apart {
		r.Owed = owedIn(r.Groups)
	}
	return r
}

// owedIn returns what is owed for groups that have no container in common.
func owedIn(groups []Count) (all Owed) {
	fees := make([]terminal49.FeeSummary, len(groups))
	for i := range groups {
		of := &groups[i].Owed
		fees[i], all.Containers, all.Unknown = of.Fees, all.Containers+of.Containers, all.Unknown+of.Unknown
	}
	all.Fees = all.Fees.Add(fees...)
	return all
}

// compare compares the sizes of two groups, if those come first.
func (c *counting) compare(n, a, b int) int {
	if n < len(c.by) && inOrder[c.by[n]] {
		return 0
	}
	return cmp.Compare(b, a)
}
