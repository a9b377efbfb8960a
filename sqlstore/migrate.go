package sqlstore

import (
	"context"
	"crypto/rand"
	"database/sql"
	"embed"
	"io/fs"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// Migrate creates the tables in db, or changes those of an earlier version. It does nothing if they
// are up to date. Several processes may call it at once, also through PgBouncer. It records the
// applied versions in the table t49_migrations, and locks with a row of the table t49_migrating: if
// a process dies while it migrates, the others wait for at most one minute.
func Migrate(ctx context.Context, db *sql.DB, d Dialect) error {
	s, err := newStore("Migrate", db, d)
	if err != nil {
		return err
	}
	files, err := s.migrations()
	if err != nil {
		return explain("migrate", err)
	}
	return Apply(ctx, db, d, files, "t49_migrations")
}

// Apply applies the migrations of another package, in files for goose, as [Migrate] applies its
// own: under the same lock. It records the applied versions in the table versions.
func Apply(ctx context.Context, db *sql.DB, d Dialect, files fs.FS, versions string) error {
	s, err := newStore("Apply", db, d)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(s.goose, db, files, goose.WithTableName(versions),
		goose.WithLogger(goose.NopLogger()), goose.WithDisableGlobalRegistry(true),
		goose.WithSessionLocker(&tableLock{s.dialect, rand.Text()}))
	if err != nil {
		return explain("migrate", err)
	}
	_, err = p.Up(ctx)
	return explain("migrate", err)
}

// Schema returns the statements that create the tables of d, for programs with migrations of their
// own. They do nothing to tables that exist. It returns "" if d is unknown.
func Schema(d Dialect) string {
	known, ok := dialects[d]
	if !ok {
		return ""
	}
	var b strings.Builder
	files, err := known.migrations()
	for _, name := range must(fs.Glob(files, "*.sql")) {
		b.WriteString(strings.TrimPrefix(string(must(fs.ReadFile(files, name))), "-- +goose Up\n"))
	}
	return must(b.String(), err)
}

// migrations returns the folder of the dialect's migrations.
func (d *dialect) migrations() (fs.FS, error) {
	return fs.Sub(migrations, "migrations/"+strings.ToLower(d.name))
}

// must panics if an embedded file cannot be read, which the tests rule out.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// tableLock is a row that one process has at a time. It implements goose's SessionLocker without
// depending on the database session. Goose's own table lock needs a second connection, which a pool
// of one does not have, and does not support SQLite.
type tableLock struct {
	*dialect
	owner string
}

// SessionLock waits until this process has the row.
func (l *tableLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	for {
		taken, err := l.try(ctx, conn)
		if taken || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (l *tableLock) try(ctx context.Context, conn *sql.Conn) (taken bool, err error) {
	if _, err := conn.ExecContext(ctx, l.lockTable); err != nil {
		return false, ignoreDuplicate(err)
	}
	done, err := conn.ExecContext(ctx, l.lock, l.owner)
	if err != nil {
		return false, err
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

// ignoreDuplicate returns nil if Postgres failed because another process was creating the table at
// the same time, which IF NOT EXISTS does not prevent.
func ignoreDuplicate(err error) error {
	if state := sqlState(err); state == "23505" || state == "42P07" || state == "42710" {
		return nil
	}
	return err
}

// SessionUnlock deletes the row.
func (l *tableLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, l.unlock, l.owner)
	return err
}
