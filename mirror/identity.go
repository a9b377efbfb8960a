package mirror

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

// ErrOtherAccount means that the client's token belongs to another account than the one whose copy
// the database has. Use another database, or the token of that account.
var ErrOtherAccount = store.ErrOtherAccount

// identifyEvery is the time between two comparisons of the account: a user's token may come to mean
// another one.
const identifyEvery = time.Hour

// identifyAgain compares the account once in a while.
func (t *tenure) identifyAgain(ctx context.Context) error {
	if time.Since(t.identified) < identifyEvery {
		return nil
	}
	return t.identify(ctx)
}

// identify compares the client's account with that of the database, before anything is written. It
// repeats failures until ctx ends, except that the token is not accepted.
func (t *tenure) identify(ctx context.Context) error {
	for failures := 1; ; failures++ {
		account, err := t.account(ctx)
		if err == nil {
			err = t.compare(ctx, account)
		}
		if err == nil || t.isOver(ctx, err) || errors.Is(err, terminal49.ErrUnauthorized) {
			return err
		}
		t.complain("finding out the account", err)
		pause(ctx, plan.RetryAfter(failures, time.Minute), nil)
	}
}

// account returns the id of the client's account; "" if the service does not say.
func (t *tenure) account(ctx context.Context) (string, error) {
	var doc model.Document
	err := t.service.client.Do(ctx, terminal49.Request{Method: "GET", Path: "/me"}, &doc)
	if id := accountOf(&doc); id != "" || err != nil && !refused(err) {
		return id, err
	}
	doc = model.Document{}
	query := url.Values{"page[size]": {"1"}}
	err = t.service.client.Do(ctx, terminal49.Request{Method: "GET", Path: "/tracking_requests", Query: query}, &doc)
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

// compare notes the account of a new database and, the first time, that the tenure has begun.
func (t *tenure) compare(ctx context.Context, account string) error {
	if account == "" {
		t.opts.Log.Warn("the service does not say whose token this is, so another account's would not be noticed")
	}
	first := t.identified.IsZero()
	err := t.db.Apply(ctx, t.lease, "identity", func(tx *store.Tx) error {
		if err := tx.Identify(ctx, account); err != nil || !first {
			return err
		}
		return t.noteBegun(ctx, tx)
	})
	if err == nil {
		t.identified = time.Now()
	}
	return err
}

// noteBegun notes what Status says until the tenure has done more.
func (t *tenure) noteBegun(ctx context.Context, tx *store.Tx) error {
	state := t.hook.state()
	if t.opts.URL != "" && state == "" {
		state = "not set up yet"
	}
	return errors.Join(tx.NoteDone(ctx, store.CursorBegun), tx.Note(ctx, "webhook", model.StorableText(state)))
}
