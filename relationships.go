package terminal49

import (
	"encoding/json"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// RelationshipState says what a response told about a relationship.
type RelationshipState uint8

const (
	RelationshipAbsent   RelationshipState = iota // the response did not mention it
	RelationshipNull                              // mentioned: there is none
	RelationshipLinked                            // the id is known, the resource was not included
	RelationshipIncluded                          // the resource came with the response
)

// String returns absent, null, linked or included.
func (s RelationshipState) String() string {
	return [...]string{"absent", "null", "linked", "included"}[s]
}

// ToOne is a relationship to at most one resource. It tells only what the response said: the id is there when the
// response linked the resource, and the value only if the response included it (ask with the Include field of the
// request's params). Nothing is fetched behind your back, and there are no half-filled stand-ins.
type ToOne[T any] struct{ link[*T] }

// Value returns the resource; false if the response did not include it.
func (r ToOne[T]) Value() (*T, bool) { return r.value, r.state == RelationshipIncluded }

// ToPlace is a relationship to at most one place: a port or a metro area.
type ToPlace struct{ link[Place] }

// Value returns the place, a *[Port], *[MetroArea] or *[UnknownResource]; false if the response did not include it.
func (r ToPlace) Value() (Place, bool) { return r.value, r.state == RelationshipIncluded }

// Included returns a relationship to a resource that is at hand, for building values in tests. With a nil resource it
// is linked only.
func Included[T any](id string, v *T) ToOne[T] {
	ref := refOf(v)
	ref.ID = id
	if v == nil {
		return ToOne[T]{link[*T]{ref: ref, state: RelationshipLinked}}
	}
	return ToOne[T]{link[*T]{ref: ref, state: RelationshipIncluded, value: v}}
}

// refOf returns the type and id that a resource struct carries.
func refOf[T any](v *T) (ref jsonapi.Ref) {
	if r, ok := any(v).(interface{ resource() *Resource }); ok && v != nil {
		ref = jsonapi.Ref{Type: r.resource().Type, ID: r.resource().ID}
	}
	return ref
}

// link is what the to-one relationships have in common.
type link[V any] struct {
	ref   jsonapi.Ref
	state RelationshipState
	value V
}

// ID returns the id of the resource, "" if there is none or the response did not say.
func (l link[V]) ID() string { return l.ref.ID }

// Type returns the resource type on the wire, such as "terminal" or "rail_terminal"; "" like ID.
func (l link[V]) Type() string { return l.ref.Type }

// State tells whether the response did not mention the relationship, said there is none, linked it or included it.
func (l link[V]) State() RelationshipState { return l.state }

// MarshalJSON writes the linkage: {"type": …, "id": …} or null.
func (l link[V]) MarshalJSON() ([]byte, error) {
	if l.state < RelationshipLinked {
		return []byte("null"), nil
	}
	return json.Marshal(resourceID{l.ref.Type, l.ref.ID})
}

type resourceID struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// read sets l from a relationship object.
func (l *link[V]) read(d *jsonapi.Decoder) {
	sent, found := d.ReadOne()
	switch {
	case !found:
	case sent.Null:
		l.state = RelationshipNull
	default:
		l.ref, l.state = sent.Ref, RelationshipLinked
	}
}

// resolve makes l included if the document carried the resource as a V.
func (l *link[V]) resolve(ix *jsonapi.Index) {
	if l.state != RelationshipLinked || !ix.Has(l.ref.Type) {
		return
	}
	if v, ok := ix.Lookup(l.ref).(V); ok {
		l.value, l.state = v, RelationshipIncluded
	}
}

// ToMany is a relationship to any number of resources. Like [ToOne] it tells only what the response said.
type ToMany[T any] struct {
	refs   []jsonapi.Ref
	values []*T
	state  RelationshipState
}

// IncludedAll returns a relationship to resources that are at hand, for building values in tests.
func IncludedAll[T any](values ...*T) ToMany[T] {
	if len(values) == 0 {
		return ToMany[T]{state: RelationshipNull}
	}
	r := ToMany[T]{values: values, state: RelationshipIncluded}
	for _, v := range values {
		r.refs = append(r.refs, refOf(v))
	}
	return r
}

// IDs returns the ids in the order the service sent them: nil if the response did not mention the relationship, empty
// but not nil if there are none.
func (r ToMany[T]) IDs() []string {
	if r.state == RelationshipAbsent {
		return nil
	}
	ids := make([]string, len(r.refs))
	for i, ref := range r.refs {
		ids[i] = ref.ID
	}
	return ids
}

// Len returns the number of linked resources, included or not.
func (r ToMany[T]) Len() int { return len(r.refs) }

// Values returns the resources that the response included, in order. It is true only if the response mentioned the
// relationship and included every resource of it; otherwise some or all are missing.
func (r ToMany[T]) Values() (values []*T, complete bool) {
	return r.values, r.state != RelationshipAbsent && len(r.values) == len(r.refs)
}

// State is RelationshipNull for an empty relationship and RelationshipIncluded when every resource was included.
func (r ToMany[T]) State() RelationshipState { return r.state }

// MarshalJSON writes the linkage as an array, or null if the response did not mention the relationship.
func (r ToMany[T]) MarshalJSON() ([]byte, error) {
	if r.state == RelationshipAbsent {
		return []byte("null"), nil
	}
	ids := make([]resourceID, len(r.refs))
	for i, ref := range r.refs {
		ids[i] = resourceID{ref.Type, ref.ID}
	}
	return json.Marshal(ids)
}

func (r *ToMany[T]) read(d *jsonapi.Decoder) {
	refs, found := d.ReadMany()
	switch {
	case !found:
	case len(refs) == 0:
		r.state = RelationshipNull
	default:
		r.refs, r.state = refs, RelationshipLinked
	}
}

func (r *ToMany[T]) resolve(ix *jsonapi.Index) {
	if r.state != RelationshipLinked {
		return
	}
	var typ string
	var included bool
	for i, ref := range r.refs { // mostly of one type, of which mostly nothing is included
		if i == 0 || ref.Type != typ {
			typ, included = ref.Type, ix.Has(ref.Type)
		}
		if !included {
			continue
		}
		if v, ok := ix.Lookup(ref).(*T); ok {
			r.values = append(r.values, v)
		}
	}
	if len(r.values) == len(r.refs) {
		r.state = RelationshipIncluded
	}
}
