package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
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

func TestDaysLeft_ByZone(t *testing.T) {
	const la, ny, phoenix, shanghai = "America/Los_Angeles", "America/New_York", "America/Phoenix", "Asia/Shanghai"
	for _, row := range []struct {
		name, sent, zone, now string
		want                  int
	}{
		// The deadline is the midnight that starts the last free day. Clocks go forward on 2026-03-08 ...
		{"LA, the same evening", "2026-03-09T07:00:00Z", la, "2026-03-09T20:00:00-07:00", 0},
		{"LA, the last second of the day", "2026-03-09T07:00:00Z", la, "2026-03-09T23:59:59-07:00", 0},
		{"LA, over", "2026-03-09T07:00:00Z", la, "2026-03-10T00:00:00-07:00", -1},
		{"LA, over the short day", "2026-03-09T07:00:00Z", la, "2026-03-07T23:59:59-08:00", 2},
		{"LA, on the short day", "2026-03-09T07:00:00Z", la, "2026-03-08T23:30:00-07:00", 1},
		{"LA, short day is the last", "2026-03-08T08:00:00Z", la, "2026-03-08T03:00:00-07:00", 0},
		{"NY, over the short day", "2026-03-09T04:00:00Z", ny, "2026-03-07T23:59:59-05:00", 2},
		{"NY, short day is the last", "2026-03-08T05:00:00Z", ny, "2026-03-09T00:00:00-04:00", -1},
		{"Phoenix has no short day", "2026-03-09T07:00:00Z", phoenix, "2026-03-07T23:59:59-07:00", 2},
		// ... and back on 2026-11-01, a day of 25 hours.
		{"LA, over the long day", "2026-11-02T08:00:00Z", la, "2026-10-31T00:00:00-07:00", 2},
		{"LA, end of the long day", "2026-11-02T08:00:00Z", la, "2026-11-01T23:30:00-08:00", 1},
		{"LA, long day is the last", "2026-11-01T07:00:00Z", la, "2026-11-01T23:59:59-08:00", 0},
		{"NY, over the long day", "2026-11-02T05:00:00Z", ny, "2026-10-31T23:59:59-04:00", 2},
		{"NY, one past midnight after it", "2026-11-01T04:00:00Z", ny, "2026-11-02T00:00:00-05:00", -1},
		{"Phoenix has no long day", "2026-11-02T07:00:00Z", phoenix, "2026-10-31T00:00:00-07:00", 2},
		// Midnight in UTC is another day on both sides of the ocean.
		{"LA, now is tomorrow in UTC", "2026-03-09T07:00:00Z", la, "2026-03-10T05:00:00Z", 0},
		{"Shanghai, sent as the day before", "2026-03-09T16:00:00Z", shanghai, "2026-03-10T15:59:59Z", 0},
		{"Shanghai, now is yesterday in UTC", "2026-03-09T16:00:00Z", shanghai, "2026-03-09T16:00:00Z", 0},
		{"a machine in another zone", "2026-03-09T07:00:00Z", la, "2026-03-10T15:59:59+09:00", 0},
		{"year end", "2027-01-02T08:00:00Z", la, "2026-12-31T23:59:59-08:00", 2},
		{"year end in UTC only", "2026-12-31T08:00:00Z", la, "2027-01-01T07:59:59Z", 0},
		{"over a leap day", "2028-03-01T05:00:00Z", ny, "2028-02-28T12:00:00-05:00", 2},
		{"leap day is the last", "2028-02-29T05:00:00Z", ny, "2028-03-01T00:00:00-05:00", -1},
		{"no leap day", "2027-03-01T05:00:00Z", ny, "2027-02-28T12:00:00-05:00", 1},
		{"calendar day", "2026-03-09", la, "2026-03-09T23:59:59-07:00", 0},
		{"calendar day, over", "2026-03-09", la, "2026-03-10T00:00:00-07:00", -1},
		{"calendar day in Shanghai", "2026-03-09", shanghai, "2026-03-08T16:00:00Z", 0},
		{"end of day", "2026-03-10T06:59:59Z", la, "2026-03-09T00:00:00-07:00", 0},
		{"legacy zone", "2026-03-09T04:00:00Z", "US/Eastern", "2026-03-09T23:00:00-04:00", 0},
	} {
		days, ok := at(t, row.sent, row.zone).DaysLeft(clock(t, row.now))
		require.True(t, ok, row.name)
		assert.Equal(t, row.want, days, row.name)
	}
}

// The count falls by one at each midnight of the place and at no other time, for any change of the
// clocks do.
func TestDaysLeft_ChangesAtMidnightOnly(t *testing.T) {
	for _, zone := range []string{"America/Los_Angeles", "America/New_York", "America/Phoenix", "Asia/Shanghai",
		"Australia/Lord_Howe", "America/Santiago"} {
		place, err := time.LoadLocation(zone)
		require.NoError(t, err)
		deadline := NewTime(time.Date(2028, 12, 31, 12, 0, 0, 0, place), zone)
		now := time.Date(2028, 1, 1, 0, 0, 0, 0, place)
		before, ok := deadline.DaysLeft(now)
		require.True(t, ok)
		assert.Equal(t, 365, before, "a leap year")
		for previous := now; now.Year() == 2028; now = now.Add(time.Hour) {
			left, _ := deadline.DaysLeft(now)
			want := before
			if now.Day() != previous.Day() {
				want--
			}
			if left != want {
				t.Fatalf("%s: from %v to %v days went from %d to %d", zone, previous, now, before, left)
			}
			before, previous = left, now
		}
		assert.Zero(t, before)
	}
}

func TestDaysLeft_WithoutAZone(t *testing.T) {
	now := clock(t, "2026-03-09T20:00:00-07:00")
	la, err := time.LoadLocation("America/Los_Angeles")
	require.NoError(t, err)
	noWhere := parsedTime(t, "2026-03-09T07:00:00Z")
	markZoneUnreported(&noWhere)
	for name, v := range map[string]Time{
		"null zone":    at(t, "2026-03-09T00:00:00Z", ""), // the digits are the place's own
		"calendar day": at(t, "2026-03-09", ""),
		"plain UTC":    parsedTime(t, "2026-03-09T07:00:00Z"),
		"no zone":      noWhere,
		"unknown here": at(t, "2026-03-09T07:00:00Z", "Mars/Olympus_Mons"),
	} {
		_, ok := v.DaysLeft(now)
		assert.False(t, ok, name)
		_, ok = v.daysLeftIn(now, nil)
		assert.False(t, ok, name)
		days, ok := v.daysLeftIn(now, la)
		assert.True(t, ok, name)
		assert.Zero(t, days, name)
	}
	_, ok := Time{}.daysLeftIn(now, la)
	assert.False(t, ok, "not reported")
	days, ok := at(t, "2026-03-10T04:00:00Z", "America/New_York").daysLeftIn(clock(t, "2026-03-09T21:30:00-07:00"), la)
	assert.True(t, ok)
	assert.Zero(t, days, "a known zone takes precedence over the fallback")
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

// The days left are those between the days of the calendar of the place, whatever the zone and the
// form of the time.
func TestTime_DaysLeftAreThoseOfTheCalendar(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(36, 1))
	zones := []string{"America/Los_Angeles", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia", "America/Havana", "UTC"}
	for range scale(600, 3_000) {
		zone, other := zones[r.IntN(len(zones))], zones[r.IntN(len(zones))]
		at := Time{seconds: r.Int64N(1<<33) - 1<<31, offset: int16(r.IntN(1600) - 800), kind: timeAtPlace, zone: zone, day: r.IntN(3) == 0}
		now := time.Unix(at.seconds+r.Int64N(1<<22)-1<<21, r.Int64N(1e9))
		days := func(zone string) int {
			place, err := time.LoadLocation(zone)
			require.NoError(t, err)
			day := DateOf(at.utc().In(place))
			if at.day || at.kind == timeFloating {
				day = DateOf(at.asSent())
			}
			return day.Sub(DateOf(now.In(place)))
		}
		left, known := at.DaysLeft(now)
		require.True(t, known)
		require.Equal(t, days(zone), left, "%#v at %s", at, now)
		day, known := at.Date()
		require.True(t, known)

		at.kind, at.zone = timeAtEither, zone+" "+other
		left, known = at.DaysLeft(now)
		require.Equal(t, days(zone) == days(other), known)
		if known {
			require.Equal(t, days(zone), left)
		}
		if either, same := at.Date(); same {
			require.Equal(t, day, either)
		}
		at.kind, at.zone = timeFloating, ""
		left, known = at.daysLeftIn(now, time.FixedZone("", 3600))
		require.True(t, known)
		require.Equal(t, DateOf(at.asSent()).Sub(DateOf(now.In(time.FixedZone("", 3600)))), left)
	}
}
