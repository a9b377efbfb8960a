package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Encode writes a value whose parts were JSON before.
func Encode(v any) json.RawMessage {
	var to bytes.Buffer
	into := json.NewEncoder(&to)
	into.SetEscapeHTML(false)
	if err := into.Encode(v); err != nil {
		panic("mirror: " + err.Error())
	}
	return bytes.TrimSuffix(to.Bytes(), []byte("\n"))
}

// OrNil returns nil for null.
func OrNil(value json.RawMessage) json.RawMessage {
	if string(value) == "null" {
		return nil
	}
	return value
}

// Same reports whether two JSON values are equal. Absent and null are equal.
func Same(a, b json.RawMessage) bool {
	a, b = OrNil(a), OrNil(b)
	switch {
	case bytes.Equal(a, b):
		return true
	case a == nil || b == nil:
		return false
	case plainText(a) && plainText(b):
		return false
	}
	return equal(decode(a), decode(b))
}

// plainText reports whether a value is a text without escapes.
func plainText(a []byte) bool { return a[0] == '"' && bytes.IndexByte(a, '\\') < 0 }

func decode(a json.RawMessage) (v any) {
	from := json.NewDecoder(bytes.NewReader(a))
	from.UseNumber()
	_ = from.Decode(&v)
	return v
}

func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, is := b.(json.Number)
		return is && (a == b || equalNumbers(string(a), string(b)))
	case []any:
		b, is := b.([]any)
		return is && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, is := b.(map[string]any)
		return is && maps.EqualFunc(a, b, equal)
	}
	return a == b
}

// equalNumbers compares what databases write differently, such as 1e2 and 100.
func equalNumbers(a, b string) bool {
	x, okX := decimalOf(a)
	y, okY := decimalOf(b)
	return okX && okY && x == y
}

// decimal is digits, without zeros at both ends, times a power of ten; digits are "" for zero.
type decimal struct {
	negative bool
	digits   string
	power    int
}

// decimalOf reads a number of JSON; false if its exponent does not fit.
func decimalOf(number string) (d decimal, ok bool) {
	mantissa, exponent := number, ""
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		mantissa, exponent = number[:i], number[i+1:]
	}
	power, err := strconv.Atoi(cmp.Or(exponent, "0"))
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := strings.TrimLeft(whole+fraction, "0")
	digits := strings.TrimRight(all, "0")
	if digits == "" {
		return decimal{}, true
	}
	return decimal{negative, digits, power - len(fraction) + len(all) - len(digits)}, err == nil
}

// Plain returns JSON with sorted members and without spaces.
func Plain(data json.RawMessage) json.RawMessage { return Encode(decode(data)) }
