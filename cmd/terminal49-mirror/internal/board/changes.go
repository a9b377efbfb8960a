package board

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// changesPage is the page with what has changed in the containers of a list.
type changesPage struct {
	head
	query
	Kinds, Spans []count
	Changes      []changed
	Found        int
	Since        string
	List         string // address of the list
	kind         string // what changed; "" for anything
	hours        int    // how far back; 0 for all that is known
}

// changed is a change, with the row as it is now.
type changed struct {
	event
	*row
}

// spans are the hours that the changes can be limited to; 0 is all that is known.
var spans = []int{0, 1, 4, 12, 24, 72}

// mostHours is the longest span: a year.
const mostHours = 365 * 24

// mostChanged is how many changes the page shows.
const mostChanged = 500

func (s *site) changes(w http.ResponseWriter, r *http.Request) {
	v, values, now := s.model.view(), r.URL.Query(), s.source.now()
	p := changesPage{head: s.head("What has changed", v.version), query: parseQuery(values, s.model, now), kind: values.Get("what")}
	hours, _ := strconv.Atoi(values.Get("since")) // what is not a number is all that is known
	p.hours = min(hours, mostHours)
	from := time.Time{}
	if p.hours > 0 {
		from = now.Add(-time.Duration(p.hours) * time.Hour)
	}
	events, since := s.model.changesSince(from)
	p.Since, p.List = utc(since), p.query.Link("/")
	p.add(events, p.run(v.rows).rows)
	p.addSpans()
	s.write(w, r, "changes.html", p)
}

// add adds the changes of some rows, of one kind unless it is "", and counts those of each kind.
func (p *changesPage) add(events []event, rows []*row) {
	byID, found := make(map[string]*row, len(rows)), map[string]int{}
	for _, r := range rows {
		byID[r.ID] = r
	}
	for _, e := range events {
		if r := byID[e.ID]; r != nil {
			found[e.Key]++
			if isChosen(p.kind, e.Key) {
				p.Changes = append(p.Changes, changed{e, r})
			}
		}
	}
	for _, what := range noted {
		chosen := what.key == p.kind
		p.Kinds = append(p.Kinds, count{Name: what.name, Link: p.link(other(chosen, what.key), p.hours), N: found[what.key], Chosen: chosen})
	}
	p.Found, p.Changes = len(p.Changes), p.Changes[:min(len(p.Changes), mostChanged)]
}

// other returns what a click leads to: the kind, or all if it is chosen already.
func other(chosen bool, kind string) string {
	if chosen {
		return ""
	}
	return kind
}

func (p *changesPage) addSpans() {
	for _, hours := range spans {
		name := "all that is known"
		if hours > 0 {
			name = fmt.Sprintf("last %d h", hours)
		}
		p.Spans = append(p.Spans, count{Name: name, Link: p.link(p.kind, hours), Chosen: hours == p.hours})
	}
}

func (p *changesPage) link(kind string, hours int) string {
	since := ""
	if hours > 0 {
		since = strconv.Itoa(hours)
	}
	return p.query.Link("/changes", "what", kind, "since", since)
}
