//go:build unix

package proof

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite"

	"github.com/go-freight/terminal49/internal/testkit/engines"
)

// source is how to open a database.
type source struct {
	Driver, DSN string
	Schema      string // of the mirror; "" for the default
}

// child returns the database as a child process opens it, also through PgBouncer.
func (s source) child() source {
	if s.isPostgres() {
		s.DSN += "&application_name=child" + s.Schema + "&default_query_exec_mode=exec"
	}
	return s
}

func (s source) isPostgres() bool { return s.Driver == "pgx" }

// open opens the database until the test ends.
func (s source) open(t testing.TB) *stored {
	t.Helper()
	db, err := sql.Open(s.Driver, s.DSN)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return &stored{DB: db, postgres: s.isPostgres(), schema: s.Schema}
}

// sqliteFile returns a database in a file of its own, opened as mirror.New advises.
func sqliteFile(t testing.TB) source {
	return source{Driver: "sqlite", DSN: "file:" + filepath.Join(t.TempDir(), "mirror.db") + "?_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)"}
}

// postgres returns a database of its own in a real server.
func postgres(t testing.TB) source {
	t.Helper()
	return databaseIn(t, engines.SharedPostgres(t))
}

// databaseIn creates a database in a server and returns it.
func databaseIn(t testing.TB, p *engines.Postgres) source {
	t.Helper()
	return source{Driver: "pgx", DSN: p.NewDatabase(t)}
}

// onBoth runs a test on SQLite and on Postgres.
func onBoth(t *testing.T, f func(t *testing.T, s source)) {
	t.Run("SQLite", func(t *testing.T) { f(t, sqliteFile(t)) })
	t.Run("Postgres", func(t *testing.T) { f(t, postgres(t)) })
}

// stored reads the tables of a mirror. Statements are written for Postgres.
type stored struct {
	*sql.DB
	postgres bool
	schema   string // "" for the default
}

func (s *stored) statement(text string) string {
	if s.postgres && s.schema != "" {
		return strings.ReplaceAll(text, "t49.", s.schema+".")
	}
	if s.postgres {
		return text
	}
	return strings.NewReplacer("t49.", "", "$", "?", "::text", "").Replace(text)
}

// hasTables reports whether the last migration has run.
func (s *stored) hasTables() bool {
	_, err := s.Exec(s.statement("select count(*) from t49.live_containers"))
	return err == nil
}

// count returns the number that a statement selects.
func (s *stored) count(t testing.TB, text string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, s.QueryRow(s.statement(text), args...).Scan(&n))
	return n
}

// each calls f with the columns of each row, which must be text or null.
func (s *stored) each(t testing.TB, text string, f func(row []sql.NullString)) {
	t.Helper()
	rows, err := s.Query(s.statement(text))
	require.NoError(t, err)
	defer rows.Close()
	names, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row := make([]sql.NullString, len(names))
		dest := make([]any, len(names))
		for i := range row {
			dest[i] = &row[i]
		}
		require.NoError(t, rows.Scan(dest...))
		f(row)
	}
	require.NoError(t, rows.Err())
}
