package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// edgeToken has the characters that URLs, JSON and HTML escape.
const edgeToken = "s3cr3t/7b0c+token=4f9e"

// bench is a service over one protocol, and clients of it that report everything they can report.
type bench struct {
	wire            testkit.Wire
	service         *service
	transport       *http.Transport
	lenient, strict *terminal49.Client

	seen     bytes.Buffer // what hooks, logs and middleware received
	warnings int
}

func newBench(t *testing.T, wire testkit.Wire) *bench {
	b := &bench{wire: wire, service: new(service)}
	base, tr := wire.Serve(t, b.service)
	b.transport = tr
	logger := slog.New(slog.NewTextHandler(&b.seen, &slog.HandlerOptions{Level: slog.LevelDebug}))
	build := func(opts ...terminal49.Option) *terminal49.Client {
		client, err := terminal49.New(edgeToken, append(opts, terminal49.WithBaseURL(base), terminal49.WithoutRateLimits(),
			terminal49.WithHTTPClient(&http.Client{Transport: tr}), terminal49.WithLogger(logger),
			terminal49.WithHooks(b.hooks()), testkit.Around(b.middleware), terminal49.WithAttemptTimeout(attemptTimeout),
			terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Microsecond, MaxBackoff: time.Microsecond}))...)
		require.NoError(t, err)
		return client
	}
	b.lenient, b.strict = build(), build(terminal49.WithStrictDecoding())
	return b
}

// begin forgets the case before.
func (b *bench) begin(e edge) *terminal49.Client {
	if e.fresh {
		b.transport.CloseIdleConnections()
	}
	b.seen.Reset()
	if b.warnings = 0; e.strict {
		return b.strict
	}
	return b.lenient
}

func (b *bench) see(values ...any) {
	for _, v := range values {
		fmt.Fprintf(&b.seen, "%q\n", fmt.Sprintf("%+v", v))
	}
}

func (b *bench) hooks() terminal49.Hooks {
	return terminal49.Hooks{
		OnCall: func(ctx context.Context, c terminal49.CallInfo) (context.Context, func(terminal49.CallResult)) {
			b.see(c)
			return ctx, func(r terminal49.CallResult) { b.see(r) }
		},
		OnAttempt: func(_ context.Context, a terminal49.Attempt) { b.see(a) },
		OnRetry:   func(_ context.Context, r terminal49.Retry) { b.see(r) },
		OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) {
			if b.warnings++; b.warnings < 100 {
				b.see(w)
			}
		},
	}
}

// middleware sees what a middleware of telemetry sees: addresses, statuses and headers.
func (b *bench) middleware(req *http.Request, next http.RoundTripper) (*http.Response, error) {
	b.see(req.URL, req.Header)
	resp, err := next.RoundTrip(req)
	if err != nil {
		b.see(err)
		return nil, err
	}
	b.see(resp.Status, resp.Header, resp.Request.URL)
	resp.Body = &trailed{resp.Body, func() { b.see(resp.Trailer) }}
	return resp, nil
}

// trailed calls atEnd once the trailers of a body are known.
type trailed struct {
	io.ReadCloser
	atEnd func()
}

func (b *trailed) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.atEnd()
	}
	return n, err
}

// obeyed matches characters that a terminal or a reader of logs would interpret.
var obeyed = regexp.MustCompile(`[\x00-\x1f\x7f-\x{9f}\x{200b}\x{200e}\x{200f}\x{2028}\x{2029}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{feff}]`)

// mostWarnings is how many values of one response may be reported one by one.
const mostWarnings = 1100

// requireClean checks that no exit holds the token, that errors stay on one line, and that warnings
// are bounded.
func (b *bench) requireClean(t *testing.T, err error, about string) {
	t.Helper()
	requireNoToken(t, b.seen.String(), about)
	require.LessOrEqual(t, b.warnings, mostWarnings, about)
	for ; err != nil; err = errors.Unwrap(err) {
		requireNoToken(t, fmt.Sprintf("%v %+v %#v", err, err, err), about)
		require.NotRegexp(t, obeyed, err.Error(), about)
		require.LessOrEqual(t, len(err.Error()), longestError, about)
	}
}

// requireNoToken looks for the token as it is and in the escaped forms of URLs, JSON and HTML.
func requireNoToken(t *testing.T, text, about string) {
	t.Helper()
	text = strings.NewReplacer(`\\`, `\`, `\/`, `/`, `\u002b`, `+`, `\u002B`, `+`, "&#43;", "+").Replace(text)
	require.NotContains(t, text, edgeToken, about)
	for range 2 { // escaped twice by a redirect
		text = unescaped(text)
		require.NotContains(t, text, edgeToken, about)
	}
}

var percents = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

func unescaped(text string) string {
	return percents.ReplaceAllStringFunc(text, func(code string) string {
		plain, _ := url.PathUnescape(code)
		return plain
	})
}

// copied returns the status and body of a response, which can still be read.
func copied(resp *http.Response) testkit.Reply {
	body, _ := io.ReadAll(resp.Body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return testkit.Reply{Status: resp.StatusCode, Body: string(body)}
}
