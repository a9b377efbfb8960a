package mcpserver

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
)

var historyTool = mcp.Tool{
	Name: "history",
	Description: "What the copy has seen of one container over time: periods of holds, fees, last free days, ETAs, availability, appointments. " +
		"With at: only what was known then.",
}

type periodKind string

var _ = enumOf[periodKind]("hold", "fee", "last_free_day", "eta", "availability", "appointment")

type historyInput struct {
	Number string       `json:"number,omitempty" jsonschema:"container number; or else id"`
	ID     string       `json:"id,omitempty"`
	At     string       `json:"at,omitempty" jsonschema:"a time such as 2026-11-20T15:00:00-08:00, or a day at the port: its end"`
	Kinds  []periodKind `json:"kinds,omitempty"`
}

type historyAnswer struct {
	common
	Number  string   `json:"number"`
	ID      string   `json:"id"`
	Zone    string   `json:"zone" jsonschema:"of the port, in which from and until are"`
	Since   string   `json:"since" jsonschema:"when the copy first had it; nothing is known of the time before"`
	At      string   `json:"at,omitempty"`
	Periods []period `json:"periods"`
}

// period is the time for which a value was reported.
type period struct {
	Kind    periodKind `json:"kind"`
	What    string     `json:"what" jsonschema:"name of the hold, type of the fee, source of the day, which ETA"`
	Value   string     `json:"value"`
	From    string     `json:"from" jsonschema:"first read that showed it"`
	Until   string     `json:"until,omitempty" jsonschema:"first read that no longer did; absent while it lasts"`
	Earlier bool       `json:"maybe_earlier,omitempty" jsonschema:"it may have begun before"`

	from, until time.Time
}

func (s *server) history(ctx context.Context, in historyInput) (*historyAnswer, error) {
	all, err := s.journeys(ctx, in.Number, in.ID)
	if err != nil {
		return nil, err
	}
	past, err := s.Reader.History(ctx, all[0].ID)
	if err != nil {
		return nil, err
	}
	h := newHistorian(all[0])
	h.add(past)
	a := &historyAnswer{Number: clean(past.Number), ID: past.ContainerID, Zone: h.zone.String(), Since: h.time(past.FirstRead), Periods: h.periods}
	if len(all) > 1 {
		a.note("This number made several journeys; this is the latest. The tool container lists the others: ask by id.")
	}
	if past.FirstRead.IsZero() {
		a.note("Old changes were deleted by age, so the beginning is not known.")
	}
	if len(in.Kinds) > 0 {
		a.Periods = slices.DeleteFunc(a.Periods, func(p period) bool { return !slices.Contains(in.Kinds, p.Kind) })
	}
	if in.At != "" {
		if err := a.only(in.At, h, past.FirstRead); err != nil {
			return nil, err
		}
	}
	a.Total = len(a.Periods)
	if a.Shown = min(a.Total, mostPeriods); a.Shown < a.Total {
		a.Periods = a.Periods[a.Total-a.Shown:]
		a.note("Only the latest periods are shown; ask for one kind.")
	}
	return a, nil
}

// mostPeriods bounds the periods of an answer.
const mostPeriods = 150

// only keeps what was known at a time.
func (a *historyAnswer) only(text string, h *historian, first time.Time) error {
	at, err := momentOf("at", text, h.zone, true)
	if err != nil {
		return err
	}
	a.At = h.time(at)
	a.Periods = slices.DeleteFunc(a.Periods, func(p period) bool { return p.from.After(at) || !p.until.IsZero() && !p.until.After(at) })
	if !first.IsZero() && at.Before(first) {
		a.note("The copy did not have the container then, so what was known is unknown.")
	} else if len(a.Periods) == 0 {
		a.note("Nothing of these kinds was reported then.")
	}
	return nil
}

// momentOf returns a time that an argument names: a moment, or the start or end of a day in a zone.
func momentOf(argument, text string, zone *time.Location, end bool) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	d, err := terminal49.ParseDate(text)
	if err != nil {
		return time.Time{}, mend(argument, "must be a day such as 2026-11-20 or a time such as 2026-11-20T15:00:00-08:00, not %s", quoted(text))
	}
	at, err := time.ParseInLocation(time.DateOnly, d.String(), zone)
	if end {
		at = at.AddDate(0, 0, 1).Add(-time.Nanosecond)
	}
	return at, err
}

// historian collects periods, in the zone of the port.
type historian struct {
	zone    *time.Location
	periods []period
}

func newHistorian(c *terminal49.Container) *historian {
	return &historian{zone: locationOf(c.PODTimezone), periods: []period{}}
}

func (h *historian) time(at time.Time) string {
	if at.IsZero() {
		return unknown
	}
	return at.In(h.zone).Format(time.RFC3339)
}

func (h *historian) add(past *mirror.History) {
	addPeriods(h, "hold", past.Holds, func(v terminal49.Hold) (string, string) {
		return string(v.Name), strings.TrimSpace(string(v.Status) + " " + v.Description)
	})
	addPeriods(h, "fee", past.Fees, func(v terminal49.Fee) (string, string) { return string(v.Type), feeOf(v).Amount })
	addPeriods(h, "last_free_day", past.LastFreeDays, func(v terminal49.LastFreeDay) (string, string) { return string(v.Source), day(v.At) })
	addPeriods(h, "last_free_day", past.PickupLFD, func(v terminal49.LastFreeDay) (string, string) { return "service", day(v.At) })
	eta := func(what string) func(terminal49.Time) (string, string) {
		return func(v terminal49.Time) (string, string) { return what, local(v) }
	}
	addPeriods(h, "eta", past.PODETA, eta("port of discharge"))
	addPeriods(h, "eta", past.DestinationETA, eta("destination, by the line"))
	addPeriods(h, "eta", past.INDETA, eta("destination, by the railroad"))
	addPeriods(h, "availability", past.Availability, func(v bool) (string, string) {
		if v {
			return "terminal", "available"
		}
		return "terminal", "not available"
	})
	addPeriods(h, "appointment", past.Appointments, eta("pickup"))
	slices.SortStableFunc(h.periods, func(a, b period) int {
		return cmp.Or(strings.Compare(string(a.Kind), string(b.Kind)), a.from.Compare(b.from))
	})
}

func addPeriods[V any](h *historian, kind periodKind, all []mirror.Period[V], read func(V) (what, value string)) {
	for _, p := range all {
		what, value := read(p.Value)
		of := period{Kind: kind, What: known(what), Value: known(value), From: h.time(p.From), Earlier: p.Earlier, from: p.From, until: p.Until}
		if !p.Until.IsZero() {
			of.Until = h.time(p.Until)
		}
		h.periods = append(h.periods, of)
	}
}

func (a *historyAnswer) write(p *page) {
	p.line("%s, seen since %s%s.", numberText(a.Number), a.Since, before("; known at ", a.At))
	for _, of := range a.Periods {
		p.line("%s %s %s: from %s%s%s.", words(of.Kind), quoted(of.What), quoted(of.Value), of.From, mark(of.Earlier, " or earlier"), before(" until ", of.Until))
	}
}
