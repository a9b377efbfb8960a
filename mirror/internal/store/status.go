package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// report is the state of a mirror in the database.
type report struct {
	Account, Webhook string
	Since            time.Time // when the first walk began
	Poll, Audit      time.Time // when they were done last
	Begun            time.Time // when the process that writes began to
	Notification     time.Time // when the latest one was received
	Restored         time.Time // when a restore of the database was noticed last

	Inbox, Quarantined, Dead, Marked, Missing, Deleted, Changes int64

	Position string // of the latest change

	Rows  map[string]int64 // rows that are neither missing nor deleted, by table
	Walks []WalkReport
}

// WalkReport is the latest walk over a list.
type WalkReport struct {
	Scope, State, Problem string
	Started, PageAt       time.Time
	Page                  int
	Seen, Total           int64
	Ended                 time.Time // of the latest walk over the list that ended
}

// Report reads the state of a mirror.
func (d *Store) Report(ctx context.Context) (report, error) {
	s := report{Rows: map[string]int64{}}
	if err := d.Ready(ctx); err != nil {
		return s, err
	}
	r := statusReader{db: d, ctx: ctx}
	r.ages(&s)
	r.counts(&s)
	s.Walks = r.walks()
	return s, r.failed()
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
func (r *statusReader) one(statement string, dest ...any) {
	if r.err != nil {
		return
	}
	err := r.db.Pool.QueryRowContext(r.ctx, r.db.SQL(statement)).Scan(dest...)
	if !errors.Is(err, sql.ErrNoRows) {
		r.err = err
	}
}

func (r *statusReader) failed() error {
	if r.err == nil {
		return nil
	}
	return fmt.Errorf("mirror: cannot read the status; has run created the tables? %w", r.err)
}

func (r *statusReader) ages(s *report) {
	var notification, since schema.Instant
	r.one("select account from t49.identity", &s.Account)
	r.one("select max(received_at) from t49.inbox where source = 'webhook'", &notification)
	r.one("select min(started_at) from t49.walks", &since)
	s.Notification, s.Since = notification.Time, since.Time
	r.one("select value from t49.cursors where name = 'webhook'", &s.Webhook)
	s.Poll, s.Audit, s.Begun, s.Restored = r.done(CursorPolled), r.done(CursorAudited), r.done(CursorBegun), r.done(CursorRestored)
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
  (select max(page_at) from t49.walks done where done.scope = latest.scope and done.state = 'done')
from t49.walks latest where id in (select max(id) from t49.walks group by scope) order by scope`))
	if err != nil {
		r.err = err
		return nil
	}
	defer rows.Close() //nolint:errcheck // rows.Err has its error
	for rows.Next() {
		var w WalkReport
		var started, page, ended schema.Instant
		if r.err = rows.Scan(&w.Scope, &w.State, &w.Problem, &started, &page, &w.Page, &w.Seen, &w.Total, &ended); r.err != nil {
			return nil
		}
		w.Started, w.PageAt, w.Ended = started.Time, page.Time, ended.Time
		list = append(list, w)
	}
	r.err = rows.Err()
	return list
}
