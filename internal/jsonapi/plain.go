package jsonapi

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
)

// DecodeObject reads one JSON object that is not a resource, such as the properties of a GeoJSON
// feature, as tolerantly as a resource. Warnings name it by of.
func DecodeObject(body []byte, of Ref, t Table, v any, o Options) error {
	d := Decoder{scan: scanner{data: body}, report: o.Report, strict: o.Strict, about: of, field: "properties", ctx: o.Context}
	t.Read(&d, v)
	return d.End()
}

// NewDecoder returns a decoder of bytes that are not a document. Warnings use field as the field
// name.
func NewDecoder(body []byte, field string, report func(Warning)) *Decoder {
	return &Decoder{scan: scanner{data: body}, field: field, report: report}
}

// With applies Strict, Report and Context of o.
func (d *Decoder) With(o Options) *Decoder {
	d.strict, d.report, d.ctx = o.Strict, o.Report, o.Context
	return d
}

// UnknownMembers reports each member of a JSON value that encoding/json does not read into a value
// of type t, by its path. The tag "known" of a blank field lists further members that are known. It
// returns the error of the context if that ends meanwhile, and ignores bytes that are not JSON.
func UnknownMembers(ctx context.Context, body []byte, t reflect.Type, report func(Warning)) error {
	d := &Decoder{scan: scanner{data: body}, report: report, strict: true, ctx: ctx}
	d.compare(t, "")
	if ctx.Err() != nil && errors.Is(d.Err(), ctx.Err()) {
		return d.Err()
	}
	return nil
}

// compare reads a value and compares its members with the fields of t.
func (d *Decoder) compare(t reflect.Type, path string) {
	d.step()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	members := membersOf(t)
	switch k := d.scan.kind(); {
	case k == kindObject && len(members) > 0:
		d.Object(func(key []byte) {
			name := string(key)
			if member, known := members[strings.ToLower(name)]; known {
				d.compare(member, path+name+".")
			} else {
				d.UnknownIn(path, key)
			}
		})
	case k == kindArray && t.Kind() == reflect.Slice:
		d.Elements(func() { d.compare(t.Elem(), path) })
	default:
		d.Skip()
	}
}

var (
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	anything    = reflect.TypeFor[any]()
)

// membersOf returns the types of the members that t reads, by name in lower case: encoding/json
// ignores case. It returns none for a type that is not an object with fixed members.
func membersOf(t reflect.Type) map[string]reflect.Type {
	members := map[string]reflect.Type{}
	if t.Kind() != reflect.Struct {
		return members
	}
	readsItself := reflect.PointerTo(t).Implements(unmarshaler)
	for i := range t.NumField() {
		f := t.Field(i)
		for _, name := range strings.FieldsFunc(f.Tag.Get("known"), func(r rune) bool { return r == ',' }) {
			members[name] = anything
		}
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" && !readsItself {
			members[strings.ToLower(name)] = f.Type
		}
	}
	return members
}

// End returns the first syntax error. Bytes that have not been read are one.
func (d *Decoder) End() error {
	if d.scan.peek(); d.scan.pos < len(d.scan.data) {
		d.scan.fail("the end")
	}
	return d.Err()
}

// IsArray reports whether the next value is an array.
func (d *Decoder) IsArray() bool { return d.scan.kind() == kindArray }

// IsObject reports whether the next value is an object.
func (d *Decoder) IsObject() bool { return d.scan.kind() == kindObject }
