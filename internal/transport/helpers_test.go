package transport

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/ratelimit"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func testPolicy() Policy {
	return Policy{
		MaxAttempts: 3, MinBackoff: time.Second, MaxBackoff: 8 * time.Second,
		MaxRetryAfter: time.Minute, AttemptTimeout: 30 * time.Second, MaxBody: 1 << 20,
	}
}

// step is how a scripted base responds to one exchange.
type step struct {
	status int
	header http.Header
	body   io.ReadCloser
	err    error
	delay  time.Duration
	hang   bool // until the request's context ends
}

// script is a base that takes one step for each exchange; the last step repeats.
type script struct {
	mu    sync.Mutex
	steps []step
	got   []*http.Request
	sent  []string // bodies
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	s.mu.Lock()
	st := s.steps[min(len(s.got), len(s.steps)-1)]
	s.got = append(s.got, req)
	if req.Body != nil {
		b, _ := io.ReadAll(req.Body)
		_ = req.Body.Close()
		s.sent = append(s.sent, string(b))
	}
	s.mu.Unlock()
	if st.hang {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	if st.delay > 0 {
		select {
		case <-time.After(st.delay):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
	}
	if st.err != nil {
		return nil, st.err
	}
	resp := &http.Response{StatusCode: st.status, Header: st.header, Body: st.body, ContentLength: -1, Request: req}
	if resp.Header == nil {
		resp.Header = http.Header{}
	}
	if cb, ok := st.body.(*ctxBody); ok {
		cb.ctx = req.Context()
	}
	return resp, nil
}

func (s *script) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.got)
}

// ctxBody returns some bytes and then stalls until its request's context ends.
type ctxBody struct {
	head *strings.Reader
	ctx  context.Context
}

func stalling(head string) *ctxBody { return &ctxBody{head: strings.NewReader(head)} }

func (b *ctxBody) Read(p []byte) (int, error) {
	if b.head.Len() > 0 {
		return b.head.Read(p)
	}
	<-b.ctx.Done()
	return 0, b.ctx.Err()
}
func (b *ctxBody) Close() error { return nil }

func bodyOf(s string) io.ReadCloser { return io.NopCloser(strings.NewReader(s)) }

// cut is a body that is cut short.
func cut(s string) io.ReadCloser {
	return io.NopCloser(io.MultiReader(strings.NewReader(s), errReader{io.ErrUnexpectedEOF}))
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

func retryAfter(v string) http.Header { return http.Header{"Retry-After": {v}} }

var (
	errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	errDropped = errors.New("connection reset by peer")
)

func request(t testing.TB, ctx context.Context, method, rawURL, body string) *http.Request {
	t.Helper()
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, rawURL, r)
	require.NoError(t, err)
	return req
}

func mustURL(t testing.TB, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	require.NoError(t, err)
	return u
}

const apiURL = "https://api.example.test/v2/shipments?q=hidden"

func call(class Class) Call {
	return Call{Op: "shipments.list", Route: "/shipments", Bucket: "default", Class: class}
}

func newChain(base http.RoundTripper, change ...func(*Config)) *Chain {
	cfg := Config{Base: base, Policy: testPolicy()}
	for _, f := range change {
		f(&cfg)
	}
	c := New(cfg)
	c.random = longest
	return c
}

// wroteHeader calls the hooks that net/http calls, if they are set: one after each field, the other
// after all of them (doc of httptrace.ClientTrace).
func wroteHeader(trace *httptrace.ClientTrace, field string) {
	if trace.WroteHeaderField != nil {
		trace.WroteHeaderField(field, nil)
	}
	if trace.WroteHeaders != nil {
		trace.WroteHeaders()
	}
}

// longest draws the longest wait.
func longest(n int64) int64 { return n - 1 }

// firstAttempt returns the input of a stage, for tests of one stage.
func firstAttempt(req *http.Request) attempt {
	info := Info{Op: "o", Route: "/r", Bucket: "default", Class: Read, Attempt: 1}
	return attempt{ctx: &infoContext{req.Context(), info}, req: req, url: req.URL, info: info, policy: testPolicy()}
}

// quiet discards what a test server logs about broken clients.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// window is a limiter for calls of the whole budget.
type window struct{ *ratelimit.Window }

func newWindow(limit int) window {
	return window{ratelimit.NewWindow(map[string]int{"default": limit}, time.Minute, 0, 0)}
}

func (w window) Acquire(ctx context.Context, bucket string) (func(), error) {
	return w.Window.Acquire(ctx, bucket, 1)
}
