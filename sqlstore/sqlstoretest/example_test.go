package sqlstoretest_test

import (
	"database/sql"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"go.uber.org/goleak"

	"github.com/go-freight/terminal49/sqlstore"
	"github.com/go-freight/terminal49/sqlstore/sqlstoretest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(sqlstoretest.Tests{M: m}) }

// openTables opens an empty database with the tables of the stores.
func openTables(t *testing.T) *sql.DB {
	db, err := sql.Open("pgx", sqlstoretest.SharedPostgres(t).NewDatabase(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := sqlstore.Migrate(t.Context(), db, sqlstore.Postgres); err != nil {
		t.Fatal(err)
	}
	return db
}

// All tests of a package share one server, and each has a database of its own.
func ExampleSharedPostgres() {
	test := func(t *testing.T) {
		limiter, err := sqlstore.NewLimiter(openTables(t), sqlstore.Postgres, "my-api-key")
		if err != nil {
			t.Fatal(err)
		}
		_ = limiter // pass it to the service under test
	}
	_ = test
}

// A service must survive a restart of its database.
func ExampleStartPostgres() {
	test := func(t *testing.T) {
		server := sqlstoretest.StartPostgres(t, "fsync=on")
		// Start the service on server.DSN(), and let it write something.
		server.Restart()
		// Require that it is still there.
	}
	_ = test
}

func TestSharedPostgres_DatabasesAreEmpty(t *testing.T) {
	for range 2 {
		if _, err := openTables(t).Exec("create table mine (n int)"); err != nil {
			t.Error(err)
		}
	}
}
