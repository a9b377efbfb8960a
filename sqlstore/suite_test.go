package sqlstore_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/fleet/fleettest"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/webhook"
	"github.com/go-freight/terminal49/webhook/webhooktest"
)

func TestLimiter_PassesTheSuite(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		if strings.Contains(d.dsn, "default_query_exec_mode") && os.Getenv("PROOF") != "whole" {
			t.Skip("behind PgBouncer it runs with PROOF=whole")
		}
		d.withTables(t)
		fleettest.TestLimiter(t, func(t *testing.T, s fleettest.Setup) terminal49.Limiter {
			db := d.open(t)
			context.AfterFunc(s.Context, func() { _ = db.Close() })
			limiter, err := sqlstore.NewLimiter(db, d.dialect, "", fleet.WithNamespace(s.Namespace),
				fleet.WithLimits(s.Limits), fleet.WithWindow(s.Window))
			if err != nil {
				t.Fatal(err)
			}
			return limiter
		}, fleettest.WithShares(), fleettest.WithRefusals(func(l terminal49.Limits) error {
			_, err := sqlstore.NewLimiter(d.open(t), d.dialect, "key", fleet.WithLimits(l))
			return err
		}))
	})
}

func TestDedupe_PassesTheSuite(t *testing.T) {
	eachDatabase(t, func(t *testing.T, d database) {
		d.withTables(t)
		webhooktest.TestDedupeStore(t, func(t *testing.T, s webhooktest.Setup) webhook.DedupeStore {
			return newDedupe(t, d, s.Namespace)
		})
	})
}
