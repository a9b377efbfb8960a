package jsonapi

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// This file writes resources in the form in which documents hold them, by the rows that read them.

// Marshal returns the JSON of the value at an address that a [Model] added.
type Marshal func(at any) ([]byte, error)

// Errors of Stored.
var (
	ErrNotOne = errors.New("it must hold one resource, not a list")
	ErrBare   = errors.New("it must have attributes or relationships, and not only name a resource")
)

// Encode returns v, a pointer to a registered type, as a resource object without its closing
// brace. Strings, times, lists and optional values are left out if they are empty, because reading
// nothing and reading null are the same.
func (r *Registry) Encode(v any, id Identity, marshal Marshal) ([]byte, error) {
	t := r.TypeOf(v)
	if id.Type == "" {
		id.Type = t.name
	}
	var e encoder
	e.marshal = marshal
	e.open("type", &id.Type)
	e.member("id", &id.ID)
	e.name("attributes")
	e.object(t.attributes, v)
	e.name("relationships")
	e.linkage(t.relationships, v)
	if id.Self != "" {
		e.name("links")
		e.open("self", &id.Self)
		e.WriteByte('}')
	}
	return e.Bytes(), e.err
}

// EncodeObject returns the value object at v.
func EncodeObject(t Table, v any, marshal Marshal) ([]byte, error) {
	e := encoder{marshal: marshal}
	e.object(t.table, v)
	return e.Bytes(), e.err
}

type encoder struct {
	bytes.Buffer
	marshal Marshal
	err     error // the first one
}

func (e *encoder) open(name string, at any) {
	e.WriteByte('{')
	e.member(name, at)
}

func (e *encoder) member(name string, at any) {
	e.name(name)
	e.value(name, at)
}

// name writes the name of a member, after a comma unless it is the first of its object.
func (e *encoder) name(name string) {
	if b := e.Bytes(); b[len(b)-1] != '{' {
		e.WriteByte(',')
	}
	e.WriteString(`"` + name + `":`)
}

func (e *encoder) value(name string, at any) {
	text, err := e.marshal(at)
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("%s: %w", name, err)
	}
	e.Write(text)
}

// object writes an object with the rows of t that hold something in v.
func (e *encoder) object(t *table, v any) {
	e.WriteByte('{')
	for i, at := range t.addresses(v) {
		switch r := &t.rows[i]; {
		case r.unwritten || isEmpty(at):
		case r.members != nil:
			e.name(r.name())
			e.objects(r.members, reflect.ValueOf(at).Elem())
		default:
			e.member(r.name(), at)
		}
	}
	e.WriteByte('}')
}

// linkage is object for relationships.
func (e *encoder) linkage(t *table, v any) {
	e.WriteByte('{')
	for i, at := range t.addresses(v) {
		if !isEmpty(at) {
			e.name(t.rows[i].name())
			e.WriteString(`{"data":`)
			e.value(t.rows[i].name(), at)
			e.WriteByte('}')
		}
	}
	e.WriteByte('}')
}

// objects writes an object, the object at a pointer, or an array of objects.
func (e *encoder) objects(t *table, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		e.object(t, v.Interface())
	case reflect.Slice:
		e.WriteByte('[')
		for i := range v.Len() {
			if i > 0 {
				e.WriteByte(',')
			}
			e.object(t, v.Index(i).Addr().Interface())
		}
		e.WriteByte(']')
	default:
		e.object(t, v.Addr().Interface())
	}
}

// isEmpty reports whether the value at an address can be left out. False and 0 are values.
func isEmpty(at any) bool {
	v := reflect.ValueOf(at).Elem()
	if _, isNumber := at.(interface{ Sign() int }); isNumber {
		return false
	}
	switch v.Kind() {
	case reflect.Bool, reflect.Int, reflect.Float64:
		return false
	default:
		return v.IsZero()
	}
}

// Stored reads what Encode wrote: a resource object, or a document with one resource. The result is
// a new resource of the type of v and its meta member.
func (r *Registry) Stored(data []byte, v any, report func(Warning)) (any, []byte, error) {
	t := r.TypeOf(v)
	from := newReader(data, Options{Types: r, Report: report}, t)
	defer from.release()
	from.stored = true
	if err := from.documentOrResource(); err != nil {
		return nil, nil, err
	}
	switch {
	case len(from.items) != 1:
		return nil, nil, ErrNotOne
	case !from.storedBody:
		return nil, nil, ErrBare
	}
	return from.items[0], from.storedMeta, nil
}

// documentOrResource reads a document, which has a member data, or its primary resource alone.
func (r *reader) documentOrResource() error {
	var isDocument bool
	outer := Decoder{scan: r.scan}
	outer.Object(func(key []byte) {
		isDocument = isDocument || string(key) == "data"
		outer.Skip()
	})
	if isDocument {
		return r.document()
	}
	r.item()
	return r.End()
}

// EachValue calls each with the path and the address of every attribute in a, and with the address
// of the same attribute in b.
func (r *Registry) EachValue(a, b any, each func(path string, a, b any)) {
	r.TypeOf(a).attributes.each("", a, b, each)
}

func (t *table) each(path string, a, b any, each func(path string, a, b any)) {
	others := t.addresses(b)
	for i, at := range t.addresses(a) {
		r := &t.rows[i]
		if r.unwritten {
			continue
		}
		inA, inB := reflect.ValueOf(at), reflect.ValueOf(others[i])
		if inA.Elem().Kind() == reflect.Pointer {
			inA, inB = inA.Elem(), inB.Elem()
		}
		switch {
		case inA.IsNil() || inB.IsNil():
		case r.members != nil && inA.Elem().Kind() == reflect.Slice:
			for i := range min(inA.Elem().Len(), inB.Elem().Len()) {
				at := func(list reflect.Value) any { return list.Elem().Index(i).Addr().Interface() }
				r.members.each(path+r.name()+"."+strconv.Itoa(i)+".", at(inA), at(inB), each)
			}
		case r.members != nil:
			r.members.each(path+r.name()+".", inA.Interface(), inB.Interface(), each)
		default:
			each(path+r.name(), inA.Interface(), inB.Interface())
		}
	}
}
