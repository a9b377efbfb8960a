package terminal49_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// readContainers decodes containers from their attributes, through the client.
func readContainers(t *testing.T, attributes ...string) []*terminal49.Container {
	t.Helper()
	items := make([]string, len(attributes))
	for i, object := range attributes {
		items[i] = fmt.Sprintf(`{"id":"c-%d","type":"container","attributes":%s}`, i, object)
	}
	body := `{"data":[` + strings.Join(items, ",") + `]}`
	page, err := testkit.NewClient(t, testkit.Answer(http.StatusOK, body)).Containers.List(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, page.Items, len(attributes))
	return page.Items
}

// The containers of the service's OpenAPI document whose two zones differ, and one without a second
// zone. The days are those of the midnights in the port's zone; at 09:00 there a container is not
// overdue on its own last free day.
func TestLastFreeDays_OfTheSamples(t *testing.T) {
	for _, sample := range []struct {
		number, attributes string
		chosen, line       string
		now                string
		level              terminal49.Urgency
		days               int
	}{
		{"CMAU0619052", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":"Asia/Shanghai","terminal_checked_at":"2024-06-26T18:47:47Z",
			"pickup_lfd":"2024-06-27T07:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-06-27T07:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-06-27T07:00:00Z"}}`,
			"2024-06-27", "2024-06-27", "2024-06-27T09:00:00-07:00", terminal49.UrgencyImminent, 0},
		{"TGHU6578122", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/New_York","terminal_checked_at":"2024-06-26T18:47:47Z",
			"pickup_lfd":"2024-06-27T07:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-06-27T07:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-06-27T07:00:00Z"}}`,
			"2024-06-27", "2024-06-27", "2024-06-27T23:59:59-07:00", terminal49.UrgencyImminent, 0},
		{"CSNU8439129", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago","terminal_checked_at":"2024-06-26T18:47:47Z",
			"pickup_lfd":"2024-07-01T07:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-07-01T07:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-07-01T07:00:00Z"}}`,
			"2024-07-01", "2024-07-01", "2024-07-02T00:00:00-07:00", terminal49.UrgencyOverdue, -1},
		{"CAIU7432986", `{"pod_timezone":"America/New_York","final_destination_timezone":"US/Eastern","terminal_checked_at":"2024-06-26T17:51:12Z",
			"pickup_lfd":"2024-07-07T04:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2024-07-07T04:00:00Z","pickup_lfd_rail":null,"pickup_lfd_line":"2024-07-07T04:00:00Z"}}`,
			"2024-07-07", "2024-07-07", "2024-06-28T12:00:00-04:00", terminal49.UrgencyNone, 9},
		{"KOCU4959010", `{"pod_timezone":"America/Los_Angeles","final_destination_timezone":null,"terminal_checked_at":"2022-02-11T22:45:32Z",
			"pickup_lfd":"2022-01-21T08:00:00Z","import_deadlines":{"pickup_lfd_terminal":null,"pickup_lfd_rail":"2022-02-20T08:00:00Z","pickup_lfd_line":"2022-02-25T08:00:00Z"}}`,
			"2022-01-21", "2022-02-25", "2022-02-11T15:00:00-08:00", terminal49.UrgencyOverdue, -21},
	} {
		t.Run(sample.number, func(t *testing.T) {
			c := readContainers(t, sample.attributes)[0]
			now, err := time.Parse(time.RFC3339, sample.now)
			require.NoError(t, err)
			requireDay(t, sample.chosen, c.PickupLFD)
			requireDay(t, sample.line, c.ImportDeadlines.Line)
			v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
			require.Equal(t, sample.level, v.Urgency)
			require.Equal(t, terminal49.Some(sample.days), v.DaysLeft)
		})
	}
}

func requireDay(t *testing.T, want string, at terminal49.Time) {
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
		level          terminal49.Urgency
		days           terminal49.Opt[int]
	}{
		{"the same day in both", "2026-03-05T18:00:00Z", "2026-03-04T18:00:00Z", terminal49.UrgencyImminent, terminal49.Some(1)},
		{"another day in each, overdue in both", "2026-03-02T07:00:00Z", "2026-03-05T18:00:00Z", terminal49.UrgencyOverdue, terminal49.Opt[int]{}},
		{"another day in each, near in both", "2026-03-07T07:00:00Z", "2026-03-05T18:00:00Z", terminal49.UrgencyImminent, terminal49.Opt[int]{}},
		{"another day in each, far in both", "2026-03-20T06:00:00Z", "2026-03-05T18:00:00Z", terminal49.UrgencyNone, terminal49.Opt[int]{}},
		{"overdue in one", "2026-03-05T07:00:00Z", "2026-03-05T18:00:00Z", terminal49.UrgencyUnknown, terminal49.Opt[int]{}},
		{"now is another day in each", "2026-03-05T18:00:00Z", "2026-03-06T06:30:00Z", terminal49.UrgencyUnknown, terminal49.Opt[int]{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := readContainers(t, `{`+zones+`"pickup_lfd":"`+row.lfd+`"}`)[0]
			now, err := time.Parse(time.RFC3339, row.now)
			require.NoError(t, err)
			v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
			require.Equal(t, row.level, v.Urgency)
			require.Equal(t, row.days, v.DaysLeft)
			if row.level == terminal49.UrgencyUnknown {
				require.Equal(t, terminal49.UrgencyReasonNoZone, v.UrgencyReason)
			}
			_, err = c.PickupLFD.Local()
			require.ErrorIs(t, err, terminal49.ErrNoZone, "the zone stays unknown")
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
	stories := testkit.Scale(500, 20_000)
	for range stories / 100 {
		var attributes []string
		var want []map[string]string
		for range 100 {
			object, days := lfdStory(r, zones)
			attributes, want = append(attributes, object), append(want, days)
		}
		for i, c := range readContainers(t, attributes...) {
			for name, at := range map[string]terminal49.Time{"line": c.ImportDeadlines.Line, "terminal": c.ImportDeadlines.Terminal,
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
	c := readContainers(t, `{`+zones+`"pickup_lfd":"2027-03-14T08:00:00Z","import_deadlines":{
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
	chosen := terminal49.LastFreeDays(c).Chosen
	requireDay(t, "2027-03-11", chosen.At)
	require.Equal(t, terminal49.LFDSourceTerminal, chosen.Source)
	require.Equal(t, "facility", chosen.Selection)

	for name, object := range map[string]string{
		"withheld":        `{"pod":{"unified":null,"line":{"current":"2027-03-14T08:00:00Z"}}}`,
		"an empty choice": `{"pod":{"unified":{"current_value":null,"current_selection":null}}}`,
		"missing":         `{"pod":{}}`,
		"null":            `{"pod":null}`,
	} {
		c := readContainers(t, `{`+zones+`"pickup_lfd":"2027-03-14T08:00:00Z","import_deadlines":`+object+`}`)[0]
		pod := c.ImportDeadlines.POD
		require.Equal(t, name == "null", pod == nil)
		require.True(t, pod == nil || pod.Unified.Current.IsZero(), "%s: no other day may take its place", name)
		require.Equal(t, pod != nil, terminal49.LastFreeDays(c).Chosen.At.IsZero(), name)
	}

	// A source that is an object instead of a time counts with its current value.
	c = readContainers(t, `{`+zones+`"import_deadlines":{"pickup_lfd_line":{"original":"2027-03-13","current":"2027-03-14T08:00:00Z"},
		"pickup_lfd_terminal":{"original":"2027-03-13","current":null}}}`)[0]
	requireDay(t, "2027-03-14", c.ImportDeadlines.Line)
	require.True(t, c.ImportDeadlines.Terminal.IsZero())
}

// Selections and dates of docs/service-containers.md#free-days-by-source, and a selection that is
// not listed there. The nested form does not cover the inland destination, so the railroad's choice
// remains.
func TestLastFreeDays_NameTheUnifiedSource(t *testing.T) {
	for selection, source := range map[string]terminal49.LFDSource{
		"line": terminal49.LFDSourceLine, "facility": terminal49.LFDSourceTerminal, "line_calculated": terminal49.LFDSourceLine,
		"facility_manual": terminal49.LFDSourceTerminal, "facility_calculated": terminal49.LFDSourceTerminal, "oracle": "",
	} {
		c := readContainers(t, `{"pickup_lfd":"2027-03-14T08:00:00Z","import_deadlines":{"pickup_lfd_line":"2027-03-14T08:00:00Z",
			"pod":{"unified":{"current_value":"2027-03-12","current_selection":"`+selection+`"}}}}`)[0]
		free := terminal49.LastFreeDays(c)
		requireDay(t, "2027-03-12", free.Chosen.At)
		require.Equal(t, source, free.Chosen.Source, selection)
		require.Equal(t, selection, free.Chosen.Selection)
		earliest, _ := free.Earliest()
		require.Equal(t, free.Chosen, earliest)
	}
	c := readContainers(t, `{"final_destination_timezone":"America/Chicago","pickup_lfd":"2027-03-20T17:00:00Z","import_deadlines":{
		"pickup_lfd_rail":"2027-03-20T17:00:00Z","pod":{"unified":{"current_value":"2027-03-12","current_selection":"facility"}}}}`)[0]
	require.Equal(t, terminal49.LFDSourceRail, terminal49.LastFreeDays(c).Chosen.Source)
	require.Empty(t, terminal49.LastFreeDays(c).Chosen.Selection)
}

// The changelog of 2026-04-20 to 06-15 says that the service drops last free days once a container
// was picked up at the port, and that the railroad's keeps being updated after that.
func TestLastFreeDays_OfTheRailroadAfterThePort(t *testing.T) {
	const rail = `"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago","terminal_checked_at":"2026-03-10T12:00:00Z",
		"import_deadlines":{"pickup_lfd_rail":"2026-03-09T17:00:00Z"},"pickup_lfd":"2026-03-09T17:00:00Z","pod_full_out_at":"2026-03-01T17:00:00Z"`
	for more, want := range map[string]terminal49.Urgency{
		``:                              terminal49.UrgencyOverdue,
		`,"current_status":"available"`: terminal49.UrgencyOverdue,
		`,"current_status":"picked_up"`: terminal49.UrgencyOverdue, // that may be the gate-out at the port
		`,"final_destination_full_out_at":"2026-03-08T17:00:00Z"`: terminal49.UrgencyNone,
		`,"empty_terminated_at":"2026-03-08T17:00:00Z"`:           terminal49.UrgencyNone,
		`,"delivered_at":"2026-03-08T17:00:00Z"`:                  terminal49.UrgencyNone,
	} {
		c := readContainers(t, `{`+rail+more+`}`)[0]
		v := terminal49.Assess(c, time.Date(2026, 3, 10, 18, 0, 0, 0, time.UTC), terminal49.VerdictOptions{})
		require.Equal(t, want, v.Urgency, more)
		require.Equal(t, want == terminal49.UrgencyNone, hasLeft(v), more)
	}
	c := readContainers(t, `{"pod_timezone":"America/Los_Angeles","pod_full_out_at":"2026-03-01T17:00:00Z"}`)[0]
	require.Equal(t, terminal49.SituationOut, terminal49.Assess(c, time.Now(), terminal49.VerdictOptions{}).Situation)
}
