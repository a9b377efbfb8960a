package fleettest_test

import (
	"os"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// faults are the bugs of a slotEngine.
type faults struct {
	// algorithm replaces the slots: it returns how long to wait, or counts a request.
	algorithm func(s *slots, l *slotLimiter, b terminal49.Bucket, now time.Time) time.Duration

	holdWindows float64 // instead of 1.5
	moreSlots   int

	halfTheSlots, overflows, anyLimit             bool
	ownBudgets, processClock, notRenewed          bool
	freeAtRelease, fromAcquire                    bool
	pauseLocal, pauseShortens, pauseForever       bool
	deadlineIgnored, contextIgnored               bool
	sharedBuckets, namespaceIgnored, namespaceCut bool
	anyoneReleases, releasedTwice                 bool
	contextReleases, lateReleaseLost              bool
	cancelledTakes                                bool
	sharesIgnored, sharesApart, sharesRoundUp     bool
}

// gcra admits a burst and then one request per interval.
func gcra(burst func(limit int) int) faults {
	return faults{algorithm: func(s *slots, l *slotLimiter, b terminal49.Bucket, now time.Time) time.Duration {
		interval := l.setup.Window / time.Duration(l.limit(b))
		if s.tat.Before(now) {
			s.tat = now
		}
		if wait := s.tat.Sub(now) - interval*time.Duration(burst(l.limit(b))-1); wait > 0 {
			return wait
		}
		s.tat = s.tat.Add(interval)
		return 0
	}}
}

// counter counts per window. Windows begin at multiples of the window, or with a request.
func counter(aligned bool) faults {
	return faults{algorithm: func(s *slots, l *slotLimiter, b terminal49.Bucket, now time.Time) time.Duration {
		if end := s.counted.Add(l.setup.Window); !now.Before(end) {
			s.counted, s.count = now, 0
			if aligned {
				s.counted = now.Truncate(l.setup.Window)
			}
		}
		if s.count >= l.limit(b) {
			return s.counted.Add(l.setup.Window).Sub(now)
		}
		s.count++
		return 0
	}}
}

type brokenLimiter struct {
	faults
	caughtBy string // a subtest of TestLimiter
}

func brokenLimiters() map[string]brokenLimiter {
	return map[string]brokenLimiter{
		"GCRA with a burst of the limit":          {gcra(func(limit int) int { return limit }), "BurstsAtTheBorderOfWindows"},
		"GCRA without a burst":                    {gcra(func(int) int { return 1 }), "NeverAboveTheLimit"},
		"INCR per window of the clock":            {counter(true), "BurstsAtTheBorderOfWindows"},
		"INCR with a window from the first":       {counter(false), "BurstsAtTheBorderOfWindows"},
		"log that frees a window after Acquire":   {faults{fromAcquire: true}, "NeverAboveTheLimit"},
		"slots free at release":                   {faults{freeAtRelease: true}, "BurstsAtTheBorderOfWindows"},
		"one slot too many":                       {faults{moreSlots: 1}, "NeverAboveTheLimit"},
		"half of the slots":                       {faults{halfTheSlots: true}, "TheWholeBudgetIsUsable"},
		"a budget for each process":               {faults{ownBudgets: true}, "NeverAboveTheLimit"},
		"dead slots never return":                 {faults{holdWindows: 1e6}, "SlotsOfADeadProcessReturn"},
		"dead slots return too early":             {faults{holdWindows: 0.5}, "SlotsOfADeadProcessReturn"},
		"slots are not renewed":                   {faults{notRenewed: true}, "ALongRequestKeepsItsSlot"},
		"clock of the process":                    {faults{processClock: true}, "ClocksOfProcessesDoNotMatter"},
		"pause of one process":                    {faults{pauseLocal: true}, "PauseStopsAllProcesses"},
		"pause that shortens":                     {faults{pauseShortens: true}, "PauseIsNotShortened"},
		"pause without an end":                    {faults{pauseForever: true}, "PauseStopsAllProcesses"},
		"deadline ignored until it passes":        {faults{deadlineIgnored: true}, "AWaitPastTheDeadlineFailsAtOnce"},
		"context ignored":                         {faults{contextIgnored: true}, "ACancelledWaiterTakesNoSlot"},
		"cancelled waiters take slots":            {faults{cancelledTakes: true, holdWindows: 1e6}, "ACancelledWaiterTakesNoSlot"},
		"one budget for all buckets":              {faults{sharedBuckets: true}, "BucketsAreIndependent"},
		"namespace ignored":                       {faults{namespaceIgnored: true}, "NamespacesAreIndependent"},
		"namespace cut":                           {faults{namespaceCut: true}, "NamespacesAreIndependent"},
		"release twice frees two":                 {faults{releasedTwice: true}, "ReleasingTwiceFreesOneSlot"},
		"release frees another process's slot":    {faults{anyoneReleases: true}, "ReleasingTwiceFreesOneSlot"},
		"the end of a context releases":           {faults{contextReleases: true}, "NeverAboveTheLimit"},
		"release after the context's end is lost": {faults{lateReleaseLost: true}, "TheWholeBudgetIsUsable"},
		"shares ignored":                          {faults{sharesIgnored: true}, "SharesLeaveRoom"},
		"shares of their own":                     {faults{sharesApart: true}, "SharesLeaveRoom"},
		"large limits overflow":                   {faults{overflows: true}, "TheLargestLimitIsUsable"},
		"limits out of range taken":               {faults{anyLimit: true}, "LimitsOutOfRangeAreRefused"},
		"shares rounded up":                       {faults{sharesRoundUp: true}, "SharesLeaveRoom"},
	}
}

// Each broken limiter breaks a promise of [terminal49.Limiter] or [terminal49.Limits]. The suite
// finds it in the subtest that is named after that promise.
func TestLimiterSuite_FindsEveryBrokenLimiter(t *testing.T) {
	for name, broken := range brokenLimiters() {
		t.Run(name, func(t *testing.T) {
			suite.RequireCaught(t, fleettest.LimiterFindings(t, sharedSlots(broken.faults), broken.refuse), broken.caughtBy)
		})
	}
}

// Slots on one clock that are held for one window after their release are exact.
func TestLimiterSuite_PassesSlots(t *testing.T) {
	fleettest.TestLimiter(t, sharedSlots(faults{}), fleettest.WithFakeTime(), fleettest.WithShares(),
		fleettest.WithRefusals(faults{}.refuse))
}

// In real time the suite finds nothing in a good limiter, however slow the machine is.
func TestLimiterSuite_PassesSlotsInRealTime(t *testing.T) {
	if os.Getenv("PROOF") != "whole" {
		t.Skip("takes half a minute; PROOF=whole runs it")
	}
	fleettest.TestLimiter(t, sharedSlots(faults{}), fleettest.WithShares())
}
