package terminal49

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/go-freight/terminal49/internal/conceal"
	"github.com/go-freight/terminal49/internal/text"
)

// Secret is text that must not be printed, because it grants rights to anyone who reads it: the
// signed id of an uploaded file, a presigned URL, the key that signs webhooks. Every format, log
// and encoder shows "[secret]" instead; only Reveal returns the text.
type Secret struct {
	_    [0]func() // not comparable: two Secrets with the same text would differ
	text conceal.Value[string]
}

// NewSecret returns a Secret that holds text. NewSecret("") is the zero Secret.
func NewSecret(text string) Secret {
	if text == "" {
		return Secret{}
	}
	return Secret{text: conceal.New(text)}
}

// Reveal returns the text, "" for the zero Secret.
func (s Secret) Reveal() string { return s.text.Get() }

// IsZero reports whether there is no text.
func (s Secret) IsZero() bool { return s.text.IsZero() }

// String returns "[secret]".
func (s Secret) String() string { return text.Mask }

// GoString returns "[secret]".
func (s Secret) GoString() string { return text.Mask }

// LogValue returns "[secret]".
func (s Secret) LogValue() slog.Value { return s.text.LogValue() }

// MarshalText returns "[secret]".
func (s Secret) MarshalText() ([]byte, error) { return s.text.MarshalText() }

// redactor takes credentials out of the parts of a response that are kept: a service or proxy may
// repeat them to the sender. It is a function because printing a function shows nothing.
type redactor func(string) string

func newRedactor(credentials ...string) redactor { return text.Hide(credentials...) }

// RedactToken returns text with "[secret]" in place of the client's token, for programs that keep
// or show what the service sent: a service or proxy may repeat the token. It finds the token in
// letters of any case, escaped as in JSON, HTML or URLs, also repeatedly, and in base64. It leaves
// the rest as it is, and does not replace a token of fewer than six characters, which words may
// contain.
func (c *Client) RedactToken(text string) string { return c.hideToken(text) }

// also returns a redactor that takes further secrets out, those of one call.
func (r redactor) also(secrets []Secret) redactor {
	if len(secrets) == 0 {
		return r
	}
	texts := make([]string, len(secrets))
	for i, secret := range secrets {
		texts[i] = secret.Reveal()
	}
	hide := text.Hide(texts...)
	return func(s string) string { return hide(r(s)) }
}

// longestForm is more than the length of a credential with every character escaped.
const longestForm = 8 << 10

// start returns the first n bytes of text, redacted and in valid UTF-8. It redacts little more than
// it returns, because that takes long, and drops what may be half of a credential at the end.
// Invalid bytes, which could split a credential, are removed before it is redacted.
func (r redactor) start(text string, n int) string {
	cut := text[:min(len(text), n+longestForm)]
	redacted := r(strings.ToValidUTF8(cut, ""))
	if len(cut) < len(text) {
		redacted = redacted[:max(0, len(redacted)-longestForm)]
	}
	return strings.ToValidUTF8(redacted[:min(len(redacted), n)], "")
}

// beginning is start for what an error keeps of a response.
func (r redactor) beginning(text string) string { return r.start(text, snippet) }

// short is upTo for a name.
func (r *redactor) short(s string) string { return r.upTo(longestName, s) }

// upTo returns the first n bytes of text on one line, as an error may show it. It redacts nothing
// in an error that a caller made.
func (r *redactor) upTo(n int, text string) string {
	redact := redactor(strings.Clone)
	if r != nil {
		redact = *r
	}
	start := printable(redact.start(text, n))
	if len(text) > n {
		start += "..."
	}
	return start
}

// in returns err, whose text quotes what the service sent, redacted.
func (r redactor) in(err error) error {
	switch e := err.(type) {
	case *CarrierUndecidedError:
		e.redact = &r
	case *InvalidNumberError:
		e.redact = &r
	case *TrackingFailedError:
		e.redact = &r
	}
	return err
}

// longestText limits the texts of an error object and the headers of a Response.
const longestText = 4 << 10

// object redacts a decoded error object, because JSON may have written the token with escapes.
func (r redactor) object(o ErrorObject) ErrorObject {
	for _, s := range []*string{&o.Title, &o.Detail, &o.Code, &o.Status, &o.Pointer, &o.Parameter} {
		*s = r.start(*s, longestText)
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
		return r.start(v, longestText)
	case []any:
		for i := range v {
			v[i] = r.value(v[i])
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, member := range v {
			clean[r.start(name, longestText)] = r.value(member)
		}
		return clean
	}
	return v
}

// printable returns text of the service as it may appear in an error: on one line, with everything
// that a terminal or a log reader would interpret escaped as Go writes it, such as \n.
func printable(s string) string { return text.Printable(s) }

// unquoted returns the problem that encoding/json reports, without the value that its errors and
// those of the caller's types may quote.
func unquoted(err error) error {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	var stored *storedError
	switch {
	case errors.As(err, &stored):
		return stored.err
	case errors.As(err, &kind):
		return fmt.Errorf("member %q at byte %d is not a %v", kind.Field, kind.Offset, kind.Type)
	case errors.As(err, &syntax):
		return fmt.Errorf("it is not JSON from byte %d on", syntax.Offset)
	default:
		return errors.New("a value does not fit its Go type")
	}
}
