package board

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-freight/terminal49"
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
	Fields      []field
	Works       []choice
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
	q := parseQuery(r.URL.Query())
	found, err := q.find(r.Context(), s)
	if err != nil {
		s.fail(w, err)
		return
	}
	p := listPage{head: s.head(cmp.Or(q.Filters(), "Containers"), found.version), Rows: found.rows, Found: found.Total, All: found.all, Pages: found.pages, Page: q.Page, query: q,
		Counts: q.counts(found), Fields: q.fields(s.model), Works: works, Looks: looks, Columns: q.columns(), Table: q.Link("/containers.csv"),
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

// columns returns the headings. A click on one that is sorted reverses the order.
func (q *query) columns() (list []column) {
	for _, c := range []struct{ name, key string }{
		{"Container", "number"}, {"Situation", "urgency"}, {"Last free day", "last_free_day"}, {"Holds", ""}, {"Fees owed", "owed"}, {"Place", "place"},
		{"Arrival", "eta"}, {"Vessel", "vessel"}, {"Size, seal", ""}, {"Customer", "customer"},
	} {
		column := column{Name: c.name}
		switch {
		case c.key == "urgency":
			column.Link = q.Link("/", "sort", "")
			if q.Sort == "" {
				column.Sorted = "ascending"
			}
		case c.key == "":
		case q.Sort == worklist.Order(c.key):
			column.Link, column.Sorted = q.Link("/", "sort", "-"+c.key), "ascending"
		default:
			column.Link = q.Link("/", "sort", c.key)
			if strings.TrimPrefix(string(q.Sort), "-") == c.key {
				column.Sorted = "descending"
			}
		}
		list = append(list, column)
	}
	return list
}

// counts returns those of the urgency, and of the fees, situations and holds that occur or are
// chosen. A click on one clears the others.
func (q *query) counts(f *found) (counts []count) {
	add := func(name, key, value, class string, n int) {
		chosen := q.Value(key) == value
		link := q.Link("/", "urgency", "", "situation", "", "holds", "", "fees", "", key, value)
		if chosen {
			link = q.Link("/", key, "")
		}
		if n > 0 || chosen || key == "urgency" {
			counts = append(counts, count{name, link, class, n, chosen})
		}
	}
	for _, l := range []choice{{string(terminal49.UrgencyOverdue), "over the last free day"}, {string(terminal49.UrgencyImminent), "last free day near"}} {
		add(l.Name, "urgency", l.Value, l.Value, f.urgent(terminal49.Urgency(l.Value)))
	}
	add("owe fees", "fees", worklist.AnyFee, "", f.counts.Owed.Containers)
	for _, l := range looks {
		i := slices.IndexFunc(f.counts.Groups, func(g worklist.Count) bool { return g.Key == string(l.Situation) })
		n := 0
		if i >= 0 {
			n = f.counts.Groups[i].Containers
		}
		add(l.Name, "situation", string(l.Situation), "", n)
	}
	for _, g := range f.holds.Groups {
		if g.Key != "" && g.Key != worklist.NoHold {
			add("hold: "+g.Key, "holds", g.Key, "", g.Containers)
		}
	}
	return counts
}
