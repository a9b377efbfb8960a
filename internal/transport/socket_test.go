package transport

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests run on real sockets, with the faults of a real network.

func quickPolicy(cfg *Config) {
	cfg.Policy.MinBackoff, cfg.Policy.MaxBackoff = time.Millisecond, time.Millisecond
}

// serve starts a server and a chain that has its own transport.
func serve(t *testing.T, h http.HandlerFunc) (*Chain, string) {
	t.Helper()
	srv := httptest.NewServer(h)
	base := &http.Transport{}
	t.Cleanup(func() { base.CloseIdleConnections(); srv.Close() })
	return newChain(base, quickPolicy), srv.URL
}

// drop closes the connection after the given part of a response, which may be empty.
func drop(w http.ResponseWriter, response string) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_, _ = io.WriteString(conn, response)
		_ = conn.Close()
	}
}

func TestSocket_DroppedAfterBeingRead(t *testing.T) {
	for class, want := range map[Class]int32{Write: 1, Read: 3, Idempotent: 3} {
		var n atomic.Int32
		c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			n.Add(1)
			drop(w, "")
		})
		_, err := c.Do(request(t, t.Context(), "POST", url, "payload"), call(class))
		var te *Error
		require.ErrorAs(t, err, &te)
		assert.Equal(t, want, n.Load())
		assert.Equal(t, int(want), te.Attempts)
		assert.True(t, te.MayHaveBeenSent)
	}
}

func TestSocket_TruncatedBody(t *testing.T) {
	for class, want := range map[Class]int32{Write: 1, Read: 2} {
		var n atomic.Int32
		c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if n.Add(1) == 1 {
				drop(w, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
				return
			}
			_, _ = io.WriteString(w, "whole")
		})
		res, err := c.Do(request(t, t.Context(), "POST", url, "payload"), call(class))
		assert.Equal(t, want, n.Load())
		if class == Read {
			require.NoError(t, err)
			assert.Equal(t, "whole", string(res.Body))
			continue
		}
		var te *Error
		require.ErrorAs(t, err, &te)
		assert.ErrorIs(t, err, io.ErrUnexpectedEOF)
		assert.True(t, te.MayHaveBeenSent)
	}
}

// nothingSent checks that a write was attempted this often and is known not to have been sent.
func nothingSent(t *testing.T, c *Chain, url string, attempts int) {
	t.Helper()
	_, err := c.Do(request(t, t.Context(), "POST", url, "payload"), call(Write))
	var te *Error
	require.ErrorAs(t, err, &te)
	assert.False(t, te.MayHaveBeenSent, "%v", err)
	assert.Equal(t, attempts, te.Attempts)
}

func TestSocket_Refused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	// Nobody listens on the client's end of a connection, nor can do so while it lasts.
	taken, err := net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	defer func() { require.NoError(t, taken.Close()) }()
	nothingSent(t, newChain(&http.Transport{}, quickPolicy), "http://"+taken.LocalAddr().String(), 3)
}

func TestSocket_BrokenHandshake(t *testing.T) {
	c, url := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the server received a request") })
	nothingSent(t, c, "https"+url[len("http"):], 1) // the server does not speak TLS
}

func TestSocket_UntrustedCertificate(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the server received a request") }))
	srv.Config.ErrorLog = quiet()
	srv.StartTLS()
	defer srv.Close()
	nothingSent(t, newChain(&http.Transport{}, quickPolicy), srv.URL, 1) // a retry cannot replace a certificate
}

func TestSocket_CancelledWhileDialling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the dial has begun when the deadline passes
		// A transport continues to dial for the next request; this one ends with the test.
		over, ended := make(chan struct{}), make(chan struct{})
		base := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			defer close(ended)
			<-over
			return nil, errRefused
		}}
		defer func() { close(over); <-ended }()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := newChain(base).Do(request(t, ctx, "POST", "http://api.example.test/", "x"), call(Write))
		var te *Error
		require.ErrorAs(t, err, &te)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.False(t, te.MayHaveBeenSent)
	})
}

func TestSocket_LimitsTheUnpackedLength(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err := z.Write(make([]byte, 2<<20))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	c, url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	})
	_, err = c.Do(request(t, t.Context(), "GET", url, ""), call(Read))
	require.ErrorIs(t, err, ErrBodyTooLarge)
	wide := call(Read)
	wide.Policy.MaxBody = 4 << 20
	res, err := c.Do(request(t, t.Context(), "GET", url, ""), wide)
	require.NoError(t, err)
	assert.Len(t, res.Body, 2<<20)
}

func TestSocket_KeepsConnections(t *testing.T) {
	var conns atomic.Int32
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, "a body that must be read to its end")
	}))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	srv.Start()
	base := &http.Transport{}
	defer srv.Close()
	defer base.CloseIdleConnections()
	c := newChain(base, func(cfg *Config) { cfg.Origin, cfg.Header = mustURL(t, srv.URL), addToken })
	for range 5 {
		res, err := c.Do(request(t, t.Context(), "GET", srv.URL, ""), call(Read))
		require.NoError(t, err)
		assert.Equal(t, 200, res.Status)
	}
	assert.Equal(t, int32(1), conns.Load())
}

// TestSocket_RedirectToAnotherHost has a second server that must receive nothing.
func TestSocket_RedirectToAnotherHost(t *testing.T) {
	_, other := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("the other host received a request") })
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, fmt.Sprintf("%s/steal?%s", other, r.URL.RawQuery), http.StatusTemporaryRedirect)
	})
	res, err := c.Do(request(t, t.Context(), "GET", url+"?q=1", ""), call(Read))
	require.NoError(t, err)
	assert.Equal(t, 307, res.Status)
}

// A connection that the server closed while it was idle is replaced, and a write is sent once.
func TestSocket_StaleConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	var n atomic.Int32
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			req, err := http.ReadRequest(bufio.NewReader(conn))
			if err == nil {
				_, _ = io.Copy(io.Discard, req.Body)
				n.Add(1)
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
			_ = conn.Close() // without a Connection: close
		}
	}()
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	c := newChain(base, quickPolicy)
	for range 10 {
		res, err := c.Do(request(t, t.Context(), "PATCH", "http://"+l.Addr().String(), "x"), call(Idempotent))
		require.NoError(t, err)
		assert.Equal(t, "ok", string(res.Body))
	}
	assert.Equal(t, int32(10), n.Load())
}
