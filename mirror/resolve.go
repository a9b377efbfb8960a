package mirror

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
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
	list, err := t.db.inbox(ctx, "state = 'unresolved' and "+pending+" order by attempts, received_at, id", resolveBatch)
	if err != nil || len(list) == 0 {
		return err
	}
	page := map[string][]byte{}
	if len(list) > 2 {
		recent, _, _, err := t.logPage(ctx, 1)
		if err != nil && !refused(err) {
			return t.unread(ctx, list[0], err)
		}
		for _, n := range recent {
			page[n.id] = n.body
		}
	}
	for _, row := range list {
		if t.resolvePaused() {
			return nil
		}
		if err := t.resolveOne(ctx, row, page[row.id]); err != nil {
			return err
		}
	}
	return nil
}

// resolveOne marks what a notification names according to the log.
func (t *tenure) resolveOne(ctx context.Context, row inboxRow, body []byte) error {
	n, err := model.ParseNotification(body)
	if err != nil || n.Minimal() {
		n, err = t.readNotification(ctx, row.id)
		switch {
		case errors.Is(err, terminal49.ErrNotFound) && row.attempts+1 < maxAttempts:
			return t.noteFailure(ctx, row, err) // a replica may not have it yet
		case refused(err):
			n = &model.Notification{}
		case err != nil:
			return t.unread(ctx, row, err)
		}
	}
	err = t.apply(ctx, t.lease, "resolve", func(tx *tx) error {
		if err := tx.take(ctx, t.settle, n); err != nil {
			return err
		}
		_, err := tx.exec(ctx, "update t49.inbox set state = 'done' where id = $1", row.id)
		return err
	})
	if err == nil || ctx.Err() != nil || errors.Is(err, errLeaseLost) {
		return err
	}
	return t.noteFailure(ctx, row, err)
}

// readNotification reads a notification with what it is about.
func (m *Mirror) readNotification(ctx context.Context, id string) (*model.Notification, error) {
	doc, err := m.readLog(ctx, "/webhook_notifications/"+url.PathEscape(id), url.Values{})
	if err != nil {
		return nil, err
	}
	list := loggedIn(doc)
	if len(list) != 1 {
		return &model.Notification{}, nil
	}
	return model.ParseNotification(list[0].body)
}

func (t *tenure) resolvePaused() bool { return time.Now().Before(t.resolveAt) }

// refused reports whether the service understood a request and will not answer it otherwise later.
func refused(err error) bool {
	var failed *terminal49.APIError
	return errors.As(err, &failed) && failed.Status < 500 && failed.Status != 401 && failed.Status != 429
}

// unread counts the attempt, so that other notifications come first, and stops reading them for a
// while. Marks and walks do not wait for it.
func (t *tenure) unread(ctx context.Context, row inboxRow, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t.resolveAt = time.Now().Add(resolvePause)
	t.log.WarnContext(ctx, "mirror: a notification without a container or shipment could not be read; trying again later",
		"notification", row.id, "error", err)
	row.attempts = min(row.attempts, maxAttempts-2) // the service failed, not the notification
	return t.noteFailure(ctx, row, err)
}
