package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func clock(t testing.TB, s string) time.Time {
	t.Helper()
	v, err := time.Parse(time.RFC3339, s)
	require.NoError(t, err)
	return v
}

func TestLastFreeDays_ByContainer(t *testing.T) {
	c := &Container{
		PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Chicago",
		PickupLFD:           parsedTime(t, "2026-03-12T05:00:00Z"),
		PickupAppointmentAt: parsedTime(t, "2026-03-08T17:00:00Z"),
		ImportDeadlines: ImportDeadlines{
			Line: parsedTime(t, "2026-03-12T05:00:00Z"), Terminal: parsedTime(t, "2026-03-10T07:00:00Z"),
			Rail: parsedTime(t, "2026-03-15"),
		},
	}
	c.pairZones()
	f := LastFreeDays(c)
	require.Len(t, f.Reported, 3)
	for i, want := range []string{"line 2026-03-12 00:00 -05:00", "terminal 2026-03-10 00:00 -07:00", "rail 2026-03-15"} {
		assert.Equal(t, want, string(f.Reported[i].Source)+" "+f.Reported[i].At.String())
	}
	assert.Equal(t, LastFreeDay{At: c.PickupLFD, Source: LFDSourceLine}, f.Chosen, "the service chooses the line's first")
	earliest, ok := f.Earliest()
	require.True(t, ok)
	assert.Equal(t, LastFreeDay{At: c.ImportDeadlines.Terminal, Source: LFDSourceTerminal}, earliest, "charges may start after the earliest")
	assert.Equal(t, "2026-03-08 10:00 -07:00", f.Appointment.String())
}

func TestLastFreeDays_ChosenSource(t *testing.T) {
	for _, row := range []struct {
		name, chosen, line, terminal, rail, old string
		source, earliest                        LFDSource
	}{
		{"none", "", "", "", "", "", "", ""},
		{"only the pick", "2026-03-10T07:00:00Z", "", "", "", "", "", ""},
		{"terminal", "2026-03-10T07:00:00Z", "", "2026-03-10T07:00:00Z", "", "", LFDSourceTerminal, LFDSourceTerminal},
		{"line first of equals", "2026-03-10T07:00:00Z", "2026-03-10T07:00:00Z", "2026-03-10T07:00:00Z", "", "",
			LFDSourceLine, LFDSourceLine},
		{"rail", "2026-03-10T07:00:00Z", "", "", "2026-03-10T07:00:00Z", "", LFDSourceRail, LFDSourceRail},
		{"rail under its old name", "2026-03-10T07:00:00Z", "", "", "", "2026-03-10T07:00:00Z", LFDSourceRail, LFDSourceRail},
		{"sent as a day", "2026-03-10", "", "2026-03-10T07:00:00Z", "", "", LFDSourceTerminal, LFDSourceTerminal},
		{"calculated, earlier than all", "2026-03-09T07:00:00Z", "2026-03-10T07:00:00Z", "", "", "", "", ""},
		{"calculated, later than one", "2026-03-11T07:00:00Z", "", "2026-03-10T07:00:00Z", "", "", "", LFDSourceTerminal},
		{"a day before a moment", "2026-03-11T07:00:00Z", "2026-03-11T07:00:00Z", "2026-03-10", "", "", LFDSourceLine,
			LFDSourceTerminal},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := &Container{PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Los_Angeles"}
			c.PickupLFD, c.ImportDeadlines.Line, c.ImportDeadlines.Terminal = parsedTime(t, row.chosen), parsedTime(t,
				row.line), parsedTime(t, row.terminal)
			c.ImportDeadlines.Rail, c.INDFacilityLFD = parsedTime(t, row.rail), parsedTime(t, row.old)
			c.pairZones()
			f := LastFreeDays(c)
			assert.Equal(t, row.source, f.Chosen.Source)
			assert.Equal(t, c.PickupLFD, f.Chosen.At)
			earliest, ok := f.Earliest()
			assert.Equal(t, row.chosen != "", ok)
			assert.Equal(t, row.earliest, earliest.Source)
		})
	}
}

func TestLastFreeDays_EarliestUsesTheCalendarOfEachPlace(t *testing.T) {
	c := &Container{
		PODTimezone: "Asia/Shanghai", FinalDestinationTimezone: "America/Los_Angeles",
		// The terminal's instant is later, but its calendar day is not: it is the 10th in both
		// places.
		ImportDeadlines: ImportDeadlines{Terminal: parsedTime(t, "2026-03-10T15:00:00Z"), Rail: parsedTime(t, "2026-03-11T06:00:00Z")},
	}
	c.pairZones()
	earliest, ok := LastFreeDays(c).Earliest()
	require.True(t, ok)
	assert.Equal(t, LFDSourceTerminal, earliest.Source, "equal days are ordered by instant")

	c.ImportDeadlines.Terminal = parsedTime(t, "2026-03-10T16:30:00Z") // the 11th in Shanghai
	c.pairZones()
	earliest, _ = LastFreeDays(c).Earliest()
	assert.Equal(t, LFDSourceRail, earliest.Source, "the 10th in Los Angeles, although it is the later instant")
}

func TestLastFreeDays_OfNothing(t *testing.T) {
	f := LastFreeDays(nil)
	_, ok := f.Earliest()
	assert.False(t, ok)
	assert.Equal(t, UrgencyReasonNoLastFreeDay, Assess(nil, time.Now(), VerdictOptions{}).UrgencyReason)
}

func TestAssess_UrgencyByDaysLeft(t *testing.T) {
	now := clock(t, "2026-03-09T20:00:00-07:00")
	la, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	base := func(lfd string) *Container {
		c := &Container{
			PODTimezone: "America/Los_Angeles", ImportDeadlines: ImportDeadlines{Terminal: parsedTime(t, lfd)},
			TerminalCheckedAt: NewTime(now.Add(-time.Hour), ""),
		}
		c.pairZones()
		return c
	}
	for _, row := range []struct {
		name   string
		c      *Container
		change func(*Container)
		rules  VerdictOptions
		level  Urgency
		days   Opt[int]
		reason UrgencyReason
	}{
		{"overdue", base("2026-03-08T08:00:00Z"), nil, VerdictOptions{}, UrgencyOverdue, Some(-1), ""},
		{"today", base("2026-03-09T07:00:00Z"), nil, VerdictOptions{}, UrgencyImminent, Some(0), ""},
		{"third day", base("2026-03-12T07:00:00Z"), nil, VerdictOptions{}, UrgencyImminent, Some(3), ""},
		{"fourth day", base("2026-03-13T07:00:00Z"), nil, VerdictOptions{}, UrgencyNone, Some(4), ""},
		{"wider threshold", base("2026-03-13T07:00:00Z"), nil, VerdictOptions{ImminentDays: Some(5)}, UrgencyImminent,
			Some(4), ""},
		{"only today", base("2026-03-10T07:00:00Z"), nil, VerdictOptions{ImminentDays: Some(0)}, UrgencyNone, Some(1), ""},
		{"no deadline", base(""), nil, VerdictOptions{}, UrgencyUnknown, Opt[int]{}, UrgencyReasonNoLastFreeDay},
		{"never checked", base("2026-03-09T07:00:00Z"), func(c *Container) { c.TerminalCheckedAt = Time{} }, VerdictOptions{}, UrgencyUnknown, Some(0), UrgencyReasonNeverChecked},
		{"checked 7 days ago", base("2026-03-09T07:00:00Z"), func(c *Container) { c.TerminalCheckedAt = NewTime(now.Add(-7*24*time.Hour), "") }, VerdictOptions{}, UrgencyImminent, Some(0), ""},
		{"checked longer ago", base("2026-03-09T07:00:00Z"), func(c *Container) { c.TerminalCheckedAt = NewTime(now.Add(-7*24*time.Hour-1), "") }, VerdictOptions{}, UrgencyUnknown, Some(0), UrgencyReasonDataOld},
		{"own limit", base("2026-03-09T07:00:00Z"), nil, VerdictOptions{DeadlineMaxAge: 59 * time.Minute}, UrgencyUnknown, Some(0), UrgencyReasonDataOld},
		{"tracking stopped, set in the rules", base("2026-03-09T07:00:00Z"), nil, VerdictOptions{TrackingStopped: true}, UrgencyUnknown, Some(0), UrgencyReasonTrackingStopped},
		{"tracking stopped, included", base("2026-03-09T07:00:00Z"), func(c *Container) {
			c.Shipment = Included("s", &Shipment{LineTrackingStoppedAt: NewTime(now, "")})
		}, VerdictOptions{}, UrgencyUnknown, Some(0), UrgencyReasonTrackingStopped},
		{"tracking goes on", base("2026-03-09T07:00:00Z"),
			func(c *Container) { c.Shipment = Included("s", &Shipment{}) }, VerdictOptions{}, UrgencyImminent, Some(0), ""},
		{"no zone", base("2026-03-09T07:00:00Z"), func(c *Container) {
			c.PODTimezone = ""
			c.pairZones()
		}, VerdictOptions{}, UrgencyUnknown, Opt[int]{}, UrgencyReasonNoZone},
		{"no zone, fallback", base("2026-03-09T07:00:00Z"), func(c *Container) {
			c.PODTimezone = ""
			c.pairZones()
		}, VerdictOptions{FallbackZone: la}, UrgencyImminent, Some(0), ""},
		{"left", base("2026-03-01T08:00:00Z"), func(c *Container) {
			c.PODFullOutAt = NewTime(now, "")
		}, VerdictOptions{}, UrgencyNone, Opt[int]{}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.change != nil {
				row.change(row.c)
			}
			v := Assess(row.c, now, row.rules)
			assert.Equal(t, row.level, v.Urgency)
			assert.Equal(t, row.days, v.DaysLeft)
			assert.Equal(t, row.reason, v.UrgencyReason)
			if v.Situation != SituationOut {
				assert.Equal(t, row.c.ImportDeadlines.Terminal, v.LastFreeDay.At)
			}
		})
	}
}

// The zone of the deadline that the service chose is that of its source, even if one was sent as an
// instant and the other as a calendar day.
func TestLastFreeDays_ZoneAndSourceAgree(t *testing.T) {
	const la, chicago = "America/Los_Angeles", "America/Chicago"
	for _, row := range []struct {
		name, pick, line, terminal, rail, old string
		source                                LFDSource
		zone                                  string
		kind                                  timeKind
	}{
		{"moment of the line", "2026-03-10T05:00:00Z", "2026-03-10T05:00:00Z", "2026-03-10T07:00:00Z", "", "",
			LFDSourceLine, chicago, timeAtPlace},
		{"moment of the terminal", "2026-03-10T07:00:00Z", "2026-03-11T05:00:00Z", "2026-03-10T07:00:00Z", "", "",
			LFDSourceTerminal, la, timeAtPlace},
		{"day of the terminal's moment", "2026-03-10", "2026-03-11T05:00:00Z", "2026-03-10T07:00:00Z", "", "",
			LFDSourceTerminal, la, timeAtPlace},
		{"moment of the terminal's day", "2026-03-10T07:00:00Z", "2026-03-11T05:00:00Z", "2026-03-10", "", "",
			LFDSourceTerminal, la, timeAtPlace},
		{"moment late on the terminal's day", "2026-03-11T06:59:59Z", "", "2026-03-10", "", "", LFDSourceTerminal, la,
			timeAtPlace},
		{"midnight in UTC is not the day in UTC", "2026-03-11T00:00:00Z", "", "2026-03-11", "", "", "", "",
			timeAtEither},
		{"same day at the line, not at the terminal", "2026-03-10T06:00:00Z", "2026-03-10", "2026-03-10", "", "",
			LFDSourceLine, chicago, timeAtPlace},
		{"day before at the line", "2026-03-10T05:30:00Z", "2026-03-09", "2026-03-10T05:30:00Z", "", "", LFDSourceTerminal,
			la, timeAtPlace},
		{"fraction of a second more", "2026-03-10T07:00:00.5Z", "", "2026-03-10T07:00:00Z", "", "", "", "",
			timeAtEither},
		{"rail under its old name", "2026-03-10T05:00:00Z", "", "2026-03-11T07:00:00Z", "", "2026-03-10T05:00:00Z",
			LFDSourceRail, chicago, timeAtPlace},
		{"none, midnight inland", "2026-03-10T05:00:00Z", "", "", "", "", "", chicago, timeAtPlace},
		{"none, midnight at the port", "2026-03-10T07:00:00Z", "", "", "", "", "", la, timeAtPlace},
		{"none, no midnight", "2026-03-10T06:00:00Z", "", "", "", "", "", "", timeAtEither},
		{"line at the port, although the inland zone comes first", "2026-03-10T07:00:00Z", "2026-03-10T07:00:00Z", "", "", "",
			LFDSourceLine, la, timeAtPlace},
		{"of equal sources the one at midnight", "2026-03-10T17:00:00Z", "2026-03-10T17:00:00Z", "", "2026-03-10T17:00:00Z", "",
			LFDSourceLine, chicago, timeAtPlace},
		{"the terminal's midnight before the line's no midnight", "2026-03-10", "2026-03-10T17:00:00Z", "2026-03-10T07:00:00Z", "", "",
			LFDSourceTerminal, la, timeAtPlace},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := &Container{PODTimezone: la, FinalDestinationTimezone: chicago, PickupLFD: parsedTime(t, row.pick),
				INDFacilityLFD: parsedTime(t, row.old)}
			c.ImportDeadlines = ImportDeadlines{Line: parsedTime(t, row.line), Terminal: parsedTime(t, row.terminal),
				Rail: parsedTime(t, row.rail)}
			c.pairZones()
			assert.Equal(t, row.source, LastFreeDays(c).Chosen.Source)
			assert.Equal(t, row.zone, c.PickupLFD.Zone())
			assert.Equal(t, row.kind, c.PickupLFD.kind)
		})
	}
}

// A printed value has the days of the places, not a struct's fields; whose day it is has the words
// of a verdict's sentence.
func TestFreeDays_StringShowsTheDays(t *testing.T) {
	losAngeles := at(t, "2026-03-10T07:00:00Z", "America/Los_Angeles")
	terminal := LastFreeDay{At: losAngeles, Source: LFDSourceTerminal}
	for want, days := range map[string]LastFreeDaySummary{
		"no last free day is reported":                                      {},
		"the terminal's last free day 2026-03-10":                           {Reported: []LastFreeDay{terminal}},
		"chosen: the last free day 2026-03-10":                              {Chosen: LastFreeDay{At: losAngeles}},
		"no last free day is reported, appointment 2026-03-10 00:00 -07:00": {Appointment: losAngeles},
		"the terminal's last free day 2026-03-10, the tracking service withholds the last free day": {
			Reported: []LastFreeDay{terminal}, withheld: true,
		},
	} {
		assert.Equal(t, want, fmt.Sprint(days))
	}
	assert.Equal(t, "the railroad's last free day 2026-03-15", fmt.Sprint(LastFreeDay{At: at(t, "2026-03-15", "America/Chicago"), Source: LFDSourceRail}))
	assert.Equal(t, "the shipping line's last free day 2026-03-10", fmt.Sprint(LastFreeDay{At: losAngeles, Source: LFDSourceLine}))
	assert.Equal(t, "no last free day is reported", fmt.Sprint(LastFreeDay{}))
}

// The days are those of container CSNU8439129 of the service's OpenAPI document.
func TestFreeDays_JSONShowsTheDays(t *testing.T) {
	const la, chicago = "America/Los_Angeles", "America/Chicago"
	c := &Container{
		PODTimezone: la, FinalDestinationTimezone: chicago, TerminalCheckedAt: parsedTime(t, "2024-06-26T18:47:47Z"),
		PickupLFD: parsedTime(t, "2024-07-01T07:00:00Z"), PickupAppointmentAt: parsedTime(t, "2024-06-28T15:00:00Z"),
		ImportDeadlines: ImportDeadlines{Line: parsedTime(t, "2024-07-01T07:00:00Z"), Terminal: parsedTime(t, "2024-07-01T07:00:00Z")},
	}
	c.pairZones()
	f := LastFreeDays(c)
	const line = `{"day":"2024-07-01","source":"line","at":"2024-07-01T07:00:00Z","zone":"America/Los_Angeles"}`
	const terminal = `{"day":"2024-07-01","source":"terminal","at":"2024-07-01T07:00:00Z","zone":"America/Los_Angeles"}`
	for want, v := range map[string]interface {
		json.Marshaler
		slog.LogValuer
	}{
		`{"earliest":` + line + `,"chosen":` + line + `,"reported":[` + line + `,` + terminal + `],"appointment":"2024-06-28T15:00:00Z[America/Los_Angeles]"}`: f,
		`{"earliest":null,"chosen":null,"reported":[],"appointment":null}`:                                                                                     LastFreeDaySummary{},
		`{"day":null,"at":null}`:                                   LastFreeDay{},
		`{"day":null,"source":"rail","at":"2024-07-01T07:00:00Z"}`: LastFreeDay{At: changedTime(t), Source: LFDSourceRail},
	} {
		got, err := json.Marshal(v)
		require.NoError(t, err)
		assert.Equal(t, want, string(got))
		var logged bytes.Buffer
		slog.New(slog.NewJSONHandler(&logged, nil)).Info("m", "v", v)
		var line struct{ V json.RawMessage }
		require.NoError(t, json.Unmarshal(logged.Bytes(), &line))
		assert.JSONEq(t, want, string(line.V))
		read := reflect.New(reflect.TypeOf(v))
		assert.ErrorContains(t, json.Unmarshal(got, read.Interface()), "is computed")
	}
}

// changedTime is a time as a changeset has it, without a zone.
func changedTime(t *testing.T) Time {
	v := parsedTime(t, "2024-07-01T07:00:00Z")
	markZoneUnreported(&v)
	return v
}

// The service documents the zone of the inland destination first; it decides if both are midnights.
func TestLastFreeDays_MidnightInBothZones(t *testing.T) {
	c := &Container{PODTimezone: "America/Los_Angeles", FinalDestinationTimezone: "America/Phoenix",
		PickupLFD: parsedTime(t, "2026-07-10T07:00:00Z"), ImportDeadlines: ImportDeadlines{Line: parsedTime(t, "2026-07-10T07:00:00Z")}}
	c.pairZones()
	require.Equal(t, "America/Phoenix", c.ImportDeadlines.Line.Zone())
	require.Equal(t, "America/Phoenix", c.PickupLFD.Zone())
	c.ImportDeadlines.Line = Time{}
	c.pairZones()
	require.Equal(t, "America/Phoenix", c.PickupLFD.Zone())
}

// ReadContainers decodes containers from their attributes.
func ReadContainers(t *testing.T, attributes ...string) []*Container {
	t.Helper()
	items := make([]string, len(attributes))
	for i, object := range attributes {
		items[i] = fmt.Sprintf(`{"id":"c-%d","type":"container","attributes":%s}`, i, object)
	}
	containers, _ := read[Container](t, `{"data":[`+strings.Join(items, ",")+`]}`)
	require.Len(t, containers, len(attributes))
	return containers
}

// The containers of the service's OpenAPI document whose two zones differ, and one without a second
// zone. The days are those of the midnights in the port's zone; at 09:00 there a container is not
// overdue on its own last free day.
func TestLastFreeDays_OfTheSamples(t *testing.T) {
	for _, sample := range []struct {
		number, attributes string
		chosen, line       string
		now                string
		level              Urgency
		days               int
	}{
		{"CMAU0619052", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":"Asia/Shanghai","terminal_checked_at":"2024-06-26T18:47:47Z",
			"pickup_lfd":"2024-06-27T07:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-06-27T07:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-06-27T07:00:00Z"}}`,
			"2024-06-27", "2024-06-27", "2024-06-27T09:00:00-07:00", UrgencyImminent, 0},
		{"TGHU6578122", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/New_York","terminal_checked_at":"2024-06-26T18:47:47Z",
			"pickup_lfd":"2024-06-27T07:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-06-27T07:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-06-27T07:00:00Z"}}`,
			"2024-06-27", "2024-06-27", "2024-06-27T23:59:59-07:00", UrgencyImminent, 0},
		{"CSNU8439129", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago","terminal_checked_at":"2024-06-26T18:47:47Z",
			"pickup_lfd":"2024-07-01T07:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-07-01T07:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-07-01T07:00:00Z"}}`,
			"2024-07-01", "2024-07-01", "2024-07-02T00:00:00-07:00", UrgencyOverdue, -1},
		{"CAIU7432986", `{"pod_timezone":"America/New_York","final_destination_timezone":"US/Eastern","terminal_checked_at":"2024-06-26T17:51:12Z",
			"pickup_lfd":"2024-07-07T04:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-07-07T04:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-07-07T04:00:00Z"}}`,
			"2024-07-07", "2024-07-07", "2024-06-28T12:00:00-04:00", UrgencyNone, 9},
		{"KOCU4959010", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":null,"terminal_checked_at":"2022-02-11T22:45:32Z",
			"pickup_lfd":"2022-01-21T08:00:00Z","import_deadlines":{"pickup_lfd_terminal":null,"pickup_lfd_rail":"2022-02-20T08:00:00Z","pickup_lfd_line":"2022-02-25T08:00:00Z"}}`,
			"2022-01-21", "2022-02-25", "2022-02-11T15:00:00-08:00", UrgencyOverdue, -21},
	} {
		t.Run(sample.number, func(t *testing.T) {
			c := ReadContainers(t, sample.attributes)[0]
			now, err := time.Parse(time.RFC3339, sample.now)
			require.NoError(t, err)
			requireDay(t, sample.chosen, c.PickupLFD)
			requireDay(t, sample.line, c.ImportDeadlines.Line)
			v := Assess(c, now, VerdictOptions{})
			require.Equal(t, sample.level, v.Urgency)
			require.Equal(t, Some(sample.days), v.DaysLeft)
		})
	}
}

func requireDay(t *testing.T, want string, at Time) {
	t.Helper()
	day, ok := at.Date()
	require.True(t, ok, "%v", at)
	require.Equal(t, want, day.String())
}

// The documents name two zones for the line's last free day and none for one that no source has. If
// only pickup_lfd was sent, an answer that is the same in both zones is the answer.
func TestLastFreeDays_InOneOfTwoZones(t *testing.T) {
	const zones = `"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago","terminal_checked_at":"2026-03-01T12:00:00Z",`
	for _, row := range []struct {
		name, lfd, now string
		level          Urgency
		days           Opt[int]
	}{
		{"the same day in both", "2026-03-05T18:00:00Z", "2026-03-04T18:00:00Z", UrgencyImminent, Some(1)},
		{"another day in each, overdue in both", "2026-03-02T07:00:00Z", "2026-03-05T18:00:00Z", UrgencyOverdue, Opt[int]{}},
		{"another day in each, near in both", "2026-03-07T07:00:00Z", "2026-03-05T18:00:00Z", UrgencyImminent, Opt[int]{}},
		{"another day in each, far in both", "2026-03-20T06:00:00Z", "2026-03-05T18:00:00Z", UrgencyNone, Opt[int]{}},
		{"overdue in one", "2026-03-05T07:00:00Z", "2026-03-05T18:00:00Z", UrgencyUnknown, Opt[int]{}},
		{"now is another day in each", "2026-03-05T18:00:00Z", "2026-03-06T06:30:00Z", UrgencyUnknown, Opt[int]{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := ReadContainers(t, `{`+zones+`"pickup_lfd":"`+row.lfd+`"}`)[0]
			now, err := time.Parse(time.RFC3339, row.now)
			require.NoError(t, err)
			v := Assess(c, now, VerdictOptions{})
			require.Equal(t, row.level, v.Urgency)
			require.Equal(t, row.days, v.DaysLeft)
			if row.level == UrgencyUnknown {
				require.Equal(t, UrgencyReasonNoZone, v.UrgencyReason)
			}
			_, err = c.PickupLFD.Local()
			require.ErrorIs(t, err, ErrNoZone, "the zone stays unknown")
		})
	}
}

// A day in a story: which day it is, and the place whose midnight the service sends.
type deadline struct {
	day  time.Time // its year, month and day
	zone string
	hour int
}

func (d deadline) sent() string {
	place, err := time.LoadLocation(d.zone)
	if err != nil {
		panic(err)
	}
	y, m, day := d.day.Date()
	at := time.Date(y, m, day, d.hour, 0, 0, 0, place)
	if at.Day() != day { // clocks go forward at midnight, so the day begins at 01:00
		at = at.Add(time.Hour)
	}
	return at.UTC().Format(time.RFC3339)
}

// Last free days are midnights at their place, sent in UTC; the line's place is the port or the
// inland destination, and the railroad's time of day means nothing. pickup_lfd is the first of
// line, terminal and rail. So in every combination of zones the day of each must be the day of the
// story.
func TestLastFreeDays_DayOfTheStoryInAnyZones(t *testing.T) {
	zones := []string{"America/Los_Angeles", "America/Chicago", "US/Eastern", "America/New_York", "America/Phoenix", "America/Halifax",
		"Asia/Shanghai", "Asia/Kolkata", "Europe/Paris", "Australia/Sydney", "Pacific/Auckland", "America/Santiago", "UTC"}
	r := rand.New(rand.NewPCG(20240627, 2))
	stories := scale(500, 20_000)
	for range stories / 100 {
		var attributes []string
		var want []map[string]string
		for range 100 {
			object, days := lfdStory(r, zones)
			attributes, want = append(attributes, object), append(want, days)
		}
		for i, c := range ReadContainers(t, attributes...) {
			for name, at := range map[string]Time{"line": c.ImportDeadlines.Line, "terminal": c.ImportDeadlines.Terminal,
				"rail": c.ImportDeadlines.Rail, "chosen": c.PickupLFD} {
				day, ok := at.Date()
				if want[i][name] == "" && at.IsZero() {
					continue
				}
				require.True(t, ok, "%s of %s", name, attributes[i])
				require.Equal(t, want[i][name], day.String(), "%s of %s", name, attributes[i])
			}
		}
	}
	t.Logf("figure: the day of every last free day is right for %d containers in %d zones", stories, len(zones))
}

// lfdStory returns the attributes of a container, and the true day of each of its deadlines.
func lfdStory(r *rand.Rand, zones []string) (attributes string, days map[string]string) {
	random := func() time.Time { return time.Date(2026, time.Month(1+r.IntN(12)), 1+r.IntN(28), 0, 0, 0, 0, time.UTC) }
	port, inland := zones[r.IntN(len(zones))], zones[r.IntN(len(zones))]
	if r.IntN(4) == 0 {
		inland = "" // no inland destination
	}
	line := deadline{random(), port, 0}
	if inland != "" && r.IntN(2) == 0 {
		line.zone = inland
	}
	sources := map[string]deadline{"line": line, "terminal": {random(), port, 0}}
	if inland != "" {
		sources["rail"] = deadline{random(), inland, r.IntN(24)}
	}
	sent, nested := map[string]any{"pod_timezone": port, "final_destination_timezone": nil}, map[string]any{}
	if inland != "" {
		sent["final_destination_timezone"] = inland
	}
	days = map[string]string{}
	for _, name := range []string{"line", "terminal", "rail"} {
		d, ok := sources[name]
		if !ok || r.IntN(3) == 0 {
			continue
		}
		days[name] = d.day.Format(time.DateOnly)
		nested["pickup_lfd_"+name] = d.sent()
		if days["chosen"] == "" {
			days["chosen"], sent["pickup_lfd"] = days[name], d.sent()
		}
	}
	if r.IntN(4) == 0 && days["rail"] == "" { // only the choice is sent, by a source whose days are midnights
		delete(days, "line")
		delete(days, "terminal")
		nested = nil
	}
	sent["import_deadlines"] = nested
	object, err := json.Marshal(sent)
	if err != nil {
		panic(err)
	}
	return string(object), days
}

// The nested form of the service's newest test data, with its example: a last free day may be a
// plain date or a time, each level may be missing, and an empty choice means unknown.
func TestDeadlines_BySource(t *testing.T) {
	const zones = `"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago",`
	c := ReadContainers(t, `{`+zones+`"pickup_lfd":"2027-03-14T08:00:00Z","import_deadlines":{
		"pickup_lfd_terminal":"2027-03-11T08:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2027-03-14T08:00:00Z","pod":{
		"line":{"original":"2027-03-13","current":"2027-03-14T08:00:00Z","calculated":null,"manual":false},
		"facility":{"original":null,"current":"2027-03-11T08:00:00Z","calculated":"2027-03-12","manual":false},
		"unified":{"original_value":"2027-03-13","original_selection":"line","current_value":"2027-03-11T08:00:00Z","current_selection":"facility"}}}}`)[0]
	pod := c.ImportDeadlines.POD
	requireDay(t, "2027-03-13", pod.Line.Original)
	requireDay(t, "2027-03-14", pod.Line.Current)
	require.True(t, pod.Line.Calculated.IsZero())
	require.False(t, pod.Line.Manual)
	require.True(t, pod.Facility.Original.IsZero())
	requireDay(t, "2027-03-11", pod.Facility.Current)
	requireDay(t, "2027-03-12", pod.Facility.Calculated)
	requireDay(t, "2027-03-13", pod.Unified.Original)
	require.Equal(t, "line", pod.Unified.OriginalSelection)
	requireDay(t, "2027-03-11", pod.Unified.Current)
	require.Equal(t, "facility", pod.Unified.CurrentSelection)
	requireDay(t, "2027-03-14", c.PickupLFD)
	chosen := LastFreeDays(c).Chosen
	requireDay(t, "2027-03-11", chosen.At)
	require.Equal(t, LFDSourceTerminal, chosen.Source)
	require.Equal(t, "facility", chosen.Selection)

	for name, object := range map[string]string{
		"withheld":        `{"pod":{"unified":null,"line":{"current":"2027-03-14T08:00:00Z"}}}`,
		"an empty choice": `{"pod":{"unified":{"current_value":null,"current_selection":null}}}`,
		"missing":         `{"pod":{}}`,
		"null":            `{"pod":null}`,
	} {
		c := ReadContainers(t, `{`+zones+`"pickup_lfd":"2027-03-14T08:00:00Z","import_deadlines":`+object+`}`)[0]
		pod := c.ImportDeadlines.POD
		require.Equal(t, name == "null", pod == nil)
		require.True(t, pod == nil || pod.Unified.Current.IsZero(), "%s: no other day may take its place", name)
		require.Equal(t, pod != nil, LastFreeDays(c).Chosen.At.IsZero(), name)
	}

	// A source that is an object instead of a time counts with its current value.
	c = ReadContainers(t, `{`+zones+`"import_deadlines":{"pickup_lfd_line":{"original":"2027-03-13","current":"2027-03-14T08:00:00Z"},
		"pickup_lfd_terminal":{"original":"2027-03-13","current":null}}}`)[0]
	requireDay(t, "2027-03-14", c.ImportDeadlines.Line)
	require.True(t, c.ImportDeadlines.Terminal.IsZero())
}

// Selections and dates of docs/service-containers.md#free-days-by-source, and a selection that is
// not listed there. The nested form does not cover the inland destination, so the railroad's choice
// remains.
func TestLastFreeDays_NameTheUnifiedSource(t *testing.T) {
	for selection, source := range map[string]LFDSource{
		"line": LFDSourceLine, "facility": LFDSourceTerminal, "line_calculated": LFDSourceLine,
		"facility_manual": LFDSourceTerminal, "facility_calculated": LFDSourceTerminal, "oracle": "",
	} {
		c := ReadContainers(t, `{"pickup_lfd":"2027-03-14T08:00:00Z","import_deadlines":{"pickup_lfd_line":"2027-03-14T08:00:00Z",
			"pod":{"unified":{"current_value":"2027-03-12","current_selection":"`+selection+`"}}}}`)[0]
		free := LastFreeDays(c)
		requireDay(t, "2027-03-12", free.Chosen.At)
		require.Equal(t, source, free.Chosen.Source, selection)
		require.Equal(t, selection, free.Chosen.Selection)
		earliest, _ := free.Earliest()
		require.Equal(t, free.Chosen, earliest)
	}
	c := ReadContainers(t, `{"final_destination_timezone":"America/Chicago","pickup_lfd":"2027-03-20T17:00:00Z","import_deadlines":{
		"pickup_lfd_rail":"2027-03-20T17:00:00Z","pod":{"unified":{"current_value":"2027-03-12","current_selection":"facility"}}}}`)[0]
	require.Equal(t, LFDSourceRail, LastFreeDays(c).Chosen.Source)
	require.Empty(t, LastFreeDays(c).Chosen.Selection)
}

// The changelog of 2026-04-20 to 06-15 says that the service drops last free days once a container
// was picked up at the port, and that the railroad's keeps being updated after that.
func TestLastFreeDays_OfTheRailroadAfterThePort(t *testing.T) {
	const rail = `"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago","terminal_checked_at":"2026-03-10T12:00:00Z",
		"import_deadlines":{"pickup_lfd_rail":"2026-03-09T17:00:00Z"},"pickup_lfd":"2026-03-09T17:00:00Z","pod_full_out_at":"2026-03-01T17:00:00Z"`
	for more, want := range map[string]Urgency{
		``:                              UrgencyOverdue,
		`,"current_status":"available"`: UrgencyOverdue,
		`,"current_status":"picked_up"`: UrgencyOverdue, // that may be the gate-out at the port
		`,"final_destination_full_out_at":"2026-03-08T17:00:00Z"`: UrgencyNone,
		`,"empty_terminated_at":"2026-03-08T17:00:00Z"`:           UrgencyNone,
		`,"delivered_at":"2026-03-08T17:00:00Z"`:                  UrgencyNone,
	} {
		c := ReadContainers(t, `{`+rail+more+`}`)[0]
		v := Assess(c, time.Date(2026, 3, 10, 18, 0, 0, 0, time.UTC), VerdictOptions{})
		require.Equal(t, want, v.Urgency, more)
		require.Equal(t, want == UrgencyNone, v.Situation.HasLeft(), more)
	}
	c := ReadContainers(t, `{"pod_timezone":"America/Los_Angeles","pod_full_out_at":"2026-03-01T17:00:00Z"}`)[0]
	require.Equal(t, SituationOut, Assess(c, time.Now(), VerdictOptions{}).Situation)
}
