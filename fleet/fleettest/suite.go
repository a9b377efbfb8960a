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
	// Namespace names the budget that the processes share, as an API key does. It has at most 64
	// letters, digits and ".", "_", ":", "-", as for fleet.WithNamespace.
	Namespace string
	// Limits are the requests in any Window. PerSecond and Burst are too high to matter.
	Limits terminal49.RateLimits
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
	refuse           func(terminal49.RateLimits) error
	faults           Faults
}

// WithFakeTime runs each subtest in a testing/synctest bubble, with the service's limits and its
// window of one minute. Use it only for limiters in memory: a bubble's clock stops during network
// I/O.
func WithFakeTime() Option { return func(c *config) { c.fakeTime = true } }

// WithShares makes [TestLimiter] also test the shares that terminal49.WithRateLimitShare sets for
// calls. Use it for limiters that read CallInfo.Share.
func WithShares() Option { return func(c *config) { c.shares = true } }

// WithRefusals makes [TestLimiter] also test which limits are refused: those that
// terminal49.NewLimiter refuses, with a *terminal49.ArgumentError. create returns the error of
// creating a limiter with these limits. Use it for limiters that take terminal49.RateLimits.
func WithRefusals(create func(terminal49.RateLimits) error) Option {
	return func(c *config) { c.refuse = create }
}

// Faults are the ways in which a test can make the engine fail that all processes share. A nil
// field skips the subtests that need it. One fault at a time is in effect.
type Faults struct {
	// Away makes every call of the engine fail until back is called. The engine keeps its data.
	Away func() (back func())
	// Slow makes every call of the engine take d longer until normal is called.
	Slow func(d time.Duration) (normal func())
	// Lose deletes everything in the engine, which goes on working.
	Lose func()
}

// WithFaults makes [TestLimiter] also test what happens while the engine is away or slow, and after
// it has lost its data. Requests must wait while the engine is away.
func WithFaults(f Faults) Option { return func(c *config) { c.faults = f } }

// TestLimiter tests a limiter that several processes share. It opens one limiter for each simulated
// process; all with the same Namespace must share their slots. Each subtest tests one promise,
// which its failures name.
//
// With [WithFakeTime] the limits are the service's: 100, 100, 200 and 10 requests in any minute,
// and the suite takes seconds. In real time the limits are 20, 8, 12 and 4, and a window is half a
// second. The suite then takes about a minute, and ends within minutes even if Acquire never
// returns. The numbers in parentheses are those of real time.
//
//   - Limit, Use: no window has more requests than the limit, and 20 (5) times the limit takes at
//     most 20.5 (5.4) windows, with 1 to 50 (8) processes and up to 1,000 (60) waiters.
//   - Requests, Deaths: slots are kept for requests of 65 (6) windows. Those of a killed process
//     become free one window after its death at the earliest, and three at the latest.
//   - Pauses: of an hour (5 windows), in all processes. They end within half a window.
//   - Deadlines, Leaving: a call fails before half of its deadline if its wait exceeds it, and
//     succeeds if its wait is window/4 shorter. The slot of a waiter that leaves is free within
//     window/4.
//   - Order, Shares: waiters that ask window/25 apart are served in that order, in all processes;
//     with [WithShares], larger shares first.
//   - Buckets, Namespaces: independent, with limits from 1 to 1,000.
//   - Outages, Slowness, Losses: with [WithFaults], the limit holds while the engine is away for up
//     to 1.5 windows, or slow by a third of one. Waiting calls succeed afterwards. After a loss of
//     data, one window has at most twice the limit, and those that begin two windows later at most
//     the limit.
//
// A request counts only between the return of its Acquire and its release. In real time, what fails
// is repeated with longer windows, so that a slow machine fails no good limiter.
func TestLimiter(t *testing.T, open func(t *testing.T, s Setup) terminal49.Limiter, opts ...Option) {
	var c config
	for _, opt := range opts {
		opt(&c)
	}
	suite.Run(t, c.fakeTime, suiteChecks(open, c))
}
