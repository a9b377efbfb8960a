package questions

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

func sortedNames(of object) []string { return slices.Sorted(maps.Keys(of)) }

// drawer draws questions about the containers of an account.
type drawer struct {
	r      *rand.Rand
	words  map[string][]string // what containers have, by the field of the filter
	fields []string
}

// Draw returns n questions about containers: each field of the filter alone, in pairs, and several;
// each order; counts by each key, and by pairs of them; pages. Equal seeds draw equal questions.
func Draw(seed uint64, containers []*terminal49.Container, n int) (all []Question) {
	d := &drawer{r: rand.New(rand.NewPCG(seed, 2000)), words: wordsOf(containers), fields: slices.Sorted(maps.Keys(fillers))}
	pairs := d.pairs(d.fields)
	keys := append(d.pairs(Keys), d.pairs(Keys)...)
	for i := range n {
		q := d.list(i, pairs)
		switch {
		case i%5 == 0:
			q.By, q.Order, q.Limit, q.Offset = d.keys(keys, i/5), "", 0, 0
		case i%8 == 1:
			q = d.worklist(i/8, q)
		}
		all = append(all, q)
	}
	return all
}

// list returns the i-th question for a list: by one field, by two or by up to three.
func (d *drawer) list(i int, pairs [][]string) Question {
	q := Question{Order: d.of(Orders), Limit: d.r.IntN(60), Offset: max(0, d.r.IntN(300)-150), Clock: d.clock()}
	switch i % 4 {
	case 0:
		d.fill(&q, d.fields[i/4%len(d.fields)])
	case 1, 2:
		d.fill(&q, pairs[i/2%len(pairs)]...)
	case 3:
		d.fill(&q, d.pick(d.fields, d.r.IntN(4))...)
	}
	return q
}

// The values that a question may have.
var (
	Orders = []string{"", "urgency", "last_free_day", "eta", "since", "owed", "number"}
	Keys   = []string{"situation", "terminal", "bound_for", "line", "port", "destination", "vessel", "customer", "holds", "stage", "equipment", "last_free_day", "eta_week", "since_week"}
	Works  = []string{"waiting", "overdue", "imminent", "at_risk", "owing", "holds", "arriving", "eta_slipped", "dwelling", "empty_due"}

	situations = []string{"pay_first", "ready", "stale", "held", "unknown", "not_released_inland", "not_released", "awaiting_transfer", "on_rail", "at_sea", "before_voyage", "out", "returned"}
	stages     = []string{"before_voyage", "at_sea", "arrived", "at_port", "on_rail", "at_ramp", "out", "returned", "unknown"}
)

func (d *drawer) of(values []string) string { return values[d.r.IntN(len(values))] }

func (d *drawer) pick(from []string, n int) (some []string) {
	for _, i := range d.r.Perm(len(from))[:min(n, len(from))] {
		some = append(some, from[i])
	}
	return some
}

// pairs returns all pairs in a random order.
func (d *drawer) pairs(of []string) (all [][]string) {
	for i := range of {
		for j := range i {
			all = append(all, []string{of[i], of[j]})
		}
	}
	d.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all
}

// keys returns what the i-th count is by: one key or two, in any order.
func (d *drawer) keys(pairs [][]string, i int) []string {
	if i%3 == 0 {
		return []string{Keys[i/3%len(Keys)]}
	}
	pair := pairs[i%len(pairs)]
	return []string{pair[i%2], pair[1-i%2]}
}

// worklist returns a question for the i-th kind of work alone.
func (d *drawer) worklist(i int, q Question) Question {
	kinds := append(Works, situations...)
	q.Filter = Filter{Work: []string{kinds[i%len(kinds)]}}
	if usualDays[q.Filter.Work[0]] > 0 {
		q.Filter.Days = d.r.IntN(9)
	}
	q.Order, q.Offset, q.Purpose = "", 0, "one kind of work"
	return q
}

func (d *drawer) clock() Clock {
	return []Clock{{}, {}, {Hours: 5}, {Hours: -60}, {Hours: 200}, {ImminentDays: 6, MaxAgeHours: 100}, {Fallback: true, Hours: 11}}[d.r.IntN(7)]
}

// fill sets fields of the filter.
func (d *drawer) fill(q *Question, fields ...string) {
	for _, field := range fields {
		fillers[field](d, &q.Filter)
	}
	q.Purpose = strings.Join(fields, " and ")
}

// fillers set a field.
var fillers = map[string]func(d *drawer, f *Filter){
	"Work": func(d *drawer, f *Filter) {
		f.Work = append(f.Work, d.pick(slices.Concat(Works, Works, situations), 1+d.r.IntN(2))...)
	},
	"Days": func(d *drawer, f *Filter) {
		f.Work, f.Days = append(f.Work, d.of([]string{"arriving", "eta_slipped", "dwelling", "empty_due"})), 1+d.r.IntN(9)
	},
	"Situations":         func(d *drawer, f *Filter) { f.Situations = d.pick(situations, 1+d.r.IntN(3)) },
	"Stages":             func(d *drawer, f *Filter) { f.Stages = d.pick(stages, 1+d.r.IntN(3)) },
	"Terminals":          func(d *drawer, f *Filter) { f.Terminals = d.texts("Terminals") },
	"PortsOfDischarge":   func(d *drawer, f *Filter) { f.PortsOfDischarge = d.texts("PortsOfDischarge") },
	"Destinations":       func(d *drawer, f *Filter) { f.Destinations = d.texts("Destinations") },
	"ShippingLines":      func(d *drawer, f *Filter) { f.ShippingLines = d.texts("ShippingLines") },
	"Vessels":            func(d *drawer, f *Filter) { f.Vessels = d.texts("Vessels") },
	"Customers":          func(d *drawer, f *Filter) { f.Customers = d.texts("Customers") },
	"References":         func(d *drawer, f *Filter) { f.References = d.texts("References") },
	"Tags":               func(d *drawer, f *Filter) { f.Tags = d.texts("Tags") },
	"Holds":              func(d *drawer, f *Filter) { f.Holds = d.texts("Holds") },
	"Equipment":          func(d *drawer, f *Filter) { f.Equipment = d.texts("Equipment") },
	"LastFreeDay":        func(d *drawer, f *Filter) { f.LastFreeDayFrom, f.LastFreeDayTo = d.days() },
	"ETA":                func(d *drawer, f *Filter) { f.ETAFrom, f.ETATo = d.days() },
	"DaysLeft":           (*drawer).daysLeft,
	"LastFreeDayUnknown": func(_ *drawer, f *Filter) { f.LastFreeDayUnknown = true },
	"LastFreeDaysDiffer": func(_ *drawer, f *Filter) { f.LastFreeDaysDiffer = true },
	"Appointment":        func(d *drawer, f *Filter) { f.Appointment = d.of([]string{"none", "made", "late"}) },
	"UncheckedHours":     func(d *drawer, f *Filter) { f.UncheckedHours = 1 + d.r.IntN(200) },
	"Tracking":           func(d *drawer, f *Filter) { f.Tracking = d.of([]string{"active", "stopped"}) },
}

// days returns bounds. One of them may be missing.
func (d *drawer) days() (from, to terminal49.Date) {
	first := Now.AddDate(0, 0, d.r.IntN(30)-15)
	from, to = terminal49.DateOf(first), terminal49.DateOf(first.AddDate(0, 0, d.r.IntN(9)))
	switch d.r.IntN(4) {
	case 0:
		from = terminal49.Date{}
	case 1:
		to = terminal49.Date{}
	}
	return from, to
}

func (d *drawer) daysLeft(f *Filter) {
	from := d.r.IntN(20) - 10
	if d.r.IntN(3) > 0 {
		f.DaysLeftFrom = terminal49.Some(from)
	}
	if f.DaysLeftFrom.IsZero() || d.r.IntN(2) == 0 {
		f.DaysLeftTo = terminal49.Some(from + d.r.IntN(8))
	}
}

// texts returns one or two texts of a field: what containers have, in any spelling, a part of it,
// or, now and then, what none has.
func (d *drawer) texts(field string) (all []string) {
	for range 1 + d.r.IntN(5)/4 {
		text := []rune(strings.TrimSpace(d.of(d.words[field])))
		switch d.r.IntN(12) {
		case 0:
			text = append(text, []rune(" of nobody")...)
		case 1, 2, 3:
			from := d.r.IntN((len(text) + 1) / 2)
			text = text[from : from+1+d.r.IntN(len(text)-from)]
		}
		all = append(all, spelled(d.r, string(text)))
	}
	return all
}

// wordsOf returns the codes and names that containers have, by field.
func wordsOf(containers []*terminal49.Container) map[string][]string {
	words := map[string][]string{}
	for _, f := range textFields {
		found := map[string]bool{}
		for _, c := range NewOracle(containers).at(Clock{}) {
			codes, names := f.of(c)
			for _, text := range slices.Concat(codes, names) {
				found[text] = true
			}
		}
		maps.DeleteFunc(found, func(text string, _ bool) bool { return strings.TrimSpace(text) == "" })
		words[f.name] = slices.Sorted(maps.Keys(found))
	}
	return words
}
