package memory_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/webhook"
)

// A body of 1 GiB, with any Content-Length, must cost no more memory than the limit that it
// exceeds. The tests count everything that is allocated during the call, including garbage.

const (
	hostileBody  = 1 << 30
	defaultLimit = 32 << 20 // of a response, unless WithMaxResponseBytes sets another limit
	hostileCost  = 1 << 20  // allocated in addition to the body: sockets, buffers of net/http and gzip, the call itself
)

// allocated returns the bytes that the process allocated while do ran. If they exceed most it
// measures again, because other goroutines may have allocated too.
func allocated(most int64, do func()) int64 {
	least := int64(math.MaxInt64)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		if least = min(least, int64(after.TotalAlloc-before.TotalAlloc)); least <= most {
			break
		}
	}
	return least
}

// giants returns handlers that send or announce a body of 1 GiB. They stop when the client stops
// reading.
func giants(t *testing.T) map[string]http.HandlerFunc {
	var packed bytes.Buffer // gzip may consist of members; each of these is 1 MiB
	pack := gzip.NewWriter(&packed)
	_, err := pack.Write(make([]byte, 1<<20))
	require.NoError(t, err)
	require.NoError(t, pack.Close())
	block := bytes.Repeat([]byte("x"), 32<<10)
	send := func(w io.Writer) {
		for sent := 0; sent < hostileBody; sent += len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
	raw := func(w http.ResponseWriter, status, announced int, body func(io.Writer)) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %d Hostile\r\nConnection: close\r\nContent-Length: %d\r\n\r\n", status, announced)
		body(conn)
	}
	status := func(r *http.Request) int {
		if strings.Contains(r.URL.Path, "fails") {
			return http.StatusInternalServerError
		}
		return http.StatusOK
	}
	return map[string]http.HandlerFunc{
		"announced": func(w http.ResponseWriter, r *http.Request) { raw(w, status(r), hostileBody, send) },
		"unannounced": func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status(r))
			send(w)
		},
		"packed": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.WriteHeader(status(r))
			for range hostileBody >> 20 {
				if _, err := w.Write(packed.Bytes()); err != nil {
					return
				}
			}
		},
		"announced as little": func(w http.ResponseWriter, r *http.Request) { raw(w, status(r), 10, send) },
		"only announced": func(w http.ResponseWriter, r *http.Request) {
			raw(w, status(r), hostileBody, func(io.Writer) {})
		},
		"announced as what is allowed": func(w http.ResponseWriter, r *http.Request) {
			raw(w, status(r), defaultLimit, func(io.Writer) {})
		},
	}
}

func TestMemory_AHostileBodyCostsAtMostItsLimit(t *testing.T) {
	const errorLimit = 64 << 10
	calls := []struct {
		name  string
		limit int64
		do    func(context.Context, *terminal49.Client) error
	}{
		{"resource", defaultLimit, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.Shipments.Get(x, testkit.ShipmentID, nil))
		}},
		{"list", 2 << 20, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(testkit.Drain(c.Shipments.All(x, nil)))
		}},
		{"plain JSON", 2 << 20, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.Documents.Types(x))
		}},
		{"schema", 2 << 20, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.DocumentSchemas.Get(x, testkit.SchemaID))
		}},
		{"creation", 2 << 20, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.TrackingRequests.Create(x, testkit.SureRequest()))
		}},
		{"WithMaxResponseBytes", 1 << 20, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.Shipments.List(x, nil, terminal49.WithMaxResponseBytes(1<<20)))
		}},
		{"error", errorLimit, func(x context.Context, c *terminal49.Client) error {
			return c.Do(x, terminal49.Request{Method: "GET", Path: "/fails"}, nil)
		}},
		{"upload", defaultLimit, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.Documents.Upload(x,
				terminal49.DocumentFile{FileName: "a.txt", Content: strings.NewReader("a")}))
		}},
		{"refused upload", errorLimit, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.Documents.Upload(x,
				terminal49.DocumentFile{FileName: "fails.txt", Content: strings.NewReader("a")}))
		}},
		{"refused download", errorLimit, func(x context.Context, c *terminal49.Client) error {
			return testkit.First(c.Documents.Download(x, testkit.DocumentID, io.Discard))
		}},
	}
	for way, send := range giants(t) {
		var server *httptest.Server
		server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			switch {
			case strings.HasSuffix(r.URL.Path, "/direct_uploads"):
				file := "file"
				if strings.Contains(string(body), "fails") {
					file = "fails"
				}
				_, _ = fmt.Fprintf(w, `{"signed_id":"s","direct_upload":{"url":"%s/%s","headers":{}}}`, server.URL, file)
			case strings.HasSuffix(r.URL.Path, "/download_url"):
				_, _ = fmt.Fprintf(w, `{"download_url":"%s/fails"}`, server.URL)
			case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/documents"):
				w.WriteHeader(http.StatusUnprocessableEntity) // ends an upload whose file was accepted
			default:
				send(w, r)
			}
		}))
		for _, c := range calls {
			client, err := terminal49.New(testkit.Token, terminal49.WithBaseURL(server.URL),
				terminal49.WithHTTPClient(server.Client()), terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1),
				terminal49.WithMaxResponseBytes(max(c.limit, 1<<20)))
			require.NoError(t, err)
			limit := c.limit
			if way == "announced" && limit != errorLimit || way == "announced as little" {
				limit = 0 // rejected unread, or missing
			}
			got := allocated(limit+hostileCost, func() { err = c.do(t.Context(), client) })
			require.Error(t, err, "%s, %s", c.name, way)
			require.LessOrEqual(t, got, limit+hostileCost, "%s, %s: %v", c.name, way, err)
			if c.name == "resource" || c.name == "error" {
				t.Logf("figure: memory: 1 GiB body, %s, %s, limit %d KiB: allocated %d KiB", c.name, way, c.limit>>10,
					got>>10)
			}
		}
		server.Close()
	}
}

// endless is a body that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func TestMemory_AHostileDeliveryCostsAtMostItsLimit(t *testing.T) {
	for _, limit := range []int64{webhook.DefaultBodyLimit, 8 << 20} {
		for announced, way := range map[int64]string{hostileBody: "announced", -1: "unannounced",
			limit: "announced as what is allowed"} {
			var calls atomic.Int64
			handler := testkit.NewHandler(t, testkit.Counting(&calls), webhook.WithBodyLimit(limit))
			var answer *httptest.ResponseRecorder
			got := allocated(limit+128<<10, func() {
				request := testkit.SignedRequest(nil)
				request.Body, request.ContentLength = io.NopCloser(io.LimitReader(endless{}, hostileBody)), announced
				answer = testkit.Serve(handler, request)
			})
			require.Equal(t, http.StatusRequestEntityTooLarge, answer.Code)
			require.LessOrEqual(t, got, limit+128<<10, way)
			require.Zero(t, calls.Load())
			t.Logf("figure: memory: 1 GiB delivery, %s, limit %d KiB: allocated %d KiB", way, limit>>10, got>>10)
		}
	}
}
