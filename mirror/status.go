package mirror

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// Status is what a mirror has done and still has to do. It is stored in the database, so every
// process that uses the database reads the same status. [Mirror.Status] returns one.
type Status struct {
	At      time.Time // when it was read, on this process's clock
	Since   time.Time // when the first walk began; zero if the mirror never ran
	Account string    // id of the account; "" if the service has not reported it

	Poll         time.Time // the latest poll for changes, with the reads that it caused; zero if never
	ActiveWalk   time.Time // end of the latest walk over the shipments that are tracked; zero if never
	WholeWalk    time.Time // since then every list has been walked to its end; zero if not yet
	Audit        time.Time // the latest comparison with the service's log; zero if never
	Notification time.Time // when the latest one was received; zero if never

	Webhook string // "active", or what is wrong with it; "" if the mirror has none

	// Problems are those of the latest walks, such as too many rows that are missing at once, so that
	// none is deleted.
	Problems []string

	Inbox       int64 // notifications that are stored and not applied
	Quarantined int64 // notifications that could not be applied, and are kept
	Dead        int64 // deliveries that the service signed and that are not notifications
	Marked      int64 // resources that may have changed, to be read
	Missing     int64 // rows whose resource was not found, but not yet twice
	Deleted     int64 // rows whose resource is gone
	Changes     int64 // seq of the latest change

	Rows  map[string]int64 // rows that are neither missing nor deleted, by table
	Walks []WalkStatus     // the latest walk of each scope, by scope

	begun  time.Time // when the process that writes began to
	limits limits
}

// WalkStatus is the progress of a walk over a list.
type WalkStatus struct {
	Scope   string    // such as "shipments.active"
	State   string    // "running", "done" or "stopped"
	Problem string    // what is wrong with it; "" for nothing
	Started time.Time // when its first page was requested
	PageAt  time.Time // when its latest page was stored
	Page    int       // number of that page, from 1
	Seen    int64     // resources so far
	Total   int64     // as the service reported it; -1 if it did not

	Ended time.Time // when a walk of the scope last ended, this one or one before; zero if never
}

// limits are the greatest ages of a mirror that works.
type limits struct{ poll, active, whole, audit time.Duration }

// limits leaves room for one walk that failed and for the time that a walk takes.
func (o *options) limits() limits {
	return limits{poll: 5 * time.Minute, active: 3*o.active + 15*time.Minute, whole: 2*o.whole + 6*time.Hour}
}

// auditLimit is the limit of a mirror that has a webhook.
const auditLimit = 30 * time.Minute

// Status reads the status from the database. It sends nothing to the service.
//
// Errors: those of the database, for example that [Mirror.Migrate] has not created the tables.
func (m *Mirror) Status(ctx context.Context) (*Status, error) {
	if err := m.db.ask(ctx); err != nil {
		return nil, err
	}
	s := &Status{At: time.Now(), Rows: map[string]int64{}, limits: m.limits()}
	r := statusReader{ctx: ctx, database: &m.db, s: s}
	r.ages()
	r.counts()
	s.Walks = r.walks()
	for _, w := range s.Walks {
		if w.Problem != "" {
			s.Problems = append(s.Problems, w.Scope+": "+w.Problem)
		}
	}
	s.ActiveWalk, s.WholeWalk = s.ended(plan.ActiveList), s.ended(plan.WholeLists...)
	if s.Webhook != "" {
		s.limits.audit = auditLimit
	}
	return s, r.failed()
}

// Walks reads the latest walk of each list from the database. It is the part of [Mirror.Status]
// that is cheap enough to read every second.
//
// Errors: those of the database.
func (m *Mirror) Walks(ctx context.Context) ([]WalkStatus, error) {
	if err := m.db.ask(ctx); err != nil {
		return nil, err
	}
	r := statusReader{ctx: ctx, database: &m.db}
	return r.walks(), r.failed()
}

// statusReader reads the parts of a status until one fails.
type statusReader struct {
	*database
	ctx context.Context
	s   *Status
	err error
}

// one reads a row into dest, which keeps its values if there is none.
func (r *statusReader) one(statement string, dest ...any) {
	if r.err != nil {
		return
	}
	err := r.pool.QueryRowContext(r.ctx, r.sql(statement)).Scan(dest...)
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

func (r *statusReader) ages() {
	var notification, since schema.Instant
	r.one("select account from t49.identity", &r.s.Account)
	r.one("select max(received_at) from t49.inbox where source = 'webhook'", &notification)
	r.one("select min(started_at) from t49.walks", &since)
	r.s.Notification, r.s.Since = notification.Time, since.Time
	r.one("select value from t49.cursors where name = 'webhook'", &r.s.Webhook)
	r.s.Poll, r.s.Audit, r.s.begun = r.done(pollDone), r.done(auditDone), r.done(tenureBegun)
}

// done returns when something was done; see tx.did.
func (r *statusReader) done(what string) (at time.Time) {
	var value string
	r.one("select value from t49.cursors where name = '"+what+"'", &value)
	if value != "" && r.err == nil {
		at, r.err = time.Parse(time.RFC3339Nano, value)
	}
	return at
}

func (r *statusReader) counts() {
	r.one(`
select count(case when state in ('new', 'unresolved') then 1 end), count(case when state = 'quarantined' then 1 end),
  count(case when state = 'dead' then 1 end) from t49.inbox where state <> 'done'`, &r.s.Inbox, &r.s.Quarantined, &r.s.Dead)
	r.one("select count(*) from t49.dirty", &r.s.Marked)
	r.one("select coalesce(max(seq), 0) from t49.changes", &r.s.Changes)
	for _, t := range schema.Tables {
		var rows, missing, deleted int64
		r.one("select count(*) from t49."+t.Name, &rows)
		r.one("select count(*), count(deleted_at) from t49."+t.Name+" where missing_since is not null", &missing, &deleted)
		r.s.Rows[t.Name] = rows - missing
		r.s.Missing += missing - deleted
		r.s.Deleted += deleted
	}
}

func (r *statusReader) walks() (list []WalkStatus) {
	if r.err != nil {
		return nil
	}
	rows, err := r.pool.QueryContext(r.ctx, r.sql(`
select scope, state, coalesce(problem, ''), started_at, page_at, page, seen, coalesce(total, -1),
  (select max(page_at) from t49.walks done where done.scope = latest.scope and done.state = 'done')
from t49.walks latest where id in (select max(id) from t49.walks group by scope) order by scope`))
	if err != nil {
		r.err = err
		return nil
	}
	defer rows.Close() //nolint:errcheck // rows.Err has its error
	for rows.Next() {
		var w WalkStatus
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

// ended returns when the walks over several lists had all ended: the earliest of their latest ends,
// or zero if one never ended. A list that the service has refused from the start does not count.
func (s *Status) ended(scopes ...*plan.List) (at time.Time) {
	for i, scope := range scopes {
		w := s.walk(scope.Name)
		if w.Ended.IsZero() && w.State == "stopped" && i > 0 {
			continue
		}
		if i == 0 || w.Ended.Before(at) {
			at = w.Ended
		}
	}
	return at
}

func (s *Status) walk(scope string) (w WalkStatus) {
	if i := slices.IndexFunc(s.Walks, func(w WalkStatus) bool { return w.Scope == scope }); i >= 0 {
		w = s.Walks[i]
	}
	return w
}

// Healthy returns an error if a periodic step of the mirror is overdue. The error names the step,
// how long ago it was last done, and the limit. A step that was never done counts from the first
// walk, and one that was not done while no mirror ran, from when one began again; a first walk that
// still stores pages is healthy. Failed requests alone do not matter: the failure to detect is a
// mirror that stopped without an error.
func (s *Status) Healthy(now time.Time) error {
	if s.Since.IsZero() {
		return errors.New("mirror: nothing has been read yet; is the mirror running?")
	}
	return errors.Join(
		s.within("a read of changed resources", s.Poll, s.limits.poll, now),
		s.within("the end of a walk over the active shipments", s.walking(s.ActiveWalk, plan.ActiveList), s.limits.active, now),
		s.within("the end of a walk over everything", s.walking(s.WholeWalk, plan.WholeLists...), s.limits.whole, now),
		s.within("an audit of the notifications", s.Audit, s.limits.audit, now),
	)
}

// walking returns when a walk ended or, if none has, when the latest page was stored.
func (s *Status) walking(ended time.Time, scopes ...*plan.List) time.Time {
	if !ended.IsZero() {
		return ended
	}
	for _, scope := range scopes {
		if at := s.walk(scope.Name).PageAt; at.After(ended) {
			ended = at
		}
	}
	return ended
}

func (s *Status) within(what string, last time.Time, limit time.Duration, now time.Time) error {
	ago := "last"
	if last.IsZero() {
		last, ago = s.Since, "not once since the first walk,"
	}
	if age := now.Sub(last); limit > 0 && age > limit && now.Sub(s.begun) > limit {
		return fmt.Errorf("mirror: %s was %s %s ago; the limit is %s", what, ago, age.Round(time.Second), limit)
	}
	return nil
}

// Things that a mirror does again and again; see tx.did.
const (
	pollDone  = "poll"  // read marked resources, or looked for changed tracking requests
	auditDone = "audit" // compared the inbox with the service's log

	tenureBegun = "begun" // a process began to write
)

// did records that something was done now.
func (t *tx) did(ctx context.Context, what string) error {
	return t.note(ctx, what, t.now.UTC().Format(schema.SQLiteTime))
}

// note stores a value under a name.
func (t *tx) note(ctx context.Context, name, value string) error {
	_, err := t.exec(ctx, "insert into t49.cursors (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value", name, value)
	return err
}
