package worker

import (
	"context"
	"errors"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	applyBatch  = 50 // notifications in a transaction
	MaxAttempts = 5  // before a notification is quarantined
)

// applier applies the notifications of the inbox.
type applier struct {
	Turn     *turn
	hook     Hook
	settle   time.Duration // between a notification and the read that it causes
	Resolver *resolver
	noted    string // the state of the webhook that is stored
}

// ApplyInbox applies the notifications that are new in the inbox, and returns how many. Each has
// its effect and its new state in one transaction: facts are merged by id, resources that are
// unknown are inserted as provisional, and what the notification names is marked.
//
// A notification that fails is tried again alone, later and later, and quarantined after
// MaxAttempts. It never holds up others. An error is of the database, of the lease or of ctx.
func (a *applier) ApplyInbox(ctx context.Context) (applied int, err error) {
	if err := a.noteWebhook(ctx); err != nil {
		return 0, err
	}
	fresh, failed, unresolved, err := a.Turn.db.CountWaiting(ctx)
	if err == nil && failed > 0 {
		applied, err = a.applyFailed(ctx)
	}
	for more := fresh > 0; more && err == nil; {
		var n int
		n, more, err = a.applyBatch(ctx)
		applied += n
	}
	if err == nil && fresh+unresolved > 0 {
		err = a.Resolver.resolve(ctx)
	}
	return applied, err
}

// applyBatch applies the oldest new notifications in one transaction or, if that fails, each in one
// of its own. There may be more if more is true.
func (a *applier) applyBatch(ctx context.Context) (applied int, more bool, err error) {
	list, err := a.Turn.db.NewNotifications(ctx, applyBatch)
	if err != nil || len(list) == 0 {
		return 0, false, err
	}
	more = len(list) == applyBatch
	err = a.Turn.write(ctx, "inbox", func(tx *store.Tx) error { return tx.ApplyRows(ctx, a.settle, list...) })
	switch {
	case err == nil:
		return len(list), more, nil
	case ctx.Err() != nil || errors.Is(err, store.ErrLeaseLost):
		return 0, false, err
	}
	applied, err = a.applyAlone(ctx, list)
	return applied, more, err
}

// attemptAges are the minimum ages of a notification when it is tried again, by its attempts. The
// cause may be the database, such as a locked table, and then all fail for a while.
var attemptAges = [MaxAttempts]time.Duration{1: 5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute}

// applyFailed retries the failed notifications that are due.
func (a *applier) applyFailed(ctx context.Context) (applied int, err error) {
	list, err := a.Turn.db.FailedNotifications(ctx, attemptAges[1:], applyBatch)
	if err != nil {
		return 0, err
	}
	return a.applyAlone(ctx, list)
}

// applyAlone applies each notification in a transaction of its own, and counts the attempt of one
// that fails. If the count cannot be stored either, the notification is not the cause, and
// applyAlone returns the error.
func (a *applier) applyAlone(ctx context.Context, list []store.Notification) (applied int, err error) {
	for _, row := range list {
		failure := a.Turn.write(ctx, "inbox alone", func(tx *store.Tx) error { return tx.ApplyRows(ctx, a.settle, row) })
		switch {
		case failure == nil:
			applied++
			continue
		case ctx.Err() != nil || errors.Is(failure, store.ErrLeaseLost):
			return applied, failure
		}
		if err := a.Turn.noteFailure(ctx, row, failure); err != nil {
			return applied, err
		}
	}
	return applied, nil
}

// noteWebhook stores the state of the webhook for Status, if it has changed.
func (a *applier) noteWebhook(ctx context.Context) error {
	state := a.hook.State()
	if state == "" || a.noted == state {
		return nil
	}
	err := a.Turn.write(ctx, "webhook", func(tx *store.Tx) error { return tx.Note(ctx, "webhook", model.StorableText(state)) })
	if err == nil {
		a.noted = state
	}
	return err
}

// applyAll applies the notifications that have arrived.
func (a *applier) applyAll(ctx context.Context) error {
	for ctx.Err() == nil {
		applied, err := a.ApplyInbox(ctx)
		if err != nil || applied == 0 {
			return err
		}
	}
	return nil
}

// noteFailure counts a failed attempt.
func (t *turn) noteFailure(ctx context.Context, row store.Notification, failure error) error {
	if row.Attempts++; row.Attempts == MaxAttempts {
		row.State = store.StateQuarantined
		t.log.ErrorContext(ctx, "mirror: a notification is quarantined", "notification", row.ID, "event", row.Event, "error", failure)
	}
	text := failure.Error()
	text = model.StorableText(text[:min(len(text), 500)])
	return t.write(ctx, "inbox fail", func(tx *store.Tx) error {
		return tx.SetFailed(ctx, row, text)
	})
}
