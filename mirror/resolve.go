package mirror

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

const (
	resolveBatch = 20          // minimal notifications that are read at a time
	resolvePause = time.Minute // after a request failed
)

// resolve completes the notifications that name nothing that can be read: some deliveries have an
// event without its relationships. The log has them. One page serves several; the others are read
// one by one. One that still names nothing is left to the walks.
func (t *tenure) resolve(ctx context.Context) error {
	if t.resolvePaused() {
		return nil
	}
	list, err := t.db.UnresolvedNotifications(ctx, resolveBatch)
	if err != nil || len(list) == 0 {
		return err
	}
	page := map[string][]byte{}
	if len(list) > 2 {
		recent, _, _, err := t.service.logPage(ctx, 1)
		if err != nil && !refused(err) {
			return t.unread(ctx, list[0], err)
		}
		for _, n := range recent {
			page[n.ID] = n.Body
		}
	}
	for _, row := range list {
		if t.resolvePaused() {
			return nil
		}
		if err := t.resolveOne(ctx, row, page[row.ID]); err != nil {
			return err
		}
	}
	return nil
}

// resolveOne marks what a notification names according to the log.
func (t *tenure) resolveOne(ctx context.Context, row store.Notification, body []byte) error {
	n, err := model.ParseNotification(body)
	if err != nil || n.Minimal() {
		n, err = t.service.readNotification(ctx, row.ID)
		switch {
		case errors.Is(err, terminal49.ErrNotFound) && row.Attempts+1 < maxAttempts:
			return t.noteFailure(ctx, row, err) // a replica may not have it yet
		case refused(err):
			n = &model.Notification{}
		case err != nil:
			return t.unread(ctx, row, err)
		}
	}
	err = t.db.Apply(ctx, t.lease, "resolve", func(tx *store.Tx) error {
		if err := tx.TakeNotifications(ctx, t.opts.Settle, n); err != nil {
			return err
		}
		return tx.SetDone(ctx, row.ID)
	})
	if err == nil || ctx.Err() != nil || errors.Is(err, store.ErrLeaseLost) {
		return err
	}
	return t.noteFailure(ctx, row, err)
}

// readNotification reads a notification with what it is about.
func (s *service) readNotification(ctx context.Context, id string) (*model.Notification, error) {
	doc, err := s.readLog(ctx, "/webhook_notifications/"+url.PathEscape(id), url.Values{})
	if err != nil {
		return nil, err
	}
	list := loggedIn(doc)
	if len(list) != 1 {
		return &model.Notification{}, nil
	}
	return model.ParseNotification(list[0].Body)
}

func (t *tenure) resolvePaused() bool { return time.Now().Before(t.resolveAt) }

// refused reports whether the service understood a request and will not answer it otherwise later.
func refused(err error) bool {
	var failed *terminal49.APIError
	return errors.As(err, &failed) && failed.Status < 500 && failed.Status != 401 && failed.Status != 429
}

// unread counts the attempt, so that other notifications come first, and stops reading them for a
// while. Marks and walks do not wait for it.
func (t *tenure) unread(ctx context.Context, row store.Notification, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.resolveAt = time.Now().Add(resolvePause)
	t.opts.Log.WarnContext(ctx, "mirror: a notification without a container or shipment could not be read; trying again later",
		"notification", row.ID, "error", err)
	row.Attempts = min(row.Attempts, maxAttempts-2) // the service failed, not the notification
	return t.noteFailure(ctx, row, err)
}
