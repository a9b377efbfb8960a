package mirror

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// digest identifies what a reading said of a resource.
func digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// difference is a member of a resource that two readings describe differently.
type difference struct {
	name     string
	old, new json.RawMessage // nil for null
	weight   weight
}

// weight is what a difference means.
type weight uint8

const (
	ofCheck  weight = iota // the service checked its sources
	ofFacts                // of links to facts, which have rows of their own
	ofChange               // a change of the resource
)

// weigh returns the greatest weight of differences.
func weigh(all []difference) (most weight) {
	for _, d := range all {
		most = max(most, d.weight)
	}
	return most
}

// checks are the attributes that change whenever the service checks its sources. A vessel moves
// all the time.
var checks = map[string]bool{
	"terminal_checked_at": true, "last_status_refresh_at": true,
	"pod_last_tracking_request_at": true, "shipment_last_tracking_request_at": true, "rail_last_tracking_request_at": true,
	"line_tracking_last_attempted_at": true, "line_tracking_last_succeeded_at": true,
	"vessel.latitude": true, "vessel.longitude": true, "vessel.positions": true, "vessel.position_timestamp": true,
	"vessel.nautical_speed_knots": true, "vessel.navigational_heading_degrees": true,
}

func weightOf(kind, name string) weight {
	switch {
	case checks[name] || checks[kind+"."+name]:
		return ofCheck
	case kind == "container" && (name == "transport_events" || name == "raw_events"):
		return ofFacts
	}
	return ofChange
}

// compare returns what now says differently from was, by name. What now does not mention is not
// different, nor is a relationship whose linkage was unknown.
func compare(was, now *resource) []difference {
	var all []difference
	for name, value := range now.Attributes {
		if old := was.Attributes[name]; !same(old, value) {
			all = append(all, difference{name, orNil(old), orNil(value), weightOf(now.Type, name)})
		}
	}
	for name, to := range now.Relationships {
		if old := was.Relationships[name].Data; to.Data != nil && old != nil && !sameLinkage(old, to.Data) {
			all = append(all, difference{name, orNil(old), orNil(to.Data), weightOf(now.Type, name)})
		}
	}
	slices.SortFunc(all, func(a, b difference) int { return cmp.Compare(a.name, b.name) })
	return all
}

// over returns what r says, and what was says besides: attributes that r does not mention, and
// linkage of relationships.
func (r *resource) over(was *resource) *resource {
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
	return r.with(attributes, relationships)
}

// put stores a member in a map, and makes the map if there is none.
func put[V any](m *map[string]V, name string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[name] = value
}

// with returns the resource with other attributes and relationships. Its other members stay.
func (r *resource) with(attributes map[string]json.RawMessage, relationships map[string]relationship) *resource {
	members := map[string]any{}
	var others map[string]json.RawMessage
	_ = json.Unmarshal(r.raw, &others) // it was read before
	for name, value := range others {
		members[name] = value
	}
	if attributes != nil {
		members["attributes"] = attributes
	}
	if relationships != nil {
		members["relationships"] = r.linked(others["relationships"], relationships)
	}
	return &resource{r.ref, attributes, relationships, encode(members)}
}

// linked returns the JSON of relationships: those of the resource as they were sent, the others
// with their linkage.
func (r *resource) linked(sent json.RawMessage, relationships map[string]relationship) map[string]json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(sent, &members)
	for name, to := range relationships {
		if !bytes.Equal(to.Data, r.Relationships[name].Data) {
			members[name] = encode(to)
		}
	}
	return members
}

// encode writes a value whose parts were JSON before.
func encode(v any) json.RawMessage {
	var to bytes.Buffer
	into := json.NewEncoder(&to)
	into.SetEscapeHTML(false)
	if err := into.Encode(v); err != nil {
		panic("mirror: " + err.Error())
	}
	return bytes.TrimSuffix(to.Bytes(), []byte("\n"))
}

// parse reads a resource from a column.
func parse(raw []byte) (*resource, error) {
	res := new(resource)
	return res, res.UnmarshalJSON(raw)
}

// orNil returns nil for null.
func orNil(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// same reports whether two JSON values are equal. Absent and null are equal.
func same(a, b json.RawMessage) bool {
	a, b = orNil(a), orNil(b)
	switch {
	case bytes.Equal(a, b):
		return true
	case a == nil || b == nil:
		return false
	case plainText(a) && plainText(b):
		return false
	}
	return equal(decode(a), decode(b))
}

// plainText reports whether a value is a text without escapes.
func plainText(a []byte) bool { return a[0] == '"' && bytes.IndexByte(a, '\\') < 0 }

func decode(a json.RawMessage) (v any) {
	from := json.NewDecoder(bytes.NewReader(a))
	from.UseNumber()
	_ = from.Decode(&v)
	return v
}

func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, is := b.(json.Number)
		return is && (a == b || equalNumbers(string(a), string(b)))
	case []any:
		b, is := b.([]any)
		return is && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, is := b.(map[string]any)
		return is && maps.EqualFunc(a, b, equal)
	}
	return a == b
}

// equalNumbers compares what databases write differently, such as 1e2 and 100.
func equalNumbers(a, b string) bool {
	if len(a) > 400 || len(b) > 400 {
		return false
	}
	x, isX := new(big.Float).SetPrec(2000).SetString(a)
	y, isY := new(big.Float).SetPrec(2000).SetString(b)
	return isX && isY && x.Cmp(y) == 0
}

// sameLinkage reports whether two relationships name the same resources, in any order.
func sameLinkage(a, b json.RawMessage) bool {
	if same(a, b) {
		return true
	}
	var x, y []ref
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil || len(x) != len(y) {
		return false
	}
	slices.SortFunc(x, byRef)
	slices.SortFunc(y, byRef)
	return slices.Equal(x, y)
}

func byRef(a, b ref) int { return cmp.Or(strings.Compare(a.Type, b.Type), strings.Compare(a.ID, b.ID)) }
