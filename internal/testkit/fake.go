package testkit

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/transport"
)

// Sent is a request as it left the client, credentials included.
type Sent struct {
	Method, Path, Query, Body string
	Header                    http.Header
	Info                      transport.Info
}

// FakeAPI responds to the requests of one client and keeps them.
type FakeAPI struct {
	*httpmock.MockTransport
	mu   sync.Mutex
	sent []Sent
}

// NewFakeAPI returns a FakeAPI without responses; On and OnPages add them.
func NewFakeAPI() *FakeAPI { return &FakeAPI{MockTransport: httpmock.NewMockTransport()} }

// RoundTrip keeps the request before the mock sees it.
func (f *FakeAPI) RoundTrip(req *http.Request) (*http.Response, error) {
	s := Sent{Method: req.Method, Path: req.URL.EscapedPath(), Header: req.Header.Clone()}
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

// Requests returns what was sent so far.
func (f *FakeAPI) Requests() []Sent {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]Sent(nil), f.sent...)
}

// Queries returns the queries sent so far, decoded.
func (f *FakeAPI) Queries() []string {
	var list []string
	for _, s := range f.Requests() {
		list = append(list, s.Query)
	}
	return list
}

// On sets the response to method and path, which is below the base URL.
func (f *FakeAPI) On(method, path string, status int, body string) {
	f.RegisterResponder(method, Base+path, httpmock.NewStringResponder(status, body))
}

// OnPages sets the responses to a list. The keys of pages are decoded queries, the values bodies; a
// body that starts with "!" is sent without it, as a 404.
func (f *FakeAPI) OnPages(path string, pages map[string]string) {
	f.RegisterResponder(http.MethodGet, Base+path, func(req *http.Request) (*http.Response, error) {
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

// NewClient returns a client over rt without limits and without retries; later options win.
func NewClient(t testing.TB, rt http.RoundTripper, opts ...terminal49.Option) *terminal49.Client {
	t.Helper()
	opts = append([]terminal49.Option{
		terminal49.WithBaseURL(Base), terminal49.WithHTTPClient(&http.Client{Transport: rt}),
		terminal49.WithoutRateLimits(), terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 1}),
	}, opts...)
	client, err := terminal49.New(Token, opts...)
	require.NoError(t, err)
	return client
}

// RoundTripper is a round tripper made of a function.
type RoundTripper func(*http.Request) (*http.Response, error)

// RoundTrip calls f.
func (f RoundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// Answer returns a round tripper that always responds with status and body.
func Answer(status int, body string) RoundTripper {
	return func(*http.Request) (*http.Response, error) { return httpmock.NewStringResponse(status, body), nil }
}

// ShipmentPage is a page of shipments with the given ids and next link.
func ShipmentPage(next string, ids ...string) string {
	items := make([]string, len(ids))
	for i, id := range ids {
		items[i] = fmt.Sprintf(`{"id":%q,"type":"shipment","attributes":{"bill_of_lading_number":"BL-%s"}}`, id, id)
	}
	links := `{}`
	if next != "" {
		links = fmt.Sprintf(`{"next":%q}`, next)
	}
	return fmt.Sprintf(`{"data":[%s],"links":%s}`, strings.Join(items, ","), links)
}

// First returns the error of a call and drops its value.
func First[V any](_ V, err error) error { return err }

// Drain walks a sequence to its end or its first error.
func Drain[V any](seq func(func(V, error) bool)) (values []V, err error) {
	for v, e := range seq {
		if e != nil {
			return values, e
		}
		values = append(values, v)
	}
	return values, nil
}

// Failing responds 503 n times and then with a shipment. It counts the requests.
func Failing(n int) (rt RoundTripper, count *int) {
	count = new(int)
	return func(*http.Request) (*http.Response, error) {
		if *count++; *count <= n {
			return Answer(503, "")(nil)
		}
		return Answer(200, OneShipment)(nil)
	}, count
}
