package board

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/worklist"
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
	Set         int // how many filters are set
	Fields      []field
	Works       []choice
	Looks       []look
	Sorts       []choice
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

func (s *site) list(w http.ResponseWriter, r *http.Request) {
	q := parseQuery(r.URL.Query())
	found, err := q.find(r.Context(), s)
	var views views
	if err == nil {
		views, err = q.views(s, found)
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	p := listPage{head: s.headFor(r, cmp.Or(q.Filters(), "Containers"), found.version), Rows: found.rows, Found: found.Total, All: found.all, Pages: found.pages, Page: q.Page, query: q,
		Counts: q.counts(found, views), Set: q.set(), Fields: q.fields(s.model), Works: works, Looks: looks, Sorts: q.sorts(), Columns: q.columns(), Table: q.Link("/containers.csv"),
		Hidden: found.Hidden, Unfiltered: (query{Text: q.Text}).Link("/"), Owed: found.owed, ByDay: found.byDay}
	p.From = (q.Page-1)*q.perPage() + min(1, len(found.rows))
	p.To = (q.Page-1)*q.perPage() + len(found.rows)
	if found.pages > 1 && !q.Long {
		p.Longer = q.Link("/", "rows", strconv.Itoa(perLong))
	}
	if len(q.Texts) > 1 {
		p.Without = strings.Join(found.Without, ", ")
	}
	p.First, p.Prev, p.Next, p.Last = q.turns(found.pages)
	p.HasRows, p.IsShort = true, len(q.Texts) > 0 && found.Total <= mostRoomy
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

// choice is a value of a filter, with its name.
type choice struct{ Value, Name string }

// works are the kinds of work that the list is limited to by a menu.
var works = []choice{
	{"", "all"}, {"waiting", "waiting for pickup"}, {"at_risk", "last free day passed or near"}, {"arriving", "arriving within days"}, {"eta_slipped", "arrival later by days"},
	{"dwelling", "there for more than days"}, {"empty_due", "empty out for more than days"},
}

func (q *query) fields(m *model) (list []field) {
	for _, f := range facets {
		list = append(list, field{f, q.Value(f.Key), m.names(f.Key)})
	}
	return list
}

// set returns how many of the filters are set that open.
func (q *query) set() (n int) {
	for name := range q.values() {
		if name != "urgency" && !slices.Contains(ours, name) {
			n++
		}
	}
	return n
}

// headings are the columns, and the order of each; "" for none.
var headings = []choice{
	{"number", "Container"}, {"urgency", "Situation"}, {"last_free_day", "Last free day"}, {"", "Holds"}, {"owed", "Fees owed"}, {"place", "Place"},
	{"eta", "Arrival"}, {"vessel", "Vessel"}, {"", "Size, seal"}, {"customer", "Customer"},
}

// sorts returns the orders of the list, and how it is if that is reversed. Where it is narrow, it
// has no headings.
func (q *query) sorts() []choice {
	list := []choice{{"", "urgency"}}
	for _, h := range headings {
		if h.Value == "" || h.Value == string(worklist.OrderUrgency) {
			continue
		}
		list = append(list, choice{h.Value, strings.ToLower(h.Name)})
		if string(q.Sort) == "-"+h.Value {
			list = append(list, choice{string(q.Sort), strings.ToLower(h.Name) + ", reversed"})
		}
	}
	return list
}

// columns returns the headings. A click on one that is sorted reverses the order.
func (q *query) columns() (list []column) {
	for _, c := range headings {
		column := column{Name: c.Name}
		switch {
		case c.Value == "urgency":
			column.Link = q.Link("/", "sort", "")
			if q.Sort == "" {
				column.Sorted = "ascending"
			}
		case c.Value == "":
		case q.Sort == worklist.Order(c.Value):
			column.Link, column.Sorted = q.Link("/", "sort", "-"+c.Value), "ascending"
		default:
			column.Link = q.Link("/", "sort", c.Value)
			if strings.TrimPrefix(string(q.Sort), "-") == c.Value {
				column.Sorted = "descending"
			}
		}
		list = append(list, column)
	}
	return list
}
