package terminal49

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// redactor takes the token out of what is kept of an answer: a service or proxy may repeat it to the sender. It is a
// function because a printed function shows nothing.
type redactor func(string) string

func newRedactor(token string) redactor {
	return func(s string) string { return strings.ReplaceAll(s, token, "[redacted]") }
}

// object redacts what was decoded, because JSON may have written the token with escapes.
func (r redactor) object(o ErrorObject) ErrorObject {
	for _, s := range []*string{&o.Title, &o.Detail, &o.Code, &o.Status, &o.Pointer, &o.Parameter} {
		*s = r(*s)
	}
	if o.Meta != nil {
		o.Meta = r.value(o.Meta).(map[string]any)
	}
	return o
}

// value redacts the strings of decoded JSON, names and values.
func (r redactor) value(v any) any {
	switch v := v.(type) {
	case string:
		return r(v)
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, member := range v {
			clean[r(name)] = r.value(member)
		}
		return clean
	}
	return v
}

// unquoted says what encoding/json did not like without quoting the value, as its own errors and those of the caller's
// types may do.
func unquoted(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("member %q at byte %d is no %v", kind.Field, kind.Offset, kind.Type)
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no JSON from byte %d on", syntax.Offset)
	default:
		return errors.New("a value does not fit its Go type")
	}
}
