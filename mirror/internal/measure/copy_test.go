//go:build unix

package measure

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/mirror"
	"github.com/go-freight/terminal49/mirror/internal/mirrortest"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/terminal49test"
)

// TestMeasure_Copy measures a process that copies an account without rate limits, the readers of
// the copy, a process that assesses all containers again, and one that verifies the copy: their
// memory and speed. The service is simulated in the test's process, on the same machine. Each
// container has six transport events, or with MIRROR_EVENTS=none none:
//
//	MEASURE=1 MIRROR_CONTAINERS=1000000 go test -run Copy/SQLite -v -timeout 3h .
func TestMeasure_Copy(t *testing.T) {
	onBoth(t, func(t *testing.T, in source) {
		b := newBackfill(t, in, terminal49test.WithoutRateLimits())
		clock := mirrortest.Stopwatch()
		p := start(t, b.order)
		b.wait(p)
		took := clock()
		used := p.stop()
		rows := b.rows()
		b.figure("copied", fmt.Sprintf("%d containers, %d rows in %v, %.0f a second; %v, %v a row", b.containers, rows, took.Round(time.Second), float64(rows)/took.Seconds(), used, used.cpu/time.Duration(rows)))
		b.assess()
		b.analyze()
		b.readers()
		b.verify(rows)
	})
}

// assess measures a process that assesses all containers again because the rules are others.
func (b *backfill) assess() {
	p := start(b.T, b.order)
	b.untilNone(p, "select (select count(*) from t49.containers) - (select count(*) from t49.situations)")
	p.stop()
	b.exec("update t49.cursors set value = '0' where name = 'situations.rules'")
	b.exec(`update t49.situations set rules = 0, standing = '{"rules":0}'`)
	clock := mirrortest.Stopwatch()
	p = start(b.T, b.order)
	b.untilNone(p, "select count(*) from t49.situations where rules = 0")
	b.figure("all assessed again by other rules", clock().Round(time.Millisecond))
	p.stop()
}

// verify measures a process that verifies the copy.
func (b *backfill) verify(rows int64) {
	b.order.Verify = true
	clock := mirrortest.Stopwatch()
	p := start(b.T, b.order)
	p.wait(verified)
	took, used := clock(), p.used()
	p.stop()
	b.figure("verified", fmt.Sprintf("%d rows in %v, %.0f a second; %v", rows, took.Round(time.Second), float64(rows)/took.Seconds(), used))
}

// TestMeasure_Limited measures the requests and the CPU time of a process that copies an account
// within the service's rate limits. 8,000 containers take about four minutes:
//
//	MEASURE=1 go test -run Measure_Limited -v ./mirror/internal/measure
func TestMeasure_Limited(t *testing.T) {
	onBoth(t, func(t *testing.T, in source) {
		b := newBackfill(t, in)
		b.order.Limited = true
		clock := mirrortest.Stopwatch()
		p := start(t, b.order)
		pass(time.Minute)
		before := b.srv.RequestCount()
		pass(2 * time.Minute)
		b.figure("requests in two minutes, of 120 that are granted", b.srv.RequestCount()-before) // 60 of 100 a minute
		b.wait(p)
		took := clock()
		used := p.stop()
		b.figure("copied within the limits", fmt.Sprintf("%d rows in %v: %.1f %% of a core; %v", b.rows(), took.Round(time.Second), 100*used.cpu.Seconds()/took.Seconds(), used))
		b.srv.CheckViolations(t)
	})
}

// onBoth runs a measure on SQLite and on Postgres, whose commits are durable.
func onBoth(t *testing.T, f func(t *testing.T, in source)) {
	measured(t)
	t.Run("SQLite", func(t *testing.T) {
		file := filepath.Join(t.ArtifactDir(), "mirror.db")
		f(t, source{"sqlite", "file:" + file + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate"})
	})
	t.Run("Postgres", func(t *testing.T) { f(t, durablePostgres(t)) })
}

func durablePostgres(t *testing.T) source {
	return source{"pgx", engines.StartPostgres(t, "fsync=on").DSN()}
}

func measured(t *testing.T) {
	if os.Getenv("MEASURE") == "" {
		t.Skip("set MEASURE=1")
	}
}

// backfill is a database that a child fills.
type backfill struct {
	*testing.T
	srv        *terminal49test.Server
	containers int
	db         *sql.DB
	m          *mirror.Mirror
	order      order
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
	b := &backfill{T: t, srv: srv, containers: containers, db: db, order: order{Database: in, API: srv.URL, Token: srv.Token}}
	b.m = b.mirrorOf(db)
	require.NoError(t, b.m.Migrate(t.Context()))
	return b
}

// mirrorOf returns a mirror of the service in this process.
func (b *backfill) mirrorOf(db *sql.DB) *mirror.Mirror {
	client, err := terminal49.New(b.srv.Token, terminal49.WithBaseURL(b.srv.URL), terminal49.WithHTTPClient(b.srv.HTTPClient()), terminal49.WithoutRateLimits())
	require.NoError(b, err)
	m, err := mirror.New(client, db, mirror.WithSecrets(terminal49.NewSecret(mirrortest.WebhookSecret)))
	require.NoError(b, err)
	return m
}

// named is a statement with the names of the tables in the database.
func (b *backfill) named(statement string) string {
	return schema.NamesOf(b.order.Database.dialect(), "").In(statement)
}

func (b *backfill) exec(statement string) {
	b.Helper()
	_, err := b.db.Exec(b.named(statement))
	require.NoError(b, err)
}

func (b *backfill) number(query string) (n int64) {
	b.Helper()
	require.NoError(b, b.db.QueryRow(b.named(query)).Scan(&n))
	return n
}

// analyze gives the database its statistics, which it makes by itself after a while.
func (b *backfill) analyze() {
	b.Helper()
	if b.order.Database.dialect() == sqlstore.Postgres {
		b.exec("vacuum analyze")
	} else {
		b.exec("analyze")
	}
}

// untilNone waits until a query returns 0, while a process works.
func (b *backfill) untilNone(p *process, query string) {
	b.Helper()
	for b.number(query) > 0 {
		require.NoError(b, p.cmd.Process.Signal(syscall.Signal(0)))
		pass(50 * time.Millisecond)
	}
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
