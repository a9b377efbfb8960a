package terminal49test

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// member is one name and value of a JSON object.
type member struct {
	name  string
	value any
}

// object is a JSON object that keeps the order it was built in, so that a reply reads like the service's own and two
// runs give the same bytes.
type object []member

// MarshalJSON lets an object stand inside any other value.
func (o object) MarshalJSON() ([]byte, error) { return appendJSON(nil, o), nil }

// with appends the overrides a test asked for: an existing name is replaced, a new one goes to the end.
func (o object) with(overrides map[string]any) object {
	for _, name := range sortedKeys(overrides) {
		at := -1
		for i := range o {
			if o[i].name == name {
				at = i
			}
		}
		if at >= 0 {
			o[at].value = overrides[name]
		} else {
			o = append(o, member{name, overrides[name]})
		}
	}
	return o
}

// appendJSON writes v. It knows the few kinds the simulator builds its replies from and leaves the rest to
// encoding/json: a page of 100 shipments is written often enough in a test run for reflection to be felt.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case *bool:
		if v == nil {
			return append(b, "null"...)
		}
		return strconv.AppendBool(b, *v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return strconv.AppendFloat(b, finite(v), 'f', -1, 64)
	case time.Time:
		if v.IsZero() {
			return append(b, "null"...)
		}
		b = append(b, '"')
		b = v.UTC().AppendFormat(b, "2006-01-02T15:04:05Z")
		return append(b, '"')
	case []string:
		if v == nil {
			return append(b, "null"...)
		}
		return appendList(b, v)
	case []object:
		return appendList(b, v)
	case object:
		if v == nil {
			return append(b, "null"...)
		}
		b = append(b, '{')
		for i, m := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, m.name)
			b = append(b, ':')
			b = appendJSON(b, m.value)
		}
		return append(b, '}')
	}
	raw, err := json.Marshal(v)
	if err != nil { // only a test's own override can get here
		return appendString(b, "unencodable: "+err.Error())
	}
	return append(b, raw...)
}

func appendList[T any](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, item := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, item)
	}
	return append(b, ']')
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			raw, _ := json.Marshal(s) // a string always encodes
			return append(b, raw...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// finite keeps a NaN or infinity, which JSON cannot say, from breaking the document.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// orNull gives null for the empty string, as the service does for texts it does not know.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// nonNil writes an unset list as [], for the attributes that are never null live.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// decodeExact decodes JSON with its numbers as they are written.
func decodeExact(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}
