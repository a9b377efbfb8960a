package jsonapi

// Field reads one attribute or relationship of a T. The tables of the library consist of Fields.
type Field[T any] struct {
	Name    string             // wire name
	Read    func(*Decoder, *T) // reads exactly one value
	Resolve func(*Index, *T)   // for relationships: finds the resource that it points to
}

// Identity is what every resource carries in addition to its attributes and relationships.
type Identity struct {
	Type string // as sent
	ID   string
	Self string // links.self, "" if absent
	Raw  []byte // the resource's own bytes, copied; nil unless asked for
}

// Type describes how resources of one type are read into a T. See [NewType].
type Type[T any] struct {
	identify      func(*T, Identity)
	finish        func(*T)
	attributes    table[T]
	relationships table[T]
	resolvers     []func(*Index, *T)
}

// Spec is the input of [NewType].
type Spec[T any] struct {
	Identify      func(*T, Identity)
	Finish        func(*T) // runs once all attributes are read; may be nil
	Attributes    []Field[T]
	Relationships []Field[T]
}

// NewType builds the lookup tables of s.
func NewType[T any](s Spec[T]) *Type[T] {
	t := &Type[T]{
		identify: s.Identify, finish: s.Finish,
		attributes: newTable(s.Attributes), relationships: newTable(s.Relationships),
	}
	for _, f := range s.Relationships {
		if f.Resolve != nil {
			t.resolvers = append(t.resolvers, f.Resolve)
		}
	}
	return t
}

// Attributes returns the wire names of the attributes that the type reads, for drift checks.
func (t *Type[T]) Attributes() []string { return t.attributes.names() }

// Relationships returns the wire names of the relationships that the type reads, for drift checks.
func (t *Type[T]) Relationships() []string { return t.relationships.names() }

// table finds the field of a member name.
type table[T any] struct {
	fields []Field[T]
	byName map[string]int
}

func newTable[T any](fields []Field[T]) table[T] {
	t := table[T]{fields: fields, byName: make(map[string]int, len(fields))}
	for i, f := range fields {
		t.byName[f.Name] = i
	}
	return t
}

func (t *table[T]) names() []string {
	names := make([]string, len(t.fields))
	for i, f := range t.fields {
		names[i] = f.Name
	}
	return names
}

// read reads an object into v. It sets *at to the name of the member being read, for warnings. The
// service writes members in a fixed order, so read tries the field after the last one found before
// it uses the map.
func (t *table[T]) read(d *Decoder, v *T, at *string) bool {
	if d.scan.kind() != kindObject {
		d.mismatch("an object")
		return false
	}
	next := 0
	for more := d.scan.open('}'); more; more = d.scan.more('}') {
		if next == len(t.fields) || !d.scan.keyIs(t.fields[next].Name) {
			key := d.scan.key()
			i, known := t.byName[string(key)]
			if !known {
				d.Unknown(key)
				continue
			}
			next = i
		}
		*at = t.fields[next].Name
		t.fields[next].Read(d, v)
		*at = ""
		next++
	}
	return d.scan.err == nil
}

// ReadObject reads a value object, such as an address inside an attribute.
func ReadObject[T any](d *Decoder, fields *Members[T], v *T) bool {
	return fields.table.read(d, v, &d.inner)
}

// Members is the table of a value object: an object inside an attribute that is not a resource.
type Members[T any] struct{ table table[T] }

// NewMembers builds the lookup table of a value object.
func NewMembers[T any](fields ...Field[T]) *Members[T] { return &Members[T]{newTable(fields)} }

// Names returns the wire names of the members, for drift checks.
func (m *Members[T]) Names() []string { return m.table.names() }

// ReadList reads an array of value objects. The result is nil for null and not nil for an empty
// array. An element of the wrong kind is an empty value, because the list has as many elements as
// were sent; null elements are left out.
func ReadList[T any](d *Decoder, fields *Members[T]) []T {
	var list []T
	if d.Array(func() {
		if d.Null() {
			return
		}
		var v T
		ReadObject(d, fields, &v)
		list = append(list, v)
	}) && list == nil {
		list = []T{}
	}
	return list
}
