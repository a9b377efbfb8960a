package mirror

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/terminal49test"
)

// BenchmarkWrite measures how many rows of pages are read from JSON, written and committed a
// second: shipments with their containers and transport events, all new, then all the same, then
// all containers different. Both databases are files, and each commit is durable.
func BenchmarkWrite(b *testing.B) {
	pages, rows := benchmarkPages(b, 50)
	moved := make([][]byte, len(pages))
	for i, page := range pages {
		moved[i] = bytes.ReplaceAll(page, []byte(`"weight_in_lbs":`), []byte(`"weight_in_lbs":1`))
	}
	for name, open := range map[string]func(testing.TB) *sql.DB{"SQLite": sqliteFull, "Postgres": durable} {
		b.Run(name, func(b *testing.B) {
			speed := map[string]time.Duration{}
			n := 0
			for b.Loop() {
				w := newBenchmark(b, open(b))
				speed["new"] += w.write(pages)
				speed["same"] += w.write(pages)
				speed["changed"] += w.write(moved)
				n++
			}
			for what, took := range speed {
				b.ReportMetric(float64(n*rows)/took.Seconds(), what+"-rows/s")
			}
		})
	}
}

type benchmark struct {
	testing.TB
	*Mirror
	lease *store.Lease
}

func newBenchmark(b testing.TB, db *sql.DB) *benchmark {
	client, err := terminal49.New("Zr8xW2kQ9vB4nT7m")
	require.NoError(b, err)
	m, err := New(client, db)
	require.NoError(b, err)
	require.NoError(b, m.Migrate(context.Background()))
	l := store.NewLease()
	has, err := m.db.TakeLease(context.Background(), l, time.Now())
	require.NoError(b, err)
	require.True(b, has)
	return &benchmark{b, m, l}
}

// write writes pages, each in a transaction, and returns how long that took.
func (w *benchmark) write(pages [][]byte) time.Duration {
	ctx, sent, took := context.Background(), time.Now(), mirrortest.Stopwatch()
	for _, page := range pages {
		ticket, err := w.db.Draw(ctx)
		require.NoError(w, err)
		var read model.Document
		require.NoError(w, json.Unmarshal(page, &read))
		require.NoError(w, w.db.Apply(ctx, w.lease, "benchmark", func(t *store.Tx) error {
			return t.Write(ctx, plan.Reading{Ticket: ticket, Until: ticket, Sent: sent, Source: "walk"}, read.All())
		}))
	}
	return took()
}

var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// benchmarkPages returns pages with the resources of the demo world, and how many rows they are.
// Each page has copies of them with ids of their own.
func benchmarkPages(b testing.TB, n int) (pages [][]byte, rows int) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.SeedDemo()
	srv.Advance(30 * 24 * time.Hour)
	var list [][]byte
	kinds := map[string]int{}
	for r := range srv.Snapshot("shipment", "container", "transport_event") {
		list = append(list, r.JSON)
		kinds[r.Type]++
	}
	const copies = 10
	for i := range n {
		var data [][]byte
		for k := range copies {
			tag := fmt.Appendf(nil, "%08x", i*copies+k)
			for _, res := range list {
				data = append(data, anID.ReplaceAllFunc(res, func(id []byte) []byte { return append(tag[:8:8], id[8:]...) }))
			}
		}
		pages = append(pages, fmt.Appendf(nil, `{"data":[%s]}`, bytes.Join(data, []byte(","))))
		rows += len(data)
	}
	b.Logf("%d pages, %d rows, %v, %d bytes a row", n, rows, kinds, len(pages[0])*n/rows)
	return pages, rows
}
