package mirror

import (
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

// limits are the maximum ages of the steps of a healthy mirror.
type limits struct{ poll, active, whole, audit time.Duration }

// limitsOf leaves room for one failed walk and for the time that a walk takes.
func limitsOf(o *worker.Options) limits {
	return limits{poll: 5 * time.Minute, active: 3*o.Active + 15*time.Minute, whole: 2*o.Whole + 6*time.Hour}
}

// auditLimit is the limit of a mirror that has a webhook.
const auditLimit = 30 * time.Minute

// Status reads the status from the database. It sends nothing to the service.
//
// Errors: those of the database, for example that [Mirror.Migrate] has not created the tables.
func (m *Mirror) Status(ctx context.Context) (*Status, error) {
	r, err := m.db.Report(ctx)
	if err != nil {
		return nil, err
	}
	s := &Status{
		At: time.Now(), Since: r.Since, Account: r.Account, Poll: r.Poll, Audit: r.Audit, Notification: r.Notification, Webhook: r.Webhook,
		Inbox: r.Inbox, Quarantined: r.Quarantined, Dead: r.Dead, Marked: r.Marked, Missing: r.Missing, Deleted: r.Deleted,
		Changes: r.Changes, Position: Position(r.Position), Restored: r.Restored, Rows: r.Rows, Walks: walkStatuses(r.Walks), begun: r.Begun, limits: limitsOf(&m.opts),
	}
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
	return walkStatuses(rows), err
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
// how long ago it was last done, and the limit. The age of a step that was never done counts from
// the first walk. After a time in which no mirror ran, ages count from when one began again. A
// first walk that still stores pages is healthy. Failed requests alone do not matter: the failure
// to detect is a mirror that stopped without an error.
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
