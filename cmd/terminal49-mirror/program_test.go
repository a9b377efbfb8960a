package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What this file has is all that the tests know of other processes and of real time.

// longest is how long a test waits before it fails. A sender waits up to 30 s between two attempts
// at a receiver that is away.
const longest = 2 * time.Minute

// until waits for what another process does. If that does not happen, the test fails with why.
func until(t testing.TB, holds func() bool, why func() string) {
	t.Helper()
	for end := time.Now().Add(longest); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			require.Fail(t, "it does not happen", why())
		}
	}
}

// stopwatch returns how long a figure took, when it is asked. No test passes or fails by it, unless
// it is a measurement.
func stopwatch() (took func() time.Duration) {
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

// pause lets time pass for other processes. No test passes because it was long enough.
func pause(d time.Duration) { time.Sleep(d) }

// pace does something again and again at an interval, for a time.
func pace(interval, long time.Duration, do func()) {
	began := time.Now()
	for i := time.Duration(1); time.Since(began) < long; i++ {
		do()
		time.Sleep(time.Until(began.Add(i * interval)))
	}
}
