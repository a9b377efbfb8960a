package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"time"
)

//go:embed migrations
var migrations embed.FS

// Migrate creates the tables in db, or changes those of an earlier version. It does nothing if they
// are up to date. Several processes may call it at once, also through PgBouncer. It records the
// applied versions in the table t49_migrations.
func Migrate(ctx context.Context, db *sql.DB, d Dialect) error {
	s, err := newStore("Migrate", db, d)
	if err != nil {
		return err
	}
	return s.migrations().apply(ctx, s)
}

// Schema returns the statements that create the tables of d, for programs with migrations of their
// own. They do nothing to tables that exist. It returns "" if d is unknown.
func Schema(d Dialect) string {
	known, ok := dialects[d]
	if !ok {
		return ""
	}
	return strings.Join(known.migrations().Steps, "")
}

// migrations returns those of this package.
func (d *dialect) migrations() Migrations {
	m := Migrations{Versions: "t49_migrations"}
	files := must(fs.Sub(migrations, "migrations/"+strings.ToLower(d.name)))
	for _, name := range must(fs.Glob(files, "*.sql")) { // sorted
		m.Steps = append(m.Steps, string(must(fs.ReadFile(files, name))))
	}
	return m
}

// must panics if an embedded file cannot be read, which the tests rule out.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Migrations are the statements with which a package creates its tables, and changes those of its
// earlier versions. [Migrate] applies those of this package.
type Migrations struct {
	// Steps are the statements of version 1, 2 and so on. A step must leave what exists unchanged,
	// and stay as it is once it was released.
	Steps []string

	// Versions is the table that records the applied versions, as it is written in a statement:
	// t49.migrations. The first step creates its schema.
	Versions string

	// Waiting is called, unless nil, after Apply has waited for another process for two seconds.
	Waiting func()
}

// Applied reports whether all steps were applied. It only reads.
//
// Errors: those of the database; one that names both versions if the tables are newer than m.
func (m Migrations) Applied(ctx context.Context, db *sql.DB, d Dialect) (bool, error) {
	s, err := newStore("Migrations.Applied", db, d)
	if err != nil {
		return false, err
	}
	return m.applied(ctx, s)
}

// Apply applies the steps that are missing, all in one transaction: if it fails or its process is
// killed, the database is as before. It does nothing if none is missing. Several processes may call
// it at once, also through PgBouncer; only one of them migrates, and the others wait for it.
//
// Errors: those of [Migrations.Applied].
func (m Migrations) Apply(ctx context.Context, db *sql.DB, d Dialect) error {
	s, err := newStore("Migrations.Apply", db, d)
	if err != nil {
		return err
	}
	return m.apply(ctx, s)
}

// Script returns all steps and the statements that record them as applied, for an administrator to
// execute. It returns "" if d is unknown.
func (m Migrations) Script(d Dialect) string {
	known, ok := dialects[d]
	if !ok {
		return ""
	}
	var b strings.Builder
	for _, step := range m.Steps {
		b.WriteString(step)
	}
	fmt.Fprintf(&b, known.versions+";\n", m.Versions)
	for n := range m.Steps {
		fmt.Fprintf(&b, known.record+" on conflict do nothing;\n", m.Versions, n+1)
	}
	return b.String()
}

func (m Migrations) applied(ctx context.Context, s store) (bool, error) {
	version, err := m.version(ctx, s.db, s)
	return version == len(m.Steps), explain("read the version", err)
}

// waitingAfter is the time after which Waiting is called.
const waitingAfter = 2 * time.Second

// apply tries until no other process migrates.
func (m Migrations) apply(ctx context.Context, s store) error {
	if done, err := m.applied(ctx, s); done || err != nil && !isConflict(err) {
		return err
	}
	waiting := time.AfterFunc(waitingAfter, func() {
		if m.Waiting != nil {
			m.Waiting()
		}
	})
	defer waiting.Stop()
	for {
		done, err := m.try(ctx, s, waiting)
		if done || err != nil && !isConflict(err) {
			return explain("migrate", err)
		}
		select {
		case <-ctx.Done():
			return explain("migrate", context.Cause(ctx))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// try applies what is missing. It reports false if another process migrates.
func (m Migrations) try(ctx context.Context, s store, waiting *time.Timer) (bool, error) {
	tx, err := s.db.BeginTx(ctx, &sql.TxOptions{Isolation: s.isolation})
	if err != nil {
		return false, err
	}
	defer tx.Rollback() //nolint:errcheck // it was committed, or err says more
	if locked, err := m.lock(ctx, tx, s); !locked || err != nil {
		return false, err
	}
	waiting.Stop()
	version, err := m.version(ctx, tx, s)
	if err != nil {
		return false, err
	}
	if err := m.applyAfter(ctx, tx, s, version); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// lock reports whether the transaction has the right to migrate until it ends.
func (m Migrations) lock(ctx context.Context, tx *sql.Tx, s store) (locked bool, err error) {
	if _, err := tx.ExecContext(ctx, s.beforeLock); err != nil {
		return false, err
	}
	err = tx.QueryRowContext(ctx, s.lock, m.Versions).Scan(&locked)
	return locked, err
}

// applyAfter applies the steps after a version, and records them.
func (m Migrations) applyAfter(ctx context.Context, tx *sql.Tx, s store, version int) error {
	for _, step := range m.Steps[version:] {
		if _, err := tx.ExecContext(ctx, step); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(s.versions, m.Versions)); err != nil {
		return err
	}
	for n := version + 1; n <= len(m.Steps); n++ {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(s.record, m.Versions, n)); err != nil {
			return err
		}
	}
	return nil
}

// rower is a *sql.DB or a *sql.Tx.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// version returns the version of the tables, 0 if there are none.
func (m Migrations) version(ctx context.Context, from rower, s store) (version int, err error) {
	var exists bool
	if err := from.QueryRowContext(ctx, s.hasTable, m.Versions).Scan(&exists); err != nil || !exists {
		return 0, err
	}
	err = from.QueryRowContext(ctx, "select coalesce(max(version_id), 0) from "+m.Versions+" where is_applied").Scan(&version)
	if err == nil && version > len(m.Steps) {
		err = fmt.Errorf("the tables have version %d in %s, and this program knows only %d: use a newer program",
			version, m.Versions, len(m.Steps))
	}
	return version, err
}

// isConflict reports whether a migration had no effect because of another transaction, and may be
// tried again.
func isConflict(err error) bool {
	state := sqlState(err)
	return state == "40001" || state == "40P01" ||
		strings.Contains(err.Error(), "SQLITE_BUSY") || strings.Contains(err.Error(), "database is locked")
}
