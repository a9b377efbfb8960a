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
	if link, ok := d.usualOne(); ok {
		return link, true
	}
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

// usualOne reads a relationship object that has only the member data and no white space. If it is
// anything else, nothing is read.
func (d *Decoder) usualOne() (link Linkage, ok bool) {
	start := d.scan.pos
	if d.scan.depth >= maxDepth-1 || !d.scan.skipText(`{"data":`) {
		return link, false
	}
	if link.Null = d.scan.skipText("null}"); link.Null {
		return link, true
	}
	if typ, id, ok := d.usualRef(); ok && len(id) > 0 && d.scan.skipText("}") {
		link.Ref = Ref{typ, d.Text(id)}
		return link, true
	}
	d.scan.pos = start
	return link, false
}

// ReadMany reads a to-many relationship object. It reports false if there is no data member.
func (d *Decoder) ReadMany() (refs Refs, found bool) {
	if refs, ok := d.usualMany(); ok {
		return refs, true
	}
	d.relationship(func() {
		if found = d.Null(); found {
			return
		}
		d.refs.reset()
		found = d.Array(func() {
			if typ, id, _ := d.ref(); len(id) > 0 {
				d.refs.add(typ, id)
				d.similarRefs()
			}
		})
		refs = Refs(d.cut(d.refs.text))
	}, func(ref Ref) { refs, found = RefsOf(ref), true })
	return refs, found
}

// usualMany reads a relationship object that has only the member data, with similar refs and no
// white space. If it is anything else, nothing is read.
func (d *Decoder) usualMany() (refs Refs, ok bool) {
	start, elements := d.scan.pos, d.elements
	if d.scan.depth >= maxDepth-2 || !d.scan.skipText(`{"data":[`) {
		return "", false
	}
	d.refs.reset()
	if typ, id, ok := d.usualRef(); ok {
		if d.elements++; len(id) > 0 {
			d.refs.add(typ, id)
			d.similarRefs()
		}
	}
	if d.elements > d.mostElements() || !d.scan.skipText("]}") {
		d.scan.pos, d.elements = start, elements
		return "", false
	}
	return Refs(d.cut(d.refs.text)), true
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
	if typ, id, ok := d.usualRef(); ok {
		return typ, id, true
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

// usualRef reads an object that has only an id and a type, in either order, and no white space. If
// it is anything else, nothing is read.
func (d *Decoder) usualRef() (typ string, id []byte, ok bool) {
	start, s := d.scan.pos, &d.scan
	switch {
	case s.depth == maxDepth:
	case s.beforeString(`{"id":`):
		id = s.str()
		if end := d.lastType.end; end != "" && s.skipText(end[1:]) {
			return d.lastType.name, id, true
		}
		if s.beforeString(`,"type":`) {
			typ, ok = d.typeOf(s.str()), s.skipText("}")
		}
	case s.beforeString(`{"type":`):
		typ = d.typeOf(s.str())
		if s.beforeString(`,"id":`) {
			id = s.str()
			ok = s.skipText("}")
		}
	}
	if !ok {
		s.pos, s.err = start, nil // reading it again finds the error
	}
	return typ, id, ok
}

// similarRefs reads the refs that follow the last one in an array and differ from it only in the
// characters of their id, which are plain. Nearly all lists consist of such refs.
func (d *Decoder) similarRefs() {
	const begin = `,{"id":"`
	s, w, end := &d.scan, &d.refs, d.lastType.end
	if end == "" || w.typ != d.lastType.name {
		return
	}
	for w.text[w.number] < longestRun && d.elements < d.mostElements() {
		id := s.pos + len(begin)
		after := id + w.size
		next := after + len(end)
		if next > len(s.data) || string(s.data[s.pos:id]) != begin || string(s.data[after:next]) != end ||
			!isPlain(s.data[id:after]) {
			return
		}
		w.text[w.number]++
		w.text = append(w.text, s.data[id:after]...)
		s.pos = next
		d.elements++
	}
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
	if string(b) != d.lastType.name {
		if d.lastType = d.types.named(b); d.lastType == nil {
			d.lastType = &entry{name: d.Text(b)}
		}
	}
	return d.lastType.name
}

// Index finds the resources that a document carried, primary and included alike.
type Index struct {
	list  []resource
	types []string       // the names of the first types
	more  map[string]int // the names of the other types
	byRef map[Ref]int    // the index in the list; nil for a short list, and until it is used

	firstTypes [2]string // saves allocations
}

// reserve makes room for n resources in an empty index.
func (ix *Index) reserve(n int) {
	if ix.types = ix.firstTypes[:0]; cap(ix.list) < n {
		ix.list = make([]resource, 0, n)
	}
}

// resource is a resource that has been read.
type resource struct {
	*Type   // nil if the type is not registered
	ref     Ref
	value   any
	primary bool
}

const (
	fewResources = 8  // up to this number, resources are searched one by one
	fewTypes     = 16 // up to this number, types are compared one by one
)

// Lookup returns the resource that a ref points to, as a pointer to its Go type, or nil.
func (ix *Index) Lookup(r Ref) any {
	if i := ix.find(r); i >= 0 {
		return ix.list[i].value
	}
	return nil
}

// EachOf calls found for each resource of a list of refs that the document carried.
func (ix *Index) EachOf(refs Refs, found func(v any)) {
	for refs != "" {
		var run refRun
		if run, refs = refs.next(); !ix.Has(run.typ) {
			continue
		}
		for run.number > 0 {
			if v := ix.Lookup(run.next()); v != nil {
				found(v)
			}
		}
	}
}

// All calls yield for every resource of the document. Of several with the same type and id, it is
// the one that Lookup returns.
func (ix *Index) All(yield func(v any) bool) {
	for i, r := range ix.list {
		if ix.find(r.ref) == i && !yield(r.value) {
			return
		}
	}
}

// Has reports whether the document carried any resource of a type.
func (ix *Index) Has(typ string) bool {
	for _, t := range ix.types {
		if t == typ {
			return true
		}
	}
	_, has := ix.more[typ]
	return has
}

func (ix *Index) add(r resource) {
	ix.list = append(ix.list, r)
	switch typ := r.ref.Type; {
	case ix.Has(typ):
	case len(ix.types) < fewTypes:
		ix.types = append(ix.types, typ)
	case ix.more == nil:
		ix.more = map[string]int{typ: 0}
	default:
		ix.more[typ] = 0
	}
}

// find returns the index of a resource in the list, or -1. If a document contains a resource twice,
// find returns the primary one, otherwise the first.
func (ix *Index) find(r Ref) int {
	switch {
	case !ix.Has(r.Type):
		return -1
	case len(ix.list) > fewResources:
		return ix.findInMany(r)
	}
	found := -1
	for i := range ix.list {
		if at := &ix.list[i]; at.ref == r && (found < 0 || at.primary) {
			found = i
		}
	}
	return found
}

func (ix *Index) findInMany(r Ref) int {
	if ix.byRef == nil {
		ix.byRef = make(map[Ref]int, len(ix.list))
		for i := range ix.list {
			at := &ix.list[i]
			if _, seen := ix.byRef[at.ref]; !seen || at.primary {
				ix.byRef[at.ref] = i
			}
		}
	}
	if i, ok := ix.byRef[r]; ok {
		return i
	}
	return -1
}
