//go:build unix

package measure

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_Unchanged measures the WAL and the statements of walks over an unchanged copy:
//
//	MEASURE=1 go test -run Unchanged -v .
func TestMeasure_Unchanged(t *testing.T) {
	measured(t)
	b := newBackfill(t, durablePostgres(t), terminal49test.WithoutRateLimits())
	config, err := pgx.ParseConfig(b.order.Database.DSN)
	require.NoError(t, err)
	var counted statements
	config.Tracer = &counted
	db := stdlib.OpenDB(*config)
	defer db.Close() //nolint:errcheck // of a test
	m := b.mirrorOf(db)
	for range 2 {
		require.NoError(t, m.Reconcile(t.Context()))
	}
	const written = "select cast(pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bigint)"
	b.exec("checkpoint")
	wal, last, before := b.number(written), b.number("select max(id) from t49.walks"), counted.Load()
	took := mirrortest.Stopwatch()
	require.NoError(t, m.Reconcile(t.Context()))
	spent, n, bytes := took(), counted.Load()-before, b.number(written)-wal
	pages := b.number(fmt.Sprint("select sum(page) from t49.walks where id > ", last))
	b.figure("reconciled without a change", fmt.Sprintf("%.2f MB of WAL; %d pages, %.1f statements a page; %v",
		float64(bytes)/1e6, pages, float64(n)/float64(pages), spent.Round(time.Millisecond)))
}

// statements counts statements, and is a [pgx.QueryTracer].
type statements struct{ atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.Add(1)
	return ctx
}

func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
