package board

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// result is what a query finds.
type result struct {
	rows       []*row // all that are in the list
	situations map[terminal49.Situation]int
	levels     map[terminal49.Urgency]int
	holds      map[string]int // by kind
	owing      int            // how many owe a fee
	owed       owed           // by the rows of the list
	without    []string       // terms of the query that no row of the board has
	hidden     int            // rows that have a term of the query, but that its filters hide
}

// run returns the rows of the list, sorted, and how many there are in each situation, of each
// urgency, with each hold and with fees if only these are not limited.
func (q *query) run(all []*row) result {
	found := result{situations: map[terminal49.Situation]int{}, levels: map[terminal49.Urgency]int{}, holds: map[string]int{}}
	var named []*row
	for _, r := range all {
		if !q.admitsText(r) {
			continue
		}
		if len(q.terms) > 0 {
			named = append(named, r)
		}
		if q.admits(r) {
			found.add(r, q.isChosen(r))
		}
	}
	found.without, found.hidden = q.without(named), max(0, len(named)-len(found.rows))
	q.sort(found.rows)
	return found
}

// add counts a row, and puts it into the list if it is chosen.
func (f *result) add(r *row, chosen bool) {
	f.situations[r.Situation]++
	f.levels[r.Level]++
	if r.HoldKinds != "" {
		for _, kind := range namesIn(r.HoldKinds) {
			f.holds[kind]++
		}
	}
	if strings.HasPrefix(r.Owes, anythingOwed) {
		f.owing++
	}
	if chosen {
		f.rows = append(f.rows, r)
		f.owed.add(r)
	}
}

// byDay counts the expected arrivals of the list by the day at their places.
func (f *result) byDay() string {
	days := map[string]int{}
	for _, r := range f.rows {
		if r.expected {
			days[r.arrivalDay()]++
		}
	}
	var texts []string
	for _, day := range slices.Sorted(maps.Keys(days)) {
		texts = append(texts, day+": "+grouped(days[day]))
	}
	return strings.Join(texts, ", ")
}

// without returns the terms of the query that none of the rows has.
func (q *query) without(rows []*row) (missing []string) {
	for _, term := range q.terms {
		if !slices.ContainsFunc(rows, func(r *row) bool { return strings.Contains(r.search, term) }) {
			missing = append(missing, term)
		}
	}
	return missing
}

// Filters describes what the list is limited to, for paper; "" if it is not.
func (q query) Filters() string {
	var filters []string
	add := func(name, value string) {
		if value != "" {
			filters = append(filters, name+" "+value)
		}
	}
	if text := q.Text; len(q.terms) > 3 {
		add("any of", fmt.Sprint(len(q.terms), " numbers"))
	} else {
		add("with", text)
	}
	for i, f := range facets {
		add(strings.ToLower(f.Label), q.Names[i])
	}
	add("situation", nameOf(q.Situation))
	add("last free day", words(string(q.Level)))
	add("last free day", cmp.Or(q.Day, choiceName(lfdChoices, q.LFD)))
	add("arrival", choiceName(arrivalChoices, q.Arrival))
	return strings.Join(filters, "; ")
}

func nameOf(s terminal49.Situation) string {
	if s == "" {
		return ""
	}
	return lookOf(s).Name
}

// choiceName returns the name of a choice; "" for the first one, which limits nothing.
func choiceName(choices []choice, value string) string {
	for _, c := range choices[1:] {
		if c.Value == value {
			return c.Name
		}
	}
	return ""
}
