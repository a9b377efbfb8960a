// Package fleettest tests limiters that several processes share.
package fleettest

import (
	"context"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// Setup describes one process of a fleet, for which [TestLimiter] opens a limiter.
type Setup struct {
	// Namespace names the budget that the processes share, as an API key does. Every subtest uses new
	// namespaces.
	Namespace string
	// Limits are the requests in any Window. PerSecond and Burst are too high to matter.
	Limits terminal49.Limits
	// Window replaces the service's minute.
	Window time.Duration
	// Clock is the clock of the process, which may be wrong by an hour. A store that reads the time
	// in the process must read it here; one that uses only its engine's clock ignores it.
	Clock func() time.Time
	// Context ends when the process is killed, and at the end of the subtest. All background work of
	// the limiter must then end at once, without releasing slots. Closing the connections of this
	// process does both.
	Context context.Context
}

// Option configures [TestLimiter].
type Option func(*config)

type config struct {
	fakeTime, shares bool
	refuse           func(terminal49.Limits) error
}

// WithFakeTime runs each subtest in a testing/synctest bubble, so that the suite takes almost no
// time. Use it only for limiters in memory: a bubble's clock stops during network I/O.
func WithFakeTime() Option { return func(c *config) { c.fakeTime = true } }

// WithShares makes [TestLimiter] also test the shares that terminal49.WithShare sets for calls. Use
// it for limiters that read CallInfo.Share.
func WithShares() Option { return func(c *config) { c.shares = true } }

// WithRefusals makes [TestLimiter] also test which limits are refused: those that
// terminal49.NewLimiter refuses, with a *terminal49.ArgumentError. create returns the error of
// creating a limiter with these limits. Use it for limiters that take terminal49.Limits.
func WithRefusals(create func(terminal49.Limits) error) Option {
	return func(c *config) { c.refuse = create }
}

// TestLimiter tests a limiter that several processes share. It opens one limiter for each simulated
// process; all with the same Namespace must share their slots.
//
// Each subtest is named after the promise that it tests. A window with more requests than the limit
// always fails, and a slow machine cannot cause one: a request counts only between the return of
// its Acquire and its release. Tests of what must happen soon are repeated with longer windows
// before they fail. In real time the suite takes about half a minute.
func TestLimiter(t *testing.T, open func(t *testing.T, s Setup) terminal49.Limiter, opts ...Option) {
	var c config
	for _, opt := range opts {
		opt(&c)
	}
	suite.Run(t, c.fakeTime, checks(open, c))
}

type openLimiter = func(*testing.T, Setup) terminal49.Limiter

// checks are the promises of a shared [terminal49.Limiter], and of the service's limits.
func checks(open openLimiter, c config) []suite.Check {
	check := func(name string, run func(*limiterSuite)) suite.Check {
		return suite.Check{Name: name, Run: func(f *suite.Findings) { run(&limiterSuite{f, open}) }}
	}
	withShares := check("SharesLeaveRoom", (*limiterSuite).sharesLeaveRoom)
	if !c.shares {
		withShares.Skip = "WithShares runs it"
	}
	refusals := check("LimitsOutOfRangeAreRefused", func(s *limiterSuite) { s.refusals(c.refuse) })
	if c.refuse == nil {
		refusals.Skip = "WithRefusals runs it"
	}
	return []suite.Check{
		check("NeverAboveTheLimit", (*limiterSuite).neverAboveTheLimit),
		check("BurstsAtTheBorderOfWindows", (*limiterSuite).burstsAtBorders),
		check("TheWholeBudgetIsUsable", (*limiterSuite).wholeBudgetIsUsable),
		check("SlotsOfADeadProcessReturn", (*limiterSuite).slotsOfADeadProcessReturn),
		check("ALongRequestKeepsItsSlot", (*limiterSuite).longRequestKeepsItsSlot),
		check("PauseStopsAllProcesses", (*limiterSuite).pauseStopsAllProcesses),
		check("PauseIsNotShortened", (*limiterSuite).pauseIsNotShortened),
		check("AWaitPastTheDeadlineFailsAtOnce", (*limiterSuite).waitPastTheDeadlineFails),
		check("ACancelledWaiterTakesNoSlot", (*limiterSuite).cancelledWaiterTakesNoSlot),
		check("ReleasingTwiceFreesOneSlot", (*limiterSuite).releasingTwiceFreesOneSlot),
		check("BucketsAreIndependent", (*limiterSuite).bucketsAreIndependent),
		check("NamespacesAreIndependent", (*limiterSuite).namespacesAreIndependent),
		check("ClocksOfProcessesDoNotMatter", (*limiterSuite).clocksDoNotMatter),
		withShares,
		check("TheLargestLimitIsUsable", (*limiterSuite).largestIsUsable),
		refusals,
	}
}

// limiterSuite is one run of a check.
type limiterSuite struct {
	*suite.Findings
	open openLimiter
}

// fleet returns a fleet without processes.
func (s *limiterSuite) fleet(window time.Duration) *limiterFleet {
	return &limiterFleet{limiterSuite: s, setup: Setup{
		Namespace: suite.NewNamespace(), Window: window, Limits: terminal49.Limits{
			Default: 20, Create: 8, Infer: 12, Refresh: 4, PerSecond: 1e6, Burst: 1e6,
		},
	}}
}
