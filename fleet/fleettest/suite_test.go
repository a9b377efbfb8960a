package fleettest_test

import (
	"hash/crc32"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// Each broken limiter breaks a promise of [terminal49.Limiter], of [terminal49.RateLimits] or of
// docs/fleet.md. The suite finds it in the subtest that is named after that promise.
func TestLimiterSuite_FindsEveryBrokenLimiter(t *testing.T) {
	for caughtBy, limiters := range brokenLimiters() {
		for name, b := range limiters {
			if crc32.ChecksumIEEE([]byte(name))%testkit.Scale[uint32](8, 1) != 0 {
				continue
			}
			t.Run(caughtBy+"/"+name, func(t *testing.T) {
				t.Parallel()
				e := newEngine(b)
				suite.RequireCaught(t, fleettest.LimiterFindings(t, caughtBy, e.open, b.refuse, e.faults()), caughtBy)
			})
		}
	}
}

// Slots on one clock that are held for one window after their release are exact. Package fleet runs
// the whole suite with the limiter of this module in any case.
func TestLimiterSuite_PassesSlots(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector of Go 1.26 stops with an error of its own; the gate runs this without it")
	}
	e := newEngine(broken{})
	if !testkit.Whole() {
		for i, name := range fleettest.LimiterChecks() {
			if i%4 == 0 {
				found := fleettest.LimiterFindings(t, name, e.open, e.refuse, e.faults())[name]
				require.Empty(t, found, name)
			}
		}
		return
	}
	fleettest.TestLimiter(t, e.open, fleettest.WithFakeTime(), fleettest.WithShares(),
		fleettest.WithRefusals(e.refuse), fleettest.WithFaults(e.faults()))
}

// In real time the suite finds nothing in a good limiter, however slow the machine is.
func TestLimiterSuite_PassesSlotsInRealTime(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("takes a minute; PROOF=whole runs it")
	}
	e := newEngine(broken{})
	fleettest.TestLimiter(t, e.open, fleettest.WithShares(), fleettest.WithFaults(e.faults()))
}
