// Package wire writes JSON:API documents. Members keep their order, so that two runs produce the
// same bytes.
package wire

// Ref is a JSON:API resource identifier: {id, type}.
type Ref struct{ Kind, ID string }

// AppendTo writes the identifier; null without an id.
func (r Ref) AppendTo(b []byte) []byte {
	if r.ID == "" {
		return append(b, "null"...)
	}
	b = appendString(append(b, `{"id":`...), r.ID)
	b = appendString(append(b, `,"type":`...), r.Kind)
	return append(b, '}')
}

// Relation is a relationship: to-one, with a target that may be empty (null), or to-many.
type Relation struct {
	Name string
	One  Ref
	Many []Ref
	list bool
}

func ToOne(name, kind, id string) Relation { return Relation{Name: name, One: Ref{kind, id}} }

func ToMany(name, kind string, targetIDs []string) Relation {
	r := Relation{Name: name, list: true}
	for _, id := range targetIDs {
		r.Many = append(r.Many, Ref{kind, id})
	}
	return r
}

// Resource is a JSON:API resource, ready to be written.
type Resource struct {
	Ref
	Attributes Object
	Relations  []Relation
	Self       string // path of links.self; "" for types without one
}

// Targets returns what a relationship of the resource refers to.
func (r Resource) Targets(name string) (list []Ref) {
	for _, rel := range r.Relations {
		switch {
		case rel.Name != name:
		case rel.list:
			list = append(list, rel.Many...)
		default:
			list = append(list, rel.One)
		}
	}
	return list
}

// AppendTo writes the resource object.
func (r Resource) AppendTo(b []byte) []byte {
	b = appendString(append(b, `{"id":`...), r.ID)
	b = appendString(append(b, `,"type":`...), r.Kind)
	b = AppendJSON(append(b, `,"attributes":`...), r.Attributes)
	for i, rel := range r.Relations {
		if i == 0 {
			b = append(b, `,"relationships":{`...)
		} else {
			b = append(b, ',')
		}
		b = appendString(b, rel.Name)
		b = append(b, `:{"data":`...)
		if rel.list {
			b = appendList(b, rel.Many)
		} else {
			b = rel.One.AppendTo(b)
		}
		b = append(b, '}')
	}
	if len(r.Relations) > 0 {
		b = append(b, '}')
	}
	if r.Self != "" {
		b = append(appendString(append(b, `,"links":{"self":`...), r.Self), '}')
	}
	return append(b, '}')
}

// MarshalJSON allows a resource within any other value.
func (r Resource) MarshalJSON() ([]byte, error) { return r.AppendTo(nil), nil }

// Size is about how long the resource is when it is written.
func (r Resource) Size() int {
	n := 200 + 48*len(r.Attributes)
	for _, rel := range r.Relations {
		n += 64 + 72*max(len(rel.Many), 1)
	}
	return n
}
