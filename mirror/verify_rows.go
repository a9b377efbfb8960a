package mirror

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
)

// verifyPage is how many rows are read at once. No statement is open while the service is read, or
// while the caller has a difference.
const verifyPage = 500

// stored compares the columns of all rows of a table with their raw JSON, and notes the rows that
// no list showed.
func (v *verification) stored(t *table) error {
	p := &storedPage{table: t, own: physical(t.columns)}
	for p.more = true; p.more; {
		if err := v.readPage(p); err != nil {
			return err
		}
		for _, d := range p.wrong {
			if !v.yield(d, nil) {
				return errEnough
			}
		}
		if len(v.suspects) >= mostSuspects {
			if err := v.again(); err != nil {
				return err
			}
		}
	}
	return v.again()
}

// storedPage is a page of the rows of a table.
type storedPage struct {
	table *table
	own   []column
	last  string // id of the last row that was read
	more  bool   // rows may follow
	wrong []Difference
}

// readPage reads the page that follows.
func (v *verification) readPage(p *storedPage) error {
	rows, err := v.db.pool.QueryContext(v.ctx, v.db.sql("select type, id, missing_since is null and deleted_at is null, raw, "+
		strings.Join(p.table.columnNames(), ", ")+" from t49."+p.table.name+" where id > $1 order by id limit $2"), p.last, verifyPage)
	if err != nil {
		return err
	}
	defer rows.Close() //nolint:errcheck // rows.Err has it
	var what model.Ref
	var present bool
	var raw []byte
	values := make([]any, len(p.own))
	dest := []any{&what.Type, &what.ID, &present, &raw}
	for i := range values {
		dest = append(dest, &values[i])
	}
	p.wrong, p.more = nil, false
	for n := 1; rows.Next(); n++ {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		p.last, p.more = what.ID, n == verifyPage
		if present && v.allListed(p.table) && !v.seen.has(v.hash(what.Type, what.ID)) {
			v.suspects = append(v.suspects, suspect{Ref: what})
		}
		wrong, err := p.table.wrongColumns(&v.db, what, raw, p.own, values)
		if err != nil {
			return err
		}
		p.wrong = append(p.wrong, wrong...)
	}
	return rows.Err()
}

// allListed reports whether the lists show all resources of a table, with those that they include.
func (v *verification) allListed(t *table) bool { return !t.facts() && v.unlisted[t] == nil }

// wrongColumns returns how the columns of a row differ from what its raw JSON gives. Columns whose
// zones other rows have are left out: these rows may be written between two statements. So are
// those of members in an unknown form: 1e300 is in one after Postgres wrote it with 301 digits.
func (t *table) wrongColumns(d *database, what model.Ref, raw []byte, own []column, values []any) (all []Difference, err error) {
	res, err := model.Parse(raw)
	if err != nil {
		return nil, err
	}
	var odd oddMembers
	want, err := t.row(d, res, model.OriginZones{})
	if err != nil && !errors.As(err, &odd) {
		return nil, err
	}
	for i, c := range own {
		if c.kind.equal(values[i], want[i]) || want[i] == nil && odd != nil ||
			t == containerTable && slices.Contains(originColumns, c.name) {
			continue
		}
		all = append(all, Difference{what.Type, what.ID, t.name + "." + c.name, c.kind.json(values[i]), c.kind.json(want[i])})
	}
	return all, nil
}

// equal reports whether a column, as a driver returns it, has a value of row. A driver returns JSON
// as text or bytes, so that == compares no json.RawMessage.
func (k kind) equal(stored, want any) bool {
	if at, is := want.(time.Time); is { // Postgres rounds to microseconds
		stored, is := stored.(time.Time)
		return is && stored.Sub(at).Abs() <= time.Microsecond
	}
	return stored == want || model.Same(k.json(stored), k.json(want))
}

// json returns the value of a column, in any form that a driver returns or row has, as JSON.
func (k kind) json(v any) json.RawMessage {
	switch v := v.(type) {
	case nil:
		return nil
	case json.RawMessage:
		return v
	case []byte:
		return k.json(string(v))
	case time.Time:
		return model.Encode(v.UTC().Format(time.RFC3339Nano))
	case int64:
		if k == kindBoolean {
			return model.Encode(v != 0)
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return model.Encode(fmt.Sprint(v))
		}
	case string:
		if k == kindJSON && json.Valid([]byte(v)) {
			return json.RawMessage(v)
		}
	}
	return model.Encode(v)
}

// hashes is a set of hashes in about 10 bytes each. Once it is sorted it has what was added before.
type hashes [256][]uint64

// add adds a hash. A part that is full drops what it has twice before it grows: two lists show each
// container.
func (h *hashes) add(x uint64) {
	part := h[x>>56]
	if len(part) == cap(part) {
		slices.Sort(part)
		part = slices.Compact(part)
		part = slices.Grow(part, len(part)/4+1)
	}
	h[x>>56] = append(part, x)
}

func (h *hashes) sort() {
	for i := range h {
		slices.Sort(h[i])
	}
}

func (h *hashes) has(x uint64) bool {
	_, found := slices.BinarySearch(h[x>>56], x)
	return found
}
