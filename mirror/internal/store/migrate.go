package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// Ask detects whether the database is Postgres or SQLite.
func (d *Store) Ask(ctx context.Context) error {
	d.asking.Lock()
	defer d.asking.Unlock()
	if d.Dialect != 0 {
		return nil
	}
	dialect, err := sqlstore.DialectOf(ctx, d.Pool)
	if err == nil && dialect == sqlstore.SQLite {
		err = d.findFile(ctx)
	} else if err == nil {
		err = d.refuseSettings(ctx)
	}
	if err != nil {
		return d.Explain(d.noteFailure(err))
	}
	if dialect == sqlstore.SQLite && d.Schema != "" {
		return &terminal49.ArgumentError{Op: "mirror.New", Field: "WithSchema",
			Problem: "needs Postgres: SQLite has no schemas; use another file for another account"}
	}
	d.Dialect, d.names = dialect, schema.NamesOf(dialect, d.Schema)
	return nil
}

// Ready asks for the dialect, and returns an error that says what to do if the tables are missing
// or have another version.
func (d *Store) Ready(ctx context.Context) error {
	if err := d.Ask(ctx); err != nil || d.ready.Load() {
		return err
	}
	applied, err := d.applied(ctx, d.migrations())
	if err == nil && !applied {
		err = fmt.Errorf("%w: %s has no copy, or one of an earlier version; start the mirror first, or choose another one", ErrNoTables, d.place())
	}
	d.ready.Store(err == nil)
	return d.Explain(err)
}

// Migrate creates the tables, or changes those of an earlier version.
func (d *Store) Migrate(ctx context.Context) error {
	if err := d.Ask(ctx); err != nil {
		return err
	}
	m := d.migrations()
	applied, err := d.applied(ctx, m)
	if err == nil && !applied {
		err = m.Apply(ctx, d.Pool, d.Dialect)
	}
	d.ready.Store(err == nil)
	return d.Explain(err)
}

func (d *Store) migrations() sqlstore.Migrations {
	m := schema.MigrationsOf(d.Dialect, d.Schema)
	m.Waiting = func() { d.log.Info("another process creates or changes the tables; waiting until it ends") }
	return m
}

// place is where the tables are.
func (d *Store) place() string {
	if d.Dialect == sqlstore.SQLite {
		return "the file"
	}
	return "schema " + cmp.Or(d.Schema, schema.DefaultName)
}

// applied reports whether the tables are those of this program.
func (d *Store) applied(ctx context.Context, m sqlstore.Migrations) (bool, error) {
	applied, err := m.Applied(ctx, d.Pool, d.Dialect)
	if err != nil {
		return false, err
	}
	return applied, d.refuseOthers(ctx)
}

// refuseOthers returns an error if there are tables of a program before v0.1.0, which lack the last
// column that was added before. A migration creates all in one transaction, and this is one
// statement, so it sees all or none.
func (d *Store) refuseOthers(ctx context.Context) error {
	statement, args := `
select exists (select from pg_class where relnamespace = n.oid and relname in ('inbox', 'shipments', 'containers'))
  and not exists (select from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = n.oid and c.relname = 'situations' and a.attname = 'brief')
from (select (select oid from pg_namespace where nspname = $1)) n(oid)`, []any{cmp.Or(d.Schema, schema.DefaultName)}
	if d.Dialect == sqlstore.SQLite {
		statement, args = `
select exists (select 1 from sqlite_master where name in ('inbox', 'shipments', 'containers'))
  and not exists (select 1 from pragma_table_info('situations') where name = 'brief')`, nil
	}
	var others bool
	if err := d.Pool.QueryRowContext(ctx, statement, args...).Scan(&others); err != nil || !others {
		return err
	}
	return fmt.Errorf("mirror: %s has tables of an older program, which this one cannot change; "+
		"nothing there was touched: use %s, and everything is read from the service again", d.place(), d.otherPlace())
}

func (d *Store) otherPlace() string {
	if d.Dialect == sqlstore.SQLite {
		return "a new file"
	}
	return "another schema (WithSchema, --schema) or a new database"
}

// Explain adds the remedy if Postgres refuses a right, or a pooler changes sessions.
func (d *Store) Explain(err error) error {
	var coded interface{ SQLState() string }
	switch {
	case errors.As(err, &coded) && coded.SQLState() == "42501" && !strings.Contains(err.Error(), "print-sql"):
		return fmt.Errorf("mirror: the role of this program lacks rights for %s; have an administrator execute what "+
			"terminal49-mirror print-sql --writer ROLE or --reader ROLE prints (mirror.Schema): %w", d.place(), err)
	case Reason(err) == pooled && !strings.Contains(err.Error(), "PgBouncer"):
		return fmt.Errorf("mirror: %s: %w", pooled, err)
	}
	return err
}
