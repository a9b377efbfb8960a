package plan

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A step is due at the earlier of a whole interval after it was done and a whole interval from now,
// and now if it was done in the future.
func TestWait_IsNeverLongerThanTheInterval(t *testing.T) {
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct{ ago, every, want time.Duration }{
		{0, time.Hour, time.Hour}, {20 * time.Minute, time.Hour, 40 * time.Minute}, {time.Hour, time.Hour, 0}, {71 * time.Hour, time.Hour, 0},
		{-30 * time.Second, time.Hour, time.Hour}, {-time.Minute, time.Hour, 0}, {-71 * time.Hour, time.Hour, 0}, {-4 * 8766 * time.Hour, time.Hour, 0},
		{-30 * time.Second, math.MaxInt64, math.MaxInt64}, {time.Minute, time.Millisecond, 0},
	} {
		require.Equal(t, c.want, Wait(now.Add(-c.ago), c.every, now), "%v ago, every %v", c.ago, c.every)
	}
	require.Zero(t, Wait(time.Time{}, time.Hour, now))
}
