package testkit

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
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
	for _, end := range h2Ends() {
		all = append(all, Protocol{Name: "HTTP/2 with TLS, " + end.name, HTTP2: true,
			Start: func(t testing.TB, s *Interrupted) (string, *http.Transport) {
				srv := unstarted(t, s) // for its certificate
				srv.StartTLS()
				config := &tls.Config{Certificates: srv.TLS.Certificates, NextProtos: []string{"h2"}}
				addr := accepting(t, func(conn net.Conn) { s.serveHTTP2(tls.Server(conn, config), end.frames) })
				return "https://" + addr, &http.Transport{TLSClientConfig: trusting(srv), ForceAttemptHTTP2: true}
			}})
		all = append(all, Protocol{Name: "HTTP/2 without TLS, " + end.name, HTTP2: true,
			Start: func(t testing.TB, s *Interrupted) (string, *http.Transport) {
				addr := accepting(t, func(conn net.Conn) { s.serveHTTP2(conn, end.frames) })
				tr := &http.Transport{Protocols: new(http.Protocols)}
				tr.Protocols.SetUnencryptedHTTP2(true)
				return "http://" + addr, tr
			}})
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

// The frames and codes of RFC 9113 that are used.
const (
	frameData, frameHeaders, frameReset, frameSettings, frameGoAway, frameWindow = 0, 1, 3, 4, 7, 8
	endStream, endHeaders, ack                                                   = 1, 4, 1
	protocolError, refusedStream                                                 = 1, 7
)

func h2Frame(kind, flags byte, stream uint32, payload []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	b = append(b, flags)
	return append(binary.BigEndian.AppendUint32(b, stream), payload...)
}

// h2Status returns the header block of a status, a literal (RFC 7541, section 6.2.2).
func h2Status(status int) []byte { return append([]byte{0x08, 3}, fmt.Sprintf("%03d", status)...) }

type h2End struct {
	name   string
	frames func(stream uint32) []byte
}

// h2Ends returns the ways to end a stream after which net/http repeats its request (RFC 9113,
// sections 6.8 and 8.7). It repeats after PROTOCOL_ERROR too, which does not guarantee that nothing
// was processed.
func h2Ends() []h2End {
	reset := func(code byte) func(uint32) []byte {
		return func(stream uint32) []byte { return h2Frame(frameReset, 0, stream, []byte{0, 0, 0, code}) }
	}
	return []h2End{
		{"REFUSED_STREAM", reset(refusedStream)},
		{"PROTOCOL_ERROR", reset(protocolError)},
		{"GOAWAY", func(uint32) []byte { return h2Frame(frameGoAway, 0, 0, make([]byte, 8)) }}, // the last stream is 0, and there was no error
		{"103, then REFUSED_STREAM", func(stream uint32) []byte {
			return append(h2Frame(frameHeaders, endHeaders, stream, h2Status(http.StatusEarlyHints)), reset(refusedStream)(stream)...)
		}},
	}
}

// serveHTTP2 is ServeHTTP over HTTP/2, as far as the client of a test uses it. Go's server cannot
// be made to end a stream in these ways.
func (s *Interrupted) serveHTTP2(conn net.Conn, end func(stream uint32) []byte) {
	if _, err := io.CopyN(io.Discard, conn, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))); err != nil {
		return
	}
	_, _ = conn.Write(h2Frame(frameSettings, 0, 0, nil))
	for head := make([]byte, 9); ; {
		if _, err := io.ReadFull(conn, head); err != nil {
			return
		}
		length, stream := binary.BigEndian.Uint32(head)>>8, binary.BigEndian.Uint32(head[5:])
		if _, err := io.CopyN(io.Discard, conn, int64(length)); err != nil {
			return
		}
		kind, flags := head[3], head[4]
		if kind == frameData && length > 0 {
			_, _ = conn.Write(h2Frame(frameWindow, 0, 0, binary.BigEndian.AppendUint32(nil, length)))
		}
		switch {
		case kind == frameSettings && flags&ack == 0:
			_, _ = conn.Write(h2Frame(frameSettings, ack, 0, nil))
		case (kind == frameHeaders || kind == frameData) && flags&endStream != 0:
			_, _ = conn.Write(s.h2Reply(stream, end))
		}
	}
}

func (s *Interrupted) h2Reply(stream uint32, end func(stream uint32) []byte) []byte {
	r, ends := s.act()
	if ends {
		return end(stream)
	}
	return append(h2Frame(frameHeaders, endHeaders, stream, h2Status(r.Status)),
		h2Frame(frameData, endStream, stream, []byte(r.Body))...)
}
