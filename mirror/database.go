package mirror

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// database is the user's database. Statements are written for Postgres, with $1 for an argument and
// t49. before each table; for SQLite, which has no schemas, the prefix is taken away.
type database struct {
	pool    *sql.DB
	asking  sync.Mutex
	dialect sqlstore.Dialect // 0 until ask has found it out
	log     *slog.Logger
}

// ask finds out which database it is.
func (d *database) ask(ctx context.Context) (err error) {
	d.asking.Lock()
	defer d.asking.Unlock()
	if d.dialect == 0 {
		d.dialect, err = sqlstore.DialectOf(ctx, d.pool)
	}
	return err
}

// sql returns a statement in the database's own form.
func (d *database) sql(statement string) string {
	if d.dialect == sqlstore.SQLite {
		return sqliteForm.Replace(statement)
	}
	return statement
}

var sqliteForm = strings.NewReplacer("t49.", "", "datasync.", "datasync_", "::jsonb", "",
	"jsonb_each_text", "json_each", "jsonb_array_elements_text", "json_each", "$", "?")

// time returns a time as an argument, and nil for the zero time.
func (d *database) time(t time.Time) any { return schema.TimeArgument(d.dialect, t) }

// tx is a transaction that may write. One process has one at a time.
type tx struct {
	*sql.Tx
	*database
	now time.Time // when it began, on this process's clock
}

func (t *tx) exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	done, err := t.ExecContext(ctx, t.sql(statement), args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

func (t *tx) query(ctx context.Context, statement string, args ...any) (*sql.Rows, error) {
	return t.QueryContext(ctx, t.sql(statement), args...)
}

// one reads the only row into dest and reports whether there is one.
func (t *tx) one(ctx context.Context, statement string, args []any, dest ...any) (bool, error) {
	return found(t.QueryRowContext(ctx, t.sql(statement), args...).Scan(dest...))
}

// found interprets the error of reading one row.
func found(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
