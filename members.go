package terminal49

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/go-freight/terminal49/internal/decimals"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/shopspring/decimal"
)

// described is a pointer to a resource or value object. members adds the wire name and the address
// of each of its attributes or members.
type described interface{ members(*jsonapi.Members) }

// decoded is a pointer to a member that reads itself.
type decoded interface{ decode(*jsonapi.Decoder) }

// relation is a relationship. It reads its linkage with the document and resolves its resources
// afterwards.
type relation interface {
	decoded
	resolve(*jsonapi.Index)
}

// model implements [jsonapi.Model] with the methods of the resource types: members, which is
// required, and relationships, finish and resolved.
type model struct{}

func (model) Members(v any, to *jsonapi.Members) {
	if v, ok := v.(described); ok {
		v.members(to)
	}
}

func (model) Relationships(v any, to *jsonapi.Members) {
	if v, ok := v.(interface{ relationships(*jsonapi.Members) }); ok {
		v.relationships(to)
	}
}

func (model) Finish(v any, id jsonapi.Identity) {
	v.(interface{ resource() *Resource }).resource().identify(id)
	if v, ok := v.(interface{ finish() }); ok {
		v.finish()
	}
}

func (model) Resolve(v any, relationships []any, ix *jsonapi.Index) {
	for _, r := range relationships {
		r.(relation).resolve(ix)
	}
	if v, ok := v.(interface{ resolved(*jsonapi.Index) }); ok {
		v.resolved(ix)
	}
}

// Reader returns the function that reads members like the one at an address. A value of the wrong
// kind leaves the member as it is.
func (model) Reader(at any) (read func(*jsonapi.Decoder, any), skipsNull bool) {
	switch at.(type) {
	case *string:
		return readString, true
	case *Time:
		return readTime, true
	case *decimal.Decimal:
		return readDecimal, true
	case *Secret:
		return readSecret, true
	case *RawJSON:
		return readRawJSON, false
	case decoded:
		return readDecoded, false
	}
	if reflect.TypeOf(at).Elem().Kind() == reflect.String {
		return readNamed, true
	}
	return readOther, false
}

func readRawJSON(d *jsonapi.Decoder, at any) { *at.(*RawJSON) = newRawJSON(d.Raw()) }

func readDecoded(d *jsonapi.Decoder, at any) { at.(decoded).decode(d) }

func readString(d *jsonapi.Decoder, at any) {
	if s, ok := d.String(); ok {
		*at.(*string) = s
	}
}

func readSecret(d *jsonapi.Decoder, at any) {
	if s, ok := d.String(); ok {
		*at.(*Secret) = NewSecret(s)
	}
}

// readNamed reads one of the types of text, such as ContainerStatus.
func readNamed(d *jsonapi.Decoder, at any) {
	if s, ok := d.String(); ok {
		reflect.ValueOf(at).Elem().SetString(s)
	}
}

// readOther reads the types for which null is a value, or means the zero value.
func readOther(d *jsonapi.Decoder, at any) {
	switch at := at.(type) {
	case *[]string:
		*at = d.Strings()
	case *bool:
		*at, _ = d.Bool()
	case *int:
		*at, _ = d.Int()
	case *float64:
		*at, _ = d.Float()
	case *Opt[bool]:
		readOpt(d, at, (*jsonapi.Decoder).Bool)
	case *Opt[int]:
		readOpt(d, at, (*jsonapi.Decoder).Int)
	case *Opt[float64]:
		readOpt(d, at, (*jsonapi.Decoder).Float)
	case *Opt[CarrierCandidate]:
		readOpt(d, at, readCandidate)
	case *json.RawMessage:
		readRaw(d, at)
	case *CustomFieldValue:
		if raw := d.Raw(); d.Err() == nil && at.UnmarshalJSON(raw) != nil {
			d.Warn("not JSON")
		}
	case *[]EventName:
		*at = eventNamesOf(d.Strings())
	}
}

func readOpt[V any](d *jsonapi.Decoder, at *Opt[V], read func(*jsonapi.Decoder) (V, bool)) {
	if d.Null() {
		*at = Null[V]()
	} else if value, ok := read(d); ok {
		*at = Some(value)
	}
}

// The largest degrees of a latitude and of a longitude. A coordinate beyond them is unknown: ships
// send 91 and 181 for a place that they do not know.
const (
	maxLatitude  = 90
	maxLongitude = 180
)

func readLatitude(d *jsonapi.Decoder, at any) { readDegrees(d, at, maxLatitude) }

func readLongitude(d *jsonapi.Decoder, at any) { readDegrees(d, at, maxLongitude) }

func readDegrees(d *jsonapi.Decoder, at any, most float64) {
	if d.Null() {
		*at.(*Opt[float64]) = Null[float64]()
	} else if degrees, ok, _ := d.Degrees(most); ok {
		*at.(*Opt[float64]) = Some(degrees)
	}
}

func readTime(d *jsonapi.Decoder, at any) {
	b, ok := d.Bytes()
	if !ok {
		return
	}
	if t, ok := parseTime(b); ok {
		*at.(*Time) = t
	} else {
		d.Warn("not a time")
	}
}

func readDecimal(d *jsonapi.Decoder, at any) {
	b, ok := d.Number()
	if !ok {
		return
	}
	n, err := decimals.Parse(string(b))
	if err != nil {
		d.Warn("%v", err)
		return
	}
	*at.(*decimal.Decimal) = n
}

// readRaw reads an object of no fixed form. Its bytes are copied.
func readRaw(d *jsonapi.Decoder, at *json.RawMessage) {
	switch raw := d.Raw(); {
	case bytes.HasPrefix(raw, []byte("{")):
		*at = bytes.Clone(raw)
	case !bytes.Equal(raw, []byte("null")):
		d.Warn("want an object")
	}
}

// unmarshalObject parses one value object with the table that reads it in documents. A member that
// a document would leave empty, with a warning, is an error.
func unmarshalObject[T any](data []byte, name string, members jsonapi.Table, v *T) error {
	var read T
	err := decodeObject(data, name, func(d *jsonapi.Decoder) { members.Read(d, &read) })
	if err == nil {
		*v = read
	}
	return err
}

func decodeObject(data []byte, name string, read func(*jsonapi.Decoder)) (err error) {
	d := jsonapi.NewDecoder(data, name, func(w jsonapi.Warning) {
		if err == nil {
			err = fmt.Errorf("terminal49: %s: %s", w.Field, w.Problem)
		}
	})
	if !d.Null() {
		read(d)
	}
	return cmp.Or(d.End(), err)
}

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

// unmarshalList parses a list of value objects. The result is nil for null.
func unmarshalList[T any](data []byte, members jsonapi.Table) (list []T, err error) {
	d := jsonapi.NewDecoder(data, "", nil)
	if d.Null() {
		return nil, d.End()
	}
	if !d.IsArray() {
		return nil, errNotList
	}
	members.ReadList(d, &list)
	return list, d.End()
}

var errNotList = errors.New("must be a list")
