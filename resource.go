package terminal49

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/shopspring/decimal"
)

// Resource holds the members that all resources have; every resource type embeds it.
//
// The JSON of a resource is the service's JSON:API resource object, both ways: json.Marshal writes
// type, id, attributes and the linkage of relationships; json.Unmarshal reads that, the result of
// Raw, an element of a response's data, or a whole document with one resource, whose included
// resources it keeps. Anything else is an error. Marshal does not write included resources, secrets
// and Raw. Do not embed a resource in a struct that you store: its methods would ignore your
// fields.
type Resource struct {
	_    [0]func() // not comparable: == would compare pointers, and costs each program code
	ID   string    // usually a UUID; never empty in a response
	Type string    // wire type, such as "container"; rail ramps may be "rail_terminal" or "terminal"
	Self string    // links.self: a path on the service; "" for types without one
	// AsOf is the time since which the resource may have changed: the start of the request that read
	// it or, if a notification delivered it, the notification's CreatedAt. In UTC; zero if unknown.
	AsOf time.Time
	raw  conceal.Value[json.RawMessage] // may hold secrets
}

// Raw returns the resource's JSON as the service sent it, including members unknown to this
// package. It is nil unless the client or the call has the option [WithRawJSON], or the resource
// came with a notification. It may contain secrets, such as the secret of a [Webhook]; printing the
// resource does not show them. Two resources that keep their JSON are not equal for
// reflect.DeepEqual.
func (r *Resource) Raw() json.RawMessage {
	return r.raw.Get()
}

// String returns the type and the id, such as "shipment 02b1bd6f-407c-45bb-8645-06e7ee34e7e3". All
// resources print so, with %v and %+v too: their members are many, refer to other resources, and
// may be secret. The JSON of a resource has them, without the secrets.
func (r Resource) String() string {
	return printable(strings.TrimSpace(cmp.Or(r.Type, "resource") + " " + r.ID))
}

func (r *Resource) resource() *Resource { return r }

// identify sets the members that all resources have, as a document or stored JSON has them.
//
//go:noinline
func (r *Resource) identify(id jsonapi.Identity) {
	r.ID, r.Type, r.Self, r.AsOf = id.ID, id.Type, id.Self, id.AsOf
	if id.Raw != nil {
		r.raw = conceal.New(json.RawMessage(id.Raw))
	}
}

// RawJSON is a member of a resource whose form the service does not document, as compact JSON. It
// is "" if the member was missing or null. Decode it with json.Unmarshal([]byte(r), &v).
type RawJSON string

// newRawJSON returns data in the form in which encoding/json writes it, so that equal values remain
// equal when they are stored.
func newRawJSON(data []byte) RawJSON {
	text, err := canonical(data)
	if err != nil || text == "null" {
		return ""
	}
	return RawJSON(text)
}

func canonical(data []byte) (string, error) {
	var compact, escaped bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return "", err
	}
	json.HTMLEscape(&escaped, compact.Bytes())
	return escaped.String(), nil
}

// MarshalJSON returns the JSON, or null for "". Text that is not JSON is written as a string.
func (r RawJSON) MarshalJSON() ([]byte, error) {
	switch {
	case r == "":
		return []byte("null"), nil
	case json.Valid([]byte(r)):
		return []byte(r), nil
	}
	return json.Marshal(string(r))
}

// UnmarshalJSON keeps a value of any form. Null becomes "".
func (r *RawJSON) UnmarshalJSON(data []byte) error {
	*r = newRawJSON(data)
	return nil
}

// UnknownResource is a resource of a type unknown to this version. Its JSON is the resource object,
// both ways.
type UnknownResource struct {
	Resource
	Attributes    json.RawMessage // as sent; nil if missing
	Relationships json.RawMessage // as sent; nil if missing

	shipment  ToOne[*Shipment] // included with the reference object of a notification
	container ToOne[*Container]
}

// resourceType is a pointer to a resource struct T.
type resourceType[T any] interface {
	*T
	described
	resource() *Resource
}

func newUnknownResource(id jsonapi.Identity, attributes, relationships []byte) any {
	u := &UnknownResource{Attributes: attributes, Relationships: relationships}
	u.identify(id)
	return u
}

// registry contains the resource types that a response may include. It is immutable.
var registry = newRegistry()

func newRegistry() *jsonapi.Registry {
	r := jsonapi.NewRegistry(model{}, newUnknownResource)
	registerTypes(r)
	return r
}

// isOther reports whether the type of a resource is the name of another type than its Go type. Two
// types have further names in the service's OpenAPI document: search hits those of what they found,
// and containers that of accounts.
func isOther(v any) bool {
	typ := resourceOf(v).Type
	switch v := v.(type) {
	case *SearchHit:
		if v.EntityType != "" || v.Kind().Known() {
			return false
		}
	case *Container:
		if typ == "account" {
			return false
		}
	}
	return registry.IsOther(typ, v)
}

// isKnown implements the Known methods of the open enumerations. They are open because the service
// adds values without notice.
func isKnown[S ~string](s S, values []S) bool { return slices.Contains(values, s) }

// logJSON returns the JSON form of a value for structured logs, so that logs and JSON show the
// same. An object becomes a group with its members in order; a list stays JSON.
func logJSON(v any) slog.Value {
	data, err := json.Marshal(v)
	if err != nil {
		return slog.StringValue(err.Error())
	}
	switch data[0] {
	case '[':
		return slog.AnyValue(json.RawMessage(data))
	case '{':
		return slog.GroupValue(logMembers(data)...)
	}
	var scalar any
	_ = json.Unmarshal(data, &scalar) // valid: it was just encoded
	return slog.AnyValue(scalar)
}

func logMembers(object []byte) (members []slog.Attr) {
	d := json.NewDecoder(bytes.NewReader(object))
	_, _ = d.Token() // the opening brace
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
		members = append(members, slog.Attr{Key: name.(string), Value: logJSON(value)})
	}
	return members
}

// errComputed is the error of UnmarshalJSON for a result that cannot be read back. Null is ignored,
// as by all types.
func errComputed(data []byte, name, instead string) error {
	if string(data) == "null" {
		return nil
	}
	return &ArgumentError{Op: "UnmarshalJSON", Field: name, Problem: "is computed: " + instead}
}

// notNil returns list, or an empty list for nil, which JSON would show as null.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// storedMeta is the meta member of a resource in JSON. It holds what the service's form has no
// place for.
type storedMeta struct {
	AsOf time.Time `json:"as_of,omitzero"`
	// Zones are the labels of the zones, by path, of times for which reading finds another one, such
	// as those that came from included resources.
	Zones map[string]string `json:"zones,omitempty"`
}

// storable returns the zero time instead of one that JSON cannot hold, such as one in the year
// 10000 of UTC: a notification may state any.
func storable(t time.Time) time.Time {
	if _, err := t.MarshalJSON(); err != nil {
		return time.Time{}
	}
	return t
}

// marshalResource returns v, a pointer to a resource, as a JSON:API resource object.
func marshalResource(v any) ([]byte, error) {
	r := resourceOf(v)
	data, err := registry.Encode(v, jsonapi.Identity{ID: r.ID, Type: r.Type, Self: r.Self}, marshalMember)
	if err != nil {
		return nil, fmt.Errorf("terminal49: %w", err)
	}
	meta := storedMeta{AsOf: storable(r.AsOf), Zones: map[string]string{}}
	read, _, err := readStored(append(data, '}'), v)
	if err != nil {
		return nil, err
	}
	registry.EachValue(v, read, func(path string, a, b any) {
		if t, ok := a.(*Time); ok && t.zoneLabel() != b.(*Time).zoneLabel() {
			meta.Zones[path] = t.zoneLabel()
		}
	})
	if added, err := json.Marshal(meta); err != nil {
		return nil, err
	} else if string(added) != "{}" {
		data = append(append(data, `,"meta":`...), added...)
	}
	return append(data, '}'), nil
}

// marshalMember returns the value at an address as the service writes it.
func marshalMember(at any) ([]byte, error) {
	switch at := at.(type) {
	case *Time:
		return json.Marshal(at.wireText())
	case *decimal.Decimal: // a JSON number: decimal would write a string
		return []byte(at.String()), nil
	case *ImportDeadlines:
		return jsonapi.EncodeObject(deadlineMembers, at, marshalMember)
	}
	return json.Marshal(at)
}

// unmarshalResource sets v, a pointer to a resource, from a resource object or from a document with
// one. It returns an error, and leaves v unchanged, for anything else and for a member that cannot
// be read. Null is ignored.
func unmarshalResource(data []byte, v any) error {
	if string(data) == "null" {
		return nil
	}
	read, stored, err := readStored(data, v)
	if err != nil {
		return err
	}
	var meta storedMeta
	if len(stored) > 0 && json.Unmarshal(stored, &meta) != nil {
		return &storedError{v, errors.New("meta must be an object with as_of, a time, and zones, an object of strings")}
	}
	resourceOf(read).AsOf = meta.AsOf
	if len(meta.Zones) > 0 {
		registry.EachValue(read, read, func(path string, at, _ any) {
			zone, stored := meta.Zones[path]
			if t, ok := at.(*Time); ok && stored {
				t.setZoneLabel(zone)
			}
		})
	}
	reflect.ValueOf(v).Elem().Set(reflect.ValueOf(read).Elem())
	return nil
}

// MarshalJSON returns the JSON:API resource object.
func (u UnknownResource) MarshalJSON() ([]byte, error) {
	type links struct {
		Self string `json:"self,omitempty"`
	}
	return json.Marshal(struct {
		Type          string          `json:"type"`
		ID            string          `json:"id"`
		Attributes    json.RawMessage `json:"attributes,omitempty"`
		Relationships json.RawMessage `json:"relationships,omitempty"`
		Links         links           `json:"links,omitzero"`
		Meta          storedMeta      `json:"meta,omitzero"`
	}{u.Type, u.ID, u.Attributes, u.Relationships, links{u.Self}, storedMeta{AsOf: storable(u.AsOf)}})
}

// UnmarshalJSON parses a JSON:API resource object of any type.
func (u *UnknownResource) UnmarshalJSON(data []byte) error {
	var read struct {
		Data                      json.RawMessage // of a document
		Type, ID                  string
		Attributes, Relationships json.RawMessage
		Links                     struct{ Self string }
		Meta                      storedMeta
	}
	err := json.Unmarshal(data, &read)
	switch {
	case err != nil || string(data) == "null":
		return err
	case read.Data != nil:
		return u.UnmarshalJSON(read.Data)
	case read.Type == "":
		return &storedError{u, errNotResource}
	}
	*u = UnknownResource{Attributes: read.Attributes, Relationships: read.Relationships}
	u.identify(jsonapi.Identity{Type: read.Type, ID: read.ID, Self: read.Links.Self, AsOf: read.Meta.AsOf})
	return nil
}

var errNotResource = errors.New(`it must be a resource object with a member "type", or a document with one`)

// readStored reads a new resource of the type of v, and its meta member.
func readStored(data []byte, v any) (read any, meta []byte, err error) {
	var odd error
	read, meta, err = registry.Stored(data, v, func(w jsonapi.Warning) {
		if odd == nil {
			odd = fmt.Errorf("%s: %s", cmp.Or(w.Field, "a member"), w.Problem)
		}
	})
	switch {
	case err == nil && odd != nil:
		err = odd
	case err == nil && resourceOf(read).Type == "":
		err = errNotResource
	case err == nil && isOther(read):
		err = fmt.Errorf("it is a %.40q", resourceOf(read).Type)
	case err == nil:
		err = incomplete(read)
	}
	if err != nil {
		return nil, nil, &storedError{v, err}
	}
	return read, meta, nil
}

// storedError is the error of JSON that is not that of a resource. It quotes no value.
type storedError struct {
	of  any
	err error
}

// Error names the type and the problem.
func (e *storedError) Error() string {
	return "terminal49: JSON of a " + reflect.TypeOf(e.of).Elem().Name() + ": " + e.err.Error()
}

// Unwrap returns the problem.
func (e *storedError) Unwrap() error { return e.err }
