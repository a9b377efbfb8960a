package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
)

// Dialect is the kind of a database.
type Dialect uint8

// The dialects.
const (
	Postgres Dialect = iota + 1 // version 12 or later
	SQLite                      // version 3.42 or later
)

// String returns the name of the dialect.
func (d Dialect) String() string {
	if known, ok := dialects[d]; ok {
		return known.name
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

// DialectOf asks a database which one it is.
//
// Errors: *terminal49.ArgumentError if db is nil or another kind of database.
func DialectOf(ctx context.Context, db *sql.DB) (Dialect, error) {
	if db == nil {
		return 0, invalid("DialectOf", "db", "must not be nil")
	}
	var version string
	if db.QueryRowContext(ctx, "select sqlite_version()").Scan(&version) == nil {
		return SQLite, nil
	}
	err := db.QueryRowContext(ctx, "select version()").Scan(&version)
	switch {
	case err != nil && strings.Contains(err.Error(), "no such function: version"):
		return SQLite, nil // which was busy for the first question, and has no such function
	case err != nil:
		return 0, explain("ask for the version", err)
	case !strings.HasPrefix(version, "PostgreSQL"):
		return 0, invalid("DialectOf", "db", "must be Postgres or SQLite")
	}
	return Postgres, nil
}

// dialect holds what differs between the databases.
type dialect struct {
	name string
	// oneWriter means that the database is a file, which one transaction at a time can change.
	oneWriter bool

	serve, lockBucket, writeBucket string // of the engine

	isolation                                    sql.IsolationLevel // of a migration
	beforeLock, lock, hasTable, versions, record string             // of the migrations
}

var dialects = map[Dialect]*dialect{Postgres: &postgres, SQLite: &sqlite}

func invalid(op, field, problem string) error {
	return &terminal49.ArgumentError{Op: "sqlstore." + op, Field: field, Problem: problem}
}

// store is a database and its dialect.
type store struct {
	db *sql.DB
	*dialect
}

// newStore returns an error that names op if an argument is invalid.
func newStore(op string, db *sql.DB, d Dialect) (store, error) {
	known, ok := dialects[d]
	switch {
	case db == nil:
		return store{}, invalid(op, "db", "must not be nil")
	case !ok:
		return store{}, invalid(op, "dialect", "must be Postgres or SQLite")
	}
	return store{db, known}, nil
}

// exec executes a statement; tried describes it in errors.
func (s store) exec(ctx context.Context, tried, statement string, args ...any) error {
	return explain(tried, retried(func() error {
		_, err := s.db.ExecContext(ctx, statement, args...)
		return err
	}))
}

// row reads the only row that a statement returns and reports whether there is one.
func (s store) row(ctx context.Context, tried, statement string, args []any, into ...any) (bool, error) {
	err := retried(func() error { return s.db.QueryRowContext(ctx, statement, args...).Scan(into...) })
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, explain(tried, err)
}

// retried repeats a statement that conflicted with another one and had no effect. That happens if
// the default isolation of Postgres is higher than READ COMMITTED.
func retried(statement func() error) (err error) {
	for attempt := range time.Duration(60) { // about two seconds
		if err = statement(); sqlState(err) != "40001" && sqlState(err) != "40P01" {
			return err
		}
		time.Sleep((2*time.Millisecond + rand.N(4*time.Millisecond)) * (1 + attempt/4))
	}
	return err
}

// explain adds to an error what was tried, and the remedy if it is known.
func explain(tried string, err error) error {
	switch {
	case err == nil:
		return nil
	case isMissing(err):
		return fmt.Errorf("sqlstore: %s: %w: a table, column or function is missing: run sqlstore.Migrate or apply sqlstore.Schema: %w",
			tried, fleet.ErrNotSetUp, err)
	case isOtherFormat(err):
		return fmt.Errorf("sqlstore: %s: %w: the table has another format: run one version of this package in all programs: %w",
			tried, fleet.ErrNotSetUp, err)
	case isDenied(err):
		return fmt.Errorf("sqlstore: %s: %w: access is denied: %w", tried, fleet.ErrNotSetUp, err)
	case sqlState(err) == "26000" || sqlState(err) == "42P05":
		return fmt.Errorf("sqlstore: %s: %w: a pooler such as PgBouncer does not keep prepared statements: "+
			"turn them off, with pgx by default_query_exec_mode=exec: %w", tried, fleet.ErrNotSetUp, err)
	case strings.Contains(err.Error(), "cannot parse `"): // pgx may quote a password
		problem := err.Error()[strings.LastIndex(err.Error(), "`")+1:]
		return fmt.Errorf("sqlstore: %s: the address of the database is invalid%s", tried, problem)
	case strings.Contains(err.Error(), "SQLITE_BUSY"):
		return fmt.Errorf("sqlstore: %s: set a busy timeout of several seconds, such as _pragma=busy_timeout(5000): %w", tried, err)
	}
	return fmt.Errorf("sqlstore: %s: %w", tried, err)
}

// isMissing reports whether err means that a table, column or function does not exist.
func isMissing(err error) bool {
	if state := sqlState(err); state != "" {
		return state == "42P01" || state == "42703" || state == "42883"
	}
	return strings.Contains(err.Error(), "no such table") || strings.Contains(err.Error(), "no such column")
}

// isOtherFormat reports whether err means that a table has the format of another version: a value,
// a column or its type is not as expected.
func isOtherFormat(err error) bool {
	switch sqlState(err) {
	case "22003", "22P02", "23502", "23514", "42601", "42804":
		return true
	}
	return strings.Contains(err.Error(), "CHECK constraint failed")
}

// isDenied reports whether err means that Postgres refuses this user, password, database or right.
func isDenied(err error) bool {
	switch sqlState(err) {
	case "28000", "28P01", "3D000", "42501":
		return true
	}
	return false
}

// sqlState returns the code of an error of Postgres, or "". Its drivers share a method, not a type.
func sqlState(err error) string {
	var coded interface{ SQLState() string }
	if errors.As(err, &coded) {
		return coded.SQLState()
	}
	return ""
}
