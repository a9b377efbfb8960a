package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

const (
	applyBatch  = 50 // notifications in a transaction
	maxAttempts = 5  // before a notification is quarantined
)

// applyInbox applies the notifications that are new in the inbox, and returns how many. Each has
// its effect and its new state in one transaction: facts are merged by id, resources that are
// unknown are inserted as provisional, and what the notification names is marked.
//
// A notification that fails is tried again alone, later and later, and quarantined after
// maxAttempts. It never holds up others. An error is of the database, of the lease or of ctx.
func (t *tenure) applyInbox(ctx context.Context) (applied int, err error) {
	if err := t.noteWebhook(ctx); err != nil {
		return 0, err
	}
	var fresh, failed, unresolved int
	err = t.db.pool.QueryRowContext(ctx, t.db.sql(`
select coalesce(max(case when state = 'new' and attempts = 0 then 1 end), 0),
  coalesce(max(case when state = 'new' and attempts > 0 then 1 end), 0),
  coalesce(max(case when state = 'unresolved' then 1 end), 0)
from t49.inbox where state in ('new', 'unresolved') and `+pending)).Scan(&fresh, &failed, &unresolved)
	if err == nil && failed > 0 {
		applied, err = t.applyFailed(ctx)
	}
	for more := fresh > 0; more && err == nil; {
		var n int
		n, more, err = t.applyBatch(ctx)
		applied += n
	}
	if err == nil && fresh+unresolved > 0 {
		err = t.resolve(ctx)
	}
	return applied, err
}

// pending is the condition of the index on states; SQLite uses the index only if it is written out.
const pending = "state <> 'done'"

// applyBatch applies the oldest new notifications in one transaction or, if that fails, each in one
// of its own. There may be more if more is true.
func (t *tenure) applyBatch(ctx context.Context) (applied int, more bool, err error) {
	list, err := t.db.inbox(ctx, "state = 'new' and attempts = 0 and "+pending+" order by received_at, id", applyBatch)
	if err != nil || len(list) == 0 {
		return 0, false, err
	}
	more = len(list) == applyBatch
	err = t.apply(ctx, t.lease, "inbox", func(tx *tx) error { return tx.applyRows(ctx, t.settle, list...) })
	switch {
	case err == nil:
		return len(list), more, nil
	case ctx.Err() != nil || errors.Is(err, errLeaseLost):
		return 0, false, err
	}
	applied, err = t.applyAlone(ctx, list)
	return applied, more, err
}

// attemptAges are how old a notification is at least when it is tried again, by its attempts. The
// reason may be the database, such as a table that is locked, and then all fail for a while.
var attemptAges = [maxAttempts]time.Duration{1: 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

// applyFailed tries those again that failed before, if it is time.
func (t *tenure) applyFailed(ctx context.Context) (applied int, err error) {
	due, args := "", []any{}
	for n := 1; n < maxAttempts; n++ {
		due += fmt.Sprintf(" or attempts = %d and received_at <= $%d", n, n+1)
		args = append(args, t.db.time(time.Now().Add(-attemptAges[n])))
	}
	list, err := t.db.inbox(ctx, "state = 'new' and (false"+due+") and "+pending+" order by attempts, received_at, id", applyBatch, args...)
	if err != nil {
		return 0, err
	}
	return t.applyAlone(ctx, list)
}

// applyAlone applies each notification in a transaction of its own, and counts the attempt of one
// that fails. If that cannot be stored either, the reason is not the notification.
func (t *tenure) applyAlone(ctx context.Context, list []inboxRow) (applied int, err error) {
	for _, row := range list {
		failure := t.apply(ctx, t.lease, "inbox alone", func(tx *tx) error { return tx.applyRows(ctx, t.settle, row) })
		switch {
		case failure == nil:
			applied++
			continue
		case ctx.Err() != nil || errors.Is(failure, errLeaseLost):
			return applied, failure
		}
		if err := t.noteFailure(ctx, row, failure); err != nil {
			return applied, err
		}
	}
	return applied, nil
}

// noteFailure counts a failed attempt.
func (t *tenure) noteFailure(ctx context.Context, row inboxRow, failure error) error {
	if row.attempts++; row.attempts == maxAttempts {
		row.state = stateQuarantined
		t.log.ErrorContext(ctx, "mirror: a notification is quarantined", "notification", row.id, "event", row.event, "error", failure)
	}
	text := failure.Error()
	text = model.StorableText(text[:min(len(text), 500)])
	return t.apply(ctx, t.lease, "inbox fail", func(tx *tx) error {
		_, err := tx.exec(ctx, "update t49.inbox set state = $1, attempts = $2, error = $3 where id = $4",
			row.state, row.attempts, text, row.id)
		return err
	})
}

// inboxRow is a notification of the inbox.
type inboxRow struct {
	id, event, state string
	attempts         int
	body             []byte
}

// inbox returns notifications, selected and ordered by the end of a statement, whose arguments
// begin with $2. Only the process with the lease changes them.
func (d *database) inbox(ctx context.Context, where string, limit int, args ...any) ([]inboxRow, error) {
	rows, err := d.pool.QueryContext(ctx, d.sql("select id, event, state, attempts, body from t49.inbox where "+where+" limit $1"),
		append([]any{limit}, args...)...)
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
	var all []*model.Notification
	states := map[string][]string{}
	for _, row := range list {
		n, err := model.ParseNotification(row.body)
		if err != nil {
			return fmt.Errorf("notification %s: %w", row.id, err)
		}
		state := stateDone
		if row.body != nil && n.Minimal() {
			state = stateUnresolved
		}
		states[state] = append(states[state], row.id)
		all = append(all, n)
	}
	for state, ids := range states {
		_, err := t.exec(ctx, "update t49.inbox set state = $1, error = null where id in (select value from jsonb_array_elements_text($2::jsonb))",
			state, string(model.Encode(ids)))
		if err != nil {
			return err
		}
	}
	if err := t.forgetAgain(ctx, list, all); err != nil {
		return err
	}
	return t.take(ctx, settle, all...)
}

// forgetAgain removes the bodies that include something that was forgotten.
func (t *tx) forgetAgain(ctx context.Context, list []inboxRow, all []*model.Notification) error {
	var included []*model.Resource
	for _, n := range all {
		included = slices.Concat(included, n.Facts, n.Provisional)
	}
	wanted, err := t.withoutForgotten(ctx, included)
	if err != nil || len(wanted) == len(included) {
		return err // nearly always
	}
	for i, n := range all {
		if err := t.forgetBody(ctx, list[i].id, slices.Concat(n.Facts, n.Provisional)); err != nil {
			return err
		}
	}
	return nil
}

// take stores what notifications include, and marks what they name.
func (t *tx) take(ctx context.Context, settle time.Duration, list ...*model.Notification) error {
	var provisional []*model.Resource
	var named []model.Ref
	for _, n := range list {
		provisional, named = append(provisional, n.Provisional...), append(named, n.Named...)
	}
	if err := t.takeFacts(ctx, list); err != nil {
		return err
	}
	if err := t.write(ctx, plan.Reading{Source: "notification"}, provisional); err != nil {
		return err
	}
	marks, err := t.toMark(ctx, named)
	if err != nil {
		return err
	}
	return t.markAll(ctx, t.now.Add(settle), marks...)
}

// toMark returns what has to be read of what was named. Places and companies change rarely: they
// are marked until they have been read once.
func (t *tx) toMark(ctx context.Context, named []model.Ref) (marks []model.Ref, err error) {
	seen := map[model.Ref]bool{}
	var list []model.Ref
	for _, what := range named {
		if !seen[what] {
			list = append(list, what)
		}
		seen[what] = true
	}
	if list, err = t.unforgotten(ctx, list); err != nil {
		return nil, err
	}
	for _, what := range list {
		known := false
		if !model.Kinds[what.Type].Moving {
			if known, err = t.one(ctx, "select 1 from t49."+schema.TableOf(what.Type).Name+" where id = $1 and ticket > 0", []any{what.ID}, new(int)); err != nil {
				return nil, err
			}
		}
		if !known {
			marks = append(marks, what)
		}
	}
	return marks, nil
}

// takeFacts merges the facts of notifications, as many at once as have no two copies of one.
func (t *tx) takeFacts(ctx context.Context, list []*model.Notification) error {
	var some []*model.Resource
	seen := map[model.Ref]bool{}
	for _, n := range list {
		if slices.ContainsFunc(n.Facts, func(res *model.Resource) bool { return seen[res.Ref] }) {
			if err := t.facts(ctx, some); err != nil {
				return err
			}
			some = nil
			clear(seen)
		}
		for _, res := range n.Facts {
			seen[res.Ref] = true
		}
		some = append(some, n.Facts...)
	}
	return t.facts(ctx, some)
}
