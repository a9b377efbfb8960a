package terminal49

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// RelationshipState describes how much of a relationship a response contains.
type RelationshipState uint8

// The values of RelationshipState.
const (
	RelationshipAbsent   RelationshipState = iota // nothing
	RelationshipNull                              // null or an empty list: no resource is related
	RelationshipLinked                            // the id, but not the resource
	RelationshipIncluded                          // the id and the resource
)

// String returns "absent", "null", "linked" or "included".
func (s RelationshipState) String() string {
	return [...]string{"absent", "null", "linked", "included"}[s]
}

// ToOne is a relationship to at most one resource. V is a pointer to a resource, such as *[Port],
// or an interface, such as [Place], if several types are possible.
//
// It holds only what the response contains: the id if the response linked the resource, and the
// value only if the response included it, as selected by Include in the request's params. It never
// fetches the resource.
type ToOne[V any] struct {
	ref   jsonapi.Ref
	state RelationshipState
	value V
}

// Included returns a relationship to an included resource, for building values in tests. If v is
// nil, the relationship is linked only.
func Included[V any](id string, v V) ToOne[V] {
	r := ToOne[V]{ref: jsonapi.Ref{ID: id}, state: RelationshipLinked}
	if of := resourceOf(v); of != nil {
		r.ref.Type, r.state, r.value = of.Type, RelationshipIncluded, v
	}
	return r
}

// Linked returns a relationship to a resource that is not included, for building values in tests.
// typ is the resource type on the wire, such as "terminal".
func Linked[V any](typ, id string) ToOne[V] {
	return ToOne[V]{ref: jsonapi.Ref{Type: typ, ID: id}, state: RelationshipLinked}
}

// NotRelated returns a relationship that is null, for building values in tests.
func NotRelated[V any]() ToOne[V] { return ToOne[V]{state: RelationshipNull} }

// resourceOf returns the [Resource] embedded in v, or nil if v is nil or not a resource.
func resourceOf(v any) *Resource {
	r, ok := v.(interface{ resource() *Resource })
	if at := reflect.ValueOf(v); !ok || at.Kind() == reflect.Pointer && at.IsNil() {
		return nil
	}
	return r.resource()
}

// Value returns the resource, or false if the response did not include it.
func (r ToOne[V]) Value() (V, bool) { return r.value, r.state == RelationshipIncluded }

// ID returns the id of the resource, or "" if the relationship is absent or null.
func (r ToOne[V]) ID() string { return r.ref.ID }

// Type returns the resource type on the wire, such as "terminal" or "rail_terminal". It is "" if
// the relationship is absent or null, and if [Included] made it from a resource without a Type.
func (r ToOne[V]) Type() string { return r.ref.Type }

// State returns what the response contains of the relationship.
func (r ToOne[V]) State() RelationshipState { return r.state }

// MarshalJSON returns the linkage, {"type": …, "id": …} or null, without the resource.
func (r ToOne[V]) MarshalJSON() ([]byte, error) {
	return marshalLinkage(r.ref, r.state)
}

// marshalLinkage and the methods below are not inlined: Go would compile them again for each V.
//
//go:noinline
func marshalLinkage(ref jsonapi.Ref, state RelationshipState) ([]byte, error) {
	if state < RelationshipLinked {
		return []byte("null"), nil
	}
	id := resourceID(ref)
	if err := id.check(); err != nil {
		return nil, err
	}
	return json.Marshal(id)
}

// UnmarshalJSON parses what MarshalJSON returns. Null becomes a relationship that is null.
func (r *ToOne[V]) UnmarshalJSON(data []byte) (err error) {
	var ref *resourceID
	if err = json.Unmarshal(data, &ref); err != nil {
		return err
	}
	if *r = NotRelated[V](); ref != nil {
		*r, err = Linked[V](ref.Type, ref.ID), ref.check()
	}
	return err
}

// decode sets r from a relationship object.
//
//go:noinline
func (r *ToOne[V]) decode(d *jsonapi.Decoder) {
	sent, found := d.ReadOne()
	switch {
	case !found:
	case sent.Null:
		r.state = RelationshipNull
	default:
		r.ref, r.state = sent.Ref, RelationshipLinked
	}
}

// resolve sets the value if the document includes the resource as a V.
//
//go:noinline
func (r *ToOne[V]) resolve(ix *jsonapi.Index) {
	if r.state != RelationshipLinked {
		return
	}
	if v, ok := ix.Lookup(r.ref).(V); ok {
		r.value, r.state = v, RelationshipIncluded
	}
}

// ToMany is a relationship to any number of resources. V is a pointer to a resource, such as
// *[Container]. Like [ToOne], it holds only what the response contains.
type ToMany[V any] struct {
	refs   jsonapi.Refs
	values []V
	state  RelationshipState
}

// IncludedAll returns a relationship to included resources, for building values in tests. Without
// values, the relationship is empty.
func IncludedAll[V any](values ...V) ToMany[V] {
	if len(values) == 0 {
		return ToMany[V]{state: RelationshipNull}
	}
	refs := make([]jsonapi.Ref, len(values))
	for i, v := range values {
		if of := resourceOf(v); of != nil {
			refs[i] = jsonapi.Ref{Type: of.Type, ID: of.ID}
		}
	}
	return ToMany[V]{refs: jsonapi.RefsOf(refs...), values: values, state: RelationshipIncluded}
}

// LinkedAll returns a relationship to resources that are not included, for building values in
// tests. typ is the resource type on the wire, such as "container".
func LinkedAll[V any](typ string, ids ...string) ToMany[V] {
	if len(ids) == 0 {
		return ToMany[V]{state: RelationshipNull}
	}
	refs := make([]jsonapi.Ref, len(ids))
	for i, id := range ids {
		refs[i] = jsonapi.Ref{Type: typ, ID: id}
	}
	return ToMany[V]{refs: jsonapi.RefsOf(refs...), state: RelationshipLinked}
}

// IDs returns the ids of the resources in the service's order. It is nil if the relationship is
// absent, and empty but not nil if there are no resources.
func (r ToMany[V]) IDs() []string {
	if r.state == RelationshipAbsent {
		return nil
	}
	refs := r.refs.List()
	ids := make([]string, len(refs))
	for i, ref := range refs {
		ids[i] = ref.ID
	}
	return ids
}

// Len returns the number of linked resources, included or not.
func (r ToMany[V]) Len() int { return r.refs.Len() }

// Values returns the included resources in the service's order. complete reports whether the
// response contains the relationship and included all of its resources.
func (r ToMany[V]) Values() (values []V, complete bool) {
	return r.values, r.state != RelationshipAbsent && len(r.values) == r.refs.Len()
}

// State returns what the response contains of the relationship. It is RelationshipNull if the
// relationship is empty and RelationshipIncluded only if every resource is included.
func (r ToMany[V]) State() RelationshipState { return r.state }

// MarshalJSON returns the linkage, an array of {"type": …, "id": …}, or null if the relationship is
// absent.
func (r ToMany[V]) MarshalJSON() ([]byte, error) {
	if r.state == RelationshipAbsent {
		return []byte("null"), nil
	}
	refs := r.refs.List()
	ids := make([]resourceID, len(refs))
	for i, ref := range refs {
		ids[i] = resourceID(ref)
	}
	return json.Marshal(ids)
}

// UnmarshalJSON parses what MarshalJSON returns. Null becomes an absent relationship.
func (r *ToMany[V]) UnmarshalJSON(data []byte) (err error) {
	var ids []resourceID
	if err = json.Unmarshal(data, &ids); err != nil {
		return err
	}
	if *r = (ToMany[V]{}); ids != nil {
		r.state = RelationshipNull
	}
	refs := make([]jsonapi.Ref, len(ids))
	for i, id := range ids {
		refs[i], r.state = jsonapi.Ref(id), RelationshipLinked
		err = cmp.Or(err, id.check())
	}
	r.refs = jsonapi.RefsOf(refs...)
	return err
}

func (r *ToMany[V]) decode(d *jsonapi.Decoder) {
	refs, found := d.ReadMany()
	switch {
	case !found:
	case refs == "":
		r.state = RelationshipNull
	default:
		r.refs, r.state = refs, RelationshipLinked
	}
}

func (r *ToMany[V]) resolve(ix *jsonapi.Index) {
	if r.state != RelationshipLinked {
		return
	}
	ix.EachOf(r.refs, func(v any) {
		if v, ok := v.(V); ok {
			r.values = append(r.values, v)
		}
	})
	if len(r.values) == r.refs.Len() {
		r.state = RelationshipIncluded
	}
}

type resourceID struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

// check returns an error for a resource that nothing can be read back from.
func (r resourceID) check() error {
	if r.ID == "" {
		return errors.New("terminal49: the related resource has no id")
	}
	return nil
}
