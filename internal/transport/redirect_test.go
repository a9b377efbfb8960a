package transport

import (
	"net/http"
	"net/http/cookiejar"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRedirect(t *testing.T) {
	tests := []struct {
		name, method, location string
		status                 int
		followed               string // URL of the second request; "" for none
	}{
		{"relative", "GET", "/v2/b?x=1", 302, "https://api.example.test/v2/b?x=1"},
		{"absolute, default port", "GET", "https://api.example.test:443/v2/b", 308, "https://api.example.test:443/v2/b"},
		{"HEAD", "HEAD", "/v2/b", 307, "https://api.example.test/v2/b"},
		{"303", "GET", "/v2/b", 303, "https://api.example.test/v2/b"},
		{"301", "GET", "b", 301, "https://api.example.test/v2/b"},
		{"other host", "GET", "https://evil.test/v2/b", 302, ""},
		{"no scheme", "GET", "//evil.test/v2/b", 302, ""},
		{"downgrade", "GET", "http://api.example.test/v2/b", 302, ""},
		{"with user", "GET", "https://u:p@api.example.test/v2/b", 302, ""},
		{"write", "POST", "/v2/b", 307, ""},
		{"write, see other", "POST", "/v2/b", 303, ""},
		{"patch", "PATCH", "/v2/b", 308, ""},
		{"no location", "GET", "", 302, ""},
		{"unreadable location", "GET", "https://h\x7f/%zz", 302, ""},
		{"not a redirect", "GET", "/v2/b", 304, ""},
		{"created", "GET", "/v2/b", 201, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []attempt
			next := func(a attempt) outcome {
				got = append(got, a)
				if len(got) > 1 {
					return outcome{result: &Result{Status: 200, Header: http.Header{}}}
				}
				return outcome{result: &Result{Status: tt.status, Header: http.Header{"Location": {tt.location}}}}
			}
			req := request(t, t.Context(), tt.method, "https://api.example.test/v2/a?q=1", "")
			req.Header.Set("Accept", "application/json")
			out := redirected(nil, next)(firstAttempt(req))
			require.NoError(t, out.err)
			res := out.result
			if tt.followed == "" {
				assert.Len(t, got, 1)
				assert.Equal(t, tt.status, res.Status)
				return
			}
			require.Len(t, got, 2)
			assert.Equal(t, tt.followed, got[1].url.String())
			assert.Equal(t, tt.method, got[1].req.Method)
			assert.Equal(t, "application/json", got[1].req.Header.Get("Accept"))
			assert.Equal(t, 200, res.Status)
		})
	}
}

func TestRedirect_LoopEnds(t *testing.T) {
	base := &script{steps: []step{{status: 302, header: http.Header{"Location": {"/again"}}}}}
	window := &fakeLimiter{}
	c := newChain(base, func(cfg *Config) { cfg.Limiter = window })
	res, err := c.Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
	require.NoError(t, err)
	assert.Equal(t, 302, res.Status)
	assert.Equal(t, 1+maxRedirects, base.count())
	assert.Equal(t, base.count(), window.acquired, "each redirect takes a slot")
	assert.Equal(t, base.count(), window.released)
}

func TestRedirect_KeepsCookies(t *testing.T) {
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	base := &script{steps: []step{
		{status: 302, header: http.Header{"Location": {"/b"}, "Set-Cookie": {"s=1; Path=/"}}},
		{status: 200},
	}}
	c := newChain(base, func(cfg *Config) { cfg.Jar = jar })
	for range 2 {
		_, err = c.Do(request(t, t.Context(), "GET", "https://api.example.test/a", ""), call(Read))
		require.NoError(t, err)
	}
	require.Len(t, base.got, 3)
	for i, want := range []string{"", "s=1", "s=1"} {
		assert.Equal(t, want, base.got[i].Header.Get("Cookie"))
	}
}

func TestRedirect_SendsNoTokenToAnotherOrigin(t *testing.T) {
	base := &script{steps: []step{{status: 302, header: http.Header{"Location": {"https://evil.test/"}}}}}
	c := newChain(base, func(cfg *Config) { cfg.Origin, cfg.Header = mustURL(t, apiURL), addToken })
	res, err := c.Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
	require.NoError(t, err)
	assert.Equal(t, 302, res.Status)
	require.Equal(t, 1, base.count())
	assert.Equal(t, "api.example.test", base.got[0].URL.Host)
	assert.Equal(t, "Token k3y-s3cr3t", base.got[0].Header.Get("Authorization"))
}
