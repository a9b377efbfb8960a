package terminal49

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"
)

const (
	testToken   = "k3y-that-nobody-may-see"
	testAccount = "acc0unt-of-the-user"
	// testBase has a path of its own, which catches every URL that is built from the host alone.
	testBase = "https://api.example.test/proxy/v2"

	shipmentID  = "11111111-1111-4111-8111-111111111111"
	containerID = "22222222-2222-4222-8222-222222222222"
	requestID   = "33333333-3333-4333-8333-333333333333"
	lineID      = "44444444-4444-4444-8444-444444444444"
	partyID     = "55555555-5555-4555-8555-555555555555"
)

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

// shipmentPage is a page of shipments with the given ids and next link.
func shipmentPage(next string, ids ...string) string {
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

// call is one use of a service method with everything that can be given to it.
type call struct {
	op, method, path, query, body string
	reply                         string
	do                            func(context.Context, *Client) error
}

// everyCall lists a call of every operation.
func everyCall() []call {
	return slices.Concat(
		shipmentCalls(), containerCalls(), mapCalls(), trackingRequestCalls(), shippingLineCalls(), partyCalls(), placeCalls(),
		vesselCalls(), searchCalls(), everyFieldCall(), documentCalls(), webhookCalls(), notificationCalls(),
	)
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
