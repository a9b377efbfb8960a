package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Opt is a value that may not be there. It has three states, because the service's JSON has three: missing (the zero
// Opt), null, and a value.
//
// In results, missing and null both mean "not known": Get and Or treat them alike, IsNull tells them apart. In
// requests they differ: a missing field is left as it is, a null clears it. So set a request field with [Some], clear
// it with [Null], and leave it alone by not mentioning it.
type Opt[T any] struct {
	value T
	state optState
}

type optState uint8

const (
	optMissing optState = iota
	optNull
	optValue
)

// Some returns an Opt that holds v.
func Some[T any](v T) Opt[T] { return Opt[T]{v, optValue} }

// Null returns an Opt that is explicitly null.
func Null[T any]() Opt[T] { return Opt[T]{state: optNull} }

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (value T, ok bool) { return o.value, o.state == optValue }

// Or returns the value, or def if there is none.
func (o Opt[T]) Or(def T) T {
	if o.state == optValue {
		return o.value
	}
	return def
}

// IsNull reports whether the value is explicitly null.
func (o Opt[T]) IsNull() bool { return o.state == optNull }

// IsZero reports whether the value is missing (neither null nor a value). It is what the omitzero JSON option asks.
func (o Opt[T]) IsZero() bool { return o.state == optMissing }

// String returns the value as text, "null", or "" if it is missing.
func (o Opt[T]) String() string {
	switch o.state {
	case optValue:
		return fmt.Sprint(o.value)
	case optNull:
		return "null"
	default:
		return ""
	}
}

// MarshalJSON writes the value, or null. A missing value is null too unless the field has the omitzero option. A nil
// slice is a value like any other: an empty array.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != optValue {
		return []byte("null"), nil
	}
	if v := reflect.ValueOf(o.value); v.Kind() == reflect.Slice && v.IsNil() {
		return []byte("[]"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads a value or null.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	*o = Null[T]()
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil
	}
	if err := json.Unmarshal(data, &o.value); err != nil {
		return err
	}
	o.state = optValue
	return nil
}
