// Package store is the mirror's part of the user's database. All SQL is here and in package schema:
// a file for a table, and transactions that only the process with the lease may commit.
package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
	"github.com/go-freight/terminal49/sqlstore"
)

// Store is the user's database. Statements are written for Postgres, with $1 for an argument and
// t49. before each table, which is replaced by the schema; SQLite has no schemas.
type Store struct {
	Pool    *sql.DB
	asking  sync.Mutex
	Dialect sqlstore.Dialect // 0 until Ask has found it out
	Schema  string           // of the tables in Postgres; "" for the default
	names   schema.Names
	ready   atomic.Bool      // the tables are there
	Now     func() time.Time // the clock of stored times; waits use another one, which never jumps
	log     *slog.Logger

	// writing is held during a transaction that writes tables, so that this process never waits for
	// itself in the database.
	writing sync.Mutex

	commits   commits
	confirmed confirmations
	life      life
	file      file              // of a SQLite database
	failure   failures          // of writes
	walked    atomic.Bool       // every whole list has been walked
	cursorSet atomic.Bool       // of tracking requests
	Arrived   chan struct{}     // receives after this process stored notifications
	Queued    chan struct{}     // receives after this process queued containers to be assessed
	Reached   func(name string) // is called at named points, unless nil; a test may end the process there
}

// New returns a store. It sends nothing to the database.
func New(pool *sql.DB, log *slog.Logger) *Store {
	return &Store{Pool: pool, Now: time.Now, log: log, Arrived: make(chan struct{}, 1), Queued: make(chan struct{}, 1)}
}

// Reach calls Reached, if set, at a named point.
func (d *Store) Reach(name string) {
	if d.Reached != nil {
		d.Reached(name)
	}
}

// SQL returns a statement in the database's own form.
func (d *Store) SQL(statement string) string {
	statement = d.names.In(statement)
	if d.Dialect == sqlstore.SQLite {
		return sqliteForm.Replace(statement)
	}
	return statement
}

var sqliteForm = strings.NewReplacer("::jsonb", "", "jsonb_each(", "json_each(",
	"jsonb_each_text", "json_each", "jsonb_array_elements_text", "json_each", "$", "?")

// Time returns a time as an argument, and nil for the zero time.
func (d *Store) Time(t time.Time) any { return schema.TimeArgument(d.Dialect, t) }

// Tx is a transaction that may write. One process has one at a time.
type Tx struct {
	tx  *sql.Tx
	db  *Store
	Now time.Time // when it began, on this process's clock

	confirmed map[model.Ref]span // by readings that this transaction stores
	written   []*model.Resource  // by the latest of them: the new or different ones
	touched   map[model.Ref]bool // resources whose containers are to be assessed; see enqueue
	enqueued  bool               // some are queued
	forgets   bool               // something is forgotten
	writes    int64              // transactions of the lease up to this one
	drawn     int64              // the latest ticket that it has drawn
}

func (t *Tx) time(at time.Time) any { return t.db.Time(at) }

func (t *Tx) exec(ctx context.Context, statement string, args ...any) (changed int64, err error) {
	done, err := t.tx.ExecContext(ctx, t.db.SQL(statement), args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

func (t *Tx) query(ctx context.Context, statement string, args ...any) (*sql.Rows, error) {
	return t.tx.QueryContext(ctx, t.db.SQL(statement), args...)
}

// one reads the only row into dest and reports whether there is one.
func (t *Tx) one(ctx context.Context, statement string, args []any, dest ...any) (bool, error) {
	return found(t.tx.QueryRowContext(ctx, t.db.SQL(statement), args...).Scan(dest...))
}

// found interprets the error of reading one row.
func found(err error) (bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
