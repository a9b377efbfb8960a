package mirror

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// cursorName is the cursor: all tracking requests that were updated until then have been read. It
// begins with the first page of the first walk, which reads all others, and only a look that ended
// moves it on: a single reading of a later one says nothing of those in between.
const cursorName = "tracking_requests.updated_at"

// lookBack is how much before the cursor the next look begins: a tracking request may become
// visible later than one that was updated after it.
const lookBack = 5 * time.Minute

// readCursor reads the tracking requests that were updated since the last look. A new shipment
// shows here within a minute, also without webhooks.
func (t *tenure) readCursor(ctx context.Context) error {
	value, err := t.db.cursor(ctx, t.db.pool, cursorName)
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
		r, err := t.send(ctx, "/tracking_requests", query, &doc, terminal49.WithShare(t.share))
		if err != nil {
			return err
		}
		r.Source = "cursor"
		if at := model.LatestUpdate(doc.Data); at.After(latest) {
			latest = at
		}
		listed := ids(doc.Data)
		last := doc.NextPage == "" || len(doc.Data) == 0 || listed == before
		if !last && model.AnyUpdatedBefore(doc.Data, since) {
			t.log.Warn("the service ignores filter[updated_at] of tracking requests; only the newest are read until the next walk")
			last = true
		}
		before = listed
		err = t.apply(ctx, t.lease, "cursor", func(t *tx) error {
			if err := t.markNew(ctx, doc.All()); err != nil {
				return err
			}
			if err := t.writeAll(ctx, r, &doc); err != nil || !last {
				return err
			}
			return t.advance(ctx, latest)
		})
		if err != nil || last {
			return err
		}
	}
}

// startCursor sets the cursor if it is not set.
func (t *tx) startCursor(ctx context.Context, listed []*model.Resource) error {
	was, err := t.cursor(ctx, t.Tx, cursorName)
	if err != nil || was != "" {
		return err
	}
	return t.advance(ctx, model.LatestUpdate(listed))
}

// advance moves the cursor on.
func (t *tx) advance(ctx context.Context, to time.Time) error {
	was, err := t.cursor(ctx, t.Tx, cursorName)
	if err != nil || to.IsZero() || was >= to.Format(time.RFC3339) { // both in UTC
		return err
	}
	return t.note(ctx, cursorName, to.Format(time.RFC3339))
}

// markNew marks shipments that no table has. Their tracking request does not show the containers.
func (t *tx) markNew(ctx context.Context, list []*model.Resource) error {
	var shipments []model.Ref
	for _, r := range list {
		if r.Type == "shipment" {
			shipments = append(shipments, r.Ref)
		}
	}
	unknown, err := t.unknown(ctx, schema.TableOf("shipment"), shipments)
	if err != nil {
		return err
	}
	if unknown, err = t.unforgotten(ctx, unknown); err != nil {
		return err
	}
	for _, what := range unknown {
		if err := t.mark(ctx, what, t.now); err != nil {
			return err
		}
	}
	return nil
}
