package forms

import (
	"bytes"
	"encoding/json"
	"strings"
)

// MaxDepth is how deep objects and lists may be nested.
const MaxDepth = 64

// Member is a member of a JSON object.
type Member struct {
	Name string
	Raw  []byte
}

// Members returns the members of a JSON object in their order. A name must not be there twice.
func Members(raw []byte) ([]Member, error) {
	raw = bytes.TrimSpace(raw)
	if err := check(raw); err != nil {
		return nil, err
	}
	return membersOf(raw)
}

// membersOf is [Members] for what is checked.
func membersOf(raw []byte) ([]Member, error) {
	if raw[0] != '{' {
		return nil, &Error{"", "must be an object"}
	}
	parts := split(raw)
	list := make([]Member, 0, len(parts)/2)
	for i := 0; i < len(parts); i += 2 {
		name, err := decodeText(parts[i])
		if err != nil {
			return nil, err
		}
		list = append(list, Member{name, parts[i+1]})
	}
	return list, checkNames(list)
}

// checkNames reports whether each name is there once. For the usual number a map would be slow.
func checkNames(list []Member) error {
	seen := map[string]bool{}
	for i, m := range list {
		twice := seen[m.Name]
		for j := 0; j < i && len(list) < 64; j++ {
			twice = twice || list[j].Name == m.Name
		}
		if twice {
			return &Error{Short(m.Name), "is there twice"}
		}
		if len(list) >= 64 {
			seen[m.Name] = true
		}
	}
	return nil
}

// check reports whether raw is JSON that is not nested too deep.
func check(raw []byte) error {
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return &Error{"", "must not be nested more than 64 deep"}
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	if !json.Valid(raw) {
		var v json.RawMessage
		err := json.Unmarshal(raw, &v)
		return &Error{"", "is not JSON: " + strings.TrimPrefix(err.Error(), "json: ")}
	}
	return nil
}

// split returns the items of a list, or the names and values of an object. raw must be valid.
func split(raw []byte) (parts [][]byte) {
	for i := 1; ; {
		for strings.IndexByte(" \t\r\n,:", raw[i]) >= 0 {
			i++
		}
		if raw[i] == '}' || raw[i] == ']' {
			return parts
		}
		end := i + lengthOf(raw[i:])
		parts = append(parts, raw[i:end])
		i = end
	}
}

// lengthOf returns the length of the value that raw begins with.
func lengthOf(raw []byte) int {
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
			continue
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			continue
		case c == '}' || c == ']':
			if depth == 0 {
				return i
			}
			depth--
		case depth == 0 && strings.IndexByte(" \t\r\n,:", c) >= 0:
			return i
		default:
			continue
		}
		if depth == 0 && !inText {
			return i + 1
		}
	}
	return len(raw)
}
