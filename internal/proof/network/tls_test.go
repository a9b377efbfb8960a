package network_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/transport"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A request is sent only over a trusted connection. Without one, the service has not acted,
// in every call; an invalid certificate is not retried.

// unused is an address at which nothing listens. No server gets it by asking for any free port, as
// it may get one that was just closed.
const unused = "127.0.0.1:1"

// holding accepts connections and passes them to each, until the test ends.
func holding(t testing.TB, each func(net.Conn)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() { <-over; _ = conn.Close() }()
			go each(conn)
		}
	}()
	t.Cleanup(func() { _ = l.Close(); close(over); <-done })
	return l.Addr().String()
}

func TestNetwork_NothingIsSentWithoutAConnection(t *testing.T) {
	nobody := func(t *testing.T, change func(*x509.Certificate), trusted bool) func(*http.Transport) string {
		return func(tr *http.Transport) string {
			cert, pool := testkit.Certified(t, change)
			srv, _ := serving(t, func(http.ResponseWriter, *http.Request) {
				t.Error("a request was sent")
			}, func(s *httptest.Server) {
				s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}}
				s.StartTLS()
			})
			if trusted {
				tr.TLSClientConfig = &tls.Config{RootCAs: pool}
			}
			return srv.URL
		}
	}
	// The version of TLS that both sides allow does not change (RFC 8446, section 6.2,
	// protocol_version).
	versions := func(change func(client, server *tls.Config)) func(*http.Transport) string {
		return func(tr *http.Transport) string {
			cert, pool := testkit.Certified(t, nil)
			theirs := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS10}
			tr.TLSClientConfig = &tls.Config{RootCAs: pool}
			change(tr.TLSClientConfig, theirs)
			srv, _ := serving(t, func(http.ResponseWriter, *http.Request) {
				t.Error("a request was sent")
			}, func(s *httptest.Server) { s.TLS = theirs; s.StartTLS() })
			return srv.URL
		}
	}
	failing := func(err error) func(*http.Transport) string {
		return func(tr *http.Transport) string {
			tr.DialContext = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
			}
			return "https://api.example.test"
		}
	}
	var (
		silent  = func(net.Conn) {}
		unknown x509.UnknownAuthorityError
		host    x509.HostnameError
		invalid x509.CertificateInvalidError
		nowhere *net.DNSError
	)
	for name, c := range map[string]struct {
		setUp func(*http.Transport) string
		tries int
		is    error // errors.Is, or
		as    any   // errors.As
		opts  []terminal49.CallOption
	}{
		"refused": {setUp: func(*http.Transport) string { return "http://" + unused }, tries: maxAttempts},
		// A failed lookup may succeed a second later, so it is retried.
		"unresolved":           {setUp: failing(&net.DNSError{Err: "no such host", Name: "api.example.test", IsNotFound: true}), tries: maxAttempts, as: &nowhere},
		"unreachable":          {setUp: failing(os.ErrDeadlineExceeded), tries: maxAttempts, is: os.ErrDeadlineExceeded},
		"expired":              {setUp: nobody(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) }, true), tries: 1, as: &invalid},
		"not yet valid":        {setUp: nobody(t, func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) }, true), tries: 1, as: &invalid},
		"wrong host":           {setUp: nobody(t, func(c *x509.Certificate) { c.IPAddresses, c.DNSNames = nil, []string{"elsewhere.example"} }, true), tries: 1, as: &host},
		"unknown authority":    {setUp: nobody(t, nil, false), tries: 1, as: &unknown},
		"server's TLS too old": {setUp: versions(func(_, s *tls.Config) { s.MaxVersion = tls.VersionTLS11 }), tries: 1},
		"client's TLS too old": {setUp: versions(func(c, s *tls.Config) { c.MaxVersion, s.MinVersion = tls.VersionTLS12, tls.VersionTLS13 }), tries: 1},
		"server selects TLS 1.0": {setUp: func(*http.Transport) string {
			hello := append([]byte{22, 3, 1, 0, 42, 2, 0, 0, 38, 3, 1}, make([]byte, 32+1)...) // RFC 5246, section 7.4.1.3
			hello = append(hello, 0, 0x2f, 0)
			return "https://" + holding(t, func(c net.Conn) { _, _ = c.Read(make([]byte, 1<<10)); _, _ = c.Write(hello) })
		}, tries: 1},
		"not TLS": {setUp: func(*http.Transport) string {
			srv, _ := serving(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
			return "https" + srv.URL[len("http"):]
		}, tries: 1, is: http.ErrSchemeMismatch},
		"handshake broken off": {setUp: func(*http.Transport) string {
			return "https://" + holding(t, func(c net.Conn) { _, _ = c.Read(make([]byte, 1)); _ = c.Close() })
		}, tries: maxAttempts},
		"endless handshake": {setUp: func(tr *http.Transport) string {
			tr.TLSHandshakeTimeout = 10 * time.Millisecond
			return "https://" + holding(t, silent)
		}, tries: maxAttempts},
		"endless handshake, short attempts": {
			setUp: func(*http.Transport) string { return "https://" + holding(t, silent) },
			tries: maxAttempts, is: transport.ErrAttemptTimeout,
			opts: []terminal49.CallOption{terminal49.WithAttemptTimeout(stallTimeout)}, // each must reach its dial
		},
	} {
		for _, call := range testkit.FaultyCalls() {
			t.Run(name+"/"+call.Name, func(t *testing.T) {
				if c.opts != nil {
					t.Parallel() // the stalls would add up
				}
				tr := &http.Transport{}
				base := c.setUp(tr)
				var dials atomic.Int32
				dial := tr.DialContext
				if dial == nil {
					dial = new(net.Dialer).DialContext
				}
				tr.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
					dials.Add(1)
					return dial(ctx, network, addr)
				}
				err := call.Do(t.Context(), overNetwork(t, base, tr), c.opts...)
				var lost *terminal49.TransportError
				require.ErrorAs(t, err, &lost)
				require.Equal(t, c.tries, lost.Attempts, "%v", err)
				require.Equal(t, c.tries, int(dials.Load()))
				require.False(t, terminal49.IsOutcomeUnknown(err), "%v", err)
				if c.is != nil {
					require.ErrorIs(t, err, c.is)
				}
				if c.as != nil {
					require.True(t, errors.As(err, c.as), "%v", err)
				}
			})
		}
	}
}

// Most servers use HTTP/2, which fails in its own ways.

// http2 enables HTTP/2 on a server.
func http2(s *httptest.Server) {
	s.EnableHTTP2 = true
	s.StartTLS()
}

// trusting returns a transport for an httptest server, which uses HTTP/2 if the server does.
func trusting(srv *httptest.Server) *http.Transport {
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
}

func TestNetwork_ManyCallsShareAnHTTP2Connection(t *testing.T) {
	var conns, other atomic.Int32
	srv, arrived := serving(t, func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 || r.Header.Get("Authorization") != "Token "+testkit.Token {
			other.Add(1)
		}
		fine(w, r)
	}, func(s *httptest.Server) {
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				conns.Add(1)
			}
		}
	}, http2)
	client := overNetwork(t, srv.URL, trusting(srv))
	require.NoError(t, testkit.FaultyCalls()[0].Do(t.Context(), client)) // without a connection, each call would open one
	const each = 40
	errs := make(chan error)
	for _, call := range testkit.FaultyCalls() {
		for range each {
			go func() { errs <- call.Do(t.Context(), client) }()
		}
	}
	for range each * len(testkit.FaultyCalls()) {
		require.NoError(t, <-errs)
	}
	require.Equal(t, 1+each*len(testkit.FaultyCalls()), arrived())
	require.Equal(t, int32(1), conns.Load())
	require.Zero(t, other.Load())
}

func TestNetwork_BrokenHTTP2Streams(t *testing.T) {
	half := func(w http.ResponseWriter) {
		_, _ = io.WriteString(w, `{"data":`)
		_ = http.NewResponseController(w).Flush()
	}
	for name, c := range map[string]struct {
		h      http.HandlerFunc
		stalls bool
	}{
		"reset before the response": {h: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		"reset in the body":         {h: func(w http.ResponseWriter, _ *http.Request) { half(w); panic(http.ErrAbortHandler) }},
		"stalled before the response": {
			h: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, stalls: true,
		},
		"stalled in the body": {
			h: func(w http.ResponseWriter, r *http.Request) { half(w); <-r.Context().Done() }, stalls: true,
		},
	} {
		for _, call := range testkit.FaultyCalls() {
			t.Run(name+"/"+call.Name, func(t *testing.T) {
				t.Parallel() // the stalls would add up
				var broken atomic.Bool
				srv, arrived := serving(t, func(w http.ResponseWriter, r *http.Request) {
					if broken.Load() {
						c.h(w, r)
						return
					}
					fine(w, r)
				}, http2)
				client, want, opts := overNetwork(t, srv.URL,
					trusting(srv)), ifHarmless.of(call.Class), []terminal49.CallOption(nil)
				if c.stalls { // in real time, so as little as possible
					client, want = overNetwork(t, srv.URL, trusting(srv), terminal49.WithMaxAttempts(1)), 1
					opts = append(opts, terminal49.WithAttemptTimeout(stallTimeout))
				}
				require.NoError(t, call.Do(t.Context(), client))
				broken.Store(true)
				err := call.Do(t.Context(), client, opts...)
				var lost *terminal49.TransportError
				require.ErrorAs(t, err, &lost)
				require.Equal(t, want, lost.Attempts, "%v", err)
				require.Equal(t, 1+want, arrived())
				require.Equal(t, call.Class != transport.Read, terminal49.IsOutcomeUnknown(err))
				require.Equal(t, c.stalls, errors.Is(err, transport.ErrAttemptTimeout), "%v", err)
				broken.Store(false)
				require.NoError(t, call.Do(t.Context(), client), "a broken stream takes no other with it")
			})
		}
	}
}
