package jsonapi

import (
	"bytes"
	"reflect"
)

// sink receives the parts of a resource object as they are read.
type sink struct {
	*Type                     // nil if the type is not registered: then the bytes are kept
	value                     any
	attributes, relationships []byte
}

func (s *sink) readAttributes(d *Decoder) {
	if s.Type == nil {
		s.attributes = bytes.Clone(d.Raw())
	} else {
		s.Type.attributes.read(d, s.value)
	}
}

func (s *sink) readRelationships(d *Decoder) {
	if s.Type == nil {
		s.relationships = bytes.Clone(d.Raw())
	} else {
		s.Type.relationships.read(d, s.value)
	}
}

// open gives s a new value of the type, if that is registered. It returns true, because the type is
// known from now on.
func (d *Decoder) open(typ string, s *sink) bool {
	if e, registered := d.types.byName[typ]; registered {
		s.Type, s.value = e.Type, d.new(e.Type)
	}
	return true
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
		to.value = d.types.keep(id, to.attributes, to.relationships)
	} else {
		d.types.model.Finish(to.value, id)
	}
	return id, true
}

// resourceMembers reads the members of a resource object, which may have any order. Until the sink
// is known, attributes and relationships are kept as bytes, and checked when they are read.
func (d *Decoder) resourceMembers(to *sink, id *Identity) {
	d.about, d.hasBody = Ref{}, false
	known := to.value != nil
	var attributes, relationships []byte
	d.Object(func(key []byte) {
		switch string(key) {
		case "id":
			id.ID, _ = d.String()
			d.about.ID = id.ID
		case "type":
			id.Type = d.typeName()
			d.about.Type = id.Type
			if !known {
				known = d.open(id.Type, to)
			}
		case "attributes":
			d.hasBody = true
			if !known {
				d.hop(&attributes)
			} else if !d.Null() {
				to.readAttributes(d)
			}
		case "relationships":
			d.hasBody = true
			if !known {
				d.hop(&relationships)
			} else if !d.Null() {
				to.readRelationships(d)
			}
		case "links":
			id.Self = d.selfLink()
		case "meta":
			if d.stored {
				id.Meta = d.Raw()
			} else {
				d.skipKnown("meta")
			}
		default:
			d.Unknown(key)
		}
	})
	if !known {
		d.open(id.Type, to)
	}
	if attributes != nil {
		d.onAll(attributes, func() { to.readAttributes(d) })
	}
	if relationships != nil {
		d.onAll(relationships, func() { to.readRelationships(d) })
	}
	d.about = Ref{} // a later warning is not about this resource
}

// hop keeps the bytes of the next value without checking them. If a member is repeated, it checks
// the bytes kept before, because they are not read later.
func (d *Decoder) hop(kept *[]byte) {
	if *kept != nil {
		d.onAll(*kept, d.Skip)
	}
	*kept = d.scan.hop()
}

// onAll runs read on bytes that must contain exactly one value.
func (d *Decoder) onAll(raw []byte, read func()) {
	d.on(raw, func() {
		read()
		_ = d.End() // the decoder keeps the error
	})
}

func (d *Decoder) selfLink() (self string) {
	if d.Null() {
		return ""
	}
	d.Object(func(key []byte) {
		switch string(key) {
		case "self":
			self, _ = d.String()
		case "download": // of a document, which has an operation for it
			d.Skip()
		default:
			d.UnknownIn("links.", key)
		}
	})
	return self
}
