package board

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
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

// changed is a change, with the row as it is now, and the code of its port of discharge.
type changed struct {
	event
	*row
	port string
}

// What returns what has changed.
func (c changed) What() string { return kindName(c.Key) }

// kindName returns the name of a kind of change.
func kindName(key worklist.Key) string {
	if key == worklist.KeyETA {
		return "arrival" // it may have happened
	}
	return words(string(key))
}

// Was and Is return what it was before, and what it is now.
func (c changed) Was() string { return c.textOf(c.Before) }
func (c changed) Is() string  { return c.textOf(c.After) }

func (c changed) textOf(v worklist.Value) string {
	switch c.Key {
	case worklist.KeySituation:
		return lookOf(terminal49.Situation(v.Text)).Name
	case worklist.KeyETA:
		return arrivalText(v, c.port)
	}
	return v.Text
}

// Moved returns how much later an arrival is expected.
func (c changed) Moved() string {
	later, known := c.Change.Slip()
	if days := inWholeDays(later); days != 0 {
		return laterText(days)
	} else if known {
		return "by less than a day"
	}
	return ""
}

// spans are the hours that the changes can be limited to; 0 is all that is known.
var spans = []int{0, 1, 4, 12, 24, 72}

// mostHours is the longest span: a year.
const mostHours = 365 * 24

// mostChanged is how many changes the page shows.
const mostChanged = 500

func (s *site) changes(w http.ResponseWriter, r *http.Request) {
	values, now := r.URL.Query(), s.source.now()
	p := changesPage{head: s.headFor(r, "What has changed", s.model.version()), query: parseQuery(values), kind: values.Get("what")}
	hours, _ := strconv.Atoi(values.Get("since")) // what is not a number is all that is known
	p.hours = min(hours, mostHours)
	from := time.Time{}
	if p.hours > 0 {
		from = now.Add(-time.Duration(p.hours) * time.Hour)
	}
	events, since := s.model.changesSince(from)
	p.Since, p.List = utc(since), p.query.Link("/")
	of, err := p.ask(s.model, now, p.Filter)
	if err == nil {
		err = p.add(r.Context(), s, of, events)
	}
	if err != nil {
		s.fail(w, err)
		return
	}
	p.addSpans()
	p.HasRows = true
	s.write(w, r, "changes.html", p)
}

// add adds the changes of the containers that a question is about, of one kind unless it is "", and
// counts those of each kind.
func (p *changesPage) add(ctx context.Context, s *site, of view, events []event) error {
	list, err := of.List(worklist.ListOptions{})
	if err != nil {
		return err
	}
	listed, found := map[string]*worklist.Item{}, map[worklist.Key]int{}
	for _, item := range list.Items {
		listed[item.Record.ID] = item
	}
	var kept []event
	for _, e := range events {
		if listed[e.ID] == nil {
			continue
		}
		found[e.Key]++
		if p.kind == "" || p.kind == string(e.Key) {
			kept = append(kept, e)
		}
	}
	for _, key := range worklist.ChangeKeys() {
		chosen := string(key) == p.kind
		p.Kinds = append(p.Kinds, count{Name: kindName(key), Link: p.link(other(chosen, string(key)), p.hours), N: found[key], Chosen: chosen})
	}
	p.Found = len(kept)
	return p.show(ctx, s, list, listed, kept[:min(len(kept), mostChanged)])
}

// show adds the changes with the rows of their containers as they are now.
func (p *changesPage) show(ctx context.Context, s *site, list *worklist.List, listed map[string]*worklist.Item, events []event) error {
	part, has := *list, map[string]bool{}
	part.Items = nil
	for _, e := range events {
		if !has[e.ID] {
			part.Items, has[e.ID] = append(part.Items, listed[e.ID]), true
		}
	}
	some, err := rows(ctx, s.source, &part)
	if err != nil {
		return err
	}
	byID := map[string]*row{}
	for _, r := range some {
		byID[r.ID] = r
	}
	for _, e := range events {
		if r := byID[e.ID]; r != nil {
			p.Changes = append(p.Changes, changed{e, r, listed[e.ID].Record.Facts.PortOfDischarge.Code})
		}
	}
	return nil
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
