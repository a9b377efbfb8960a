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
// Each subtest tests one promise of [webhook.DedupeStore], which its failures name. A slow machine
// cannot cause a failure. In real time the suite takes about half a minute, and ends within minutes
// whatever the store does. It then tests leases and retentions of up to a second; use
// [WithClock] for longer ones.
func TestDedupeStore(t *testing.T, open func(t *testing.T, s Setup) webhook.DedupeStore, opts ...Option) {
	var c config
	for _, opt := range opts {
		opt(&c)
	}
	suite.Run(t, c.fakeTime, checks(open, c))
}

type openDedupe = func(*testing.T, Setup) webhook.DedupeStore

// checks are the promises of a [webhook.DedupeStore].
func checks(open openDedupe, c config) (all []suite.Check) {
	clock, away, lose := c.fakeTime || c.advance != nil, c.faults.Away != nil, c.faults.Lose != nil
	for _, x := range []struct {
		name, promise string
		run           func(*dedupeSuite)
		runs          bool
	}{
		{"Calls", "a notification is unknown, claimed until a time, or done until a time", (*dedupeSuite).randomCalls, true},
		{"Owners", "only the owner renews and releases a claim", (*dedupeSuite).owners, true},
		{"Leases", "a claim lasts for its lease from the last renewal on", (*dedupeSuite).leases, true},
		{"Retentions", "a notification is done for the retention from the last Complete on", (*dedupeSuite).retentions, true},
		{"LongTimes", "leases and retentions may last for days", (*dedupeSuite).longTimes, clock},
		{"LongestTimes", "leases and retentions may last for years", (*dedupeSuite).longestTimes, true},
		{"Races", "methods are atomic per id", (*dedupeSuite).races, true},
		{"IDs", "whole ids are compared", (*dedupeSuite).ids, true},
		{"TenThousand", "10,000 notifications are remembered", (*dedupeSuite).tenThousand, true},
		{"Namespaces", "namespaces are independent", (*dedupeSuite).namespaces, true},
		{"Clocks", "times are those of the store's clock, not of the processes'", (*dedupeSuite).clocks, true},
		{"Contexts", "a call whose context has ended is an error, or has had its effect", (*dedupeSuite).contexts, true},
		{"Outages", "a call is an error while the engine is away, which keeps its data", (*dedupeSuite).outages, away},
		{"Losses", "an owner does not renew a claim that the engine has lost and another owner has", (*dedupeSuite).losses, lose},
	} {
		needs := ""
		if !x.runs {
			needs = "an option runs it: WithFakeTime, WithClock or WithFaults"
		}
		all = append(all, suite.Check{Name: x.name, Promise: x.promise, Skip: needs, Run: func(f *suite.Findings) {
			x.run(&dedupeSuite{Findings: f, config: c, open: open, namespace: suite.NewNamespace(), known: map[[2]string]*notification{}})
		}})
	}
	return all
}
