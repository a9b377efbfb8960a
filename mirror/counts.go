package mirror

import (
	"context"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// CountBy is what [Reader.Counts] and [Overview.Count] group containers by.
type CountBy string

// The values of CountBy. Days are on the calendar of their place, such as "2026-03-08".
const (
	CountBySituation       CountBy = "situation"
	CountByTerminal        CountBy = "terminal"          // where the container is; key: id of the terminal
	CountByBoundFor        CountBy = "bound_for"         // where it goes next; likewise
	CountByShippingLine    CountBy = "shipping_line"     // of the shipment; key: SCAC
	CountByPortOfDischarge CountBy = "port_of_discharge" // of the shipment; key: UN/LOCODE
	CountByDestination     CountBy = "destination"       // inland; key: UN/LOCODE
	CountByVessel          CountBy = "vessel"            // that calls at the port of discharge; key: IMO number
	CountByCustomer        CountBy = "customer"          // of the shipment; key: name
	CountByHold            CountBy = "hold"              // in one group for each; key: as in Filter.Holds
	CountByStage           CountBy = "stage"
	CountByEquipment       CountBy = "equipment"     // key: length in feet and type, such as "40 reefer"
	CountByLastFreeDay     CountBy = "last_free_day" // that binds; key: day
	CountByETAWeek         CountBy = "eta_week"      // of the arrival that is expected next; key: the Monday
)

// CountNoHold is the key of the containers for which the terminal reports that there are no holds.
// The key of those whose holds are not reported is "".
const CountNoHold = "none"

// Counts is what [Reader.Counts] and [Overview.Count] return.
type Counts struct {
	Groups  []Count
	Total   int  // containers
	Owed    Owed // for all of them
	Waiting int  // see Worklist
	Aside
	Meanings []Meaning
}

// Count is how many containers a group has. The key is "" for those without one, such as containers
// that are at no terminal, and for those whose key is not known.
type Count struct {
	Key         string
	Label       string // human-readable; "" if unknown
	SecondKey   string // if containers are grouped by two
	SecondLabel string

	Containers int
	Situations map[terminal49.Situation]int
	Urgencies  map[terminal49.Urgency]int
	DaysPast   int // sum of the days since the last free days that have passed
	Owed       Owed
}

// Owed is what is owed for several containers, those included that have left.
type Owed struct {
	Fees       terminal49.FeeSummary
	Containers int // for which something is owed
	Unknown    int // whose fees, or the amounts of some, are not reported
}

// Counts counts the containers at a time, without those that are deleted. Days are in their order;
// of the others, the largest group is first. It reads one state of the database, and writes
// nothing. To ask often, by two keys or with filters, use an [Overview].
//
// Errors: those of [Reader.Worklist].
func (r *Reader) Counts(ctx context.Context, by CountBy, now time.Time, opts terminal49.VerdictOptions) (*Counts, error) {
	c := newCounting("mirror.Counts", now, CountOptions{By: []CountBy{by}, Verdict: opts})
	if err := r.checkCounts(c, "by"); err != nil {
		return nil, err
	}
	of, err := r.db.Standings(ctx)
	if err != nil {
		return nil, r.db.Explain(err)
	}
	defer of.End()
	if err := of.Each(ctx, store.Preselection{}, func(e *store.Stored) error { c.add(e); return nil }); err != nil {
		return nil, err
	}
	return c.result(of.Waiting), nil
}

// checkCounts returns what is wrong with what containers are grouped by, an argument.
func (r *Reader) checkCounts(c *counting, argument string) error {
	if n := len(c.by); n < 1 || n > 2 || n == 2 && c.by[0] == c.by[1] {
		return c.problem(argument, "must be one or two different keys")
	}
	for _, by := range c.by {
		if keysOf[by] == nil {
			return c.problem(argument, "must be situation, terminal, bound_for, shipping_line, port_of_discharge, destination, vessel, customer, hold, stage, equipment, "+
				"last_free_day or eta_week, not "+quoted(string(by)))
		}
	}
	return r.checkQuestion(&c.question, 0, 0)
}
