package terminal49test

import (
	"context"
	"net"
)

// WithListener makes the server answer on a listener of the caller's instead of a loopback socket of its own, to be
// reached at an address that is known beforehand or from other machines. The server closes it.
func WithListener(l net.Listener) Option { return func(c *config) { c.listener = l } }

// Shutdown is Close for a server that others are talking to: it takes no more requests and waits, until ctx ends, for
// those under way.
func (s *Server) Shutdown(ctx context.Context) error {
	defer s.Close()
	if s.http == nil {
		return nil
	}
	return s.http.Shutdown(ctx)
}
