package testkit

import (
	"crypto/tls"
	"net"
	"net/http"
	"testing"
)

// Wire is a protocol over real sockets, spoken by Go's server.
type Wire struct {
	Name       string
	TLS, HTTP2 bool
}

// Wires returns HTTP/1.1 and HTTP/2, each with and without TLS.
func Wires() []Wire {
	return []Wire{
		{"HTTP/1.1", false, false}, {"HTTP/1.1 with TLS", true, false},
		{"HTTP/2 without TLS", false, true}, {"HTTP/2 with TLS", true, true},
	}
}

// Serve serves h until the test ends. It returns the address and a transport that reaches it.
func (w Wire) Serve(t testing.TB, h http.Handler) (string, *http.Transport) {
	srv, tr := unstarted(t, h), &http.Transport{}
	if !w.TLS && w.HTTP2 {
		tr.Protocols = new(http.Protocols)
		tr.Protocols.SetUnencryptedHTTP2(true)
		srv.Config.Protocols = tr.Protocols
	}
	if srv.EnableHTTP2 = w.HTTP2; w.TLS {
		srv.StartTLS()
		tr.TLSClientConfig, tr.ForceAttemptHTTP2 = trusting(srv), w.HTTP2
	} else {
		srv.Start()
	}
	t.Cleanup(tr.CloseIdleConnections)
	return srv.URL, tr
}

// ServeH2 passes each connection of an HTTP/2 client to serve, which speaks the protocol itself. It
// returns the address and a transport that reaches it.
func ServeH2(t testing.TB, secure bool, serve func(net.Conn)) (string, *http.Transport) {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	if !secure {
		tr.Protocols = new(http.Protocols)
		tr.Protocols.SetUnencryptedHTTP2(true)
		return "http://" + accepting(t, serve), tr
	}
	cert, pool := Certified(t, nil)
	config := &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}}
	tr.TLSClientConfig, tr.ForceAttemptHTTP2 = &tls.Config{RootCAs: pool}, true
	return "https://" + accepting(t, func(conn net.Conn) { serve(tls.Server(conn, config)) }), tr
}
