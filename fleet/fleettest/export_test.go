package fleettest

import (
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/suite"
)

// LimiterFindings returns what each subtest of TestLimiter finds, in fake time.
func LimiterFindings(
	t *testing.T, open func(*testing.T, Setup) terminal49.Limiter, refuse func(terminal49.Limits) error,
) map[string][]string {
	return suite.Find(t, checks(open, config{shares: true, refuse: refuse}))
}
