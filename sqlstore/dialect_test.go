package sqlstore_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/sqlstore"
)

// busyOnce is SQLite that is busy when it is asked for its version, as a file is while another
// process creates its tables.
type busyOnce struct{ driver.Conn }

func (b busyOnce) Connect(context.Context) (driver.Conn, error) { return b, nil }
func (busyOnce) Driver() driver.Driver                          { return nil }
func (busyOnce) Close() error                                   { return nil }

func (busyOnce) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	if strings.Contains(query, "sqlite_version") {
		return nil, errors.New("database is locked (5) (SQLITE_BUSY)")
	}
	return nil, errors.New("SQL logic error: no such function: version (1)")
}

func TestDialectOf_BusySQLite(t *testing.T) {
	t.Parallel()
	db := sql.OpenDB(busyOnce{})
	defer db.Close()
	d, err := sqlstore.DialectOf(t.Context(), db)
	if err != nil || d != sqlstore.SQLite {
		t.Fatalf("got %v, %v, want %v", d, err, sqlstore.SQLite)
	}
}
