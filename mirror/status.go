package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
	"github.com/go-freight/terminal49/mirror/internal/worker"
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
	Heard        time.Time // the latest response to a search, which is each minute, or to a walk, or notification; zero if never
	Written      time.Time // when a process last wrote, which it does every few seconds; zero if never

	Clock   string // what was wrong with the clock of the process that writes, for an hour; "" for nothing
	Failure string // why writes fail, such as a full disk; "" if they do not

	Webhook string // "active", or what is wrong with it; "" if the mirror has none

	// Problems are those of the latest walks, such as rows that are not deleted without a
	// confirmation, and the command that confirms it.
	Problems []string

	Inbox       int64 // notifications that are stored and not applied
	Quarantined int64 // notifications that could not be applied, and are kept
	Dead        int64 // deliveries that the service signed and that are not notifications
	Marked      int64 // resources that may have changed, to be read
	Missing     int64 // rows whose resource was not found, but not yet twice
	Deleted     int64 // rows whose resource is gone
	Changes     int64 // seq of the latest change

	Position Position  // of the latest change: the end of the feed
	Restored time.Time // when it was last noticed, or reported, that the database was restored; zero if never

	Rows  map[string]int64 // rows that are neither missing nor deleted, by table
	Walks []WalkStatus     // the latest walk of each scope, by scope

	Pushes []PushStatus // by name

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

	Ended    time.Time // when a walk of the scope last ended, this one or one before; zero if never
	Failures int       // how often in a row walks of the scope failed
}

// limits are the maximum ages of the steps of a healthy mirror.
type limits struct{ poll, active, whole, audit time.Duration }

// limitsOf leaves room for one failed walk and for the time that a walk takes.
func limitsOf(o *worker.Options) limits {
	return limits{poll: 5 * time.Minute, active: 3*o.Active + 15*time.Minute, whole: 2*o.Whole + 6*time.Hour}
}

// writeLimit is how long nothing may be written: a process takes over sooner from one that crashed.
const writeLimit = 45 * time.Second

// mostFailures is how often in a row a walk may fail. Its retries then take two minutes or longer.
const mostFailures = 8

// auditLimit is the limit of a mirror that has a webhook.
const auditLimit = 30 * time.Minute

// Status reads the status from the database. It sends nothing to the service.
//
// Errors: [ErrNoTables]; [ErrReplaced]; those of the database.
func (m *Mirror) Status(ctx context.Context) (*Status, error) { return m.status(ctx, true) }

// Ages reads the times and the problems of the status, and leaves out the numbers, which take a
// second in a large account. It is enough for [Status.Healthy], and cheap enough to be read with
// each answer to a user.
//
// Errors: those of [Mirror.Status].
func (m *Mirror) Ages(ctx context.Context) (*Status, error) { return m.status(ctx, false) }

func (m *Mirror) status(ctx context.Context, counted bool) (*Status, error) {
	if m.creating() {
		return nil, ErrNoTables
	}
	r, err := m.db.Report(ctx, counted)
	if err != nil {
		return nil, m.db.Explain(err)
	}
	s := &Status{
		At: m.db.Now(), Since: r.Since, Account: r.Account, Poll: r.Poll, Audit: r.Audit, Notification: r.Notification, Written: r.Written,
		Webhook: r.Webhook, Clock: r.Clock, Failure: cmp.Or(m.db.Failure(), r.Failure),
		Inbox: r.Inbox, Quarantined: r.Quarantined, Dead: r.Dead, Marked: r.Marked, Missing: r.Missing, Deleted: r.Deleted,
		Changes: r.Changes, Position: Position(r.Position), Restored: r.Restored, Rows: r.Rows, Walks: walkStatuses(r.Walks), begun: r.Begun, limits: limitsOf(&m.opts),
	}
	s.Heard = heard(r.Heard, s)
	s.Pushes = pushStatuses(r.Pushes, s.At)
	for _, w := range s.Walks {
		if w.Problem != "" {
			s.Problems = append(s.Problems, w.Scope+": "+w.Problem)
		}
	}
	s.ActiveWalk, s.WholeWalk = s.ended(plan.ActiveList), s.ended(plan.WholeLists...)
	if s.Webhook != "" {
		s.limits.audit = auditLimit
	}
	return s, nil
}

// heard returns the latest of the time of a response, the pages of walks and the notifications.
func heard(response time.Time, s *Status) time.Time {
	latest := response
	for _, w := range s.Walks {
		latest = later(latest, w.PageAt)
	}
	return later(latest, s.Notification)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func walkStatuses(rows []store.WalkReport) (list []WalkStatus) {
	for _, w := range rows {
		list = append(list, WalkStatus(w))
	}
	return list
}

// Walks reads the latest walk of each list from the database. It is the part of [Mirror.Status]
// that is cheap enough to read every second.
//
// Errors: those of the database.
func (m *Mirror) Walks(ctx context.Context) ([]WalkStatus, error) {
	rows, err := m.db.LatestWalks(ctx)
	return walkStatuses(rows), m.db.Explain(err)
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

// Healthy returns an error if the copy is not kept, in words without secrets. It reports at once:
// writes that fail; that no process writes; a clock that is or was wrong; a walk over a main list
// that the service refuses, or that failed many times in a row. It also reports a periodic step
// that is overdue, with the limit. The age of a step that was never done counts from the first walk
// and, after a time in which no mirror ran, from when one began again. A mirror whose first walk
// still stores pages is healthy, and one whose requests fail now and then.
func (s *Status) Healthy(now time.Time) error {
	var read error
	if s.Since.IsZero() {
		read = errors.New("mirror: nothing has been read yet; is the mirror running?")
	}
	if early := errors.Join(s.writes(now), s.clock(now), read); read != nil {
		return early
	}
	return errors.Join(
		s.writes(now), s.clock(now), s.refused(),
		s.within("a read of changed resources", s.Poll, s.limits.poll, now),
		s.within("the end of a walk over the active shipments", s.walking(s.ActiveWalk, plan.ActiveList), s.limits.active, now),
		s.within("the end of a walk over everything", s.walking(s.WholeWalk, plan.WholeLists...), s.limits.whole, now),
		s.within("an audit of the notifications", s.Audit, s.limits.audit, now),
	)
}

// writes returns an error if nothing can be written, or nothing is.
func (s *Status) writes(now time.Time) error {
	age := now.Sub(s.Written).Round(time.Second)
	switch {
	case s.Failure != "":
		return errors.New("mirror: writes fail: " + s.Failure)
	case s.Written.IsZero():
		return nil
	case age > writeLimit:
		return fmt.Errorf("mirror: nothing has been written for %s: the process that writes has stopped, or its database is full or cannot be written", age)
	case plan.IsAhead(s.Written, now):
		return fmt.Errorf("mirror: nothing has been written since the clock went back: the latest write is %s in the future", -age)
	}
	return nil
}

// clock returns an error if the clock was wrong, or walks ended in the future.
func (s *Status) clock(now time.Time) (all error) {
	if s.Clock != "" {
		all = errors.New("mirror: " + s.Clock)
	}
	for _, w := range s.Walks {
		if plan.IsAhead(w.Ended, now) {
			all = errors.Join(all, fmt.Errorf("mirror: the walk over %s ended %s in the future: the clock went back, or an earlier process's clock was ahead",
				w.Scope, w.Ended.Sub(now).Round(time.Second)))
		}
	}
	return all
}

// refused returns an error if the service refuses the walk over a main list, or the walk has failed
// many times in a row. The cause of the latter may name hosts and users of the database.
func (s *Status) refused() (all error) {
	for _, list := range slices.Concat([]*plan.List{plan.ActiveList}, plan.WholeLists) {
		w := s.walk(list.Name)
		switch {
		case list.Optional:
		case w.State == "stopped":
			all = errors.Join(all, fmt.Errorf("mirror: the walk over %s was stopped: %s", w.Scope, w.Problem))
		case w.State == "running" && w.Problem != "" && w.Failures >= mostFailures:
			all = errors.Join(all, fmt.Errorf("mirror: the walk over %s has failed %d times in a row; its problem in the status says why", w.Scope, w.Failures))
		}
	}
	return all
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

// within returns an error if a step is overdue. Times in the future are reported by clock.
func (s *Status) within(what string, last time.Time, limit time.Duration, now time.Time) error {
	ago := "last"
	if last.IsZero() {
		last, ago = s.Since, "not once since the first walk,"
	}
	started := plan.IsAhead(s.begun, now) || now.Sub(s.begun) > limit
	if age := now.Sub(last); limit > 0 && age > limit && started {
		return fmt.Errorf("mirror: %s was %s %s ago; the limit is %s", what, ago, age.Round(time.Second), limit)
	}
	return nil
}
