package store

import (
	"errors"
	"strings"
	"sync"
	"time"
)

// failures are the writes that failed for a reason that a user can remove.
type failures struct {
	mu     sync.Mutex
	reason string
	at     time.Time
}

// failureTime is how long a failed write is reported, unless another one fails.
const failureTime = time.Minute

// noteFailure remembers why a write failed, and returns its error.
func (d *Store) noteFailure(err error) error {
	if reason := Reason(err); reason != "" {
		d.failure.mu.Lock()
		defer d.failure.mu.Unlock()
		d.failure.reason, d.failure.at = reason, time.Now()
	}
	return err
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
		"53100": fullDisk, "25006": "the database is read-only", "42501": "the user of the database lacks a right",
		"53300": "the database has too many connections", "58030": brokenDisk, "XX001": damaged, "XX002": damaged,
	}
	sqliteReasons = map[int]string{
		13: fullDisk, 8: "the file of the database is read-only", 14: "the file of the database, or its folder, cannot be written",
		23: "the file of the database, or its folder, cannot be written", 10: brokenDisk, 11: damaged, 26: damaged,
	}
)

const (
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
