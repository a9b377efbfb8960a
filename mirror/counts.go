package mirror

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// CountBy is what [Reader.Counts] groups containers by.
type CountBy string

// The values of CountBy.
const (
	CountBySituation       CountBy = "situation"
	CountByTerminal        CountBy = "terminal"          // where the container is; key: id of the terminal
	CountByShippingLine    CountBy = "shipping_line"     // of the shipment; key: SCAC
	CountByPortOfDischarge CountBy = "port_of_discharge" // of the shipment; key: UN/LOCODE
	CountByLastFreeDay     CountBy = "last_free_day"     // that binds, on the calendar of its place; key: such as "2026-03-08"
)

// Counts is what [Reader.Counts] returns.
type Counts struct {
	Groups  []Count
	Total   int // containers
	Waiting int // see Worklist
}

// Count is how many containers a group has. The key is "" for those without one, such as containers
// that are at no terminal.
type Count struct {
	Key        string
	Label      string // human-readable; "" if unknown
	Containers int
	Situations map[terminal49.Situation]int
	Urgencies  map[terminal49.UrgencyLevel]int
}

// Counts counts the containers at a time, without those that are deleted. Days are in their order;
// of the others, the largest group is first. It reads one state of the database, and writes
// nothing.
//
// Errors: those of [Reader.Worklist].
func (r *Reader) Counts(ctx context.Context, by CountBy, now time.Time, opts terminal49.VerdictOptions) (*Counts, error) {
	c := &counting{by: by, now: now, opts: opts, groups: map[string]*Count{}}
	if err := r.checkCounts(by); err != nil {
		return nil, err
	}
	of, err := r.db.Standings(ctx)
	if err != nil {
		return nil, err
	}
	defer of.End()
	switch by {
	case CountByShippingLine:
		err = of.EachIn(ctx, store.ByShippingLine, c.add)
	case CountByPortOfDischarge:
		err = of.EachIn(ctx, store.ByPortOfDischarge, c.add)
	default:
		err = of.Each(ctx, store.Preselection{}, c.addKeyed)
	}
	if err != nil {
		return nil, err
	}
	return &Counts{c.sorted(), c.total, of.Waiting}, nil
}

func (r *Reader) checkCounts(by CountBy) error {
	all := []CountBy{CountBySituation, CountByTerminal, CountByShippingLine, CountByPortOfDischarge, CountByLastFreeDay}
	if r.err != nil || slices.Contains(all, by) {
		return r.err
	}
	return &terminal49.ArgumentError{
		Op: "mirror.Counts", Field: "by",
		Problem: "must be situation, terminal, shipping_line, port_of_discharge or last_free_day, not " + quoted(string(by)),
	}
}

// counting counts containers.
type counting struct {
	by     CountBy
	now    time.Time
	opts   terminal49.VerdictOptions
	groups map[string]*Count
	total  int
}

// addKeyed counts a container in the group that its verdict names.
func (c *counting) addKeyed(s *terminal49.Standing) error {
	v := s.Verdict(c.now, c.opts)
	switch c.by {
	case CountByTerminal:
		c.count(&v, v.Place.TerminalID, v.Place.String())
	case CountByLastFreeDay:
		day, known := v.LastFreeDay.At.Date()
		if !known {
			day = terminal49.Date{}
		}
		c.count(&v, strings.TrimPrefix(day.String(), "-"), "")
	default:
		c.count(&v, string(v.Situation), "")
	}
	return nil
}

func (c *counting) add(s *terminal49.Standing, key, label string) error {
	v := s.Verdict(c.now, c.opts)
	c.count(&v, key, label)
	return nil
}

func (c *counting) count(v *terminal49.Verdict, key, label string) {
	g := c.groups[key]
	if g == nil {
		g = &Count{Key: key, Situations: map[terminal49.Situation]int{}, Urgencies: map[terminal49.UrgencyLevel]int{}}
		c.groups[key] = g
	}
	if key != "" {
		g.Label = cmp.Or(g.Label, label)
	}
	g.Containers++
	g.Situations[v.Situation]++
	g.Urgencies[v.Urgency]++
	c.total++
}

func (c *counting) sorted() (all []Count) {
	for _, g := range c.groups {
		all = append(all, *g)
	}
	slices.SortFunc(all, func(a, b Count) int {
		if c.by == CountByLastFreeDay {
			return cmp.Compare(a.Key, b.Key)
		}
		return cmp.Or(cmp.Compare(b.Containers, a.Containers), cmp.Compare(a.Key, b.Key))
	})
	return all
}
