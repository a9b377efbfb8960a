package mirrortest

import "time"

// Advance lets d pass on the clock of the synctest bubble in which the test runs, and whatever is
// due in it happen. Outside of a bubble it panics, so a test never waits for real time with it.
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
		panic("mirrortest: not in a synctest bubble: this would be real time")
	}
}

// Stopwatch starts to measure, and returns how to read the time that has passed, which outside of a
// bubble is real. That is for figures that are logged: a machine may be as busy as it likes, so no
// test may fail because it is much.
func Stopwatch() (took func() time.Duration) {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}
