package terminal49_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A time with an offset and a null zone keeps the wall clock that was sent, and its instant;
// without an offset the digits are the wall clock of the place and the instant is unknown (the
// service's own rule for a null zone). With a zone, only the instant counts.
func TestTime_KeepsTheWallClockThatWasSent(t *testing.T) {
	r := rand.New(rand.NewPCG(20200404, 10))
	zones := []string{"America/Los_Angeles", "Europe/Paris", "Asia/Kolkata", "Asia/Shanghai", "America/St_Johns", "Pacific/Kiritimati"}
	times := testkit.Scale(2_000, 20_000)
	for range times / 100 {
		type story struct {
			clock  time.Time // as on the wall
			offset time.Duration
			zone   string
		}
		var stories []story
		var attributes []string
		for range 100 {
			s := story{clock: time.Unix(r.Int64N(4_000_000_000), 0).UTC(), offset: time.Duration(r.IntN(105)-48) * 15 * time.Minute}
			zone := "null"
			if r.IntN(2) == 0 {
				s.zone = zones[r.IntN(len(zones))]
				zone = fmt.Sprintf("%q", s.zone)
			}
			sent := s.clock.Add(-s.offset).In(time.FixedZone("", int(s.offset/time.Second))).Format(time.RFC3339)
			stories = append(stories, s)
			attributes = append(attributes, fmt.Sprintf(`{"pod_arrived_at":%q,"pod_timezone":%s}`, sent, zone))
		}
		for i, c := range readContainers(t, attributes...) {
			s, at := stories[i], c.PODArrivedAt
			instant, known := at.Instant()
			day, ok := at.Date()
			require.True(t, ok)
			switch {
			case s.zone != "":
				place, err := time.LoadLocation(s.zone)
				require.NoError(t, err)
				require.True(t, known)
				require.True(t, instant.Equal(s.clock.Add(-s.offset)))
				require.Equal(t, terminal49.DateOf(instant.In(place)), day, attributes[i])
				require.Equal(t, s.zone, at.Zone())
			case s.offset == 0:
				require.False(t, known, attributes[i])
				require.Equal(t, terminal49.DateOf(s.clock), day, attributes[i])
			default:
				require.True(t, known)
				require.True(t, instant.Equal(s.clock.Add(-s.offset)))
				require.Equal(t, terminal49.DateOf(s.clock), day, attributes[i])
				require.Empty(t, at.Zone(), "the zone stays unknown")
				local, err := at.Local()
				require.NoError(t, err)
				require.Equal(t, s.clock.Format(time.DateTime), local.Format(time.DateTime))
				require.Contains(t, at.String(), "zone unknown")
				require.Contains(t, at.String(), s.clock.Format("2006-01-02 15:04"))
				_, counted := at.DaysLeft(s.clock)
				require.False(t, counted, "today at the place is unknown")
				requireReadBack(t, at)
			}
		}
	}
	t.Logf("figure: %d times with offsets from -12:00 to +14:00 keep their wall clock and instant", times)
}

// requireReadBack checks that the JSON of a time keeps its digits and offset (RFC 9557: the zone
// follows in brackets).
func requireReadBack(t *testing.T, at terminal49.Time) {
	t.Helper()
	written, err := json.Marshal(at)
	require.NoError(t, err)
	var text string
	require.NoError(t, json.Unmarshal(written, &text))
	text, _, _ = strings.Cut(text, "[")
	read, err := time.Parse(time.RFC3339, text)
	require.NoError(t, err)
	local, err := at.Local()
	require.NoError(t, err)
	require.Equal(t, local.Format(time.RFC3339), read.Format(time.RFC3339))
}

// Before is certain: clocks differ from UTC by -12 to +14 hours (the zones in use, IANA tzdata).
func TestTime_BeforeIsCertain(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		before bool
	}{
		{"2026-03-01T00:00:00Z", "2026-03-01T00:00:01Z", true},
		{"2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z", false},
		{"2026-03-01T08:00:00Z[America/Los_Angeles]", "2026-03-01T08:00:00Z[Asia/Tokyo]", false},
		{"2026-03-01T00:00:00Z[unknown]", "2026-03-02T01:59:59Z[unknown]", false},
		{"2026-03-01T00:00:00Z[unknown]", "2026-03-02T02:00:01Z[unknown]", true},
		{"2026-03-01T00:00:00-08:00[unknown]", "2026-03-01T08:00:01Z", true},
		{"2026-03-01[America/Los_Angeles]", "2026-03-02T07:59:59Z", false},
		{"2026-03-01[America/Los_Angeles]", "2026-03-02T08:00:00Z", true},
		{"2026-03-08[America/Los_Angeles]", "2026-03-09T07:00:00Z", true}, // a day of 23 hours
		{"2026-03-01[unknown]", "2026-03-02[unknown]", false},
		{"2026-03-01[unknown]", "2026-03-04[unknown]", true},
		{"2026-03-01", "2026-03-02", true},
		{"", "2026-03-02T00:00:00Z", false},
		{"2026-03-02T00:00:00Z", "", false},
		{"2026-03-02T00:00:00Z[unreported]", "2026-03-02T00:00:01Z[Asia/Tokyo or America/New_York]", true},
	} {
		require.Equal(t, c.before, timeOf(t, c.a).Before(timeOf(t, c.b)), "%s before %s", c.a, c.b)
		if c.before {
			require.False(t, timeOf(t, c.b).Before(timeOf(t, c.a)))
		}
	}
	d, ok := timeOf(t, "2026-03-02T00:00:00Z[unreported]").Sub(timeOf(t, "2026-03-01T16:00:00-07:00[unknown]"))
	require.True(t, ok)
	require.Equal(t, time.Hour, d)
	_, ok = timeOf(t, "2026-03-02T00:00:00Z[unknown]").Sub(timeOf(t, "2026-03-01T00:00:00Z[unknown]"))
	require.False(t, ok)
}

// A sort needs an order that is total and does not depend on the order before.
func TestTime_CompareSorts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	list := make([]terminal49.Time, 300)
	for i := range list {
		list[i] = randomTime(random)
	}
	slices.SortFunc(list, terminal49.Time.Compare)
	for i := range list[1:] {
		require.LessOrEqual(t, list[i].Compare(list[i+1]), 0)
		require.GreaterOrEqual(t, list[i+1].Compare(list[i]), 0)
	}
	for range 20_000 {
		a, b := list[random.IntN(len(list))], list[random.IntN(len(list))]
		if a.Before(b) {
			require.Equal(t, -1, a.Compare(b), "%s is certainly before %s", a, b)
		}
	}
	day := timeOf(t, "2026-11-24[America/Los_Angeles]") // begins at 08:00 UTC
	require.Equal(t, -1, timeOf(t, "2026-11-24T06:00:00Z").Compare(day))
	require.Equal(t, -1, terminal49.Time{}.Compare(timeOf(t, "0001-01-01T00:00:00Z")))
	require.Equal(t, 0, terminal49.Time{}.Compare(terminal49.Time{}))
}

func TestTime_FormatInventsNothing(t *testing.T) {
	const layout, day = "2 Jan 2006 15:04", "2 Jan 2006"
	for text, want := range map[string][2]string{
		"2026-11-24T16:00:00Z[Asia/Shanghai]":            {"25 Nov 2026 00:00", "25 Nov 2026"},
		"2026-11-24T16:00:00Z":                           {"24 Nov 2026 16:00", "24 Nov 2026"},
		"2026-11-24T16:00:00Z[unknown]":                  {"24 Nov 2026 16:00", "24 Nov 2026"}, // the wall clock of the place
		"2026-11-24T16:00:00-08:00[unknown]":             {"24 Nov 2026 16:00", "24 Nov 2026"},
		"2026-11-24T16:00:00Z[unreported]":               {"2026-11-24 16:00 UTC (zone not reported)", "2026-11-24 16:00 UTC (zone not reported)"},
		"2026-11-24[Asia/Shanghai]":                      {"2026-11-24", "24 Nov 2026"}, // midnight would be invented
		"":                                               {"", ""},
		"2026-11-24T16:00:00Z[Mars/Olympus]":             {`2026-11-24 16:00 UTC (zone "Mars/Olympus" not known here)`, `2026-11-24 16:00 UTC (zone "Mars/Olympus" not known here)`},
		"2026-11-24T16:00:00Z[Asia/Tokyo or Asia/Seoul]": {"2026-11-24 16:00 UTC (zone Asia/Tokyo or Asia/Seoul)", "2026-11-24 16:00 UTC (zone Asia/Tokyo or Asia/Seoul)"},
	} {
		require.Equal(t, want, [2]string{timeOf(t, text).Format(layout), timeOf(t, text).Format(day)}, text)
	}
}

// No zone is invented: a layout that shows it gets the remark of String.
func TestTime_FormatShowsNoUnknownZone(t *testing.T) {
	for _, text := range []string{"2026-11-24T16:00:00Z[unknown]", "2026-11-24[Asia/Shanghai]"} {
		v := timeOf(t, text)
		for _, layout := range []string{time.RFC3339, "2 Jan MST", "2 Jan -07:00", "2 Jan Z0700", "2 Jan -07", time.RFC1123Z, "Z07:00:00"} {
			require.Equal(t, v.String(), v.Format(layout), "%s %s", text, layout)
		}
	}
	offset := timeOf(t, "2026-11-24T16:00:00-08:00[unknown]") // the offset was sent
	require.Equal(t, "2026-11-24T16:00:00-08:00", offset.Format(time.RFC3339))
}
