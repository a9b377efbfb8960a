package terminal49

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// Opt is an optional value. It has the three states of a JSON member: missing (the zero Opt), null,
// or set.
//
// In results, missing and null both mean unknown; Get and Or do not distinguish them. In requests,
// [Some] sets a field, [Null] clears it, and a missing field stays unchanged.
type Opt[T any] struct {
	value T
	state optState
}

type optState uint8

// The values of optState.
const (
	optMissing optState = iota
	optNull
	optValue
)

// Some returns an Opt that holds v.
func Some[T any](v T) Opt[T] { return Opt[T]{v, optValue} }

// Null returns an Opt that is explicitly null.
func Null[T any]() Opt[T] { return Opt[T]{state: optNull} }

// Get returns the value and whether there is one.
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

// IsZero reports whether the value is missing, neither null nor set. The omitzero option of
// encoding/json uses it.
func (o Opt[T]) IsZero() bool { return o.state == optMissing }

// String returns the value in the form of fmt.Sprint, "null", or "" if the value is missing.
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

// MarshalJSON returns the value in JSON, or null if it is null or missing. Use the omitzero option
// to omit a missing field. A nil slice becomes an empty array.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != optValue {
		return []byte("null"), nil
	}
	if v := reflect.ValueOf(o.value); v.Kind() == reflect.Slice && v.IsNil() {
		return []byte("[]"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON parses a value or null.
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
