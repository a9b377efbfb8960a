package terminal49_test

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

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
