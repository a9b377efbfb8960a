package terminal49test

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"
)

// member is a name and a value of a JSON object.
type member struct {
	name  string
	value any
}

// object is a JSON object that keeps its order, so that a reply has the service's order and two
// runs produce the same bytes.
type object []member

// MarshalJSON allows an object within any other value.
func (o object) MarshalJSON() ([]byte, error) { return appendJSON(nil, o), nil }

// size is about how long the object is when it is written.
func (o object) size() int {
	n := 64 * len(o)
	for _, m := range o {
		switch v := m.value.(type) {
		case object:
			n += v.size()
		case resource:
			n += v.size()
		case []resource:
			for i := range v {
				n += v[i].size()
			}
		}
	}
	return n
}

// with applies a test's overrides: an existing name is replaced, a new one is appended.
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

// appendJSON writes v. It writes the types that replies are built from and leaves others to
// encoding/json: reflection would be noticeable for pages of 100 shipments.
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
	case ref:
		return v.append(b)
	case resource:
		return v.append(b)
	case []resource:
		b = append(b, '[')
		for i := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = v[i].append(b)
		}
		return append(b, ']')
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
	if err != nil { // only with a test's override
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

// finite replaces NaN and infinity, which JSON cannot represent.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// orNull returns nil for "".
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// nonNil returns an empty list for nil, for attributes that are never null.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// decodeExact decodes JSON without converting numbers.
func decodeExact(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}
