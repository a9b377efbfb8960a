package terminal49test_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// pipes is a listener of connections within the process, for a faked clock.
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

func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// dial sends a text over a connection to the server, and returns how long the server kept it and
// what it answered.
func dial(t *testing.T, srv *terminal49test.Server, text string) (kept time.Duration, answer string) {
	listener := make(pipes)
	server := terminal49test.NewHTTPServer(srv)
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	client, far := net.Pipe()
	listener <- far
	start := time.Now()
	go func() { _, _ = io.WriteString(client, text) }()
	all, err := io.ReadAll(client)
	if err != nil {
		t.Fatal(err)
	}
	kept = time.Since(start)
	_ = client.Close()
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != http.ErrServerClosed {
		t.Fatal(err)
	}
	return kept, string(all)
}

// A request that is slow, or never complete, is not waited for longer than a minute. After a
// response that it did not wait for, a server may keep the connection for half a second more, so
// that the response arrives.
func TestServer_EndsSlowRequests(t *testing.T) {
	const host = " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	for name, text := range map[string]string{
		"nothing":                 "",
		"headers that do not end": "POST /v2/tracking_requests" + host,
		"no body":                 "POST /v2/tracking_requests" + host + "Content-Length: 10\r\n\r\n",
		"half a body":             "PATCH /v2/shipments/1" + host + "Content-Length: 10\r\n\r\n{\"a",
		"chunks that do not end":  "POST /v2/documents" + host + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
		"a page with a body":      "GET /v2/shipments" + host + "Content-Length: 10\r\n\r\n",
	} {
		synctest.Test(t, func(t *testing.T) {
			if kept, _ := dial(t, newServer(t), text); kept > time.Minute+time.Second/2 {
				t.Errorf("%s: the server waited for %v", name, kept)
			}
		})
	}
}

// The minute is for the request. A response that is stalled on purpose takes longer.
func TestServer_SlowResponsesOutlastTheReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := newServer(t)
		srv.AddFault(terminal49test.Fault{Kind: terminal49test.FaultSlow, Delay: time.Hour})
		kept, answer := dial(t, srv, "POST /v2/tracking_requests HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
		if kept < time.Hour || !strings.HasPrefix(answer, "HTTP/1.1 ") {
			t.Errorf("after %v: %q", kept, answer)
		}
	})
}
