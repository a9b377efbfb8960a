package terminal49

import (
	"cmp"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// These functions return the rows of the resource tables. Each row reads one member of a document
// into a Go field. The function at returns the address of the field.

func textField[T any, S ~string](name string, at func(*T) *S) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		if s, ok := d.String(); ok {
			*at(v) = S(s)
		}
	}}
}

func textListField[T any](name string, at func(*T) *[]string) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) { *at(v) = d.Strings() }}
}

func boolField[T any](name string, at func(*T) *bool) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) { *at(v), _ = d.Bool() }}
}

func floatField[T any](name string, at func(*T) *float64) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) { *at(v), _ = d.Float() }}
}

func optField[T, V any](name string, at func(*T) *Opt[V], read func(*jsonapi.Decoder) (V, bool)) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		if d.Null() {
			*at(v) = Null[V]()
		} else if value, ok := read(d); ok {
			*at(v) = Some(value)
		}
	}}
}

func optBoolField[T any](name string, at func(*T) *Opt[bool]) jsonapi.Field[T] {
	return optField(name, at, (*jsonapi.Decoder).Bool)
}

func optIntField[T any](name string, at func(*T) *Opt[int]) jsonapi.Field[T] {
	return optField(name, at, (*jsonapi.Decoder).Int)
}

func optFloatField[T any](name string, at func(*T) *Opt[float64]) jsonapi.Field[T] {
	return optField(name, at, (*jsonapi.Decoder).Float)
}

func timeField[T any](name string, at func(*T) *Time) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		b, ok := d.Bytes()
		if !ok {
			return
		}
		t, ok := parseTime(b)
		if !ok {
			d.Warn("not a time")
			return
		}
		*at(v) = t
	}}
}

func decimalField[T any](name string, at func(*T) *decimal.Decimal) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		b, ok := d.Number()
		if !ok {
			return
		}
		n, err := decimals.Parse(string(b))
		if err != nil {
			d.Warn("%v", err)
			return
		}
		*at(v) = n
	}}
}

func objectField[T, V any](name string, members *jsonapi.Members[V], at func(*T) *V) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		if !d.Null() {
			jsonapi.ReadObject(d, members, at(v))
		}
	}}
}

func listField[T, V any](name string, members *jsonapi.Members[V], at func(*T) *[]V) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) { *at(v) = jsonapi.ReadList(d, members) }}
}

// unmarshalObject parses one value object with the table that reads it in documents. A member that
// a document would leave empty, with a warning, is an error.
func unmarshalObject[T any](data []byte, name string, members *jsonapi.Members[T], v *T) (err error) {
	d := jsonapi.NewDecoder(data, name, func(w jsonapi.Warning) {
		if err == nil {
			err = fmt.Errorf("terminal49: %s: %s", w.Field, w.Problem)
		}
	})
	var read T
	if !d.Null() {
		jsonapi.ReadObject(d, members, &read)
	}
	if err = cmp.Or(d.End(), err); err == nil {
		*v = read
	}
	return err
}

// relation is a relationship field. It reads its linkage with the document and resolves its
// resources afterwards.
type relation interface {
	read(*jsonapi.Decoder)
	resolve(*jsonapi.Index)
}

func relationshipField[T any, R relation](name string, at func(*T) R) jsonapi.Field[T] {
	return jsonapi.Field[T]{
		Name:    name,
		Read:    func(d *jsonapi.Decoder, v *T) { at(v).read(d) },
		Resolve: func(ix *jsonapi.Index, v *T) { at(v).resolve(ix) },
	}
}

// ignoredField returns a row for a known member with no additional information, such as an id
// repeated among the attributes.
func ignoredField[T any](name string) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, _ *T) { d.Skip() }}
}
