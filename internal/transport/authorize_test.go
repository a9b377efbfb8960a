package transport

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/text"
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
		{"a letter that IDNA maps to k", "https://kiosk.test", "https://\u212aiosk.test/x", "", ""},
		{"a letter that IDNA maps to s", "https://kiosk.test", "https://kio\u017fk.test/x", "", ""},
		{"a full-width dot", "https://example.test", "https://example\uff0etest/x", "", ""},
		{"a trailing dot", "https://example.test", "https://example.test./x", "", ""},
		{"host as user", "https://api.example.test", "https://api.example.test@evil.test/x", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			base := &script{steps: []step{{status: 200}}}
			a := newAuthorize(mustURL(t, tt.origin), addToken, base)
			req := request(t, t.Context(), "GET", tt.to, "")
			if tt.theirs != "" {
				req.Header.Set("Authorization", tt.theirs)
			}
			before := req.Header.Clone()
			resp, err := a.RoundTrip(req)
			require.NoError(t, err)
			assert.Equal(t, tt.want, base.got[0].Header.Get("Authorization"))
			assert.Equal(t, before, req.Header, "the request of the caller is not changed")
			assert.Equal(t, before, resp.Request.Header, "nor does the response hold the token")
		})
	}
}

// Source: Config.Header, which adds the credentials to a private clone. What a base transport or a
// function of it changes in one request is in no other, and not in the usual header.
func TestAuthorize_RequestsShareNoHeaderThatChanges(t *testing.T) {
	var got []string
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Authorization")+", "+r.Header.Get("Accept"))
	}))
	defer srv.Close()
	var seen []string
	spoil := func(r *http.Request) (*url.URL, error) {
		seen = append(seen, r.Header.Get("Accept")+" "+r.URL.Path)
		r.Header.Set("Accept", "b")
		r.URL.Path = "/b"
		return nil, nil
	}
	plain, proxied := &http.Transport{}, &http.Transport{Proxy: spoil}
	defer plain.CloseIdleConnections()
	defer proxied.CloseIdleConnections()
	spoiling := roundTrip(func(r *http.Request) (*http.Response, error) { _, _ = spoil(r); return plain.RoundTrip(r) })
	for base, want := range map[http.RoundTripper]string{
		plain: "Token k3y-s3cr3t, a", proxied: "Token k3y-s3cr3t, b", &struct{ http.RoundTripper }{spoiling}: "Token k3y-s3cr3t, b",
	} {
		got, seen = nil, nil
		req := request(t, t.Context(), "GET", srv.URL+"/a", "")
		req.Header = http.Header{"Accept": {"a"}}
		c := newChain(base, func(cfg *Config) { cfg.Origin, cfg.Header, cfg.Usual = mustURL(t, srv.URL), addToken, req.Header })
		for range 3 {
			_, err := c.Do(req, call(Read))
			require.NoError(t, err)
		}
		assert.Equal(t, []string{want, want, want}, got)
		assert.Subset(t, []string{"a /a"}, seen)
		assert.Equal(t, http.Header{"Accept": {"a"}}, req.Header)
	}
}

func TestAuthorize_AddsNothingWithoutAnOrigin(t *testing.T) {
	base := &script{steps: []step{{status: 200}}}
	_, err := newAuthorize(nil, addToken, base).RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
	require.NoError(t, err)
	assert.Empty(t, base.got[0].Header)
}

func TestAuthorize_RedactsTheToken(t *testing.T) {
	base := &script{steps: []step{{err: errors.New("invalid header value Token k3y-s3cr3t")}}}
	a := newAuthorize(mustURL(t, "https://api.example.test"), addToken, base)
	_, err := a.RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "s3cr3t")

	base = &script{steps: []step{{err: errors.New("cannot send 7 for account-of-mine")}}}
	a = newAuthorize(mustURL(t, "https://api.example.test"), func(h http.Header) { h.Set("X-Account-Id", "account-of-mine") }, base)
	_, err = a.RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
	require.EqualError(t, err, "cannot send 7 for [secret]")
}

// A response may repeat the credentials in its header, or in the error of a body that is cut short.
func TestAuthorize_RedactsResponses(t *testing.T) {
	header := http.Header{"X-Echo": {"kept", "got Token k3y-s3cr3t"}, "Location": {"/v2/x?signature=abc"}}
	broken := io.NopCloser(io.MultiReader(strings.NewReader("some"), errReader{errors.New("reset for Token k3y-s3cr3t")}))
	base := &script{steps: []step{{status: 200, header: header, body: broken}}}
	a := newAuthorize(mustURL(t, "https://api.example.test"), addToken, base)
	resp, err := a.RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
	require.NoError(t, err)
	assert.Equal(t, http.Header{"X-Echo": {"kept", "got [secret]"}, "Location": {"/v2/x?signature=abc"}}, resp.Header)
	assert.Equal(t, "got Token k3y-s3cr3t", header["X-Echo"][1], "the header of the base may be shared")
	read, err := io.ReadAll(resp.Body)
	require.EqualError(t, err, "reset for [secret]")
	assert.Equal(t, "some", string(read))
	require.NoError(t, resp.Body.Close())
}

// The reason phrase is free text of the service or a proxy (RFC 9112, section 4).
func TestAuthorize_RedactsTheReasonPhrase(t *testing.T) {
	for status, want := range map[string]string{
		"401 Token k3y-s3cr3t refused": "401 [secret] refused",
		"401 Unauthorized":             "401 Unauthorized",
		"":                             "",
	} {
		base := roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 401, Status: status, Body: http.NoBody}, nil
		})
		a := newAuthorize(mustURL(t, "https://api.example.test"), addToken, base)
		resp, err := a.RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
		require.NoError(t, err)
		assert.Equal(t, want, resp.Status)
	}
}

// An Authorization that middleware has set is a credential too: other middleware is outside of it.
func TestAuthorize_RedactsWhatMiddlewareSet(t *testing.T) {
	base := &script{steps: []step{{status: 200, header: http.Header{"X-Echo": {"got the1r-t%6fken"}}}}}
	req := request(t, t.Context(), "GET", apiURL, "")
	req.Header.Set("Authorization", "Bearer the1r-token")
	resp, err := newAuthorize(mustURL(t, "https://api.example.test"), addToken, base).RoundTrip(req)
	require.NoError(t, err)
	assert.Equal(t, "got [secret]", resp.Header.Get("X-Echo"))
}

// The storage of files receives no credentials: the secret is the address, with the headers it was
// signed for.
func TestAuthorize_RedactsSignedAddresses(t *testing.T) {
	base := &script{steps: []step{{err: errors.New("PUT /file with sig=abc+def, that is abc+def, and the key cust0mer-key")}}}
	req := request(t, t.Context(), "PUT", "https://storage.example.test/file?sig=abc%2Bdef", "")
	req.Header.Set("X-Amz-Key", "cust0mer-key")
	_, err := newAuthorize(nil, nil, base).RoundTrip(req)
	require.EqualError(t, err, "PUT /file with sig=[secret] that is [secret], and the key [secret]")
}

// closer is a base whose idle connections belong to the caller.
type closer struct {
	script
	closed int
}

func (c *closer) CloseIdleConnections() { c.closed++ }

func TestChain_NeverClosesTheBase(t *testing.T) {
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

// A RoundTripper should not modify the request (doc of http.RoundTripper), but many do. Their
// changes reach no other attempt, and a request that several calls share never holds the token.
func TestChain_BaseMayChangeTheRequest(t *testing.T) {
	shared := request(t, t.Context(), "GET", apiURL, "")
	shared.Header.Set("Accept", "application/json")
	before, to := shared.Header.Clone(), *shared.URL
	var got []string
	changing := roundTrip(func(req *http.Request) (*http.Response, error) {
		got = append(got, req.URL.String()+" "+req.Header.Get("Accept")+" "+req.Header.Get("Authorization"))
		req.URL.Path, req.Host = "/changed", "changed.test"
		req.Header["Accept"][0] = "changed"
		req.Header.Set("Authorization", "changed")
		return &http.Response{StatusCode: 503, Header: http.Header{}, Body: http.NoBody}, nil
	})
	c := newChain(changing, func(cfg *Config) {
		cfg.Policy.MinBackoff, cfg.Policy.MaxBackoff = 1, 1
		cfg.Origin, cfg.Header = &to, addToken
	})
	for range 2 {
		res, err := c.DoTo(t.Context(), shared, shared.URL, call(Read))
		require.NoError(t, err)
		assert.Equal(t, 3, res.Attempts)
	}
	require.Len(t, got, 6)
	for _, sent := range got {
		assert.Equal(t, apiURL+" application/json Token k3y-s3cr3t", sent)
	}
	assert.Equal(t, before, shared.Header)
	assert.Equal(t, apiURL, shared.URL.String())
	assert.Equal(t, "api.example.test", shared.Host)
}

// The error of a body is redacted without middleware too.
func TestChain_RedactsTheErrorOfABody(t *testing.T) {
	broken := func() io.ReadCloser { return io.NopCloser(errReader{errors.New("reset for Token k3y-s3cr3t")}) }
	base := roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: broken()}, nil
	})
	c := newChain(base, func(cfg *Config) {
		cfg.Policy.MinBackoff, cfg.Policy.MaxBackoff = 1, 1
		cfg.Origin, cfg.Header = mustURL(t, "https://api.example.test"), addToken
	})
	_, err := c.Do(request(t, t.Context(), "GET", apiURL, ""), call(Read))
	require.ErrorContains(t, err, "reset for [secret]")
	assert.NotContains(t, err.Error(), "k3y-s3cr3t")
}

// echoes are the forms in which a response may repeat a credential: as it is, in letters of another
// case, escaped as in URLs, JSON and HTML, once or twice, and in base64.
func echoes(secret string) map[string]string {
	var url, upper, json, html string
	for _, c := range []byte(secret) {
		url += fmt.Sprintf("%%%02x", c)
		upper += fmt.Sprintf("%%%02X", c)
		json += fmt.Sprintf(`\u%04x`, c)
		html += fmt.Sprintf("&#x%x;", c)
	}
	return map[string]string{
		"plain": secret, "upper case": strings.ToUpper(secret), "lower case": strings.ToLower(secret),
		"percent": url, "percent, upper case": upper, "percent, twice": strings.ReplaceAll(url, "%", "%25"),
		"one of them": strings.Replace(secret, "s", "%73", 1), "JSON": json, "JSON, twice": strings.ReplaceAll(json, `\`, `\\`),
		"HTML": html, "HTML, twice": strings.ReplaceAll(html, "&", "&amp;"),
		"query": strings.ReplaceAll("Token "+secret, " ", "+"), "base64": base64.StdEncoding.EncodeToString([]byte("Token " + secret)),
	}
}

// Middleware may log the whole response but its body. Source: SECURITY.md.
func TestAuthorize_RedactsEveryFormEverywhere(t *testing.T) {
	const token = "k3y-s3cr3t"
	for form, echo := range echoes(token) {
		header := func() http.Header {
			return http.Header{
				"Location": {"/v2/x?page[x]=" + echo + "&signature=abc"}, "Link": {"<https://x.test/?k=" + echo + `>; rel="next"`},
				"Www-Authenticate": {"Token realm=" + echo}, "Set-Cookie": {"a=b", "k=" + echo + "; Path=/"}, "X-" + echo: {"1"},
			}
		}
		base := roundTrip(func(*http.Request) (*http.Response, error) {
			resp := &http.Response{StatusCode: 401, Status: "401 " + echo, Header: header(), Trailer: http.Header{"X-" + echo: nil}}
			resp.Body = io.NopCloser(io.MultiReader(strings.NewReader("some"), readFunc(func() error {
				resp.Trailer = header() // as net/http does at the end of a body
				return io.EOF
			})))
			return resp, nil
		})
		a := newAuthorize(mustURL(t, "https://api.example.test"), addToken, base)
		resp, err := a.RoundTrip(request(t, t.Context(), "GET", apiURL, ""))
		require.NoError(t, err)
		before := fmt.Sprint(resp.Status, resp.Header, resp.Trailer)
		read, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.Equal(t, "some", string(read))
		for _, shown := range []string{before, fmt.Sprint(resp.Trailer)} {
			assert.NotContains(t, strings.ToLower(shown), strings.ToLower(echo), form)
			assert.NotContains(t, strings.ToLower(shown), "s3cr3t", form)
		}
		assert.True(t, strings.HasSuffix(resp.Header.Get("Location"), "&signature=abc"), "a redirect may need the rest")
		assert.Equal(t, "a=b", resp.Header["Set-Cookie"][0])
	}
}

// net/http accepts headers of 10 MB, and searching them for every escape would take a second.
func TestAuthorize_SearchesABoundedPartOfAHeader(t *testing.T) {
	searched := 0
	count := func(value string) string {
		searched += len(value)
		return value
	}
	h := http.Header{"X-Request-Id": {strings.Repeat("%37", 3<<20)}, "Set-Cookie": slices.Repeat([]string{strings.Repeat("a", 1000)}, 9000)}
	clean := redactHeader(h, count)
	require.LessOrEqual(t, searched, 256<<10)
	require.Equal(t, []string{text.Mask}, clean["X-Request-Id"])
	require.Equal(t, text.Mask, clean["Set-Cookie"][8999])
	usual := http.Header{"X-Request-Id": {strings.Repeat("%37", 1<<10)}}
	require.Equal(t, usual, redactHeader(usual, count))
}

type readFunc func() error

func (f readFunc) Read([]byte) (int, error) { return 0, f() }
