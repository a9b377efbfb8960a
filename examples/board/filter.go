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
	Query, Terminal, Customer string
	State                     state
	Level                     terminal49.UrgencyLevel

	Terminals, Customers []string // to choose from
	States               []state
}

func newFilter(q url.Values) filter {
	return filter{Query: strings.TrimSpace(q.Get("q")), Terminal: q.Get("terminal"), Customer: q.Get("customer"),
		State: state(q.Get("state")), Level: terminal49.UrgencyLevel(q.Get("urgency")), States: states}
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
		(f.State == "" || f.State == r.State) && (f.Level == "" || f.Level == r.Level) &&
		(f.Query == "" || strings.Contains(searchable(r.Number+" "+r.BillOfLading), searchable(f.Query)))
}

var separators = strings.NewReplacer(" ", "", "-", "")

func searchable(text string) string { return strings.ToUpper(separators.Replace(text)) }

// count is how many containers are urgent, or in a state, with the filter that shows them.
type count struct {
	Name, Link, Class string
	N                 int
	Chosen            bool
}

func (f *filter) counts(rows []row) []count {
	list := []count{
		{Name: "over the last free day", Link: "/?urgency=overdue", Class: "overdue", Chosen: f.Level == terminal49.UrgencyOverdue},
		{Name: "last free day near", Link: "/?urgency=imminent", Class: "imminent", Chosen: f.Level == terminal49.UrgencyImminent},
	}
	levels := len(list)
	for _, s := range states {
		list = append(list, count{Name: string(s), Link: "/?state=" + url.QueryEscape(string(s)), Chosen: f.State == s})
	}
	for _, r := range rows {
		for i := range list[:levels] {
			if list[i].Class == string(r.Level) {
				list[i].N++
			}
		}
		list[levels+slices.Index(states, r.State)].N++
	}
	return list
}
