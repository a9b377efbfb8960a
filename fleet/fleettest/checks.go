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

// step is a part of a check. It is one test of a fresh fleet.
type step = func(*limiterSuite)

// check tests one promise.
type check struct {
	name, promise string
	runs          bool
	steps         []step
}

// checks are the promises of a shared [terminal49.Limiter], of the service's limits, and of
// docs/fleet.md.
func checks(c config) []check {
	type s = limiterSuite
	f := c.faults
	return []check{
		{"Limit", "no window has more requests than the limit", true, []step{(*s).fullDemand, (*s).bursts}},
		{"Use", "the whole limit is usable, by any number of processes and waiters", true,
			[]step{(*s).everyBudget, (*s).oneBudget, (*s).manyWaiters, (*s).largestLimit}},
		{"Requests", "a request has its slot until one window after its release", true, []step{(*s).longRequests, (*s).releasedTwice}},
		{"Deaths", "a dead process's slots are free one to three windows later, and its waiters block nobody", true,
			[]step{(*s).deaths, (*s).deadWaiters}},
		{"Pauses", "a pause stops all processes for its time", true, []step{(*s).pauses, (*s).pausedForAnHour}},
		{"Deadlines", "a wait beyond the deadline fails at once, and a shorter one succeeds", true, []step{(*s).tooLate, (*s).inTime}},
		{"Leaving", "a call that fails or leaves takes no slot", true, []step{(*s).refusedCalls, (*s).leaving}},
		{"Order", "waiters are served in the order in which they asked", true, []step{(*s).orderInOne, (*s).orderInThree}},
		{"Buckets", "each bucket has its own limit, and an unknown one is the default", true,
			[]step{(*s).bucketsAreApart, (*s).otherLimits, (*s).unknownBucket}},
		{"Namespaces", "namespaces are independent", true, []step{(*s).namespaces}},
		{"Clocks", "the clocks of the processes do not matter", true, []step{(*s).wrongClocks}},
		{"Shares", "a share leaves room for larger ones, which go first", c.shares, []step{(*s).sharesLeaveRoom, (*s).sharesAreUsable, (*s).sharesInOrder}},
		{"Refusals", "limits out of range are refused", c.refuse != nil, []step{(*s).refusals}},
		{"Outages", "while the engine is away the limit holds and calls wait; afterwards all is as before", f.Away != nil,
			[]step{(*s).outage, (*s).shortOutage, (*s).releasedBeforeOutage, (*s).waitersInOutage}},
		{"Slowness", "a slow engine keeps the limit and loses no slots", f.Slow != nil, []step{(*s).slowEngine, (*s).leavingSlowly}},
		{"Losses", "a loss of data allows the limit once more, and slots in flight are taken again", f.Lose != nil, []step{(*s).loss, (*s).lossInFlight}},
	}
}

const (
	giveUp        = 3 * time.Minute   // how long a step is repeated
	longestWindow = 64 * suite.Window // of repetitions in real time
)

func suiteChecks(open openLimiter, c config) (all []suite.Check) {
	for _, check := range checks(c) {
		skip := ""
		if !check.runs {
			skip = "an option runs it: WithShares, WithRefusals or WithFaults"
		}
		all = append(all, suite.Check{Name: check.name, Promise: check.promise, Skip: skip, Run: func(f *suite.Findings) {
			for _, step := range check.steps {
				found := problems(f, step, open, c)
				for _, problem := range found {
					f.Errorf("%s", problem)
				}
				if len(found) > 0 {
					return // the promise is broken
				}
			}
		}})
	}
	return all
}

// problems runs a step once in fake time. In real time it is repeated with longer windows until it
// finds no problem, because a slow machine can delay anything. The last problems are returned.
func problems(f *suite.Findings, do step, open openLimiter, c config) []string {
	window := suite.Window
	if c.fakeTime {
		window = time.Minute
	}
	for start := time.Now(); ; window *= 2 {
		s := &limiterSuite{config: c, T: f.T, open: open, window: window}
		s.run(f.Ctx, do)
		if len(s.problems) == 0 || c.fakeTime || window >= longestWindow || time.Since(start) > giveUp {
			return s.problems
		}
		f.T.Logf("repeated with a longer window than %v, because %s", window, s.problems[0])
	}
}

// limiterSuite is one run of a step.
type limiterSuite struct {
	config
	T      *testing.T
	ctx    context.Context // ends with the run
	open   openLimiter
	window time.Duration
	fleets []*limiterFleet

	mu       sync.Mutex
	problems []string
}

// run runs a step, and then audits its fleets.
func (s *limiterSuite) run(ctx context.Context, do step) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	do(s)
	for _, f := range s.fleets {
		f.workers.Wait()
		f.audit(time.Time{}, f.times)
	}
	cancel()
	if s.fakeTime {
		time.Sleep(10 * time.Minute) // calls of the engine end
	}
}

// errorf reports a problem. The first few are enough.
func (s *limiterSuite) errorf(format string, args ...any) {
	const most = 8
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.problems) < most {
		s.problems = append(s.problems, fmt.Sprintf(format, args...))
	}
}

// windows returns a duration as a number of windows.
func (s *limiterSuite) windows(n float64) time.Duration {
	return time.Duration(n * float64(s.window))
}

// sleep lets a number of windows pass.
func (s *limiterSuite) sleep(windows float64) { time.Sleep(s.windows(windows)) }

// patience is how long the suite waits for what must happen by itself.
func (s *limiterSuite) patience() time.Duration { return time.Second + 5*s.window }

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
	return s.fleetOf(l)
}

// fleetOf returns a fleet with these limits and no pace.
func (s *limiterSuite) fleetOf(l terminal49.RateLimits) *limiterFleet {
	l.PerSecond, l.Burst = 1e6, 1e6
	f := &limiterFleet{limiterSuite: s, times: 1, setup: Setup{Namespace: suite.NewNamespace(), Window: s.window, Limits: l}}
	s.fleets = append(s.fleets, f)
	return f
}
