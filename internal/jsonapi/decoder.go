package jsonapi

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Decoder reads JSON values one after another, for field functions. It keeps the first syntax
// error, after which every read is empty, and the name of the field being read, for warnings. A
// Decoder reads one document and is not safe for concurrent use.
type Decoder struct {
	scan   scanner
	length int // of the document; the scanner may have only a part of it
	text   strings.Builder
	recent *[256]string // the strings cut last, by a hash; nil for a short document
	report func(Warning)
	strict bool
	stored bool // the document may be one that [Registry.Encode] wrote

	likely   *Type // of the resource that was included last; nil if it is not registered
	guessing bool  // the type of what is being read is a guess
	doubtful bool  // there was something to report about the guess

	hasBody bool // the resource read last has attributes or relationships
	asOf    time.Time
	ownAsOf bool // a resource's meta.as_of replaces asOf
	types   *Registry

	about  Ref        // the type and id of the resource being read, as far as they are known
	field  string     // wire name of what is being read outside of a table, "" if none
	within []position // the members being read with tables, outermost first
	inner  string     // wire name of the member being read within those, "" if none

	members  Members
	spares   []spare
	elements int             // of all arrays so far
	refs     refWriter       // reused by ReadMany
	words    []string        // reused by Strings
	ctx      context.Context // of the call; may be nil
	steps    int             // counted by step
	lastType *entry          // the type read last: the same type often follows
}

// Warning reports that a value could not be read. It never holds the value, which may be a secret.
type Warning struct {
	ResourceType string // wire type, such as "container"
	ResourceID   string
	Field        string // wire name of the attribute or relationship; dotted inside an object
	Problem      string // such as "want a string, got an object"
}

// maxNumber limits the characters of a number. Documented numbers are much shorter.
const maxNumber = 64

// maxExact is the limit below which float64 represents every whole number exactly.
const maxExact = 1 << 53

// longDocument is the length from which the strings cut last are kept.
const longDocument = 64 << 10

// Strings are cut from chunks. One allocation serves about a hundred strings, and a string that
// outlives its document keeps no more than a chunk in memory. A short document needs one or two
// chunks, because nearly a third of it is the text of strings.
const (
	textChunk = 4 << 10 // at most
	lastChunk = 64      // at least
)

// Err returns the first syntax error.
func (d *Decoder) Err() error { return d.scan.err }

// Warn reports that the current field could not be read.
func (d *Decoder) Warn(format string, args ...any) {
	d.step()
	if d.report == nil || d.scan.err != nil {
		return
	}
	if d.guessing {
		d.doubtful = true
		return
	}
	d.report(Warning{d.about.Type, d.about.ID, d.path(), fmt.Sprintf(format, args...)})
}

// stepsBetween is how often step is called before it asks whether reading is to end.
const stepsBetween = 1 << 10

// step is called for each resource, element, unknown member and warning, of which a document can
// have millions. It ends the scan if the context of the call has ended meanwhile.
//
//go:noinline
func (d *Decoder) step() {
	if d.steps++; d.steps%stepsBetween == 0 && d.ctx != nil && d.ctx.Err() != nil {
		d.scan.abort(d.ctx.Err())
	}
}

// path returns the wire names of the members being read, outermost first, with dots between them.
func (d *Decoder) path() string {
	path := d.field
	for _, p := range d.within {
		if p.row != noRow {
			path += "." + p.rows[p.row].name()
		}
	}
	if d.inner != "" {
		path += "." + d.inner
	}
	return strings.TrimPrefix(path, ".")
}

// mismatch skips a value of the wrong kind and reports it. A null is not reported: every field may
// be null.
func (d *Decoder) mismatch(want string) {
	if got := d.scan.kind(); got != kindNull && got != kindEnd {
		d.Warn("want %s, got %v", want, got)
	}
	d.scan.skip()
}

// Skip skips the next value, of any kind.
func (d *Decoder) Skip() { d.scan.skip() }

// Null reports whether the next value is null, and if so skips it.
func (d *Decoder) Null() bool { return d.scan.peek() == 'n' && d.scan.literal("null") }

// Raw returns the bytes of the next value. They are part of the document: copy them to keep them.
func (d *Decoder) Raw() []byte { return d.scan.raw() }

// Bytes returns the next value if it is a string; the bytes are valid until the next read. A number
// is returned as its digits, because the service sends some strings as numbers.
func (d *Decoder) Bytes() ([]byte, bool) {
	if d.scan.peek() == '"' {
		b := d.scan.str()
		return b, d.scan.err == nil
	}
	switch d.scan.kind() {
	case kindNumber:
		b := d.scan.number()
		return b, d.scan.err == nil
	case kindNull:
		d.scan.literal("null")
	default:
		d.mismatch("a string")
	}
	return nil, false
}

// String returns the next value if it is a string, or a number as its digits. It reports false for
// null and any other kind.
func (d *Decoder) String() (string, bool) {
	b, ok := d.Bytes()
	if !ok {
		return "", false
	}
	return d.Text(b), true
}

// Text returns b as a string, cut from a chunk that it shares with other strings. A long document
// repeats names and ids, so that of those it returns the same string again.
func (d *Decoder) Text(b []byte) string {
	n := len(b)
	switch {
	case n == 0:
		return ""
	case d.recent == nil || n > textChunk/4:
		return d.cut(b)
	}
	mixed := uint32(n)<<5 ^ uint32(b[0]) ^ uint32(b[n/4])<<2 ^ uint32(b[n/2])<<1 ^ uint32(b[n-1])<<3
	last := &d.recent[mixed*2654435761>>24]
	if *last != string(b) {
		*last = d.cut(b)
	}
	return *last
}

func (d *Decoder) cut(b []byte) string {
	if len(b) > textChunk/4 {
		return string(b)
	}
	if d.text.Cap()-d.text.Len() < len(b) {
		d.text = strings.Builder{}
		left := max(d.length, len(d.scan.data)) - d.scan.pos
		d.text.Grow(max(len(b), lastChunk, min(textChunk, left*3/10)))
	}
	start := d.text.Len()
	d.text.Write(b)
	return d.text.String()[start:]
}

// Link returns the address of a link: a string, or an object with the string href, which must not
// be empty. It returns nil and true for null, and nil and false for any other value. The bytes are
// part of the document.
func (d *Decoder) Link() (href []byte, ok bool) {
	isObject := d.scan.kind() == kindObject
	switch d.scan.kind() {
	case kindString:
		href, _ = d.Bytes()
	case kindObject:
		d.Object(func(key []byte) {
			if string(key) == "href" && d.scan.kind() == kindString {
				href, _ = d.Bytes()
			} else {
				d.Skip()
			}
		})
	case kindNull:
		return nil, d.Null()
	default:
		d.scan.skip()
	}
	if href == nil || isObject && len(href) == 0 {
		d.Warn("want a string, or an object with href")
		return nil, false
	}
	return href, true
}

// Strings returns the next value if it is an array, without the elements that are null: the service
// sends [null] for an empty list. The result is nil for null and not nil for an empty array.
func (d *Decoder) Strings() []string {
	d.words = d.words[:0]
	if !d.Array(func() {
		if s, ok := d.String(); ok {
			d.words = append(d.words, s)
		}
	}) && len(d.words) == 0 {
		return nil
	}
	return append([]string{}, d.words...)
}

// Bool returns the next value if it is true or false.
func (d *Decoder) Bool() (value, ok bool) {
	if d.scan.kind() != kindBool {
		d.mismatch("a boolean")
		return false, false
	}
	value = d.scan.boolean()
	return value, d.scan.err == nil
}

// Number returns the characters of the next value if it is a number or a string; they are valid
// until the next read. More than 64 characters are refused.
func (d *Decoder) Number() ([]byte, bool) {
	if k := d.scan.kind(); k != kindNumber && k != kindString {
		d.mismatch("a number")
		return nil, false
	}
	text, _ := d.Bytes()
	if len(text) > maxNumber {
		d.Warn("number has more than %d characters", maxNumber)
		return nil, false
	}
	return text, len(text) > 0
}

// Int returns the next value if it is a whole number or a string that holds one: 2, "2" or 2.0.
func (d *Decoder) Int() (int, bool) {
	text, ok := d.Number()
	if !ok {
		return 0, false
	}
	if n, err := strconv.Atoi(string(text)); err == nil {
		return n, true
	}
	f, err := parseFloat(text)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= min(maxExact, math.MaxInt+1) {
		d.Warn("want a whole number")
		return 0, false
	}
	return int(f), true
}

// parseFloat rejects numbers that only Go accepts: "NaN", "Inf", "0x1p-2", "1_0".
func parseFloat(text []byte) (float64, error) {
	if len(bytes.Trim(text, "+-.0123456789eE")) > 0 {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(string(text), 64)
}

// Float returns the next value if it is a number or a string that holds one.
func (d *Decoder) Float() (float64, bool) {
	f, ok, _ := d.Degrees(math.Inf(1))
	return f, ok
}

// Degrees is Float for a coordinate. One of more degrees than most is not on the earth, however
// large the number is.
func (d *Decoder) Degrees(most float64) (degrees float64, ok, outside bool) {
	text, ok := d.Number()
	if !ok {
		return 0, false, false
	}
	f, err := parseFloat(text)
	switch {
	case math.Abs(f) > most:
		d.Warn("want at most %v degrees", most)
		return 0, false, true
	case err != nil:
		d.Warn("want a number")
		return 0, false, false
	}
	return f, true, false
}

// Object calls each for every member of the next value; each must read or skip the member's value.
// The key is valid until the next read. If the value is not an object, Object skips it and returns
// false.
func (d *Decoder) Object(each func(key []byte)) bool {
	if d.scan.kind() != kindObject {
		d.mismatch("an object")
		return false
	}
	for more := d.scan.open('}'); more; more = d.scan.more('}') {
		each(d.scan.key())
	}
	return d.scan.err == nil
}

// Array calls each for every element of the next value; each must read or skip it. If the value is
// not an array, Array skips it and returns false.
func (d *Decoder) Array(each func()) bool { return d.array(each, true) }

// Elements is Array without the limit on elements, for those that take little more memory than
// bytes, such as coordinates.
func (d *Decoder) Elements(each func()) bool { return d.array(each, false) }

func (d *Decoder) array(each func(), counted bool) bool {
	if d.scan.kind() != kindArray {
		d.mismatch("an array")
		return false
	}
	for more := d.scan.open(']'); more; more = d.scan.more(']') {
		if d.step(); d.scan.err != nil {
			return false
		}
		if counted {
			if d.elements++; d.elements > d.mostElements() {
				d.scan.abort(errManyElements)
				return false
			}
		}
		each()
	}
	return d.scan.err == nil
}

// mostElements returns how many elements all arrays may hold.
func (d *Decoder) mostElements() int { return maxResources + len(d.scan.data)/bytesPerElement }

// Unknown skips a member that the library does not define. Such members are normal, and reported
// only in strict mode.
func (d *Decoder) Unknown(name []byte) { d.UnknownIn("", name) }

// UnknownIn is Unknown for a member of an object within the current field. path names the object
// and ends with a dot.
func (d *Decoder) UnknownIn(path string, name []byte) {
	d.step()
	if d.strict {
		outer := d.inner
		d.inner = path + string(name)
		d.Warn("unknown member")
		d.inner = outer
	}
	d.Skip()
}

// skipKnown skips a member that the library does not offer. In strict mode it reports the members
// within, except those that are known.
func (d *Decoder) skipKnown(name string, known ...string) {
	if !d.strict || d.scan.kind() != kindObject {
		d.Skip()
		return
	}
	d.Object(func(key []byte) {
		if slices.Contains(known, string(key)) {
			d.Skip()
		} else {
			d.UnknownIn(name+".", key)
		}
	})
}

// Again runs read on bytes that Raw returned, or on a copy of them, for a value that is both kept
// as sent and decoded.
func (d *Decoder) Again(raw []byte, read func()) { d.on(raw, read) }

// on runs read on other bytes of the same document, which the scanner has skipped before.
func (d *Decoder) on(raw []byte, read func()) {
	data, pos := d.scan.data, d.scan.pos
	d.scan.data, d.scan.pos = raw, 0
	read()
	if d.scan.data, d.scan.pos = data, pos; d.scan.err != nil {
		d.scan.pos = len(data)
	}
}
