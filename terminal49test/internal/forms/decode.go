package forms

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Decode sets the members of the struct that into points to from a JSON object. Members that the
// object does not have keep their values, and null is the zero value. The struct's own
// UnmarshalJSON is not called, so that it can call Decode.
func Decode(raw []byte, into any) error {
	raw = bytes.TrimSpace(raw)
	if err := check(raw); err != nil {
		return err
	}
	return decodeStruct(raw, into)
}

// decodeStruct is [Decode] for what is checked.
func decodeStruct(raw []byte, into any) error {
	members, err := membersOf(raw)
	if err != nil {
		return err
	}
	return Fill(members, into)
}

// Fill is [Decode] for members. also are more names that a name that is not known can be meant for.
func Fill(members []Member, into any, also ...string) error {
	v := reflect.ValueOf(into).Elem()
	known := fieldsOf(v.Type())
	there, at := make([]bool, len(known)), -1
	for _, m := range members {
		if at = known.index(m.Name, at+1); at < 0 {
			return &Error{Short(m.Name), "is not known" + known.instead(m.Name, also)}
		}
		f := &known[at]
		there[at] = string(m.Raw) != "null" || f.typ.Kind() == reflect.Interface
		if err := f.decode(m.Raw, v.FieldByIndex(f.index)); err != nil {
			return At(Short(m.Name), err)
		}
	}
	for i, f := range known {
		if f.required && !there[i] {
			return &Error{f.name, "is required"}
		}
	}
	return nil
}

func (f *field) decode(raw []byte, v reflect.Value) error {
	switch {
	case f.text:
		return decodeBytes(raw, v)
	case f.inverted:
		err := decodeValue(raw, v)
		v.SetBool(!v.Bool() && string(raw) != "null")
		return err
	}
	return decodeValue(raw, v)
}

// decodeBytes reads bytes that are usually a text.
func decodeBytes(raw []byte, v reflect.Value) error {
	if raw[0] != '{' {
		var text string
		err := decodeValue(raw, reflect.ValueOf(&text).Elem())
		if v.SetZero(); string(raw) != "null" {
			v.SetBytes([]byte(text))
		}
		return err
	}
	var binary base64Bytes
	if err := Decode(raw, &binary); err != nil {
		return err
	}
	data, err := base64.StdEncoding.DecodeString(binary.Base64)
	if v.SetBytes(data); err != nil {
		return &Error{"base64", "must be base64"}
	}
	return nil
}

// base64Bytes is the form of bytes that are not a text.
type base64Bytes struct {
	Base64 string `json:"base64"`
}

func decodeValue(raw []byte, v reflect.Value) error {
	switch own := v.Addr().Interface().(type) {
	case *time.Time:
		return decodeTime(raw, own)
	case *time.Duration:
		return decodeDuration(raw, own)
	case json.Unmarshaler:
		if v.SetZero(); string(raw) == "null" {
			return nil
		}
		return own.UnmarshalJSON(raw)
	case encoding.TextUnmarshaler:
		text, err := decodeText(raw)
		if err != nil {
			return err
		}
		return own.UnmarshalText([]byte(text))
	}
	if v.SetZero(); string(raw) == "null" {
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		return decodeStruct(raw, v.Addr().Interface())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return decodeValue(raw, v.Elem())
	case reflect.Slice:
		return decodeList(raw, v)
	case reflect.Map:
		if v.Type().Elem().Kind() != reflect.Interface {
			return decodeMap(raw, v)
		}
		return decodeAnyMap(raw, v)
	case reflect.String:
		text, err := decodeText(raw)
		v.SetString(text)
		return err
	case reflect.Bool:
		if string(raw) != "true" && string(raw) != "false" {
			return &Error{"", "must be true or false"}
		}
		v.SetBool(string(raw) == "true")
		return nil
	case reflect.Int, reflect.Int64:
		n, err := strconv.ParseInt(string(raw), 10, v.Type().Bits())
		if v.SetInt(n); err != nil {
			return &Error{"", "must be a whole number"}
		}
		return nil
	case reflect.Float64:
		n, err := strconv.ParseFloat(string(raw), 64)
		if v.SetFloat(n); err != nil || math.IsInf(n, 0) || raw[0] > '9' {
			return &Error{"", "must be a number"}
		}
		return nil
	case reflect.Interface:
		value, err := decodeAny(raw)
		if err == nil {
			v.Set(reflect.ValueOf(value))
		}
		return err
	}
	return wire.DecodeExact(raw, v.Addr().Interface())
}

// decodeAny reads any value, without converting numbers. An object or a list that a response would
// write differently, such as with its members in another order, is kept as it is.
func decodeAny(raw []byte) (value any, err error) {
	if err := wire.DecodeExact(raw, &value); err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	nested := raw[0] == '{' || raw[0] == '['
	if nested && !bytes.Equal(wire.AppendJSON(nil, value), raw) && json.Compact(&compact, raw) == nil && bytes.Equal(compact.Bytes(), raw) {
		return wire.Raw(bytes.Clone(raw)), nil
	}
	return value, nil
}

func decodeAnyMap(raw []byte, v reflect.Value) error {
	members, err := Members(raw)
	if err != nil {
		return err
	}
	values := make(map[string]any, len(members))
	for _, m := range members {
		if values[m.Name], err = decodeAny(m.Raw); err != nil {
			return At(Short(m.Name), err)
		}
	}
	v.Set(reflect.ValueOf(values))
	return nil
}

func decodeText(raw []byte) (text string, err error) {
	switch {
	case string(raw) == "null":
		return "", nil
	case raw[0] != '"':
		return "", &Error{"", "must be a text in quotes"}
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), nil
	}
	return text, json.Unmarshal(raw, &text)
}

func decodeTime(raw []byte, into *time.Time) error {
	text, err := decodeText(raw)
	if *into = (time.Time{}); err != nil || text == "" {
		return err
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return &Error{"", "must be a time with a zone, such as 2026-11-26T08:00:00Z"}
	}
	*into = t.UTC()
	return nil
}

func decodeDuration(raw []byte, into *time.Duration) error {
	text, err := decodeText(raw)
	if *into = 0; err != nil || string(raw) == "null" {
		return err
	}
	*into, err = ParseDuration(text)
	return err
}

func decodeList(raw []byte, v reflect.Value) error {
	if raw[0] != '[' {
		return &Error{"", "must be a list"}
	}
	items := split(raw)
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		err := decodeValue(item, v.Index(i))
		if string(item) == "null" {
			err = &Error{"", "must not be null"}
		}
		if err != nil {
			return At("["+strconv.Itoa(i)+"]", err)
		}
	}
	return nil
}

func decodeMap(raw []byte, v reflect.Value) error {
	members, err := membersOf(raw)
	if err != nil {
		return err
	}
	v.Set(reflect.MakeMap(v.Type()))
	for _, m := range members {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := decodeValue(m.Raw, item); err != nil {
			return At(Short(m.Name), err)
		}
		v.SetMapIndex(reflect.ValueOf(m.Name), item)
	}
	return nil
}

// Error is why a JSON object is not a form.
type Error struct {
	Member  string // its path, such as "containers[2].seal_number"; "" means the whole
	Problem string // such as "must be a number"
}

// Error returns the member and the problem.
func (e *Error) Error() string { return strings.TrimSpace(e.Member + " " + e.Problem) }

// At returns an error about a part of a member.
func At(member string, err error) error {
	inner, ok := err.(*Error)
	if !ok {
		return &Error{member, err.Error()}
	}
	if inner.Member != "" && !strings.HasPrefix(inner.Member, "[") {
		member += "."
	}
	return &Error{member + inner.Member, inner.Problem}
}

// Value sets what into points to from JSON, which must be valid.
func Value(raw []byte, into any) error { return decodeValue(raw, reflect.ValueOf(into).Elem()) }
