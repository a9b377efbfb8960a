package model

import (
	"bytes"
	"encoding/json"
	"maps"
)

// Complete returns r with attributes and linkage from was where r has none.
func Complete(r, was *Resource) *Resource {
	attributes, relationships := maps.Clone(r.Attributes), maps.Clone(r.Relationships)
	more := false
	for name, value := range was.Attributes {
		if _, said := attributes[name]; !said {
			put(&attributes, name, value)
			more = true
		}
	}
	for name, to := range was.Relationships {
		if to.Data != nil && relationships[name].Data == nil {
			put(&relationships, name, to)
			more = true
		}
	}
	if !more {
		return r
	}
	return withMembers(r, attributes, relationships)
}

// put stores a member in a map, and makes the map if there is none.
func put[V any](m *map[string]V, name string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = value
}

// withMembers returns the resource with other attributes and relationships. Its other members stay.
func withMembers(r *Resource, attributes map[string]json.RawMessage, relationships map[string]Relationship) *Resource {
	members := map[string]any{}
	var others map[string]json.RawMessage
	_ = json.Unmarshal(r.Raw, &others) // it was read before
	for name, value := range others {
		members[name] = value
	}
	if attributes != nil {
		members["attributes"] = attributes
	}
	if relationships != nil {
		members["relationships"] = relationshipsJSON(r, others["relationships"], relationships)
	}
	return &Resource{Ref: r.Ref, Attributes: attributes, Relationships: relationships, Raw: Encode(members)}
}

// relationshipsJSON returns the JSON of relationships: those of the resource as they were sent, the
// others with their linkage.
func relationshipsJSON(r *Resource, sent json.RawMessage, relationships map[string]Relationship) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(sent, &members)
	for name, to := range relationships {
		if !bytes.Equal(to.Data, r.Relationships[name].Data) {
			members[name] = Encode(to)
		}
	}
	return members
}

// JoinFacts returns a fact with the attributes that only its copy has. If symmetric, neither is
// known to be newer: then a value wins over null, and the greater value over the smaller.
func JoinFacts(r, other *Resource, symmetric bool) *Resource {
	attributes, relationships := maps.Clone(r.Attributes), maps.Clone(r.Relationships)
	for name, value := range other.Attributes {
		if had, said := attributes[name]; !said || symmetric && wins(value, had) {
			put(&attributes, name, value)
		}
	}
	for name, to := range other.Relationships {
		if had := relationships[name].Data; to.Data != nil && (had == nil || symmetric && wins(to.Data, had)) {
			put(&relationships, name, to)
		}
	}
	if at := earlier(r.Attributes[invalidated], other.Attributes[invalidated]); at != nil {
		put(&attributes, invalidated, at)
	}
	if maps.EqualFunc(attributes, r.Attributes, bytesEqual) && maps.EqualFunc(relationships, r.Relationships, sameData) {
		return r
	}
	return withMembers(r, attributes, relationships)
}

func bytesEqual(a, b json.RawMessage) bool { return bytes.Equal(a, b) }

func sameData(a, b Relationship) bool { return bytes.Equal(a.Data, b.Data) }

// wins reports whether a is chosen if neither of two values is known to be newer.
func wins(a, b json.RawMessage) bool {
	return !Same(a, b) && (OrNil(b) == nil || OrNil(a) != nil && bytes.Compare(Plain(a), Plain(b)) > 0)
}

// invalidated is the attribute with the time at which an event was withdrawn. Once set, it stays.
const invalidated = "invalidated_at"

// KeepInvalidated returns r, withdrawn if was is withdrawn.
func KeepInvalidated(r, was *Resource) *Resource {
	at := earlier(r.Attributes[invalidated], was.Attributes[invalidated])
	if at == nil || bytes.Equal(at, r.Attributes[invalidated]) {
		return r
	}
	attributes := maps.Clone(r.Attributes)
	put(&attributes, invalidated, at)
	return withMembers(r, attributes, r.Relationships)
}

// earlier returns the first of two times of the service; nil if both are null.
func earlier(a, b json.RawMessage) json.RawMessage {
	a, b = OrNil(a), OrNil(b)
	if a == nil || b != nil && bytes.Compare(b, a) < 0 {
		return b
	}
	return a
}

// PlainFact returns a fact in one form: all copies with the same members have the same JSON.
func PlainFact(r *Resource) *Resource {
	relationships := map[string]Relationship{}
	for name, to := range r.Relationships {
		if to.Data != nil {
			relationships[name] = to
		}
	}
	raw := Encode(struct {
		Ref
		Attributes    map[string]json.RawMessage `json:"attributes"`
		Relationships map[string]Relationship    `json:"relationships"`
	}{r.Ref, r.Attributes, relationships})
	return &Resource{Ref: r.Ref, Attributes: r.Attributes, Relationships: relationships, Raw: Plain(raw)}
}
