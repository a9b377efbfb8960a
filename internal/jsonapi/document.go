package jsonapi

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"
)

// Identity holds the members of every resource other than its attributes and relationships.
type Identity struct {
	Type string // as sent
	ID   string
	Self string // links.self, "" if absent
	Raw  []byte // the resource's own bytes, copied; nil unless asked for
	Meta []byte // its meta member, part of the document; nil unless it is a stored resource
	AsOf time.Time
}

// Type is a resource type: its Go type and the tables of its members.
type Type struct {
	name          string       // the wire name, as registered first
	pointer       reflect.Type // to the Go type
	attributes    *table
	relationships *table
}

// Attributes returns the wire names of the attributes that the type reads, for drift checks.
func (t *Type) Attributes() []string { return t.attributes.names() }

// Relationships returns the wire names of the relationships the type reads, for drift checks.
func (t *Type) Relationships() []string { return t.relationships.names() }

// Registry is the set of types a document may include, by wire name.
type Registry struct {
	model  Model
	byName map[string]*entry
	quick  [64]*entry // entries of byName, by hash
	byType map[reflect.Type]*Type
	keep   func(id Identity, attributes, relationships []byte) any
}

// entry is a wire name of a type.
type entry struct {
	name string
	end  string // how a resource identifier of the type usually ends, after the characters of its id
	*Type
}

var noType entry

// NewRegistry returns a registry. keep returns the value of a resource whose type is not
// registered, from its bytes.
func NewRegistry(m Model, keep func(id Identity, attributes, relationships []byte) any) *Registry {
	return &Registry{model: m, byName: map[string]*entry{}, byType: map[reflect.Type]*Type{}, keep: keep}
}

// Register adds the type of v, a pointer to a resource, under its wire names.
func (r *Registry) Register(v any, names ...string) {
	t := &Type{
		name: names[0], pointer: reflect.TypeOf(v),
		attributes: newTable(r.model, v, r.model.Members), relationships: newTable(r.model, v, r.model.Relationships),
	}
	r.byType[t.pointer] = t
	for _, name := range names {
		e := &entry{name, `","type":"` + name + `"}`, t}
		r.byName[name] = e
		if at := &r.quick[quickly(name)]; *at == nil {
			*at = e
		}
	}
}

// quickly is a hash of a wire name.
func quickly[S string | []byte](name S) int { return (len(name)*7 + int(name[0])) % 64 }

// named returns the entry of a wire name, or nil.
func (r *Registry) named(name []byte) *entry {
	if len(name) == 0 {
		return nil
	}
	if e := r.quick[quickly(name)]; e != nil && e.name == string(name) {
		return e
	}
	return r.byName[string(name)]
}

// TypeOf returns the type of v, a pointer to a resource of a registered type.
func (r *Registry) TypeOf(v any) *Type { return r.byType[reflect.TypeOf(v)] }

// Attributes returns the wire names of the attributes that the type with a wire name reads, or nil.
func (r *Registry) Attributes(name string) []string {
	if e, known := r.byName[name]; known {
		return e.Attributes()
	}
	return nil
}

// IsOther reports whether a wire name is that of another registered type than the one of v. An
// unknown name may be a new name of that type.
func (r *Registry) IsOther(name string, v any) bool {
	e, known := r.byName[name]
	return known && e.Type != r.TypeOf(v)
}

// Links are the top-level links of a document as sent, "" if absent.
type Links struct{ Self, Current, First, Prev, Next, Last string }

// Meta holds the counts of a list, each -1 if absent.
type Meta struct{ Size, Total int }

// Document is a document without its primary data. Index is nil if the options set Unindexed.
type Document struct {
	Links   Links
	Meta    Meta
	HasData bool // the data member is neither absent nor null
	BadNext bool // the next link, or instead of the links something else, is not what JSON:API allows
	NoNext  bool // the next link is "", which some servers send instead of null
	Index   *Index
}

// Options configure how a document is read.
type Options struct {
	Types     *Registry
	KeepRaw   bool            // copy each resource's bytes into its Identity
	Strict    bool            // report unknown members too
	Unindexed bool            // the document is returned without its Index
	ItemsOnly bool            // no document is returned
	AsOf      time.Time       // becomes that of each resource
	OwnAsOf   bool            // the as_of of its meta member replaces AsOf
	Report    func(Warning)   // may be nil
	Context   context.Context // ends reading; may be nil
}

// maxResources limits the resources of a document, so that a few bytes for each cannot become
// gigabytes of structs. A full page of shipments with all their containers, events and places holds
// far fewer.
const maxResources = 20_000

// ErrNotDocument means that the bytes are JSON, but not a JSON:API document.
var ErrNotDocument = errors.New("not a JSON:API document: no data member, or one that holds no resources")

// bytesPerElement limits the elements of all arrays of a document, references included, for the
// same reason: a fee of two bytes takes a hundred in memory. The service sends more bytes per
// element. Small documents are not limited.
const bytesPerElement = 24

var errManyElements = errors.New("its arrays hold more elements than its length allows")

var errTooMany = fmt.Errorf("it holds more than %d resources", maxResources)

// Decode reads a document whose primary data are Ts, a registered type: an array, a single
// resource, or null. The type of the primary data is not checked, because the service's own
// description has wrong types.
func Decode[T any](body []byte, o Options) ([]*T, *Document, error) {
	r := newReader(body, o, o.Types.TypeOf((*T)(nil)))
	defer r.release()
	if err := r.document(); err != nil {
		return nil, nil, err
	}
	items := slices.Grow([]*T(nil), len(r.items))
	for _, v := range r.items {
		items = append(items, v.(*T))
	}
	if o.ItemsOnly {
		return items, nil, nil
	}
	return items, r.doc, nil
}

// bytesPerResource is fewer than most resources have.
const bytesPerResource = 2 << 10

// reader is the state of one document being read.
type reader struct {
	Decoder
	primary spare // for the primary resources
	items   []any // the primary resources that have been read
	keepRaw bool
	doc     *Document
	index   *Index
	own     Index    // for a document that is returned without one
	unused  Document // with ItemsOnly
	sawData bool
	errors  []byte // the member of that name
	odd     bool   // the primary data hold something that is not a resource
	some    bool   // the primary data hold a resource
	count   int    // of all resources
	cache   *[256]string

	storedMeta []byte // of the primary resource, if it is one that [Registry.Encode] wrote
	storedBody bool   // it has attributes or relationships
}

// readers is a pool of readers, whose scratch space is used again.
var readers = sync.Pool{New: func() any { return new(reader) }}

// newReader returns a reader of a document with primary resources of type t.
func newReader(body []byte, o Options, t *Type) *reader {
	r := readers.Get().(*reader)
	r.scan.data, r.report, r.strict, r.asOf, r.types = body, o.Report, o.Strict, o.AsOf, o.Types
	r.keepRaw, r.lastType, r.length, r.ctx, r.ownAsOf = o.KeepRaw, &noType, len(body), o.Context, o.OwnAsOf
	r.primary = spare{Type: t, most: primariesPerAllocation}
	r.doc = &r.unused
	if !o.ItemsOnly {
		r.doc = &Document{Meta: Meta{Size: -1, Total: -1}}
	}
	if r.index = &r.own; !o.Unindexed && !o.ItemsOnly {
		r.index = new(Index)
		r.doc.Index = r.index
	}
	r.index.reserve(1 + len(body)/bytesPerResource)
	if len(body) > longDocument {
		if r.cache == nil {
			r.cache = new([256]string)
		}
		r.recent = r.cache
	}
	return r
}

// maxScratch limits the elements that a reader keeps for later documents.
const maxScratch = 1 << 12

// release returns r to the pool with its scratch space and with nothing of this document.
func (r *reader) release() {
	at, items, words, list := r.members.at, r.items, r.words, r.own.list
	if max(cap(at), cap(items), cap(words), cap(list), cap(r.refs.text)) > maxScratch {
		return
	}
	clear(at[:cap(at)])
	clear(items)
	clear(words[:cap(words)])
	clear(list)
	clear(r.spares)
	if r.recent != nil {
		clear(r.recent[:])
	}
	*r = reader{items: items[:0], own: Index{list: list[:0]}, cache: r.cache, Decoder: Decoder{
		members: Members{at: at[:0]}, words: words[:0], spares: r.spares[:0], within: r.within[:0],
		refs: refWriter{text: r.refs.text[:0]},
	}}
	readers.Put(r)
}

func (r *reader) document() error {
	if r.scan.kind() == kindObject {
		r.Object(r.member)
	} else {
		r.Skip()
	}
	if err := r.End(); err != nil {
		return err
	}
	if !r.sawData {
		return ErrNotDocument
	}
	if r.errors != nil {
		r.Again(r.errors, func() { r.wrong("errors", "none in a document with data") })
	}
	for i := range r.index.list { // last, because a relationship may point to a later resource
		v := &r.index.list[i]
		if v.Type == nil {
			continue
		}
		v.relationships.list(v.value, &r.members)
		r.types.model.Resolve(v.value, r.members.at, r.index)
		r.members.at = r.members.at[:0]
	}
	return nil
}

func (r *reader) member(key []byte) {
	switch string(key) {
	case "data":
		r.data()
	case "included":
		if r.IsArray() {
			r.Array(r.include)
		} else {
			r.wrong("included", "an array")
		}
	case "links":
		r.links()
	case "meta":
		r.meta()
	case "jsonapi": // the version of the format
		r.Skip()
	case "errors":
		r.errors = r.Raw()
	default:
		r.Unknown(key)
	}
}

func (r *reader) data() {
	r.sawData = true
	switch r.scan.kind() {
	case kindNull:
		r.Null()
		return
	case kindArray:
		if r.stored {
			r.scan.abort(ErrNotOne)
			return
		}
		// The other elements are kept, but a list without any resource is not an empty list.
		if r.Array(r.item); r.odd && !r.some {
			r.scan.abort(ErrNotDocument)
		}
	case kindObject:
		r.item()
	default:
		r.scan.abort(ErrNotDocument)
	}
	r.doc.HasData = r.scan.err == nil
}

func (r *reader) item() {
	if r.scan.kind() != kindObject {
		r.odd = true
		r.wrong("data", "a resource object")
		return
	}
	if s := (sink{Type: r.primary.Type, value: r.primary.next()}); r.keep(&s, true) {
		r.some = true
		r.items = append(r.items, s.value)
	}
}

func (r *reader) include() {
	if r.scan.kind() != kindObject {
		r.wrong("included", "a resource object")
		return
	}
	s := sink{}
	r.keep(&s, false)
	r.likely = s.Type
}

// wrong skips a value of the wrong kind and reports it under a top-level member.
func (r *reader) wrong(member, want string) {
	r.field = member
	r.mismatch(want)
	r.field = ""
}

// keep reads a resource and adds it to the index.
func (r *reader) keep(to *sink, primary bool) bool {
	r.step()
	if r.count++; r.count > maxResources {
		r.scan.abort(errTooMany)
		return false
	}
	id, ok := r.resource(to, r.keepRaw)
	if !ok {
		return false
	}
	if primary {
		r.storedMeta, r.storedBody = id.Meta, r.hasBody
	}
	r.index.add(resource{to.Type, Ref{id.Type, id.ID}, to.value, primary})
	return true
}

func (r *reader) links() {
	l, isNull := &r.doc.Links, r.scan.kind() == kindNull
	r.field = "links"
	if !r.Object(func(key []byte) {
		var to *string
		switch string(key) {
		case "self":
			to, r.inner = &l.Self, "self"
		case "current":
			to, r.inner = &l.Current, "current"
		case "first":
			to, r.inner = &l.First, "first"
		case "prev":
			to, r.inner = &l.Prev, "prev"
		case "next":
			to, r.inner = &l.Next, "next"
		case "last":
			to, r.inner = &l.Last, "last"
		default:
			r.Unknown(key)
			return
		}
		text, ok := r.Link()
		if r.doc != &r.unused {
			*to = r.Text(text)
		}
		if to == &l.Next {
			r.doc.BadNext, r.doc.NoNext = !ok, text != nil && len(text) == 0
		}
		r.inner = ""
	}) {
		r.doc.BadNext = !isNull
	}
	r.field = ""
}

func (r *reader) meta() {
	r.field = "meta"
	r.Object(func(key []byte) {
		var to *int
		switch string(key) {
		case "size":
			to, r.inner = &r.doc.Meta.Size, "size"
		case "total":
			to, r.inner = &r.doc.Meta.Total, "total"
		case "pagination": // repeats links and counts
			r.Skip()
			return
		default:
			r.Unknown(key)
			return
		}
		if n, ok := r.Int(); ok {
			*to = n
		}
		r.inner = ""
	})
	r.field = ""
}
