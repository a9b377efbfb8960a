// Package suite runs the checks of the public suites fleettest and webhooktest: each check opens
// the store of several simulated processes and reports the promises that the store broke.
package suite

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

const (
	// ClockError is how wrong the clock of a process may be.
	ClockError = time.Hour
	// Patience is how long a check waits for what must happen by itself. Only a broken store makes it
	// wait that long.
	Patience = time.Minute
	// Window is the first window of each check.
	Window = 500 * time.Millisecond
)

// Check tests one promise of a store.
type Check struct {
	Name, Promise string
	Run           func(*Findings)
	Skip          string // why it is not run
}

// giveUp is the time after which a suite that has found something tests nothing else.
const giveUp = 90 * time.Second

// Run runs each check as a subtest; with fakeTime, in a testing/synctest bubble.
func Run(t *testing.T, fakeTime bool, checks []Check) {
	start := time.Now()
	for _, check := range checks {
		failed := t.Failed()
		t.Run(check.Name, func(t *testing.T) {
			if check.Skip != "" {
				t.Skip(check.Skip)
			}
			if failed && time.Since(start) > giveUp {
				t.Skipf("another subtest has failed, and the suite has taken %v", giveUp)
			}
			for _, found := range check.findings(t, fakeTime) {
				t.Errorf("promise: %s\n%s", check.Promise, found)
			}
		})
	}
}

// Find returns what each check finds, in fake time.
func Find(t *testing.T, checks []Check) map[string][]string {
	found := map[string][]string{}
	for _, check := range checks {
		found[check.Name] = check.findings(t, true)
	}
	return found
}

// RequireCaught requires that the check with this name found something.
func RequireCaught(t *testing.T, found map[string][]string, name string) {
	t.Helper()
	var by []string
	for check, all := range found {
		if len(all) > 0 {
			by = append(by, check)
		}
	}
	slices.Sort(by)
	if !slices.Contains(by, name) {
		t.Fatalf("found by %v, want %s", by, name)
	}
	t.Logf("found by %s: %s", strings.Join(by, ", "), found[name][0])
}

func (c Check) findings(t *testing.T, fakeTime bool) (found []string) {
	ended := false
	run := func(t *testing.T) { found, ended = collect(t, c.Run), true }
	if !fakeTime {
		run(t)
		return found
	}
	defer func() {
		// A store may call its engine when the check ends: synctest panics then, without consequences.
		if v := recover(); v != nil && !ended {
			found = append(found, fmt.Sprintf("the check did not end: %v", v))
		}
	}()
	synctest.Test(t, run)
	return found
}

// Findings collects the promises that a store broke in one check.
type Findings struct {
	T   *testing.T
	Ctx context.Context // ends with the check

	mu    sync.Mutex
	found []string
}

func collect(t *testing.T, check func(*Findings)) []string {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f := &Findings{T: t, Ctx: ctx}
	check(f)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.found
}

// Errorf reports a broken promise.
func (f *Findings) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.found = append(f.found, fmt.Sprintf(format, args...))
}

// NewNamespace returns a namespace that no other test uses.
func NewNamespace() string { return "t49-suite-" + rand.Text() }

// Clock returns the clock of a process that is wrong by off.
func Clock(off time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(off) }
}
