package terminal49test_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

// A web page of another site can make the browser of a developer send requests to the simulator.
// Sources: W3C Fetch Metadata Request Headers, section 2.3 (Sec-Fetch-Site); the Fetch standard,
// section 3.2 (Origin); DNS rebinding sends the page's own host name.
func TestSimulator_RefusesWebPagesOfOtherSites(t *testing.T) {
	srv := terminal49test.NewServer()
	t.Cleanup(srv.Close)
	local := strings.TrimSuffix(strings.TrimPrefix(srv.URL, "http://"), "/v2")
	_, port, _ := strings.Cut(local, ":")
	for _, c := range []struct {
		name, host, site, origin string
		want                     int
	}{
		{"a program", local, "", "", 200},
		{"a program that names localhost", "localhost:" + port, "", "", 200},
		{"a name that always means this machine", "sim.LOCALHOST:" + port, "", "", 200},
		{"an address of IPv6", "[::1]:" + port, "", "", 200},
		{"the address bar", local, "none", "", 200},
		{"a page that the same server serves", local, "same-origin", "", 200},
		{"a page behind the proxy of its development server", local, "same-origin", "http://localhost:5173", 200},
		{"an older browser, the same origin", local, "", "http://" + local, 200},
		{"no-cors of another site", local, "cross-site", "", 403},
		{"another port of the same site", local, "same-site", "http://localhost:5173", 403},
		{"a value of a later standard", local, "elsewhere", "", 403},
		{"an older browser, another origin", local, "", "https://evil.example", 403},
		{"a sandboxed page", local, "", "null", 403},
		{"rebinding", "evil.example:" + port, "same-origin", "", 403},
		{"rebinding without metadata", "evil.example", "", "", 403},
		{"rebinding to a name that begins like an address", "127.0.0.1.evil.example:" + port, "", "", 403},
		{"rebinding to a name that ends like one", "evillocalhost:" + port, "", "", 403},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
			before := srv.RequestCount()
			r := httptest.NewRequest(method, srv.URL+"/shipments", http.NoBody)
			r.RequestURI, r.Host = "", c.host
			r.Header = http.Header{"Authorization": {"Token " + srv.Token}, "Accept": {"application/json"}}
			for name, value := range map[string]string{"Sec-Fetch-Site": c.site, "Origin": c.origin} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			resp, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if refused := resp.StatusCode == 403; refused != (c.want == 403) {
				t.Errorf("%s: %s is answered %d, want %d", c.name, method, resp.StatusCode, c.want)
			} else if refused != (srv.RequestCount() == before) {
				t.Errorf("%s: %s: a refused request must not reach the service", c.name, method)
			}
		}
	}
}
