//go:build unix

package measure

import (
	"database/sql"
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/worklist"
)

// readers measures the readers of a copy.
func (b *backfill) readers() {
	b.types()
	b.views()
	b.worklists()
	b.overview()
}

// times returns the sorted times of runs.
func times(runs int, f func()) []time.Duration {
	all := make([]time.Duration, runs)
	for i := range all {
		took := mirrortest.Stopwatch()
		f()
		all[i] = took()
	}
	slices.Sort(all)
	return all
}

func (b *backfill) figure(what string, value any) {
	b.Helper()
	b.Logf("figure: %s, %s: %v", b.order.Database.Driver, what, value)
}

// median logs the median and the 95th percentile of runs.
func (b *backfill) median(what string, runs int, f func()) {
	b.Helper()
	took := times(runs, f)
	b.figure(what, fmt.Sprintf("median %v, p95 %v", at(took, 50), at(took, 95)))
}

// at returns a percentile.
func at(sorted []time.Duration, percent int) time.Duration {
	return sorted[len(sorted)*percent/100].Round(10 * time.Microsecond)
}

// types measures rows as the client's types.
func (b *backfill) types() {
	r, n := mirror.NewReader(b.db), 0
	var last *terminal49.Container
	took := mirrortest.Stopwatch()
	for c, err := range r.Containers(b.Context(), "") {
		require.NoError(b, err)
		last = c
		n++
	}
	b.figure("as the client's types, rows a second", int(float64(n)/took().Seconds()))
	require.Equal(b, b.containers, n)
	b.median("by number", 500, func() {
		found, err := r.ContainersByNumber(b.Context(), last.Number)
		require.NoError(b, err)
		require.Len(b, found, 1)
	})
}

// views measures all rows of DataSync's views, and how large the rows are that they are made of.
func (b *backfill) views() {
	for _, name := range []string{"shipments", "containers", "tracking_requests", "transport_events"} {
		b.figure("datasync."+name, b.reads("select * from datasync."+name))
		size := "pg_total_relation_size('t49." + name + "')"
		if b.order.Database.dialect() == sqlstore.SQLite {
			size = "(select sum(pgsize) from dbstat where name in (select name from sqlite_schema where tbl_name = '" + name + "'))"
		}
		var row, sent int
		require.NoError(b, b.db.QueryRow(b.named("select "+size+" / count(*), sum(length(cast(raw as text))) / count(*) from t49."+name)).Scan(&row, &sent))
		b.figure("bytes of a row of "+name+" with its indexes; of its JSON", fmt.Sprint(row, "; ", sent))
	}
}

// reads returns how many rows a statement has, and how long it takes to read all columns of all.
func (b *backfill) reads(statement string) string {
	b.Helper()
	took := mirrortest.Stopwatch()
	rows, err := b.db.QueryContext(b.Context(), b.named(statement))
	require.NoError(b, err)
	defer rows.Close() //nolint:errcheck // rows.Err has it
	names, err := rows.Columns()
	require.NoError(b, err)
	into := make([]any, len(names))
	for i := range into {
		into[i] = new(sql.RawBytes)
	}
	n := 0
	for rows.Next() {
		require.NoError(b, rows.Scan(into...))
		n++
	}
	require.NoError(b, rows.Err())
	return fmt.Sprintf("%d rows in %v", n, took().Round(time.Millisecond))
}

// worklists measures worklists and counts.
func (b *backfill) worklists() {
	r, now := mirror.NewReader(b.db), b.srv.Now()
	for _, what := range []worklist.Work{worklist.WorkOverdue, worklist.WorkHolds, worklist.WorkArriving} {
		var list *mirror.Worklist
		b.median("worklist "+string(what), 5, func() {
			var err error
			list, err = r.Worklist(b.Context(), what, now, mirror.WorklistOptions{})
			require.NoError(b, err)
		})
		require.NotEmpty(b, list.Items, what)
	}
}

// overview measures the first answer of an overview, and later ones. Before each of those, a
// container changes.
func (b *backfill) overview() {
	o, now, n := mirror.NewReader(b.db).Overview(), b.srv.Now(), 0
	var id string
	require.NoError(b, b.db.QueryRow(b.named("select min(id) from t49.containers")).Scan(&id))
	list := func(opts mirror.ListOptions) func() {
		return func() {
			_, err := o.List(b.Context(), now, opts)
			require.NoError(b, err)
		}
	}
	b.median("overview read for the first time", 1, list(mirror.ListOptions{}))
	for what, ask := range map[string]func(){
		"all":              list(mirror.ListOptions{}),
		"at risk":          list(mirror.ListOptions{Filter: worklist.Filter{Work: []worklist.Work{worklist.WorkAtRisk}}, Order: worklist.OrderLastFreeDay}),
		"with a reference": list(mirror.ListOptions{Filter: worklist.Filter{References: []string{"PO-100000001"}}}),
		"counts by terminal and last free day": func() {
			_, err := o.Count(b.Context(), now, mirror.CountOptions{By: []worklist.Key{worklist.KeyTerminal, worklist.KeyLastFreeDay}})
			require.NoError(b, err)
		},
	} {
		var took []time.Duration
		for range 11 {
			n++
			b.srv.UpdateContainer(id, func(c *terminal49test.Container) { c.SealNumber = fmt.Sprint(n) })
			_, err := b.m.Repair(b.Context(), mirror.Ref{Type: "container", ID: id})
			require.NoError(b, err)
			took = append(took, times(1, ask)...)
		}
		slices.Sort(took)
		b.figure("overview after a change, "+what, fmt.Sprintf("median %v, p95 %v", at(took, 50), at(took, 95)))
	}
}
