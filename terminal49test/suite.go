package terminal49test

import (
	"context"
	"crypto/rand"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// SuiteOption configures [TestLimiter] or [TestDedupeStore].
type SuiteOption func(*suiteConfig)

type suiteConfig struct{ bubble, shares bool }

// WithFakeTime runs each subtest in a testing/synctest bubble, so that the suite takes almost no
// time. Use it only for stores in memory: a bubble's clock stops during network I/O.
func WithFakeTime() SuiteOption { return func(c *suiteConfig) { c.bubble = true } }

// WithShares makes [TestLimiter] also test the shares that terminal49.WithShare sets for calls. Use
// it for limiters that read CallInfo.Share.
func WithShares() SuiteOption { return func(c *suiteConfig) { c.shares = true } }

// run calls f with t, or with the t of a bubble.
func (c suiteConfig) run(t *testing.T, f func(*testing.T)) {
	if c.bubble {
		synctest.Test(t, f)
		return
	}
	f(t)
}

func newSuiteConfig(opts []SuiteOption) (c suiteConfig) {
	for _, opt := range opts {
		opt(&c)
	}
	return c
}

// clockError is how wrong the clock of a process may be.
const clockError = time.Hour

// patience is how long a suite waits for what must happen by itself. Only a broken store makes it
// wait that long.
const patience = time.Minute

// findings collects the promises that a store broke in one subtest.
type findings struct {
	t   *testing.T
	ctx context.Context // ends with the subtest

	mu    sync.Mutex
	found []string
}

// collect runs a check and returns what it found.
func collect(t *testing.T, check func(*findings)) []string {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f := &findings{t: t, ctx: ctx}
	check(f)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.found
}

func (f *findings) errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = append(f.found, fmt.Sprintf(format, args...))
}

// newNamespace returns a namespace that no other test uses.
func newNamespace() string { return "t49-suite-" + rand.Text() }

// clock returns the clock of a process that is wrong by off.
func clock(off time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(off) }
}

// suiteWindow is the first window of each check.
const suiteWindow = 500 * time.Millisecond

// patiently repeats a check with longer windows until it finds no problem, because a slow machine
// can delay anything. It reports the last problem.
func (f *findings) patiently(check func(window time.Duration) (problem string)) {
	problem := ""
	for window := suiteWindow; window <= 16*suiteWindow; window *= 2 {
		if problem = check(window); problem == "" {
			return
		}
	}
	f.errorf("%s", problem)
}
