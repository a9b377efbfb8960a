package terminal49_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/go-freight/terminal49"
)

func TestDate_Sub(t *testing.T) {
	for _, row := range []struct {
		a, b terminal49.Date
		want int
	}{
		{terminal49.Date{Year: 2026, Month: 3, Day: 9}, terminal49.Date{Year: 2026, Month: 3, Day: 9}, 0},
		{terminal49.Date{Year: 2026, Month: 3, Day: 9}, terminal49.Date{Year: 2026, Month: 3, Day: 7}, 2},    // over a short day in the United States
		{terminal49.Date{Year: 2026, Month: 11, Day: 2}, terminal49.Date{Year: 2026, Month: 10, Day: 31}, 2}, // over a long one
		{terminal49.Date{Year: 2027, Month: 1, Day: 1}, terminal49.Date{Year: 2026, Month: 12, Day: 31}, 1},
		{terminal49.Date{Year: 2028, Month: 3, Day: 1}, terminal49.Date{Year: 2028, Month: 2, Day: 28}, 2}, // leap year
		{terminal49.Date{Year: 2026, Month: 3, Day: 1}, terminal49.Date{Year: 2026, Month: 2, Day: 28}, 1},
		{terminal49.Date{Year: 2100, Month: 3, Day: 1}, terminal49.Date{Year: 2100, Month: 2, Day: 28}, 1},  // no leap year
		{terminal49.Date{Year: 2026, Month: 1, Day: 1}, terminal49.Date{Year: 1, Month: 1, Day: 1}, 739616}, // more than a time.Duration holds
	} {
		assert.Equal(t, row.want, row.a.Sub(row.b), "%v - %v", row.a, row.b)
		assert.Equal(t, -row.want, row.b.Sub(row.a), "%v - %v", row.b, row.a)
	}
}

func TestDate_Compare(t *testing.T) {
	days := []terminal49.Date{{}, {Year: 2025, Month: 12, Day: 31}, {Year: 2026, Month: 1, Day: 30}, {Year: 2026, Month: 2, Day: 1}, {Year: 2026, Month: 2, Day: 2}}
	for i, a := range days {
		for j, b := range days {
			want := map[bool]int{true: -1, false: 1}[i < j]
			if i == j {
				want = 0
			}
			assert.Equal(t, want, a.Compare(b), "%v %v", a, b)
		}
	}
}

func TestDate_String(t *testing.T) {
	assert.Equal(t, "2026-03-09", terminal49.Date{Year: 2026, Month: time.March, Day: 9}.String())
	assert.Equal(t, "-", terminal49.Date{}.String())
	assert.True(t, terminal49.Date{}.IsZero())
	assert.False(t, terminal49.Date{Year: 2026, Month: 3, Day: 9}.IsZero())
}

func TestDate_OfUsesTheZoneOfTheTime(t *testing.T) {
	shanghai := time.FixedZone("CST", 8*60*60)
	assert.Equal(t, terminal49.Date{Year: 2026, Month: 3, Day: 10}, terminal49.DateOf(time.Date(2026, 3, 9, 16, 0, 0, 0, time.UTC).In(shanghai)))
}
