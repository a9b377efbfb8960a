package terminal49

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A second reading of JSON:API documents, by encoding/json and as plainly as can be, for the fuzz targets to hold the
// decoder against. It knows none of the decoder's tables and none of its code.

// naiveObject are the members of an object, with every value that came under a name: of two, which one counts is
// nobody's promise.
type naiveObject map[string][]json.RawMessage

// readObject reads an object; nil for everything else.
func readObject(raw json.RawMessage) naiveObject {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	o := naiveObject{}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		o[name.(string)] = append(o[name.(string)], value)
	}
	return o
}

// once returns the value of a member that came exactly once.
func (o naiveObject) once(name string) (json.RawMessage, bool) {
	if len(o[name]) != 1 {
		return nil, false
	}
	return o[name][0], true
}

// repeats tells whether any of the names came twice.
func (o naiveObject) repeats(names ...string) bool {
	for _, name := range names {
		if len(o[name]) > 1 {
			return true
		}
	}
	return false
}

// textField is the member as a text, "" if there is none.
func (o naiveObject) text(name string) string {
	raw, _ := o.once(name)
	s, _ := readText(raw)
	return s
}

// readList reads the elements of an array; false for everything else.
func readList(raw json.RawMessage) (list []json.RawMessage, ok bool) {
	ok = len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &list) == nil
	return list, ok
}

// readText reads a string; a number counts as its digits.
func readText(raw json.RawMessage) (s string, ok bool) {
	if n, ok := readNumber(raw); ok {
		return n, true
	}
	ok = len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	return s, ok
}

// readNumber returns the digits of a number.
func readNumber(raw json.RawMessage) (string, bool) {
	if len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') {
		return string(raw), true
	}
	return "", false
}

// expected says what the decoder must have made of a value.
type expected uint8

const (
	mustBeEmpty expected = iota // null, or of another kind: nothing was read
	mustBeThis                  // both understand it
	either                      // the decoder reads more than JSON says, such as a number out of a text
)

// readDigits finds the number that a value spells, be it as a text.
func readDigits(raw json.RawMessage) (string, expected) {
	if n, ok := readNumber(raw); ok {
		if len(n) > 64 {
			return "", mustBeEmpty
		}
		return n, mustBeThis
	}
	s, ok := readText(raw)
	switch {
	case !ok || s == "" || len(s) > 64:
		return "", mustBeEmpty
	case strings.Trim(strings.TrimSpace(s), "+-.0123456789eE") != "": // nor is 0x10 a number, or 1_0
		return "", mustBeEmpty
	case !json.Valid([]byte(s)):
		return "", either // such as +5 or 010
	}
	if n, ok := readNumber(json.RawMessage(s)); ok {
		return n, mustBeThis
	}
	return "", mustBeEmpty // "true", "null": JSON, but no number
}

func readFloat(raw json.RawMessage) (float64, expected) {
	n, v := readDigits(raw)
	if v != mustBeThis {
		return 0, v
	}
	f, err := strconv.ParseFloat(n, 64)
	if err != nil { // beyond what a float64 holds
		return 0, mustBeEmpty
	}
	return f, mustBeThis
}

// readInt is exact: a number that is whole, however it is written.
func readInt(raw json.RawMessage) (int, expected) {
	n, v := readDigits(raw)
	if v != mustBeThis {
		return 0, v
	}
	if i, err := strconv.Atoi(n); err == nil {
		return i, mustBeThis
	}
	f, err := strconv.ParseFloat(n, 64)
	if err != nil || math.Abs(f) >= 1<<53 {
		return 0, mustBeEmpty
	}
	if math.Abs(f) < 1e-30 {
		return 0, either // too long to write out; zero unless it rounds to zero
	}
	exact, ok := new(big.Rat).SetString(n)
	switch {
	case !ok || !exact.IsInt() && f == math.Trunc(f):
		return 0, either
	case !exact.IsInt():
		return 0, mustBeEmpty
	}
	return int(exact.Num().Int64()), mustBeThis
}

// readAmount is exact; what is very large or small may be refused.
func readAmount(raw json.RawMessage) (*big.Rat, expected) {
	n, v := readDigits(raw)
	if v != mustBeThis {
		return nil, v
	}
	if i := strings.IndexAny(n, "eE"); i >= 0 {
		if e, err := strconv.Atoi(n[i+1:]); err != nil || e < -100 || e > 100 {
			return nil, mustBeEmpty
		}
		v = either
	} else if len(n) > 30 {
		v = either
	}
	exact, ok := new(big.Rat).SetString(n)
	if !ok {
		return nil, mustBeEmpty
	}
	return exact, v
}

// readMoment reads what both readers call a time: RFC 3339 and calendar days.
func readMoment(raw json.RawMessage) (at time.Time, day bool, v expected) {
	s, ok := readText(raw)
	if !ok || s == "" {
		return at, false, mustBeEmpty
	}
	if at, err := time.Parse(time.DateOnly, s); err == nil {
		return at, true, mustBeThis
	}
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return at, false, mustBeThis
	}
	return at, false, either
}

// naiveResource is a resource object.
type naiveResource struct {
	raw                       json.RawMessage
	typ, id, self             string
	attributes, relationships naiveObject
}

// readResource reads a resource object; false for what is none, or one in which a member came twice.
func readResource(raw json.RawMessage) (*naiveResource, bool) {
	o := readObject(raw)
	if o == nil || o.repeats("id", "type", "attributes", "relationships", "links") {
		return nil, false
	}
	r := &naiveResource{raw: raw, id: o.text("id"), typ: o.text("type")}
	for name, to := range map[string]*naiveObject{"attributes": &r.attributes, "relationships": &r.relationships} {
		value, _ := o.once(name)
		*to = readObject(value)
	}
	links, _ := o.once("links")
	self := readObject(links)
	if self.repeats("self") {
		return nil, false
	}
	r.self = self.text("self")
	return r, true
}

// naiveDocument is a document in which no member came twice.
type naiveDocument struct {
	primary  []*naiveResource
	included []*naiveResource
	links    naiveObject
	meta     naiveObject
}

// readDocument reads a document that the decoder understood; false if some member of it came twice.
func readDocument(body []byte) (*naiveDocument, bool) {
	root := readObject(body)
	if root.repeats("data", "included", "links", "meta") {
		return nil, false
	}
	doc := &naiveDocument{}
	data, _ := root.once("data")
	elements, ok := readList(data)
	if !ok {
		elements = []json.RawMessage{data}
	}
	included, _ := root.once("included")
	more, _ := readList(included)
	for _, part := range []struct {
		from []json.RawMessage
		to   *[]*naiveResource
	}{{elements, &doc.primary}, {more, &doc.included}} {
		for _, raw := range part.from {
			if len(raw) == 0 || raw[0] != '{' {
				continue // an odd element does not cost its neighbours
			}
			r, ok := readResource(raw)
			if !ok {
				return nil, false
			}
			*part.to = append(*part.to, r)
		}
	}
	links, _ := root.once("links")
	meta, _ := root.once("meta")
	doc.links, doc.meta = readObject(links), readObject(meta)
	return doc, true
}

// find returns the resource that a reference leads to: a primary one before an included one, the last of the primary
// ones, the first of the others.
func (d *naiveDocument) find(typ, id string) (found *naiveResource) {
	for _, r := range d.primary {
		if r.typ == typ && r.id == id {
			found = r
		}
	}
	for _, r := range d.included {
		if found == nil && r.typ == typ && r.id == id {
			found = r
		}
	}
	return found
}

// wireRef is a linkage.
type wireRef struct{ typ, id string }

// readLinkage reads a relationship object: what it points to, and whether it says so at all. The third result is false
// if a member came twice.
func readLinkage(raw json.RawMessage, many bool) (refs []wireRef, told, plain bool) {
	o := readObject(raw)
	if o.repeats("data", "id", "type") {
		return nil, false, false
	}
	if id := o.text("id"); id != "" { // the bare form
		return []wireRef{{o.text("type"), id}}, true, true
	}
	data, ok := o.once("data")
	if !ok {
		return nil, false, true
	}
	if string(data) == "null" {
		return nil, true, true
	}
	elements, isList := readList(data)
	if isList != many {
		return nil, false, true
	}
	if !isList {
		elements = []json.RawMessage{data}
	}
	for _, element := range elements {
		ref := readObject(element)
		if ref.repeats("id", "type") {
			return nil, false, false
		}
		if ref == nil && !many {
			return nil, false, true
		}
		if id := ref.text("id"); id != "" {
			refs = append(refs, wireRef{ref.text("type"), id})
		}
	}
	return refs, true, true
}

// isText: what is shown to people must be readable.
func isText(texts ...string) bool {
	for _, s := range texts {
		if !utf8.ValidString(s) {
			return false
		}
	}
	return true
}
