package worker

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
	ResolvePause = time.Minute // after a request failed
)

// resolver completes notifications from the log of the service.
type resolver struct {
	turn     *turn
	service  *Service
	settle   time.Duration
	resumeAt time.Time // nothing is read before
}

// resolve reads from the log the notifications that name nothing that can be read: some deliveries
// have an event without its relationships, but the log has them. If there are several, it first
// reads the newest page of the log. It reads the rest one by one. A notification that still names
// nothing is left to the walks.
func (r *resolver) resolve(ctx context.Context) error {
	if r.IsPaused() {
		return nil
	}
	list, err := r.turn.db.UnresolvedNotifications(ctx, resolveBatch)
	if err != nil || len(list) == 0 {
		return err
	}
	page, err := r.recent(ctx, len(list) > 2)
	if err != nil {
		return r.unread(ctx, list[0], err)
	}
	for _, row := range list {
		if r.IsPaused() {
			return nil
		}
		if err := r.resolveOne(ctx, row, page[row.ID]); err != nil {
			return err
		}
	}
	return nil
}

// recent returns the bodies of the newest notifications of the log, by id; none if worth is false.
func (r *resolver) recent(ctx context.Context, worth bool) (map[string][]byte, error) {
	page := map[string][]byte{}
	if !worth {
		return page, nil
	}
	list, _, _, err := r.service.logPage(ctx, 1)
	if err != nil && !refused(err) {
		return nil, err
	}
	for _, n := range list {
		page[n.arrival.ID] = n.arrival.Body
	}
	return page, nil
}

// resolveOne marks what a notification names according to the log.
func (r *resolver) resolveOne(ctx context.Context, row store.Notification, body []byte) error {
	n, err := model.ParseNotification(body)
	if err != nil || n.Minimal() {
		n, err = r.service.readNotification(ctx, row.ID)
		switch {
		case errors.Is(err, terminal49.ErrNotFound) && row.Attempts+1 < MaxAttempts:
			return r.turn.noteFailure(ctx, row, err) // a replica may not have it yet
		case refused(err):
			n = &model.Notification{}
		case err != nil:
			return r.unread(ctx, row, err)
		}
	}
	return r.store(ctx, row, n)
}

// store applies what a notification names according to the log.
func (r *resolver) store(ctx context.Context, row store.Notification, n *model.Notification) error {
	err := r.turn.write(ctx, "resolve", func(tx *store.Tx) error {
		if err := tx.TakeNotifications(ctx, r.settle, n); err != nil {
			return err
		}
		return tx.SetDone(ctx, row.ID)
	})
	if err == nil || ctx.Err() != nil || errors.Is(err, store.ErrLeaseLost) {
		return err
	}
	return r.turn.noteFailure(ctx, row, err)
}

// readNotification reads a notification with what it is about.
func (s *Service) readNotification(ctx context.Context, id string) (*model.Notification, error) {
	doc, err := s.readLog(ctx, "/webhook_notifications/"+url.PathEscape(id), url.Values{})
	if err != nil {
		return nil, err
	}
	list := loggedIn(doc)
	if len(list) != 1 {
		return &model.Notification{}, nil
	}
	return model.ParseNotification(list[0].arrival.Body)
}

func (r *resolver) IsPaused() bool { return time.Now().Before(r.resumeAt) }

// refused reports whether the service rejected a request, so that repeating it would not help.
func refused(err error) bool {
	var failed *terminal49.APIError
	return errors.As(err, &failed) && failed.StatusCode < 500 && failed.StatusCode != 401 && failed.StatusCode != 429
}

// unread counts the attempt, so that other notifications come first, and stops reading them for a
// while. Marks and walks do not wait for it.
func (r *resolver) unread(ctx context.Context, row store.Notification, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.resumeAt = time.Now().Add(ResolvePause)
	r.turn.log.WarnContext(ctx, "mirror: a notification without a container or shipment could not be read; trying again later",
		"notification", row.ID, "error", err)
	row.Attempts = min(row.Attempts, MaxAttempts-2) // the service failed, not the notification
	return r.turn.noteFailure(ctx, row, err)
}
