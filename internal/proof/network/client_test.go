package network_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Connections are kept for the next call, and the server may close one at any moment, even during
// that call. Then the outcome of the request is unknown, and net/http repeats some requests by
// itself.

// TestNetwork_AServerThatClosesAKeptConnection closes the connection after reading the second
// request on it, like a server with an idle timeout.
func TestNetwork_AServerThatClosesAKeptConnection(t *testing.T) {
	for i, call := range testkit.FaultyCalls() {
		// These arrive: the first call, the one that is cut off, and its repetition, if any:
		// net/http repeats a read, the retry loop a repeatable write, and neither a creation.
		want := []struct{ arrived, retries int }{{3, 0}, {3, 1}, {2, 0}}[i]
		t.Run(call.Name, func(t *testing.T) {
			var n, retries atomic.Int32
			srv, arrived := serving(t, func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1) == 2 {
					bare("")(w, r)
					return
				}
				fine(w, r)
			})
			limiter := new(paid)
			client := overNetwork(t, srv.URL, &http.Transport{}, terminal49.WithLimiter(limiter),
				terminal49.WithHooks(terminal49.Hooks{
					OnRetry: func(context.Context, terminal49.Retry) { retries.Add(1) },
				}))
			require.NoError(t, call.Do(t.Context(), client))
			err := call.Do(t.Context(), client)
			require.Equal(t, want.arrived, arrived())
			require.Equal(t, int32(want.retries), retries.Load())
			require.Equal(t, int32(want.arrived), limiter.n.Load(), "what net/http repeats costs a slot too")
			if call.Class == transport.Write {
				require.True(t, terminal49.IsOutcomeUnknown(err), "%v", err)
				return
			}
			require.NoError(t, err)
		})
	}
}

// connKey is the context key of a request's connection.
type connKey struct{}

// keepConn makes the connection of a request available to its handler.
func keepConn(s *httptest.Server) {
	s.Config.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, conn)
	}
}

// nowAndThen responds, and closes some connections with everything else that is under way on them.
func nowAndThen(w http.ResponseWriter, r *http.Request, number, text string) {
	_, _ = io.WriteString(w, text)
	if strings.HasSuffix(number, "7") {
		_ = http.NewResponseController(w).Flush()
		_ = r.Context().Value(connKey{}).(net.Conn).Close()
	}
}

// A creation arrives exactly once or its outcome is reported as unknown, whenever the server closes
// connections. The frequency of each depends on the machine.
func TestNetwork_CreationsOverConnectionsThatEnd(t *testing.T) {
	const callers, each = 4, 25
	for name, c := range map[string]struct {
		answer    func(w http.ResponseWriter, r *http.Request, number, text string)
		configure func(*httptest.Server)
	}{
		"after every answer, unannounced": {answer: func(w http.ResponseWriter, r *http.Request, _, text string) {
			bare(fmt.Sprintf("HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n%s", len(text), text))(w, r)
		}},
		"as soon as idle": {configure: func(s *httptest.Server) {
			s.Config.ConnState = func(conn net.Conn, state http.ConnState) {
				if state == http.StateIdle {
					_ = conn.Close()
				}
			}
		}},
		"now and then, HTTP/2": {answer: nowAndThen, configure: func(s *httptest.Server) {
			keepConn(s)
			http2(s)
		}},
		"now and then, HTTP/2 without TLS": {answer: nowAndThen, configure: func(s *httptest.Server) {
			keepConn(s)
			s.Config.Protocols = new(http.Protocols)
			s.Config.Protocols.SetUnencryptedHTTP2(true)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			arrivals := map[string]int{}
			srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body struct {
					Data struct {
						Attributes struct {
							Number string `json:"request_number"`
						}
					}
				}
				if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
					return // not a whole request
				}
				_, _ = io.Copy(io.Discard, r.Body)
				number := body.Data.Attributes.Number
				mu.Lock()
				arrivals[number]++
				mu.Unlock()
				text := `{"data":{"id":"` + testkit.RequestID + `","type":"tracking_request"}}`
				if c.answer != nil {
					c.answer(w, r, number, text)
					return
				}
				w.WriteHeader(http.StatusCreated)
				_, _ = io.WriteString(w, text)
			}))
			if c.configure != nil {
				c.configure(srv)
			}
			tr := &http.Transport{Protocols: srv.Config.Protocols}
			if srv.URL == "" {
				srv.Start()
			} else {
				tr = trusting(srv)
			}
			t.Cleanup(srv.Close)
			client := overNetwork(t, srv.URL, tr, testkit.Around(
				func(req *http.Request, next http.RoundTripper) (*http.Response, error) {
					req = req.Clone(req.Context())
					req.Header.Set("Idempotency-Key", "7b0c") // which makes net/http repeat more
					return next.RoundTrip(req)
				}))
			type created struct {
				number string
				err    error
			}
			results := make(chan created)
			for caller := range callers {
				go func() {
					for i := range each {
						request := testkit.SureRequest()
						request.RequestNumber = fmt.Sprintf("MAEU%d%05d", caller, i)
						results <- created{request.RequestNumber,
							testkit.First(client.TrackingRequests.Create(t.Context(), request))}
					}
				}()
			}
			unknown := 0
			for range callers * each {
				made := <-results
				mu.Lock()
				n := arrivals[made.number]
				mu.Unlock()
				if made.err == nil {
					require.Equal(t, 1, n, made.number)
					continue
				}
				require.True(t, terminal49.IsOutcomeUnknown(made.err), "%v", made.err)
				unknown++
			}
			mu.Lock() // a request whose connection has ended may still arrive
			defer mu.Unlock()
			for number, n := range arrivals {
				require.Equal(t, 1, n, number)
			}
			t.Logf("figure: connections that end %s: of %d creations none arrived twice, and for %d the caller got an unknown outcome", name, callers*each, unknown)
		})
	}
}

// The caller's *http.Client is used as WithHTTPClient documents it: for its transport, its cookies
// and its timeout.
func TestNetwork_TheCallersHTTPClient(t *testing.T) {
	var conns, n atomic.Int32
	srv, arrived := serving(t, func(w http.ResponseWriter, r *http.Request) {
		switch n.Add(1) {
		case 1: // redirects to the same host, which the client follows without CheckRedirect
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "s-1", Path: "/"})
			http.Redirect(w, r, r.URL.Path+"?again", http.StatusFound)
			return
		case 3: // the first attempt of the second call times out
			<-r.Context().Done()
			return
		}
		if cookie, err := r.Cookie("session"); err != nil || cookie.Value != "s-1" {
			http.Error(w, "{}", http.StatusForbidden)
			return
		}
		fine(w, r)
	}, func(s *httptest.Server) {
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				conns.Add(1)
			}
		}
	})
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	theirs := &http.Client{
		Transport: &http.Transport{}, Jar: jar, Timeout: 3 * time.Second, // in which the other attempts succeed
		CheckRedirect: func(*http.Request, []*http.Request) error { t.Error("CheckRedirect was asked"); return nil },
	}
	defer theirs.CloseIdleConnections()
	client := overNetwork(t, srv.URL, &http.Transport{}, terminal49.WithHTTPClient(theirs))

	require.NoError(t, testkit.First(client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)))
	require.Equal(t, 2, arrived())
	// The timeout applies to an attempt, so the call outlives it. It closes the connection; a
	// second one is kept.
	require.NoError(t, testkit.First(client.Shipments.Get(t.Context(), testkit.ShipmentID, nil)))
	require.Equal(t, 4, arrived())
	require.Equal(t, int32(2), conns.Load())
	// Idle connections belong to the caller and remain open.
	theirs.CheckRedirect, theirs.Timeout = nil, time.Minute
	resp, err := theirs.Get(srv.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode, "with the cookie that came to the client")
	require.Equal(t, int32(2), conns.Load())
}
