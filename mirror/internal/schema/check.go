package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
)

// WrongColumn is a column that differs from the value in the raw JSON of its row.
type WrongColumn struct {
	Name        string // of the table and the column
	Stored, Raw json.RawMessage
}

// WrongColumns returns how the columns of a row differ from the values in its raw JSON. It leaves
// out columns whose zones come from other rows, which may be written between two statements, and
// columns of members in an unknown form, such as 1e300 after Postgres wrote it with 301 digits. If
// raw is not the JSON of the resource, that is the only difference.
func (t *Table) WrongColumns(d sqlstore.Dialect, of model.Ref, raw []byte, own []Column, values []any) (all []WrongColumn) {
	res, err := model.Parse(raw)
	if err != nil || res.Ref != of {
		return []WrongColumn{{Name: t.Name + ".raw", Stored: model.Encode("not its JSON")}}
	}
	var odd OddMembers
	want, err := t.Row(d, res, model.OriginZones{})
	if err != nil && !errors.As(err, &odd) {
		return []WrongColumn{{Name: t.Name + ".raw", Stored: model.Encode(err.Error())}}
	}
	for i, c := range own {
		if c.Kind.equal(values[i], want[i]) || want[i] == nil && odd != nil ||
			t == ContainerTable && slices.Contains(OriginColumns, c.Name) {
			continue
		}
		all = append(all, WrongColumn{t.Name + "." + c.Name, c.Kind.json(values[i]), c.Kind.json(want[i])})
	}
	return all
}

// equal reports whether a column, as a driver returns it, has a value of row. A driver returns JSON
// as text or bytes, so that == compares no json.RawMessage.
func (k Kind) equal(stored, want any) bool {
	if at, is := want.(time.Time); is { // Postgres rounds to microseconds
		stored, is := stored.(time.Time)
		return is && stored.Sub(at).Abs() <= time.Microsecond
	}
	return stored == want || model.Same(k.json(stored), k.json(want))
}

// json returns the value of a column, in any form that a driver returns or row has, as JSON.
func (k Kind) json(v any) json.RawMessage {
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
		if k == KindJSON && json.Valid([]byte(v)) {
			return json.RawMessage(v)
		}
	}
	return model.Encode(v)
}
