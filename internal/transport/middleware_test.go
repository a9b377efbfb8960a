package transport

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Middleware may repeat a request after refreshing its own credentials, send several at once, or
// return before its transport has finished. None of that may be mistaken for a repetition by
// net/http, keep a slot or be counted wrongly.

// connects is a base that calls the trace's hooks as net/http does, and responds with the statuses
// in turn.
func connects(field string, statuses ...int) roundTrip {
	return func(req *http.Request) (*http.Response, error) {
		trace := httptrace.ContextClientTrace(req.Context())
		trace.GotConn(httptrace.GotConnInfo{})
		if err := req.Context().Err(); err != nil {
			return nil, err
		}
		wroteHeader(trace, field)
		status := statuses[0]
		statuses = statuses[1:]
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody}, nil
	}
}

func TestMiddleware_MaySendACreationAgain(t *testing.T) {
	for _, field := range []string{":authority", "Idempotency-Key", "Host"} {
		l := &fakeLimiter{}
		refreshing := func(next http.RoundTripper) http.RoundTripper {
			return roundTrip(func(req *http.Request) (*http.Response, error) {
				if resp, err := next.RoundTrip(req); err != nil || resp.StatusCode != http.StatusUnauthorized {
					return resp, err
				}
				return next.RoundTrip(req)
			})
		}
		c := newChain(connects(field, 401, 201), func(cfg *Config) {
			cfg.Limiter, cfg.Middleware = l, []func(http.RoundTripper) http.RoundTripper{refreshing}
		})
		res, err := c.Do(request(t, t.Context(), "POST", apiURL, ""), call(Write))
		require.NoError(t, err, field)
		assert.Equal(t, 201, res.Status, field)
		assert.Equal(t, 2, res.Attempts, field)
		assert.Equal(t, 2, l.acquired, "both count at the service")
		assert.Equal(t, 2, l.released)
	}
}

// A RoundTripper should change a clone of the request (doc of http.RoundTripper). If middleware
// changes the request itself, other attempts and other calls are not affected.
func TestMiddleware_MayChangeTheRequest(t *testing.T) {
	base := &script{steps: []step{{status: 503}, {status: 200}, {status: 200}}}
	adding := func(next http.RoundTripper) http.RoundTripper {
		return roundTrip(func(req *http.Request) (*http.Response, error) {
			req.Header.Add("X-Trace", "1")
			req.Header["Accept"][0] = "changed"
			req.URL.Path += "/changed"
			return next.RoundTrip(req)
		})
	}
	c := newChain(base, func(cfg *Config) {
		cfg.Policy.MinBackoff, cfg.Policy.MaxBackoff = 1, 1
		cfg.Middleware = []func(http.RoundTripper) http.RoundTripper{adding}
	})
	shared := request(t, t.Context(), "GET", apiURL, "")
	shared.Header.Set("Accept", "application/json")
	for range 2 {
		_, err := c.DoTo(t.Context(), shared, shared.URL, call(Read))
		require.NoError(t, err)
	}
	require.Equal(t, 3, base.count())
	for _, req := range base.got {
		assert.Equal(t, []string{"1"}, req.Header["X-Trace"])
		assert.Equal(t, "/v2/shipments/changed", req.URL.Path)
	}
	assert.Equal(t, http.Header{"Accept": {"application/json"}}, shared.Header)
	assert.Equal(t, apiURL, shared.URL.String())
}

func TestMiddleware_LateConnectionKeepsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &fakeLimiter{}
		hedged := roundTrip(func(req *http.Request) (*http.Response, error) {
			trace := httptrace.ContextClientTrace(req.Context())
			trace.GotConn(httptrace.GotConnInfo{})
			for range 2 {
				go func() {
					time.Sleep(time.Second)
					trace.GotConn(httptrace.GotConnInfo{})
				}()
			}
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: http.NoBody}, nil
		})
		out := limited(l, capture(hedged))(firstAttempt(request(t, t.Context(), "GET", apiURL, "")))
		require.NoError(t, out.err)
		time.Sleep(2 * time.Second)
		l.mu.Lock()
		defer l.mu.Unlock()
		assert.Equal(t, 3, l.acquired)
		assert.Equal(t, 3, l.released)
	})
}

// spentLimiter admits that many requests.
type spentLimiter int

func (l *spentLimiter) Acquire(context.Context, string) (func(), error) {
	if *l--; *l < 0 {
		return nil, errors.New("spent")
	}
	return nil, nil
}
func (l *spentLimiter) Pause(string, time.Duration) {}

func TestRedirect_RefusedByTheLimiter(t *testing.T) {
	base := &script{steps: []step{{status: 302, header: http.Header{"Location": {"/b"}}}}}
	l := spentLimiter(1)
	_, err := newChain(base, func(cfg *Config) { cfg.Limiter = &l }).Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
	var te *Error
	require.ErrorAs(t, err, &te)
	require.ErrorIs(t, err, ErrLimited)
	assert.Equal(t, 1, base.count())
	assert.Equal(t, 1, te.Attempts)
}

// net/http quotes a response that is not HTTP, up to the length that headers may have. Searching
// all of it for addresses would take hours, and the error would be unreadable.
func TestRedact_LimitsTheText(t *testing.T) {
	const secret = "k3y-s3cr3t"
	for _, text := range []string{
		`malformed HTTP response "` + strings.Repeat(`\"a?b=c `, 8<<10) + `"`,
		strings.Repeat("é", 8<<10),
		strings.Repeat("x", maxErrorText-len(secret)+1) + secret + strings.Repeat("x", maxErrorText),
	} {
		err := errors.New(text)
		got := redact(err, secret)
		assert.LessOrEqual(t, len(got.Error()), 2*maxErrorText) // [URL] may be longer than what it replaces
		assert.NotContains(t, got.Error(), secret[:8])
		assert.True(t, strings.ToValidUTF8(got.Error(), "") == got.Error())
		assert.ErrorIs(t, got, err)
	}
}
