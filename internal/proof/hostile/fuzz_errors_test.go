package hostile_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/internal/testkit/naive"
)

// snippet is the length of the part of an unreadable body that an error keeps.
const snippet = 300

// fuzzToken has characters that JSON, HTML and URLs write in several ways.
const fuzzToken = "k3y/that+no&body=may;see"

// errorBodies returns a body of the simulator in each of its error shapes.
func errorBodies(t testing.TB) (bodies [][]byte) {
	get := testkit.CallsOf("shipments")[:1]
	for _, shape := range []terminal49test.ErrorShape{
		terminal49test.ShapeFull, terminal49test.ShapeTitleOnly, terminal49test.ShapeNoTitle, terminal49test.ShapeDetailOnly,
		terminal49test.ShapeNullDetail, terminal49test.ShapeNullSource, terminal49test.ShapeSingularKey,
		terminal49test.ShapeErrorText,
		terminal49test.ShapeErrorsText, terminal49test.ShapeMessage, terminal49test.ShapeDetailText,
		terminal49test.ShapeHTML,
		terminal49test.ShapeEmpty, terminal49test.ShapeMalformedJSON,
	} {
		bodies = append(bodies, testkit.Responses(t, get, func(srv *terminal49test.Server, c testkit.Call) {
			srv.AddFault(terminal49test.Fault{Operation: c.Op, Kind: terminal49test.FaultStatus, Status: 422, Shape: shape})
		})...)
	}
	return bodies
}

// echoes returns the forms in which a body may repeat the token.
func echoes() []string {
	var asJSON, asNumbers, asURL strings.Builder
	for _, c := range fuzzToken {
		fmt.Fprintf(&asJSON, `\u%04X`, c)
		fmt.Fprintf(&asNumbers, "&#x%x;", c)
		fmt.Fprintf(&asURL, "%%%02x", c)
	}
	return []string{
		fuzzToken, strings.ReplaceAll(fuzzToken, "/", `\/`), html.EscapeString(fuzzToken), url.QueryEscape(fuzzToken),
		url.PathEscape(fuzzToken),
		asJSON.String(), asNumbers.String(), asURL.String(), strings.ReplaceAll(asJSON.String(), `\`, `\\`),
		strings.NewReplacer("/", "&#47;", "+", `\u002b`, "=", "%3D").Replace(fuzzToken),
	}
}

// FuzzErrorBody responds to a call with any status and bytes. The error keeps the status, its kind
// depends only on the status and the service's wording, and it is short, readable and without the
// token in any form.
func FuzzErrorBody(f *testing.F) {
	bodies := errorBodies(f)
	for i, echo := range echoes() {
		for _, form := range []string{`{"errors":[{"title":"%s","meta":{"%[1]s":["%[1]s"]}}]}`, `{"note":"%s"}`,
			`<html>%s</html>`, `{"errors":[{"detail":"%s`, `%s`} {
			bodies = append(bodies, fmt.Appendf(nil, form, echo))
		}
		f.Add(uint16(i), "text/plain", "", fmt.Appendf(nil, "%s%s", strings.Repeat("x", snippet-i), echo))
	}
	bodies = append(bodies, []byte(`{"errors":[{"title":"`+fuzzToken[:8]+`"}]}`)) // as if the rest were cut off
	bodies = append(bodies, []byte(strings.Replace(fuzzToken, ";", "\xc4;", 1)))  // complete once the invalid byte is dropped
	bodies = append(bodies, []byte(`{"errors":[{"title":"x","detail":"The Feature is not enabled","code":"duplicate","status":409,"source":{"pointer":"/data","parameter":"q"},"meta":{"a":[1]}},{"detail":"name already exists"}]}`))
	for i, body := range bodies {
		f.Add([]uint16{0, 1, 3, 4, 9, 22, 29, 100, 103}[i%9], []string{"application/json", "text/html"}[i%2],
			[]string{"", "r-1", fuzzToken, "3"}[i%4], body)
	}
	f.Fuzz(func(t *testing.T, status uint16, contentType, header string, body []byte) {
		checkErrorBody(t, 400+int(status%200), contentType, header, body)
	})
}

func checkErrorBody(t *testing.T, status int, contentType, header string, body []byte) {
	rt := testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		resp, err := testkit.Answer(status, string(body))(nil)
		resp.Header = http.Header{"Content-Type": {contentType}, "X-Request-Id": {header}, "Retry-After": {header}}
		return resp, err
	})
	client, err := terminal49.New(fuzzToken, terminal49.WithHTTPClient(&http.Client{Transport: rt}),
		terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1))
	require.NoError(t, err)
	_, err = client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	var e *terminal49.APIError
	if !errors.As(err, &e) || e.StatusCode != status || e.Attempts != 1 || terminal49.IsOutcomeUnknown(err) {
		t.Fatalf("%d became %#v", status, err)
	}
	checkKind(t, e)
	if len(e.Errors) > 0 && e.Body != "" || len(e.Body) > snippet || len(e.RequestID) > snippet {
		t.Fatalf("%d objects, %d bytes of body, %d of the request id", len(e.Errors), len(e.Body), len(e.RequestID))
	}
	if most := 64<<10 + 8*len(body) + 1000; len(e.Error()) > most {
		t.Fatalf("a message of %d bytes from a body of %d", len(e.Error()), len(body))
	}
	if wait, ok := e.RetryAfter.Get(); ok && (wait < 0 || wait%time.Second != 0 && !strings.Contains(header, " ")) {
		t.Fatalf("Retry-After %q became %v", header, wait)
	}
	meta, err := json.Marshal(e.Errors)
	require.NoError(t, err)
	for _, text := range []string{e.Error(), e.Body, e.RequestID, fmt.Sprintf("%+v", *e), string(meta)} {
		if !naive.IsText(text) {
			t.Fatalf("not UTF-8: %q", text)
		}
		if showsToken(text) {
			t.Fatalf("the token shows: %q", text)
		}
	}
	if want, ok := naiveErrors(body); ok {
		for i := range e.Errors {
			e.Errors[i].Meta = nil
		}
		require.Equal(t, want, e.Errors, "%s", body)
	}
}

// checkKind computes the kind again, from the status and the wording.
func checkKind(t *testing.T, e *terminal49.APIError) {
	says := func(words string) (yes bool) {
		for _, o := range e.Errors {
			yes = yes || strings.Contains(strings.ToLower(o.Title+" "+o.Detail), words)
		}
		return yes
	}
	duplicate := false
	for _, o := range e.Errors {
		duplicate = duplicate || o.Code == "duplicate" || o.Code == "duplicate_document"
	}
	for kind, want := range map[error]bool{
		terminal49.ErrInvalid: e.StatusCode == 400 || e.StatusCode == 422, terminal49.ErrUnauthorized: e.StatusCode == 401,
		terminal49.ErrForbidden:         e.StatusCode == 403,
		terminal49.ErrFeatureNotEnabled: e.StatusCode == 403 && says("not enabled"),
		terminal49.ErrNotFound:          e.StatusCode == 404, terminal49.ErrConflict: e.StatusCode == 409,
		terminal49.ErrDuplicate:   duplicate || e.StatusCode == 422 && says("already exists"),
		terminal49.ErrRateLimited: e.StatusCode == 429, terminal49.ErrServer: e.StatusCode >= 500,
	} {
		if errors.Is(e, kind) != want {
			t.Fatalf("%d %v is %v: %v", e.StatusCode, e.Errors, kind, !want)
		}
	}
}

// escapes are the ways to write an ASCII character that JSON, HTML and URLs have.
var escapes = regexp.MustCompile(`(?i)\\+u00([0-7][0-9a-f])|%([0-7][0-9a-f])|&#x0*([0-7]?[0-9a-f]);?|&#0*([0-9]{1,3});?|&(amp|lt|gt|quot|apos);|\\+([/"\\])`)

// showsToken reports whether a text contains the token, with or without escapes.
func showsToken(text string) bool {
	plain := escapes.ReplaceAllStringFunc(text, func(s string) string {
		m := escapes.FindStringSubmatch(s)
		for i, base := range []int{16, 16, 16, 10} {
			if n, err := strconv.ParseUint(m[i+1], base, 8); err == nil {
				return string(rune(n))
			}
		}
		if m[5] != "" {
			return html.UnescapeString(s)
		}
		return m[6]
	})
	return strings.Contains(text, fuzzToken) || strings.Contains(plain, fuzzToken)
}

// naiveErrors reads {"errors": [...]} of objects whose members are texts; false for every other
// body.
func naiveErrors(body []byte) (list []terminal49.ErrorObject, ok bool) {
	root := naive.ReadObject(body)
	raw, ok := root.Once("errors")
	elements, isList := naive.ReadList(raw)
	if !ok || !isList || len(root) != 1 || !json.Valid(body) {
		return nil, false
	}
	for _, element := range elements {
		o := naive.ReadObject(element)
		var e terminal49.ErrorObject
		for name, to := range map[string]*string{"title": &e.Title, "detail": &e.Detail, "code": &e.Code,
			"status": &e.Status} {
			*to = o.Text(name)
		}
		source, _ := o.Once("source")
		e.Pointer, e.Parameter = naive.ReadObject(source).Text("pointer"), naive.ReadObject(source).Text("parameter")
		for name := range o {
			if lower := strings.ToLower(name); lower != name || o.Repeats(name) { // encoding/json treats both alike
				return nil, false
			}
		}
		for name := range naive.ReadObject(source) {
			if lower := strings.ToLower(name); lower != name || naive.ReadObject(source).Repeats(name) {
				return nil, false
			}
		}
		if o == nil || showsToken(string(element)) ||
			strings.ContainsFunc(string(element), func(r rune) bool { return r > 0x7f }) {
			return nil, false
		}
		if strings.Contains(strings.ToLower(fmt.Sprint(e)), fuzzToken[:len("k3y/")]) { // its beginning may be hidden too
			return nil, false
		}
		if e.Title+e.Detail+e.Code+e.Status != "" {
			list = append(list, e)
		}
	}
	return list, true
}
