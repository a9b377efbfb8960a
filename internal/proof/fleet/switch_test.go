package fleet_test

import (
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// lineSwitch forwards connections to one address at a time, like a host name that is moved to a
// promoted replica.
type lineSwitch struct {
	listener net.Listener
	mu       sync.Mutex
	target   string
	open     []net.Conn
}

func newSwitch(t *testing.T, target string) *lineSwitch {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &lineSwitch{listener: l, target: target}
	go func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			s.forward(conn)
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		s.to("")
	})
	return s
}

func (s *lineSwitch) address() string { return s.listener.Addr().String() }

func (s *lineSwitch) forward(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	server, err := net.Dial("tcp", s.target)
	if err != nil {
		_ = conn.Close()
		return
	}
	s.open = append(s.open, conn, server)
	go copyAndClose(conn, server)
	go copyAndClose(server, conn)
}

func copyAndClose(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_ = to.Close()
}

// to ends all connections and forwards new ones to target.
func (s *lineSwitch) to(target string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.target = target
	for _, conn := range s.open {
		_ = conn.Close()
	}
	s.open = nil
}
