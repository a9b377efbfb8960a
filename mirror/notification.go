package mirror

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// notification is the body of a notification as the mirror uses it.
type notification struct {
	facts, provisional []*resource
	named              []ref // those that may have to be read
	about              ref   // its reference object
}

// moving are the types of resources whose state a notification may be about.
var moving = map[string]bool{"shipment": true, "container": true, "tracking_request": true, "document": true, "custom_field": true}

// minimal reports whether it names nothing that can be read, as an event without relationships.
func (n *notification) minimal() bool {
	return !slices.ContainsFunc(n.named, func(r ref) bool { return moving[r.Type] })
}

// parseNotification reads a body. It marks what the notification, its reference object, and
// included events and resources of unknown types name, and what is included. An included shipment
// also links all its other containers: these are not marked.
func parseNotification(body []byte) (*notification, error) {
	var doc struct {
		Data     json.RawMessage
		Included []json.RawMessage
	}
	if body == nil { // it was forgotten
		return &notification{}, nil
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return nil, fmt.Errorf("the body is not a JSON:API document: %w", err)
	}
	n := &notification{about: aboutOf(doc.Data)}
	n.follow(doc.Data)
	for _, raw := range doc.Included {
		n.include(raw)
	}
	return n, nil
}

// aboutOf returns what a notification is about. Those about documents have another relationship.
func aboutOf(raw json.RawMessage) (about ref) {
	res := new(resource)
	if json.Unmarshal(raw, res) != nil {
		return about
	}
	for _, relation := range []string{"reference_object", "document"} {
		if to := res.to(relation); to != nil {
			return *to
		}
	}
	return about
}

func (n *notification) include(raw json.RawMessage) {
	res := new(resource)
	if json.Unmarshal(raw, res) != nil {
		n.follow(raw)
		return
	}
	n.name(res.ref)
	table := tableOf(res.Type)
	switch {
	case table == nil || !keepable(res.ID):
	case table.facts():
		n.facts = append(n.facts, res)
	default:
		n.provisional = append(n.provisional, res)
	}
	if table == nil || table.facts() || res.ref == n.about {
		n.follow(raw)
	}
}

func (n *notification) follow(raw json.RawMessage) {
	for _, to := range linksOf(raw) {
		n.name(to)
	}
}

// name notes a resource that may have to be read: one with a table that is not a fact.
func (n *notification) name(to ref) {
	if table := tableOf(to.Type); table != nil && !table.facts() && keepable(to.ID) {
		n.named = append(n.named, to)
	}
}

// linksOf returns the resources that the relationships of a resource name, in whatever form.
func linksOf(raw json.RawMessage) (list []ref) {
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
				list = append(list, ref{typ, id})
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
