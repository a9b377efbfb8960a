package mirror

import (
	"context"
	"errors"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
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
	fresh, failed, unresolved, err := t.db.CountWaiting(ctx)
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

// applyBatch applies the oldest new notifications in one transaction or, if that fails, each in one
// of its own. There may be more if more is true.
func (t *tenure) applyBatch(ctx context.Context) (applied int, more bool, err error) {
	list, err := t.db.NewNotifications(ctx, applyBatch)
	if err != nil || len(list) == 0 {
		return 0, false, err
	}
	more = len(list) == applyBatch
	err = t.db.Apply(ctx, t.lease, "inbox", func(tx *store.Tx) error { return tx.ApplyRows(ctx, t.opts.Settle, list...) })
	switch {
	case err == nil:
		return len(list), more, nil
	case ctx.Err() != nil || errors.Is(err, store.ErrLeaseLost):
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
	list, err := t.db.FailedNotifications(ctx, attemptAges[1:], applyBatch)
	if err != nil {
		return 0, err
	}
	return t.applyAlone(ctx, list)
}

// applyAlone applies each notification in a transaction of its own, and counts the attempt of one
// that fails. If that cannot be stored either, the reason is not the notification.
func (t *tenure) applyAlone(ctx context.Context, list []store.Notification) (applied int, err error) {
	for _, row := range list {
		failure := t.db.Apply(ctx, t.lease, "inbox alone", func(tx *store.Tx) error { return tx.ApplyRows(ctx, t.opts.Settle, row) })
		switch {
		case failure == nil:
			applied++
			continue
		case ctx.Err() != nil || errors.Is(failure, store.ErrLeaseLost):
			return applied, failure
		}
		if err := t.noteFailure(ctx, row, failure); err != nil {
			return applied, err
		}
	}
	return applied, nil
}

// noteFailure counts a failed attempt.
func (t *tenure) noteFailure(ctx context.Context, row store.Notification, failure error) error {
	if row.Attempts++; row.Attempts == maxAttempts {
		row.State = store.StateQuarantined
		t.opts.Log.ErrorContext(ctx, "mirror: a notification is quarantined", "notification", row.ID, "event", row.Event, "error", failure)
	}
	text := failure.Error()
	text = model.StorableText(text[:min(len(text), 500)])
	return t.db.Apply(ctx, t.lease, "inbox fail", func(tx *store.Tx) error {
		return tx.SetFailed(ctx, row, text)
	})
}
