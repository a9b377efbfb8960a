package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

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
func (d *database) time(t time.Time) any {
	switch {
	case t.IsZero():
		return nil
	case d.dialect == sqlstore.SQLite:
		return t.UTC().Format(sqliteTime)
	}
	return t.UTC()
}

// sqliteTime sorts as text, and SQLite's own functions read it.
const sqliteTime = "2006-01-02T15:04:05.000000Z"

// instant scans a time of either database; the zero time for null.
type instant struct{ time.Time }

// Scan implements sql.Scanner.
func (i *instant) Scan(src any) (err error) {
	switch v := src.(type) {
	case nil:
		i.Time = time.Time{}
	case time.Time:
		i.Time = v.UTC()
	case string:
		i.Time, err = time.Parse(sqliteTime, v)
	default:
		err = fmt.Errorf("mirror: a time is stored as %T", src)
	}
	return err
}

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
