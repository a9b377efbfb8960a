package jsonapi

import (
	"reflect"
	"sync/atomic"
)

// Model is what this package has to know of the Go types that hold resources and value objects.
// Values are pointers to those types.
type Model interface {
	// Members adds the attributes of a resource, or the members of a value object. It adds nothing
	// for other values.
	Members(v any, to *Members)
	// Relationships adds the relationships of a resource.
	Relationships(v any, to *Members)
	// Reader returns the function that reads a value to an address like at, which is not that of a
	// value object. skipsNull means that null leaves the value as it is; read is not called for null
	// then.
	Reader(at any) (read func(d *Decoder, at any), skipsNull bool)
	// Finish sets the identity of a resource whose members have been read.
	Finish(v any, id Identity)
	// Resolve finds the resources of the relationships of v, once the whole document is read.
	Resolve(v any, relationships []any, ix *Index)
}

// Members collects the wire names of members and the addresses of their Go fields. A Model lists
// the members of each type in one function. It is called once for the table of the type and again
// for each value, because only the addresses differ. A table of functions would be much more code.
type Members struct {
	at    []any  // of the objects being read, each after those of the object around it
	table *table // being built; otherwise nil
}

// Add adds a member. If at is nil, the member is known, but neither read nor written. If it is a
// pointer to a value object, to a pointer to one, or to a list of them, the members of that are
// read and written.
//
//go:noinline
func (m *Members) Add(name string, at any) {
	m.at = append(m.at, at)
	if m.table != nil {
		m.table.add(row{key: keyOf(name), unwritten: at == nil}, at)
	}
}

// AddUnwritten adds a member that is read, but not written.
func (m *Members) AddUnwritten(name string, at any) {
	m.at = append(m.at, at)
	if m.table != nil {
		m.table.add(row{key: keyOf(name), unwritten: true}, at)
	}
}

// AddAs adds a member that read reads.
func (m *Members) AddAs(name string, at any, read func(d *Decoder, at any)) {
	m.at = append(m.at, at)
	if m.table != nil {
		m.table.add(row{key: keyOf(name), read: read}, at)
	}
}

// row is one member of a table.
type row struct {
	key       string // a comma, the name in quotes and a colon: how it is usually sent
	read      func(*Decoder, any)
	skipsNull bool // read is not called for null
	unwritten bool
	members   *table // of the value, if it is a value object or a list of them
}

// name returns the wire name.
func (r *row) name() string { return r.key[len(`,"`) : len(r.key)-len(`":`)] }

func keyOf(name string) string { return `,"` + name + `":` }

// table finds the row of a member name. The rows have the order in which the members were added.
type table struct {
	rows   []row
	byName map[string]int
	after  []atomic.Uint32 // after[i+1] is a guess of the row that follows row i; after[0] of the first
	model  Model
	list   func(v any, to *Members) // adds the members of v
}

func newTable(m Model, v any, list func(any, *Members)) *table {
	t := &table{byName: map[string]int{}, model: m, list: list}
	list(v, &Members{table: t})
	t.after = make([]atomic.Uint32, len(t.rows)+1)
	for i := range t.rows {
		t.after[i].Store(uint32(i))
	}
	return t
}

// add adds a row for values like the one at an address.
func (t *table) add(r row, at any) {
	if at == nil {
		r.read, r.skipsNull = func(d *Decoder, _ any) { d.Skip() }, true
	}
	if r.read == nil {
		t.addReader(&r, at)
	}
	t.byName[r.name()] = len(t.rows)
	t.rows = append(t.rows, r)
}

// addReader sets the function that reads the values of r. For a value object or a list of them it
// also sets their table.
func (t *table) addReader(r *row, at any) {
	typ := reflect.TypeOf(at).Elem()
	object := typ
	if k := typ.Kind(); k == reflect.Slice || k == reflect.Pointer {
		object = typ.Elem()
	}
	if object.Kind() == reflect.Struct {
		r.members = newTable(t.model, reflect.New(object).Interface(), t.model.Members)
	}
	switch {
	case r.members == nil || len(r.members.rows) == 0:
		r.members = nil
		r.read, r.skipsNull = t.model.Reader(at)
	case typ.Kind() == reflect.Slice:
		r.read = r.members.readList
	case typ.Kind() == reflect.Pointer:
		r.read, r.skipsNull = r.members.readNew, true
	default:
		r.read, r.skipsNull = r.members.readPart, true
	}
}

func (t *table) names() []string {
	names := make([]string, len(t.rows))
	for i := range t.rows {
		names[i] = t.rows[i].name()
	}
	return names
}

// addresses returns the addresses of the members of v, in the order of the rows.
func (t *table) addresses(v any) []any {
	var m Members
	t.list(v, &m)
	return m.at
}

// position is the member being read of a value with a table.
type position struct {
	*table
	row int // noRow if it is unknown
}

const noRow = -1

// read reads an object into v. A service usually writes the members of a type in one order, so read
// first tries the member that followed the last time.
func (t *table) read(d *Decoder, v any) bool {
	if d.scan.kind() != kindObject {
		d.mismatch("an object")
		return false
	}
	first, depth, before := len(d.members.at), len(d.within), 0
	d.within = append(d.within, position{t, noRow})
	t.list(v, &d.members)
	comma := 1 // the length of the comma before the next member, if that is still to be read
	for more := d.scan.open('}'); more; comma = 0 {
		i := int(t.after[before].Load())
		if i >= len(t.rows) || !d.scan.skipText(t.rows[i].key[comma:]) {
			if more = comma > 0 || d.scan.more('}'); !more {
				break
			}
			if i = t.find(d, before); i == noRow {
				continue
			}
		}
		before = i + 1
		if r := &t.rows[i]; !r.skipsNull || !d.scan.skipText("null") {
			d.within[depth].row = i
			r.read(d, d.members.at[first+i])
		}
	}
	d.members.at, d.within = d.members.at[:first], d.within[:depth]
	return d.scan.err == nil
}

// find reads the name of a member after its comma, and returns its row. It skips
// a member without a row.
func (t *table) find(d *Decoder, before int) int {
	key := d.scan.key()
	i, known := t.byName[string(key)]
	if !known {
		d.within[len(d.within)-1].row = noRow
		d.Unknown(key)
		return noRow
	}
	if after := &t.after[before]; after.Load() != uint32(i) {
		after.Store(uint32(i))
	}
	return i
}

// readPart reads a value object. Null leaves it as it is.
func (t *table) readPart(d *Decoder, at any) {
	if !d.Null() {
		t.read(d, at)
	}
}

// readNew reads a value object behind a pointer, which stays nil for null.
func (t *table) readNew(d *Decoder, at any) {
	if d.Null() {
		return
	}
	pointer := reflect.ValueOf(at).Elem()
	if v := reflect.New(pointer.Type().Elem()); t.read(d, v.Interface()) {
		pointer.Set(v)
	}
}

// readList reads an array of value objects. The list is nil for null and not nil for an empty
// array. An element of the wrong kind is an empty value, because the list has as many elements as
// were sent; null elements are left out.
func (t *table) readList(d *Decoder, at any) {
	list := reflect.ValueOf(at).Elem()
	list.SetZero()
	if d.Array(func() {
		if d.Null() {
			return
		}
		n := list.Len()
		list.Grow(1)
		list.SetLen(n + 1)
		t.read(d, list.Index(n).Addr().Interface())
	}) && list.IsNil() {
		list.Set(reflect.MakeSlice(list.Type(), 0, 0))
	}
}

// Table is the table of a value object: an object inside an attribute that is not a resource.
type Table struct{ *table }

// NewTable returns the table of the type of v, a pointer to a value object.
func NewTable(m Model, v any) Table { return Table{newTable(m, v, m.Members)} }

// Names returns the wire names of the members, for drift checks.
func (t Table) Names() []string { return t.names() }

// Read reads a value object, such as an address inside an attribute, into v.
func (t Table) Read(d *Decoder, v any) bool { return t.read(d, v) }

// ReadList reads an array of value objects. list is a pointer to a slice, which becomes nil for
// null.
func (t Table) ReadList(d *Decoder, list any) { t.readList(d, list) }
