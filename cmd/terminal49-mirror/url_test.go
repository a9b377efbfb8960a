package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// paths of --url, and whether it is accepted. Source: RFC 3986, sections 5.2.4 and 6.2.2.3: clients
// remove dot segments, so a webhook with them would be delivered elsewhere; proxies join empty
// ones.
var paths = map[string]bool{
	"": true, "/": true, "/webhook": true, "/webhook/": true, "/a/b/c": true, "/{}": true, "/{id}": true, "/{id...}": true, "/{$}": true, "/a{b": true,
	"/%7Bid%7D": true, "/a%2Fb": true, "/a%2fb/": true, "/a b": true, "/a%20b": true, "/ü/%C3%BC": true, "/%FF": true, "/a?token=x&y": true,
	"?x": true, "/a;b": true, "/a+b": true, "/a:b": true, "/*": true, "/a//?x=//": false, "/.well-known/x": true, "/...": true, "/a..b": true,
	"/GET /x": true, "/%00": true, "/a%0Ab": true, "/healthz/": true, "/metrics/x": true, "/Healthz": true, "/'\"<>`^|\\": true,
	"//webhook": false, "/./b": false, "/a/../b": false, "/..": false, "/.": false, "/a/.": false, "/a//": false, "//": false, "/a//b": false,
	"/%2e/b": false, "/%2E%2E/b": false, "/a%2F%2Fb": false, "/a%2F..": false, "/a#b": false, "#": false, "/a#": false, "/%": false, "/%zz": false,
	"/a\nb": false, "/\x00": false, "/\x1b[2J": false, "/healthz": false, "/metrics": false, "/%68ealthz": false, "/metrics?x": false,
}

// No path panics the server, and the path of a webhook leads to the receiver.
func TestURL_OddPaths(t *testing.T) {
	for path, accepted := range paths {
		f := runFlags{listen: "127.0.0.1:0", share: 0.6, url: "https://mirror.example.com" + path}
		err := f.check()
		if !accepted {
			var usage usageError
			require.ErrorAs(t, err, &usage, "%q", path)
			require.Contains(t, err.Error(), "--url must ", "%q", path)
			continue
		}
		require.NoError(t, err, "%q", path)
		requireDelivered(t, f.url)
	}
	for _, address := range []string{"", "https:", "https://", "https://:443/x", "https:x", "//mirror.example.com/x", "http://mirror.example.com/x", "mirror.example.com/x", "https://[::1/x", "https://a b/x"} {
		f := runFlags{listen: "127.0.0.1:0", share: 0.6, url: address}
		require.Equal(t, address != "", f.check() != nil, "%q", address)
	}
}

// requireDelivered fails unless a POST to an address reaches the handler of its path.
func requireDelivered(t testing.TB, address string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+healthPath, http.NotFound)
	mux.HandleFunc("POST "+webhookPath(address), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	u, err := url.Parse(address)
	require.NoError(t, err)
	if u.Path == "" {
		u.Path = "/" // as clients send it
	}
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, &http.Request{Method: http.MethodPost, URL: u, Host: u.Host, Header: http.Header{}, Body: http.NoBody})
	require.Equal(t, http.StatusAccepted, recorder.Code, "%q as %q", address, webhookPath(address))
}

func FuzzURL(f *testing.F) {
	for path := range paths {
		f.Add("https://mirror.example.com" + path)
	}
	f.Fuzz(func(t *testing.T, address string) {
		flags := runFlags{listen: "127.0.0.1:0", share: 0.6, url: address}
		if address != "" && flags.check() == nil {
			requireDelivered(t, address)
		}
	})
}
