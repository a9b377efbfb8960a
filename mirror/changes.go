package mirror

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/schema"
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
	ticket int64
}

// changesCursor names the counter of changes.
const changesCursor = "changes.seq"

var changeColumns = []string{"seq", "kind", "id", "attribute", "old", "new", "ticket", "source", "at"}

// record appends changes, in their order. Nobody else appends until this transaction ends.
func (t *tx) record(ctx context.Context, all []Change) error {
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
		rows[i] = []any{seq + int64(i) + 1, c.Kind, c.ID, c.Attribute, textual(c.Old), textual(c.New), c.ticket, c.Source, t.time(t.now)}
	}
	return t.insert(ctx, "changes", changeColumns, rows, "")
}

// textual is a column of JSON.
func textual(data json.RawMessage) any {
	if data == nil {
		return nil
	}
	return data
}

// count adds n to a counter, and returns it.
func (t *tx) count(ctx context.Context, name string, n int) (total int64, err error) {
	_, err = t.one(ctx, `
insert into t49.cursors as t (name, value) values ($1, $2)
on conflict (name) do update set value = cast(cast(t.value as bigint) + cast(excluded.value as bigint) as text)
returning cast(value as bigint)`, []any{name, strconv.Itoa(n)}, &total)
	return total, err
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
			page, err := m.changesAfter(ctx, after)
			for _, c := range page {
				if !yield(c, nil) {
					return
				}
				after = c.Seq
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

func (m *Mirror) changesAfter(ctx context.Context, after int64) (page []Change, err error) {
	if err := m.db.ask(ctx); err != nil {
		return nil, err
	}
	rows, err := m.db.pool.QueryContext(ctx, m.db.sql(`
select seq, kind, id, attribute, old, new, source, at, ticket from t49.changes where seq > $1 order by seq limit $2`), after, changesPage)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		c, err := scanChange(rows)
		if err != nil {
			return nil, err
		}
		page = append(page, c)
	}
	return page, rows.Err()
}

func scanChange(rows *sql.Rows) (c Change, err error) {
	var at schema.Instant
	var before, after []byte
	err = rows.Scan(&c.Seq, &c.Kind, &c.ID, &c.Attribute, &before, &after, &c.Source, &at, &c.ticket)
	c.Old, c.New, c.At = before, after, at.Time
	return c, err
}
