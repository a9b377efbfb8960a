package forms

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"time"
	"unicode/utf8"
)

// Encode returns a struct as a JSON object. The struct's own MarshalJSON is not called, so that it
// can call Encode.
func Encode(v any) ([]byte, error) {
	from, object := reflect.ValueOf(v), []byte{'{'}
	for _, f := range fieldsOf(from.Type()) {
		value := from.FieldByIndex(f.index)
		if !f.required && value.IsZero() {
			continue
		}
		raw, err := f.encode(value)
		if err != nil {
			return nil, At(f.name, err)
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(strconv.AppendQuote(object, f.name), ':'), raw...)
	}
	return append(object, '}'), nil
}

func (f *field) encode(v reflect.Value) ([]byte, error) {
	switch own := v.Interface().(type) {
	case time.Duration:
		return json.Marshal(FormatDuration(own))
	case time.Time:
		return json.Marshal(own.UTC())
	case json.Marshaler:
		return own.MarshalJSON()
	}
	switch {
	case f.inverted:
		return json.Marshal(!v.Bool())
	case f.text && utf8.Valid(v.Bytes()):
		return json.Marshal(string(v.Bytes()))
	case f.text:
		return json.Marshal(base64Bytes{base64.StdEncoding.EncodeToString(v.Bytes())})
	case v.Kind() == reflect.Slice && !v.IsNil():
		return encodeList(v)
	}
	return json.Marshal(v.Interface())
}

// encodeList names the item that cannot be encoded.
func encodeList(v reflect.Value) ([]byte, error) {
	items := make([]json.RawMessage, v.Len())
	for i := range items {
		var err error
		if items[i], err = (&field{}).encode(v.Index(i)); err != nil {
			return nil, At("["+strconv.Itoa(i)+"]", err)
		}
	}
	return json.Marshal(items)
}
