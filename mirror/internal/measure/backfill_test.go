//go:build unix

package measure

import (
	"cmp"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_Backfill measures the memory and the speed of a process that copies an account
// without rate limits. The service is simulated in the test's process, on the same machine. Each
// container has six transport events, or with MIRROR_EVENTS=none none:
//
//	MIRROR_MEASURE=1 MIRROR_CONTAINERS=1000000 go test -run Backfill/SQLite -v -timeout 3h .
func TestMeasure_Backfill(t *testing.T) {
	onBoth(t, func(t *testing.T, in source) {
		b := newBackfill(t, in, terminal49test.WithoutRateLimits())
		clock := mirrortest.Stopwatch()
		p := start(t, b.order)
		b.wait(p)
		took := clock()
		used := p.stop()
		rows := b.rows()
		t.Logf("%d rows in %v: %.0f rows/s; %v, %v a row", rows, took.Round(time.Second), float64(rows)/took.Seconds(), used, used.cpu/time.Duration(rows))
	})
}

// TestMeasure_Limited measures the requests and the CPU time of a process that copies an account
// within the service's rate limits. 8,000 containers take about four minutes:
//
//	MIRROR_MEASURE=1 go test -run Measure_Limited -v ./mirror/internal/measure
func TestMeasure_Limited(t *testing.T) {
	onBoth(t, func(t *testing.T, in source) {
		b := newBackfill(t, in)
		b.order.Limited = true
		clock := mirrortest.Stopwatch()
		p := start(t, b.order)
		pass(time.Minute)
		before := b.srv.RequestCount()
		pass(2 * time.Minute)
		t.Logf("%d requests in two minutes; 120 are granted", b.srv.RequestCount()-before) // 60 of 100 a minute
		b.wait(p)
		took := clock()
		used := p.stop()
		t.Logf("%d rows in %v: %.1f %% of a core; %v", b.rows(), took.Round(time.Second), 100*used.cpu.Seconds()/took.Seconds(), used)
		b.srv.CheckViolations(t)
	})
}

// TestMeasure_Verify measures the memory and the time of a process that verifies a copy without
// rate limits, after another one has made it. MIRROR_EVENTS and MIRROR_CONTAINERS apply here too:
//
//	MIRROR_MEASURE=1 go test -run Verify/SQLite -v -timeout 3h .
func TestMeasure_Verify(t *testing.T) {
	onBoth(t, func(t *testing.T, in source) {
		b := newBackfill(t, in, terminal49test.WithoutRateLimits())
		p := start(t, b.order)
		b.wait(p)
		p.stop()
		rows := b.rows()
		b.order.Verify = true
		clock := mirrortest.Stopwatch()
		p = start(t, b.order)
		p.wait(verified)
		took, used := clock(), p.used()
		p.stop()
		t.Logf("%d rows verified in %v: %.0f rows/s; %v", rows, took.Round(time.Second), float64(rows)/took.Seconds(), used)
	})
}

// onBoth runs a measure on SQLite and on Postgres, whose commits are durable.
func onBoth(t *testing.T, f func(t *testing.T, in source)) {
	if os.Getenv("MIRROR_MEASURE") == "" {
		t.Skip("set MIRROR_MEASURE=1")
	}
	t.Run("SQLite", func(t *testing.T) {
		file := filepath.Join(t.ArtifactDir(), "mirror.db")
		f(t, source{"sqlite", "file:" + file + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate"})
	})
	t.Run("Postgres", func(t *testing.T) { f(t, source{"pgx", engines.StartPostgres(t, "fsync=on").DSN()}) })
}

// backfill is a database that a child fills.
type backfill struct {
	*testing.T
	srv   *terminal49test.Server
	m     *mirror.Mirror
	order order
}

func newBackfill(t *testing.T, in source, opts ...terminal49test.Option) *backfill {
	t.Helper()
	containers, err := strconv.Atoi(cmp.Or(os.Getenv("MIRROR_CONTAINERS"), "8000"))
	require.NoError(t, err)
	opts = append(opts, terminal49test.WithSyntheticContainers(containers), terminal49test.WithLog(100))
	if os.Getenv("MIRROR_EVENTS") == "none" {
		opts = append(opts, terminal49test.WithIgnored("containers.list", "include=transport_events"))
	}
	srv := terminal49test.NewServer(opts...)
	t.Cleanup(srv.Close)
	db, err := sql.Open(in.Driver, in.DSN)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	client, err := terminal49.New("none")
	require.NoError(t, err)
	m, err := mirror.New(client, db)
	require.NoError(t, err)
	require.NoError(t, m.Migrate(t.Context()))
	return &backfill{t, srv, m, order{Database: in, API: srv.URL, Token: srv.Token}}
}

// wait waits until every list has been walked, and logs each twentieth of them.
func (b *backfill) wait(p *process) {
	b.Helper()
	type part struct {
		scope string
		part  int64
	}
	logged := map[part]bool{}
	for ended := 0; ended < lists; pass(200 * time.Millisecond) {
		walks, err := b.m.Walks(context.Background())
		require.NoError(b, err)
		ended = 0
		for _, w := range walks {
			require.Empty(b, w.Problem)
			if !w.Ended.IsZero() {
				ended++
			}
			if at := (part{w.Scope, w.Seen * 20 / max(w.Total, 1)}); !logged[at] {
				logged[at] = true
				b.Logf("%s %s: %d of %d; %v", time.Now().Format(time.TimeOnly), w.Scope, w.Seen, w.Total, p.used())
			}
		}
	}
}

// lists is how many lists the mirror walks over.
const lists = 8

// rows returns how many rows the database has, and logs how long the status took.
func (b *backfill) rows() (n int64) {
	b.Helper()
	took := mirrortest.Stopwatch()
	s, err := b.m.Status(context.Background())
	require.NoError(b, err)
	b.Logf("status took %v: %v", took(), s.Rows)
	for _, rows := range s.Rows {
		n += rows
	}
	return n
}
