package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Notification is the body of a notification as the mirror uses it.
type Notification struct {
	Facts, Provisional []*Resource
	Named              []Ref // those that may have to be read
	about              Ref   // its reference object
}

// Minimal reports whether it names nothing that can be read, as an event without relationships.
func (n *Notification) Minimal() bool {
	return !slices.ContainsFunc(n.Named, func(r Ref) bool { return Kinds[r.Type].Moving })
}

// ParseNotification parses a body. Named has all included resources. It also has what the
// notification, its reference object, and included facts and resources of unknown types link to.
// Links of other included resources are ignored: an included shipment links all its containers.
func ParseNotification(body []byte) (*Notification, error) {
	var doc struct {
		Data     json.RawMessage
		Included []json.RawMessage
	}
	if body == nil { // it was forgotten
		return &Notification{}, nil
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, fmt.Errorf("the body is not a JSON:API document: %w", err)
	}
	n := &Notification{about: AboutOf(doc.Data)}
	n.follow(doc.Data)
	for _, raw := range doc.Included {
		n.include(raw)
	}
	return n, nil
}

// AboutOf returns the resource that a notification is about. A notification about a document names
// it in another relationship.
func AboutOf(raw json.RawMessage) (about Ref) {
	res := new(Resource)
	if json.Unmarshal(raw, res) != nil {
		return about
	}
	for _, relation := range []string{"reference_object", "document"} {
		if to, ok := res.One(relation); ok {
			return to
		}
	}
	return about
}

func (n *Notification) include(raw json.RawMessage) {
	res := new(Resource)
	if json.Unmarshal(raw, res) != nil {
		n.follow(raw)
		return
	}
	n.name(res.Ref)
	switch {
	case !IsKept(res.Type) || !IsStorableID(res.ID):
	case IsFact(res.Type):
		n.Facts = append(n.Facts, res)
	default:
		n.Provisional = append(n.Provisional, res)
	}
	if !IsKept(res.Type) || IsFact(res.Type) || res.Ref == n.about {
		n.follow(raw)
	}
}

func (n *Notification) follow(raw json.RawMessage) {
	for _, to := range linksOf(raw) {
		n.name(to)
	}
}

// name notes a resource that may have to be read: one with a table that is not a fact.
func (n *Notification) name(to Ref) {
	if IsKept(to.Type) && !IsFact(to.Type) && IsStorableID(to.ID) {
		n.Named = append(n.Named, to)
	}
}

// linksOf returns the resources that the relationships of a resource name, in any form.
func linksOf(raw json.RawMessage) (list []Ref) {
	var res struct{ Relationships any }
	if json.Unmarshal(raw, &res) != nil {
		return nil
	}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			typ, _ := v["type"].(string)
			if id, _ := v["id"].(string); typ != "" && id != "" {
				list = append(list, Ref{Type: typ, ID: id})
				return
			}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(v[name])
			}
		}
	}
	walk(res.Relationships)
	return list
}
