package fleettest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

type openLimiter = func(*testing.T, Setup) terminal49.Limiter

// check tests one promise.
type check struct {
	name string
	run  func(*limiterSuite)
	skip string // why it is not run
}

// checks are the promises of a shared [terminal49.Limiter], and of the service's limits.
func checks(c config) []check {
	const shares, refusals, faults = "WithShares runs it", "WithRefusals runs it", "WithFaults runs it"
	all := []check{
		{name: "NeverAboveTheLimit", run: (*limiterSuite).neverAboveTheLimit},
		{name: "BurstsAtTheBorderOfWindows", run: (*limiterSuite).burstsAtBorders},
		{name: "IdleTimeForgetsNothing", run: (*limiterSuite).idleTimeForgetsNothing},
		{name: "TheWholeBudgetIsUsable", run: (*limiterSuite).wholeBudgetIsUsable},
		{name: "ManyProcessesShareTheBudget", run: (*limiterSuite).manyProcesses},
		{name: "ManyWaitersAreServed", run: (*limiterSuite).manyWaiters},
		{name: "SlotsOfADeadProcessReturn", run: (*limiterSuite).slotsOfADeadProcessReturn},
		{name: "SlotsOfADeadProcessAreHeld", run: (*limiterSuite).slotsOfADeadProcessAreHeld},
		{name: "WaitersOfADeadProcessBlockNobody", run: (*limiterSuite).deadWaiters},
		{name: "ALongRequestKeepsItsSlot", run: (*limiterSuite).longRequestKeepsItsSlot},
		{name: "PauseStopsAllProcesses", run: (*limiterSuite).pauseStopsAllProcesses},
		{name: "PauseIsNotShortened", run: (*limiterSuite).pauseIsNotShortened},
		{name: "PauseLastsAnHour", run: (*limiterSuite).pauseLastsAnHour},
		{name: "AWaitPastTheDeadlineFailsAtOnce", run: (*limiterSuite).waitPastTheDeadlineFails},
		{name: "AWaitBeforeTheDeadlineSucceeds", run: (*limiterSuite).waitBeforeTheDeadlineSucceeds},
		{name: "ARefusedCallTakesNoSlot", run: (*limiterSuite).refusedCallTakesNoSlot},
		{name: "ACancelledWaiterTakesNoSlot", run: (*limiterSuite).cancelledWaiterTakesNoSlot},
		{name: "ALeavingWaiterGivesItsSlotBack", run: (*limiterSuite).leavingWaiters},
		{name: "ReleasingTwiceFreesOneSlot", run: (*limiterSuite).releasingTwiceFreesOneSlot},
		{name: "FirstComeFirstServedInAProcess", run: func(s *limiterSuite) { s.inOrder(1) }},
		{name: "FirstComeFirstServedBetweenProcesses", run: func(s *limiterSuite) { s.inOrder(3) }},
		{name: "BucketsAreIndependent", run: (*limiterSuite).bucketsAreIndependent},
		{name: "EachBucketHasItsLimit", run: (*limiterSuite).eachBucketHasItsLimit},
		{name: "AnUnknownBucketIsTheDefault", run: (*limiterSuite).unknownBucket},
		{name: "NamespacesAreIndependent", run: (*limiterSuite).namespacesAreIndependent},
		{name: "ClocksOfProcessesDoNotMatter", run: (*limiterSuite).clocksDoNotMatter},
		{name: "TheLargestLimitIsUsable", run: (*limiterSuite).largestIsUsable},
	}
	add := func(present bool, reason, name string, run func(*limiterSuite)) {
		if present {
			reason = ""
		}
		all = append(all, check{name, run, reason})
	}
	add(c.shares, shares, "SharesLeaveRoom", (*limiterSuite).sharesLeaveRoom)
	add(c.shares, shares, "SharesAreUsable", (*limiterSuite).sharesAreUsable)
	add(c.shares, shares, "LargerSharesGoFirst", (*limiterSuite).largerSharesGoFirst)
	add(c.refuse != nil, refusals, "LimitsOutOfRangeAreRefused", (*limiterSuite).refusals)
	add(c.faults.Away != nil, faults, "AnEngineThatIsAwayStopsRequests", (*limiterSuite).engineAway)
	add(c.faults.Away != nil, faults, "AShortOutageKeepsSlots", (*limiterSuite).shortOutage)
	add(c.faults.Slow != nil, faults, "ASlowEngineKeepsTheLimit", (*limiterSuite).engineSlow)
	add(c.faults.Slow != nil, faults, "ASlowEngineLosesNoSlots", (*limiterSuite).leavingWaitersOfASlowEngine)
	add(c.faults.Lose != nil, faults, "LostDataAllowTwiceTheLimitOnce", (*limiterSuite).engineLost)
	add(c.faults.Lose != nil, faults, "LostSlotsOfLongRequestsReturn", (*limiterSuite).longRequestsAfterLoss)
	return all
}

const (
	// giveUp is how long a check is repeated. A suite that has found something ends after giveUpAll.
	giveUp, giveUpAll = 45 * time.Second, 90 * time.Second
	longestWindow     = 16 * suite.Window // of repetitions in real time
)

// run runs each check as a subtest.
func run(t *testing.T, open openLimiter, c config) {
	start := time.Now()
	var all []suite.Check
	for _, check := range checks(c) {
		all = append(all, suite.Check{Name: check.name, Skip: check.skip, Run: func(f *suite.Findings) {
			if !c.fakeTime && t.Failed() && time.Since(start) > giveUpAll {
				f.T.Skipf("another subtest has failed, and the suite has taken %v", giveUpAll)
			}
			check.findings(f, open, c)
		}})
	}
	suite.Run(t, c.fakeTime, all)
}

// findings runs a check once in fake time. In real time it is repeated with longer windows until it
// finds no problem, because a slow machine can delay anything. The last problems are reported.
func (c check) findings(f *suite.Findings, open openLimiter, opts config) {
	window := suite.Window
	if opts.fakeTime {
		window = time.Minute
	}
	for start := time.Now(); ; window *= 2 {
		s := &limiterSuite{config: opts, T: f.T, open: open, window: window}
		problems := s.run(f.Ctx, c)
		if len(problems) == 0 {
			return
		}
		if opts.fakeTime || window >= longestWindow || time.Since(start) > giveUp {
			for _, problem := range problems {
				f.Errorf("%s", problem)
			}
			return
		}
		f.T.Logf("repeated with a longer window than %v, because %s", window, problems[0])
	}
}

// limiterSuite is one run of a check.
type limiterSuite struct {
	config
	T      *testing.T
	ctx    context.Context // ends with the run
	open   openLimiter
	window time.Duration

	mu       sync.Mutex
	problems []string
}

func (s *limiterSuite) run(ctx context.Context, c check) []string {
	ctx, cancel := context.WithCancel(ctx)
	s.ctx = ctx
	c.run(s)
	cancel()
	if s.fakeTime {
		time.Sleep(10 * time.Minute) // calls of the engine end
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.problems
}

// maxProblems is how many problems a check reports.
const maxProblems = 8

// errorf reports a problem.
func (s *limiterSuite) errorf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.problems) < maxProblems {
		s.problems = append(s.problems, fmt.Sprintf(format, args...))
	}
}

// windows returns a duration as a number of windows.
func (s *limiterSuite) windows(n float64) time.Duration {
	return time.Duration(n * float64(s.window))
}

// either returns how many in fake time, where time costs nothing, or in real time.
func (s *limiterSuite) either(inFakeTime, inRealTime int) int {
	if s.fakeTime {
		return inFakeTime
	}
	return inRealTime
}

// fleet returns a fleet without processes. In fake time its limits are those of the service.
func (s *limiterSuite) fleet() *limiterFleet {
	l := terminal49.RateLimits{Default: 20, Create: 8, Infer: 12, Refresh: 4}
	if s.fakeTime {
		l = terminal49.DefaultRateLimits()
	}
	l.PerSecond, l.Burst = 1e6, 1e6
	return &limiterFleet{limiterSuite: s, setup: Setup{
		Namespace: suite.NewNamespace(), Window: s.window, Limits: l,
	}}
}
