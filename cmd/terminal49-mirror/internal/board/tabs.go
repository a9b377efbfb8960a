package board

import (
	"slices"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// count is how many containers are urgent, or in a situation, with the filter that shows them.
type count struct {
	Name, Link, Class string
	N                 int
	Chosen            bool
}

// The parameter that limits the list to what must get out today, and its value.
const dueBy, today = "days_left_to", "0"

// views are what a dispatcher begins with: all, and what must get out today, by situation.
type views struct{ all, due *worklist.Counts }

func (q *query) views(s *site, f *found) (v views, err error) {
	if v.due, err = q.countDue(s, terminal49.Some(0)); err != nil {
		return v, err
	}
	v.all = f.counts
	if q.Value(dueBy) != "" {
		v.all, err = q.countDue(s, terminal49.Opt[int]{})
	}
	return v, err
}

// countDue counts what has at most so many days left, by situation.
func (q *query) countDue(s *site, most terminal49.Opt[int]) (*worklist.Counts, error) {
	filter := q.withoutCounts()
	filter.DaysLeftTo = most
	of, err := q.ask(s.model, s.source.now(), filter)
	if err != nil {
		return nil, err
	}
	return of.Count(worklist.KeySituation)
}

// ofSituation returns how many containers are in a situation.
func ofSituation(counts *worklist.Counts, s terminal49.Situation) int {
	i := slices.IndexFunc(counts.Groups, func(g worklist.Count) bool { return g.Key == string(s) })
	if i < 0 {
		return 0
	}
	return counts.Groups[i].Containers
}

// tabs are the counts above the list. A click on one clears the others.
type tabs struct {
	query *query
	list  []count
}

func (t *tabs) add(name, key, value, class string, n int) {
	chosen := t.query.Value(key) == value
	link := t.cleared(key, value)
	if chosen {
		link = t.query.Link("/", key, "")
	}
	if n > 0 || chosen || key == "urgency" {
		t.list = append(t.list, count{name, link, class, n, chosen})
	}
}

// cleared returns the address of the list without what is counted, with other parameters.
func (t *tabs) cleared(changes ...string) string {
	return t.query.Link("/", append([]string{"urgency", "", "situation", "", "holds", "", "fees", ""}, changes...)...)
}

// addViews adds all, what is due, and what of that is held.
func (t *tabs) addViews(v views) {
	held, isDue := string(terminal49.SituationHeld), t.query.Value(dueBy) == today
	none := t.query.Value("urgency")+t.query.Value("situation")+t.query.Value("holds")+t.query.Value("fees") == ""
	t.list = append(t.list,
		count{"all", t.cleared(dueBy, ""), "", v.all.Total, none && t.query.Value(dueBy) == ""},
		count{"due by today", t.cleared(dueBy, today), "", v.due.Total, none && isDue},
		count{"held and due", t.cleared(dueBy, today, "situation", held), "", ofSituation(v.due, terminal49.SituationHeld), isDue && t.query.Value("situation") == held})
}

// counts returns those of what is due, of the urgency, and of the fees, situations and holds that
// occur or are chosen.
func (q *query) counts(f *found, v views) []count {
	t := &tabs{query: q}
	t.addViews(v)
	for _, l := range []choice{{string(terminal49.UrgencyOverdue), "over the last free day"}, {string(terminal49.UrgencyImminent), "last free day near"}} {
		t.add(l.Name, "urgency", l.Value, l.Value, f.urgent(terminal49.Urgency(l.Value)))
	}
	t.add("owe fees", "fees", worklist.AnyFee, "", f.counts.Owed.Containers)
	for _, l := range looks {
		t.add(l.Name, "situation", string(l.Situation), "", ofSituation(f.counts, l.Situation))
	}
	for _, g := range f.holds.Groups {
		if g.Key != "" && g.Key != worklist.NoHold {
			t.add("hold: "+g.Key, "holds", g.Key, "", g.Containers)
		}
	}
	return t.list
}
