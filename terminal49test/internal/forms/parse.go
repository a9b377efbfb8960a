package forms

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// MaxDepth is how deep objects and lists may be nested.
const MaxDepth = 64

// Parse reads JSON as encoding/json does, without converting numbers. It refuses an object that has
// a name twice.
func Parse(raw []byte) (value any, err error) {
	depth, names := shapeOf(raw)
	if depth > MaxDepth {
		return nil, &Error{"", "must not be nested more than " + strconv.Itoa(MaxDepth) + " deep"}
	}
	d := newDecoder(raw)
	if d.Decode(&value) != nil || len(bytes.TrimSpace(raw[d.InputOffset():])) > 0 {
		err := json.Unmarshal(raw, new(any))
		return nil, &Error{"", "is not JSON: " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	if names != namesIn(value) {
		return nil, findTwice(newDecoder(raw))
	}
	return value, nil
}

func newDecoder(raw []byte) *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	return d
}

// shapeOf returns how deep objects and lists are nested, and how many names objects have.
func shapeOf(raw []byte) (most, names int) {
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			most = max(most, depth)
		case c == '}' || c == ']':
			depth--
		case c == ':':
			names++
		}
	}
	return most, names
}

// namesIn returns how many names the objects of a value have, each once.
func namesIn(value any) (n int) {
	switch v := value.(type) {
	case map[string]any:
		n = len(v)
		for _, item := range v {
			n += namesIn(item)
		}
	case []any:
		for _, item := range v {
			n += namesIn(item)
		}
	}
	return n
}

// findTwice returns an error about the first name that an object has twice.
func findTwice(d *json.Decoder) error {
	open, _ := d.Token()
	seen := map[string]bool{}
	for i := 0; (open == json.Delim('{') || open == json.Delim('[')) && d.More(); i++ {
		part := "[" + strconv.Itoa(i) + "]"
		if open == json.Delim('{') {
			name, _ := d.Token()
			if part = Short(name.(string)); seen[name.(string)] {
				return &Error{part, "is there twice"}
			}
			seen[name.(string)] = true
		}
		if err := findTwice(d); err != nil {
			return At(part, err)
		}
	}
	if open == json.Delim('{') || open == json.Delim('[') {
		_, _ = d.Token()
	}
	return nil
}

// Error is why a JSON object is not a form.
type Error struct {
	Member  string // its path, such as "containers[2].seal_number"; "" means the whole
	Problem string // such as "must be a number"
}

// Error returns the member and the problem.
func (e *Error) Error() string { return strings.TrimSpace(e.Member + " " + e.Problem) }

// At returns an error about a part of a member.
func At(member string, err error) error {
	inner, ok := err.(*Error)
	if !ok {
		return &Error{member, err.Error()}
	}
	if inner.Member != "" && !strings.HasPrefix(inner.Member, "[") {
		member += "."
	}
	return &Error{member + inner.Member, inner.Problem}
}
