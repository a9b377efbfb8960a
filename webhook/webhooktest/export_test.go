package webhooktest

import (
	"slices"
	"testing"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
)

// DedupeFindings returns what the subtest with this name finds, in fake time; what all find for "".
func DedupeFindings(t *testing.T, name string, open func(*testing.T, Setup) webhook.DedupeStore, f Faults) map[string][]string {
	all := checks(open, config{fakeTime: true, faults: f})
	if name != "" {
		all = slices.DeleteFunc(all, func(c suite.Check) bool { return c.Name != name })
	}
	return suite.Find(t, all)
}
