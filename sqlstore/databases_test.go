package sqlstore_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/sqlstore"
)

// database is a database that a test can open several times, as several processes do.
type database struct {
	dialect     sqlstore.Dialect
	driver, dsn string
}

// open returns a pool of its own.
func (d database) open(t testing.TB) *sql.DB {
	t.Helper()
	db, err := sql.Open(d.driver, d.dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(4) // as doc.go says
	return db
}

// withTables returns d with its tables.
func (d database) withTables(t testing.TB) database {
	t.Helper()
	if err := sqlstore.Migrate(t.Context(), d.open(t), d.dialect); err != nil {
		t.Fatal(err)
	}
	return d
}

func postgresAt(dsn string) database { return database{sqlstore.Postgres, "pgx", dsn} }

func TestMain(m *testing.M) { goleak.VerifyTestMain(engines.Tests{M: m}) }

// sharedPooler is started by the first test that needs it.
var sharedPooler struct {
	sync.Mutex
	*engines.PgBouncer
}

// newPostgres returns a database of its own on the shared server.
func newPostgres(t testing.TB) database {
	t.Helper()
	return postgresAt(engines.SharedPostgres(t).NewDatabase(t))
}

// newPgBouncer returns a database behind PgBouncer, with the setting that pgx needs there.
func newPgBouncer(t testing.TB) database { return behindPgBouncer(t, "exec") }

// newSimplePgBouncer has the other setting of pgx that works behind PgBouncer.
func newSimplePgBouncer(t testing.TB) database { return behindPgBouncer(t, "simple_protocol") }

func behindPgBouncer(t testing.TB, mode string) database {
	t.Helper()
	sharedPooler.Lock()
	defer sharedPooler.Unlock()
	if sharedPooler.PgBouncer == nil {
		sharedPooler.PgBouncer = engines.SharedPostgres(t).StartPgBouncer(t)
	}
	return postgresAt(sharedPooler.Through(newPostgres(t).dsn) + "&default_query_exec_mode=" + mode)
}

func newSQLite(t testing.TB) database {
	t.Helper()
	return database{sqlstore.SQLite, "sqlite", sqliteDSN(filepath.Join(t.TempDir(), "fleet.db"))}
}

func sqliteDSN(path string) string {
	return "file:" + path + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_txlock=immediate"
}

// patient returns d with a busy timeout that is longer than any test: in SQLite nothing ends or
// begins because it has passed.
func (d database) patient() database {
	d.dsn = strings.Replace(d.dsn, "busy_timeout(5000)", "busy_timeout(600000)", 1)
	return d
}

// eachDatabase runs a test on every kind of database.
func eachDatabase(t *testing.T, test func(t *testing.T, d database)) {
	for name, start := range map[string]func(testing.TB) database{
		"Postgres": newPostgres, "PgBouncer": newPgBouncer, "PgBouncerSimple": newSimplePgBouncer, "SQLite": newSQLite,
	} {
		t.Run(name, func(t *testing.T) { test(t, start(t)) })
	}
}

// pass lets d pass for the database, which has a clock of its own. More may pass on a busy machine.
func pass(d time.Duration) { time.Sleep(d) }

// until repeats ok until it returns true, and fails the test after a minute.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

func execute(t testing.TB, db *sql.DB, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := db.ExecContext(ctx, statement); err != nil {
		t.Fatal(err)
	}
}
