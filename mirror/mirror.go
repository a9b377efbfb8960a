package mirror

import (
	"context"
	"database/sql"
	"sync/atomic"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
)

// Mirror keeps a copy of one account of the service in a database. [New] returns one. It is safe
// for concurrent use, and several processes may mirror into one database: one of them at a time
// writes, the others receive notifications and take over when it stops.
type Mirror struct {
	client *terminal49.Client
	db     *store.Store
	opts   worker.Options

	receiver receiver

	migrating atomic.Int32 // calls of Migrate under way
	migrated  atomic.Bool  // one has created the tables, or found them
}

// New returns a mirror into db, a pool of connections to Postgres 12 or later or SQLite 3.42 or
// later. It sends nothing to either; [Mirror.Run] creates the tables. Pass a SQLite database that
// nothing else writes to, with _pragma=busy_timeout(5000) and _pragma=journal_mode(WAL).
//
// Errors: *terminal49.ArgumentError.
func New(client *terminal49.Client, db *sql.DB, opts ...Option) (*Mirror, error) {
	m := &Mirror{client: client, opts: worker.Defaults()}
	switch {
	case client == nil:
		return nil, invalid("client", "must not be nil")
	case db == nil:
		return nil, invalid("db", "must not be nil")
	}
	for _, opt := range opts {
		if err := opt(&m.opts); err != nil {
			return nil, err
		}
	}
	m.db, m.receiver.mirror = store.New(db, m.opts.Log), m
	m.db.Reached, m.db.Schema, m.db.Now = m.opts.Reached, m.opts.Schema, m.opts.Now
	return m, m.receiver.learn(m.opts.Secrets...)
}

func invalid(field, problem string) error {
	return &terminal49.ArgumentError{Op: "mirror.New", Field: field, Problem: problem}
}

// Migrate creates the tables and views, or changes those of an earlier version, in one transaction.
// It only reads if they are up to date, so a role that may not create tables works after an
// administrator has executed the statements of [Schema]. [Mirror.Run] calls it.
//
// Errors: those of the database; one that says what to do if the role lacks rights, or if the
// tables are those of another program or of a newer version.
func (m *Mirror) Migrate(ctx context.Context) error {
	m.migrating.Add(1)
	defer m.migrating.Add(-1)
	err := m.db.Migrate(ctx)
	if err == nil {
		m.migrated.Store(true)
	}
	return err
}

// creating reports whether this process waits for the tables, or creates them, for the first time.
func (m *Mirror) creating() bool { return !m.migrated.Load() && m.migrating.Load() > 0 }

// ErrNoTables means that the tables do not exist yet. [Mirror.Run] creates them, or another process
// is creating them now.
var ErrNoTables = store.ErrNoTables

// ErrReplaced means that the file of a SQLite database was replaced or deleted while this process
// used it. Nothing more is stored or acknowledged. Put the right file in its place, and start the
// mirror again.
var ErrReplaced = store.ErrReplaced

// ErrOtherAccount means that the client's token belongs to another account than the one whose copy
// the database has. Use another schema ([WithSchema]) or database, or the token of that account.
var ErrOtherAccount = store.ErrOtherAccount
