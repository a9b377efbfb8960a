package worker

import (
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// IdentifyEvery is the time between two comparisons of the account: the account of a user's token
// can change.
const IdentifyEvery = time.Hour

// account compares the account of the token with that of the database.
type account struct {
	turn       *turn
	service    *Service
	hook       Hook
	hasHook    bool      // the mirror has a webhook of its own
	comparedAt time.Time // zero before the first time
}

// identifyAgain compares the account once in a while.
func (a *account) identifyAgain(ctx context.Context) error {
	if time.Since(a.comparedAt) < IdentifyEvery {
		return nil
	}
	return a.identify(ctx)
}

// identify compares the client's account with that of the database, before anything is written. It
// retries until ctx ends, unless the service rejects the token.
func (a *account) identify(ctx context.Context) error {
	for failures := 1; ; failures++ {
		account, err := a.service.Account(ctx)
		if err == nil {
			err = a.compare(ctx, account)
		}
		if err == nil || a.turn.isOver(ctx, err) || errors.Is(err, terminal49.ErrUnauthorized) {
			return err
		}
		a.turn.complain("finding out the account", err)
		Pause(ctx, plan.RetryAfter(failures, time.Minute), nil)
	}
}

// Account returns the id of the client's account; "" if the service does not report it.
func (s *Service) Account(ctx context.Context) (string, error) {
	var doc model.Document
	err := s.Client.Do(ctx, terminal49.Request{Method: "GET", Path: "/me"}, &doc)
	if id := accountOf(&doc); id != "" || err != nil && !refused(err) {
		return id, err
	}
	doc = model.Document{}
	query := url.Values{"page[size]": {"1"}}
	err = s.Client.Do(ctx, terminal49.Request{Method: "GET", Path: "/tracking_requests", Query: query}, &doc)
	return accountOf(&doc), err
}

// accountOf returns the account that a document names or includes.
func accountOf(doc *model.Document) string {
	for _, r := range doc.All() {
		if r.Type == "account" {
			return r.ID
		}
		if to, ok := r.One("account"); ok {
			return to.ID
		}
	}
	return ""
}

// compare compares the client's account with that of the database, and records it in a new
// database. The first call also records that the turn has begun.
func (a *account) compare(ctx context.Context, account string) error {
	if account == "" {
		a.turn.log.Warn("the service does not say whose token this is, so another account's would not be noticed")
	}
	first := a.comparedAt.IsZero()
	err := a.turn.write(ctx, "identity", func(tx *store.Tx) error {
		if err := tx.Identify(ctx, account); err != nil || !first {
			return err
		}
		return a.noteBegun(ctx, tx)
	})
	if err == nil {
		a.comparedAt = time.Now()
	}
	return err
}

// noteBegun stores what Status reports until the first steps are done.
func (a *account) noteBegun(ctx context.Context, tx *store.Tx) error {
	state := a.hook.State()
	if a.hasHook && state == "" {
		state = "not set up yet"
	}
	return errors.Join(tx.NoteDone(ctx, store.CursorBegun), tx.Note(ctx, "webhook", model.StorableText(state)))
}
