package board

import (
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
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

// dial sends a text, and returns how long the server kept the connection and what it answered.
func (p pipes) dial(t *testing.T, text string) (kept time.Duration, answer string) {
	client, server := net.Pipe()
	p <- server
	start := time.Now()
	go func() { _, _ = io.WriteString(client, text) }()
	all, err := io.ReadAll(client)
	require.NoError(t, err)
	require.NoError(t, client.Close())
	return time.Since(start), string(all)
}

// A visitor who sends nothing, or a part of a request, is not waited for longer than this.
const mostPatience = time.Minute

func TestServer_EndsSlowRequests(t *testing.T) {
	const host = " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
	const form = "Content-Type: application/x-www-form-urlencoded\r\n"
	for name, text := range map[string]string{
		"nothing":                     "",
		"half a line":                 "GET /",
		"headers that do not end":     "POST /clock" + host,
		"a body that never comes":     "POST /clock" + host + form + "Content-Length: 10\r\n\r\n",
		"half a body":                 "POST /clock" + host + form + "Content-Length: 10\r\n\r\nspeed",
		"chunks that do not end":      "POST /clock" + host + form + "Transfer-Encoding: chunked\r\n\r\n5\r\nspeed\r\n",
		"a page with a body":          "GET /" + host + "Content-Length: 10\r\n\r\n",
		"a missing page with a body":  "PUT /nowhere" + host + "Content-Length: 10\r\n\r\n",
		"a stranger's host, a body":   "POST /clock HTTP/1.1\r\nHost: elsewhere.example\r\nContent-Length: 10\r\n\r\n",
		"a page, then nothing":        "GET /" + host + "\r\n",
		"a page, then half a request": "GET /" + host + "\r\nGET /",
	} {
		synctest.Test(t, func(t *testing.T) {
			listener := make(pipes)
			server := newServer(newPage(t).Handler)
			served := make(chan error, 1)
			go func() { served <- server.Serve(listener) }()
			kept, _ := listener.dial(t, text)
			require.LessOrEqual(t, kept, mostPatience, name)
			require.NoError(t, server.Close())
			require.True(t, errors.Is(<-served, http.ErrServerClosed), name)
		})
	}
}

// A visitor who reads nothing of a page or a stream holds no goroutine.
func TestServer_EndsResponsesThatAreNotRead(t *testing.T) {
	for _, path := range []string{"/", "/events", "/static/board.js"} {
		synctest.Test(t, func(t *testing.T) {
			listener, ended := make(pipes), make(chan struct{})
			pages := newPage(t).Handler
			server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(ended)
				pages.ServeHTTP(w, r)
			}))
			served := make(chan error, 1)
			go func() { served <- server.Serve(listener) }()
			client, accepted := net.Pipe()
			listener <- accepted
			_, err := io.WriteString(client, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
			require.NoError(t, err)
			time.Sleep(mostPatience + time.Second)
			select {
			case <-ended:
			default:
				t.Errorf("%s: the handler still waits", path)
			}
			require.NoError(t, client.Close())
			require.NoError(t, server.Close())
			<-served
		})
	}
}

// The limit is for requests: a stream of events goes on.
func TestServer_KeepsStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listener := make(pipes)
		ended := make(chan struct{})
		p := newPage(t)
		p.site.ended = ended
		server := newServer(p.Handler)
		served := make(chan error, 1)
		go func() { served <- server.Serve(listener) }()
		time.AfterFunc(time.Hour, func() { close(ended) })
		kept, answer := listener.dial(t, "GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
		require.GreaterOrEqual(t, kept, time.Hour)
		require.Contains(t, answer, "event: beat")
		require.NoError(t, server.Close())
		<-served
	})
}
