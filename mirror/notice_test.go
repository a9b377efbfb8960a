package mirror

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/notice"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

func TestSituationRules_Defaults(t *testing.T) {
	rules, err := ParseSituationRules([]byte("{}"))
	require.NoError(t, err)
	require.Equal(t, SituationRules{LastFreeDays: []int{2, 0}, ETASlipHours: 24, StaleAfterHours: 24, DeadlineStaleAfterHours: 168}, rules)
	rules, err = ParseSituationRules([]byte(`{"last_free_days": [], "eta_slip_hours": 6}` + "\n"))
	require.NoError(t, err)
	require.Equal(t, SituationRules{LastFreeDays: []int{}, ETASlipHours: 6, StaleAfterHours: 24, DeadlineStaleAfterHours: 168}, rules)
	options := notice.Rules{StaleAfterHours: 3}.VerdictOptions()
	require.Equal(t, terminal49.VerdictOptions{MaxAge: 3 * time.Hour, DeadlineMaxAge: 168 * time.Hour}, options)
}

// A mistake in the file is an error that names the member and what to write.
func TestSituationRules_Mistakes(t *testing.T) {
	const hours = "must be a whole number of hours from 1 to 8760, such as 24, without quotes and unit, not "
	const days = "must be a list of whole numbers of calendar days from 0 to 60, such as [2, 0], without quotes and unit, not "
	for file, want := range map[string][2]string{
		`{"eta_slip_hours": "2d"}`:                   {"eta_slip_hours", hours + `"2d"`},
		`{"eta_slip_hours": -1}`:                     {"eta_slip_hours", hours + "-1"},
		`{"stale_after_hours": "31"}`:                {"stale_after_hours", hours + `"31"`},
		`{"stale_after_hours": 0}`:                   {"stale_after_hours", hours + "0"},
		`{"stale_after_hours": 1.5}`:                 {"stale_after_hours", hours + "1.5"},
		`{"stale_after_hours": null}`:                {"stale_after_hours", hours + "null"},
		`{"deadline_stale_after_hours": 8761}`:       {"deadline_stale_after_hours", hours + "8761"},
		`{"last_free_days": 2}`:                      {"last_free_days", days + "2"},
		`{"last_free_days": ["2"]}`:                  {"last_free_days", days + `["2"]`},
		`{"last_free_days": null}`:                   {"last_free_days", days + "null"},
		`{"last_free_days": [-1]}`:                   {"last_free_days", "must have whole numbers of calendar days from 0 to 60, such as [2, 0], not -1"},
		`{"last_free_days": [61]}`:                   {"last_free_days", "not 61"},
		`{"last_free_days": [2, 2]}`:                 {"last_free_days", "has 2 twice"},
		`{"eta_slip_days": 1}`:                       {"eta_slip_days", "is not a member of the rules; the members are last_free_days, eta_slip_hours, stale_after_hours, deadline_stale_after_hours"},
		`{"ETA_slip_hours": 1}`:                      {"ETA_slip_hours", "is not a member"},
		`{"eta_slip_hours": 1, "eta_slip_hours": 2}`: {"eta_slip_hours", "is there twice"},
		`{"eta_slip_hours": 2d}`:                     {"eta_slip_hours", `is not followed by valid JSON, such as {"last_free_days": [2, 0], "eta_slip_hours": 24}: invalid character 'd'`},
		`{"eta_slip_hours": 2`:                       {"eta_slip_hours", "the object is not closed"},
		`{"eta_slip_hours": 2 "x"`:                   {"eta_slip_hours", "is not followed by valid JSON"},
		`{"eta_slip_hours"`:                          {"eta_slip_hours", "is not followed by valid JSON"},
		`{} {}`:                                      {"rules", "must have nothing after the object"},
		`[2, 0]`:                                     {"rules", "must be a JSON object"},
		`null`:                                       {"rules", "must be a JSON object"},
		``:                                           {"rules", "must be a JSON object"},
		"{\"\\u001b[31mx\": 1}":                      {"[31mx", "is not a member"},
	} {
		_, err := ParseSituationRules([]byte(file))
		var argument *terminal49.ArgumentError
		if assert.ErrorAs(t, err, &argument, file) {
			assert.Equal(t, want[0], argument.Field, file)
			assert.Contains(t, argument.Problem, want[1], file)
			assert.Equal(t, "mirror.ParseSituationRules", argument.Op)
		}
	}
}

func TestSituationRules_Option(t *testing.T) {
	o := worker.Defaults()
	require.NoError(t, WithSituationRules(SituationRules{ETASlipHours: 6})(&o))
	require.Equal(t, 6, o.Notices.ETASlipHours)
	err := WithSituationRules(SituationRules{StaleAfterHours: -1})(&o)
	require.EqualError(t, err, "terminal49: mirror.New: WithSituationRules stale_after_hours must be a whole number of hours from 1 to 8760, "+
		"such as 24, without quotes and unit, not -1")
	require.ErrorContains(t, WithSituationRules(SituationRules{LastFreeDays: []int{99}})(&o), "last_free_days must have")
}

// A notice that is read from a change has all that was written, and any other change is not one.
func TestNotice_IsReadFromItsChange(t *testing.T) {
	c := &terminal49.Container{Number: "MSCU1234566", Holds: []terminal49.Hold{}, Fees: []terminal49.Fee{}}
	c.ID, c.AvailableForPickup = "c1", terminal49.Some(true)
	c.PODDischargedAt = terminal49.NewTime(time.Date(2026, 7, 30, 0, 0, 0, 0, time.UTC), "America/Los_Angeles")
	c.TerminalCheckedAt = terminal49.NewTime(time.Date(2026, 8, 1, 11, 0, 0, 0, time.UTC), "")
	c.ImportDeadlines.Terminal = terminal49.NewTime(time.Date(2026, 8, 3, 7, 0, 0, 0, time.UTC), "America/Los_Angeles")
	now := time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)
	rules := notice.Defaults()
	notices, reported, _ := rules.Next(nil, c, terminal49.Assess(c, now, rules.VerdictOptions()), now)
	c.Holds = []terminal49.Hold{{Name: "customs", Status: terminal49.HoldStatusActive}}
	more, _, _ := rules.Next(reported, c, terminal49.Assess(c, now, rules.VerdictOptions()), now)
	notices = append(notices, more...)
	require.Len(t, notices, 4)
	for i, name := range []string{"ready", NoticeLastFreeDay, "stale", NoticeHoldPlaced} {
		old, after, err := notices[i].JSON()
		require.NoError(t, err)
		change := Change{Seq: 7, Kind: KindSituation, ID: "c1", Attribute: notices[i].Name, Old: old, New: after}
		n, ok, err := change.Notice()
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, name, n.Name)
		require.Equal(t, notices[i].Sentence, n.Sentence)
		require.Equal(t, i < 2, n.Before == nil)
		require.Equal(t, terminal49.Date{Year: 2026, Month: 8, Day: 3}, n.After.LastFreeDay)
		require.Equal(t, "America/Los_Angeles", n.After.LastFreeDayAt.Zone())
		require.Equal(t, terminal49.Some(2), n.After.DaysLeft)
	}
	_, ok, err := Change{Kind: "container", ID: "c1", Attribute: "number", New: json.RawMessage(`"x"`)}.Notice()
	require.False(t, ok)
	require.NoError(t, err)
	for _, damaged := range []Change{
		{Kind: KindSituation, ID: "c1", Attribute: "ready"},
		{Kind: KindSituation, ID: "c1", Attribute: "ready", New: json.RawMessage(`{"situation": 1}`)},
		{Kind: KindSituation, ID: "c1", Attribute: "ready", New: json.RawMessage(`{}`), Old: json.RawMessage(`[]`)},
	} {
		_, ok, err := damaged.Notice()
		require.False(t, ok)
		require.ErrorContains(t, err, "terminal49: notice ready of container c1: ")
	}
}
