package transport

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type recorder struct {
	mu      sync.Mutex
	ends    []Exchange
	retries []Retry
}

func (r *recorder) Done(ctx context.Context, e Exchange) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if in, ok := InfoFromContext(ctx); ok && in == e.Info {
		r.ends = append(r.ends, e)
	}
}

func (r *recorder) Retry(_ context.Context, n Retry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.retries = append(r.retries, n)
}

func TestObserver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := &script{steps: []step{
			{err: errRefused, delay: time.Second},
			{status: 503, body: bodyOf("busy"), delay: 2 * time.Second, header: retryAfter("7")},
			{status: 200, body: bodyOf("hello")},
		}}
		seen := &recorder{}
		c := newChain(base, func(cfg *Config) {
			cfg.Observer = seen
			cfg.Limiter = &fakeLimiter{wait: 3 * time.Second}
		})
		_, err := c.Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
		require.NoError(t, err)
		info := func(n int) Info {
			return Info{Op: "shipments.list", Route: "/shipments", Bucket: "default", Class: Read, Attempt: n, Share: 1}
		}
		wait := 3 * time.Second
		assert.Equal(t, []Exchange{
			{Info: info(1), Method: "GET", LimiterWait: wait, Duration: time.Second, Err: errRefused},
			{Info: info(2), Method: "GET", LimiterWait: wait, Duration: 2 * time.Second, Status: 503, Bytes: 4},
			{Info: info(3), Method: "GET", LimiterWait: wait, Status: 200, Bytes: 5},
		}, seen.ends)
		assert.Equal(t, []Retry{
			{Info: info(1), Method: "GET", Err: errRefused, Wait: time.Second},
			{Info: info(2), Method: "GET", Status: 503, Wait: 7 * time.Second},
		}, seen.retries)
	})
}

func TestMiddleware_OrderAndInfo(t *testing.T) {
	var trail []string
	note := func(name string) func(http.RoundTripper) http.RoundTripper {
		return func(next http.RoundTripper) http.RoundTripper {
			return roundTrip(func(req *http.Request) (*http.Response, error) {
				in, ok := InfoFromContext(req.Context())
				assert.True(t, ok)
				assert.Equal(t, len(trail)/2+1, in.Attempt)
				assert.Empty(t, req.Header.Get("Authorization"), "credentials come after middleware")
				trail = append(trail, name)
				resp, err := next.RoundTrip(req)
				assert.Empty(t, resp.Request.Header.Get("Authorization"))
				return resp, err
			})
		}
	}
	base := &script{steps: []step{{status: 429, header: retryAfter("0")}, {status: 200}}}
	c := newChain(base, func(cfg *Config) {
		cfg.Middleware = []func(http.RoundTripper) http.RoundTripper{note("outer"), note("inner")}
		cfg.Origin, cfg.Header = mustURL(t, apiURL), addToken
	})
	_, err := c.Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
	require.NoError(t, err)
	assert.Equal(t, []string{"outer", "inner", "outer", "inner"}, trail)
	assert.Equal(t, "Token k3y-s3cr3t", base.got[1].Header.Get("Authorization"))
	_, ok := InfoFromContext(t.Context())
	assert.False(t, ok)
}

func TestObserver_ShowsAnUnknownClassAsWrite(t *testing.T) {
	for _, class := range []Class{0, Write, 9} {
		seen := &recorder{}
		c := newChain(&script{steps: []step{{status: 200}}}, func(cfg *Config) { cfg.Observer = seen })
		_, err := c.Do(request(t, t.Context(), "POST", apiURL, "x"), call(class))
		require.NoError(t, err)
		assert.Equal(t, Write, seen.ends[0].Class)
	}
}

// A context that is kept describes its own attempt after the next one has begun (doc of Info).
func TestInfo_OfAnEarlierAttempt(t *testing.T) {
	base := &script{steps: []step{{status: 503}, {status: 503}, {status: 200}}}
	c := newChain(base, func(cfg *Config) { cfg.Policy.MinBackoff, cfg.Policy.MaxBackoff = 1, 1 })
	_, err := c.Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
	require.NoError(t, err)
	require.Len(t, base.got, 3)
	for i, req := range base.got {
		info, ok := InfoFromContext(req.Context())
		assert.True(t, ok)
		assert.Equal(t, i+1, info.Attempt)
		assert.Equal(t, "shipments.list", info.Op)
	}
}
