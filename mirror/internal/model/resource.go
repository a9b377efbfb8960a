package model

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/jsonapi"
)

// The documents of the service, whose resources keep what it sent.
type (
	Document     = jsonapi.Document
	Resource     = jsonapi.Resource
	Relationship = jsonapi.Relationship
	Ref          = jsonapi.Ref
)

// Parse reads a resource from a column.
func Parse(raw []byte) (*Resource, error) {
	res := new(Resource)
	return res, res.UnmarshalJSON(raw)
}

// ObjectJSON returns the JSON of a resource object.
func ObjectJSON(of Ref, attributes map[string]json.RawMessage, relationships map[string]Relationship) json.RawMessage {
	data, err := json.Marshal(struct {
		Ref
		Attributes    map[string]json.RawMessage `json:"attributes,omitempty"`
		Relationships map[string]Relationship    `json:"relationships,omitempty"`
	}{of, attributes, relationships})
	if err != nil {
		panic(err) // its parts were JSON before
	}
	return data
}

// HasEvents reports whether a response has all transport events of a container in it.
func HasEvents(container *Resource, got []*Resource) bool {
	linked := container.Relationships["transport_events"]
	if linked.Data == nil { // not reported; then all or none are sent
		return slices.ContainsFunc(got, func(r *Resource) bool {
			to, ok := r.One("container")
			return r.Type == "transport_event" && ok && to == container.Ref
		})
	}
	for _, event := range linked.Refs() {
		if Find(got, event) == nil {
			return false
		}
	}
	return true
}

func Find(list []*Resource, what Ref) *Resource {
	for _, r := range list {
		if r.Ref == what {
			return r
		}
	}
	return nil
}

// Owners returns a resource and those that it belongs to.
func Owners(r *Resource) []Ref {
	all := []Ref{r.Ref}
	for _, relation := range []string{"shipment", "container", "tracked_object", "entity"} {
		if to, ok := r.One(relation); ok {
			all = append(all, to)
		}
	}
	return all
}

// NamedBy returns the resources that others name, each with the resource to be read for it: for a
// transport event, its container.
func NamedBy(list []*Resource) map[Ref]Ref {
	named := map[Ref]Ref{}
	for _, r := range list {
		for _, relation := range r.Relationships {
			for _, to := range relation.Refs() {
				switch {
				case !IsStorableID(to.ID):
				case Kinds[to.Type].Path != "":
					named[to] = to
				case to.Type == "transport_event" && r.Type == "container":
					named[to] = r.Ref
				}
			}
		}
	}
	return named
}

// LatestUpdate returns the latest updated_at of tracking requests; zero if there is none.
func LatestUpdate(listed []*Resource) (latest time.Time) {
	for _, r := range listed {
		if at := updatedAt(r); r.Type == "tracking_request" && at.After(latest) {
			latest = at
		}
	}
	return latest
}

// updatedAt is the attribute updated_at, in UTC; zero if there is none.
func updatedAt(r *Resource) time.Time {
	var at time.Time
	if json.Unmarshal(r.Attributes["updated_at"], &at) != nil {
		return time.Time{}
	}
	return at.UTC()
}

// AnyUpdatedBefore reports whether a list has a resource that its filter should have left out.
func AnyUpdatedBefore(listed []*Resource, since time.Time) bool {
	for _, r := range listed {
		if at := updatedAt(r); !at.IsZero() && at.Before(since.Add(-time.Second)) {
			return true
		}
	}
	return false
}

// HasNext reports whether a list may have another page: it links one, or the form of the link is
// unknown.
func HasNext(doc *Document) bool {
	return doc.NextPage != "" || slices.Contains(doc.Odd, "links.next") || slices.Contains(doc.Odd, "links")
}

// IsEmpty reports whether a page of a list has no elements, not even in an unknown form.
func IsEmpty(doc *Document) bool {
	return len(doc.Data) == 0 && !slices.ContainsFunc(doc.Odd, func(name string) bool { return strings.HasPrefix(name, "data[") })
}

// NoteUnusable adds resources that cannot be stored to what is odd in a document: those without a
// type, and those whose id no database has room for.
func NoteUnusable(doc *Document) {
	for _, r := range doc.All() {
		switch {
		case r.Type == "":
			doc.Odd = append(doc.Odd, "a resource without a type")
		case IsKept(r.Type) && !IsStorableID(r.ID):
			doc.Odd = append(doc.Odd, "a "+r.Type+" whose id is empty, longer than 200 bytes or has a NUL")
		}
	}
}

// LongestID is the length of the longest id that is stored, in bytes.
const LongestID = 200

// IsStorableID reports whether every database can store text as an id.
func IsStorableID(text string) bool {
	return text != "" && len(text) <= LongestID && !strings.Contains(text, "\x00")
}
