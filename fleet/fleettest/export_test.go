package fleettest

import (
	"fmt"
	"sync"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// LimiterFindings returns what the subtest with this name finds, or all of them for "", in fake
// time.
func LimiterFindings(
	t *testing.T, name string, open func(*testing.T, Setup) terminal49.Limiter, refuse func(terminal49.RateLimits) error, f Faults,
) map[string][]string {
	c := config{fakeTime: true, shares: true, refuse: refuse, faults: f}
	var chosen []suite.Check
	for _, check := range suiteChecks(open, c) {
		if name == "" || name == check.Name {
			chosen = append(chosen, check)
		}
	}
	return suite.Find(t, chosen)
}

// EngineFindings returns what TestEngine finds.
func EngineFindings(open func() fleet.Engine) []string {
	var found engineFindings
	testEngine(&found, open)
	return found.all
}

type engineFindings struct {
	mu  sync.Mutex
	all []string
}

func (f *engineFindings) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, fmt.Sprintf(format, args...))
}

func (f *engineFindings) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.all) > 0
}
