package terminal49

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// These functions return the rows of the resource tables. Each row reads one member of a document
// into a Go field and writes it from there. The function at returns the address of the field.
//
// The type parameters P and M are pointers, because Go compiles a generic function once for all
// pointers. The functions are not inlined: Go would compile them again in each of 450 rows.

//go:noinline
func textField[P any, S ~string](name string, at func(P) *S) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) {
		if s, ok := d.String(); ok {
			*at(v.(P)) = S(s)
		}
	}, func(v any) any { return at(v.(P)) })
}

//go:noinline
func textListField[P any](name string, at func(P) *[]string) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) { *at(v.(P)) = d.Strings() },
		func(v any) any { return at(v.(P)) })
}

//go:noinline
func boolField[P any](name string, at func(P) *bool) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) { *at(v.(P)), _ = d.Bool() },
		func(v any) any { return at(v.(P)) })
}

//go:noinline
func floatField[P any](name string, at func(P) *float64) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) { *at(v.(P)), _ = d.Float() },
		func(v any) any { return at(v.(P)) })
}

//go:noinline
func optField[P, V any](name string, at func(P) *Opt[V], read func(*jsonapi.Decoder) (V, bool)) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) {
		if d.Null() {
			*at(v.(P)) = Null[V]()
		} else if value, ok := read(d); ok {
			*at(v.(P)) = Some(value)
		}
	}, func(v any) any { return at(v.(P)) })
}

//go:noinline
func optBoolField[P any](name string, at func(P) *Opt[bool]) jsonapi.Field[P] {
	return optField(name, at, (*jsonapi.Decoder).Bool)
}

//go:noinline
func optIntField[P any](name string, at func(P) *Opt[int]) jsonapi.Field[P] {
	return optField(name, at, (*jsonapi.Decoder).Int)
}

//go:noinline
func optFloatField[P any](name string, at func(P) *Opt[float64]) jsonapi.Field[P] {
	return optField(name, at, (*jsonapi.Decoder).Float)
}

//go:noinline
func timeField[P any](name string, at func(P) *Time) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) {
		if t, ok := readTime(d); ok {
			*at(v.(P)) = t
		}
	}, func(v any) any { return at(v.(P)) })
}

func readTime(d *jsonapi.Decoder) (Time, bool) {
	b, ok := d.Bytes()
	if !ok {
		return Time{}, false
	}
	t, ok := parseTime(b)
	if !ok {
		d.Warn("not a time")
	}
	return t, ok
}

//go:noinline
func decimalField[P any](name string, at func(P) *decimal.Decimal) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) {
		b, ok := d.Number()
		if !ok {
			return
		}
		n, err := decimals.Parse(string(b))
		if err != nil {
			d.Warn("%v", err)
			return
		}
		*at(v.(P)) = n
	}, func(v any) any { // a JSON number: decimal would write a string
		n := json.Number(at(v.(P)).String())
		return &n
	})
}

// anyField keeps a member of any form.
//
//go:noinline
func anyField[P any](name string, at func(P) *RawJSON) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, v any) {
		*at(v.(P)) = newRawJSON(d.Raw())
	}, func(v any) any { return at(v.(P)) })
}

//go:noinline
func objectField[P, M any](name string, members *jsonapi.Members[M], at func(P) M) jsonapi.Field[P] {
	return jsonapi.UntypedObject[P](name, members, func(d *jsonapi.Decoder, v any) {
		if !d.Null() {
			jsonapi.ReadObject(d, members, at(v.(P)))
		}
	}, func(v any) any { return at(v.(P)) })
}

//go:noinline
func listField[P, V any](name string, members *jsonapi.Members[*V], at func(P) *[]V) jsonapi.Field[P] {
	return jsonapi.UntypedObject[P](name, members,
		func(d *jsonapi.Decoder, v any) { *at(v.(P)) = jsonapi.ReadList(d, members) },
		func(v any) any { return at(v.(P)) })
}

// unmarshalObject parses one value object with the table that reads it in documents. A member that
// a document would leave empty, with a warning, is an error.
func unmarshalObject[T any](data []byte, name string, members *jsonapi.Members[*T], v *T) error {
	var read T
	err := decodeObject(data, name, func(d *jsonapi.Decoder) { jsonapi.ReadObject(d, members, &read) })
	if err == nil {
		*v = read
	}
	return err
}

func decodeObject(data []byte, name string, read func(*jsonapi.Decoder)) (err error) {
	d := jsonapi.NewDecoder(data, name, func(w jsonapi.Warning) {
		if err == nil {
			err = fmt.Errorf("terminal49: %s: %s", w.Field, w.Problem)
		}
	})
	if !d.Null() {
		read(d)
	}
	return cmp.Or(d.End(), err)
}

// relation is a relationship field. It reads its linkage with the document and resolves its
// resources afterwards.
type relation interface {
	read(*jsonapi.Decoder)
	resolve(*jsonapi.Index)
}

//go:noinline
func relationshipField[P any, R relation](name string, at func(P) R) jsonapi.Field[P] {
	return jsonapi.UntypedRelationship[P](name,
		func(d *jsonapi.Decoder, v any) { at(v.(P)).read(d) },
		func(v any) any { return at(v.(P)) },
		func(ix *jsonapi.Index, v any) { at(v.(P)).resolve(ix) })
}

// ignoredField returns a row for a known member with no additional information, such as an id
// repeated among the attributes.
//
//go:noinline
func ignoredField[P any](name string) jsonapi.Field[P] {
	return jsonapi.UntypedField[P](name, func(d *jsonapi.Decoder, _ any) { d.Skip() }, nil)
}
