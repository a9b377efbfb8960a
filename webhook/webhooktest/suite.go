// Package webhooktest tests stores in which several processes remember the notifications that they
// handled.
package webhooktest

import (
	"context"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
)

// Setup describes one process that receives notifications, for which [TestDedupeStore] opens
// a store.
type Setup struct {
	// Namespace names what the processes share. Every subtest uses new namespaces.
	Namespace string
	// Clock is the clock of the process, which may be wrong by an hour. A store that reads the time
	// in the process must read it here; one that uses only its engine's clock ignores it.
	Clock func() time.Time
	// Context ends at the end of the subtest. All background work of the store must end with it.
	Context context.Context
}

// Option configures [TestDedupeStore].
type Option func(*config)

type config struct {
	fakeTime bool
	advance  func(time.Duration)
	faults   Faults
}

// WithFakeTime runs each subtest in a testing/synctest bubble, so that weeks take almost no time.
// Use it only for stores in memory: a bubble's clock stops during network I/O.
func WithFakeTime() Option { return func(c *config) { c.fakeTime = true } }

// WithClock makes [TestDedupeStore] also test leases of up to an hour and retentions of up to 40
// days in real time. advance moves the clock of the engine forward by a whole number of seconds.
// The engine keeps its data. To move all times that it has stored back has the same effect.
func WithClock(advance func(d time.Duration)) Option {
	return func(c *config) { c.advance = advance }
}

// Faults are the ways in which a test can make the engine fail that all processes share. A nil
// field skips the subtests that need it.
type Faults struct {
	// Away makes every call of the engine fail, or hang, until back is called. The engine keeps its
	// data.
	Away func() (back func())
	// Lose deletes everything in the engine, which goes on working.
	Lose func()
}

// WithFaults makes [TestDedupeStore] also test what a store returns while its engine is away, and
// after the engine has lost its data.
func WithFaults(f Faults) Option { return func(c *config) { c.faults = f } }

// TestDedupeStore tests a store that several processes share. It opens one store for each simulated
// process; all with the same Namespace must share their notifications. A store may round times up,
// by less than two seconds, and it must remember 10,000 notifications.
//
// Each subtest is named after the promise of [webhook.DedupeStore] that it tests. A slow machine
// cannot cause a failure. In real time the suite takes about 20 seconds, and ends within three
// minutes whatever the store does. It then tests leases and retentions of up to a second; use
// [WithClock] for longer ones.
func TestDedupeStore(t *testing.T, open func(t *testing.T, s Setup) webhook.DedupeStore, opts ...Option) {
	var c config
	for _, opt := range opts {
		opt(&c)
	}
	start := time.Now()
	all := checks(open, c)
	for i, check := range all {
		all[i].Run = func(f *suite.Findings) {
			if t.Failed() && time.Since(start) > giveUp {
				f.T.Skipf("another subtest has failed, and the suite has taken %v", giveUp)
			}
			check.Run(f)
		}
	}
	suite.Run(t, c.fakeTime, all)
}

// giveUp is the time after which a suite that has found something tests nothing else.
const giveUp = time.Minute

type openDedupe = func(*testing.T, Setup) webhook.DedupeStore

// checks are the promises of a [webhook.DedupeStore].
func checks(open openDedupe, c config) []suite.Check {
	var all []suite.Check
	when := func(runs bool, needs, name string, run func(*dedupeSuite)) {
		if runs {
			needs = ""
		}
		all = append(all, suite.Check{Name: name, Skip: needs, Run: func(f *suite.Findings) {
			run(&dedupeSuite{Findings: f, config: c, open: open, namespace: suite.NewNamespace()})
		}})
	}
	always := func(name string, run func(*dedupeSuite)) { when(true, "", name, run) }
	always("AClaimIsCompletedOrReleased", (*dedupeSuite).claimIsCompletedOrReleased)
	always("OneOfManyClaimersWins", (*dedupeSuite).oneOfManyWins)
	always("AClaimAloneIsNotDone", (*dedupeSuite).claimAloneIsNotDone)
	always("AForgottenNotificationIsNew", (*dedupeSuite).forgottenIsNew)
	always("ALateReleaseDoesNothing", (*dedupeSuite).lateReleaseDoesNothing)
	always("ALateCompleteCounts", (*dedupeSuite).lateCompleteCounts)
	always("OnlyTheOwnerReleases", (*dedupeSuite).onlyTheOwnerReleases)
	always("OnlyTheOwnerRenews", (*dedupeSuite).onlyTheOwnerRenews)
	always("AnOwnerHasSeveralNotifications", (*dedupeSuite).severalNotifications)
	always("TheClaimOfADeadOwnerExpires", (*dedupeSuite).claimOfADeadOwnerExpires)
	always("StrangersDoNotChangeALease", (*dedupeSuite).strangersChangeNothing)
	always("ARenewedClaimLasts", (*dedupeSuite).renewedClaimLasts)
	always("EachClaimHasItsOwnLease", (*dedupeSuite).eachClaimHasItsOwnLease)
	always("DoneLastsForTheRetention", (*dedupeSuite).doneLastsForTheRetention)
	always("TheRetentionCountsFromComplete", (*dedupeSuite).retentionCountsFromComplete)
	always("DoneOutlivesTheLease", (*dedupeSuite).doneOutlivesTheLease)
	always("LongestTimes", (*dedupeSuite).longestTimes)
	when(c.fakeTime || c.advance != nil, "WithFakeTime or WithClock runs it", "LongLeases", (*dedupeSuite).longLeases)
	when(c.fakeTime || c.advance != nil, "WithFakeTime or WithClock runs it", "LongRetentions", (*dedupeSuite).longRetentions)
	always("ReleaseIsAtomic", (*dedupeSuite).releaseIsAtomic)
	always("RenewalIsAtomic", (*dedupeSuite).renewalIsAtomic)
	always("DoneIsFinal", (*dedupeSuite).doneIsFinal)
	always("IDsAreKeptApart", (*dedupeSuite).idsAreKeptApart)
	always("ManyNotificationsAreRemembered", (*dedupeSuite).manyAreRemembered)
	always("NamespacesAreIndependent", (*dedupeSuite).namespacesAreIndependent)
	always("ClocksOfProcessesDoNotMatter", (*dedupeSuite).clocksDoNotMatter)
	always("AnEndedContextIsAnError", (*dedupeSuite).endedContextIsAnError)
	when(c.faults.Away != nil, "WithFaults runs it", "AnEngineThatIsAwayIsAnError", (*dedupeSuite).awayIsAnError)
	when(c.faults.Lose != nil, "WithFaults runs it", "ALostClaimIsNotRenewed", (*dedupeSuite).lostClaimIsNotRenewed)
	return all
}
