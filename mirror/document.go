package mirror

import (
	"encoding/json"
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

// UnmarshalJSON implements json.Unmarshaler.
func (r *resources) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		one := new(resource)
		*r = resources{one}
		return json.Unmarshal(data, one)
	}
	return json.Unmarshal(data, (*[]*resource)(r))
}

// ref identifies a resource.
type ref struct {
	Type string `json:"type"`
	ID   string `json:"id"`
}

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
	var members struct {
		ref
		Attributes    map[string]json.RawMessage `json:"attributes"`
		Relationships map[string]relationship    `json:"relationships"`
	}
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	*r = resource{members.ref, members.Attributes, members.Relationships, append(json.RawMessage(nil), data...)}
	return nil
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
	if one := new(ref); json.Unmarshal(r.Data, one) == nil && one.ID != "" {
		return []ref{*one}
	}
	_ = json.Unmarshal(r.Data, &list) // null names none
	return list
}
