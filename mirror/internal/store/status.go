package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// ErrNoTables means that the tables do not exist yet.
var ErrNoTables = errors.New("mirror: the tables do not exist")

// report is the state of a mirror in the database.
type report struct {
	Account, Webhook string
	Since            time.Time // when the first walk began
	Poll, Audit      time.Time // when they were done last
	Heard            time.Time // when the latest search for changed tracking requests had a response
	Begun            time.Time // when the process that writes began to
	Notification     time.Time // when the latest one was received
	Restored         time.Time // when a restore of the database was noticed last
	Written          time.Time // when the lease was renewed last
	Clock, Failure   string    // see CursorClock and CursorFailure

	Inbox, Quarantined, Dead, Marked, Missing, Deleted, Changes int64

	Position string // of the latest change

	Rows  map[string]int64 // rows that are neither missing nor deleted, by table
	Walks []WalkReport

	Pushes []Push
}

// WalkReport is the latest walk over a list.
type WalkReport struct {
	Scope, State, Problem string
	Started, PageAt       time.Time
	Page                  int
	Seen, Total           int64
	Ended                 time.Time // of the latest walk over the list that ended
	Failures              int       // in a row, if the walk is not done
}

// Report reads the state of a mirror, with its numbers or without.
func (d *Store) Report(ctx context.Context, counted bool) (report, error) {
	s := report{Rows: map[string]int64{}}
	if err := errors.Join(d.Ready(ctx), d.InPlace()); err != nil {
		return s, err
	}
	r := statusReader{db: d, ctx: ctx}
	r.ages(&s)
	if counted {
		r.counts(&s)
	}
	s.Walks, s.Pushes = r.walks(), r.pushes()
	return s, r.failed()
}

// Ahead returns the stored time that is furthest in the future, and by how much: what was done
// then, and zero if there is none.
func (d *Store) Ahead(ctx context.Context) (what string, by time.Duration, err error) {
	r := statusReader{db: d, ctx: ctx}
	now := d.Now()
	note := func(name string, at time.Time) {
		if at.Sub(now) > by {
			what, by = name, at.Sub(now)
		}
	}
	for _, w := range r.walks() {
		note("the start of the walk over "+w.Scope, w.Started)
		note("the latest page of the walk over "+w.Scope, w.PageAt)
		note("the end of the walk over "+w.Scope, w.Ended)
	}
	note("the latest poll", r.done(CursorPolled))
	note("the latest audit", r.done(CursorAudited))
	return what, by, r.failed()
}

// LatestWalks reads the latest walk over each list.
func (d *Store) LatestWalks(ctx context.Context) ([]WalkReport, error) {
	if err := d.Ready(ctx); err != nil {
		return nil, err
	}
	r := statusReader{db: d, ctx: ctx}
	return r.walks(), r.failed()
}

// statusReader reads the parts of a status until one fails.
type statusReader struct {
	db  *Store
	ctx context.Context
	err error
}

// one reads a row into dest, which keeps its values if there is none.
func (r *statusReader) one(statement string, dest ...any) { r.oneOf(statement, nil, dest...) }

// oneOf is one with arguments.
func (r *statusReader) oneOf(statement string, args []any, dest ...any) {
	if r.err != nil {
		return
	}
	err := r.db.Pool.QueryRowContext(r.ctx, r.db.SQL(statement), args...).Scan(dest...)
	if !errors.Is(err, sql.ErrNoRows) {
		r.err = err
	}
}

func (r *statusReader) failed() error {
	if r.err == nil {
		return nil
	}
	return fmt.Errorf("mirror: cannot read the status: %w", r.err)
}

func (r *statusReader) ages(s *report) {
	var notification, since schema.Instant
	r.one("select account from t49.identity", &s.Account)
	r.oneOf("select max(received_at) from t49.inbox where source = 'webhook' and received_at < $1",
		[]any{r.db.Time(r.db.Now().Add(mostSkew))}, &notification)
	r.one("select started_at from t49.walks order by id limit 1", &since)
	s.Notification, s.Since = notification.Time, since.Time
	r.one("select value from t49.cursors where name = 'webhook'", &s.Webhook)
	r.one("select value from t49.cursors where name = '"+CursorClock+"'", &s.Clock)
	r.one("select value from t49.cursors where name = '"+CursorFailure+"'", &s.Failure)
	s.Poll, s.Audit, s.Begun, s.Restored = r.done(CursorPolled), r.done(CursorAudited), r.done(CursorBegun), r.done(CursorRestored)
	s.Heard = r.done(CursorHeard)
	s.Written = r.written()
}

// written returns when the lease was renewed last, by this process's clock; zero if there was none.
func (r *statusReader) written() time.Time {
	var until schema.Instant
	r.one("select expires_at from t49.leases where name = '"+writerLease+"' and epoch > 0", &until)
	if until.IsZero() {
		return time.Time{}
	}
	return r.here(until.Add(-LeaseTime))
}

// done returns when something was done; see NoteDone.
func (r *statusReader) done(what string) (at time.Time) {
	var value string
	r.one("select value from t49.cursors where name = '"+what+"'", &value)
	if value != "" && r.err == nil {
		at, r.err = time.Parse(time.RFC3339Nano, value)
	}
	return at
}

func (r *statusReader) counts(s *report) {
	r.one(`
select count(case when state in ('new', 'unresolved') then 1 end), count(case when state = 'quarantined' then 1 end),
  count(case when state = 'dead' then 1 end) from t49.inbox where state <> 'done'`, &s.Inbox, &s.Quarantined, &s.Dead)
	r.one("select count(*) from t49.dirty", &s.Marked)
	r.one("select seq, position from t49.changes order by seq desc limit 1", &s.Changes, &s.Position)
	for _, t := range schema.Tables {
		var rows, missing, deleted int64
		r.one("select count(*) from t49."+t.Name, &rows)
		r.one("select count(*), count(deleted_at) from t49."+t.Name+" where missing_since is not null", &missing, &deleted)
		s.Rows[t.Name] = rows - missing
		s.Missing += missing - deleted
		s.Deleted += deleted
	}
}

func (r *statusReader) walks() (list []WalkReport) {
	if r.err != nil {
		return nil
	}
	rows, err := r.db.Pool.QueryContext(r.ctx, r.db.SQL(`
select scope, state, coalesce(problem, ''), started_at, page_at, page, seen, coalesce(total, -1),
  (select page_at from t49.walks done where done.scope = latest.scope and done.state = 'done' order by id desc limit 1),
  coalesce((select cast(value as int) from t49.cursors where name = latest.scope || '`+CursorFailedSuffix+`'), 0)
from t49.walks latest where id in (select max(id) from t49.walks group by scope) order by scope`))
	if err != nil {
		r.err = err
		return nil
	}
	defer rows.Close() //nolint:errcheck // rows.Err has its error
	for rows.Next() {
		var w WalkReport
		var started, page, ended schema.Instant
		if r.err = rows.Scan(&w.Scope, &w.State, &w.Problem, &started, &page, &w.Page, &w.Seen, &w.Total, &ended, &w.Failures); r.err != nil {
			return nil
		}
		w.Started, w.PageAt, w.Ended = started.Time, page.Time, ended.Time
		list = append(list, w)
	}
	r.err = rows.Err()
	return list
}
