package notice_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/notice"
)

// atTerminal returns a container that waits at its port, and whose terminal was checked at a time.
func atTerminal(t *testing.T, checked string, lastFreeDay string) *terminal49.Container {
	t.Helper()
	c := &terminal49.Container{Number: "MSCU1234566", AvailableForPickup: terminal49.Some(false), Holds: []terminal49.Hold{}, Fees: []terminal49.Fee{}}
	c.ID = "c"
	c.PODTerminal = terminal49.Included("t", &terminal49.Terminal{Name: "West Basin", Nickname: "WBCT"})
	c.PODDischargedAt = parsed(t, "2026-01-01T00:00:00Z")
	c.TerminalCheckedAt = parsed(t, checked)
	c.ImportDeadlines.Terminal = parsed(t, lastFreeDay)
	return c
}

func parsed(t *testing.T, text string) (at terminal49.Time) {
	t.Helper()
	require.NoError(t, at.UnmarshalText([]byte(text)))
	return at
}

func instant(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at
}

// The instants at which 2 days, 0 days and less are left, in the week in which the clocks change,
// are those of the IANA time zone database, written as UTC. Each is the first: a microsecond before
// it, nothing is due.
func TestDue_IsTheMidnightOfThePlace(t *testing.T) {
	for _, test := range []struct {
		name, day string
		start     string
		twoDays   string
		today     string
		overdue   string
	}{
		{
			name: "Los Angeles, clocks go back on 1 November", day: "2026-11-02T08:00:00Z[America/Los_Angeles]",
			start: "2026-10-30T12:00:00Z", twoDays: "2026-10-31T07:00:00Z", today: "2026-11-02T08:00:00Z", overdue: "2026-11-03T08:00:00Z",
		},
		{
			name: "Los Angeles, on the day of change itself", day: "2026-11-01T07:00:00Z[America/Los_Angeles]",
			start: "2026-10-29T12:00:00Z", twoDays: "2026-10-30T07:00:00Z", today: "2026-11-01T07:00:00Z", overdue: "2026-11-02T08:00:00Z",
		},
		{
			name: "Berlin, clocks go back on 25 October", day: "2026-10-25T22:00:00Z[Europe/Berlin]", // 23:00 on 25 October
			start: "2026-10-22T12:00:00Z", twoDays: "2026-10-22T22:00:00Z", today: "2026-10-24T22:00:00Z", overdue: "2026-10-25T23:00:00Z",
		},
		{
			name: "Sydney, clocks go forward on 4 October", day: "2026-10-04T13:00:00Z[Australia/Sydney]", // 00:00 on 5 October
			start: "2026-10-01T12:00:00Z", twoDays: "2026-10-02T14:00:00Z", today: "2026-10-04T13:00:00Z", overdue: "2026-10-05T13:00:00Z",
		},
		{
			name: "Chicago, clocks go forward on 8 March", day: "2026-03-09T05:00:00Z[America/Chicago]",
			start: "2026-03-06T12:00:00Z", twoDays: "2026-03-07T06:00:00Z", today: "2026-03-09T05:00:00Z", overdue: "2026-03-10T05:00:00Z",
		},
		{
			name: "a calendar day without a time of day", day: "2026-03-09[America/Chicago]",
			start: "2026-03-06T12:00:00Z", twoDays: "2026-03-07T06:00:00Z", today: "2026-03-09T05:00:00Z", overdue: "2026-03-10T05:00:00Z",
		},
		{
			name: "Beirut, where clocks go forward at midnight on 29 March", day: "2026-03-28T22:00:00Z[Asia/Beirut]", // 01:00, the first instant of 29 March
			start: "2026-03-25T12:00:00Z", twoDays: "2026-03-26T22:00:00Z", today: "2026-03-28T22:00:00Z", overdue: "2026-03-29T21:00:00Z",
		},
		{
			name: "one of two zones: the later midnight counts", day: "2026-11-02T18:00:00Z[America/Chicago or America/Los_Angeles]",
			start: "2026-10-30T12:00:00Z", twoDays: "2026-10-31T07:00:00Z", today: "2026-11-02T08:00:00Z", overdue: "2026-11-03T08:00:00Z",
		},
		{
			name: "one of two zones with two days, the earlier two hours before the other", day: "2026-11-03T06:30:00Z[America/Chicago or America/Los_Angeles]",
			start: "2026-10-30T12:00:00Z", twoDays: "2026-11-01T05:00:00Z", today: "2026-11-03T06:00:00Z", overdue: "2026-11-04T06:00:00Z",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := atTerminal(t, test.start, test.day)
			l := &assessed{c: c}
			require.Equal(t, []string{"not_released"}, l.at(instant(t, test.start)))
			for _, step := range []struct {
				at   string
				name string
			}{{test.twoDays, "last_free_day 2"}, {test.today, "last_free_day 0"}, {test.overdue, "overdue"}} {
				require.Equal(t, instant(t, step.at), l.due.UTC(), step.name)
				require.Empty(t, l.at(l.due.Add(-time.Microsecond)), "not before")
				require.Equal(t, []string{step.name}, l.at(l.due))
			}
			require.Zero(t, l.due, "the clock makes nothing more due")
		})
	}
}

// assessed is a container whose notices are stored.
type assessed struct {
	rules    notice.Rules
	c        *terminal49.Container
	reported *notice.Reported
	notices  []notice.Notice
	due      time.Time
}

func (a *assessed) at(now time.Time) (names []string) {
	a.notices, a.reported, a.due = a.rules.Next(a.reported, a.c, terminal49.Assess(a.c, now, a.rules.VerdictOptions()), now)
	for i := range a.notices {
		names = append(names, key(&a.notices[i]))
	}
	return names
}

// Terminal data is too old after a day, and every microsecond counts: what a database stores as due
// is never before it.
func TestDue_StaleAfterTheLastCheck(t *testing.T) {
	c := atTerminal(t, "2026-08-01T10:00:00.1234567Z", "")
	c.AvailableForPickup = terminal49.Some(true)
	a := &assessed{c: c}
	require.Equal(t, []string{"ready"}, a.at(instant(t, "2026-08-01T11:00:00Z")))
	require.Equal(t, instant(t, "2026-08-02T10:00:00.123458Z"), a.due.UTC())
	require.Empty(t, a.at(instant(t, "2026-08-02T10:00:00.1234567Z")))
	require.Equal(t, []string{"stale"}, a.at(a.due))
	require.Zero(t, a.due)
	c.TerminalCheckedAt = parsed(t, "2026-08-02T12:00:00Z")
	require.Equal(t, []string{"ready"}, a.at(instant(t, "2026-08-02T12:30:00Z")), "the terminal was checked again: a fact has moved")
	a.rules.StaleAfterHours = 48
	require.Empty(t, a.at(instant(t, "2026-08-02T12:30:00Z")))
	require.Equal(t, instant(t, "2026-08-04T12:00:00.000001Z"), a.due.UTC(), "the hours are the user's")
}

// A check in the future, by a clock that is wrong, is present a day before; so is a future fact.
func TestDue_FutureFacts(t *testing.T) {
	c := atTerminal(t, "2026-08-05T10:00:00Z", "")
	c.AvailableForPickup = terminal49.Some(true)
	a := &assessed{c: c}
	require.Equal(t, []string{"stale"}, a.at(instant(t, "2026-08-01T11:00:00Z")))
	require.Equal(t, instant(t, "2026-08-04T10:00:00Z"), a.due.UTC())
	require.Equal(t, []string{"ready"}, a.at(a.due))

	c = atTerminal(t, "2026-08-01T10:00:00Z", "")
	c.PODDischargedAt = parsed(t, "2026-08-05T00:00:00Z")
	a = &assessed{c: c}
	require.Equal(t, []string{"unknown"}, a.at(instant(t, "2026-08-01T11:00:00Z")))
	require.Equal(t, instant(t, "2026-08-04T00:00:00Z"), a.due.UTC())
	require.Equal(t, []string{"not_released"}, a.at(a.due))
}

// Nothing is due by the clock of a container that travels or has left, or whose last free day has
// no zone, is not updated any more, or was reported.
func TestDue_NeverIfTheClockChangesNothing(t *testing.T) {
	now := instant(t, "2026-08-01T11:00:00Z")
	for name, change := range map[string]func(*terminal49.Container){
		"no last free day": func(c *terminal49.Container) { c.ImportDeadlines.Terminal = terminal49.Time{} },
		"no zone": func(c *terminal49.Container) {
			c.ImportDeadlines.Terminal = terminal49.NewWallTime(instant(t, "2026-08-09T00:00:00Z"))
		},
		"out": func(c *terminal49.Container) { c.PODFullOutAt = parsed(t, "2026-08-01T00:00:00Z") },
		"tracking stopped": func(c *terminal49.Container) {
			c.Shipment = terminal49.Included("s", &terminal49.Shipment{LineTrackingStoppedAt: parsed(t, "2026-08-01T00:00:00Z")})
		},
		"never checked": func(c *terminal49.Container) { c.TerminalCheckedAt = terminal49.Time{} },
		"data too old":  func(c *terminal49.Container) { c.TerminalCheckedAt = parsed(t, "2026-07-20T00:00:00Z") },
	} {
		c := atTerminal(t, "2026-08-01T10:00:00Z", "2026-08-09T07:00:00Z[America/Los_Angeles]")
		change(c)
		a := &assessed{c: c}
		a.at(now)
		require.Zero(t, a.due, name)
	}
}
