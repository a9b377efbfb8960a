package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/mirror/internal/schema"
)

// change is a row of the table changes.
type change struct {
	Seq       int64
	Position  string
	Kind, ID  string // of the resource; "" if the change was emptied
	Attribute string // or relationship; "id" if the resource appeared or was removed
	Old, New  json.RawMessage
	Source    string
	At        time.Time
	ticket    int64 // of the reading
}

// changesCursor names the counter of changes.
const changesCursor = "changes.seq"

var changeColumns = []string{"seq", "position", "kind", "id", "attribute", "old", "new", "ticket", "source", "at"}

// record appends changes, in their order. No other process appends until this transaction ends.
func (t *Tx) record(ctx context.Context, all []change) error {
	if len(all) == 0 {
		return nil
	}
	seq, err := t.count(ctx, changesCursor, len(all))
	if err != nil {
		return err
	}
	at := model.Position{Seq: seq - int64(len(all)), Tag: model.NewTag()}
	rows := make([][]any, len(all))
	for i, c := range all {
		at.Seq++
		rows[i] = []any{at.Seq, at.String(), c.Kind, c.ID, c.Attribute, textual(c.Old), textual(c.New), c.ticket, c.Source, t.time(t.Now)}
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

// The sources of changes that were emptied. They keep seq and position, so that readers that
// stopped there can go on.
const (
	sourceForget = "forget" // also of the change that reports that something was forgotten
	sourcePruned = "pruned" // the last one that was pruned: those before it are deleted
)

// emptied are the columns of a change without what it was about.
const emptied = "kind = '', id = '', attribute = '', old = null, new = null, ticket = 0"

// ChangesAfter returns the changes that follow a position, those that were emptied too. It reads
// them and checks the position in one statement: both are of the same moment, and so of the same
// life of the database.
func (d *Store) ChangesAfter(ctx context.Context, after model.Position, limit int) (page []change, err error) {
	if err := d.Ready(ctx); err != nil {
		return nil, err
	}
	rows, err := d.Pool.QueryContext(ctx, d.SQL(`
select coalesce(at.position, ''), coalesce(oldest.seq, 0), coalesce(oldest.source, ''), coalesce(newest.seq, 0), coalesce(newest.position, ''),
  c.seq, c.position, c.kind, c.id, c.attribute, c.old, c.new, c.source, c.at
from (select 1) one
left join (select position from t49.changes where seq = $1) at on true
left join (select seq, source, position from t49.changes order by seq limit 1) oldest on true
left join (select seq, position from t49.changes order by seq desc limit 1) newest on true
left join (
  select seq, position, kind, id, attribute, old, new, source, at from t49.changes where seq > $1 order by seq limit $2) c on true
order by c.seq`), after.Seq, limit)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	for rows.Next() {
		var f feedEnds
		c, has, err := scanChange(rows, &f)
		if err != nil {
			return nil, err
		}
		if err := f.check(after); err != nil {
			return nil, err
		}
		if has {
			page = append(page, c)
		}
	}
	return page, rows.Err()
}

// scanChange reads a row of ChangesAfter, and reports whether it has a change.
func scanChange(rows *sql.Rows, f *feedEnds) (c change, has bool, err error) {
	var seq sql.NullInt64
	var position, kind, id, attribute, source sql.NullString
	var at schema.Instant
	err = rows.Scan(&f.at, &f.oldest, &f.oldestSource, &f.newest, &f.newestPosition,
		&seq, &position, &kind, &id, &attribute, (*[]byte)(&c.Old), (*[]byte)(&c.New), &source, &at)
	c.Seq, c.Position, c.Kind, c.ID, c.Attribute, c.Source, c.At = seq.Int64, position.String, kind.String, id.String, attribute.String, source.String, at.Time
	return c, seq.Valid, err
}

// End returns the position of the newest change.
func (d *Store) End(ctx context.Context) (position string, err error) {
	if err := d.Ready(ctx); err != nil {
		return "", err
	}
	_, err = found(d.Pool.QueryRowContext(ctx, d.SQL("select position from t49.changes order by seq desc limit 1")).Scan(&position))
	return position, err
}

// PositionAt returns the position of the latest change before a time, or "" if there is none. It
// reads the changes since then backwards.
func (d *Store) PositionAt(ctx context.Context, since time.Time) (at string, err error) {
	if err := d.Ready(ctx); err != nil {
		return "", err
	}
	_, err = found(d.Pool.QueryRowContext(ctx, d.SQL("select position from t49.changes where at < $1 order by seq desc limit 1"), d.Time(since)).Scan(&at))
	return at, err
}
