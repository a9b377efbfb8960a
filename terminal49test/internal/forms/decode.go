package forms

import (
	"cmp"
	"encoding"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
)

// Decode sets the struct that into points to from JSON. Members that the object does not have keep
// their values; null changes nothing, and is the zero value of a member.
func Decode(raw []byte, into any) error {
	value, err := Parse(raw)
	if err != nil || value == nil {
		return err
	}
	if read := readers[reflect.TypeOf(into).Elem()]; read != nil {
		return read(value, into)
	}
	return Fields(value, into)
}

// readers are the functions of types whose form does not follow from their fields. It is filled
// when a program starts.
var readers = map[reflect.Type]func(value, into any) error{}

// ReadWith sets the function that reads a type from a value that [Parse] returned.
func ReadWith[T any](read func(value any, into *T) error) {
	readers[reflect.TypeFor[T]()] = func(value, into any) error { return read(value, into.(*T)) }
}

// Set sets what into points to from a value that [Parse] returned.
func Set(value, into any) error { return set(value, reflect.ValueOf(into).Elem()) }

// Fields sets the fields of structs from an object that [Parse] returned, as if they were one
// struct. Members that the object does not have keep their values.
func Fields(value any, structs ...any) (err error) {
	object, ok := value.(map[string]any)
	if !ok {
		return &Error{"", "must be an object"}
	}
	left := len(object)
	for _, to := range structs {
		found, wrong := setFields(object, reflect.ValueOf(to).Elem())
		left, err = left-found, cmp.Or(err, wrong)
	}
	if err != nil || left > 0 {
		return cmp.Or(checkNames(object, structs), err)
	}
	return nil
}

// setFields sets the fields of one struct and returns how many members they are.
func setFields(object map[string]any, v reflect.Value) (found int, err error) {
	known := fieldsOf(v.Type())
	for i := range known {
		f := &known[i]
		member, there := object[f.name]
		switch {
		case f.required && (!there || member == nil && f.typ.Kind() != reflect.Interface):
			return found, &Error{f.name, "is required"}
		case !there:
			continue
		}
		found++
		if err := f.set(member, v.FieldByIndex(f.index)); err != nil {
			return found, At(f.name, err)
		}
	}
	return found, nil
}

// checkNames reports whether one of the structs has a field for each member.
func checkNames(object map[string]any, structs []any) error {
	var known fields
	for _, to := range structs {
		known = append(known, fieldsOf(reflect.TypeOf(to).Elem())...)
	}
	for _, name := range state.SortedKeys(object) {
		if !slices.ContainsFunc(known, func(f field) bool { return f.name == name }) {
			return &Error{Short(name), "is not known" + known.instead(name)}
		}
	}
	return nil
}

func (f *field) set(value any, v reflect.Value) error {
	switch {
	case f.text:
		return setBytes(value, v)
	case f.inverted:
		err := set(value, v)
		v.SetBool(!v.Bool() && value != nil)
		return err
	}
	return set(value, v)
}

// setBytes sets bytes that are usually a text.
func setBytes(value any, v reflect.Value) error {
	v.SetZero()
	switch value := value.(type) {
	case nil:
		return nil
	case string:
		v.SetBytes([]byte(value))
		return nil
	case map[string]any:
		var binary base64Bytes
		if err := Fields(value, &binary); err != nil {
			return err
		}
		data, err := base64.StdEncoding.DecodeString(binary.Base64)
		if v.SetBytes(data); err != nil {
			return &Error{"base64", "must be base64"}
		}
		return nil
	}
	return noText
}

var noText = &Error{"", "must be a text in quotes"}

// base64Bytes is the form of bytes that are not a text.
type base64Bytes struct {
	Base64 string `json:"base64"`
}

// set sets v; null is the zero value.
func set(value any, v reflect.Value) error {
	if v.SetZero(); value == nil {
		return nil
	}
	switch own := v.Addr().Interface().(type) {
	case *time.Time:
		return setText(value, func(text string) (err error) { *own, err = parseTime(text); return err })
	case *time.Duration:
		return setText(value, func(text string) (err error) { *own, err = ParseDuration(text); return err })
	case encoding.TextUnmarshaler:
		return setText(value, func(text string) error { return own.UnmarshalText([]byte(text)) })
	}
	switch v.Kind() {
	case reflect.String:
		return setText(value, func(text string) error { v.SetString(text); return nil })
	case reflect.Bool:
		return setBool(value, v)
	case reflect.Int, reflect.Int64:
		return setNumber(value, json.Number.Int64, v.SetInt, "must be a whole number")
	case reflect.Float64:
		return setNumber(value, json.Number.Float64, v.SetFloat, "must be a number")
	case reflect.Interface:
		v.Set(reflect.ValueOf(value))
		return nil
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return set(value, v.Elem())
	}
	return setNested(value, v)
}

func setText(value any, set func(string) error) error {
	text, ok := value.(string)
	if !ok {
		return noText
	}
	return set(text)
}

func setBool(value any, v reflect.Value) error {
	yes, ok := value.(bool)
	if v.SetBool(yes); !ok {
		return &Error{"", "must be true or false"}
	}
	return nil
}

func setNumber[T any](value any, parse func(json.Number) (T, error), set func(T), problem string) error {
	number, _ := value.(json.Number) // "" is not a number
	n, err := parse(number)
	if err != nil {
		return &Error{"", problem}
	}
	set(n)
	return nil
}

func parseTime(text string) (t time.Time, err error) {
	if text == "" {
		return t, nil
	}
	if t, err = time.Parse(time.RFC3339, text); err != nil {
		return t, &Error{"", "must be a time with a zone, such as 2026-11-26T08:00:00Z"}
	}
	return t.UTC(), nil
}

// setNested sets what has values within it.
func setNested(value any, v reflect.Value) error {
	into := v.Addr().Interface()
	switch read := readers[v.Type()]; {
	case read != nil:
		return read(value, into)
	case v.Kind() == reflect.Struct:
		return Fields(value, into)
	case v.Kind() == reflect.Map:
		return setMap(value, v)
	}
	return setList(value, v)
}

func setMap(value any, v reflect.Value) error {
	object, ok := value.(map[string]any)
	if !ok {
		return &Error{"", "must be an object"}
	}
	v.Set(reflect.MakeMapWithSize(v.Type(), len(object)))
	for _, name := range state.SortedKeys(object) {
		item := reflect.New(v.Type().Elem()).Elem()
		if err := set(object[name], item); err != nil {
			return At(Short(name), err)
		}
		v.SetMapIndex(reflect.ValueOf(name), item)
	}
	return nil
}

func setList(value any, v reflect.Value) error {
	items, ok := value.([]any)
	if !ok {
		return &Error{"", "must be a list"}
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		err := set(item, v.Index(i))
		if item == nil {
			err = &Error{"", "must not be null"}
		}
		if err != nil {
			return At("["+strconv.Itoa(i)+"]", err)
		}
	}
	return nil
}
