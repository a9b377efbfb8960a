package mcpserver

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/worklist"
)

// The values of arguments.
var (
	_ = enumOf(worklist.WorkWaiting, worklist.WorkOverdue, worklist.WorkImminent, worklist.WorkAtRisk, worklist.WorkOwing, worklist.WorkHolds,
		worklist.WorkArriving, worklist.WorkETASlipped, worklist.WorkDwelling, worklist.WorkEmptyDue)
	_ = enumOf(terminal49.SituationPayFirst, terminal49.SituationReady, terminal49.SituationStale, terminal49.SituationHeld, terminal49.SituationUnknown,
		terminal49.SituationNotReleasedInland, terminal49.SituationNotReleased, terminal49.SituationAwaitingTransfer, terminal49.SituationOnRail,
		terminal49.SituationAtSea, terminal49.SituationBeforeVoyage, terminal49.SituationOut, terminal49.SituationReturned)
	_ = enumOf(terminal49.StageBeforeVoyage, terminal49.StageAtSea, terminal49.StageArrived, terminal49.StageAtPort, terminal49.StageOnRail,
		terminal49.StageAtRamp, terminal49.StageOut, terminal49.StageReturned, terminal49.StageUnknown)
	_ = enumOf(worklist.TrackingActive, worklist.TrackingStopped)
	_ = enumOf(worklist.AppointmentNone, worklist.AppointmentMade, worklist.AppointmentLate)
)

// filters are the arguments that select containers.
type filters struct {
	Work       []worklist.Work        `json:"work,omitempty" jsonschema:"any of these. waiting: at its place of pickup, off the ship; imminent: last free day within 3 days; at_risk: overdue or imminent; holds: in force, not left; arriving: within days or late; eta_slipped: by days or more; dwelling: over days at a terminal; empty_due: empty out over days"`
	Days       int                    `json:"days,omitempty" jsonschema:"for work, from 1; default 5, eta_slipped 1"`
	Situations []terminal49.Situation `json:"situation,omitempty"`
	Stages     []terminal49.Stage     `json:"stage,omitempty" jsonschema:"how far it has come, released or not"`

	Terminals    []string `json:"terminal,omitempty" jsonschema:"where it is or goes next; this and the next ones: codes, names or parts of names"`
	Ports        []string `json:"port,omitempty" jsonschema:"of discharge"`
	Destinations []string `json:"destination,omitempty" jsonschema:"inland"`
	Lines        []string `json:"line,omitempty"`
	Vessels      []string `json:"vessel,omitempty"`
	Customers    []string `json:"customer,omitempty"`
	References   []string `json:"references,omitempty"`
	Tags         []string `json:"tags,omitempty"`
	Holds        []string `json:"holds,omitempty" jsonschema:"such as customs, customs (pending), none"`
	Equipment    []string `json:"equipment,omitempty" jsonschema:"such as 40 reefer"`

	DaysLeftFrom *int                 `json:"days_left_from,omitempty" jsonschema:"days to the last free day: 0 today at the place, negative past"`
	DaysLeftTo   *int                 `json:"days_left_to,omitempty"`
	LFDFrom      string               `json:"last_free_day_from,omitempty" jsonschema:"day, such as 2026-11-27"`
	LFDTo        string               `json:"last_free_day_to,omitempty"`
	LFDUnknown   bool                 `json:"last_free_day_unknown,omitempty" jsonschema:"only those without one"`
	LFDsDiffer   bool                 `json:"last_free_days_differ,omitempty" jsonschema:"only where terminal, line or railroad differ"`
	ETAFrom      string               `json:"eta_from,omitempty" jsonschema:"day of the next arrival"`
	ETATo        string               `json:"eta_to,omitempty"`
	Appointment  worklist.Appointment `json:"appointment,omitempty" jsonschema:"late: after the last free day"`
	Tracking     worklist.Tracking    `json:"tracking,omitempty" jsonschema:"default both"`
	Unchecked    int                  `json:"unchecked_hours,omitempty" jsonschema:"terminal last checked longer ago, or never"`
}

// argumentName returns the argument of a field of a filter or of the options.
func argumentName(field string) string { return strings.ToLower(worklist.ParameterName(field)) }

// filter returns the filter of arguments.
func (f *filters) filter(s *server) (to worklist.Filter, err error) {
	to = worklist.Filter{
		Work: f.Work, Days: f.Days, Situations: f.Situations, Stages: f.Stages, Terminals: f.Terminals, PortsOfDischarge: f.Ports,
		Destinations: f.Destinations, ShippingLines: f.Lines, Vessels: f.Vessels, Customers: f.Customers, References: f.References, Tags: f.Tags,
		Holds: f.Holds, Equipment: f.Equipment, DaysLeftFrom: optional(f.DaysLeftFrom), DaysLeftTo: optional(f.DaysLeftTo),
		LastFreeDayUnknown: f.LFDUnknown, LastFreeDaysDiffer: f.LFDsDiffer, Appointment: f.Appointment, Tracking: f.Tracking, UncheckedHours: f.Unchecked,
	}
	for _, d := range []struct {
		argument, text string
		to             *terminal49.Date
	}{
		{"last_free_day_from", f.LFDFrom, &to.LastFreeDayFrom}, {"last_free_day_to", f.LFDTo, &to.LastFreeDayTo},
		{"eta_from", f.ETAFrom, &to.ETAFrom}, {"eta_to", f.ETATo, &to.ETATo},
	} {
		if d.text == "" {
			continue
		}
		if *d.to, err = terminal49.ParseDate(d.text); err != nil {
			return to, mend(d.argument, "must be a day such as %s, which is today in UTC, not %s", terminal49.DateOf(s.Now().UTC()), quoted(d.text))
		}
	}
	return to, nil
}

func optional(n *int) terminal49.Opt[int] {
	if n == nil {
		return terminal49.Opt[int]{}
	}
	return terminal49.Some(*n)
}

// mended returns the error of a filter with the names of the arguments.
func mended(err error) error {
	var unknownName *worklist.UnknownNameError
	var argument *terminal49.ArgumentError
	switch {
	case errors.As(err, &unknownName):
		nearest := "; no container has any"
		if len(unknownName.Nearest) > 0 {
			nearest = "; the nearest are " + namesOf(unknownName.Nearest)
		}
		return mend(argumentName(unknownName.Field), "no container of the account has %s%s", quoted(unknownName.Text), nearest)
	case errors.As(err, &argument):
		problem := strings.NewReplacer("LastFreeDayFrom", "last_free_day_from", "ETAFrom", "eta_from").Replace(argument.Problem)
		return mend(argumentName(argument.Field), "%s", clean(problem))
	}
	return err
}

// workDays are the days that were used, by kind of work.
type workDays map[worklist.Work]int

// text returns the days for a person, or "" if there are none.
func (d workDays) text() (all own) {
	for _, w := range slices.Sorted(maps.Keys(d)) {
		all += "; " + words(w) + ": " + plural(d[w], "day", "days")
	}
	return all
}

// namesOf returns names for a person.
func namesOf(names []worklist.AccountName) string {
	var all []string
	for _, n := range names {
		text := string(quoted(cmp.Or(n.Name, n.Code)))
		if n.Name != "" && n.Code != "" && len(n.Code) < 12 {
			text += " (" + string(quoted(n.Code)) + ")"
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// mostMeant bounds the names of a note.
const mostMeant = 8

// noteFilter notes what the filter and the copy leave open.
func (c *common) noteFilter(waiting int, aside worklist.Aside, meanings []worklist.Meaning) {
	for _, m := range meanings {
		switch n := len(m.Names); {
		case n == 1 && !strings.EqualFold(m.Text, m.Names[0].Name) && !strings.EqualFold(m.Text, m.Names[0].Code):
			c.note(fmt.Sprintf("%s: %s is taken for %s.", argumentName(m.Field), quoted(m.Text), namesOf(m.Names)))
		case n > mostMeant:
			c.note(fmt.Sprintf("%s: %s is part of %d names, all are meant: %s and %d more. Name one if one was meant.",
				argumentName(m.Field), quoted(m.Text), n, namesOf(m.Names[:mostMeant]), n-mostMeant))
		case n > 1:
			c.note(fmt.Sprintf("%s: %s is part of %d names, all are meant: %s. Name one if one was meant.", argumentName(m.Field), quoted(m.Text), n, namesOf(m.Names)))
		}
	}
	if aside.Undated > 0 {
		c.note(fmt.Sprintf("Left out: %s whose day is unknown.", plural(aside.Undated, "container", "containers")))
	}
	if waiting > 0 {
		c.note(fmt.Sprintf("%s changed and not assessed again yet, so a few containers may be missing or have earlier facts.", plural(waiting, "resource is", "resources are")))
	}
}
