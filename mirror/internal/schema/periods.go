package schema

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
)

// PeriodTable describes a table of periods, such as holds, which readings list only while they
// last.
type PeriodTable struct {
	Table     string
	Attribute string // of a container; a list, complete unless it is null
	Columns   []string
	read      func(list []byte) ([]Period, error)
}

// Period is a row without its times.
type Period struct {
	What   [4]string // the values that identify it, in the order of columns
	Detail string    // the human-readable text, as last read; it does not distinguish periods
	N      int64     // of a stored row
}

// PeriodTables are the tables of periods.
var PeriodTables = []*PeriodTable{
	{"holds", "holds_at_pod_terminal", []string{"name", "status", "description"}, holdPeriods},
	{"fees", "fees_at_pod_terminal", []string{"type", "amount", "currency_code", "counted"}, feePeriods},
}

func holdPeriods(list []byte) (all []Period, err error) {
	var holds []terminal49.Hold
	err = json.Unmarshal(list, &holds)
	for _, h := range holds {
		all = append(all, Period{What: [4]string{model.StorableText(string(h.Name)), model.StorableText(string(h.Status))}, Detail: model.StorableText(h.Description)})
	}
	return all, err
}

func feePeriods(list []byte) (all []Period, err error) {
	var fees []terminal49.Fee
	err = json.Unmarshal(list, &fees)
	counts := countedFees(fees)
	for i, f := range fees {
		all = append(all, Period{What: [4]string{
			model.StorableText(string(f.Type)), f.Amount.String(), model.StorableText(f.CurrencyCode), strconv.FormatBool(counts[i]),
		}})
	}
	return all, err
}

// countedFees reports which fees add to what is owed. A total counts only without other fees, and
// once in each currency; totals that conflict do not count.
func countedFees(fees []terminal49.Fee) []bool {
	sum, counted := terminal49.SumFees(fees), make([]bool, len(fees))
	taken := map[string]bool{}
	for i, f := range fees {
		if f.Type != terminal49.FeeTotal {
			counted[i] = true
			continue
		}
		total, has := sum.In(f.CurrencyCode).Total.Get()
		counted[i] = has && !sum.TotalExcluded && total.Equal(f.Amount) && !taken[f.CurrencyCode]
		taken[f.CurrencyCode] = taken[f.CurrencyCode] || counted[i]
	}
	return counted
}

// Of returns the periods that last, and false if the reading does not report them.
func (p *PeriodTable) Of(container *model.Resource) (list []Period, said bool) {
	value := model.OrNil(container.Attributes[p.Attribute])
	if value == nil {
		return nil, false
	}
	list, err := p.read(value)
	return list, err == nil
}

// PairPeriods pairs the equal periods of two lists. begun are those only in list, ended those only
// in was, and paired those in both, with the row of was.
func PairPeriods(list, was []Period, equal func(is, was Period) bool) (begun, ended, paired []Period) {
	for _, is := range list {
		i := slices.IndexFunc(was, func(o Period) bool { return equal(is, o) })
		if i < 0 {
			begun = append(begun, is)
			continue
		}
		is.N = was[i].N
		paired = append(paired, is)
		was = slices.Delete(slices.Clone(was), i, i+1)
	}
	return begun, was, paired
}
