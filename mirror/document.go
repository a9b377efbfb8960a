package mirror

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// document is a response of the service, or the body of a notification. Its resources keep what the
// service sent.
type document struct {
	Data     resources `json:"data"`
	Included resources `json:"included"`
	Links    struct {
		Next string `json:"next"`
	} `json:"links"`
	Meta struct {
		Size  *int `json:"size"`
		Total *int `json:"total"`
	} `json:"meta"`
}

// all returns the resources of a document, those that it is about first.
func (d *document) all() []*resource { return append(d.Data[:len(d.Data):len(d.Data)], d.Included...) }

// resources is one resource, several or none.
type resources []*resource

// UnmarshalJSON implements json.Unmarshaler. It reads the JSON once: a mirror reads millions.
func (d *document) UnmarshalJSON(data []byte) (err error) {
	*d = document{}
	from := jsonapi.NewDecoder(bytes.Clone(data), "", nil)
	from.Object(func(member []byte) {
		switch string(member) {
		case "data":
			d.Data = readResources(from, &err)
		case "included":
			d.Included = readResources(from, &err)
		case "links":
			err = errors.Join(err, json.Unmarshal(from.Raw(), &d.Links))
		case "meta":
			err = errors.Join(err, json.Unmarshal(from.Raw(), &d.Meta))
		default:
			from.Skip()
		}
	})
	return errors.Join(err, from.End())
}

// readResources reads one resource, several or none.
func readResources(from *jsonapi.Decoder, err *error) (list resources) {
	read := func() {
		if from.Null() {
			return
		}
		one := new(resource)
		if !one.read(from) && *err == nil {
			*err = errNotResource
		}
		list = append(list, one)
	}
	if from.IsArray() {
		from.Elements(read)
	} else {
		read()
	}
	return list
}

var errNotResource = errors.New("mirror: a document has something that is not a resource")

// ref identifies a resource.
type ref = Ref

// resource is a resource object and its JSON.
type resource struct {
	ref
	Attributes    map[string]json.RawMessage
	Relationships map[string]relationship
	raw           json.RawMessage
}

// relationship is the linkage of a relationship: one or several resources, or null. It is nil if
// the service sent only links, and says nothing then.
type relationship struct {
	Data json.RawMessage `json:"data"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *resource) UnmarshalJSON(data []byte) error {
	from := jsonapi.NewDecoder(bytes.Clone(data), "", nil)
	if !r.read(from) && from.Err() == nil {
		return errNotResource
	}
	return from.End()
}

// read reads a resource, which keeps the bytes. It returns false if it is not an object.
func (r *resource) read(from *jsonapi.Decoder) (ok bool) {
	*r = resource{raw: from.Raw()}
	from.Again(r.raw, func() {
		ok = from.Object(func(member []byte) {
			switch string(member) {
			case "type":
				r.Type, _ = from.String()
			case "id":
				r.ID, _ = from.String()
			case "attributes":
				r.Attributes = readMembers(from, func() json.RawMessage { return from.Raw() })
			case "relationships":
				r.Relationships = readMembers(from, func() relationship { return readRelationship(from) })
			default:
				from.Skip()
			}
		})
	})
	return ok
}

func readMembers[V any](from *jsonapi.Decoder, read func() V) (members map[string]V) {
	from.Object(func(name []byte) {
		if members == nil {
			members = make(map[string]V, 16)
		}
		key := from.Text(name)
		members[key] = read()
	})
	return members
}

func readRelationship(from *jsonapi.Decoder) (to relationship) {
	from.Object(func(member []byte) {
		if string(member) == "data" {
			to.Data = from.Raw()
		} else {
			from.Skip()
		}
	})
	return to
}

// to returns what a relationship names: nil if it is null, absent or has several.
func (r *resource) to(relation string) *ref {
	var one *ref
	if json.Unmarshal(r.Relationships[relation].Data, &one) != nil {
		return nil
	}
	return one
}

// refs returns all that a relationship names.
func (r relationship) refs() (list []ref) {
	if one := new(ref); !bytes.HasPrefix(r.Data, []byte("[")) && json.Unmarshal(r.Data, one) == nil && one.ID != "" {
		return []ref{*one}
	}
	_ = json.Unmarshal(r.Data, &list) // null names none
	return list
}
