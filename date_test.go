package terminal49

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestDate_Sub(t *testing.T) {
	for _, row := range []struct {
		a, b Date
		want int
	}{
		{Date{2026, 3, 9}, Date{2026, 3, 9}, 0},
		{Date{2026, 3, 9}, Date{2026, 3, 7}, 2},    // over a short day in the United States
		{Date{2026, 11, 2}, Date{2026, 10, 31}, 2}, // over a long one
		{Date{2027, 1, 1}, Date{2026, 12, 31}, 1},
		{Date{2028, 3, 1}, Date{2028, 2, 28}, 2}, // leap year
		{Date{2026, 3, 1}, Date{2026, 2, 28}, 1},
		{Date{2100, 3, 1}, Date{2100, 2, 28}, 1},  // no leap year
		{Date{2026, 1, 1}, Date{1, 1, 1}, 739616}, // more than a time.Duration holds
	} {
		assert.Equal(t, row.want, row.a.Sub(row.b), "%v - %v", row.a, row.b)
		assert.Equal(t, -row.want, row.b.Sub(row.a), "%v - %v", row.b, row.a)
	}
}

func TestDate_Compare(t *testing.T) {
	days := []Date{{}, {2025, 12, 31}, {2026, 1, 30}, {2026, 2, 1}, {2026, 2, 2}}
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
	assert.Equal(t, "2026-03-09", Date{2026, time.March, 9}.String())
	assert.Equal(t, "-", Date{}.String())
	assert.True(t, Date{}.IsZero())
	assert.False(t, Date{2026, 3, 9}.IsZero())
}

func TestDate_OfUsesTheZoneOfTheTime(t *testing.T) {
	shanghai := time.FixedZone("CST", 8*60*60)
	assert.Equal(t, Date{2026, 3, 10}, DateOf(time.Date(2026, 3, 9, 16, 0, 0, 0, time.UTC).In(shanghai)))
}
