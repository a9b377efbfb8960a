package mirror

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// lookBack is how much before the cursor the next look begins: a tracking request may become
// visible later than one that was updated after it.
const lookBack = 5 * time.Minute

// readCursor reads the tracking requests that were updated since the last look. A new shipment
// shows here within a minute, also without webhooks.
func (t *tenure) readCursor(ctx context.Context) error {
	value, err := t.db.Cursor(ctx, store.CursorUpdated)
	if err != nil || value == "" { // until the first walk
		return err
	}
	latest, err := time.Parse(time.RFC3339, value)
	if err != nil {
		return err
	}
	return t.readSince(ctx, latest.Add(-lookBack))
}

func (t *tenure) readSince(ctx context.Context, since time.Time) error {
	query := url.Values{"filter[updated_at][start]": {since.Format(time.RFC3339)}, "page[size]": {strconv.Itoa(largestPage)}}
	var latest time.Time
	for number, before := 1, ""; ; number++ {
		query.Set("page[number]", strconv.Itoa(number))
		var doc model.Document
		r, err := t.service.send(ctx, "/tracking_requests", query, &doc, terminal49.WithShare(t.opts.Share))
		if err != nil {
			return err
		}
		r.Source = "cursor"
		if at := model.LatestUpdate(doc.Data); at.After(latest) {
			latest = at
		}
		listed := store.IDs(doc.Data)
		last := doc.NextPage == "" || len(doc.Data) == 0 || listed == before
		if !last && model.AnyUpdatedBefore(doc.Data, since) {
			t.opts.Log.Warn("the service ignores filter[updated_at] of tracking requests; only the newest are read until the next walk")
			last = true
		}
		before = listed
		err = t.db.Apply(ctx, t.lease, "cursor", func(t *store.Tx) error {
			if err := t.MarkNew(ctx, doc.All()); err != nil {
				return err
			}
			if err := t.WriteAll(ctx, r, &doc); err != nil || !last {
				return err
			}
			return t.Advance(ctx, latest)
		})
		if err != nil || last {
			return err
		}
	}
}
