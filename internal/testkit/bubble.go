package testkit

import "time"

// Advance lets d pass on the clock of the synctest bubble in which the test runs. Outside of one it
// panics, so a test that uses it never waits for real time.
func Advance(d time.Duration) {
	inBubble()
	time.Sleep(d)
}

// Elapsed returns the time since began on the clock of the synctest bubble. Outside of a bubble it
// panics, so it never depends on how busy the machine is.
func Elapsed(began time.Time) time.Duration {
	inBubble()
	return time.Since(began)
}

// inBubble panics outside of a bubble, whose clock starts in 2000.
func inBubble() {
	if time.Now().Year() >= 2025 {
		panic("testkit: not in a synctest bubble: this would be real time")
	}
}
