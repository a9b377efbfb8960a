package terminal49

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"
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

// Value returns the value, or nil if it is missing or null. It implements [driver.Valuer].
func (o Opt[T]) Value() (driver.Value, error) {
	if o.state != optValue {
		return nil, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(o.value)
}

// Scan reads a column into o. NULL becomes null. T must be a boolean, a number or a string, or
// implement sql.Scanner.
func (o *Opt[T]) Scan(src any) error {
	var v T
	if src == nil {
		*o = Null[T]()
		return nil
	}
	if err := scanInto(&v, src); err != nil {
		return err
	}
	*o = Some(v)
	return nil
}

// scanInto sets the value at an address from that of a column, without loss.
func scanInto(at, src any) (err error) {
	if s, ok := at.(interface{ Scan(any) error }); ok {
		return s.Scan(src)
	}
	if b, ok := src.([]byte); ok {
		src = string(b)
	}
	text := fmt.Sprint(src)
	v := reflect.ValueOf(at).Elem()
	_, isTime := src.(time.Time)
	switch {
	case isTime:
		err = errors.New("must not be a timestamp; use an Opt[Time] or Opt[Date]")
	case v.Kind() == reflect.String:
		v.SetString(text)
	case v.Kind() == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		v.SetBool(b)
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(n)
	case v.CanFloat():
		var f float64
		f, err = strconv.ParseFloat(text, v.Type().Bits())
		v.SetFloat(f)
	default:
		err = errors.New("its type must be a boolean, a number or a string, or implement sql.Scanner")
	}
	if err != nil {
		return fmt.Errorf("terminal49: column of an Opt[%T]: %w", reflect.ValueOf(at).Elem().Interface(), err)
	}
	return nil
}
