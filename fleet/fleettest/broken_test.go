package fleettest_test

import (
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// broken are the bugs of a slotEngine and its processes.
type broken struct {
	// algorithm replaces the slots: it returns how long to wait, or counts a request.
	algorithm func(s *slots, l *slotLimiter, b terminal49.Bucket, now time.Time) time.Duration
	limits    func(terminal49.RateLimits) terminal49.RateLimits
	key       func(namespace string, b terminal49.Bucket) string

	holdWindows, afterRelease, forgetAfter, poll, pauseMost float64
	renewals, lineIsFull                                    int
	renewedAtOnce                                           int64

	anyLimit, ownBudgets, processClock, minute, truncated, startEmpties           bool
	notRenewed, renewedForContext, pauseStopsRenewal, awayEndsRenewal, lostIsGone bool
	freeAtRelease, fromAcquire, anyoneReleases, releasedTwice                     bool
	contextReleases, lateReleaseLost, deathReleases, oneForContext                bool
	pauseLocal, pauseShortens, pauseForever, pauseLostIdle, pauseForgotten        bool
	oneMoreWhenIdle                                                               bool
	pauseAdded, pauseOfAll, pauseOfBuckets, pauseSkipsWaiters, pauseFrees         bool
	deadlineIgnored, contextIgnored, halfOfDeadline, neverWaits, deadlineRequired bool
	cancelledTakes, cancelledStays, refusedTakes, unsentKept, unsentFreesAnother  bool
	noLine, lineOfProcess, lastComeFirst, placesForever                           bool
	sharesIgnored, sharesApart, sharesRoundUp, sharesTruncated, sharesCountAll    bool
	smallSharesFirst, sharesNotFirst                                              bool
	awayAllows, awayFails, releaseLost, releaseBlocks, pauseLost, lossAllows      bool
	hangs                                                                         bool
}

func (b broken) keyOf(namespace string, bucket terminal49.Bucket) string {
	if b.key != nil {
		return b.key(namespace, bucket)
	}
	switch bucket {
	case terminal49.BucketCreate, terminal49.BucketInfer, terminal49.BucketRefresh:
		return namespace + "/" + string(bucket)
	}
	return namespace + "/" + string(terminal49.BucketDefault)
}

// algorithmState is what an algorithm counts.
type algorithmState struct {
	tat      time.Time // of GCRA
	counted  time.Time // of a counter per window: the window
	count    int
	previous int
}

// gcra admits a burst and then one request per interval.
func gcra(burst func(limit int) int) broken {
	return broken{algorithm: func(s *slots, l *slotLimiter, b terminal49.Bucket, now time.Time) time.Duration {
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

// counter counts per window. Windows begin at multiples of the window, or with a request. With
// weighted, a part of the previous window's count is added, as much as a rolling window covers.
func counter(aligned, weighted bool) broken {
	return broken{algorithm: func(s *slots, l *slotLimiter, b terminal49.Bucket, now time.Time) time.Duration {
		if end := s.counted.Add(l.setup.Window); !now.Before(end) {
			s.previous = 0
			if weighted && now.Before(end.Add(l.setup.Window)) {
				s.previous = s.count
			}
			s.counted, s.count = now, 0
			if aligned {
				s.counted = now.Truncate(l.setup.Window)
			}
		}
		left := 1 - float64(now.Sub(s.counted))/float64(l.setup.Window)
		if s.count+int(left*float64(s.previous)) >= l.limit(b) {
			if weighted {
				return l.setup.Window / 50
			}
			return s.counted.Add(l.setup.Window).Sub(now)
		}
		s.count++
		return 0
	}}
}

// limited changes the limits.
func limited(change func(l *terminal49.RateLimits)) broken {
	return broken{limits: func(l terminal49.RateLimits) terminal49.RateLimits {
		change(&l)
		return l
	}}
}

// everyLimit changes each limit.
func everyLimit(change func(int) int) broken {
	return limited(func(l *terminal49.RateLimits) {
		l.Default, l.Create, l.Infer, l.Refresh = change(l.Default), change(l.Create), change(l.Infer), change(l.Refresh)
	})
}

// named changes the key of a bucket in the engine.
func named(change func(namespace, bucket string) string) broken {
	return broken{key: func(namespace string, b terminal49.Bucket) string { return change(namespace, string(b)) }}
}

// without removes characters from namespaces.
func without(characters ...string) broken {
	pairs := make([]string, 0, 2*len(characters))
	for _, c := range characters {
		pairs = append(pairs, c, "")
	}
	return named(func(namespace, bucket string) string {
		return strings.NewReplacer(pairs...).Replace(namespace) + "/" + bucket
	})
}

const unlimited = 5000

// brokenLimiters returns broken limiters by the subtest of TestLimiter that finds them.
func brokenLimiters() map[string]map[string]broken {
	return map[string]map[string]broken{
		"NeverAboveTheLimit": {
			"a pause frees slots":               {pauseFrees: true},
			"GCRA without a burst":              gcra(func(int) int { return 1 }),
			"free a window after Acquire":       {fromAcquire: true},
			"free 0.98 windows after release":   {afterRelease: 0.98},
			"one slot too many":                 everyLimit(func(n int) int { return n + 1 }),
			"one slot too many for infer":       limited(func(l *terminal49.RateLimits) { l.Infer++ }),
			"one slot too many for refresh":     limited(func(l *terminal49.RateLimits) { l.Refresh++ }),
			"create without a limit":            limited(func(l *terminal49.RateLimits) { l.Create = unlimited }),
			"infer without a limit":             limited(func(l *terminal49.RateLimits) { l.Infer = unlimited }),
			"refresh without a limit":           limited(func(l *terminal49.RateLimits) { l.Refresh = unlimited }),
			"refresh with the default's limit":  limited(func(l *terminal49.RateLimits) { l.Refresh = l.Default }),
			"create with infer's limit":         limited(func(l *terminal49.RateLimits) { l.Create = l.Infer }),
			"a budget for each process":         {ownBudgets: true},
			"a new process empties the engine":  {startEmpties: true},
			"the end of a context releases":     {contextReleases: true},
			"a dead process frees its slots":    {deathReleases: true},
			"limits above 64 do not count":      everyLimit(func(n int) int { return n + n/65*unlimited }),
			"a release at the end of a second":  {truncated: true},
			"calls fail when they have to wait": {neverWaits: true},
			"calls need a deadline":             {deadlineRequired: true},
		},
		"BurstsAtTheBorderOfWindows": {
			"GCRA with a burst of the limit":    gcra(func(limit int) int { return limit }),
			"GCRA with a burst of half":         gcra(func(limit int) int { return limit / 2 }),
			"INCR per window of the clock":      counter(true, false),
			"INCR with a window from the first": counter(false, false),
			"a weighted count of two windows":   counter(true, true),
			"slots free at release":             {freeAtRelease: true},
		},
		"IdleTimeForgetsNothing": {
			"one more after long idle time": {oneMoreWhenIdle: true},
			"forgets after half a window":   {forgetAfter: 0.5},
			"forgets after 0.8 windows":     {forgetAfter: 0.8},
			"late releases lose their slot": {lateReleaseLost: true, holdWindows: 1e6},
		},
		"TheWholeBudgetIsUsable": {
			"half of the slots":                  everyLimit(func(n int) int { return n/2 + n%2 }),
			"nine of ten slots":                  everyLimit(func(n int) int { return (n*9 + 9) / 10 }),
			"64 slots at most":                   everyLimit(func(n int) int { return min(n, 64) }),
			"128 slots at most":                  everyLimit(func(n int) int { return min(n, 128) }),
			"release after context's end lost":   {lateReleaseLost: true},
			"free 1.1 windows after the release": {afterRelease: 1.1},
			"asks every half window":             {poll: 0.5},
		},
		"ManyProcessesShareTheBudget": {
			"half of the slots": everyLimit(func(n int) int { return n/2 + n%2 }),
		},
		"ManyWaitersAreServed": {
			"waiters beyond 64 fail":  {lineIsFull: 64},
			"waiters beyond 500 fail": {lineIsFull: 500},
		},
		"SlotsOfADeadProcessReturn": {
			"dead slots never return":        {holdWindows: 1e6},
			"dead slots return after 10":     {holdWindows: 10},
			"dead slots return after a half": {holdWindows: 0.5},
		},
		"SlotsOfADeadProcessAreHeld": {
			"dead slots return a window after renewal": {holdWindows: 1},
			"and 1.05 windows after renewal":           {holdWindows: 1.05},
			"dead processes free slots":                {deathReleases: true},
		},
		"WaitersOfADeadProcessBlockNobody": {
			"places stay for ever": {placesForever: true},
		},
		"ALongRequestKeepsItsSlot": {
			"slots are not renewed":               {notRenewed: true},
			"8 renewals":                          {renewals: 8},
			"60 renewals":                         {renewals: 60},
			"400 renewals":                        {renewals: 400},
			"8 slots renewed at once":             {renewedAtOnce: 8},
			"64 slots renewed at once":            {renewedAtOnce: 64},
			"256 slots renewed at once":           {renewedAtOnce: 256},
			"renewed until the context ends":      {renewedForContext: true},
			"one slot for calls with one context": {oneForContext: true},
			"freed when the context ends":         {contextReleases: true},
		},
		"PauseStopsAllProcesses": {
			"pause of one process":        {pauseLocal: true},
			"pause without an end":        {pauseForever: true},
			"pause not for waiters":       {pauseSkipsWaiters: true},
			"pause of at most 1.5":        {pauseMost: 1.5},
			"pause that nobody remembers": {pauseMost: 0.01, pauseForgotten: true},
		},
		"PauseIsNotShortened": {
			"pause that shortens":   {pauseShortens: true},
			"pauses that are added": {pauseAdded: true, pauseForgotten: true},
		},
		"PauseLastsAnHour": {
			"pause lost when idle":           {pauseLostIdle: true},
			"pause of at most half an hour":  {pauseMost: 30},
			"pause of at most 59 minutes":    {pauseMost: 59},
			"pauses that are added":          {pauseAdded: true, pauseForgotten: true},
			"slots in flight expire":         {pauseStopsRenewal: true},
			"pause of one process":           {pauseLocal: true},
			"a minute whatever the pause is": {pauseMost: 1},
		},
		"AWaitPastTheDeadlineFailsAtOnce": {
			"deadline ignored until it passes": {deadlineIgnored: true},
		},
		"AWaitBeforeTheDeadlineSucceeds": {
			"fails at half of the deadline": {halfOfDeadline: true},
			"fails when it has to wait":     {neverWaits: true},
		},
		"ARefusedCallTakesNoSlot": {
			"refused calls take slots": {refusedTakes: true},
		},
		"ACancelledWaiterTakesNoSlot": {
			"context ignored":                {contextIgnored: true},
			"cancelled waiters take slots":   {cancelledTakes: true, holdWindows: 1e6},
			"cancelled waiters stay in line": {cancelledStays: true},
			"Acquire hangs":                  {hangs: true},
		},
		"ALeavingWaiterGivesItsSlotBack": {
			"unsent slots stay taken": {unsentKept: true},
			"another's slot is freed": {unsentFreesAnother: true},
			"leaving waiters stay":    {cancelledStays: true},
		},
		"ReleasingTwiceFreesOneSlot": {
			"release twice frees two":              {releasedTwice: true},
			"release frees another process's slot": {anyoneReleases: true},
		},
		"FirstComeFirstServedInAProcess": {
			"last come, first served": {lastComeFirst: true},
			"anyone first":            {noLine: true},
		},
		"FirstComeFirstServedBetweenProcesses": {
			"last come, first served":        {lastComeFirst: true},
			"anyone first":                   {noLine: true},
			"in order within a process only": {lineOfProcess: true},
		},
		"BucketsAreIndependent": {
			"one budget for all buckets":    named(func(namespace, _ string) string { return namespace }),
			"create counts as default":      named(func(n, b string) string { return n + strings.Replace(b, "create", "default", 1) }),
			"infer counts as create":        named(func(n, b string) string { return n + strings.Replace(b, "infer", "create", 1) }),
			"refresh counts as infer":       named(func(n, b string) string { return n + strings.Replace(b, "refresh", "infer", 1) }),
			"buckets by the fourth letter":  named(func(n, b string) string { return n + b[3:4] }),
			"a pause is of all buckets":     {pauseOfBuckets: true},
			"a pause is of the whole store": {pauseOfAll: true},
		},
		"EachBucketHasItsLimit": {
			"create with the default's limit": limited(func(l *terminal49.RateLimits) { l.Create = l.Default }),
			"default and create are swapped":  limited(func(l *terminal49.RateLimits) { l.Create, l.Default = l.Default, l.Create }),
			"infer and refresh are swapped":   limited(func(l *terminal49.RateLimits) { l.Infer, l.Refresh = l.Refresh, l.Infer }),
			"the service's limits, always":    limited(func(l *terminal49.RateLimits) { *l = terminal49.DefaultRateLimits() }),
			"the service's minute, always":    {minute: true},
			"nine of ten slots, rounded down": everyLimit(func(n int) int { return n * 9 / 10 }),
			"two slots at least":              everyLimit(func(n int) int { return max(n, 2) }),
		},
		"AnUnknownBucketIsTheDefault": {
			"an unknown bucket has a budget": named(func(namespace, bucket string) string { return namespace + "/" + bucket }),
		},
		"NamespacesAreIndependent": {
			"namespace ignored":             named(func(_, bucket string) string { return bucket }),
			"namespace cut to 20":           named(func(n, bucket string) string { return n[:20] + bucket }),
			"namespace cut to 63":           named(func(n, bucket string) string { return n[:min(len(n), 63)] + bucket }),
			"namespaces in any letter case": named(func(n, bucket string) string { return strings.ToLower(n) + bucket }),
			"dots ignored":                  without("."),
			"punctuation ignored":           without(".", "-", ":", "_"),
			"a pause is of all namespaces":  {pauseOfAll: true},
		},
		"ClocksOfProcessesDoNotMatter": {
			"clock of the process": {processClock: true},
		},
		"TheLargestLimitIsUsable": {
			"large limits overflow": everyLimit(func(n int) int { return n % 128 }),
			"1000 slots at most":    everyLimit(func(n int) int { return min(n, 1000) }),
		},
		"LimitsOutOfRangeAreRefused": {
			"limits out of range taken": {anyLimit: true},
		},
		"SharesLeaveRoom": {
			"shares ignored":      {sharesIgnored: true},
			"shares of their own": {sharesApart: true},
			"shares rounded up":   {sharesRoundUp: true},
		},
		"SharesAreUsable": {
			"shares below 0.29 by rounding":     {sharesTruncated: true},
			"all requests count against shares": {sharesCountAll: true},
		},
		"LargerSharesGoFirst": {
			"smaller shares first":       {smallSharesFirst: true},
			"shares in order of arrival": {sharesNotFirst: true},
			"in order within a process":  {lineOfProcess: true},
		},
		"AnEngineThatIsAwayStopsRequests": {
			"no limit while it is away":                    {awayAllows: true},
			"calls fail while it is away":                  {awayFails: true},
			"releases are lost while it is away":           {releaseLost: true, holdWindows: 1e6},
			"releases wait for 10 windows while it's away": {releaseBlocks: true},
			"a pause is lost while it is away":             {pauseLost: true, pauseForgotten: true},
		},
		"AShortOutageKeepsSlots": {
			"an outage ends renewals": {awayEndsRenewal: true},
		},
		"ASlowEngineKeepsTheLimit": {
			"free a window after Acquire": {fromAcquire: true},
		},
		"ASlowEngineLosesNoSlots": {
			"unsent slots stay taken": {unsentKept: true},
		},
		"LostDataAllowTwiceTheLimitOnce": {
			"no limit for two windows after a loss": {lossAllows: true},
		},
		"LostSlotsOfLongRequestsReturn": {
			"lost slots are gone": {lostIsGone: true},
		},
	}
}
