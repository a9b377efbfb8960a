package jsonapi

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-faster/jx"
)

// Decoder reads JSON values one after another. It is what a field function sees of the document: it hides the
// tokenizer, keeps the first syntax error (every later read is then empty), and knows which field is being read, so
// that a warning can name it. A Decoder serves one document and is not safe for concurrent use.
type Decoder struct {
	jx     *jx.Decoder
	err    error
	text   strings.Builder
	report func(Warning)
	strict bool
	at     Warning // where the decoder is: type, id and field
	types  *Registry
}

// Warning says that a value could not be understood. It never carries the value, which may be a secret.
type Warning struct {
	ResourceType string // wire type, such as "container"
	ResourceID   string
	Field        string // wire name of the attribute or relationship; dotted inside an object
	Problem      string // such as "want a string, got an object"
}

// maxNumber bounds the digits of a number; no documented number comes near it.
const maxNumber = 64

// textChunk is the size of the chunks that strings are cut from: one allocation serves about a hundred strings, and a
// string that outlives its document keeps no more than this alive.
const textChunk = 4 << 10

var errTooLong = errors.New("number has more than " + strconv.Itoa(maxNumber) + " characters")

// Err returns the first syntax error.
func (d *Decoder) Err() error { return d.err }

// fail keeps the first error; everything read after it is empty.
func (d *Decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// Warn reports that the current field could not be understood.
func (d *Decoder) Warn(format string, args ...any) {
	if d.report == nil {
		return
	}
	w := d.at
	w.Problem = fmt.Sprintf(format, args...)
	d.report(w)
}

// mismatch reports a value of the wrong kind and steps over it. A null is no mismatch: every field may be null.
func (d *Decoder) mismatch(want string) {
	if got := d.jx.Next(); got != jx.Null && d.err == nil {
		d.Warn("want %s, got %s", want, got)
	}
	d.Skip()
}

// Skip steps over the next value, whatever it is.
func (d *Decoder) Skip() {
	if d.err == nil {
		d.fail(d.jx.Skip())
	}
}

// Null reports whether the next value is null, and if so steps over it.
func (d *Decoder) Null() bool {
	if d.err != nil || d.jx.Next() != jx.Null {
		return false
	}
	d.fail(d.jx.Null())
	return d.err == nil
}

// Raw returns the bytes of the next value. They belong to the document: copy them to keep them.
func (d *Decoder) Raw() []byte {
	if d.err != nil {
		return nil
	}
	raw, err := d.jx.Raw()
	d.fail(err)
	for len(raw) > 0 && isSpace(raw[0]) {
		raw = raw[1:]
	}
	return raw
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// Bytes returns the next value if it is a string; the bytes are valid until the next read. A number is taken as its
// digits, because the service sends some numbers as strings and the reverse.
func (d *Decoder) Bytes() ([]byte, bool) {
	if d.err != nil {
		return nil, false
	}
	switch d.jx.Next() {
	case jx.String:
		b, err := d.jx.StrBytes()
		d.fail(err)
		return b, err == nil
	case jx.Number:
		return d.Raw(), d.err == nil
	default:
		d.mismatch("a string")
		return nil, false
	}
}

// String returns the next value if it is a string (or a number, as its digits); false for null and anything else.
func (d *Decoder) String() (string, bool) {
	b, ok := d.Bytes()
	if !ok {
		return "", false
	}
	return d.Text(b), true
}

// Text returns b as a string, cut from a chunk shared with its neighbours.
func (d *Decoder) Text(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > textChunk/4 {
		return string(b)
	}
	if d.text.Cap()-d.text.Len() < len(b) {
		d.text = strings.Builder{}
		d.text.Grow(textChunk)
	}
	start := d.text.Len()
	d.text.Write(b)
	return d.text.String()[start:]
}

// Strings returns the next value if it is an array, leaving out elements that are null (the service sends [null] for
// "none"). The result is nil for null and not nil for an empty array.
func (d *Decoder) Strings() []string {
	var list []string
	if d.Array(func() {
		if s, ok := d.String(); ok {
			list = append(list, s)
		}
	}) && list == nil {
		list = []string{}
	}
	return list
}

// Bool returns the next value if it is true or false.
func (d *Decoder) Bool() (value, ok bool) {
	if d.err != nil {
		return false, false
	}
	if d.jx.Next() != jx.Bool {
		d.mismatch("a boolean")
		return false, false
	}
	v, err := d.jx.Bool()
	d.fail(err)
	return v, err == nil
}

// Number returns the characters of the next value if it is a number, or a string that holds one; valid until the next
// read. Numbers longer than 64 characters are refused.
func (d *Decoder) Number() ([]byte, bool) {
	if d.err != nil {
		return nil, false
	}
	var text []byte
	switch d.jx.Next() {
	case jx.Number:
		text = d.Raw()
	case jx.String:
		b, err := d.jx.StrBytes()
		d.fail(err)
		if len(b) == 0 {
			return nil, false
		}
		text = b
	default:
		d.mismatch("a number")
		return nil, false
	}
	if len(text) > maxNumber {
		d.Warn("%v", errTooLong)
		return nil, false
	}
	return text, d.err == nil
}

// Int returns the next value if it is a whole number, written either way ("2" or 2, also 2.0).
func (d *Decoder) Int() (int, bool) {
	text, ok := d.Number()
	if !ok {
		return 0, false
	}
	if n, err := strconv.Atoi(string(text)); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || f != float64(int(f)) {
		d.Warn("want a whole number")
		return 0, false
	}
	return int(f), true
}

// Float returns the next value if it is a number, written either way.
func (d *Decoder) Float() (float64, bool) {
	text, ok := d.Number()
	if !ok {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		d.Warn("want a number")
		return 0, false
	}
	return f, true
}

// Object calls each for every member of the next value; each must read or skip the member's value. It returns false,
// having stepped over the value, if that is no object. The key is valid until the next read.
func (d *Decoder) Object(each func(key []byte)) bool {
	if d.err != nil {
		return false
	}
	if d.jx.Next() != jx.Object {
		d.mismatch("an object")
		return false
	}
	it, err := d.jx.ObjIter()
	d.fail(err)
	for d.err == nil && it.Next() {
		each(it.Key())
	}
	d.fail(it.Err())
	return d.err == nil
}

// Array calls each for every element of the next value; each must read or skip it. It returns false, having stepped
// over the value, if that is no array.
func (d *Decoder) Array(each func()) bool {
	if d.err != nil {
		return false
	}
	if d.jx.Next() != jx.Array {
		d.mismatch("an array")
		return false
	}
	it, err := d.jx.ArrIter()
	d.fail(err)
	for d.err == nil && it.Next() {
		each()
	}
	d.fail(it.Err())
	return d.err == nil
}

// Unknown steps over a member that the library does not know. Unknown members are normal and reported in strict
// reading only.
func (d *Decoder) Unknown(name []byte) {
	if d.strict {
		d.in(string(name), func() { d.Warn("unknown member") })
	}
	d.Skip()
}

// in runs read with the field path extended by name.
func (d *Decoder) in(name string, read func()) {
	outer := d.at.Field
	if d.at.Field = name; outer != "" {
		d.at.Field = outer + "." + name
	}
	read()
	d.at.Field = outer
}

// within runs read on other bytes of the same document.
func (d *Decoder) within(raw []byte, read func()) {
	outer := d.jx
	d.jx = jx.DecodeBytes(raw)
	read()
	d.jx = outer
}
