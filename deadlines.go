package terminal49

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// ImportDeadlines are the last free days of a container, one for each source. A zero Time means
// that the source did not report one. The times are usually midnight at the place, so use
// [Time.Date] instead of the UTC day.
type ImportDeadlines struct {
	// Line is pickup_lfd_line: per diem, by the shipping line. It is in FinalDestinationTimezone or
	// PODTimezone: the one in which it is a midnight, or else the first that is known.
	Line     Time `t49:"pickup_lfd_line,read=readDeadline"`
	Terminal Time `t49:"pickup_lfd_terminal,read=readDeadline"` // demurrage, by the port terminal; zone PODTimezone
	// Rail is pickup_lfd_rail: by the railroad. It is in FinalDestinationTimezone and need not be a
	// midnight. If that zone is unknown, a midnight in PODTimezone is in PODTimezone.
	Rail Time             `t49:"pickup_lfd_rail,read=readDeadline"`
	POD  *PODLastFreeDays `t49:"pod"` // the last free days at the port with their history; nil if not reported
}

// PODLastFreeDays are the last free days at the port of discharge by source, with their history,
// all in PODTimezone. Their form is that of test data of the service's own tools of October 2026;
// its OpenAPI document does not have them yet, and no account need get them. Their counterpart at
// the inland destination is undocumented.
type PODLastFreeDays struct {
	Line     LastFreeDayHistory `json:"line" t49:"line"`         // by the shipping line
	Facility LastFreeDayHistory `json:"facility" t49:"facility"` // by the port terminal
	// Unified is the service's choice among the sources. If its Current is zero, the service withholds
	// it, and no other last free day of the port may take its place; see [LastFreeDay.Withheld].
	Unified ChosenLastFreeDay `json:"unified" t49:"unified"`
}

// LastFreeDayHistory is the last free day of one source. A zero Time was not reported.
type LastFreeDayHistory struct {
	Original   Time `json:"original" t49:"original"`     // as first reported
	Current    Time `json:"current" t49:"current"`       // as last reported
	Calculated Time `json:"calculated" t49:"calculated"` // by the service from tariffs; any reported day takes precedence
	Manual     bool `json:"manual" t49:"manual"`         // whether a user entered it; false if not reported
}

// ChosenLastFreeDay is the last free day that the service chose at a port. It may be another one
// than Container.PickupLFD, which follows an older rule.
type ChosenLastFreeDay struct {
	Original          Time   `json:"original_value" t49:"original_value"`
	OriginalSelection string `json:"original_selection" t49:"original_selection"` // as CurrentSelection
	Current           Time   `json:"current_value" t49:"current_value"`
	CurrentSelection  string `json:"current_selection" t49:"current_selection"` // the source, such as "line", "facility", "line_calculated" or "facility_manual"
}

// LastFreeDaySummary holds the pickup deadlines of a container; see [LastFreeDays].
type LastFreeDaySummary struct {
	// Reported are the last free days by source, in the order line, terminal, rail.
	Reported []LastFreeDay
	// Chosen is the service's own choice, which may not be the earliest; zero if not reported. It is
	// pickup_lfd, the first of line, terminal and rail; its Source is "" if no source has the same
	// value. If the container has [PODLastFreeDays] and pickup_lfd is not the railroad's, it is their
	// unified choice instead, with its Selection, and zero if that is unknown.
	Chosen LastFreeDay
	// Appointment is the pickup appointment, zero if there is none.
	Appointment Time

	withheld bool // whether the service withholds a day of the port
}

// LastFreeDay is the last day on which a container can be picked up without a charge.
type LastFreeDay struct {
	At     Time // usually midnight at the place, or a calendar day; use Time.Date instead of the UTC day
	Source LFDSource
	// Selection is set if the day is a [ChosenLastFreeDay]: what the service selected, such as
	// "facility_manual". Its prefix sets Source.
	Selection string
	// Withheld reports whether the service withholds its choice at the port, so that this day must not
	// take its place: the response has [PODLastFreeDays] without a unified choice, and the day is of
	// the line or the terminal, or it is Chosen. A day of the railroad is never withheld.
	Withheld bool
}

// LFDSource identifies who set a last free day.
type LFDSource string

// The values of LFDSource.
const (
	LFDSourceLine     LFDSource = "line"     // the shipping line
	LFDSourceTerminal LFDSource = "terminal" // the port terminal; demurrage starts after it
	LFDSourceRail     LFDSource = "rail"     // the railroad
)

// LastFreeDays returns the deadlines of a container, each in the zone of its place. The service
// hides them after pickup. A nil container has no deadlines.
func LastFreeDays(c *Container) LastFreeDaySummary {
	var f LastFreeDaySummary
	if c == nil {
		return f
	}
	for _, lfd := range lastFreeDaysOf(c) {
		if !lfd.At.IsZero() {
			lfd.Withheld = withholdsPort(c) && lfd.Source != LFDSourceRail
			f.Reported, f.withheld = append(f.Reported, lfd), f.withheld || lfd.Withheld
		}
	}
	f.Chosen = chosenLastFreeDay(c)
	f.withheld = f.withheld || withholdsPort(c) && !c.PickupLFD.IsZero() && f.Chosen.At.IsZero()
	f.Appointment = c.PickupAppointmentAt
	return f
}

// withholdsPort reports whether the service withholds its choice among the days at the port.
func withholdsPort(c *Container) bool {
	return c.ImportDeadlines.POD != nil && c.ImportDeadlines.POD.Unified.Current.IsZero()
}

func chosenLastFreeDay(c *Container) LastFreeDay {
	source, _ := sourceOfPickupLFD(c)
	if c.ImportDeadlines.POD == nil || source.Source == LFDSourceRail { // POD does not cover the inland destination
		return LastFreeDay{At: c.PickupLFD, Source: source.Source}
	}
	unified := c.ImportDeadlines.POD.Unified
	if withholdsPort(c) {
		return LastFreeDay{}
	}
	chosen := LastFreeDay{At: unified.Current, Selection: unified.CurrentSelection}
	switch {
	case strings.HasPrefix(chosen.Selection, "line"):
		chosen.Source = LFDSourceLine
	case strings.HasPrefix(chosen.Selection, "facility"):
		chosen.Source = LFDSourceTerminal
	}
	return chosen
}

// String returns the last free days with who set them, the service's choice and the appointment,
// such as "the terminal's last free day 2026-03-10, chosen: the last free day 2026-03-10,
// appointment 2026-03-08 10:00 -07:00", or "no last free day is reported".
func (f LastFreeDaySummary) String() string {
	var texts []string
	for _, lfd := range f.Reported {
		texts = append(texts, lfd.String())
	}
	switch {
	case !f.Chosen.At.IsZero():
		texts = append(texts, "chosen: "+f.Chosen.String())
	case f.withheld:
		texts = append(texts, "the tracking service withholds the last free day")
	case len(texts) == 0:
		texts = append(texts, LastFreeDay{}.String())
	}
	if !f.Appointment.IsZero() {
		texts = append(texts, "appointment "+f.Appointment.String())
	}
	return strings.Join(texts, ", ")
}

// String returns the day at its place and who set it, such as "the terminal's last free day
// 2026-03-10", or "no last free day is reported" for the zero LastFreeDay.
func (d LastFreeDay) String() string {
	if d.At.IsZero() {
		return "no last free day is reported"
	}
	return "the " + d.name() + " " + dayText(d.At)
}

// name returns whose last free day it is, such as "terminal's last free day".
func (d LastFreeDay) name() string {
	return map[LFDSource]string{
		LFDSourceLine: "shipping line's ", LFDSourceTerminal: "terminal's ", LFDSourceRail: "railroad's ",
	}[d.Source] + "last free day"
}

// freeDaysJSON is the JSON and log form of FreeDays.
type freeDaysJSON struct {
	Earliest    *LastFreeDay  `json:"earliest"`
	Chosen      *LastFreeDay  `json:"chosen"`
	Reported    []LastFreeDay `json:"reported"`
	Appointment Time          `json:"appointment"`
}

// MarshalJSON returns the last free days, each as described at [LastFreeDay.MarshalJSON], and the
// earliest of them. It cannot be read back.
func (f LastFreeDaySummary) MarshalJSON() ([]byte, error) {
	earliest, _ := f.Earliest()
	return json.Marshal(freeDaysJSON{earliest.orNull(), f.Chosen.orNull(), notNil(f.Reported), f.Appointment})
}

// UnmarshalJSON returns an error: the days are computed, so store the container.
func (f *LastFreeDaySummary) UnmarshalJSON(data []byte) error {
	return errComputed(data, "FreeDays", "store the container and call LastFreeDays again")
}

// LogValue returns what MarshalJSON returns, as a group.
func (f LastFreeDaySummary) LogValue() slog.Value { return logJSON(f) }

// lastFreeDayJSON is the JSON and log form of a LastFreeDay.
type lastFreeDayJSON struct {
	Day       Date      `json:"day"`
	Source    LFDSource `json:"source,omitempty"`
	Selection string    `json:"selection,omitempty"`
	Withheld  bool      `json:"withheld,omitempty"`
	At        *string   `json:"at"`
	Zone      string    `json:"zone,omitempty"`
}

// MarshalJSON returns the day at the place, such as "2026-03-08", or null if it is unknown; the
// source and the selection; the time; and its zone if that is known. It cannot be read back.
func (d LastFreeDay) MarshalJSON() ([]byte, error) {
	written := lastFreeDayJSON{
		Source: d.Source, Selection: d.Selection, Withheld: d.Withheld, At: d.At.wireText(), Zone: d.At.Zone(),
	}
	if day, ok := d.At.Date(); ok {
		written.Day = day
	}
	return json.Marshal(written)
}

// UnmarshalJSON returns an error: the day is computed, so store the container.
func (d *LastFreeDay) UnmarshalJSON(data []byte) error {
	return errComputed(data, "LastFreeDay", "store the container and call LastFreeDays again")
}

// LogValue returns what MarshalJSON returns, as a group.
func (d LastFreeDay) LogValue() slog.Value { return logJSON(d) }

func (d LastFreeDay) orNull() *LastFreeDay {
	if d.At.IsZero() {
		return nil
	}
	return &d
}

// Earliest returns the earliest last free day that is not withheld, comparing the calendar days at
// their places, or false if there is none. A charge may start after any last free day, so watch
// this one. It includes Chosen, in case no source was reported. After the container has left the
// port, only some of them bind; see [Verdict].
func (f LastFreeDaySummary) Earliest() (earliest LastFreeDay, ok bool) {
	return f.earliest(func(LastFreeDay) bool { return true })
}

// earliest returns the earliest last free day that binds.
func (f LastFreeDaySummary) earliest(binds func(LastFreeDay) bool) (earliest LastFreeDay, ok bool) {
	for _, lfd := range append(slices.Clip(f.Reported), f.Chosen) {
		counts := !lfd.At.IsZero() && !lfd.Withheld && binds(lfd)
		if counts && (!ok || compareDeadlines(lfd.At, earliest.At) < 0) {
			earliest, ok = lfd, true
		}
	}
	return earliest, ok
}

// DaysLeft returns the number of calendar days from now to t, both in the zone of t's place: 0 is
// today and negative is overdue. It returns false if t was not reported or its zone is unknown; for
// a verdict, the FallbackZone of [VerdictOptions] is then used.
func (t Time) DaysLeft(now time.Time) (int, bool) { return t.daysLeftIn(now, nil) }

// daysLeftIn is like DaysLeft but uses fallback if the zone of the place is unknown.
func (t Time) daysLeftIn(now time.Time, fallback *time.Location) (int, bool) {
	fewest, most, ok := t.daysLeftRange(now, fallback)
	if !ok || fewest != most {
		return 0, false
	}
	return fewest, true
}

// daysLeftRange returns the fewest and the most days that may be left. They differ only if the time
// is in either of two zones and there is no fallback.
func (t Time) daysLeftRange(now time.Time, fallback *time.Location) (fewest, most int, ok bool) {
	place, other, err := t.places()
	if err == nil {
		fewest = t.daysLeftAt(place, now)
		if most = fewest; place != other {
			most = t.daysLeftAt(other, now)
		}
	}
	if fallback != nil && !t.IsZero() && (err != nil || fewest != most) {
		fewest = t.daysLeftAt(fallback, now)
		return fewest, fewest, true
	}
	return min(fewest, most), max(fewest, most), err == nil
}

func (t Time) daysLeftAt(place *time.Location, now time.Time) int {
	today := dayNumber(now.Unix(), place)
	if t.day || t.kind == timeFloating { // the digits of a calendar day or wall clock are those at the place
		return int(dayNumber(t.seconds+int64(t.offset)*60, time.UTC) - today)
	}
	return int(dayNumber(t.seconds, place) - today)
}

// lastFreeDaysOf returns the last free days by source, in the order in which the service chooses
// one.
func lastFreeDaysOf(c *Container) [3]LastFreeDay {
	d := &c.ImportDeadlines
	return [...]LastFreeDay{
		{At: d.Line, Source: LFDSourceLine}, {At: d.Terminal, Source: LFDSourceTerminal}, {At: railDeadline(c), Source: LFDSourceRail},
	}
}

func railDeadline(c *Container) Time {
	if c.ImportDeadlines.Rail.IsZero() {
		return c.INDFacilityLFD // the deprecated copy
	}
	return c.ImportDeadlines.Rail
}

// sourceOfPickupLFD returns the source whose last free day has the value of PickupLFD: of several,
// the first at whose place it is a midnight, or else the first. An instant and a calendar day are
// compared at the place of the source, so the result does not depend on the zone of PickupLFD.
func sourceOfPickupLFD(c *Container) (source LastFreeDay, ok bool) {
	for _, lfd := range lastFreeDaysOf(c) {
		chosen := c.PickupLFD
		if !chosen.IsZero() {
			chosen.kind, chosen.zone = lfd.At.kind, lfd.At.zone
		}
		switch {
		case !sameDeadline(lfd.At, chosen):
		case lfd.At.startsDay(lfd.At.Zone()):
			return lfd, true
		case !ok:
			source, ok = lfd, true
		}
	}
	return source, ok
}

// sameDeadline reports whether two deadlines have the same value, as an instant or as a calendar
// day.
func sameDeadline(a, b Time) bool {
	if a.IsZero() || b.IsZero() {
		return false
	}
	if a.day == b.day {
		return a.seconds == b.seconds && a.nanos == b.nanos
	}
	dayA, okA := a.Date()
	dayB, okB := b.Date()
	return okA && okB && dayA == dayB
}

// compareDeadlines orders deadlines by the calendar day at their places, then by instant. If a day
// is unknown, it uses the UTC day, which can misplace only deadlines less than a day apart.
func compareDeadlines(a, b Time) int {
	if order := dayOrUTC(a).Compare(dayOrUTC(b)); order != 0 {
		return order
	}
	return a.utc().Compare(b.utc())
}

func dayOrUTC(t Time) Date {
	if day, ok := t.Date(); ok {
		return day
	}
	return DateOf(t.utc())
}

// pairZone sets the zone of all times in d, which may be nil.
func (d *PODLastFreeDays) pairZone(zone string) {
	if d == nil {
		return
	}
	pairZone(zone, &d.Unified.Original, &d.Unified.Current)
	for _, s := range []*LastFreeDayHistory{&d.Line, &d.Facility} {
		pairZone(zone, &s.Original, &s.Current, &s.Calculated)
	}
}

var (
	deadlineMembers       = jsonapi.NewTable(model{}, new(ImportDeadlines))
	sourceDeadlineMembers = jsonapi.NewTable(model{}, new(LastFreeDayHistory))
)

// readDeadline reads a time, or the current value of a source that is sent as an object.
func readDeadline(d *jsonapi.Decoder, at any) {
	if !d.IsObject() {
		readTime(d, at)
		return
	}
	var source LastFreeDayHistory
	sourceDeadlineMembers.Read(d, &source)
	*at.(*Time) = source.Current
}

// pairDeadlines sets the zone of last free days of one source.
func (c *Container) pairDeadlines(source LFDSource, deadlines ...*Time) {
	for _, at := range deadlines {
		pairZone(c.deadlineZone(source, *at), at)
	}
}

// deadlineZone returns the zone of a last free day. The service documents two zones for the line's:
// the value is a midnight in the right one. The railroad's is in the zone of the inland
// destination. If that is unknown, and the value is a midnight at the port, the railroad's is in
// the port's zone.
func (c *Container) deadlineZone(source LFDSource, at Time) string {
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	switch source {
	case LFDSourceLine:
		return cmp.Or(midnightZone(at, inland, port), inland, port)
	case LFDSourceRail:
		return cmp.Or(inland, midnightZone(at, port))
	default:
		return port
	}
}

// midnightZone returns the first zone in which t is the start of a day, or "".
func midnightZone(t Time, zones ...string) string {
	if i := slices.IndexFunc(zones, t.startsDay); i >= 0 {
		return zones[i]
	}
	return ""
}

// pairPickupLFD sets the zone of the last free day that the service chose to the zone of the source
// with the same value. If no source has it, it is at the port or at the inland destination: in the
// zone in which it is a midnight, if there is one.
func (c *Container) pairPickupLFD() {
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	if source, ok := sourceOfPickupLFD(c); ok {
		pairZone(source.At.zone, &c.PickupLFD)
		return
	}
	midnight := midnightZone(c.PickupLFD, inland, port)
	switch {
	case midnight != "":
		pairZone(midnight, &c.PickupLFD)
	case inland == "" || inland == port:
		pairZone(port, &c.PickupLFD)
	case port == "":
		markZoneUnreported(&c.PickupLFD)
	default:
		c.PickupLFD.pairEither(inland, port)
	}
}
