package terminal49test_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// start is a fixed time, so that tests can name exact times.
var start = time.Date(2024, time.July, 1, 12, 0, 0, 0, time.UTC)

// newServer starts a server in the process, whose clock is moved only by Advance.
func newServer(t testing.TB, opts ...terminal49test.Option) *terminal49test.Server {
	t.Helper()
	opts = append([]terminal49test.Option{
		terminal49test.WithoutSocket(), terminal49test.WithStart(start), terminal49test.WithSpeed(0), terminal49test.WithoutRateLimits(),
	}, opts...)
	srv := terminal49test.NewServer(opts...)
	t.Cleanup(srv.Close)
	return srv
}

func newAPIRequest(t testing.TB, srv *terminal49test.Server, method, path, body string) *http.Request {
	t.Helper()
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, srv.URL+path, r)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Token "+srv.Token)
	req.Header.Set("Accept", "application/json")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

// testReply is a decoded response. at follows a path of object members and list positions such as
// "data/0/attributes/number".
type testReply struct {
	status int
	header http.Header
	raw    string
	doc    any
}

func (a testReply) at(path string) any {
	v := a.doc
	for _, step := range strings.Split(path, "/") {
		switch n := v.(type) {
		case map[string]any:
			v = n[step]
		case []any:
			i := int(step[0] - '0')
			if i >= len(n) {
				return nil
			}
			v = n[i]
		default:
			return nil
		}
	}
	return v
}

func (a testReply) has(path string) bool {
	dir, name := "", path
	if i := strings.LastIndex(path, "/"); i >= 0 {
		dir, name = path[:i], path[i+1:]
	}
	o := a.doc
	if dir != "" {
		o = a.at(dir)
	}
	m, _ := o.(map[string]any)
	_, ok := m[name]
	return ok
}

func (a testReply) list(path string) []any {
	l, _ := a.at(path).([]any)
	return l
}

func sendRequest(t testing.TB, c *http.Client, req *http.Request) testReply {
	t.Helper()
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := testReply{status: resp.StatusCode, header: resp.Header, raw: string(raw)}
	if strings.Contains(resp.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(raw, &a.doc); err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
	}
	return a
}

func callAPI(t testing.TB, srv *terminal49test.Server, method, path, body string) testReply {
	t.Helper()
	return sendRequest(t, srv.HTTPClient(), newAPIRequest(t, srv, method, path, body))
}

func getAPI(t testing.TB, srv *terminal49test.Server, path string) testReply {
	t.Helper()
	return callAPI(t, srv, "GET", path, "")
}

func checkReply(t testing.TB, a testReply, status int, members map[string]any) {
	t.Helper()
	if a.status != status {
		t.Errorf("status %d, want %d: %s", a.status, status, a.raw)
	}
	for path, v := range members {
		if got := a.at(path); got != v {
			t.Errorf("%s = %v, want %v", path, got, v)
		}
	}
}

const createBody = `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"NUMBER","scac":"SCAC"}}}`

func createRequest(t testing.TB, srv *terminal49test.Server, number, scac string) (id string) {
	t.Helper()
	a := callAPI(t, srv, "POST", "/tracking_requests", strings.NewReplacer("NUMBER", number, "SCAC", scac).Replace(createBody))
	checkReply(t, a, 201, map[string]any{"data/attributes/status": "pending", "data/type": "tracking_request"})
	id, _ = a.at("data/id").(string)
	return id
}
