package webhook_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// receiverOf returns a server with the timeouts that Handler asks for, and the number of its open
// connections.
func receiverOf(t *testing.T, h http.Handler, readTimeout time.Duration) (*httptest.Server, *atomic.Int64) {
	open, srv := &atomic.Int64{}, httptest.NewUnstartedServer(h)
	srv.Config.ReadHeaderTimeout, srv.Config.IdleTimeout = time.Minute, time.Minute
	srv.Config.ReadTimeout = readTimeout
	srv.Config.ConnState = counting(open)
	srv.Start()
	t.Cleanup(srv.Close)
	return srv, open
}

// counting counts the connections of a server that are open.
func counting(open *atomic.Int64) func(net.Conn, http.ConnState) {
	return func(_ net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			open.Add(1)
		case http.StateClosed:
			open.Add(-1)
		}
	}
}

// dialer connects a stranger to a server.
type dialer func() (net.Conn, error)

func over(srv *httptest.Server) dialer {
	return func() (net.Conn, error) { return net.Dial("tcp", srv.Listener.Addr().String()) }
}

// pipes is a listener of connections within the process, for a bubble's clock.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error {
	close(p)
	return nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (p pipes) dial() (net.Conn, error) {
	near, far := net.Pipe()
	p <- fromLoopback{far}
	return near, nil
}

// fromLoopback is a connection that has the address of one over the loopback interface.
type fromLoopback struct{ net.Conn }

func (fromLoopback) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 50000}
}

// strangers are requests whose body never comes, with the status that Outcome documents for them.
var strangers = map[string]struct {
	head   string
	status int
}{
	"unsigned":           {"POST / HTTP/1.1\r\nContent-Length: 1000\r\n", 401},
	"unsigned in chunks": {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", 401},
	"malformed":          {"POST / HTTP/1.1\r\nContent-Length: 1000\r\n" + webhook.SignatureHeader + ": forged\r\n", 401},
	"forged":             {"POST / HTTP/1.1\r\nContent-Length: 1000\r\n" + webhook.SignatureHeader + ": " + strings.Repeat("0", 64) + "\r\n", 400},
	"wrong method":       {"PUT / HTTP/1.1\r\nContent-Length: 1000\r\n", 405},
	"GET with a body":    {"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", 405},
	"announced too long": {"POST / HTTP/1.1\r\nContent-Length: 2000000\r\n" + webhook.SignatureHeader + ": " + strings.Repeat("0", 64) + "\r\n", 413},
}

// visit sends the head of a request and waits until the server closes the connection.
func visit(dial dialer, head string) (status int, err error) {
	conn, err := dial()
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil { // a guard, not a measure
		return 0, err
	}
	if _, err := fmt.Fprintf(conn, "%sHost: a.example\r\n\r\n", head); err != nil {
		return 0, err
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if !resp.Close {
		return resp.StatusCode, fmt.Errorf("the response to %q does not announce the end of the connection", head)
	}
	_, err = io.Copy(io.Discard, in)
	return resp.StatusCode, err
}

// requireOneTimeCost sends 700 strangers several times. After their time is over they must have
// left no connection and no goroutine, and after the first time no memory. What the runtime keeps
// differs by hundreds of kilobytes from one moment to another, but only a leak grows each time. It
// runs in a bubble.
func requireOneTimeCost(t *testing.T, h http.Handler, status func(int) int) {
	t.Helper()
	const each, times = 100, 4
	var open atomic.Int64
	listener, served := make(pipes), make(chan error, 1)
	srv := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute, IdleTimeout: time.Minute, ConnState: counting(&open)}
	go func() { served <- srv.Serve(listener) }()
	defer func() { // also if a requirement fails: nothing may outlive a bubble
		require.NoError(t, srv.Close())
		require.ErrorIs(t, <-served, http.ErrServerClosed)
	}()
	goroutines, heap, sent := runtime.NumGoroutine(), int64(0), each*len(strangers)
	for n := range 1 + times {
		if n == 1 {
			heap = heapInUse()
		}
		sendStrangers(t, listener.dial, each, status)
		require.Eventually(t, func() bool { return open.Load() == 0 && runtime.NumGoroutine() <= goroutines+1 },
			time.Minute, time.Millisecond)
		testkit.Advance(2 * time.Minute) // closed pipes keep their deadlines
	}
	left := (heapInUse() - heap) / int64(times*sent)
	t.Logf("figure: memory: %d strangers whose body never comes leave %d bytes each", times*sent, max(0, left))
	require.Less(t, left, int64(256))
}

// sendStrangers sends this many of each kind at once.
func sendStrangers(t *testing.T, dial dialer, each int, status func(int) int) {
	var all sync.WaitGroup
	for name, stranger := range strangers {
		for range each {
			all.Go(func() {
				got, err := visit(dial, stranger.head)
				if err != nil || got != status(stranger.status) {
					t.Errorf("%s: %d, %v", name, got, err)
				}
			})
		}
	}
	all.Wait()
}

func asIs(status int) int { return status }

// net/http waits for the rest of a body without a limit unless there is a read deadline (package
// net/http, Server.ReadTimeout and ResponseController.SetReadDeadline).
func TestHandler_StrangersWithoutABody(t *testing.T) {
	var calls atomic.Int64
	h := testkit.NewHandler(t, testkit.Counting(&calls), webhook.WithTimeout(300*time.Millisecond))
	synctest.Test(t, func(t *testing.T) { requireOneTimeCost(t, h, asIs) })
	srv, open := receiverOf(t, h, 0) // over the network
	sendStrangers(t, over(srv), 1, asIs)
	require.Eventually(t, func() bool { return open.Load() == 0 }, time.Minute, time.Millisecond)
	require.Zero(t, calls.Load())
}

func TestOnlyFrom_StrangersWithoutABody(t *testing.T) {
	var calls atomic.Int64
	forbidden := func(int) int { return http.StatusForbidden }
	receiver := func(t *testing.T) http.Handler {
		client := testkit.NewClient(t, testkit.Answer(http.StatusOK, `{"webhook_notification_ips":["192.0.2.1"]}`))
		only, err := webhook.OnlyFrom(client.Webhooks, nil)
		require.NoError(t, err)
		return only(testkit.NewHandler(t, testkit.Counting(&calls)))
	}
	synctest.Test(t, func(t *testing.T) { requireOneTimeCost(t, receiver(t), forbidden) })
	srv, open := receiverOf(t, receiver(t), 0) // over the network
	sendStrangers(t, over(srv), 1, forbidden)
	require.Eventually(t, func() bool { return open.Load() == 0 }, time.Minute, time.Millisecond)
	require.Zero(t, calls.Load())

	down := testkit.NewClient(t, testkit.Answer(http.StatusForbidden, "{}"))
	only, err := webhook.OnlyFrom(down.Webhooks, nil)
	require.NoError(t, err)
	srv, _ = receiverOf(t, only(testkit.NewHandler(t, testkit.Counting(&calls))), 0)
	status, err := visit(over(srv), strangers["unsigned"].head)
	require.NoError(t, err)
	require.Equal(t, http.StatusServiceUnavailable, status)
}

// If a writer hides the deadlines of the connection, the server's ReadTimeout ends strangers.
func TestHandler_WorksWithoutReadDeadlines(t *testing.T) {
	var calls atomic.Int64
	h := testkit.NewHandler(t, testkit.Counting(&calls))
	hidden := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(struct{ http.ResponseWriter }{w}, r)
	})
	srv, _ := receiverOf(t, hidden, time.Minute) // a delivery must come in time, on a slow machine too
	body := testkit.Numbered(1)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook(testkit.WebhookSecret, body))
	resp, err := srv.Client().Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, 200, resp.StatusCode)
	require.EqualValues(t, 1, calls.Load())

	srv, open := receiverOf(t, hidden, 300*time.Millisecond)
	sendStrangers(t, over(srv), 1, asIs)
	require.Eventually(t, func() bool { return open.Load() == 0 }, time.Minute, time.Millisecond)
}

// Over HTTP/2 only a stranger's exchange ends, because a proxy may send deliveries on the same
// connection.
func TestHandler_StrangersOverHTTP2(t *testing.T) {
	var calls atomic.Int64
	var connections atomic.Int64
	mux := http.NewServeMux()
	mux.Handle("/strangers", testkit.NewHandler(t, testkit.Counting(&calls), webhook.WithTimeout(300*time.Millisecond)))
	mux.Handle("/delivery", testkit.NewHandler(t, testkit.Counting(&calls), webhook.WithTimeout(time.Minute)))
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	srv.EnableHTTP2 = true
	srv.StartTLS()
	defer srv.Close()
	send := func(path string, body io.Reader, signature string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, body)
		require.NoError(t, err)
		req.Header.Set(webhook.SignatureHeader, signature)
		resp, err := srv.Client().Do(req)
		require.NoError(t, err)
		require.Equal(t, "HTTP/2.0", resp.Proto)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
	for signature, want := range map[string]int{"": 401, "forged": 401, strings.Repeat("0", 64): 400} {
		body, never := io.Pipe()
		require.Equal(t, want, send("/strangers", body, signature))
		require.NoError(t, never.Close())
	}
	require.Zero(t, calls.Load())
	signed := testkit.Numbered(1)
	require.Equal(t, 200, send("/delivery", bytes.NewReader(signed), terminal49test.SignWebhook(testkit.WebhookSecret, signed)))
	require.EqualValues(t, 1, connections.Load())
}
