package jsonapi

// Ref is resource linkage: the type and id that a relationship points to.
type Ref struct{ Type, ID string }

// Linkage is a relationship as sent.
type Linkage struct {
	Ref  Ref
	Null bool // data was null, or an empty object
}

// ReadOne reads a to-one relationship object. It reports false if there is no data member.
func (d *Decoder) ReadOne() (Linkage, bool) {
	var link Linkage
	var found bool
	d.relationship(func() {
		if found = d.Null(); !found { // an invalid identifier is not an empty relationship
			var id []byte
			link.Ref.Type, id, found = d.ref()
			link.Ref.ID = d.Text(id)
			if d.stored && found && len(id) == 0 {
				d.Warn("the related resource has no id")
			}
		}
	}, func(ref Ref) { link.Ref, found = ref, true })
	link.Null = found && link.Ref.ID == ""
	return link, found
}

// ReadMany reads a to-many relationship object. It reports false if there is no data member.
func (d *Decoder) ReadMany() (refs Refs, found bool) {
	d.relationship(func() {
		if found = d.Null(); found {
			return
		}
		d.refs = d.refs[:0]
		last := ""
		found = d.Array(func() {
			if typ, id, _ := d.ref(); len(id) > 0 {
				d.refs = appendRef(d.refs, last, typ, id)
				last = typ
			}
		})
		refs = Refs(d.Text(d.refs))
	}, func(ref Ref) { refs, found = RefsOf(ref), true })
	return refs, found
}

// relationship reads {data, links, meta}. Some schemas of the service put id and type directly in
// the relationship; direct receives that form.
func (d *Decoder) relationship(data func(), direct func(Ref)) {
	if d.Null() {
		return
	}
	var bare Ref
	d.Object(func(key []byte) {
		switch string(key) {
		case "data":
			data()
		case "id":
			bare.ID, _ = d.String()
		case "type":
			bare.Type = d.typeName()
		case "links":
			d.skipKnown("links", "self", "related")
		case "meta":
			d.skipKnown("meta")
		default:
			d.Unknown(key)
		}
	})
	if bare.ID != "" {
		direct(bare)
	}
}

// ref reads a resource identifier. It has no table, because a document holds thousands. The id is
// valid until the document is read.
func (d *Decoder) ref() (typ string, id []byte, ok bool) {
	if id, t, ok := d.scan.two(`{"id":`, `,"type":`); ok {
		return d.typeOf(t), id, true
	}
	if t, id, ok := d.scan.two(`{"type":`, `,"id":`); ok {
		return d.typeOf(t), id, true
	}
	ok = d.Object(func(key []byte) {
		switch string(key) {
		case "id":
			d.inner = "id"
			id, _ = d.Bytes()
		case "type":
			d.inner = "type"
			typ = d.typeName()
		case "name": // in the service's description only
			d.Skip()
		case "meta":
			d.skipKnown("meta")
		default:
			d.Unknown(key)
		}
		d.inner = ""
	})
	return typ, id, ok
}

// typeName reads a resource type. Known types share one string.
func (d *Decoder) typeName() string {
	b, ok := d.Bytes()
	if !ok {
		return ""
	}
	return d.typeOf(b)
}

func (d *Decoder) typeOf(b []byte) string {
	if string(b) != d.lastType {
		if t, known := d.types.byName[string(b)]; known {
			d.lastType = t.name
		} else {
			d.lastType = d.Text(b)
		}
	}
	return d.lastType
}

// Index finds the resources that a document carried, primary and included alike.
type Index struct{ byType map[string]map[string]any }

// Lookup returns the resource that a ref points to, as a pointer to its Go type, or nil.
func (ix *Index) Lookup(r Ref) any { return ix.byType[r.Type][r.ID] }

// All calls yield for every resource of the document. Of several with the same type and id, it is
// the one that Lookup returns.
func (ix *Index) All(yield func(v any) bool) {
	for _, ids := range ix.byType {
		for _, v := range ids {
			if !yield(v) {
				return
			}
		}
	}
}

// Has reports whether the document carried any resource of a type.
func (ix *Index) Has(typ string) bool { return ix.byType[typ] != nil }

// add adds v under r. If a document contains a resource twice, the primary one is kept, or else the
// first.
func (ix *Index) add(r Ref, v any, primary bool) {
	if ix.byType == nil {
		ix.byType = make(map[string]map[string]any)
	}
	ids := ix.byType[r.Type]
	if ids == nil {
		ids = make(map[string]any)
		ix.byType[r.Type] = ids
	}
	if _, seen := ids[r.ID]; !seen || primary {
		ids[r.ID] = v
	}
}
