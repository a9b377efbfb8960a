package terminal49

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"
	"github.com/go-freight/terminal49/terminal49test"
)

// Helpers of the tests that are not external.

// naiveObject are the members of an object, with every value that came under a name: of two, which one counts is
// nobody's promise.
type naiveObject map[string][]json.RawMessage

// readObject reads an object; nil for everything else.
func readObject(raw json.RawMessage) naiveObject {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	o := naiveObject{}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		o[name.(string)] = append(o[name.(string)], value)
	}
	return o
}

// once returns the value of a member that came exactly once.
func (o naiveObject) once(name string) (json.RawMessage, bool) {
	if len(o[name]) != 1 {
		return nil, false
	}
	return o[name][0], true
}

// repeats tells whether any of the names came twice.
func (o naiveObject) repeats(names ...string) bool {
	for _, name := range names {
		if len(o[name]) > 1 {
			return true
		}
	}
	return false
}

// textField is the member as a text, "" if there is none.
func (o naiveObject) text(name string) string {
	raw, _ := o.once(name)
	s, _ := readText(raw)
	return s
}

// readList reads the elements of an array; false for everything else.
func readList(raw json.RawMessage) (list []json.RawMessage, ok bool) {
	ok = len(raw) > 0 && raw[0] == '[' && json.Unmarshal(raw, &list) == nil
	return list, ok
}

// readText reads a string; a number counts as its digits.
func readText(raw json.RawMessage) (s string, ok bool) {
	if n, ok := readNumber(raw); ok {
		return n, true
	}
	ok = len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil
	return s, ok
}

// readNumber returns the digits of a number.
func readNumber(raw json.RawMessage) (string, bool) {
	if len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') {
		return string(raw), true
	}
	return "", false
}

// expected says what the decoder must have made of a value.
type expected uint8

const (
	mustBeEmpty expected = iota // null, or of another kind: nothing was read
	mustBeThis                  // both understand it
	either                      // the decoder reads more than JSON says, such as a number out of a text
)

// readMoment reads what both readers call a time: RFC 3339 and calendar days.
func readMoment(raw json.RawMessage) (at time.Time, day bool, v expected) {
	s, ok := readText(raw)
	if !ok || s == "" {
		return at, false, mustBeEmpty
	}
	if at, err := time.Parse(time.DateOnly, s); err == nil {
		return at, true, mustBeThis
	}
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return at, false, mustBeThis
	}
	return at, false, either
}

// naiveResource is a resource object.
type naiveResource struct {
	raw                       json.RawMessage
	typ, id, self             string
	attributes, relationships naiveObject
}

// readResource reads a resource object; false for what is none, or one in which a member came twice.
func readResource(raw json.RawMessage) (*naiveResource, bool) {
	o := readObject(raw)
	if o == nil || o.repeats("id", "type", "attributes", "relationships", "links") {
		return nil, false
	}
	r := &naiveResource{raw: raw, id: o.text("id"), typ: o.text("type")}
	for name, to := range map[string]*naiveObject{"attributes": &r.attributes, "relationships": &r.relationships} {
		value, _ := o.once(name)
		*to = readObject(value)
	}
	links, _ := o.once("links")
	self := readObject(links)
	if self.repeats("self") {
		return nil, false
	}
	r.self = self.text("self")
	return r, true
}

// naiveDocument is a document in which no member came twice.
type naiveDocument struct {
	primary  []*naiveResource
	included []*naiveResource
	links    naiveObject
	meta     naiveObject
}

// readDocument reads a document that the decoder understood; false if some member of it came twice.
func readDocument(body []byte) (*naiveDocument, bool) {
	root := readObject(body)
	if root.repeats("data", "included", "links", "meta") {
		return nil, false
	}
	doc := &naiveDocument{}
	data, _ := root.once("data")
	elements, ok := readList(data)
	if !ok {
		elements = []json.RawMessage{data}
	}
	included, _ := root.once("included")
	more, _ := readList(included)
	for _, part := range []struct {
		from []json.RawMessage
		to   *[]*naiveResource
	}{{elements, &doc.primary}, {more, &doc.included}} {
		for _, raw := range part.from {
			if len(raw) == 0 || raw[0] != '{' {
				continue // an odd element does not cost its neighbours
			}
			r, ok := readResource(raw)
			if !ok {
				return nil, false
			}
			*part.to = append(*part.to, r)
		}
	}
	links, _ := root.once("links")
	meta, _ := root.once("meta")
	doc.links, doc.meta = readObject(links), readObject(meta)
	return doc, true
}

// find returns the resource that a reference leads to: a primary one before an included one, the last of the primary
// ones, the first of the others.
func (d *naiveDocument) find(typ, id string) (found *naiveResource) {
	for _, r := range d.primary {
		if r.typ == typ && r.id == id {
			found = r
		}
	}
	for _, r := range d.included {
		if found == nil && r.typ == typ && r.id == id {
			found = r
		}
	}
	return found
}

// wireRef is a linkage.
type wireRef struct{ typ, id string }

// readLinkage reads a relationship object: what it points to, and whether it says so at all. The third result is false
// if a member came twice.
func readLinkage(raw json.RawMessage, many bool) (refs []wireRef, told, plain bool) {
	o := readObject(raw)
	if o.repeats("data", "id", "type") {
		return nil, false, false
	}
	if id := o.text("id"); id != "" { // the bare form
		return []wireRef{{o.text("type"), id}}, true, true
	}
	data, ok := o.once("data")
	if !ok {
		return nil, false, true
	}
	if string(data) == "null" {
		return nil, true, true
	}
	elements, isList := readList(data)
	if isList != many {
		return nil, false, true
	}
	if !isList {
		elements = []json.RawMessage{data}
	}
	for _, element := range elements {
		ref := readObject(element)
		if ref.repeats("id", "type") {
			return nil, false, false
		}
		if ref == nil && !many {
			return nil, false, true
		}
		if id := ref.text("id"); id != "" {
			refs = append(refs, wireRef{ref.text("type"), id})
		}
	}
	return refs, true, true
}

const testToken = "k3y-that-nobody-may-see"

const testBase = "https://api.example.test/proxy/v2"

// sent is a request as it left the client, credentials included.
type sent struct {
	Method, Path, Query, Body string
	Header                    http.Header
	Info                      transport.Info
}

// fakeAPI answers the requests of one client and keeps them.
type fakeAPI struct {
	*httpmock.MockTransport
	mu   sync.Mutex
	sent []sent
}

func newFakeAPI() *fakeAPI { return &fakeAPI{MockTransport: httpmock.NewMockTransport()} }

// RoundTrip keeps the request before the mock sees it.
func (f *fakeAPI) RoundTrip(req *http.Request) (*http.Response, error) {
	s := sent{Method: req.Method, Path: req.URL.EscapedPath(), Header: req.Header.Clone()}
	s.Query, _ = url.QueryUnescape(req.URL.RawQuery)
	s.Info, _ = transport.InfoFromContext(req.Context())
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		s.Body = string(body)
		req.Body = io.NopCloser(strings.NewReader(s.Body))
	}
	f.mu.Lock()
	f.sent = append(f.sent, s)
	f.mu.Unlock()
	return f.MockTransport.RoundTrip(req)
}

// requests returns what was sent so far.
func (f *fakeAPI) requests() []sent {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]sent(nil), f.sent...)
}

// queries returns the queries sent so far, decoded.
func (f *fakeAPI) queries() []string {
	var list []string
	for _, s := range f.requests() {
		list = append(list, s.Query)
	}
	return list
}

// on answers method and path, which is below the base URL, with a status and a body.
func (f *fakeAPI) on(method, path string, status int, body string) {
	f.RegisterResponder(method, testBase+path, httpmock.NewStringResponder(status, body))
}

// onPages answers a list: the pages are keyed by the decoded query.
func (f *fakeAPI) onPages(path string, pages map[string]string) {
	f.RegisterResponder(http.MethodGet, testBase+path, func(req *http.Request) (*http.Response, error) {
		query, _ := url.QueryUnescape(req.URL.RawQuery)
		body, ok := pages[query]
		if !ok {
			return nil, fmt.Errorf("no page for the query %q", query)
		}
		if strings.HasPrefix(body, "!") {
			return httpmock.NewStringResponse(http.StatusNotFound, body[1:]), nil
		}
		return httpmock.NewStringResponse(http.StatusOK, body), nil
	})
}

// newClient returns a client over rt without limits and without retries; later options win.
func newClient(t testing.TB, rt http.RoundTripper, opts ...Option) *Client {
	t.Helper()
	opts = append([]Option{
		WithBaseURL(testBase), WithHTTPClient(&http.Client{Transport: rt}), WithoutLimits(), WithoutRetries(),
	}, opts...)
	client, err := New(testToken, opts...)
	require.NoError(t, err)
	return client
}

// roundTripper is a round tripper made of a function.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// answer makes a round tripper that always answers the same.
func answer(status int, body string) roundTripper {
	return func(*http.Request) (*http.Response, error) { return httpmock.NewStringResponse(status, body), nil }
}

// call is one use of a service method with everything that can be given to it.
type call struct {
	op, method, path, query, body string
	reply                         string
	do                            func(context.Context, *Client) error
}

// testCalls checks what each call sends, byte for byte.
func testCalls(t *testing.T, calls []call) {
	for _, c := range calls {
		t.Run(c.op+"?"+c.query, func(t *testing.T) {
			api := newFakeAPI()
			api.on(c.method, c.path, http.StatusOK, c.reply)
			require.NoError(t, c.do(t.Context(), newClient(t, api)))

			require.Len(t, api.requests(), 1)
			got := api.requests()[0]
			require.Equal(t, c.method, got.Method)
			require.Equal(t, "/proxy/v2"+c.path, got.Path)
			require.Equal(t, c.query, got.Query)
			require.Equal(t, c.body, got.Body)
			require.Equal(t, c.op, got.Info.Op)
			want := http.Header{
				"Accept":        {"application/vnd.api+json, application/json"},
				"Authorization": {"Token " + testToken},
				"User-Agent":    {"go-freight-terminal49/" + Version},
			}
			if c.body != "" {
				want.Set("Content-Type", "application/json")
			}
			require.Equal(t, want, got.Header)
		})
	}
}

// first drops the value of a call, of which only the error is of interest.
func first[V any](_ V, err error) error { return err }

// drain walks a sequence to its end or its first error.
func drain[V any](seq func(func(V, error) bool)) (values []V, err error) {
	for v, e := range seq {
		if e != nil {
			return values, e
		}
		values = append(values, v)
	}
	return values, nil
}

// simulated runs test in a bubble, against a service of its own on the bubble's clock. The client must not do anything
// that the service does not document.
func simulated(t *testing.T, test func(*testing.T, *terminal49test.Server), opts ...terminal49test.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(append([]terminal49test.Option{terminal49test.WithoutSocket()}, opts...)...)
		defer srv.Close()
		test(t, srv)
		srv.CheckViolations(t)
	})
}

// simClient is a client as a user makes it, but for strict decoding: of what the simulator says, everything must be
// understood.
func simClient(t testing.TB, srv *terminal49test.Server, opts ...Option) *Client {
	t.Helper()
	opts = append([]Option{WithBaseURL(srv.URL), WithHTTPClient(srv.HTTPClient()), WithStrictDecoding()}, opts...)
	client, err := New(srv.Token, opts...)
	require.NoError(t, err)
	return client
}

// received lists the requests of one operation.
func received(srv *terminal49test.Server, op string) []terminal49test.Request {
	return slices.DeleteFunc(srv.Requests(), func(r terminal49test.Request) bool { return r.Operation != op })
}

// around makes an option of a function that may act before each attempt and pass it on.
func around(do func(req *http.Request, next http.RoundTripper) (*http.Response, error)) Option {
	return WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(req *http.Request) (*http.Response, error) { return do(req, next) })
	})
}

// before acts once, just before the first request of an operation is sent.
func before(op string, act func()) Option {
	return around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if info, _ := CallFromContext(req.Context()); info.Op == op && act != nil {
			act()
			act = nil
		}
		return next.RoundTrip(req)
	})
}
