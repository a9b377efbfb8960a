package jsonapi

import "reflect"

// Model is what this package has to know of the Go types that hold resources and value objects.
// Values are pointers to those types.
type Model interface {
	// Members adds the attributes of a resource, or the members of a value object. It adds nothing
	// for other values.
	Members(v any, to *Members)
	// Relationships adds the relationships of a resource.
	Relationships(v any, to *Members)
	// Read reads one value to an address that was added and is not that of a value object.
	Read(d *Decoder, at any)
	// Finish sets the identity of a resource whose members have been read.
	Finish(v any, id Identity)
	// Resolve finds the resources of the relationships of v, once the whole document is read.
	Resolve(v any, relationships []any, ix *Index)
}

// Members receives the wire names of members and the addresses of their Go fields. A Model names
// the members of each type in one place: once for the table of the type, and again for each value,
// because only the addresses differ. A table of functions would be much more code.
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
		m.table.add(row{name: name, unwritten: at == nil}, at)
	}
}

// AddUnwritten adds a member that is read, but not written.
func (m *Members) AddUnwritten(name string, at any) {
	m.at = append(m.at, at)
	if m.table != nil {
		m.table.add(row{name: name, unwritten: true}, at)
	}
}

// AddAs adds a member that read reads.
func (m *Members) AddAs(name string, at any, read func(d *Decoder, at any)) {
	m.at = append(m.at, at)
	if m.table != nil {
		m.table.add(row{name: name, read: read}, at)
	}
}

// row is one member of a table.
type row struct {
	name      string
	read      func(*Decoder, any)
	members   *table // of the value, if it is a value object or a list of them
	unwritten bool
}

// table finds the row of a member name. The rows have the order in which the members were added.
type table struct {
	rows   []row
	byName map[string]int
	model  Model
	list   func(v any, to *Members) // adds the members of v
}

func newTable(m Model, v any, list func(any, *Members)) *table {
	t := &table{byName: map[string]int{}, model: m, list: list}
	list(v, &Members{table: t})
	return t
}

// add adds a row for values like the one at an address.
func (t *table) add(r row, at any) {
	if at == nil {
		r.read = func(d *Decoder, _ any) { d.Skip() }
	}
	if r.read == nil {
		r.read, r.members = t.reader(reflect.TypeOf(at).Elem())
	}
	t.byName[r.name] = len(t.rows)
	t.rows = append(t.rows, r)
}

// reader returns the function that reads values of a type and, if it is a value object or consists
// of such, the table of that.
func (t *table) reader(typ reflect.Type) (read func(*Decoder, any), members *table) {
	object := typ
	if k := typ.Kind(); k == reflect.Slice || k == reflect.Pointer {
		object = typ.Elem()
	}
	if object.Kind() == reflect.Struct {
		members = newTable(t.model, reflect.New(object).Interface(), t.model.Members)
	}
	switch {
	case members == nil || len(members.rows) == 0:
		return t.model.Read, nil
	case typ.Kind() == reflect.Slice:
		return members.readList, members
	case typ.Kind() == reflect.Pointer:
		return members.readNew, members
	default:
		return members.readPart, members
	}
}

func (t *table) names() []string {
	names := make([]string, len(t.rows))
	for i, r := range t.rows {
		names[i] = r.name
	}
	return names
}

// addresses returns the addresses of the members of v, in the order of the rows.
func (t *table) addresses(v any) []any {
	var m Members
	t.list(v, &m)
	return m.at
}

// read reads an object into v. It sets *at to the name of the member being read, for warnings; if
// that was the name of the object, it becomes part of the path. The service writes members in a
// fixed order, so read tries the row after the last one found before it uses the map.
func (t *table) read(d *Decoder, v any, at *string) bool {
	if d.scan.kind() != kindObject {
		d.mismatch("an object")
		return false
	}
	outer, first := *at, len(d.members.at)
	if outer != "" {
		d.path, *at = append(d.path, outer), ""
	}
	t.list(v, &d.members)
	next := 0
	for more := d.scan.open('}'); more; more = d.scan.more('}') {
		if next == len(t.rows) || !d.scan.keyIs(t.rows[next].name) {
			key := d.scan.key()
			i, known := t.byName[string(key)]
			if !known {
				*at = ""
				d.Unknown(key)
				continue
			}
			next = i
		}
		*at = t.rows[next].name
		t.rows[next].read(d, d.members.at[first+next])
		next++
	}
	d.members.at = d.members.at[:first]
	if *at = outer; outer != "" {
		d.path = d.path[:len(d.path)-1]
	}
	return d.scan.err == nil
}

// readPart reads a value object. Null leaves it as it is.
func (t *table) readPart(d *Decoder, at any) {
	if !d.Null() {
		t.read(d, at, &d.inner)
	}
}

// readNew reads a value object behind a pointer, which stays nil for null.
func (t *table) readNew(d *Decoder, at any) {
	pointer := reflect.ValueOf(at).Elem()
	if v := reflect.New(pointer.Type().Elem()); !d.Null() && t.read(d, v.Interface(), &d.inner) {
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
		t.read(d, list.Index(n).Addr().Interface(), &d.inner)
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
func (t Table) Read(d *Decoder, v any) bool { return t.read(d, v, &d.inner) }

// ReadList reads an array of value objects. list is a pointer to a slice, which becomes nil for
// null.
func (t Table) ReadList(d *Decoder, list any) { t.readList(d, list) }
