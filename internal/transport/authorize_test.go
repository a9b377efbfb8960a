package transport

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func addToken(h http.Header) { h.Set("Authorization", "Token k3y-s3cr3t"); h.Set("X-Account-Id", "7") }

func TestAuthorize(t *testing.T) {
	tests := []struct {
		name, origin, to, theirs, want string
	}{
		{"origin", "https://api.example.test", "https://api.example.test/v2/x", "", "Token k3y-s3cr3t"},
		{"default port spelled out", "https://api.example.test", "https://api.example.test:443/v2/x", "", "Token k3y-s3cr3t"},
		{"default port of the origin", "http://api.example.test:80", "http://api.example.test/x", "", "Token k3y-s3cr3t"},
		{"case", "https://API.example.test", "HTTPS://api.EXAMPLE.test/x", "", "Token k3y-s3cr3t"},
		{"IPv6", "http://[::1]:80", "http://[::1]/x", "", "Token k3y-s3cr3t"},
		{"set by middleware", "https://api.example.test", "https://api.example.test/x", "Bearer theirs", "Bearer theirs"},
		{"other host", "https://api.example.test", "https://evil.test/x", "", ""},
		{"subdomain", "https://example.test", "https://api.example.test/x", "", ""},
		{"other port", "https://api.example.test", "https://api.example.test:8443/x", "", ""},
		{"plain text", "https://api.example.test", "http://api.example.test/x", "", ""},
		{"plain text on 443", "https://api.example.test", "http://api.example.test:443/x", "", ""},
		{"host as user", "https://api.example.test", "https://api.example.test@evil.test/x", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base := &script{steps: []step{{status: 200}}}
			a := &authorize{origin: mustURL(t, tt.origin), header: addToken, next: base}
			req := request(t, t.Context(), "GET", tt.to, "")
			if tt.theirs != "" {
				req.Header.Set("Authorization", tt.theirs)
			}
			before := req.Header.Clone()
			resp, err := a.RoundTrip(req)
			require.NoError(t, err)
			assert.Equal(t, tt.want, base.got[0].Header.Get("Authorization"))
			assert.Equal(t, before, req.Header, "the request of the caller is not changed")
			assert.Equal(t, before, resp.Request.Header, "nor does the response lead to the token")
		})
	}
}

func TestAuthorizeWithoutOriginAddsNothing(t *testing.T) {
	base := &script{steps: []step{{status: 200}}}
	_, err := (&authorize{header: addToken, next: base}).RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
	require.NoError(t, err)
	assert.Empty(t, base.got[0].Header)
}

func TestAuthorizeRedactsTheToken(t *testing.T) {
	base := &script{steps: []step{{err: errors.New("invalid header value Token k3y-s3cr3t")}}}
	a := &authorize{origin: mustURL(t, "https://api.example.test"), header: addToken, next: base}
	_, err := a.RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "s3cr3t")
}

// closer is a base whose idle connections belong to somebody else.
type closer struct {
	script
	closed int
}

func (c *closer) CloseIdleConnections() { c.closed++ }

func TestBaseIsNeverClosed(t *testing.T) {
	for _, s := range []step{{err: errDropped}, {status: 400}, {status: 200}} {
		base := &closer{script: script{steps: []step{s}}}
		c := newChain(base, func(cfg *Config) {
			cfg.Policy.MinBackoff, cfg.Policy.MaxBackoff = 1, 1
			cfg.Middleware = []func(http.RoundTripper) http.RoundTripper{func(next http.RoundTripper) http.RoundTripper {
				_, can := next.(interface{ CloseIdleConnections() })
				assert.False(t, can, "not even through middleware")
				return next
			}}
		})
		_, _ = c.Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
		assert.NotZero(t, base.count())
		assert.Zero(t, base.closed)
	}
}
