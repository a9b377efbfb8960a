package mirror

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// pastState is a resource from a time on, until the next state.
type pastState[T any] struct {
	is      *T        // nil while it is deleted
	from    time.Time // zero if unknown
	source  string    // what found it; "" if unknown
	earlier bool      // no state before it is known
}

// transactionsOf returns the changes of the container or of the shipment, those of one transaction
// together.
func transactionsOf(past *store.Past, kind string) (all [][]Change) {
	for _, c := range past.Changes {
		if c.Kind != kind {
			continue
		}
		if n := len(all); n == 0 || !all[n-1][0].At.Equal(c.At) {
			all = append(all, nil)
		}
		n := len(all) - 1
		all[n] = append(all[n], Change{Seq: c.Seq, Kind: c.Kind, ID: c.ID, Attribute: c.Attribute, Old: c.Old, New: c.New, Source: c.Source, At: c.At})
	}
	return all
}

// statesOf returns the states of a resource from its row and its changes. There is at least one,
// unless the resource is unknown.
func statesOf[T any](row store.PastRow, changes [][]Change, parse func([]byte) ([]*T, error)) (all []pastState[T], err error) {
	if row.JSON == nil {
		return nil, nil
	}
	res, err := model.Parse(row.JSON)
	if err != nil {
		return nil, fmt.Errorf("mirror: %w", store.ProblemOf(row.Ref, row.JSON))
	}
	attributes, exists := before(res.Attributes, changes)
	if exists {
		all = append(all, pastState[T]{earlier: true})
	}
	for i := 0; ; i++ {
		if exists {
			if all[len(all)-1].is, err = stateOf(row.Ref, attributes, parse); err != nil {
				return nil, err
			}
		}
		if i == len(changes) {
			break
		}
		was, some := exists, changes[i]
		if exists, err = apply(attributes, some, exists); err != nil {
			return nil, err
		}
		all = append(all, pastState[T]{from: some[0].At, source: some[0].Source, earlier: !was})
	}
	if exists && !row.DeletedAt.IsZero() { // the change was deleted by age
		all = append(all, pastState[T]{from: row.DeletedAt})
	}
	return all, nil
}

// before returns what a resource had before its changes, and whether it existed.
func before(now map[string]json.RawMessage, changes [][]Change) (map[string]json.RawMessage, bool) {
	attributes, exists := maps.Clone(now), true
	for _, some := range slices.Backward(changes) {
		for _, c := range slices.Backward(some) {
			if c.Attribute == "id" {
				exists = c.New == nil
			} else {
				attributes[c.Attribute] = c.Old
			}
		}
	}
	return attributes, exists
}

// apply makes changes to what a resource has, and reports whether it exists then.
func apply(attributes map[string]json.RawMessage, some []Change, exists bool) (bool, error) {
	for _, c := range some {
		switch {
		case c.New != nil && !json.Valid(c.New):
			return exists, fmt.Errorf("mirror: the JSON of change %d is damaged", c.Seq)
		case c.Attribute == "id":
			exists = c.New != nil
		default:
			attributes[c.Attribute] = c.New
		}
	}
	return exists, nil
}

// stateOf decodes a resource, as the client would have.
func stateOf[T any](of model.Ref, attributes map[string]json.RawMessage, parse func([]byte) ([]*T, error)) (*T, error) {
	reported := map[string]json.RawMessage{}
	for name, value := range attributes {
		if json.Valid(value) {
			reported[name] = value
		}
	}
	list, err := parse(slices.Concat([]byte(`{"data":`), model.ObjectJSON(of, reported, nil), []byte("}")))
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// periodsOf returns the periods of a value. Values with the same text are equal; "" is none.
func periodsOf[T, V any](states []pastState[T], read func(*T) V, text func(V) string) (all []Period[V]) {
	all = []Period[V]{} // JSON has a list, too
	var open string
	for _, s := range states {
		var v V
		var is string
		if s.is != nil {
			v = read(s.is)
			is = text(v)
		}
		if is == open {
			continue
		}
		if open != "" {
			all[len(all)-1].Until = s.from
		}
		if open = is; is != "" {
			all = append(all, Period[V]{Value: v, From: s.from, Earlier: s.earlier, Source: s.source})
		}
	}
	return all
}

func timeText(t terminal49.Time) string {
	if t.IsZero() {
		return ""
	}
	if at, known := t.Instant(); known {
		return at.UTC().Format(time.RFC3339Nano) + " " + t.Zone()
	}
	return t.String()
}

func lastFreeDayText(d terminal49.LastFreeDay) string {
	if d.At.IsZero() {
		return ""
	}
	return fmt.Sprint(timeText(d.At), d.Source, d.Selection, d.Withheld)
}

// reportedOf returns the last free days of each source, in the order in which they began.
func reportedOf(states []pastState[terminal49.Container]) []Period[terminal49.LastFreeDay] {
	all := []Period[terminal49.LastFreeDay]{}
	for _, source := range []terminal49.LFDSource{terminal49.LFDSourceLine, terminal49.LFDSourceTerminal, terminal49.LFDSourceRail} {
		all = append(all, periodsOf(states, func(c *terminal49.Container) terminal49.LastFreeDay {
			for _, d := range terminal49.LastFreeDays(c).Reported {
				if d.Source == source {
					return d
				}
			}
			return terminal49.LastFreeDay{}
		}, lastFreeDayText)...)
	}
	slices.SortStableFunc(all, func(a, b Period[terminal49.LastFreeDay]) int { return a.From.Compare(b.From) })
	return all
}

// availabilityOf returns when the terminal reported a container as available, and when as not.
func availabilityOf(states []pastState[terminal49.Container]) (all []Period[bool]) {
	all = []Period[bool]{}
	for _, p := range periodsOf(states, availabilityText, strings.Clone) {
		all = append(all, Period[bool]{p.Value == "true", p.From, p.Until, p.Earlier, p.Source})
	}
	return all
}

// availabilityText returns true, false, or "" if it is not known.
func availabilityText(c *terminal49.Container) string {
	available, known := c.Availability()
	if !known {
		return ""
	}
	return strconv.FormatBool(available)
}

func holdsOf(past *store.Past) []Period[terminal49.Hold] {
	all := []Period[terminal49.Hold]{}
	for _, p := range past.Holds {
		all = append(all, periodOf(past, "holds_at_pod_terminal", past.Holds, p, terminal49.Hold{
			Name: terminal49.HoldName(p.What[0]), Status: terminal49.HoldStatus(p.What[1]), Description: p.Detail,
		}))
	}
	return all
}

func feesOf(past *store.Past) []Period[terminal49.Fee] {
	all := []Period[terminal49.Fee]{}
	for _, p := range past.Fees {
		var fee terminal49.Fee // which reads an amount from any form of it
		_ = json.Unmarshal(model.Encode(map[string]string{"type": p.What[0], "amount": p.What[1], "currency_code": p.What[2]}), &fee)
		all = append(all, periodOf(past, "fees_at_pod_terminal", past.Fees, p, fee))
	}
	return all
}

// periodOf returns a row of a table of periods. An earlier read had the list without the value if
// the list was another one before, or if the table has an earlier row.
func periodOf[V any](past *store.Past, attribute string, rows []store.PastPeriod, p store.PastPeriod, v V) Period[V] {
	observed := slices.ContainsFunc(rows, func(o store.PastPeriod) bool { return o.From.Before(p.From) })
	for _, c := range past.Changes {
		observed = observed || c.Attribute == attribute && !c.At.After(p.From) && model.OrNil(c.Old) != nil
	}
	return Period[V]{Value: v, From: p.From, Until: p.Until, Earlier: !observed, Source: p.Source}
}
