package mirror

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// Change is a change of an attribute or a relationship of a resource, or of whether the resource
// exists. Its JSON form is a line that "terminal49-mirror tail" prints.
type Change struct {
	Seq  int64  `json:"seq"`  // from 1, in the order of commits; without gaps, unless something was forgotten
	Kind string `json:"kind"` // wire type of the resource, such as "container"
	ID   string `json:"id"`   // of the resource

	// Attribute is the wire name of the attribute or relationship. It is "id" if the resource
	// appeared or returned, with its id in New, and if it was deleted or forgotten, with its id in
	// Old.
	Attribute string          `json:"attribute"`
	Old       json.RawMessage `json:"old"` // as the service sent it, or the linkage; nil for null and for not reported
	New       json.RawMessage `json:"new"` // likewise

	Source string    `json:"source"` // what found it: "walk", "poll", "cursor", "notification" or "forget"
	At     time.Time `json:"at"`     // when it was found, on the mirror's clock, in UTC
}

// changesPage is how many changes are read at a time.
const changesPage = 500

// Changes returns the changes whose Seq is greater than after, oldest first, and ends after the
// latest. Start with 0; later, pass the Seq of the last change that you handled. No change is
// missed: Seq follows the order of commits. No connection is held while the loop body runs.
//
// Errors: those of the database and of ctx, yielded once, at the end.
func (m *Mirror) Changes(ctx context.Context, after int64) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for {
			page, err := m.db.ChangesAfter(ctx, after, changesPage)
			for _, c := range page {
				after = c.Seq
				if !yield(Change{c.Seq, c.Kind, c.ID, c.Attribute, c.Old, c.New, c.Source, c.At}, nil) {
					return
				}
			}
			if err != nil {
				yield(Change{}, err)
			}
			if err != nil || len(page) < changesPage {
				return
			}
		}
	}
}
