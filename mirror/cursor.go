package mirror

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"github.com/go-freight/terminal49"
)

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
	for number := 1; ; number++ {
		query.Set("page[number]", strconv.Itoa(number))
		var doc document
		r, err := t.send(ctx, "/tracking_requests", query, &doc, terminal49.WithShare(t.share))
		if err != nil {
			return err
		}
		r.source = "cursor"
		err = t.apply(ctx, t.lease, "cursor", func(t *tx) error {
			if err := t.markNew(ctx, doc.all()); err != nil {
				return err
			}
			return t.writeAll(ctx, r, &doc)
		})
		if err != nil || doc.Links.Next == "" || len(doc.Data) == 0 {
			return err
		}
		if ignored(doc.Data, since) {
			t.log.Warn("the service ignores filter[updated_at] of tracking requests; only the newest are read until the next walk")
			return nil
		}
	}
}

// ignored reports whether a list has what its filter should have left out.
func ignored(listed []*resource, since time.Time) bool {
	for _, r := range listed {
		if at := r.updatedAt(); !at.IsZero() && at.Before(since.Add(-time.Second)) {
			return true
		}
	}
	return false
}

// markNew marks shipments that no table has. Their tracking request does not show the containers.
func (t *tx) markNew(ctx context.Context, list []*resource) error {
	var shipments []ref
	for _, r := range list {
		if r.Type == "shipment" {
			shipments = append(shipments, r.ref)
		}
	}
	unknown, err := t.unknown(ctx, tableOf("shipment"), shipments)
	if err != nil {
		return err
	}
	for _, what := range unknown {
		if err := t.mark(ctx, what, t.now); err != nil {
			return err
		}
	}
	return nil
}
