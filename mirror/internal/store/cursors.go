package store

import (
	"context"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Cursor returns the text that is stored under a name; "" if there is none.
func (d *Store) Cursor(ctx context.Context, name string) (string, error) {
	return d.cursorFrom(ctx, d.Pool, name)
}

func (t *Tx) cursor(ctx context.Context, name string) (string, error) {
	return t.db.cursorFrom(ctx, t.tx, name)
}

func (d *Store) cursorFrom(ctx context.Context, from rower, name string) (value string, err error) {
	_, err = found(from.QueryRowContext(ctx, d.SQL("select value from t49.cursors where name = $1"), name).Scan(&value))
	return value, err
}

// CursorNumber returns the ticket that is stored under a name; 0 if there is none.
func (d *Store) CursorNumber(ctx context.Context, name string) (int64, error) {
	value, err := d.Cursor(ctx, name)
	if err != nil || value == "" {
		return 0, err
	}
	return strconv.ParseInt(value, 10, 64)
}

// The cursors with the times of periodic steps; see NoteDone.
const (
	CursorPolled  = "poll"  // read marked resources, if there were any
	CursorHeard   = "heard" // searched for changed tracking requests, with a response
	CursorAudited = "audit" // compared the inbox with the service's log

	CursorBegun = "begun" // a process began to write
)

// The cursors with problems of the process that writes, in words; "" for none.
const (
	CursorClock   = "clock"   // what is or was wrong with its clock
	CursorFailure = "failure" // why its writes fail
)

// CursorFailedSuffix is the end of the name of a cursor with how often in a row a walk has failed.
const CursorFailedSuffix = ".failed"

// NoteDone records that a step was done now.
func (t *Tx) NoteDone(ctx context.Context, what string) error {
	return t.Note(ctx, what, t.Now.UTC().Format(schema.SQLiteTime))
}

// Note stores a value under a name.
func (t *Tx) Note(ctx context.Context, name, value string) error {
	_, err := t.exec(ctx, "insert into t49.cursors (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value", name, value)
	return err
}

const (
	CursorAuditedWhole = "audit.whole" // when the last audit of the whole log ended
	CursorAuditedSince = "audit.since" // notifications count from this time on
	CursorAuditedTo    = "audit.to"    // the newest notification of the last audit that ended well
)

func (t *Tx) NoteTime(ctx context.Context, name string, at time.Time) error {
	return t.Note(ctx, name, at.UTC().Format(time.RFC3339Nano))
}

// Noted returns the time that NoteTime stored; zero if there is none.
func (t *Tx) Noted(ctx context.Context, name string) (at time.Time, err error) {
	var value string
	if found, err := t.one(ctx, "select value from t49.cursors where name = $1", []any{name}, &value); err != nil || !found {
		return at, err
	}
	return time.Parse(time.RFC3339Nano, value)
}

// count adds n to a counter, and returns it.
func (t *Tx) count(ctx context.Context, name string, n int) (total int64, err error) {
	_, err = t.one(ctx, `
insert into t49.cursors as t (name, value) values ($1, $2)
on conflict (name) do update set value = cast(cast(t.value as bigint) + cast(excluded.value as bigint) as text)
returning cast(value as bigint)`, []any{name, strconv.Itoa(n)}, &total)
	return total, err
}

// situationsCursor names the seq of the latest transaction that stored situations.
const situationsCursor = "situations.seq"

// nextSituations returns a seq that is greater than those of all transactions that stored
// situations before, and waits for one that has not committed yet. It is the time in microseconds,
// unless that was used, so that a restored database does not use one again.
func (t *Tx) nextSituations(ctx context.Context) (seq int64, err error) {
	_, err = t.one(ctx, `
insert into t49.cursors as t (name, value) values ($1, $2)
on conflict (name) do update set value = cast(case
  when cast(t.value as bigint) >= cast(excluded.value as bigint) then cast(t.value as bigint) + 1 else cast(excluded.value as bigint) end as text)
returning cast(value as bigint)`, []any{situationsCursor, strconv.FormatInt(t.Now.UnixMicro(), 10)}, &seq)
	return seq, err
}

// CursorUpdated is the time up to which all updates of tracking requests have been read. The first
// page of the first walk sets it, because that walk reads all others. Afterwards, only reading all
// updates advances it.
const CursorUpdated = "tracking_requests.updated_at"

// StartCursor sets the cursor if it is not set.
func (t *Tx) StartCursor(ctx context.Context, listed []*model.Resource) error {
	if t.db.cursorSet.Load() {
		return nil
	}
	was, err := t.cursor(ctx, CursorUpdated)
	if err != nil || was != "" {
		t.db.cursorSet.Store(was != "")
		return err
	}
	return t.Advance(ctx, model.LatestUpdate(listed))
}

// Advance moves the cursor forward.
func (t *Tx) Advance(ctx context.Context, to time.Time) error {
	was, err := t.cursor(ctx, CursorUpdated)
	if err != nil || to.IsZero() || was >= to.Format(time.RFC3339) { // both in UTC
		return err
	}
	return t.Note(ctx, CursorUpdated, to.Format(time.RFC3339))
}
