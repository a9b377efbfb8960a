// Package conceal holds values that must not be printed: tokens, presigned addresses, errors that
// quote them.
package conceal

import (
	"fmt"
	"io"
	"log/slog"

	"github.com/go-freight/terminal49/internal/text"
)

// Value holds a T that is shown by no format, log or encoder. Only Get returns it. The zero Value
// holds the zero T. A Value is equal to its own copies only, also for reflect.DeepEqual.
type Value[T any] struct {
	// A func, because every other kind of value can be printed by reflection; behind a pointer, so
	// that structs with a Value can be compared.
	get *func() T
}

// New conceals v.
func New[T any](v T) Value[T] {
	get := func() T { return v }
	return Value[T]{&get}
}

// Get returns the concealed value.
func (v Value[T]) Get() (value T) {
	if v.get != nil {
		value = (*v.get)()
	}
	return value
}

// IsZero reports whether v is the zero Value.
func (v Value[T]) IsZero() bool { return v.get == nil }

// String returns [text.Mask].
func (v Value[T]) String() string { return text.Mask }

// Format writes [text.Mask], whatever the verb and its flags.
func (v Value[T]) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, text.Mask) }

// LogValue returns [text.Mask].
func (v Value[T]) LogValue() slog.Value { return slog.StringValue(text.Mask) }

// MarshalText returns [text.Mask]; encoding/json and encoding/xml write it as a string.
func (v Value[T]) MarshalText() ([]byte, error) { return []byte(text.Mask), nil }
