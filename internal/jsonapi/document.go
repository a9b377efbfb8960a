package jsonapi

import (
	"errors"
	"fmt"
)

// Registry is the set of types a document may include, by wire name.
type Registry struct {
	byName map[string]entry
	keep   func(id Identity, attributes, relationships []byte) any
}

type entry struct {
	name string
	open func() sink
}

// NewRegistry returns a registry. keep makes a value of a resource whose type nobody registered, from its bytes.
func NewRegistry(keep func(id Identity, attributes, relationships []byte) any) *Registry {
	return &Registry{byName: map[string]entry{}, keep: keep}
}

// Register adds a type under its wire names.
func Register[T any](r *Registry, t *Type[T], names ...string) {
	for _, name := range names {
		r.byName[name] = entry{name: name, open: t.open}
	}
}

func (r *Registry) open(typ string) sink {
	if e, known := r.byName[typ]; known {
		return e.open()
	}
	return &unknown{keep: r.keep}
}

// Links are the top-level links of a document, as sent; "" if absent.
type Links struct{ Self, Current, First, Prev, Next, Last string }

// Meta are the counts of a list; each is -1 if the document does not say.
type Meta struct{ Size, Total int }

// Document is what a document says besides its primary data.
type Document struct {
	Links   Links
	Meta    Meta
	HasData bool // a data member was there and not null
	Index   Index
}

// Options say how to read a document.
type Options struct {
	Types   *Registry
	KeepRaw bool          // copy each resource's bytes into its Identity
	Strict  bool          // report unknown members too
	Report  func(Warning) // may be nil
}

// maxResources bounds the resources of a document, so that a few bytes for each cannot become gigabytes of structs. A
// full page of shipments with all their containers, events and places stays far below it.
const maxResources = 20_000

// ErrNotDocument means that the bytes are JSON, but not a JSON:API document.
var ErrNotDocument = errors.New("not a JSON:API document: no data member, or one that holds no resources")

// bytesPerElement bounds the elements of all arrays of a document, references included, for the same reason: a fee of
// two bytes takes a hundred. What the service sends has more bytes an element than that; small documents are let be.
const bytesPerElement = 24

var errManyElements = errors.New("its arrays hold more elements than its length leaves room for")

var errTooMany = fmt.Errorf("it holds more than %d resources", maxResources)

// Decode reads a document whose primary data are Ts: an array, a single resource, or null. A type other than expected
// is no reason to refuse the primary data, because the service's own description gets its types wrong.
func Decode[T any](body []byte, t *Type[T], o Options) ([]*T, *Document, error) {
	r := reader[T]{
		Decoder: Decoder{scan: scanner{data: body}, report: o.Report, strict: o.Strict, types: o.Types},
		primary: t, keepRaw: o.KeepRaw,
		doc: &Document{Meta: Meta{Size: -1, Total: -1}},
	}
	if r.scan.kind() == kindObject {
		r.Object(r.member)
	} else {
		r.Skip()
	}
	if r.scan.peek(); r.scan.pos < len(body) {
		r.scan.fail("the end")
	}
	if err := r.scan.err; err != nil {
		return nil, nil, err
	}
	if !r.sawData {
		return nil, nil, ErrNotDocument
	}
	for _, s := range r.sinks { // only now: what a relationship points to may come later in the document
		s.resolve(&r.doc.Index)
	}
	return r.items, r.doc, nil
}

// reader is the state of one document being read.
type reader[T any] struct {
	Decoder
	primary *Type[T]
	keepRaw bool
	doc     *Document
	sawData bool
	odd     bool // the primary data hold something that is no resource
	items   []*T
	chunk   []T
	sinks   []sink
}

func (r *reader[T]) member(key []byte) {
	switch string(key) {
	case "data":
		r.data()
	case "included":
		if !r.Null() {
			r.Array(r.include)
		}
	case "links":
		r.links()
	case "meta":
		r.meta()
	default: // jsonapi and the like
		r.Skip()
	}
}

func (r *reader[T]) data() {
	r.sawData = true
	switch r.scan.kind() {
	case kindNull:
		r.Null()
		return
	case kindArray:
		// An odd element does not cost its neighbours, but a list of nothing else is not "no resources".
		if r.Array(r.item); r.odd && len(r.items) == 0 {
			r.scan.abort(ErrNotDocument)
		}
	case kindObject:
		r.item()
	default:
		r.scan.abort(ErrNotDocument)
	}
	r.doc.HasData = r.scan.err == nil
}

func (r *reader[T]) item() {
	if r.scan.kind() != kindObject {
		r.odd = true
		r.mismatch("a resource object")
		return
	}
	if len(r.chunk) == cap(r.chunk) {
		// A chunk holds several items by value: few allocations, and an item that the caller keeps keeps few others.
		r.chunk = make([]T, 0, min(16, 1+2*cap(r.chunk)))
	}
	r.chunk = r.chunk[:len(r.chunk)+1]
	v := &r.chunk[len(r.chunk)-1]
	if r.keep(&slot[T]{r.primary, v}) {
		r.items = append(r.items, v)
	}
}

func (r *reader[T]) include() {
	if r.scan.kind() != kindObject {
		r.mismatch("a resource object")
		return
	}
	r.keep(nil)
}

// keep reads a resource and remembers it for the index.
func (r *reader[T]) keep(to sink) bool {
	primary := to != nil
	if len(r.sinks) == maxResources {
		r.scan.abort(errTooMany)
		return false
	}
	to, id, v := r.resource(to, r.keepRaw)
	if v == nil {
		return false
	}
	r.doc.Index.add(Ref{id.Type, id.ID}, v, primary)
	r.sinks = append(r.sinks, to)
	return true
}

func (r *reader[T]) links() {
	l := &r.doc.Links
	if r.Null() {
		return
	}
	r.Object(func(key []byte) {
		var to *string
		switch string(key) {
		case "self":
			to = &l.Self
		case "current":
			to = &l.Current
		case "first":
			to = &l.First
		case "prev":
			to = &l.Prev
		case "next":
			to = &l.Next
		case "last":
			to = &l.Last
		default:
			r.Skip()
			return
		}
		*to, _ = r.String()
	})
}

func (r *reader[T]) meta() {
	if r.Null() {
		return
	}
	r.Object(func(key []byte) {
		var to *int
		switch string(key) {
		case "size":
			to = &r.doc.Meta.Size
		case "total":
			to = &r.doc.Meta.Total
		default: // meta.pagination repeats links and counts
			r.Skip()
			return
		}
		if n, ok := r.Int(); ok {
			*to = n
		}
	})
}

// Skip walks over one JSON value and keeps nothing. It is the bound that decoding is measured against.
func Skip(body []byte) error {
	s := scanner{data: body}
	s.skip()
	return s.err
}
