package store

import (
	"context"
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// change is a row of the table changes.
type change struct {
	Seq       int64
	Kind, ID  string // of the resource
	Attribute string // or relationship; "id" if the resource appeared or was removed
	Old, New  json.RawMessage
	Source    string
	At        time.Time
	ticket    int64 // of the reading
}

// changesCursor names the counter of changes.
const changesCursor = "changes.seq"

var changeColumns = []string{"seq", "kind", "id", "attribute", "old", "new", "ticket", "source", "at"}

// record appends changes, in their order. No other process appends until this transaction ends.
func (t *Tx) record(ctx context.Context, all []change) error {
	if len(all) == 0 {
		return nil
	}
	seq, err := t.count(ctx, changesCursor, len(all))
	if err != nil {
		return err
	}
	seq -= int64(len(all))
	rows := make([][]any, len(all))
	for i, c := range all {
		rows[i] = []any{seq + int64(i) + 1, c.Kind, c.ID, c.Attribute, textual(c.Old), textual(c.New), c.ticket, c.Source, t.time(t.Now)}
	}
	return t.insert(ctx, "changes", changeColumns, rows, "")
}

// textual returns JSON as the value of a column; an untyped nil if data is nil.
func textual(data json.RawMessage) any {
	if data == nil {
		return nil
	}
	return data
}

// ChangesAfter returns the changes that follow a position.
func (d *Store) ChangesAfter(ctx context.Context, after int64, limit int) (page []change, err error) {
	if err := d.Ask(ctx); err != nil {
		return nil, err
	}
	rows, err := d.Pool.QueryContext(ctx, d.SQL(`
select seq, kind, id, attribute, old, new, source, at, ticket from t49.changes where seq > $1 order by seq limit $2`), after, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var c change
		var at schema.Instant
		if err := rows.Scan(&c.Seq, &c.Kind, &c.ID, &c.Attribute, (*[]byte)(&c.Old), (*[]byte)(&c.New), &c.Source, &at, &c.ticket); err != nil {
			return nil, err
		}
		c.At = at.Time
		page = append(page, c)
	}
	return page, rows.Err()
}
