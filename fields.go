package terminal49

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
)

// described is a pointer to a resource or value object. members adds the wire name and the address
// of each of its attributes or members.
type described interface{ members(*jsonapi.Members) }

// decoded is a pointer to a member that reads itself.
type decoded interface{ decode(*jsonapi.Decoder) }

// relation is a relationship. It reads its linkage with the document and resolves its resources
// afterwards.
type relation interface {
	decoded
	resolve(*jsonapi.Index)
}

// model implements [jsonapi.Model] with the methods of the resource types: members, which is
// required, and relationships, finish and resolved.
type model struct{}

func (model) Members(v any, to *jsonapi.Members) {
	if v, ok := v.(described); ok {
		v.members(to)
	}
}

func (model) Relationships(v any, to *jsonapi.Members) {
	if v, ok := v.(interface{ relationships(*jsonapi.Members) }); ok {
		v.relationships(to)
	}
}

func (model) Finish(v any, id jsonapi.Identity) {
	v.(interface{ resource() *Resource }).resource().identify(id)
	if v, ok := v.(interface{ finish() }); ok {
		v.finish()
	}
}

func (model) Resolve(v any, relationships []any, ix *jsonapi.Index) {
	for _, r := range relationships {
		r.(relation).resolve(ix)
	}
	if v, ok := v.(interface{ resolved(*jsonapi.Index) }); ok {
		v.resolved(ix)
	}
}

// Reader returns the function that reads members like the one at an address. A value of the wrong
// kind leaves the member as it is.
func (model) Reader(at any) (read func(*jsonapi.Decoder, any), skipsNull bool) {
	switch at.(type) {
	case *string:
		return readString, true
	case *Time:
		return readTime, true
	case *decimal.Decimal:
		return readDecimal, true
	case *Secret:
		return readSecret, true
	case *RawJSON:
		return readRawJSON, false
	case decoded:
		return readDecoded, false
	}
	if reflect.TypeOf(at).Elem().Kind() == reflect.String {
		return readNamed, true
	}
	return readOther, false
}

func readRawJSON(d *jsonapi.Decoder, at any) { *at.(*RawJSON) = newRawJSON(d.Raw()) }

func readDecoded(d *jsonapi.Decoder, at any) { at.(decoded).decode(d) }

func readString(d *jsonapi.Decoder, at any) {
	if s, ok := d.String(); ok {
		*at.(*string) = s
	}
}

func readSecret(d *jsonapi.Decoder, at any) {
	if s, ok := d.String(); ok {
		*at.(*Secret) = NewSecret(s)
	}
}

// readNamed reads one of the types of text, such as ContainerStatus.
func readNamed(d *jsonapi.Decoder, at any) {
	if s, ok := d.String(); ok {
		reflect.ValueOf(at).Elem().SetString(s)
	}
}

// readOther reads the types for which null is a value, or means the zero value.
func readOther(d *jsonapi.Decoder, at any) {
	switch at := at.(type) {
	case *[]string:
		*at = d.Strings()
	case *bool:
		*at, _ = d.Bool()
	case *int:
		*at, _ = d.Int()
	case *float64:
		*at, _ = d.Float()
	case *Opt[bool]:
		readOpt(d, at, (*jsonapi.Decoder).Bool)
	case *Opt[int]:
		readOpt(d, at, (*jsonapi.Decoder).Int)
	case *Opt[float64]:
		readOpt(d, at, (*jsonapi.Decoder).Float)
	case *Opt[CarrierCandidate]:
		readOpt(d, at, readCandidate)
	case *json.RawMessage:
		readRaw(d, at)
	case *CustomFieldValue:
		if raw := d.Raw(); d.Err() == nil && at.UnmarshalJSON(raw) != nil {
			d.Warn("not JSON")
		}
	case *[]EventName:
		*at = eventNamesOf(d.Strings())
	}
}

func readOpt[V any](d *jsonapi.Decoder, at *Opt[V], read func(*jsonapi.Decoder) (V, bool)) {
	if d.Null() {
		*at = Null[V]()
	} else if value, ok := read(d); ok {
		*at = Some(value)
	}
}

// The largest degrees of a latitude and of a longitude. A coordinate beyond them is unknown: ships
// send 91 and 181 for a place that they do not know.
const (
	maxLatitude  = 90
	maxLongitude = 180
)

func readLatitude(d *jsonapi.Decoder, at any) { readDegrees(d, at, maxLatitude) }

func readLongitude(d *jsonapi.Decoder, at any) { readDegrees(d, at, maxLongitude) }

func readDegrees(d *jsonapi.Decoder, at any, most float64) {
	if d.Null() {
		*at.(*Opt[float64]) = Null[float64]()
	} else if degrees, ok, _ := d.Degrees(most); ok {
		*at.(*Opt[float64]) = Some(degrees)
	}
}

func readTime(d *jsonapi.Decoder, at any) {
	b, ok := d.Bytes()
	if !ok {
		return
	}
	if t, ok := parseTime(b); ok {
		*at.(*Time) = t
	} else {
		d.Warn("not a time")
	}
}

func readDecimal(d *jsonapi.Decoder, at any) {
	b, ok := d.Number()
	if !ok {
		return
	}
	n, err := decimals.Parse(string(b))
	if err != nil {
		d.Warn("%v", err)
		return
	}
	*at.(*decimal.Decimal) = n
}

// readRaw reads an object of no fixed form. Its bytes are copied.
func readRaw(d *jsonapi.Decoder, at *json.RawMessage) {
	switch raw := d.Raw(); {
	case bytes.HasPrefix(raw, []byte("{")):
		*at = bytes.Clone(raw)
	case !bytes.Equal(raw, []byte("null")):
		d.Warn("want an object")
	}
}

// unmarshalObject parses one value object with the table that reads it in documents. A member that
// a document would leave empty, with a warning, is an error.
func unmarshalObject[T any](data []byte, name string, members jsonapi.Table, v *T) error {
	var read T
	err := decodeObject(data, name, func(d *jsonapi.Decoder) { members.Read(d, &read) })
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
