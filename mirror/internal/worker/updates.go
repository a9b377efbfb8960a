package worker

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/plan"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// lookBack is how long before the cursor the next read begins: a tracking request may become
// visible later than one that was updated after it.
const lookBack = 5 * time.Minute

// updates reads the tracking requests that were updated.
type updates struct {
	turn    *turn
	service *Service
	share   float64
}

// read reads the tracking requests that were updated since the last read. A new shipment is found
// within a minute, also without webhooks.
func (u *updates) read(ctx context.Context) error {
	value, err := u.turn.db.Cursor(ctx, store.CursorUpdated)
	if err != nil || value == "" { // until the first walk
		return err
	}
	latest, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return err
	}
	return u.readSince(ctx, latest.Add(-lookBack))
}

func (u *updates) readSince(ctx context.Context, since time.Time) error {
	query := url.Values{"filter[updated_at][start]": {since.Format(time.RFC3339)}, "page[size]": {strconv.Itoa(LargestPage)}}
	var latest time.Time
	for number, before := 1, ""; ; number++ {
		query.Set("page[number]", strconv.Itoa(number))
		var doc model.Document
		r, err := u.service.send(ctx, "/tracking_requests", query, &doc, terminal49.WithRateLimitShare(u.share))
		if err != nil {
			return err
		}
		r.Source = "cursor"
		if at := model.LatestUpdate(doc.Data); at.After(latest) {
			latest = at
		}
		listed := store.IDs(doc.Data)
		last := !model.HasNext(&doc) || model.IsEmpty(&doc) || listed == before
		if !last && model.AnyUpdatedBefore(doc.Data, since) {
			u.turn.log.Warn("the service ignores filter[updated_at] of tracking requests; only the newest are read until the next walk")
			last = true
		}
		before = listed
		err = u.turn.write(ctx, "cursor", func(tx *store.Tx) error { return storeUpdates(ctx, tx, r, &doc, last, latest) })
		if err != nil || last {
			return err
		}
	}
}

// storeUpdates stores a page and, after the last one, moves the cursor on.
func storeUpdates(ctx context.Context, tx *store.Tx, r plan.Reading, doc *model.Document, last bool, latest time.Time) error {
	if err := tx.MarkNew(ctx, doc.All()); err != nil {
		return err
	}
	if err := tx.WriteAll(ctx, r, doc); err != nil || !last {
		return err
	}
	if err := tx.NoteDone(ctx, store.CursorHeard); err != nil {
		return err
	}
	return tx.Advance(ctx, latest)
}
