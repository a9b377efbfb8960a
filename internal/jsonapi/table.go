package jsonapi

import (
	"reflect"
	"time"
)

// Field reads one attribute or relationship into the target of a P. The library's tables consist of
// Fields.
type Field[P any] struct{ *row }

// row is a Field without its type parameter. Tables consist of rows, so that their code is compiled
// once: compiled for each of some forty types, it would be most of what an importing program links.
type row struct {
	name    string
	read    func(*Decoder, any)
	at      func(any) any // returns the address of the value, for writing; nil if it is not written
	members *table        // of the value, if it is written as an object or as a list of objects
	resolve func(*Index, any)
}

// NewField returns a field with a wire name that is not written. read must read exactly one value.
func NewField[P any](name string, read func(*Decoder, P)) Field[P] {
	return UntypedField[P](name, untyped(read), nil)
}

// NewRelationship returns the field of a relationship. resolve finds its resources once the whole
// document is read. at returns the address of the relationship, for writing.
func NewRelationship[P any](name string, read func(*Decoder, P), at func(P) any, resolve func(*Index, P)) Field[P] {
	return UntypedRelationship[P](name, untyped(read), func(v any) any { return at(v.(P)) }, untyped(resolve))
}

func untyped[A, P any](f func(A, P)) func(A, any) {
	return func(a A, v any) { f(a, v.(P)) }
}

// UntypedField is NewField for functions that make fields of many types. The second argument of
// read is a P. at, unless nil, returns the address of the value in a P, for writing.
func UntypedField[P any](name string, read func(*Decoder, any), at func(any) any) Field[P] {
	return Field[P]{&row{name: name, read: read, at: at}}
}

// UntypedObject is UntypedField for a value that consists of members.
func UntypedObject[P any](
	name string, members interface{ own() *table }, read func(*Decoder, any), at func(any) any,
) Field[P] {
	return Field[P]{&row{name: name, read: read, at: at, members: members.own()}}
}

// UntypedRelationship is NewRelationship for functions that make fields of many types.
func UntypedRelationship[P any](
	name string, read func(*Decoder, any), at func(any) any, resolve func(*Index, any),
) Field[P] {
	return Field[P]{&row{name: name, read: read, at: at, resolve: resolve}}
}

// rows returns the rows of fields. The fields do not escape, so that the list that a table is made
// of is built on the stack, which takes half the code.
func rows[P any](fields []Field[P]) []*row {
	list := make([]*row, len(fields))
	for i, f := range fields {
		list[i] = f.row
	}
	return list
}

// Identity holds the members of every resource other than its attributes and relationships.
type Identity struct {
	Type string // as sent
	ID   string
	Self string // links.self, "" if absent
	Raw  []byte // the resource's own bytes, copied; nil unless asked for
	Meta []byte // its meta member, part of the document; nil unless it is a stored resource
	AsOf time.Time
}

// Type describes how resources of one type are read into the target of a P. See [NewType].
type Type[P any] struct{ *schema }

// schema is a Type without its type parameter.
type schema struct {
	name          string       // the wire name, as registered first
	pointer       reflect.Type // P
	identify      func(Identity, any)
	finish        func(any)
	attributes    table
	relationships table
}

// Spec is the input of [NewType].
type Spec[P any] struct {
	Identify      func(P, Identity)
	Finish        func(P) // runs once all attributes are read; may be nil
	Attributes    []Field[P]
	Relationships []Field[P]
}

// NewType builds the lookup tables of s.
//
//go:noinline
func NewType[P any](s Spec[P]) *Type[P] {
	identify, finish := s.Identify, s.Finish
	var pointer P
	t := &schema{
		pointer:    reflect.TypeOf(pointer),
		identify:   func(id Identity, v any) { identify(v.(P), id) },
		finish:     func(any) {},
		attributes: newTable(rows(s.Attributes)), relationships: newTable(rows(s.Relationships)),
	}
	if finish != nil {
		t.finish = func(v any) { finish(v.(P)) }
	}
	return &Type[P]{t}
}

func (s *schema) is(other *schema) bool { return s == other }

// Attributes returns the wire names of the attributes that the type reads, for drift checks.
func (s *schema) Attributes() []string { return s.attributes.names() }

// Relationships returns the wire names of the relationships the type reads, for drift checks.
func (s *schema) Relationships() []string { return s.relationships.names() }

// table finds the row of a member name.
type table struct {
	rows   []*row
	byName map[string]int
}

func newTable(rows []*row) table {
	t := table{rows: rows, byName: make(map[string]int, len(rows))}
	for i, r := range rows {
		t.byName[r.name] = i
	}
	return t
}

func (t *table) names() []string {
	names := make([]string, len(t.rows))
	for i, r := range t.rows {
		names[i] = r.name
	}
	return names
}

// read reads an object into v. It sets *at to the name of the member being read, for warnings; if
// that was the name of the object, it becomes part of the path. The service writes members in a
// fixed order, so read tries the row after the last one found before it uses the map.
func (t *table) read(d *Decoder, v any, at *string) bool {
	if d.scan.kind() != kindObject {
		d.mismatch("an object")
		return false
	}
	outer := *at
	if outer != "" {
		d.path, *at = append(d.path, outer), ""
	}
	next := 0
	for more := d.scan.open('}'); more; more = d.scan.more('}') {
		if next == len(t.rows) || !d.scan.keyIs(t.rows[next].name) {
			key := d.scan.key()
			i, known := t.byName[string(key)]
			if !known {
				d.Unknown(key)
				continue
			}
			next = i
		}
		*at = t.rows[next].name
		t.rows[next].read(d, v)
		*at = ""
		next++
	}
	if outer != "" {
		d.path, *at = d.path[:len(d.path)-1], outer
	}
	return d.scan.err == nil
}

// resolve finds the resources that the relationships of v point to.
func (t *table) resolve(ix *Index, v any) {
	for i := range t.rows {
		if resolve := t.rows[i].resolve; resolve != nil {
			resolve(ix, v)
		}
	}
}

// ReadObject reads a value object, such as an address inside an attribute.
func ReadObject[P any](d *Decoder, fields *Members[P], v P) bool {
	return fields.read(d, v, &d.inner)
}

// Members is the table of a value object: an object inside an attribute that is not a resource.
type Members[P any] struct{ table }

// NewMembers builds the lookup table of a value object.
//
//go:noinline
func NewMembers[P any](fields ...Field[P]) *Members[P] { return &Members[P]{newTable(rows(fields))} }

// Names returns the wire names of the members, for drift checks.
func (m *Members[P]) Names() []string { return m.names() }

func (m *Members[P]) own() *table { return &m.table }

// ReadList reads an array of value objects. The result is nil for null and not nil for an empty
// array. An element of the wrong kind is an empty value, because the list has as many elements as
// were sent; null elements are left out.
func ReadList[T any](d *Decoder, fields *Members[*T]) []T {
	var list []T
	if fields.readAll(d, func() any {
		list = append(list, *new(T))
		return &list[len(list)-1]
	}) && list == nil {
		list = []T{}
	}
	return list
}

// readAll reads an array of objects, each into what grow returns. It is compiled once for all
// lists.
func (t *table) readAll(d *Decoder, grow func() any) bool {
	return d.Array(func() {
		if !d.Null() {
			t.read(d, grow(), &d.inner)
		}
	})
}
