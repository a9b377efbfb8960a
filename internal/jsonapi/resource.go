package jsonapi

import (
	"bytes"
	"reflect"
	"time"
)

// sink receives the parts of a resource object as they are read.
type sink struct {
	*Type    // nil if the type is not registered: then the bytes are kept
	value    any
	kept     [2][]byte // the two parts
	elements int       // of arrays read into a value of a guessed type
}

// The parts of a resource that depend on its type.
const attributes, relationships = 0, 1

func (s *sink) read(d *Decoder, part int) {
	switch {
	case s.Type == nil:
		s.kept[part] = bytes.Clone(d.Raw())
	case part == attributes:
		s.Type.attributes.read(d, s.value)
	default:
		s.Type.relationships.read(d, s.value)
	}
}

// open sets a new value of the type in s, if the type is registered, unless it was guessed already.
// It reports whether it was.
func (d *Decoder) open(typ string, s *sink) (guessed bool) {
	e, registered := d.types.byName[typ]
	if registered && s.value != nil && e.Type == s.Type {
		return true
	}
	d.elements -= s.elements // they are counted when they are read again
	if *s = (sink{}); registered {
		s.Type, s.value = e.Type, d.new(e.Type)
	}
	return false
}

// spare allocates resources of one type, several at a time. So there are few allocations, and a
// resource that the caller keeps holds few others in memory.
type spare struct {
	*Type
	values             reflect.Value // a slice
	used, length, most int
}

// The largest numbers of resources in one allocation.
const (
	primariesPerAllocation = 16
	includedPerAllocation  = 4
)

// next returns a new resource. The first has an allocation of its own.
func (s *spare) next() any {
	if s.length == 0 {
		s.used, s.length = 1, 1
		return reflect.New(s.pointer.Elem()).Interface()
	}
	if s.used == s.length {
		s.used, s.length = 0, min(s.most, 1+2*s.length)
		s.values = reflect.MakeSlice(reflect.SliceOf(s.pointer.Elem()), s.length, s.length)
	}
	s.used++
	return s.values.Index(s.used - 1).Addr().Interface()
}

// new returns a new included resource of type t.
func (d *Decoder) new(t *Type) any {
	for i := range d.spares {
		if s := &d.spares[i]; s.Type == t {
			return s.next()
		}
	}
	d.spares = append(d.spares, spare{Type: t, most: includedPerAllocation})
	return d.spares[len(d.spares)-1].next()
}

// resource reads one resource object into to. If that is empty, the registry opens a sink for the
// type. The result is false if there was an error.
func (d *Decoder) resource(to *sink, keepRaw bool) (Identity, bool) {
	id := Identity{AsOf: d.asOf}
	if keepRaw {
		raw := d.Raw()
		id.Raw = bytes.Clone(raw)
		d.on(raw, func() { d.resourceMembers(to, &id) })
	} else {
		d.resourceMembers(to, &id)
	}
	if d.scan.err != nil {
		return id, false
	}
	if to.Type == nil {
		to.value = d.types.keep(id, to.kept[attributes], to.kept[relationships])
	} else {
		d.types.model.Finish(to.value, id)
	}
	return id, true
}

// resourceMembers reads the members of a resource object, which may have any order. Attributes and
// relationships before the type are read again once it is known, unless their type was guessed.
func (d *Decoder) resourceMembers(to *sink, id *Identity) {
	d.about, d.hasBody = Ref{}, false
	known, guessed := to.value != nil, false
	var parts [2][]byte // before the type
	d.Object(func(key []byte) {
		switch string(key) {
		case "id":
			id.ID, _ = d.String()
			d.about.ID = id.ID
		case "type":
			id.Type = d.typeName()
			d.about.Type = id.Type
			if !known {
				known, guessed = true, d.open(id.Type, to)
			}
		case "attributes", "relationships":
			part := partOf(key)
			d.hasBody = true
			if !known {
				d.early(to, &parts, part)
			} else if guessed = false; !d.Null() {
				to.read(d, part)
			}
		case "links":
			id.Self = d.selfLink()
		case "meta":
			d.resourceMeta(id)
		default:
			d.Unknown(key)
		}
	})
	if !known {
		d.open(id.Type, to)
	}
	if !guessed {
		d.readKept(to, &parts)
	}
	d.about = Ref{} // a later warning is not about this resource
}

func partOf(key []byte) int {
	if key[0] == 'r' {
		return relationships
	}
	return attributes
}

func (d *Decoder) resourceMeta(id *Identity) {
	switch {
	case d.stored:
		id.Meta = d.Raw()
	case d.ownAsOf:
		d.readAsOf(id)
	default:
		d.skipKnown("meta")
	}
}

// readAsOf reads the time in the meta member of a stored resource.
func (d *Decoder) readAsOf(id *Identity) {
	d.Object(func(key []byte) {
		if string(key) != "as_of" {
			d.Skip()
			return
		}
		var at time.Time
		if text, ok := d.Bytes(); ok && at.UnmarshalText(text) == nil {
			id.AsOf = at.UTC()
		}
	})
}

// readKept reads the parts that came before the type.
func (d *Decoder) readKept(to *sink, parts *[2][]byte) {
	for part, raw := range parts {
		if raw != nil && string(raw) != "null" {
			d.on(raw, func() { to.read(d, part) })
		}
	}
}

// early keeps the bytes of a part of a resource whose type is not known yet. It also reads the part
// as one of the type that was included last, which nearly always is right, unless there is anything
// to report, because reports name the type.
func (d *Decoder) early(to *sink, parts *[2][]byte, part int) {
	switch {
	case parts[part] != nil:
		to.Type, to.value = nil, nil
	case parts[1-part] == nil && d.likely != nil:
		to.Type, to.value = d.likely, d.new(d.likely)
	}
	d.scan.peek()
	start, depth, elements := d.scan.pos, d.scan.depth, d.elements
	if to.value != nil && !d.Null() {
		d.guessing, d.doubtful = true, false
		to.read(d, part)
		to.elements += d.elements - elements
		if d.guessing = false; d.scan.err != nil || d.doubtful {
			d.scan.pos, d.scan.depth, d.scan.err = start, depth, nil
			to.Type, to.value = nil, nil
		}
	}
	if d.scan.pos == start {
		d.scan.skip()
	}
	parts[part] = d.scan.data[start:d.scan.pos]
}

func (d *Decoder) selfLink() (self string) {
	if d.Null() {
		return ""
	}
	d.Object(func(key []byte) {
		switch string(key) {
		case "self":
			href, _ := d.Link()
			self = d.Text(href)
		case "download": // of a document, which has an operation for it
			d.Skip()
		default:
			d.UnknownIn("links.", key)
		}
	})
	return self
}
