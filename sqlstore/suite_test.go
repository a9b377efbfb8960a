package sqlstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

// The suites wait most of the time, so they run beside each other.

func TestLimiter_PassesTheSuite(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, d database) {
		d.skipPooled(t)
		d.withTables(t)
		fleettest.TestLimiter(t, func(t *testing.T, s fleettest.Setup) terminal49.Limiter {
			db := d.open(t)
			context.AfterFunc(s.Context, func() { _ = db.Close() })
			limiter, err := sqlstore.NewLimiter(db, d.dialect, "", fleet.WithNamespace(s.Namespace),
				fleet.WithRateLimits(s.Limits), fleet.WithWindow(s.Window))
			if err != nil {
				t.Fatal(err)
			}
			return limiter
		}, fleettest.WithShares(), fleettest.WithRefusals(func(l terminal49.RateLimits) error {
			_, err := sqlstore.NewLimiter(d.open(t), d.dialect, "key", fleet.WithRateLimits(l))
			return err
		}))
	})
}

// A clock that is moved forward is the same as times that are moved back.
func TestDedupe_PassesTheSuite(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, d database) {
		d.skipPooled(t)
		db := d.withTables(t).open(t)
		webhooktest.TestDedupeStore(t, func(t *testing.T, s webhooktest.Setup) webhook.DedupeStore {
			return newDedupe(t, d, s.Namespace)
		}, webhooktest.WithClock(func(by time.Duration) {
			back := map[sqlstore.Dialect]string{sqlstore.Postgres: "%d * interval '1 microsecond'", sqlstore.SQLite: "%d"}[d.dialect]
			execute(t, db, "update t49_notifications set until = until - "+fmt.Sprintf(back, by.Microseconds()))
		}), webhooktest.WithFaults(webhooktest.Faults{
			Away: func() func() { return lock(t, d, db) },
			Lose: func() { execute(t, db, "delete from t49_notifications") },
		}))
	})
}

// skipPooled skips a suite behind PgBouncer, unless proofs run whole. TestEngine_Suite and
// TestDedupe_KeepsItsContract always run there.
func (d database) skipPooled(t *testing.T) {
	t.Helper()
	if strings.Contains(d.dsn, "default_query_exec_mode") && os.Getenv("PROOF") != "whole" {
		t.Skip("behind PgBouncer it runs with PROOF=whole")
	}
}

// lock makes every statement on the notifications wait until the lock is released.
func lock(t *testing.T, d database, db *sql.DB) (release func()) {
	t.Helper()
	tx, err := db.BeginTx(context.WithoutCancel(t.Context()), nil)
	if err == nil && d.dialect == sqlstore.Postgres {
		_, err = tx.Exec("lock table t49_notifications in access exclusive mode")
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = tx.Rollback() }
}
