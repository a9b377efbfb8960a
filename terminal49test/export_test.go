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

// HistoryMisses returns the resources whose latest state is not in the history.
func HistoryMisses(s *Server) (missed []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	h := s.world.history
	was := h.report
	h.report = func(state State) { missed = append(missed, state.Type+" "+state.ID) }
	s.world.changedAnything()
	s.world.remember(s.world.now())
	h.report = was
	return missed
}
