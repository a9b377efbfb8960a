package terminal49_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
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
		for i, c := range terminal49.ReadContainers(t, attributes...) {
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

// timeForms are all forms in which a time may be sent. That of the service is the first
// (docs/service.md#times).
var timeForms = []string{
	"2006-01-02T15:04:05Z07:00", time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05 Z0700",
	"2006-01-02 15:04:05 UTC", "2006-01-02 15:04:05 GMT", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02",
}

// A text is a time if it has one of the forms, whichever that is, and is read as time.Parse reads
// what RFC 3339 has of it.
func TestTime_EveryFormIsRead(t *testing.T) {
	random := rand.New(rand.NewPCG(49, 1))
	const characters = "0123456789TZtz:+- .,UGMC"
	texts, read := testkit.Scale(6_000, 60_000), 0
	for range texts {
		form := timeForms[random.IntN(len(timeForms))]
		zone := time.FixedZone("", (random.IntN(27)-12)*1800)
		text := []byte(time.Unix(random.Int64N(4e9), random.Int64N(3)*1e8).In(zone).Format(form))
		for range random.IntN(3) {
			switch i := random.IntN(len(text)); random.IntN(3) {
			case 0:
				text[i] = characters[random.IntN(len(characters))]
			case 1:
				text = slices.Delete(text, i, i+1)
			case 2:
				text = slices.Insert(text, i, characters[random.IntN(len(characters))])
			}
		}
		var want time.Time
		i := slices.IndexFunc(timeForms, func(form string) (ok bool) {
			want, ok = terminal49.NaiveTime(form, string(text))
			return ok
		})
		var got terminal49.Time
		err := got.UnmarshalText(text)
		require.Equal(t, i >= 0, err == nil, "%s", text)
		if i < 0 {
			continue
		}
		read++
		require.Equal(t, timeForms[i] == "2006-01-02", got.DateOnly(), "%s", text)
		if instant, ok := got.Instant(); ok {
			require.True(t, want.Equal(instant), "%s", text)
		}
	}
	require.Greater(t, read, texts/3)
}

var (
	_ driver.Valuer = terminal49.Time{}
	_ sql.Scanner   = (*terminal49.Time)(nil)
	_ driver.Valuer = terminal49.Date{}
	_ sql.Scanner   = (*terminal49.Date)(nil)
	_ driver.Valuer = terminal49.Opt[int]{}
	_ sql.Scanner   = (*terminal49.Opt[int])(nil)
)

func timeOf(t *testing.T, text string) (v terminal49.Time) {
	t.Helper()
	require.NoError(t, v.UnmarshalText([]byte(text)))
	return v
}

// RFC 9557, section 4.1: the zone follows the time of RFC 3339 in brackets.
func TestTime_StoredFormsKeepTheZone(t *testing.T) {
	shanghai := terminal49.NewTime(time.Date(2026, 11, 24, 16, 0, 0, 0, time.UTC), "Asia/Shanghai")
	text, err := json.Marshal(shanghai)
	require.NoError(t, err)
	require.Equal(t, `"2026-11-24T16:00:00Z[Asia/Shanghai]"`, string(text))
	day, ok := timeOf(t, "2026-11-24T16:00:00Z[Asia/Shanghai]").Date()
	require.True(t, ok)
	require.Equal(t, terminal49.Date{Year: 2026, Month: 11, Day: 25}, day)

	wall := terminal49.NewWallTime(time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC))
	text, err = json.Marshal(wall)
	require.NoError(t, err)
	require.Equal(t, `"2026-11-25T00:00:00Z[unknown]"`, string(text))
	_, ok = timeOf(t, "2026-11-25T00:00:00Z[unknown]").Instant()
	require.False(t, ok, "an unknown zone stays unknown")

	random := rand.New(rand.NewPCG(9557, 1))
	for range testkit.Scale(2000, 50_000) {
		v := randomTime(random)
		var fromJSON, fromText, scanned terminal49.Time
		asJSON, err := json.Marshal(v)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(asJSON, &fromJSON))
		require.Equal(t, v, fromJSON)
		asText, err := v.MarshalText()
		require.NoError(t, err)
		require.NoError(t, fromText.UnmarshalText(asText))
		require.Equal(t, v, fromText)
		column, err := v.Value()
		require.NoError(t, err)
		require.True(t, driver.IsValue(column))
		require.NoError(t, scanned.Scan(column))
		require.Equal(t, v, scanned)
	}
	for _, wrong := range []string{
		"soon", "[Asia/Tokyo]", "2026-11-24T16:00:00Z[]", "2026-11-24T16:00:00Z[Asia/Tokyo", "2026-11-24T16:00:00Z[Asia/Tokyo]x",
		"2026-11-24T16:00:00Z[a][b]",
	} {
		require.Error(t, new(terminal49.Time).UnmarshalText([]byte(wrong)), wrong)
	}
}

// The column of a timestamp holds no zone, so the calendar day at the place is unknown.
func TestTime_ScansAnInstantWithoutItsPlace(t *testing.T) {
	var v terminal49.Time
	at := time.Date(2026, 11, 24, 16, 0, 0, 0, time.UTC)
	require.NoError(t, v.Scan(at))
	instant, ok := v.Instant()
	require.True(t, ok)
	require.True(t, instant.Equal(at))
	_, ok = v.Date()
	require.False(t, ok)
	require.Error(t, v.Scan(int64(7)))
	require.NoError(t, v.Scan(nil))
	require.True(t, v.IsZero())
}

func TestDate_StoredForms(t *testing.T) {
	d, err := terminal49.ParseDate("2026-03-08")
	require.NoError(t, err)
	text, err := json.Marshal(map[terminal49.Date]terminal49.Date{d: d})
	require.NoError(t, err)
	require.Equal(t, `{"2026-03-08":"2026-03-08"}`, string(text))
	var read map[terminal49.Date]terminal49.Date
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, map[terminal49.Date]terminal49.Date{d: d}, read)

	null, err := json.Marshal(terminal49.Date{})
	require.NoError(t, err)
	require.Equal(t, "null", string(null))
	require.NoError(t, json.Unmarshal(null, &d))
	require.True(t, d.IsZero())

	column, err := terminal49.Date{Year: 2026, Month: 3, Day: 8}.Value()
	require.NoError(t, err)
	require.Equal(t, "2026-03-08", column)
	for _, src := range []any{column, []byte("2026-03-08"), time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC)} {
		require.NoError(t, d.Scan(src))
		require.Equal(t, "8 March 2026", d.Format("2 January 2006"))
	}
	require.NoError(t, d.Scan(nil))
	require.True(t, d.IsZero())
	require.Empty(t, d.Format(time.DateOnly))
	for _, wrong := range []string{"2026-02-30", "2026-3-8", "8 March", "2026-03-08T00:00:00Z"} {
		_, err := terminal49.ParseDate(wrong)
		require.ErrorContains(t, err, "2006-01-02", wrong)
		require.Error(t, d.Scan(wrong))
	}
	require.True(t, terminal49.Date{Year: 2026, Month: 3, Day: 8}.Before(terminal49.Date{Year: 2026, Month: 11, Day: 1}))
}

func TestOpt_StoredForms(t *testing.T) {
	requireColumn(t, terminal49.Some(true), true, int64(1), "true", []byte("1"))
	requireColumn(t, terminal49.Some(40), int64(40), "40", []byte("40"))
	requireColumn(t, terminal49.Some(-118.25), -118.25, "-118.25", []byte("-118.25"))
	requireColumn(t, terminal49.Some("LBCT"), "LBCT", []byte("LBCT"))
	requireColumn(t, terminal49.Some(terminal49.Date{Year: 2026, Month: 3, Day: 8}), "2026-03-08")
	requireColumn(t, terminal49.Some(decimal.RequireFromString("1300.05")), "1300.05", 1300.05)
	for _, none := range []terminal49.Opt[bool]{{}, terminal49.Null[bool]()} {
		column, err := none.Value()
		require.NoError(t, err)
		require.Nil(t, column)
	}
	require.Error(t, new(terminal49.Opt[bool]).Scan("maybe"))
	require.Error(t, new(terminal49.Opt[int]).Scan(1.5), "nothing is rounded")
	require.Error(t, new(terminal49.Opt[[]string]).Scan("a"))
	require.Error(t, new(terminal49.Opt[string]).Scan(time.Now()), "a date column is not a text")
	requireColumn(t, terminal49.Some(int32(7)), int64(7))
	require.Error(t, new(terminal49.Opt[int8]).Scan(int64(300)))
}

// requireColumn checks the column of v, and that v is read from it and from other forms that
// drivers return.
func requireColumn[T any](t *testing.T, v terminal49.Opt[T], column any, others ...any) {
	t.Helper()
	got, err := v.Value()
	require.NoError(t, err)
	require.Equal(t, column, got)
	for _, src := range append(others, column) {
		var read terminal49.Opt[T]
		require.NoError(t, read.Scan(src), "%T", src)
		require.Equal(t, v.String(), read.String(), "%T", src)
	}
	var null terminal49.Opt[T]
	require.NoError(t, null.Scan(nil))
	require.True(t, null.IsNull())
}
