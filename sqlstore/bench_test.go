package sqlstore_test

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/sqlstore"
)

// BenchmarkServe compares a call of the engine with a bare round trip.
func BenchmarkServe(b *testing.B) {
	for name, start := range map[string]func(testing.TB) database{"Postgres": newPostgres, "SQLite": newSQLite} {
		b.Run(name, func(b *testing.B) {
			d := start(b).withTables(b)
			db := d.open(b)
			engine, err := sqlstore.NewEngine(db, d.dialect)
			if err != nil {
				b.Fatal(err)
			}
			b.Run("RoundTrip", func(b *testing.B) {
				for b.Loop() {
					if err := db.QueryRowContext(b.Context(), "select 1").Scan(new(int)); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run("Serve", func(b *testing.B) {
				for b.Loop() {
					if _, err := engine.Serve(b.Context(), fleet.Call{
						Bucket: fleet.Bucket{Namespace: "bench", Name: "default"}, Limit: 100, Window: 6 * time.Second,
						Places: []fleet.Place{{Owner: rand.Text(), Top: 100}},
					}); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}
