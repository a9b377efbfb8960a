package mirror

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/store"
)

// Position is a place in the feed of changes, right after one of them, such as
// "31543-9f3c2a7be01d44aa". It is opaque: store it as it is. The empty Position is the beginning.
// A restored database that gives a Seq again gives it another Position.
type Position string

// Change is a change of an attribute or a relationship of a resource, or of whether the resource
// exists, or a [Notice] about a container. Its JSON form is a line that "terminal49-mirror tail"
// prints.
type Change struct {
	Seq      int64    `json:"seq"`      // from 1, in the order of commits; what was forgotten is left out
	Position Position `json:"position"` // right after this change
	Kind     string   `json:"kind"`     // wire type of the resource, such as "container", or KindSituation
	ID       string   `json:"id"`       // of the resource

	// Attribute is the wire name of the attribute or relationship. It is "id" if the resource
	// appeared or returned, with its id in New, and if it was deleted or forgotten, with its id in
	// Old. Of a notice it is the name, and Old and New are the facts; see [Change.Notice].
	Attribute string          `json:"attribute"`
	Old       json.RawMessage `json:"old"` // as the service sent it, or the linkage; nil for null and for not reported
	New       json.RawMessage `json:"new"` // likewise

	Source string    `json:"source"` // what found it: "walk", "poll", "cursor", "notification", "confirm", "verdict" (of a notice) or "forget"
	At     time.Time `json:"at"`     // when it was found, on the mirror's clock, in UTC
}

// The errors of [Mirror.Changes] for a position from which no reader can go on without a gap. The
// way back is the same for all: call [Mirror.Position], then read the tables again, and go on from
// that position.
var (
	// ErrPositionLost is each of the following errors.
	ErrPositionLost = store.ErrPositionLost

	// ErrPositionAhead means that the database has fewer changes than the reader: a backup was
	// restored, or a copy that lagged has taken over.
	ErrPositionAhead = store.ErrPositionAhead

	// ErrPositionUnknown means that the position is of another database, or of changes that a restore
	// undid and other changes have replaced.
	ErrPositionUnknown = store.ErrPositionUnknown

	// ErrPositionPruned means that changes after the position were deleted, because they are older
	// than [Retention] keeps them.
	ErrPositionPruned = store.ErrPositionPruned
)

// changesPage is how many changes are read at a time.
const changesPage = 500

// Changes returns the changes after a position, oldest first, and ends after the latest. Start with
// "" or [Mirror.Position]; later, pass the Position of the last change that you handled. No change
// is missed: the order is that of commits, and each page is read together with the check that the
// position before it is still in the feed. No connection is held while the loop body runs.
//
// Errors, yielded once, at the end: [ErrPositionLost]; *terminal49.ArgumentError for a text that is
// not a position; those of the database and of ctx.
func (m *Mirror) Changes(ctx context.Context, after Position) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		for more := true; more; {
			page, next, err := m.changesAfter(ctx, after)
			for _, c := range page {
				if !yield(c, nil) {
					return
				}
			}
			if err != nil {
				yield(Change{}, m.db.Explain(err))
				return
			}
			more, after = next != after, next
		}
	}
}

// changesAfter returns a page of changes, and the position of its end, which is after if there are
// no more.
func (m *Mirror) changesAfter(ctx context.Context, after Position) (page []Change, end Position, err error) {
	from, ok := model.ParsePosition(string(after))
	if !ok {
		return nil, after, &terminal49.ArgumentError{Op: "mirror.Changes", Field: "after", Problem: "must be empty, for the beginning, or the Position of a change " +
			"or of Mirror.Position, such as 31543-9f3c2a7be01d44aa; a seq alone does not show whether the database was restored"}
	}
	rows, err := m.db.ChangesAfter(ctx, from, changesPage)
	for _, c := range rows {
		end = Position(c.Position)
		if c.Kind != "" {
			page = append(page, Change{c.Seq, end, c.Kind, c.ID, c.Attribute, c.Old, c.New, c.Source, c.At})
		}
	}
	if len(rows) < changesPage {
		end = after
	}
	return page, end, err
}

// Position returns the end of the feed of changes. To follow an account from a copy of the tables
// on, call Position first, then read the tables, and then [Mirror.Changes] from the position: it
// may repeat what the tables already have, and misses nothing.
//
// Errors: those of the database.
func (m *Mirror) Position(ctx context.Context) (Position, error) {
	end, err := m.db.End(ctx)
	return Position(end), m.db.Explain(err)
}

// PositionAt returns the position right before the first change since a time: [Mirror.Changes] from
// it yields what the mirror has stored since then. It is "", the beginning, if the feed has no
// change before. If old changes were deleted by age, the feed begins later than the account.
//
// Errors: those of the database.
func (m *Mirror) PositionAt(ctx context.Context, since time.Time) (Position, error) {
	at, err := m.db.PositionAt(ctx, since)
	return Position(at), m.db.Explain(err)
}
