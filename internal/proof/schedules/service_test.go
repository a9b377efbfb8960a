package schedules_test

import (
	"bufio"
	"crypto/tls"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/testkit"
)

// service receives the requests of one schedule. It counts how often it acts for each call.
type service struct {
	*schedule
	config   *tls.Config // nil without TLS
	listener net.Listener
	accepted chan struct{}
	running  sync.WaitGroup // connections, and requests on them

	mu    sync.Mutex
	open  []net.Conn
	acted map[string]int    // by tag
	fates map[string][]fate // one for each request that arrived whole
}

func (s *schedule) serve(t *testing.T, config *tls.Config) *service {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	srv := &service{schedule: s, config: config, listener: l, accepted: make(chan struct{}),
		acted: map[string]int{}, fates: map[string][]fate{}}
	go srv.accept()
	return srv
}

func (s *service) accept() {
	defer close(s.accepted)
	for n := uint64(0); ; n++ {
		raw, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.open = append(s.open, raw)
		s.running.Go(func() { s.speak(raw, s.random(1<<40|n)) })
	}
}

// close returns when nothing more can be acted on.
func (s *service) close() {
	_ = s.listener.Close()
	<-s.accepted
	for _, conn := range s.open {
		_ = conn.Close()
	}
	s.running.Wait()
}

// connection writes each response whole, and records how it ends.
type connection struct {
	net.Conn
	raw       net.Conn
	mu        sync.Mutex
	outOfStep bool // it carries a response that nothing asked for
}

func (c *connection) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Conn.Write(b)
}

// end closes the connection, if hard with a reset, which may overtake what was written.
func (c *connection) end(hard bool) {
	if tcp, ok := c.raw.(*net.TCPConn); ok && hard {
		_ = tcp.SetLinger(0)
	}
	_ = c.raw.Close()
}

// speak serves one connection. It may end before or within any request, so that the service reads
// only a part of it.
func (s *service) speak(raw net.Conn, r *rand.Rand) {
	c := &connection{Conn: raw, raw: raw}
	defer c.end(r.IntN(2) == 0)
	if s.config != nil {
		c.Conn = tls.Server(raw, s.config)
	}
	var from io.Reader = c
	if r.IntN(20) == 0 {
		from = io.LimitReader(from, r.Int64N(1200))
	}
	if s.http2 {
		testkit.SpeakH2(from, c, func(req testkit.H2Request) {
			s.running.Go(func() { s.respond2(c, req) })
		})
		return
	}
	for buffered := bufio.NewReader(from); s.respond1(c, buffered); {
	}
}

// respond1 responds to one request over HTTP/1.1, and reports whether the connection continues.
func (s *service) respond1(c *connection, from *bufio.Reader) bool {
	req, err := http.ReadRequest(from)
	if err != nil {
		return false
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return false
	}
	f := s.decide(req.URL.Path+string(body), c.outOfStep)
	_, _ = c.Write(f.http1())
	if f.surplus != "" {
		time.Sleep(f.pause)
		c.outOfStep = true
		_, _ = c.Write(answer{status: "200", body: f.surplus}.http1())
	}
	if f.ends() {
		c.end(f.hard)
	}
	return !f.ends()
}

// respond2 is respond1 over HTTP/2.
func (s *service) respond2(c *connection, req testkit.H2Request) {
	f := s.decide(req.Path+string(req.Body), false)
	_, _ = c.Write(f.http2(req.Stream))
	if f.ends() && f.ending != reset {
		c.end(f.hard)
	}
}

// decide counts a request, and returns its fate after acting on it, or not.
func (s *service) decide(text string, outOfStep bool) fate {
	tag := tags.FindString(text)
	s.mu.Lock()
	n := len(s.fates[tag])
	f := s.draw(tag, n, outOfStep)
	s.fates[tag] = append(s.fates[tag], f)
	s.mu.Unlock()
	if f.acts && !f.late {
		s.act(tag)
	}
	time.Sleep(f.stall)
	if f.acts && f.late {
		s.act(tag)
	}
	return f
}

func (s *service) act(tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.acted[tag]++
}
