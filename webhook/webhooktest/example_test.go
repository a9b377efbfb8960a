package webhooktest_test

import (
	"testing"

	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

// This is the body of a test of a store in memory, which takes almost no time. All processes of a
// namespace use the same store.
func ExampleTestDedupeStore() {
	test := func(t *testing.T) {
		stores := map[string]webhook.DedupeStore{}
		webhooktest.TestDedupeStore(t, func(t *testing.T, s webhooktest.Setup) webhook.DedupeStore {
			if stores[s.Namespace] == nil {
				stores[s.Namespace] = webhook.NewMemoryDedupe(0)
			}
			return stores[s.Namespace]
		}, webhooktest.WithFakeTime())
	}
	_ = test // func TestOurStore(t *testing.T)
	// Output:
}
