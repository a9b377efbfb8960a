package forms

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Encode returns a struct as a JSON object. The struct's own MarshalJSON is not called, so that it
// can call Encode.
func Encode(v any) ([]byte, error) { return appendStruct(nil, reflect.ValueOf(v)) }

// Text returns a text as JSON.
func Text(text string) []byte { return wire.AppendJSON(nil, text) }

func appendStruct(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '{')
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.index)
		if !f.required && value.IsZero() {
			continue
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(wire.AppendJSON(b, f.name), ':')
		if b, err = f.appendTo(b, value); err != nil {
			return nil, At(f.name, err)
		}
	}
	return append(b, '}'), nil
}

func (f *field) appendTo(b []byte, v reflect.Value) ([]byte, error) {
	switch {
	case f.inverted:
		return strconv.AppendBool(b, !v.Bool()), nil
	case f.text && utf8.Valid(v.Bytes()):
		return wire.AppendJSON(b, string(v.Bytes())), nil
	case f.text:
		return appendStruct(b, reflect.ValueOf(base64Bytes{base64.StdEncoding.EncodeToString(v.Bytes())}))
	}
	return appendValue(b, v)
}

func appendValue(b []byte, v reflect.Value) ([]byte, error) {
	switch {
	case !v.IsValid():
		return append(b, "null"...), nil
	case v.Kind() == reflect.Interface: // as a response would
		return wire.AppendJSON(b, v.Interface()), nil
	}
	if v.Type() == reflect.TypeFor[string]() {
		return wire.AppendJSON(b, v.String()), nil
	}
	switch own := v.Interface().(type) {
	case time.Duration:
		return wire.AppendJSON(b, FormatDuration(own)), nil
	case time.Time:
		if year := own.UTC().Year(); year < 0 || year > 9999 {
			return nil, &Error{"", "must be a time of the years 0 to 9999"}
		}
		return append(own.UTC().AppendFormat(append(b, '"'), time.RFC3339Nano), '"'), nil
	case json.Marshaler:
		raw, err := own.MarshalJSON()
		return append(b, raw...), err
	case encoding.TextMarshaler:
		text, err := own.MarshalText()
		return wire.AppendJSON(b, string(text)), err
	}
	switch v.Kind() {
	case reflect.Struct:
		return appendStruct(b, v)
	case reflect.Pointer:
		return appendValue(b, v.Elem())
	case reflect.Slice:
		return appendList(b, v)
	case reflect.String:
		return wire.AppendJSON(b, v.String()), nil
	case reflect.Map:
		if v.Type().Elem().Kind() != reflect.Interface {
			return appendMap(b, v)
		}
		return appendAny(b, v)
	}
	return wire.AppendJSON(b, v.Interface()), nil
}

// appendAny writes a map of any values as a response would.
func appendAny(b []byte, v reflect.Value) ([]byte, error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	return wire.AppendJSON(b, wire.Object{}.With(v.Interface().(map[string]any))), nil
}

func appendList(b []byte, v reflect.Value) (_ []byte, err error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = appendValue(b, v.Index(i)); err != nil {
			return nil, At("["+strconv.Itoa(i)+"]", err)
		}
	}
	return append(b, ']'), nil
}

func appendMap(b []byte, v reflect.Value) (_ []byte, err error) {
	if v.IsNil() {
		return append(b, "null"...), nil
	}
	items := map[string]reflect.Value{}
	for _, key := range v.MapKeys() {
		items[key.String()] = v.MapIndex(key)
	}
	b = append(b, '{')
	for i, name := range state.SortedKeys(items) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(wire.AppendJSON(b, name), ':')
		if b, err = appendValue(b, items[name]); err != nil {
			return nil, At(name, err)
		}
	}
	return append(b, '}'), nil
}
