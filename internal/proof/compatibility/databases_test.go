package compatibility_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
	_ "modernc.org/sqlite"             // the driver sqlite

	"github.com/go-freight/terminal49/internal/testkit/engines"
	"github.com/go-freight/terminal49/sqlstore"
)

// database is an empty one of a dialect.
type database struct {
	*sql.DB
	dialect sqlstore.Dialect
}

// newDatabases returns an empty database of each dialect.
func newDatabases(t *testing.T) []database {
	file := filepath.Join(t.TempDir(), "empty.db")
	dsn := engines.SharedPostgres(t).NewDatabase(t)
	return []database{
		{openDatabase(t, "sqlite", "file:"+file+"?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_txlock=immediate"), sqlstore.SQLite},
		{openDatabase(t, "pgx", dsn), sqlstore.Postgres},
	}
}

func openDatabase(t *testing.T, driver, name string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func (d database) exec(t *testing.T, script string) {
	t.Helper()
	if _, err := d.ExecContext(t.Context(), script); err != nil {
		t.Fatalf("%s: %v", d.dialect, err)
	}
}

// texts returns the rows of a query, whose columns are texts.
func (d database) texts(t *testing.T, query string, args ...any) (all [][]string) {
	t.Helper()
	rows, err := d.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatalf("%s: %s: %v", d.dialect, query, err)
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values, to := make([]string, len(columns)), make([]any, len(columns))
		for i := range values {
			to[i] = &values[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatalf("%s: %s: %v", d.dialect, query, err)
		}
		all = append(all, values)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
