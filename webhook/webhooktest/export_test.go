package webhooktest

import (
	"testing"

	"github.com/go-freight/terminal49/internal/testkit/suite"
	"github.com/go-freight/terminal49/webhook"
)

// DedupeFindings returns what each subtest of TestDedupeStore finds, in fake time.
func DedupeFindings(t *testing.T, open func(*testing.T, Setup) webhook.DedupeStore) map[string][]string {
	return suite.Find(t, checks(open))
}
