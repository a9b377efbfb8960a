package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

// failures are statements of this process that failed.
type failures struct {
	mu     sync.Mutex
	reason string // of the latest that a user can remove, or of several without one
	at     time.Time

	first   time.Time // of those without a reason
	count   int       // of those within failureTime of the first
	session bool      // reason is of sessions, of which a new one may write
}

// failureTime is how long a failure is reported, unless another one happens. It is also the time in
// which several failures without a known reason, such as deadlocks, are reported.
const failureTime = time.Minute

// severalFailures is how many failures without a known reason are reported: those that are repeated
// successfully are not.
const severalFailures = 3

// noteFailure remembers why a write failed, and returns its error. A write that succeeds shows that
// sessions may write again.
func (d *Store) noteFailure(err error) error {
	if err == nil {
		d.failure.mu.Lock()
		defer d.failure.mu.Unlock()
		if d.failure.session {
			d.failure.reason, d.failure.session = "", false
		}
		return nil
	}
	d.NoteFailure(err)
	return err
}

// NoteFailure remembers why a statement failed, and ends idle sessions if it may be for theirs.
func (d *Store) NoteFailure(err error) {
	reason := Reason(err)
	session := reason == readOnly
	if session {
		d.endReadOnlySessions()
	}
	d.failure.mu.Lock()
	defer d.failure.mu.Unlock()
	now := time.Now()
	if reason == "" {
		code := codeOf(err)
		if code == "" {
			return
		}
		if now.Sub(d.failure.first) > failureTime {
			d.failure.first, d.failure.count = now, 0
		}
		if d.failure.count++; d.failure.count < severalFailures {
			return
		}
		reason = fmt.Sprintf("%d statements failed within a minute, the latest with the code %s of the database", d.failure.count, code)
	}
	d.failure.reason, d.failure.at, d.failure.session = reason, now, session
}

// endReadOnlySessions ends the idle sessions of the pool that may not write. The default of a role
// or server is read when a session begins, so old sessions stay read-only when new ones may write.
func (d *Store) endReadOnlySessions() {
	if d.Dialect != sqlstore.Postgres {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	for range d.Pool.Stats().Idle {
		conn, err := d.Pool.Conn(ctx)
		if err != nil {
			return
		}
		defer conn.Close() //nolint:errcheck // held until all were seen
		if setting := ""; conn.QueryRowContext(ctx, "show transaction_read_only").Scan(&setting) != nil || setting == "on" {
			_ = conn.Raw(func(any) error { return driver.ErrBadConn })
		}
	}
}

// Failure returns why writes of this process fail, without the names of hosts, users and files; ""
// if they do not, or for no reason that a user can remove.
func (d *Store) Failure() string {
	if errors.Is(d.InPlace(), ErrReplaced) {
		return "the file of the database was replaced or deleted"
	}
	d.failure.mu.Lock()
	defer d.failure.mu.Unlock()
	if time.Since(d.failure.at) > failureTime {
		return ""
	}
	return d.failure.reason
}

// reasons are the causes of failed writes, by SQLSTATE and by SQLite's result codes.
var (
	postgresReasons = map[string]string{
		"53100": fullDisk, "25006": readOnly, "42501": "the user of the database lacks a right",
		"26000": pooled, "42P05": pooled,
		"53300": "the database has too many connections", "58030": brokenDisk, "XX001": damaged, "XX002": damaged,
	}
	sqliteReasons = map[int]string{
		13: fullDisk, 8: "the file of the database is read-only", 14: "the file of the database, or its folder, cannot be written",
		23: "the file of the database, or its folder, cannot be written", 10: brokenDisk, 11: damaged, 26: damaged,
	}
)

const (
	pooled     = "a pooler such as PgBouncer gives each transaction another session; add default_query_exec_mode=exec to the connection string"
	readOnly   = "the database is read-only"
	fullDisk   = "the disk of the database is full"
	brokenDisk = "the disk of the database cannot be read or written"
	damaged    = "the database is damaged"
)

// Reason returns the cause of a database's error; "" if it is none of those that a user can remove.
// Some drivers return only a text.
func Reason(err error) string {
	var postgres interface{ SQLState() string }
	var sqlite interface{ Code() int }
	switch {
	case err == nil:
		return ""
	case errors.As(err, &postgres):
		return postgresReasons[postgres.SQLState()]
	case errors.As(err, &sqlite):
		return sqliteReasons[sqlite.Code()&0xff]
	case strings.Contains(err.Error(), "database or disk is full"):
		return fullDisk
	}
	return ""
}

// codeOf returns the code of a database's error; "" if it is not one, or is of a value, which a row
// has.
func codeOf(err error) string {
	var postgres interface{ SQLState() string }
	var sqlite interface{ Code() int }
	switch {
	case errors.Is(err, context.Canceled):
		return ""
	case errors.As(err, &postgres):
		if state := postgres.SQLState(); !strings.HasPrefix(state, "22") {
			return state
		}
	case errors.As(err, &sqlite):
		return fmt.Sprint(sqlite.Code())
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone):
		return "of a lost connection"
	}
	return ""
}
