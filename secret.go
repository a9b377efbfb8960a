package terminal49

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/go-freight/terminal49/internal/transport"
)

// Secret is text that whoever reads it can act with: the signed id of an uploaded file, a presigned URL, the key that
// signs webhooks. However it is printed, logged or marshalled, "[secret]" appears; Reveal gives the text.
type Secret struct{ reveal func() string } // a func, because every other field can be printed by reflection

const hidden = "[secret]"

// NewSecret wraps text that must not be printed. NewSecret("") is the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{func() string { return text }}
}

// Reveal returns the text, "" for the zero Secret.
func (s Secret) Reveal() string {
	if s.reveal == nil {
		return ""
	}
	return s.reveal()
}

// IsZero reports whether there is no text.
func (s Secret) IsZero() bool { return s.reveal == nil }

// String returns "[secret]", whatever the text.
func (s Secret) String() string { return hidden }

// GoString returns "[secret]", whatever the text.
func (s Secret) GoString() string { return hidden }

// LogValue returns "[secret]", whatever the text.
func (s Secret) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalText returns "[secret]", whatever the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// redactor takes the credentials out of what is kept of an answer: a service or proxy may repeat them to the sender. It
// is a function because a printed function shows nothing.
type redactor func(string) string

func newRedactor(credentials ...string) redactor { return transport.Hide("[redacted]", credentials...) }

// also returns a redactor that takes further secrets out, those of one call.
func (r redactor) also(secrets []Secret) redactor {
	if len(secrets) == 0 {
		return r
	}
	texts := make([]string, len(secrets))
	for i, secret := range secrets {
		texts[i] = secret.Reveal()
	}
	hide := transport.Hide(hidden, texts...)
	return func(s string) string { return hide(r(s)) }
}

// beginning is a snippet of a text that nobody has read, in valid UTF-8. It is redacted once what is no UTF-8 is out,
// which could have stood within a token, and before the cut, which could leave half of one.
func (r redactor) beginning(text string) string {
	text = r(strings.ToValidUTF8(text, ""))
	return strings.ToValidUTF8(text[:min(len(text), snippet)], "")
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

// printable is text of the service as it may stand in an error: on one line, without anything that a terminal or the
// reader of a log would take for more than text. What is taken out stays visible as Go would write it, such as \n.
func printable(s string) string { return transport.Printable(s) }

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
