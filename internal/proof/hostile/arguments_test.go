package hostile_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/operation"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Programs pass on text that others typed. For any text, a call is rejected before anything is
// sent, or it remains the same operation on the same host, with the text in its place, byte for
// byte. The tests find the methods of all services by reflection, so that new ones are included.

// hostile returns texts with a meaning in paths, queries, header lines, terminals or spreadsheets.
func hostile() []string {
	return []string{
		"", " ", ".", "..", "...", "../x", "a/../b", "/", "//", "//evil.test/x", `\`, `..\x`, "?x=1", "#f",
		"&include=x", "a=b",
		"%", "%2e%2e", "%2F", "%00", "%25", "\x00", "\r\n", "x\r\nX-Evil: 1", "\n", "\t", "\x1b[31m", "\x7f",
		"\u0085", "\u2028",
		"\u202e", "\u200b", "\ufeff", "\xff", "a\xc3", strings.Repeat("a", 10<<10), "a@b", ";", ";a=b", "*", "{id}",
		"{", "a:b", "a,b",
		"https://evil.test/", "javascript:alert(1)", "🚢", "e\u0301", "é", "<script>", `"`, "'", "+", "a+b", "a b",
		" a", "null", "0",
		testkit.ShipmentID, testkit.ShipmentID + "\n", " " + testkit.ShipmentID,
		strings.ToUpper("abcdefab-cdef-4abc-8def-abcdefabcdef"), "{" + testkit.ShipmentID + "}",
		"urn:uuid:" + testkit.ShipmentID, strings.ReplaceAll(testkit.ShipmentID, "-", ""),
		strings.ReplaceAll(testkit.ShipmentID, "-", "\u2010"),
		"USLAX", "uslax", "US/AX", "9811000", "981100０", "-981100", "+981100",
	}
}

// wired collects requests as a server reads them. Every response is 404, which ends any method.
type wired struct{ got []*http.Request }

func (w *wired) RoundTrip(req *http.Request) (*http.Response, error) {
	var line bytes.Buffer
	if err := req.Write(&line); err != nil {
		return nil, err
	}
	in := bufio.NewReader(&line)
	got, err := http.ReadRequest(in)
	if err != nil {
		return nil, fmt.Errorf("%w: no server understands this", err)
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, err
	}
	if rest, _ := io.ReadAll(in); len(rest) > 0 {
		return nil, fmt.Errorf("a second request was smuggled in: %q", rest)
	}
	got.Body = io.NopCloser(bytes.NewReader(body))
	w.got = append(w.got, got.WithContext(req.Context()))
	return testkit.Answer(404, `{"errors":[]}`)(req)
}

// hole is a string within an argument.
type hole struct {
	path string
	put  func(of reflect.Value, text string)
}

// holes returns the strings within a type.
func holes(typ reflect.Type) (list []hole) {
	set := func(v any) hole {
		return hole{put: func(of reflect.Value, text string) {
			switch v.(type) {
			case terminal49.Opt[string]:
				of.Set(reflect.ValueOf(terminal49.Some(text)))
			case terminal49.Opt[[]string]:
				of.Set(reflect.ValueOf(terminal49.Some([]string{text})))
			case terminal49.Secret:
				of.Set(reflect.ValueOf(terminal49.NewSecret(text)))
			case terminal49.CustomFieldValue:
				of.Set(reflect.ValueOf(terminal49.CustomText(text)))
			}
		}}
	}
	switch v := reflect.Zero(typ).Interface().(type) {
	case terminal49.Opt[string], terminal49.Opt[[]string], terminal49.Secret, terminal49.CustomFieldValue:
		return []hole{set(v)}
	}
	switch typ.Kind() {
	case reflect.String:
		return []hole{{put: func(of reflect.Value, text string) { of.SetString(text) }}}
	case reflect.Slice:
		for _, h := range holes(typ.Elem()) {
			list = append(list, hole{"[0]" + h.path, func(of reflect.Value, text string) {
				of.Set(reflect.MakeSlice(typ, 1, 1))
				h.put(of.Index(0), text)
			}})
		}
	case reflect.Pointer:
		if _, fromService := typ.MethodByName("Raw"); fromService || typ.Elem().Kind() != reflect.Struct {
			return nil
		}
		for _, h := range holes(typ.Elem()) {
			list = append(list, hole{h.path, func(of reflect.Value, text string) {
				if of.IsNil() {
					of.Set(reflect.New(typ.Elem()))
				}
				h.put(of.Elem(), text)
			}})
		}
	case reflect.Struct:
		for i := range typ.NumField() {
			if !typ.Field(i).IsExported() {
				continue
			}
			for _, h := range holes(typ.Field(i).Type) {
				list = append(list, hole{"." + typ.Field(i).Name + h.path, func(of reflect.Value, text string) {
					h.put(of.Field(i), text)
				}})
			}
		}
	}
	return list
}

// offered returns the operations by name.
func offered() map[string]operation.Operation {
	byName := map[string]operation.Operation{}
	for _, o := range operation.All() {
		byName[o.Name] = o
	}
	return byName
}

// shape compares a request with its operation and returns the path's parameters and their values.
func shape(t *testing.T, o operation.Operation, r *http.Request, what string) map[string]string {
	t.Helper()
	require.Equal(t, o.Method, r.Method, what)
	require.Equal(t, "api.example.test", r.Host, what)
	require.Equal(t, "Token "+testkit.Token, r.Header.Get("Authorization"), what)
	require.Empty(t, r.Header.Get("X-Evil"), what)
	query, err := url.ParseQuery(r.URL.RawQuery)
	require.NoError(t, err, what)
	for name := range query {
		require.Contains(t, o.Query, strings.TrimSuffix(name, "[]"), what) // the form of a filter with two bounds
	}
	path, below := strings.CutPrefix(r.URL.EscapedPath(), "/proxy/v2")
	require.True(t, below, "%s: %s", what, path)
	segments := strings.Split(path, "/")
	for _, template := range []string{o.Path} {
		due := strings.Split(template, "/")
		if len(due) != len(segments) {
			continue
		}
		found := map[string]string{}
		for i := range due {
			if strings.HasPrefix(due[i], "{") {
				value, err := url.PathUnescape(segments[i])
				require.NoError(t, err, what)
				found[due[i]] = value
			} else {
				require.Equal(t, due[i], segments[i], what)
			}
		}
		return found
	}
	t.Fatalf("%s: %q is not a path of %s", what, path, o.Name)
	return nil
}

// carries reports whether a request has the text in its query or body, ignoring surrounding blanks.
func carries(t *testing.T, r *http.Request, text string) bool {
	t.Helper()
	text = strings.TrimSpace(text)
	number := terminal49.NormalizeContainerNumber(text) // as some methods send it
	if text == "" {
		return true // blank text is omitted from a filter, or is an empty member
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	require.NoError(t, err)
	for _, values := range query {
		if slices.Equal(values, []string{text}) || slices.Equal(values, []string{number}) {
			return true
		}
	}
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	r.Body = io.NopCloser(bytes.NewReader(body))
	var found func(v any) bool
	found = func(v any) bool {
		switch v := v.(type) {
		case string:
			v = strings.TrimSpace(v)
			return v == text || v == number
		case []any:
			return slices.ContainsFunc(v, found)
		case map[string]any:
			for _, member := range v {
				if found(member) {
					return true
				}
			}
		}
		return false
	}
	var v any
	return json.Unmarshal(body, &v) == nil && found(v)
}

func TestHostile_ArgumentsStayArguments(t *testing.T) {
	looksFirst := []string{"TrackingRequests.Track", "TrackingRequests.TrackAll", "Webhooks.Ensure"}
	operations, driven := offered(), map[string]bool{}
	calls, refusals := 0, 0
	for _, m := range testkit.Methods() {
		for at, typ := range m.Args {
			for _, h := range holes(typ) {
				for n, text := range hostile() {
					if strings.HasSuffix(m.Name, ".All") || strings.HasSuffix(m.Name, ".Pages") {
						if n%5 > 0 {
							continue // List takes the same params
						}
					}
					what := fmt.Sprintf("%s argument %d%s = %.60q", m.Name, at, h.path, text)
					args := make([]reflect.Value, len(m.Args))
					for i := range args {
						args[i] = reflect.New(m.Args[i]).Elem()
						args[i].Set(testkit.Usable(t, m.Args[i]))
					}
					h.put(args[at], text)
					wire := &wired{}
					err := testkit.OutcomeOf(m.Results(testkit.NewClient(t, wire), t.Context(), args, nil))
					calls++
					var bad *terminal49.ArgumentError
					if errors.As(err, &bad) {
						require.NotEmpty(t, bad.Field, what)
						require.NotEmpty(t, bad.Op, what)
						require.Empty(t, wire.got, "%s: sent before it was refused", what)
						require.NotRegexp(t, `[\x00-\x1f\x7f-\x{9f}\x{202e}]`, err.Error(), what)
						refusals++
						continue
					}
					require.Error(t, err, what) // always 404
					require.NotEmpty(t, wire.got, "%s: %v", what, err)
					r := wire.got[0]
					info, _ := terminal49.CallFromContext(r.Context())
					params := shape(t, operations[info.Op], r, what)
					inPath := false
					for name, value := range params {
						if value != testkit.ShipmentID && value != testkit.PortID {
							require.Equal(t, text, value, what)
						}
						inPath = inPath || value == text
						driven[info.Op+name] = true
					}
					if !inPath && !slices.Contains(looksFirst, m.Name) {
						require.True(t, carries(t, r, text), "%s: lost: %s", what, r.URL.RawQuery)
					}
				}
			}
		}
	}
	for name, o := range operations {
		for _, segment := range strings.Split(strings.Join([]string{o.Path}, ""), "/") {
			if strings.HasPrefix(segment, "{") {
				require.True(t, driven[name+segment], "%s: nothing was put in the place of %s", name, segment)
			}
		}
	}
	t.Logf("figure: %d hostile arguments in every place of every method, %d refused by name before sending, the others arrive as they are", calls, refusals)
}
