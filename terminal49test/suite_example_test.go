package terminal49test_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// This is the body of a test of a limiter in a database. Every process has connections of its own.
func ExampleTestLimiter() {
	var connect func() *sql.DB
	var newLimiter func(db *sql.DB, namespace string, l terminal49.Limits, window time.Duration) terminal49.Limiter

	test := func(t *testing.T) {
		terminal49test.TestLimiter(t, func(t *testing.T, s terminal49test.LimiterSetup) terminal49.Limiter {
			db := connect()
			context.AfterFunc(s.Context, func() { _ = db.Close() }) // the process dies
			return newLimiter(db, s.Namespace, s.Limits, s.Window)
		})
	}
	_ = test // func TestOurLimiter(t *testing.T)
	// Output:
}

// This is the body of a test of a store in memory, which takes almost no time. All processes of a
// namespace use the same store.
func ExampleTestDedupeStore() {
	test := func(t *testing.T) {
		stores := map[string]webhook.DedupeStore{}
		terminal49test.TestDedupeStore(t, func(t *testing.T, s terminal49test.DedupeSetup) webhook.DedupeStore {
			if stores[s.Namespace] == nil {
				stores[s.Namespace] = webhook.NewMemoryDedupe(0)
			}
			return stores[s.Namespace]
		}, terminal49test.WithFakeTime())
	}
	_ = test // func TestOurStore(t *testing.T)
	// Output:
}
