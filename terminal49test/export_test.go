package terminal49test

import (
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// LimiterFindings returns what each subtest of TestLimiter finds, in fake time.
func LimiterFindings(t *testing.T, open func(*testing.T, LimiterSetup) terminal49.Limiter) map[string][]string {
	found := map[string][]string{}
	for _, check := range limiterChecks {
		suiteConfig{bubble: true}.run(t, func(t *testing.T) { found[check.name] = check.findings(t, open) })
	}
	return found
}

// DedupeFindings returns what each subtest of TestDedupeStore finds, in fake time.
func DedupeFindings(t *testing.T, open func(*testing.T, DedupeSetup) webhook.DedupeStore) map[string][]string {
	found := map[string][]string{}
	for _, check := range dedupeChecks {
		suiteConfig{bubble: true}.run(t, func(t *testing.T) { found[check.name] = check.findings(t, open) })
	}
	return found
}
