package testkit

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// UpTo returns a function that draws durations below d, from a seed: the same in every run.
func UpTo(d time.Duration) func() time.Duration {
	var mu sync.Mutex
	random := rand.New(rand.NewPCG(1, uint64(d)))
	return func() time.Duration {
		mu.Lock()
		defer mu.Unlock()
		return time.Duration(random.Int64N(int64(d)))
	}
}

// Distant delays each request and each response by a random time below each.
func Distant(each time.Duration) terminal49.Option { return Apart(UpTo(each), UpTo(each)) }

// Apart delays each request by there() and each response by back().
func Apart(there, back func() time.Duration) terminal49.Option {
	return Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		time.Sleep(there())
		defer func() { time.Sleep(back()) }()
		return next.RoundTrip(req)
	})
}

// Simulated runs test in a synctest bubble against a service of its own, on the bubble's clock. It
// fails if the client does anything that the service does not document.
func Simulated(t *testing.T, test func(*testing.T, *terminal49test.Server), opts ...terminal49test.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(append([]terminal49test.Option{terminal49test.WithoutSocket()}, opts...)...)
		defer srv.Close()
		test(t, srv)
		srv.CheckViolations(t)
	})
}

// SimulatedClient returns a client of srv with the defaults of New, except that decoding is strict.
func SimulatedClient(t testing.TB, srv *terminal49test.Server, opts ...terminal49.Option) *terminal49.Client {
	t.Helper()
	opts = append([]terminal49.Option{terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()),
		terminal49.WithStrictDecoding()}, opts...)
	client, err := terminal49.New(srv.Token, opts...)
	require.NoError(t, err)
	return client
}

// Received returns the requests of one operation.
func Received(srv *terminal49test.Server, op string) []terminal49test.Request {
	return slices.DeleteFunc(srv.Requests(), func(r terminal49test.Request) bool { return r.Operation != op })
}

// Gaps returns the times between requests.
func Gaps(requests []terminal49test.Request) []time.Duration {
	var list []time.Duration
	for i := 1; i < len(requests); i++ {
		list = append(list, requests[i].At.Sub(requests[i-1].At))
	}
	return list
}

// Around returns an option that calls do for each attempt; do passes it on to next.
func Around(do func(req *http.Request, next http.RoundTripper) (*http.Response, error)) terminal49.Option {
	return terminal49.WithMiddleware(func(next http.RoundTripper) http.RoundTripper {
		return RoundTripper(func(req *http.Request) (*http.Response, error) { return do(req, next) })
	})
}

// Before returns an option that calls act once, just before the first request of an operation is
// sent.
func Before(op string, act func()) terminal49.Option {
	return Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
		if info, _ := terminal49.CallFromContext(req.Context()); info.Op == op && act != nil {
			act()
			act = nil
		}
		return next.RoundTrip(req)
	})
}

// Responses returns the bodies of all responses that the calls get, each from a simulator of its
// own that prepare may change.
func Responses(t testing.TB, calls []Call, prepare func(*terminal49test.Server, Call)) (bodies [][]byte) {
	for _, c := range calls {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		AddNamedResources(srv)
		prepare(srv, c)
		client := SimulatedClient(t, srv, terminal49.WithRetryPolicy(terminal49.RetryPolicy{MaxAttempts: 1}), terminal49.WithoutRateLimits(),
			Around(func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
				resp, err := next.RoundTrip(req)
				if err != nil {
					return nil, err
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body = io.NopCloser(bytes.NewReader(body))
				bodies = append(bodies, body)
				return resp, err
			}))
		_ = c.Do(t.Context(), client) // a refusal is a response too
		srv.Close()
	}
	return bodies
}
