package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Member is a name and a value of a JSON object.
type Member = struct {
	Name  string
	Value any
}

// Object is a JSON object that keeps its order, so that a reply has the service's order and two
// runs produce the same bytes.
type Object []Member

// MarshalJSON allows an object within any other value.
func (o Object) MarshalJSON() ([]byte, error) { return o.AppendTo(nil), nil }

// Raw is JSON that is written unchanged.
type Raw []byte

// AppendTo writes the JSON.
func (r Raw) AppendTo(b []byte) []byte { return append(b, r...) }

// MarshalJSON returns the JSON.
func (r Raw) MarshalJSON() ([]byte, error) { return r, nil }

// Size is about how long the object is when it is written.
func (o Object) Size() int {
	n := 64 * len(o)
	for _, m := range o {
		switch v := m.Value.(type) {
		case Object:
			n += v.Size()
		case Resource:
			n += v.Size()
		case []Resource:
			for i := range v {
				n += v[i].Size()
			}
		}
	}
	return n
}

// With applies a test's overrides: an existing name is replaced, a new one is appended.
func (o Object) With(overrides map[string]any) Object {
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		at := -1
		for i := range o {
			if o[i].Name == name {
				at = i
			}
		}
		if at >= 0 {
			o[at].Value = overrides[name]
		} else {
			o = append(o, Member{name, overrides[name]})
		}
	}
	return o
}

// AppendJSON writes v. It writes the types that replies are built from and leaves others to
// encoding/json: reflection would be noticeable for pages of 100 shipments.
func AppendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return appendString(b, v)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case float64:
		return appendFloat(b, finite(v))
	case time.Time:
		return appendTime(b, v)
	case []string:
		if v == nil {
			return append(b, "null"...)
		}
		return appendList(b, v)
	case []Object:
		return appendList(b, v)
	case []Resource:
		return appendList(b, v)
	case interface{ AppendTo([]byte) []byte }:
		return v.AppendTo(b)
	}
	return appendOther(b, v)
}

// AppendTo writes the object; null for nil.
func (o Object) AppendTo(b []byte) []byte {
	if o == nil {
		return append(b, "null"...)
	}
	b = append(b, '{')
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, m.Name)
		b = append(b, ':')
		b = AppendJSON(b, m.Value)
	}
	return append(b, '}')
}

// appendTime writes a time in whole seconds; null for zero.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, "2006-01-02T15:04:05Z")
	return append(b, '"')
}

func appendOther(b []byte, v any) []byte {
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
		b = AppendJSON(b, item)
	}
	return append(b, ']')
}

func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			raw, _ := json.Marshal(strings.ToValidUTF8(s, "\ufffd")) // a string always encodes
			return append(b, raw...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// appendFloat writes a number as encoding/json does, which uses an exponent for very large and very
// small ones.
func appendFloat(b []byte, f float64) []byte {
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		return appendOther(b, f)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// finite replaces NaN and infinity, which JSON cannot represent.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// OrNull returns nil for "".
func OrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// NonNil returns an empty list for nil, for attributes that are never null.
func NonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// DecodeExact decodes JSON without converting numbers.
func DecodeExact(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d.Decode(into)
}
