package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"github.com/go-freight/terminal49/sqlstore"
)

// The states of a notification in the inbox.
const (
	StateNew         = "new"
	stateUnresolved  = "unresolved"  // applied; what it is about has to be read
	StateDone        = "done"        // applied
	StateQuarantined = "quarantined" // failed too often
	StateDead        = "dead"        // signed by the service, but not a notification
)

// Arrival is a notification on its way into the inbox.
type Arrival struct {
	ID, Event string
	Created   time.Time // zero if not reported
	Source    string    // webhook or audit
	State     string
	Problem   string
	Body      []byte // nil if it may not be stored
}

// Arrive inserts the notifications that the inbox does not have yet, and returns their number. list
// has at most CommitRows. It needs no lease: several processes may insert in any order.
func (d *Store) Arrive(ctx context.Context, now time.Time, list []Arrival) (int64, error) {
	if d.Dialect == sqlstore.Postgres {
		return d.arriveAtOnce(ctx, d.Pool, now, list)
	}
	begun, err := d.Pool.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer begun.Rollback() //nolint:errcheck // after a commit it does nothing
	stored, err := d.arriveEach(ctx, begun, now, list)
	if err != nil {
		return 0, err
	}
	return stored, begun.Commit()
}

// Arrive is [Store.Arrive] as a part of a transaction.
func (t *Tx) Arrive(ctx context.Context, list []Arrival) (int64, error) {
	if t.db.Dialect == sqlstore.Postgres && len(list) > 0 {
		return t.db.arriveAtOnce(ctx, t.tx, t.Now, list)
	}
	return t.db.arriveEach(ctx, t.tx, t.Now, list)
}

// execer is a *sql.DB or a *sql.Tx.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// arriveAtOnce inserts in one statement, which needs no explicit transaction. The number of its
// rows is a power of two, so that a driver keeps few statements prepared: the last row is repeated,
// which inserts nothing.
func (d *Store) arriveAtOnce(ctx context.Context, in execer, now time.Time, list []Arrival) (int64, error) {
	rows := 1
	for rows < len(list) {
		rows *= 2
	}
	args := make([]any, 0, rows*8)
	for i := range rows {
		a := list[min(i, len(list)-1)]
		if i >= len(list) {
			a.Body = nil
		}
		args = append(args, d.arrivalArgs(a, now)...)
	}
	done, err := in.ExecContext(ctx, d.arriving(rows), args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

// arriveEach inserts row by row, which is faster in a database that runs in this process.
func (d *Store) arriveEach(ctx context.Context, in *sql.Tx, now time.Time, list []Arrival) (stored int64, err error) {
	prepared, err := in.PrepareContext(ctx, d.arriving(1))
	if err != nil {
		return 0, err
	}
	defer prepared.Close() //nolint:errcheck // it has been used
	for _, a := range list {
		done, err := prepared.Exec(d.arrivalArgs(a, now)...) // without the context, for which each would start a goroutine
		if err != nil {
			return 0, err
		}
		n, err := done.RowsAffected()
		if err != nil {
			return 0, err
		}
		stored += n
	}
	return stored, ctx.Err()
}

// arriving returns the statement that inserts a number of rows; its arguments are those of
// arrivalArgs.
func (d *Store) arriving(rows int) string {
	var b strings.Builder
	b.WriteString("insert into t49.inbox (id, event, created_at, received_at, source, state, error, body) values ")
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "($%d,$%d,$%d,$%d,$%d,$%d,$%d,$%d)", 8*i+1, 8*i+2, 8*i+3, 8*i+4, 8*i+5, 8*i+6, 8*i+7, 8*i+8)
	}
	b.WriteString(" on conflict (id) do nothing")
	return d.SQL(b.String())
}

func (d *Store) arrivalArgs(a Arrival, now time.Time) []any {
	return []any{a.ID, a.Event, d.Time(a.Created), d.Time(now), a.Source, a.State, null(a.Problem), a.Body}
}

// BodyAge is how long the body of a notification is kept after it was applied.
const BodyAge = 30 * 24 * time.Hour

// DropBodies deletes the bodies of notifications that were applied long before a time. The ids
// stay, so that an audit knows them.
func (t *Tx) DropBodies(ctx context.Context, now time.Time) error {
	_, err := t.exec(ctx, "update t49.inbox set body = null where state = 'done' and body is not null and received_at < $1",
		t.time(now.Add(-BodyAge)))
	return err
}

func null(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// Notification is a notification of the inbox.
type Notification struct {
	ID, Event, State string
	Attempts         int
	body             []byte
}

// CountWaiting returns which notifications have to be applied: fresh ones, ones that failed before,
// and ones whose log entry has to be read. Each result is 1 if there are any, otherwise 0.
func (d *Store) CountWaiting(ctx context.Context) (fresh, failed, unresolved int, err error) {
	err = d.Pool.QueryRowContext(ctx, d.SQL(`
select coalesce(max(case when state = 'new' and attempts = 0 then 1 end), 0),
  coalesce(max(case when state = 'new' and attempts > 0 then 1 end), 0),
  coalesce(max(case when state = 'unresolved' then 1 end), 0)
from t49.inbox where state in ('new', 'unresolved') and `+Pending)).Scan(&fresh, &failed, &unresolved)
	return fresh, failed, unresolved, err
}

// Pending is the condition of the index on states. SQLite uses the index only if the statement
// contains it.
const Pending = "state <> 'done'"

// NewNotifications returns the oldest notifications that have not been tried yet.
func (d *Store) NewNotifications(ctx context.Context, limit int) ([]Notification, error) {
	return d.notifications(ctx, "state = 'new' and attempts = 0 and "+Pending+" order by received_at, id", limit)
}

// FailedNotifications returns notifications that failed i+1 times and are at least ages[i] old, and
// those that were received when the clock was ahead.
func (d *Store) FailedNotifications(ctx context.Context, ages []time.Duration, limit int) ([]Notification, error) {
	now := d.Now()
	due, args := "received_at > $2", []any{d.Time(now.Add(mostSkew))}
	for i, age := range ages {
		due += fmt.Sprintf(" or attempts = %d and received_at <= $%d", i+1, i+3)
		args = append(args, d.Time(now.Add(-age)))
	}
	return d.notifications(ctx, "state = 'new' and attempts > 0 and ("+due+") and "+Pending+" order by attempts, received_at, id", limit, args...)
}

// mostSkew is how far the clocks of machines that receive may differ.
const mostSkew = 10 * time.Minute

// UnresolvedNotifications returns notifications whose log entry has to be read.
func (d *Store) UnresolvedNotifications(ctx context.Context, limit int) ([]Notification, error) {
	return d.notifications(ctx, "state = 'unresolved' and "+Pending+" order by attempts, received_at, id", limit)
}

// SetFailed stores the state of a notification that failed.
func (t *Tx) SetFailed(ctx context.Context, row Notification, problem string) error {
	_, err := t.exec(ctx, "update t49.inbox set state = $1, attempts = $2, error = $3 where id = $4",
		row.State, row.Attempts, problem, row.ID)
	return err
}

// SetDone notes that a notification has been applied.
func (t *Tx) SetDone(ctx context.Context, id string) error {
	_, err := t.exec(ctx, "update t49.inbox set state = 'done' where id = $1", id)
	return err
}

// notifications returns the notifications that where selects and orders; its arguments begin with
// $2. Only the process with the lease changes them.
func (d *Store) notifications(ctx context.Context, where string, limit int, args ...any) ([]Notification, error) {
	rows, err := d.Pool.QueryContext(ctx, d.SQL("select id, event, state, attempts, body from t49.inbox where "+where+" limit $1"),
		append([]any{limit}, args...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Notification
	for rows.Next() {
		var r Notification
		if err := rows.Scan(&r.ID, &r.Event, &r.State, &r.Attempts, &r.body); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}
