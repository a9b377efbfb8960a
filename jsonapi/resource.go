package jsonapi

import (
	"bytes"
	"encoding/json"

	decoding "github.com/go-freight/terminal49/internal/jsonapi"
)

// Ref identifies a resource.
type Ref struct {
	Type string `json:"type"` // wire type, such as "container"
	ID   string `json:"id"`
}

// Resource is a resource object.
type Resource struct {
	Ref
	Attributes    map[string]json.RawMessage // as they were sent, by wire name
	Relationships map[string]Relationship    // by wire name
	Raw           json.RawMessage            // the whole object, as it was sent
}

// Relationship names the resources that a resource refers to. Data is a [Ref], a list of them or
// null, as it was sent; it is nil if the service sent only links, which leaves open what it names.
type Relationship struct {
	Data json.RawMessage `json:"data"`
}

// UnmarshalJSON implements json.Unmarshaler. It keeps a copy of data. JSON other than an object is
// an error.
func (r *Resource) UnmarshalJSON(data []byte) error {
	from := decoding.NewDecoder(bytes.Clone(data), "", nil)
	if !r.read(from) && from.Err() == nil {
		return errNotResource
	}
	return from.End()
}

// One returns what a relationship names. It returns false if the relationship is absent, null or
// names several.
func (r *Resource) One(relationship string) (Ref, bool) {
	var one *Ref
	if json.Unmarshal(r.Relationships[relationship].Data, &one) != nil || one == nil {
		return Ref{}, false
	}
	return *one, true
}

// Refs returns all that a relationship names.
func (r Relationship) Refs() (list []Ref) {
	var one Ref
	if !bytes.HasPrefix(r.Data, []byte("[")) && json.Unmarshal(r.Data, &one) == nil && one.ID != "" {
		return []Ref{one}
	}
	_ = json.Unmarshal(r.Data, &list) // null names none
	return list
}

// read reads a resource, which keeps the bytes. It returns false if the value is not an object.
func (r *Resource) read(from *decoding.Decoder) (ok bool) {
	*r = Resource{Raw: from.Raw()}
	from.Again(r.Raw, func() {
		ok = from.Object(func(member []byte) {
			switch string(member) {
			case "type":
				r.Type, _ = from.String()
			case "id":
				r.ID, _ = from.String()
			case "attributes":
				r.Attributes = readMembers(from, func() json.RawMessage { return from.Raw() })
			case "relationships":
				r.Relationships = readMembers(from, func() Relationship { return readRelationship(from) })
			default:
				from.Skip()
			}
		})
	})
	return ok
}

func readMembers[V any](from *decoding.Decoder, read func() V) (members map[string]V) {
	from.Object(func(name []byte) {
		if members == nil {
			members = make(map[string]V, 16)
		}
		key := from.Text(name)
		members[key] = read()
	})
	return members
}

func readRelationship(from *decoding.Decoder) (to Relationship) {
	from.Object(func(member []byte) {
		if string(member) == "data" {
			to.Data = from.Raw()
		} else {
			from.Skip()
		}
	})
	return to
}
