package terminal49

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// This file is the JSON form of resources: the service's own, written by the tables that read
// responses. Resource types have only the two methods that call it.

// storedMeta is the meta member of a resource in JSON. It holds what the service's form has no
// place for.
type storedMeta struct {
	AsOf time.Time `json:"as_of,omitzero"`
	// Zones are the labels of the zones, by path, of times for which reading finds another one, such
	// as those that came from included resources.
	Zones map[string]string `json:"zones,omitempty"`
}

// marshalResource returns v, a pointer to a resource, as a JSON:API resource object.
func marshalResource(v any) ([]byte, error) {
	r := resourceOf(v)
	data, err := registry.Encode(v, jsonapi.Identity{ID: r.ID, Type: r.Type, Self: r.Self}, marshalMember)
	if err != nil {
		return nil, fmt.Errorf("terminal49: %w", err)
	}
	meta := storedMeta{AsOf: r.AsOf, Zones: map[string]string{}}
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
	case *Deadlines:
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
	}{u.Type, u.ID, u.Attributes, u.Relationships, links{u.Self}, storedMeta{AsOf: u.AsOf}})
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
	case err == nil && registry.IsOther(resourceOf(read).Type, v):
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
