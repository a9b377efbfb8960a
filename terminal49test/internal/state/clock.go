package state

import "time"

// Clock is the simulated clock: the process clock moved to a start time, scaled by a speed and
// moved ahead by Advance. Inside a testing/synctest bubble the process clock is the bubble's.
type Clock struct {
	Real     time.Time // when the server started or its speed changed, on the process clock
	Start    time.Time // the simulated time at that moment
	Speed    float64
	Advanced time.Duration
}

// maxRun is how far the clock runs: about a century, so that a time.Duration can hold it.
const maxRun = 100 * 365 * 24 * float64(time.Hour)

func (c *Clock) Now() time.Time {
	run := time.Duration(min(float64(time.Since(c.Real))*c.Speed, maxRun))
	return c.Start.Add(run + c.Advanced)
}

// Advance moves the clock ahead, by at most a century in all. A negative d is ignored.
func (c *Clock) Advance(d time.Duration) {
	c.Advanced += min(max(d, 0), time.Duration(maxRun)-c.Advanced)
}

// AdvanceTo moves the clock to a time, and reports whether it can.
func (c *Clock) AdvanceTo(t time.Time) bool {
	ahead := t.Sub(c.Now())
	if ahead < 0 || ahead > time.Duration(maxRun)-c.Advanced {
		return false
	}
	c.Advance(ahead)
	return true
}

// ClampSpeed returns a speed from 0 to the maximum; 0 for NaN too.
func ClampSpeed(n float64) float64 {
	if n > 0 {
		return min(n, 1_000_000)
	}
	return 0
}
