package fleettest_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Each broken limiter breaks a promise of [terminal49.Limiter], of [terminal49.RateLimits] or of
// docs/fleet.md. The check of that promise finds it.
func TestLimiterSuite_FindsEveryBrokenLimiter(t *testing.T) {
	for i, broken := range brokenLimiters {
		if i%testkit.Scale(4, 1) != 0 {
			continue // a sample
		}
		t.Run(broken.name, func(t *testing.T) {
			open, faults := opened(broken.bug)
			suite.RequireCaught(t, fleettest.LimiterFindings(t, broken.caughtBy, open, broken.bug.refuse, faults), broken.caughtBy)
		})
	}
}

// In real time the suite finds nothing in a good limiter, however slow the machine is.
func TestLimiterSuite_PassesInRealTime(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("takes a minute; PROOF=whole runs it")
	}
	open, faults := opened(bug{})
	fleettest.TestLimiter(t, open, fleettest.WithShares(), fleettest.WithFaults(faults))
}
