package mirror

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(engines.Tests{M: m})
}

// sqliteFile opens a database in a file of its own.
func sqliteFile(t testing.TB) *sql.DB {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mirror.db")
	return open(t, "sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)")
}

// sqliteMemory opens a database in memory. It works in a synctest bubble.
func sqliteMemory(t testing.TB) *sql.DB {
	t.Helper()
	db := open(t, "sqlite", ":memory:")
	db.SetMaxOpenConns(1)
	return db
}

// postgres opens a database of its own in a real server.
func postgres(t testing.TB) *sql.DB {
	t.Helper()
	return postgresWith(t, "default_query_exec_mode=cache_statement") // the default
}

// postgresWith is [postgres] with a setting of the driver, such as
// default_query_exec_mode=simple_protocol.
func postgresWith(t testing.TB, setting string) *sql.DB {
	t.Helper()
	return open(t, "pgx", engines.SharedPostgres(t).NewDatabase(t)+"&"+setting)
}

func open(t testing.TB, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// onBoth runs a test on SQLite and on Postgres.
func onBoth(t *testing.T, f func(t *testing.T, db *sql.DB)) {
	t.Run("SQLite", func(t *testing.T) { f(t, sqliteFile(t)) })
	t.Run("Postgres", func(t *testing.T) { f(t, postgres(t)) })
}
