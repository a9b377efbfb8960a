package board

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
)

// listPage is the page with the list.
type listPage struct {
	head
	query
	Rows        []*row
	From, To    int // of the rows, from 1
	Found, All  int
	Without     string // numbers that were looked for, and that no container has
	Hidden      int    // containers with what was looked for that the filters hide
	Unfiltered  string // address of the list without filters
	ByDay       string // how many arrive on which day, if arrivals were asked for
	Owed        string // by the containers of the list together
	Longer      string // address of the list with long pages, to be printed; "" if it has one page
	Counts      []count
	Fields      []field
	LFDs        []choice
	Arrivals    []choice
	Looks       []look
	Columns     []column
	Table       string // address of the list as CSV
	First, Prev string // addresses; "" if there is none
	Next, Last  string
	Page, Pages int
}

// field is a filter by name.
type field struct {
	facet
	Value string
	Names []string // nil if they are too many to choose from
}

// column is a heading of the list, with the address that sorts by it, if it can be.
type column struct{ Name, Link, Sorted string }

// count is how many containers are urgent, or in a situation, with the filter that shows them.
type count struct {
	Name, Link, Class string
	N                 int
	Chosen            bool
}

func (s *site) list(w http.ResponseWriter, r *http.Request) {
	v := s.model.view()
	q := parseQuery(r.URL.Query(), s.model, s.source.now())
	found := q.run(v.rows)
	rows, pages := q.pages(found.rows)
	p := listPage{head: s.head(cmp.Or(q.Filters(), "Containers"), v.version), Rows: rows, Found: len(found.rows), All: len(v.rows), Pages: pages, Page: q.Page, query: q,
		Counts: q.counts(found), Fields: q.fields(v), LFDs: lfdChoices, Arrivals: arrivalChoices, Looks: looks, Columns: q.columns(), Table: q.Link("/containers.csv")}
	p.From = (q.Page-1)*q.perPage() + min(1, len(rows))
	p.To = (q.Page-1)*q.perPage() + len(rows)
	p.Hidden, p.Unfiltered, p.Owed = found.hidden, (&query{Text: q.Text}).Link("/"), found.owed.String()
	if strings.HasPrefix(q.Arrival, "in ") {
		p.ByDay = found.byDay()
	}
	if pages > 1 && !q.Long {
		p.Longer = q.Link("/", "rows", strconv.Itoa(perLong))
	}
	if len(q.terms) > 1 {
		p.Without = strings.Join(found.without, ", ")
	}
	p.First, p.Prev, p.Next, p.Last = q.turns(pages)
	s.write(w, r, "list.html", p)
}

// turns returns the addresses of other pages.
func (q *query) turns(pages int) (first, prev, next, last string) {
	page := func(n int) string { return q.Link("/", "page", strconv.Itoa(n)) }
	if q.Page > 1 {
		first, prev = page(1), page(q.Page-1)
	}
	if q.Page < pages {
		next, last = page(q.Page+1), page(pages)
	}
	return first, prev, next, last
}

func (q *query) fields(v view) (list []field) {
	for i, f := range facets {
		list = append(list, field{f, q.Names[i], v.names[i]})
	}
	return list
}

// columns returns the headings. A click on one that is sorted reverses the order.
func (q *query) columns() (list []column) {
	for _, c := range []struct{ name, key string }{
		{"Container", "number"}, {"Situation", "urgency"}, {"Last free day", "lfd"}, {"Holds", ""}, {"Fees owed", ""}, {"Place", "place"},
		{"Arrival", "arrival"}, {"Vessel", "vessel"}, {"Size, seal", ""}, {"Customer", "customer"},
	} {
		column := column{Name: c.name}
		switch {
		case c.key == "urgency":
			column.Link = q.Link("/", "sort", "")
			if q.Sort == "" {
				column.Sorted = "ascending"
			}
		case c.key == "":
		case q.Sort == c.key:
			column.Link, column.Sorted = q.Link("/", "sort", "-"+c.key), "ascending"
		default:
			column.Link = q.Link("/", "sort", c.key)
			if strings.TrimPrefix(q.Sort, "-") == c.key {
				column.Sorted = "descending"
			}
		}
		list = append(list, column)
	}
	return list
}

// counts returns those of the urgency, and of the fees, situations and holds that occur or are
// chosen. A click on one clears the others.
func (q *query) counts(found result) (counts []count) {
	add := func(name, key, value, class string, n int, chosen bool) {
		link := q.Link("/", "urgency", "", "situation", "", "hold", "", "owes", "", key, value)
		if chosen {
			link = q.Link("/", key, "")
		}
		counts = append(counts, count{name, link, class, n, chosen})
	}
	for _, l := range []struct {
		level terminal49.Urgency
		name  string
	}{{terminal49.UrgencyOverdue, "over the last free day"}, {terminal49.UrgencyImminent, "last free day near"}} {
		add(l.name, "urgency", string(l.level), string(l.level), found.levels[l.level], q.Level == l.level)
	}
	if chosen := q.Names[owesFacet] == anythingOwed; found.owing > 0 || chosen {
		add("owe fees", "owes", anythingOwed, "", found.owing, chosen)
	}
	for _, l := range looks {
		if n, chosen := found.situations[l.Situation], q.Situation == l.Situation; n > 0 || chosen {
			add(l.Name, "situation", string(l.Situation), "", n, chosen)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(found.holds)) {
		add("hold: "+kind, "hold", kind, "", found.holds[kind], q.Names[holdFacet] == kind)
	}
	return counts
}
