package sqlstore_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func TestLimiter_PassesTheSuite(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		if strings.Contains(d.dsn, "default_query_exec_mode") && os.Getenv("PROOF") != "whole" {
			t.Skip("behind PgBouncer it runs with PROOF=whole")
		}
		d.withTables(t)
		terminal49test.TestLimiter(t, func(t *testing.T, s terminal49test.LimiterSetup) terminal49.Limiter {
			db := d.open(t)
			context.AfterFunc(s.Context, func() { _ = db.Close() })
			limiter, err := sqlstore.NewLimiter(db, d.dialect, "", fleet.WithNamespace(s.Namespace),
				fleet.WithLimits(s.Limits), fleet.WithWindow(s.Window), fleet.WithFallback(fleet.Wait()))
			if err != nil {
				t.Fatal(err)
			}
			return limiter
		}, terminal49test.WithShares())
	})
}

func TestDedupe_PassesTheSuite(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		d.withTables(t)
		terminal49test.TestDedupeStore(t, func(t *testing.T, s terminal49test.DedupeSetup) webhook.DedupeStore {
			return newDedupe(t, d, s.Namespace)
		})
	})
}
