package testkit

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Reply is a status and a body.
type Reply struct {
	Status int
	Body   string
}

// Interrupted is a service that acts on every request. It responds to the first with First, ends
// the second without a response, and responds to later ones with Then.
type Interrupted struct {
	mu          sync.Mutex
	acted       int
	first, then Reply
}

// Begin forgets the requests so far and sets the responses.
func (s *Interrupted) Begin(first, then Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acted, s.first, s.then = 0, first, then
}

// Acted returns the number of requests since Begin.
func (s *Interrupted) Acted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.acted
}

func (s *Interrupted) act() (r Reply, ends bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acted++
	if s.acted == 1 {
		return s.first, false
	}
	return s.then, s.acted == 2
}

// ServeHTTP ends a request by closing its connection.
func (s *Interrupted) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	_, _ = io.Copy(io.Discard, req.Body)
	r, ends := s.act()
	if !ends {
		w.WriteHeader(r.Status)
		_, _ = io.WriteString(w, r.Body)
		return
	}
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// Protocol is a way in which a service is reached and ends a request.
type Protocol struct {
	Name  string
	HTTP2 bool
	// Start serves s and returns its address and a transport that reaches it.
	Start func(t testing.TB, s *Interrupted) (string, *http.Transport)
}

// Protocols returns HTTP/1.1 and HTTP/2, with and without TLS, and for HTTP/2 each way to end a
// stream after which net/http repeats the request.
func Protocols() []Protocol {
	all := []Protocol{
		{Name: "HTTP/1.1", Start: func(t testing.TB, s *Interrupted) (string, *http.Transport) {
			srv := unstarted(t, s)
			srv.Start()
			return srv.URL, &http.Transport{}
		}},
		{Name: "HTTP/1.1 with TLS", Start: func(t testing.TB, s *Interrupted) (string, *http.Transport) {
			srv := unstarted(t, s)
			srv.StartTLS()
			return srv.URL, &http.Transport{TLSClientConfig: trusting(srv)}
		}},
	}
	ends := H2Ends()
	for _, name := range slices.Sorted(maps.Keys(ends)) {
		end := ends[name]
		start := func(secure bool) func(testing.TB, *Interrupted) (string, *http.Transport) {
			return func(t testing.TB, s *Interrupted) (string, *http.Transport) {
				return ServeH2(t, secure, func(conn net.Conn) { s.serveHTTP2(conn, end) })
			}
		}
		all = append(all, Protocol{Name: "HTTP/2 with TLS, " + name, HTTP2: true, Start: start(true)},
			Protocol{Name: "HTTP/2 without TLS, " + name, HTTP2: true, Start: start(false)})
	}
	return all
}

func unstarted(t testing.TB, h http.Handler) *httptest.Server {
	srv := httptest.NewUnstartedServer(h)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(srv.Close)
	return srv
}

func trusting(srv *httptest.Server) *tls.Config {
	pool := x509.NewCertPool()
	pool.AddCert(srv.Certificate())
	return &tls.Config{RootCAs: pool}
}

// accepting passes each connection to serve, and closes them all when the test ends.
func accepting(t testing.TB, serve func(net.Conn)) (addr string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	over := make(chan struct{})
	all.Add(1)
	go func() {
		defer all.Done()
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			all.Add(2)
			done := make(chan struct{})
			go func() { defer all.Done(); defer close(done); serve(conn) }()
			go func() {
				defer all.Done()
				select {
				case <-over:
				case <-done:
				}
				_ = conn.Close()
			}()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); close(over); all.Wait() })
	return l.Addr().String()
}

// H2Ends returns the ways to end a stream after which net/http repeats its request (RFC 9113,
// sections 6.8 and 8.7). It repeats after PROTOCOL_ERROR too, which does not guarantee that nothing
// was processed.
func H2Ends() map[string]func(stream uint32) []byte {
	refused := func(stream uint32) []byte { return H2Reset(stream, H2RefusedStream) }
	return map[string]func(uint32) []byte{
		"REFUSED_STREAM": refused,
		"PROTOCOL_ERROR": func(stream uint32) []byte { return H2Reset(stream, H2ProtocolError) },
		"GOAWAY":         func(uint32) []byte { return H2GoAway(0, H2NoError) },
		"103, then REFUSED_STREAM": func(stream uint32) []byte {
			return append(H2Headers(stream, "103"), refused(stream)...)
		},
	}
}

// serveHTTP2 is ServeHTTP over HTTP/2. Go's server cannot be made to end a stream in these ways.
func (s *Interrupted) serveHTTP2(conn net.Conn, end func(stream uint32) []byte) {
	SpeakH2(conn, conn, func(req H2Request) {
		r, ends := s.act()
		if ends {
			_, _ = conn.Write(end(req.Stream))
			return
		}
		_, _ = conn.Write(H2Response(req.Stream, strconv.Itoa(r.Status), r.Body))
	})
}
