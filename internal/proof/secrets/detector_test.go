package secrets_test

import (
	"encoding"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// The tests of secrets use a detector, which finds planted secrets in every printed form, and all
// the ways in which a value can be printed.

// piece is the length of a part that counts as the secret.
const piece = 12

// detector finds pieces of secrets.
type detector struct {
	forms  map[string][]written // by the first bytes of a piece
	begins [1 << 16]bool        // hashes of them, so that most text is skipped quickly
}

type written struct{ text, secret string }

func newDetector(secrets ...string) *detector {
	d := &detector{forms: map[string][]written{}}
	for _, secret := range secrets {
		d.plant(secret)
	}
	return d
}

// plant adds a secret, with all forms of all its pieces.
func (d *detector) plant(secret string) {
	if len(secret) < piece {
		panic("too short to be distinguished from chance: " + secret)
	}
	for i := 0; i+piece <= len(secret); i++ {
		for _, form := range writtenForms(secret[i : i+piece]) {
			d.forms[form[:piece]] = append(d.forms[form[:piece]], written{form, secret})
			d.begins[beginning(form)] = true
		}
	}
}

// writtenForms returns the forms of a text in fmt, JSON, URLs and base64.
func writtenForms(text string) (forms []string) {
	raw := []byte(text)
	escaped, _ := json.Marshal(text) // a string can always be written
	forms = []string{text, strings.ToLower(text), strings.ToUpper(text), url.QueryEscape(text), url.PathEscape(text),
		strings.Trim(string(escaped), `"`)}
	for _, verb := range []string{"%x", "%X", "% x", "% X", "%# x", "%d", "%o", "%b", "%c", "%U"} {
		forms = append(forms, strings.Trim(fmt.Sprintf(verb, raw), "[]"))
	}
	list := fmt.Sprintf("%#v", raw)
	forms = append(forms, list[len("[]byte{"):len(list)-1], strings.ReplaceAll(fmt.Sprint(raw), " ", ","), strings.ReplaceAll(fmt.Sprint(raw), " ", ", "))
	for shift := range 3 { // the base64 form depends on the offset
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			whole := alphabet.EncodeToString(append(make([]byte, shift), raw...))
			forms = append(forms, whole[(shift*8+5)/6:len(whole)-1])
		}
	}
	return forms
}

func beginning(s string) uint16 {
	return uint16(s[0])<<8 ^ uint16(s[1])<<4 ^ uint16(s[2]) ^ uint16(s[3])<<5
}

// find returns the secret that text contains a piece of, "" for none.
func (d *detector) find(text string) string {
	secret, _ := d.locate(text)
	return secret
}

// locate also returns the text around the first piece, for the failure message.
func (d *detector) locate(text string) (secret, around string) {
	for i := 0; i+piece <= len(text); i++ {
		if !d.begins[beginning(text[i:])] {
			continue
		}
		for _, form := range d.forms[text[i:i+piece]] {
			if strings.HasPrefix(text[i:], form.text) {
				return form.secret, text[max(0, i-300):min(i+100, len(text))]
			}
		}
	}
	return "", ""
}

// verbs are all verbs of fmt and some invalid ones, with flags.
var verbs = []string{
	"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%T", "%p", "%o", "%O", "%b", "%U", "%c", "%e", "%E",
	"%f", "%g", "%G", "%y",
	"% x", "% X", "%#x", "%# x", "%#q", "%+q", "%#U", "%#o", "%08.3v", "%-40.30v", "%+d", "%.99s", "%[1]*v",
}

// allVerbs is a format with every verb: one call of fmt is faster than many.
var allVerbs = func() string {
	indexed := make([]string, len(verbs))
	for i, verb := range verbs {
		at := len(verb) - 1
		indexed[i] = verb[:at] + "[1]" + verb[at:]
	}
	return strings.Replace(strings.Join(indexed, "\n"), "%[1]*[1]v", "%[1]*[1]v", 1)
}()

// holders are the places of a value that is printed.
var holders = []string{"itself", "pointer", "exported field", "unexported field", "slice", "slice in an unexported field", "array", "map", "map key", "any", "pointer field"}

// held puts v into the holder; ok is false if that is impossible.
func held(holder string, v any) (_ any, ok bool) {
	value := reflect.ValueOf(v)
	pointer := reflect.New(value.Type())
	pointer.Elem().Set(value)
	list := reflect.Append(reflect.MakeSlice(reflect.SliceOf(value.Type()), 0, 1), value)
	switch holder {
	case "pointer":
		return pointer.Interface(), true
	case "exported field":
		return struct{ V any }{v}, true
	case "unexported field":
		return struct{ v any }{v}, true
	case "slice":
		return list.Interface(), true
	case "slice in an unexported field":
		return &struct{ v any }{list.Interface()}, true
	case "array":
		return [1]any{v}, true
	case "map":
		m := reflect.MakeMap(reflect.MapOf(reflect.TypeFor[string](), value.Type()))
		m.SetMapIndex(reflect.ValueOf("k"), value)
		return m.Interface(), true
	case "map key":
		if !value.Comparable() {
			return nil, false
		}
		return map[any]int{v: 1}, true
	case "any":
		return []any{&v}, true
	case "pointer field":
		return struct{ p any }{pointer.Interface()}, true
	}
	return v, true
}

// others are the ways of printing without fmt's verbs.
var others = map[string]func(any) string{
	"json": func(v any) string { raw, err := json.Marshal(v); return fmt.Sprint(string(raw), err) },
	"slog text": func(v any) string {
		var b strings.Builder
		slog.New(slog.NewTextHandler(&b, nil)).Info("m", "v", v, slog.Group("g", "v", v))
		return b.String()
	},
	"slog json": func(v any) string {
		var b strings.Builder
		slog.New(slog.NewJSONHandler(&b, nil)).Info("m", "v", v, slog.Group("g", "v", v))
		return b.String()
	},
	"text": func(v any) string {
		marshaler, ok := v.(encoding.TextMarshaler)
		if !ok {
			return ""
		}
		text, err := marshaler.MarshalText()
		return fmt.Sprint(string(text), err)
	},
	"panic": func(v any) (text string) {
		defer func() {
			r := recover()
			text = fmt.Sprint(r)
		}()
		panic(v)
	},
	"error": func(v any) string {
		err, ok := v.(error)
		if !ok {
			return ""
		}
		wrapped := fmt.Errorf("wrapped: %w", err)
		joined := errors.Join(errors.New("other"), wrapped)
		return fmt.Sprintf("%v %+v %#v %v %+v %#v", wrapped, wrapped, wrapped, joined, joined, joined)
	},
}

// ways returns the number of ways of printing.
func ways() int { return len(holders)*len(verbs) + 3*len(others) }

// leak prints v in all ways and returns one that shows a secret; "" if none does.
func (d *detector) leak(v any) string {
	for _, holder := range holders {
		in, ok := held(holder, v)
		if !ok || d.find(fmt.Sprintf(allVerbs, in)) == "" {
			continue
		}
		for _, verb := range verbs {
			if secret := d.find(fmt.Sprintf(verb, in)); secret != "" {
				return fmt.Sprintf("%T shows %q with %s (%s)", v, secret, verb, holder)
			}
		}
		return fmt.Sprintf("%T shows a secret (%s)", v, holder)
	}
	for _, holder := range []string{"itself", "pointer", "exported field"} {
		in, _ := held(holder, v)
		for name, text := range others {
			if secret := d.find(text(in)); secret != "" {
				return fmt.Sprintf("%T shows %q by %s (%s)", v, secret, name, holder)
			}
		}
	}
	return ""
}

// The leaks that the detector must find, each a type that shows the secret in one way only.
type (
	leakyStruct  struct{ secret string }
	leakyPointer struct{ p *leakyStruct } // fmt dereferences it for a verb that pointers lack, such as %s
	deepPointer  struct{ p **leakyStruct }
	leakyBytes   []byte
	leakyFormat  string
	leakyText    struct{ s func() string }
	leakyJSON    struct{ s func() string }
	leakyLog     struct{ s func() string }
	leakyError   struct{ s func() string }
	hiddenByName struct{ secret string }
)

func (l leakyFormat) Format(f fmt.State, verb rune) {
	if verb == 'g' {
		_, _ = f.Write([]byte(l))
	}
}
func (l leakyText) MarshalText() ([]byte, error) { return []byte(l.s()), nil }
func (l leakyJSON) MarshalJSON() ([]byte, error) { return json.Marshal(l.s()) }
func (l leakyLog) LogValue() slog.Value          { return slog.StringValue(l.s()) }
func (l leakyError) Error() string               { return l.s() }
func (hiddenByName) String() string              { return hiddenWord }
func (hiddenByName) GoString() string            { return hiddenWord }

// hiddenWord is the text that is printed instead of secrets.
var hiddenWord = terminal49.NewSecret("a").String()

// A detector that finds nothing proves nothing: it must find the secret in each form.
func TestSecrets_TheDetectorFindsLeaks(t *testing.T) {
	secret := testkit.Token
	d := newDetector(secret, testkit.WebhookSecret)
	text, below := func() string { return secret }, &leakyStruct{secret}
	for name, v := range map[string]any{
		"text": secret, "field": leakyStruct{secret}, "array": [1]string{secret}, "bytes": leakyBytes(secret),
		"runes":    []rune(secret),
		"raw JSON": json.RawMessage(`{"a":"` + secret + `"}`), "key": map[string]int{secret: 1},
		"pointer": &leakyStruct{secret}, "pointer in a field": leakyPointer{below}, "formatter": leakyFormat(secret),
		"text marshaler": leakyText{text}, "json marshaler": leakyJSON{text}, "log valuer": leakyLog{text},
		"error":                     leakyError{text},
		"only in unexported fields": hiddenByName{secret},
		"base64":                    base64.StdEncoding.EncodeToString([]byte("Token " + secret)),
		"a piece":                   "..." + secret[3:3+piece] + "...", "upper case": strings.ToUpper(secret),
		"in an error": fmt.Errorf("a: %w", errors.New(secret)),
	} {
		require.NotEmpty(t, d.leak(v), name)
	}
	for name, v := range map[string]any{
		"func": text, "secret": terminal49.NewSecret(secret),
		"field": struct{ s terminal49.Secret }{terminal49.NewSecret(secret)}, "pointer": deepPointer{&below},
		"the word for it": hiddenWord, "less than a piece": secret[:piece-1], "nothing": struct{}{},
	} {
		require.Empty(t, d.leak(v), name)
	}
	for _, escaped := range []string{`k"3y<and>&more`, "k%3y with spaces/slashes"} {
		d := newDetector(escaped)
		quoted, err := json.Marshal(escaped)
		require.NoError(t, err)
		for _, text := range []string{string(quoted), url.QueryEscape(escaped), url.PathEscape(escaped),
			fmt.Sprint([]byte(escaped))} {
			require.Equal(t, escaped, d.find("before "+text+" after"))
		}
	}
}
