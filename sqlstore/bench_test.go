package sqlstore_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
)

// BenchmarkTake compares Take and Keep with a bare round trip.
func BenchmarkTake(b *testing.B) {
	for name, start := range map[string]func(testing.TB) database{"Postgres": newPostgres, "SQLite": newSQLite} {
		b.Run(name, func(b *testing.B) {
			d := start(b).withTables(b)
			db := d.open(b)
			engine, err := sqlstore.NewEngine(db, d.dialect)
			if err != nil {
				b.Fatal(err)
			}
			bucket := fleet.Bucket{Namespace: "bench", Name: "default"}
			b.Run("RoundTrip", func(b *testing.B) {
				for b.Loop() {
					if err := db.QueryRowContext(b.Context(), "select 1").Scan(new(int)); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("Take", func(b *testing.B) {
				for b.Loop() {
					r := fleet.Request{Bucket: bucket, Owner: rand.Text(), Limit: 100, Top: 100, Hold: time.Millisecond}
					if grant, err := engine.Take(b.Context(), r); err != nil || !grant.Taken && grant.Wait > time.Minute {
						b.Fatal(grant, err)
					}
				}
			})
			b.Run("Keep", func(b *testing.B) {
				slots := []fleet.Slot{{Owner: "bench", For: time.Minute}}
				for b.Loop() {
					if _, err := engine.Keep(b.Context(), bucket, slots); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
