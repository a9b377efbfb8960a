package terminal49test

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// serveHTTP answers over the socket.
func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	limit := s.bodyLimit(r.Host)
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return // the client went away while sending
	}
	u := *r.URL
	u.Scheme, u.Host = "http", r.Host
	out := s.answer(incoming{
		method: r.Method, url: &u, header: r.Header, body: body[:min(int64(len(body)), limit)],
		tooLong: int64(len(body)) > limit, length: r.ContentLength,
	})
	if !s.pause(r, out.wait) || out.drop {
		reset(w)
		return
	}
	for name, values := range out.header {
		w.Header()[name] = values
	}
	if out.length >= 0 {
		w.Header().Set("Content-Length", strconv.FormatInt(out.length, 10))
	}
	w.WriteHeader(out.status)
	if _, err := w.Write(out.body); err != nil {
		return
	}
	if out.stream != nil {
		_, _ = io.Copy(w, out.stream) // a client that stops reading is what this fault is for
	}
	if out.stall > 0 || out.cut {
		_ = http.NewResponseController(w).Flush()
		s.pause(r, out.stall)
		reset(w)
	}
}

// pause waits and reports whether somebody is still there afterwards.
func (s *Server) pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.closed:
	}
	return false
}

// reset ends the connection the hard way.
func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
