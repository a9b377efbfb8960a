package schema

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
	"github.com/go-freight/terminal49/sqlstore"
)

// columnOf is a column of resources of type T.
type columnOf[T any] struct {
	Column
	add func(r *rowValues, v *T)
}

// describe returns the table of resources of type T. Its types are wire types.
func describe[T any](name, doc string, types []string, decode func(typ string, data []byte) (*T, error), columns ...columnOf[T]) *Table {
	t := &Table{Name: name, Doc: doc, Types: types}
	for _, c := range columns {
		t.Columns = append(t.Columns, c.Column)
	}
	width := len(Physical(t.Columns))
	t.read = func(d sqlstore.Dialect, res *model.Resource, z model.OriginZones) ([]any, error) {
		v, err := decodeResource(res, z, func(data []byte) (*T, error) { return decode(res.Type, data) })
		r := &rowValues{dialect: d, res: res, values: make([]any, 0, width)}
		for _, c := range columns {
			c.add(r, v)
		}
		if len(r.long) > 0 {
			var odd OddMembers
			errors.As(err, &odd)
			return r.values, append(odd, r.long...)
		}
		return r.values, err
	}
	return t
}

// textColumn is a text that may be in an index.
func textColumn[T any, S ~string](name, doc string, get func(*T) S) columnOf[T] {
	return columnOf[T]{Column{name, KindText, doc}, func(r *rowValues, v *T) { r.indexed(name, string(get(v)), longestText) }}
}

// proseColumn is a text of any length.
func proseColumn[T any, S ~string](name, doc string, get func(*T) S) columnOf[T] {
	return columnOf[T]{Column{name, KindText, doc}, func(r *rowValues, v *T) { r.text(string(get(v))) }}
}

// idColumn is the id that a relationship to one resource names.
func idColumn[T any, V any](name, doc string, get func(*T) terminal49.ToOne[V]) columnOf[T] {
	return columnOf[T]{Column{name, KindText, doc}, func(r *rowValues, v *T) { r.indexed(name, get(v).ID(), model.LongestID) }}
}

// idsColumn is the ids that a relationship to several resources names.
func idsColumn[T any, V any](name, doc string, get func(*T) terminal49.ToMany[V]) columnOf[T] {
	return listColumn(name, doc, func(v *T) []string { return get(v).IDs() })
}

// momentColumn is a time at a place.
func momentColumn[T any](name, doc string, get func(*T) terminal49.Time) columnOf[T] {
	return columnOf[T]{Column{name, KindMoment, doc}, func(r *rowValues, v *T) { r.moment(get(v)) }}
}

// instantColumn is a time that is not at a place.
func instantColumn[T any](name, doc string, get func(*T) terminal49.Time) columnOf[T] {
	return columnOf[T]{Column{name, KindInstant, doc}, func(r *rowValues, v *T) { r.instant(get(v)) }}
}

func boolColumn[T any](name, doc string, get func(*T) terminal49.Opt[bool]) columnOf[T] {
	return columnOf[T]{Column{name, kindBoolean, doc}, func(r *rowValues, v *T) { addOpt(r, get(v)) }}
}

// flagColumn is a boolean that the client's type reads as false if it was not reported.
func flagColumn[T any](name, doc string, get func(*T) bool) columnOf[T] {
	return boolColumn(name, doc, func(v *T) terminal49.Opt[bool] {
		return terminal49.Some(get(v))
	}).ifReported()
}

func intColumn[T any](name, doc string, get func(*T) terminal49.Opt[int]) columnOf[T] {
	return columnOf[T]{Column{name, KindInteger, doc}, func(r *rowValues, v *T) { addOpt(r, get(v)) }}
}

func floatColumn[T any](name, doc string, get func(*T) terminal49.Opt[float64]) columnOf[T] {
	return columnOf[T]{Column{name, kindFloat, doc}, func(r *rowValues, v *T) { addOpt(r, get(v)) }}
}

// listColumn is a list as JSON; null if it was not reported.
func listColumn[T any, V any](name, doc string, get func(*T) []V) columnOf[T] {
	return columnOf[T]{Column{name, KindJSON, doc}, func(r *rowValues, v *T) {
		if list := get(v); list != nil {
			r.marshal(list)
		} else {
			r.add(nil)
		}
	}}
}

// joinedColumn is a list as text with commas, without empty texts; null if nothing is left.
func joinedColumn[T any](name, doc string, get func(*T) []string) columnOf[T] {
	return proseColumn(name, doc, func(v *T) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(get(v)), func(s string) bool { return s == "" }), ",")
	})
}

// sentColumn is an attribute of a special form. The column has it as the service sent it.
func sentColumn[T any](name, doc string) columnOf[T] {
	return columnOf[T]{Column{name, KindJSON, doc}, func(r *rowValues, _ *T) { r.json(r.res.Attributes[name]) }}
}

// ifReported makes a column null if the resource does not have the attribute of its name.
func (c columnOf[T]) ifReported() columnOf[T] {
	add := c.add
	c.add = func(r *rowValues, v *T) {
		if sent := r.res.Attributes[c.Name]; len(sent) == 0 || string(sent) == "null" {
			r.add(nil)
			return
		}
		add(r, v)
	}
	return c
}

func addOpt[V any](r *rowValues, o terminal49.Opt[V]) {
	if v, ok := o.Get(); ok {
		r.add(v)
	} else {
		r.add(nil)
	}
}

// resourceValue is a pointer to a resource of the client.
type resourceValue[T any] interface {
	*T
	json.Unmarshaler
}

// as decodes a resource as the client's type T. The JSON is valid, so encoding/json need not check
// it.
func as[T any, P resourceValue[T]](_ string, data []byte) (*T, error) {
	v := new(T)
	return v, P(v).UnmarshalJSON(data)
}
