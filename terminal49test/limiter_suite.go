package terminal49test

import (
	"context"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
)

// LimiterSetup describes one process of a fleet, for which [TestLimiter] opens a limiter.
type LimiterSetup struct {
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

// TestLimiter tests a limiter that several processes share. It opens one limiter for each simulated
// process; all with the same Namespace must share their slots.
//
// Each subtest is named after the promise that it tests. A window with more requests than the limit
// always fails, and a slow machine cannot cause one: a request counts only between the return of
// its Acquire and its release. Tests of what must happen soon are repeated with longer windows
// before they fail. In real time the suite takes about half a minute.
func TestLimiter(t *testing.T, open func(t *testing.T, s LimiterSetup) terminal49.Limiter, opts ...SuiteOption) {
	c := newSuiteConfig(opts)
	for _, check := range limiterChecks {
		t.Run(check.name, func(t *testing.T) {
			if check.shares && !c.shares {
				t.Skip("WithShares runs it")
			}
			c.run(t, func(t *testing.T) {
				for _, found := range check.findings(t, open) {
					t.Error(found)
				}
			})
		})
	}
}

type openLimiter = func(*testing.T, LimiterSetup) terminal49.Limiter

type limiterCheck struct {
	name   string
	run    func(*limiterSuite)
	shares bool // only with WithShares
}

func (c limiterCheck) findings(t *testing.T, open openLimiter) []string {
	return collect(t, func(f *findings) { c.run(&limiterSuite{f, open}) })
}

// limiterChecks are the promises of a shared [terminal49.Limiter], and of the service's limits.
var limiterChecks = []limiterCheck{
	{"NeverAboveTheLimit", (*limiterSuite).neverAboveTheLimit, false},
	{"BurstsAtTheBorderOfWindows", (*limiterSuite).burstsAtBorders, false},
	{"TheWholeBudgetIsUsable", (*limiterSuite).wholeBudgetIsUsable, false},
	{"SlotsOfADeadProcessReturn", (*limiterSuite).slotsOfADeadProcessReturn, false},
	{"ALongRequestKeepsItsSlot", (*limiterSuite).longRequestKeepsItsSlot, false},
	{"PauseStopsAllProcesses", (*limiterSuite).pauseStopsAllProcesses, false},
	{"PauseIsNotShortened", (*limiterSuite).pauseIsNotShortened, false},
	{"AWaitPastTheDeadlineFailsAtOnce", (*limiterSuite).waitPastTheDeadlineFails, false},
	{"ACancelledWaiterTakesNoSlot", (*limiterSuite).cancelledWaiterTakesNoSlot, false},
	{"ReleasingTwiceFreesOneSlot", (*limiterSuite).releasingTwiceFreesOneSlot, false},
	{"BucketsAreIndependent", (*limiterSuite).bucketsAreIndependent, false},
	{"NamespacesAreIndependent", (*limiterSuite).namespacesAreIndependent, false},
	{"ClocksOfProcessesDoNotMatter", (*limiterSuite).clocksDoNotMatter, false},
	{"SharesLeaveRoom", (*limiterSuite).sharesLeaveRoom, true},
}

// limiterSuite is one run of a check.
type limiterSuite struct {
	*findings
	open openLimiter
}

// fleet returns a fleet without processes.
func (s *limiterSuite) fleet(window time.Duration) *limiterFleet {
	return &limiterFleet{limiterSuite: s, setup: LimiterSetup{
		Namespace: newNamespace(), Window: window, Limits: terminal49.Limits{
			Default: 20, Create: 8, Infer: 12, Refresh: 4, PerSecond: 1e6, Burst: 1e6,
		},
	}}
}
