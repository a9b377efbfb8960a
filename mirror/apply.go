package mirror

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	applyBatch  = 50 // notifications in a transaction
	maxAttempts = 5  // before a notification is quarantined
)

// applyInbox applies the notifications that are new in the inbox, and returns how many. Each has
// its effect and its new state in one transaction: facts are merged by id, resources that are
// unknown are inserted as provisional, and what the notification names is marked.
//
// A notification that fails is tried again alone, once with each call, and quarantined after
// maxAttempts. It never holds up others. An error is of the database, of the lease or of ctx.
func (m *Mirror) applyInbox(ctx context.Context, l *lease) (applied int, err error) {
	var fresh, failed, unresolved int
	err = m.db.pool.QueryRowContext(ctx, m.db.sql(`
select coalesce(max(case when state = 'new' and attempts = 0 then 1 end), 0),
  coalesce(max(case when state = 'new' and attempts > 0 then 1 end), 0),
  coalesce(max(case when state = 'unresolved' then 1 end), 0)
from t49.inbox where state in ('new', 'unresolved') and `+pending)).Scan(&fresh, &failed, &unresolved)
	if err == nil && failed > 0 {
		applied, err = m.applyFailed(ctx, l)
	}
	for more := fresh > 0; more && err == nil; {
		var n int
		n, more, err = m.applyBatch(ctx, l)
		applied += n
	}
	if err == nil && fresh+unresolved > 0 {
		err = m.resolve(ctx, l)
	}
	return applied, err
}

// pending is the condition of the index on states; SQLite uses the index only if it is written out.
const pending = "state <> 'done'"

// applyBatch applies the oldest new notifications in one transaction or, if that fails, each in one
// of its own. There may be more if more is true.
func (m *Mirror) applyBatch(ctx context.Context, l *lease) (applied int, more bool, err error) {
	list, err := m.db.inbox(ctx, "state = 'new' and attempts = 0 and "+pending+" order by received_at, id", applyBatch)
	if err != nil || len(list) == 0 {
		return 0, false, err
	}
	more = len(list) == applyBatch
	err = m.apply(ctx, l, "inbox", func(t *tx) error { return t.applyRows(ctx, m.settle, list...) })
	switch {
	case err == nil:
		return len(list), more, nil
	case ctx.Err() != nil || errors.Is(err, errLeaseLost):
		return 0, false, err
	}
	applied, err = m.applyAlone(ctx, l, list)
	return applied, more, err
}

// applyFailed tries those again that failed before.
func (m *Mirror) applyFailed(ctx context.Context, l *lease) (applied int, err error) {
	list, err := m.db.inbox(ctx, "state = 'new' and attempts > 0 and "+pending+" order by attempts, received_at, id", applyBatch)
	if err != nil {
		return 0, err
	}
	return m.applyAlone(ctx, l, list)
}

// applyAlone applies each notification in a transaction of its own, and counts the attempt of one
// that fails. If that cannot be stored either, the reason is not the notification.
func (m *Mirror) applyAlone(ctx context.Context, l *lease, list []inboxRow) (applied int, err error) {
	for _, row := range list {
		failure := m.apply(ctx, l, "inbox alone", func(t *tx) error { return t.applyRows(ctx, m.settle, row) })
		switch {
		case failure == nil:
			applied++
			continue
		case ctx.Err() != nil || errors.Is(failure, errLeaseLost):
			return applied, failure
		}
		if err := m.fail(ctx, l, row, failure); err != nil {
			return applied, err
		}
	}
	return applied, nil
}

// fail counts a failed attempt.
func (m *Mirror) fail(ctx context.Context, l *lease, row inboxRow, failure error) error {
	if row.attempts++; row.attempts == maxAttempts {
		row.state = stateQuarantined
		m.log.ErrorContext(ctx, "mirror: a notification is quarantined", "notification", row.id, "event", row.event, "error", failure)
	}
	text := failure.Error()
	return m.apply(ctx, l, "inbox fail", func(t *tx) error {
		_, err := t.exec(ctx, "update t49.inbox set state = $1, attempts = $2, error = $3 where id = $4",
			row.state, row.attempts, text[:min(len(text), 500)], row.id)
		return err
	})
}

// inboxRow is a notification of the inbox.
type inboxRow struct {
	id, event, state string
	attempts         int
	body             []byte
}

// inbox returns notifications, selected and ordered by the end of a statement. Only the process with
// the lease changes them.
func (d *database) inbox(ctx context.Context, where string, limit int) ([]inboxRow, error) {
	rows, err := d.pool.QueryContext(ctx, d.sql("select id, event, state, attempts, body from t49.inbox where "+where+" limit $1"), limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []inboxRow
	for rows.Next() {
		var r inboxRow
		if err := rows.Scan(&r.id, &r.event, &r.state, &r.attempts, &r.body); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// applyRows applies notifications: what they include that is unknown, their facts, their marks.
func (t *tx) applyRows(ctx context.Context, settle time.Duration, list ...inboxRow) error {
	var all notification
	for _, row := range list {
		n, err := parseNotification(row.body)
		if err != nil {
			return fmt.Errorf("notification %s: %w", row.id, err)
		}
		state := stateDone
		if row.body != nil && n.minimal() {
			state = stateUnresolved
		}
		if _, err := t.exec(ctx, "update t49.inbox set state = $1, error = null where id = $2", state, row.id); err != nil {
			return err
		}
		if err := t.facts(ctx, n.facts); err != nil { // not all at once: there may be several copies of one
			return fmt.Errorf("notification %s: %w", row.id, err)
		}
		all.provisional = append(all.provisional, n.provisional...)
		all.named = append(all.named, n.named...)
	}
	return t.raise(ctx, &all, settle)
}

// raise stores the resources of notifications that are unknown, and marks what they name. Places
// and companies change rarely: they are marked until they have been read once.
func (t *tx) raise(ctx context.Context, n *notification, settle time.Duration) error {
	if err := t.write(ctx, reading{source: "notification"}, n.provisional); err != nil {
		return err
	}
	var marks []ref
	for _, what := range n.named {
		read := false
		if !moving[what.Type] {
			var err error
			if read, err = t.one(ctx, "select 1 from t49."+tableOf(what.Type).name+" where id = $1 and ticket > 0", []any{what.ID}, new(int)); err != nil {
				return err
			}
		}
		if !read {
			marks = append(marks, what)
		}
	}
	return t.markAll(ctx, t.now.Add(settle), marks...)
}
