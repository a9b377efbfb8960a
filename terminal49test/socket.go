package terminal49test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// serveHTTP serves a request over the socket.
func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	limit := s.bodyLimit(r.Host)
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return // the client disconnected while sending
	}
	u := *r.URL
	u.Scheme, u.Host = "http", r.Host
	out := s.handle(incoming{
		method: r.Method, url: &u, header: r.Header, body: body[:min(int64(len(body)), limit)],
		tooLong: int64(len(body)) > limit, length: r.ContentLength,
	})
	if !s.pause(r, out.wait) || out.drop {
		closeConnection(w, endWithReset)
		return
	}
	if out.ending == endEarly && out.length < 0 {
		writeWithoutLength(w, out.reply)
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
		_, _ = io.Copy(w, out.stream) // the client may stop reading
	}
	if out.ending != endNormally {
		_ = http.NewResponseController(w).Flush()
		s.pause(r, out.stall)
		closeConnection(w, out.ending)
	}
}

// writeWithoutLength sends a body without Content-Length or chunks, which ends with the connection.
// Go's server cannot do that itself.
func writeWithoutLength(w http.ResponseWriter, r reply) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	r.header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	resp := http.Response{
		StatusCode: r.status, ProtoMajor: 1, ProtoMinor: 1, Header: r.header,
		ContentLength: -1, Close: true, Body: io.NopCloser(bytes.NewReader(r.body)),
	}
	_ = resp.Write(conn) // the client may have disconnected
	_ = conn.Close()
}

// pause waits and reports whether the client is still connected afterwards.
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

// closeConnection closes the connection normally or with a reset.
func closeConnection(w http.ResponseWriter, how ending) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok && how == endWithReset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
