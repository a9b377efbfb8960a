package fleettest_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet/fleettest"
)

// This is the body of a test of a limiter in a database. Every process has connections of its own.
func ExampleTestLimiter() {
	var connect func() *sql.DB
	var newLimiter func(db *sql.DB, namespace string, l terminal49.RateLimits, window time.Duration) terminal49.Limiter

	test := func(t *testing.T) {
		fleettest.TestLimiter(t, func(t *testing.T, s fleettest.Setup) terminal49.Limiter {
			db := connect()
			context.AfterFunc(s.Context, func() { _ = db.Close() }) // the process dies
			return newLimiter(db, s.Namespace, s.Limits, s.Window)
		})
	}
	_ = test // func TestOurLimiter(t *testing.T)
	// Output:
}
