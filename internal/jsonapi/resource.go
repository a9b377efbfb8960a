package jsonapi

// sink receives the parts of a resource object as they are read.
type sink interface {
	readAttributes(*Decoder)
	readRelationships(*Decoder)
	done(Identity) any // the finished resource, as a pointer
	resolve(*Index)    // runs once the whole document is read
}

// slot is the sink of a registered type. value is a pointer.
type slot struct {
	*Type
	value any
}

func (s *slot) readAttributes(d *Decoder)    { s.attributes.read(d, s.value, &d.field) }
func (s *slot) readRelationships(d *Decoder) { s.relationships.read(d, s.value, &d.field) }

func (s *slot) done(id Identity) any {
	s.relationships.model.Finish(s.value, id)
	return s.value
}

func (s *slot) resolve(ix *Index) {
	t := s.relationships
	t.model.Resolve(s.value, t.addresses(s.value), ix)
}

// unknown is the sink of a type that is not registered: it keeps the bytes.
type unknown struct {
	attributes, relationships []byte
	keep                      func(id Identity, attributes, relationships []byte) any
}

func (u *unknown) readAttributes(d *Decoder)    { u.attributes = append([]byte(nil), d.Raw()...) }
func (u *unknown) readRelationships(d *Decoder) { u.relationships = append([]byte(nil), d.Raw()...) }
func (u *unknown) done(id Identity) any         { return u.keep(id, u.attributes, u.relationships) }
func (u *unknown) resolve(*Index)               {}

// resource reads one resource object into to. If to is nil, the registry opens a sink for the type.
func (d *Decoder) resource(to sink, keepRaw bool) (sink, Identity, any) {
	id := Identity{AsOf: d.asOf}
	if keepRaw {
		raw := d.Raw()
		id.Raw = append([]byte(nil), raw...)
		d.within(raw, func() { to = d.resourceMembers(to, &id) })
	} else {
		to = d.resourceMembers(to, &id)
	}
	if d.scan.err != nil || to == nil {
		return nil, id, nil
	}
	return to, id, to.done(id)
}

// resourceMembers reads the members of a resource object, which may have any order. Until the sink is
// known, attributes and relationships are kept as bytes.
func (d *Decoder) resourceMembers(to sink, id *Identity) sink {
	d.id = Identity{}
	var attributes, relationships []byte
	d.Object(func(key []byte) {
		switch string(key) {
		case "id":
			id.ID, _ = d.String()
			d.id.ID = id.ID
		case "type":
			id.Type = d.typeName()
			d.id.Type = id.Type
			if to == nil {
				to = d.types.open(id.Type)
			}
		case "attributes":
			if to == nil {
				attributes = d.Raw()
			} else if !d.Null() {
				to.readAttributes(d)
			}
		case "relationships":
			if to == nil {
				relationships = d.Raw()
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
	if to == nil {
		to = d.types.open(id.Type)
	}
	if attributes != nil {
		d.within(attributes, func() { to.readAttributes(d) })
	}
	if relationships != nil {
		d.within(relationships, func() { to.readRelationships(d) })
	}
	d.id = Identity{} // a later warning is not about this resource
	return to
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
