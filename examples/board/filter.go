package main

import (
	"net/url"
	"slices"
	"strings"
)

// filter is what the list is limited to. It is in the address, so that it works without JavaScript
// and can be bookmarked.
type filter struct {
	Query, Terminal, Customer string
	State                     state

	Terminals, Customers []string // to choose from
	States               []state
}

func newFilter(q url.Values) filter {
	return filter{Query: strings.TrimSpace(q.Get("q")), Terminal: q.Get("terminal"), Customer: q.Get("customer"), State: state(q.Get("state")), States: states}
}

// offer fills in what can be chosen.
func (f *filter) offer(rows []row) {
	for _, r := range rows {
		f.Terminals = append(f.Terminals, r.Terminal)
		f.Customers = append(f.Customers, r.Customer)
	}
	f.Terminals, f.Customers = unique(f.Terminals), unique(f.Customers)
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

// admits ignores spaces, dashes and case in what is searched for.
func (f *filter) admits(r row) bool {
	return (f.Terminal == "" || f.Terminal == r.Terminal) && (f.Customer == "" || f.Customer == r.Customer) &&
		(f.State == "" || f.State == r.State) &&
		(f.Query == "" || strings.Contains(searchable(r.Number+" "+r.BillOfLading), searchable(f.Query)))
}

var separators = strings.NewReplacer(" ", "", "-", "")

func searchable(text string) string { return strings.ToUpper(separators.Replace(text)) }

// count is how many containers are in a state.
type count struct {
	State state
	N     int
}

func counts(rows []row) []count {
	list := make([]count, len(states))
	for i, s := range states {
		list[i].State = s
		for _, r := range rows {
			if r.State == s {
				list[i].N++
			}
		}
	}
	return list
}
