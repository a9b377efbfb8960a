// Package naive reads JSON:API documents with encoding/json, as plainly as possible. Fuzz targets
// compare the decoder with it. It shares neither tables nor code with the decoder.
package naive

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

// Object holds the members of an object, with every value of a repeated name, because JSON does not
// define which one counts.
type Object map[string][]json.RawMessage

// ReadObject reads an object; nil for everything else.
func ReadObject(raw json.RawMessage) Object {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	o := Object{}
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

// Once returns the value of a member that occurs exactly once.
func (o Object) Once(name string) (json.RawMessage, bool) {
	if len(o[name]) != 1 {
		return nil, false
	}
	return o[name][0], true
}

// Repeats reports whether any of the names occurs more than once.
func (o Object) Repeats(names ...string) bool {
	for _, name := range names {
		if len(o[name]) > 1 {
			return true
		}
	}
	return false
}

// Text is the member as a text, "" if there is none.
func (o Object) Text(name string) string {
	raw, _ := o.Once(name)
	s, _ := ReadText(raw)
	return s
}

// ReadList reads the elements of an array; false for everything else.
func ReadList(raw json.RawMessage) (list []json.RawMessage, ok bool) {
	ok = len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &list) == nil
	return list, ok
}

// ReadText reads a string; a number counts as its digits.
func ReadText(raw json.RawMessage) (s string, ok bool) {
	if n, ok := ReadNumber(raw); ok {
		return n, true
	}
	ok = len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	return s, ok
}

// ReadNumber returns the digits of a number.
func ReadNumber(raw json.RawMessage) (string, bool) {
	if len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') {
		return string(raw), true
	}
	return "", false
}

// Expected is the result that the decoder must have for a value.
type Expected uint8

// The values of Expected.
const (
	MustBeEmpty Expected = iota // null, or of another kind: nothing was read
	MustBeThis                  // both understand it
	Either                      // the decoder reads more than JSON states, such as a number in a text
)

// ReadDigits returns the digits of a number, which may be in a string.
func ReadDigits(raw json.RawMessage) (string, Expected) {
	if n, ok := ReadNumber(raw); ok {
		if len(n) > 64 {
			return "", MustBeEmpty
		}
		return n, MustBeThis
	}
	s, ok := ReadText(raw)
	switch {
	case !ok || s == "" || len(s) > 64:
		return "", MustBeEmpty
	case strings.Trim(strings.TrimSpace(s), "+-.0123456789eE") != "": // nor is 0x10 a number, or 1_0
		return "", MustBeEmpty
	case !json.Valid([]byte(s)):
		return "", Either // such as +5 or 010
	}
	if n, ok := ReadNumber(json.RawMessage(s)); ok {
		return n, MustBeThis
	}
	return "", MustBeEmpty // "true", "null": JSON, but no number
}

// ReadFloat reads a number, which a string may spell.
func ReadFloat(raw json.RawMessage) (float64, Expected) {
	n, v := ReadDigits(raw)
	if v != MustBeThis {
		return 0, v
	}
	f, err := strconv.ParseFloat(n, 64)
	if err != nil { // beyond what a float64 holds
		return 0, MustBeEmpty
	}
	return f, MustBeThis
}

// ReadInt reads a whole number exactly, in any notation.
func ReadInt(raw json.RawMessage) (int, Expected) {
	n, v := ReadDigits(raw)
	if v != MustBeThis {
		return 0, v
	}
	if i, err := strconv.Atoi(n); err == nil {
		return i, MustBeThis
	}
	f, err := strconv.ParseFloat(n, 64)
	if err != nil || math.Abs(f) >= 1<<53 {
		return 0, MustBeEmpty
	}
	if math.Abs(f) < 1e-30 {
		return 0, Either // too long to write out; zero unless it rounds to zero
	}
	exact, ok := new(big.Rat).SetString(n)
	switch {
	case !ok || !exact.IsInt() && f == math.Trunc(f):
		return 0, Either
	case !exact.IsInt():
		return 0, MustBeEmpty
	}
	return int(exact.Num().Int64()), MustBeThis
}

// ReadAmount is exact. Very large or small numbers may be rejected.
func ReadAmount(raw json.RawMessage) (*big.Rat, Expected) {
	n, v := ReadDigits(raw)
	if v != MustBeThis {
		return nil, v
	}
	if i := strings.IndexAny(n, "eE"); i >= 0 {
		if e, err := strconv.Atoi(n[i+1:]); err != nil || e < -100 || e > 100 {
			return nil, MustBeEmpty
		}
		v = Either
	} else if len(n) > 30 {
		v = Either
	}
	exact, ok := new(big.Rat).SetString(n)
	if !ok {
		return nil, MustBeEmpty
	}
	return exact, v
}

// ReadMoment reads the times that both readers accept: RFC 3339 and calendar days.
func ReadMoment(raw json.RawMessage) (at time.Time, day bool, v Expected) {
	s, ok := ReadText(raw)
	if !ok || s == "" {
		return at, false, MustBeEmpty
	}
	if at, err := time.Parse(time.DateOnly, s); err == nil {
		return at, true, MustBeThis
	}
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return at, false, MustBeThis
	}
	return at, false, Either
}

// Resource is a resource object.
type Resource struct {
	Raw                       json.RawMessage
	Type, ID, Self            string
	Attributes, Relationships Object
}

// ReadResource reads a resource object; false if it is not one, or if a member occurs twice.
func ReadResource(raw json.RawMessage) (*Resource, bool) {
	o := ReadObject(raw)
	if o == nil || o.Repeats("id", "type", "attributes", "relationships", "links") {
		return nil, false
	}
	r := &Resource{Raw: raw, ID: o.Text("id"), Type: o.Text("type")}
	for name, to := range map[string]*Object{"attributes": &r.Attributes, "relationships": &r.Relationships} {
		value, _ := o.Once(name)
		*to = ReadObject(value)
	}
	links, _ := o.Once("links")
	self := ReadObject(links)
	if self.Repeats("self") {
		return nil, false
	}
	r.Self = self.Text("self")
	return r, true
}

// Document is a document in which no member occurs twice.
type Document struct {
	Primary  []*Resource
	Included []*Resource
	Links    Object
	Meta     Object
}

// ReadDocument reads a document that the decoder accepted. It returns false if one of its members
// occurs twice.
func ReadDocument(body []byte) (*Document, bool) {
	root := ReadObject(body)
	if root.Repeats("data", "included", "links", "meta") {
		return nil, false
	}
	doc := &Document{}
	data, _ := root.Once("data")
	elements, ok := ReadList(data)
	if !ok {
		elements = []json.RawMessage{data}
	}
	included, _ := root.Once("included")
	more, _ := ReadList(included)
	for _, part := range []struct {
		from []json.RawMessage
		to   *[]*Resource
	}{{elements, &doc.Primary}, {more, &doc.Included}} {
		for _, raw := range part.from {
			if len(raw) == 0 || raw[0] != '{' {
				continue // an invalid element does not affect its neighbours
			}
			r, ok := ReadResource(raw)
			if !ok {
				return nil, false
			}
			*part.to = append(*part.to, r)
		}
	}
	links, _ := root.Once("links")
	meta, _ := root.Once("meta")
	doc.Links, doc.Meta = ReadObject(links), ReadObject(meta)
	return doc, true
}

// Find returns the resource that a reference points to: the last primary one, or else the first
// included one.
func (d *Document) Find(typ, id string) (found *Resource) {
	for _, r := range d.Primary {
		if r.Type == typ && r.ID == id {
			found = r
		}
	}
	for _, r := range d.Included {
		if found == nil && r.Type == typ && r.ID == id {
			found = r
		}
	}
	return found
}

// Ref is a resource identifier.
type Ref struct{ Type, ID string }

// ReadLinkage reads a relationship object: its targets, and whether it has linkage at all. The
// third result is false if a member occurs twice.
func ReadLinkage(raw json.RawMessage, many bool) (refs []Ref, reported, plain bool) {
	o := ReadObject(raw)
	if o.Repeats("data", "id", "type") {
		return nil, false, false
	}
	if id := o.Text("id"); id != "" { // the bare form
		return []Ref{{o.Text("type"), id}}, true, true
	}
	data, ok := o.Once("data")
	if !ok {
		return nil, false, true
	}
	if string(data) == "null" {
		return nil, true, true
	}
	elements, isList := ReadList(data)
	if isList != many {
		return nil, false, true
	}
	if !isList {
		elements = []json.RawMessage{data}
	}
	for _, element := range elements {
		ref := ReadObject(element)
		if ref.Repeats("id", "type") {
			return nil, false, false
		}
		if ref == nil && !many {
			return nil, false, true
		}
		if id := ref.Text("id"); id != "" {
			refs = append(refs, Ref{ref.Text("type"), id})
		}
	}
	return refs, true, true
}

// IsText reports whether all texts are valid UTF-8.
func IsText(texts ...string) bool {
	for _, s := range texts {
		if !utf8.ValidString(s) {
			return false
		}
	}
	return true
}
