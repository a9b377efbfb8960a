package mirror

import (
	"cmp"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// keysOf are the keys of a container. Without any, it is counted under "".
var keysOf = map[CountBy]func(e *store.Stored, v *terminal49.Verdict, to []thing) []thing{
	CountBySituation: func(_ *store.Stored, v *terminal49.Verdict, to []thing) []thing {
		return append(to, thing{key: string(v.Situation)})
	},
	CountByTerminal: func(e *store.Stored, v *terminal49.Verdict, to []thing) []thing {
		if v.Place == (terminal49.VerdictPlace{}) {
			return to
		}
		return append(to, placed(e.Place))
	},
	CountByBoundFor: func(e *store.Stored, v *terminal49.Verdict, to []thing) []thing {
		if v.BoundFor == (terminal49.VerdictPlace{}) {
			return to
		}
		return append(to, placed(e.BoundFor))
	},
	CountByShippingLine: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(e.Facts.Line))
	},
	CountByPortOfDischarge: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(e.Facts.PortOfDischarge))
	},
	CountByDestination: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(e.Facts.Destination))
	},
	CountByVessel: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, coded(e.Facts.Vessel))
	},
	CountByCustomer: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, plain(e.Facts.Customer))
	},
	CountByHold: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return appendHolds(to, e)
	},
	CountByStage: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, thing{key: string(e.Facts.Stage)})
	},
	CountByEquipment: func(e *store.Stored, _ *terminal49.Verdict, to []thing) []thing {
		return append(to, plain(e.Facts.Equipment))
	},
	CountByLastFreeDay: func(_ *store.Stored, v *terminal49.Verdict, to []thing) []thing {
		return appendDay(to, dayOf(v.LastFreeDay.At))
	},
	CountByETAWeek: func(_ *store.Stored, v *terminal49.Verdict, to []thing) []thing {
		return appendDay(to, mondayOf(dayOf(v.ETA)))
	},
}

// inOrder are those whose keys have an order of their own.
var inOrder = map[CountBy]bool{CountByLastFreeDay: true, CountByETAWeek: true}

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
	question
	by     []CountBy
	room   [2][]thing // of the latest keys
	groups map[[2]string]*group
	total  int
	owed   owed
}

// group is a Count in the making.
type group struct {
	Count
	owed owed
}

func newCounting(op string, now time.Time, opts CountOptions) *counting {
	return &counting{question: newQuestion(op, now, opts.Filter, opts.Verdict), by: opts.By, groups: map[[2]string]*group{}}
}

// add counts a container, if the question is about it, in each of its groups.
func (c *counting) add(e *store.Stored) {
	v, has := c.verdictOf(e)
	if !has {
		return
	}
	c.total++
	c.owed.add(e)
	first, second := c.keys(0, e, v), noKey
	if len(c.by) == 2 {
		second = c.keys(1, e, v)
	}
	for i := range first {
		for j := range second {
			c.group(&first[i], &second[j]).count(e, v)
		}
	}
}

// noKey is the key of a container without one.
var noKey = []thing{{}}

// keys returns the keys of a container until the next call; an empty one if it has none.
func (c *counting) keys(n int, e *store.Stored, v *terminal49.Verdict) []thing {
	c.room[n] = keysOf[c.by[n]](e, v, c.room[n][:0])
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

func (g *group) count(e *store.Stored, v *terminal49.Verdict) {
	g.Containers++
	g.Situations[v.Situation]++
	g.Urgencies[v.Urgency]++
	g.DaysPast += max(0, -v.DaysLeft.Or(0))
	g.owed.add(e)
}

// owed is an Owed in the making.
type owed struct {
	Owed
	settled, unreported bool // some containers have no fees, or none that are reported
}

func (o *owed) add(e *store.Stored) {
	fees := e.Facts.Owed()
	if fees == nil {
		o.settled, o.unreported = o.settled || e.Facts.FeesReported, o.unreported || !e.Facts.FeesReported
		if !e.Facts.FeesReported {
			o.Unknown++
		}
		return
	}
	o.Fees = o.Fees.Add(*fees)
	if fees.Owes() {
		o.Containers++
	}
	if !isPriced(fees) {
		o.Unknown++
	}
}

// isPriced reports whether all amounts are known.
func isPriced(fees *terminal49.FeeSummary) bool {
	return len(fees.NotPosted) == 0 && !slices.ContainsFunc(fees.Currencies(), func(c terminal49.FeeCurrencySum) bool {
		return c.TotalConflict && c.LineCount == 0
	})
}

// sum returns what is owed.
func (o *owed) sum() Owed {
	if o.settled {
		o.Fees = o.Fees.Add(terminal49.SumFees([]terminal49.Fee{}))
	}
	if o.unreported {
		o.Fees = o.Fees.Add(terminal49.SumFees(nil))
	}
	return o.Owed
}

// result returns the counts. Days are in their order; of the others, the largest group is first.
func (c *counting) result(waiting int) *Counts {
	r := &Counts{Total: c.total, Owed: c.owed.sum(), Waiting: waiting, Aside: c.aside(), Meanings: c.meanings}
	first := map[string]int{}
	for _, g := range c.groups {
		g.Count.Owed = g.owed.sum()
		first[g.Key] += g.Containers
		r.Groups = append(r.Groups, g.Count)
	}
	slices.SortFunc(r.Groups, func(a, b Count) int {
		return cmp.Or(c.compare(0, first[a.Key], first[b.Key]), cmp.Compare(a.Key, b.Key), c.compare(1, a.Containers, b.Containers), cmp.Compare(a.SecondKey, b.SecondKey))
	})
	return r
}

// compare compares the sizes of two groups, if those come first.
func (c *counting) compare(n, a, b int) int {
	if n < len(c.by) && inOrder[c.by[n]] {
		return 0
	}
	return cmp.Compare(b, a)
}
