package main

import (
	"net/url"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
)

// filter is what the list is limited to. It is in the address, so that it works without JavaScript
// and can be bookmarked.
type filter struct {
	Query, Place, Customer string
	Situation              terminal49.Situation
	Level                  terminal49.UrgencyLevel

	Places, Customers []string // to choose from
	Situations        []look
}

func newFilter(q url.Values) filter {
	return filter{Query: strings.TrimSpace(q.Get("q")), Place: q.Get("place"), Customer: q.Get("customer"),
		Situation: terminal49.Situation(q.Get("situation")), Level: terminal49.UrgencyLevel(q.Get("urgency")), Situations: looks}
}

// offer fills in what can be chosen.
func (f *filter) offer(rows []row) {
	for _, r := range rows {
		f.Places = append(f.Places, r.Place, r.BoundFor)
		f.Customers = append(f.Customers, r.Customer)
	}
	f.Places, f.Customers = unique(f.Places), unique(f.Customers)
}

func unique(names []string) []string {
	slices.Sort(names)
	names = slices.Compact(names)
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func (f *filter) apply(rows []row) (kept []row) {
	for _, r := range rows {
		if f.admits(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// admits ignores spaces, dashes and case in what is searched for. A place admits what is there and
// what goes there.
func (f *filter) admits(r row) bool {
	return (isChosen(f.Place, r.Place) || f.Place == r.BoundFor) && isChosen(f.Customer, r.Customer) &&
		isChosen(f.Situation, r.Situation) && isChosen(f.Level, r.Level) &&
		strings.Contains(searchable(r.Number+" "+r.BillOfLading), searchable(f.Query))
}

// isChosen reports whether a filter, "" for none, admits a value.
func isChosen[S ~string](want, value S) bool { return want == "" || want == value }

var separators = strings.NewReplacer(" ", "", "-", "")

func searchable(text string) string { return strings.ToUpper(separators.Replace(text)) }

// count is how many containers are urgent, or in a situation, with the filter that shows them.
type count struct {
	Name, Link, Class string
	N                 int
	Chosen            bool
}

// counts returns those of the urgency, and of the situations that occur or are chosen.
func (f *filter) counts(rows []row) []count {
	levels, situations := map[terminal49.UrgencyLevel]int{}, map[terminal49.Situation]int{}
	for _, r := range rows {
		levels[r.Level]++
		situations[r.Situation]++
	}
	var counts []count
	add := func(name, key, value, class string, n int, chosen bool) {
		counts = append(counts, count{name, "/?" + key + "=" + url.QueryEscape(value), class, n, chosen})
	}
	add("over the last free day", "urgency", "overdue", "overdue", levels[terminal49.UrgencyOverdue], f.Level == terminal49.UrgencyOverdue)
	add("last free day near", "urgency", "imminent", "imminent", levels[terminal49.UrgencyImminent], f.Level == terminal49.UrgencyImminent)
	for _, l := range looks {
		if n, chosen := situations[l.Situation], f.Situation == l.Situation; n > 0 || chosen {
			add(l.Name, "situation", string(l.Situation), "", n, chosen)
		}
	}
	return counts
}
