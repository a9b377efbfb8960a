package service

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// ServeHTTP serves a request over the socket.
func (s *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if problem := PageProblem(r); problem != "" {
		http.Error(w, problem, http.StatusForbidden)
		return
	}
	limit := s.BodyLimit(r.Host, r.URL.Path)
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return // the client disconnected while sending
	}
	u := *r.URL
	u.Scheme, u.Host = "http", r.Host
	out := s.Handle(Incoming{
		Method: r.Method, URL: &u, Header: r.Header, Body: body[:min(int64(len(body)), limit)],
		tooLong: int64(len(body)) > limit, Length: r.ContentLength,
	})
	if !s.pause(r, out.Wait) || out.Drop {
		closeConnection(w, EndWithReset)
		return
	}
	if out.Ending == EndEarly && out.Length < 0 {
		writeWithoutLength(w, out.Reply)
		return
	}
	if !out.writeTo(w) {
		return
	}
	if out.Ending != endNormally {
		_ = http.NewResponseController(w).Flush()
		s.pause(r, out.Stall)
		closeConnection(w, out.Ending)
	}
}

// writeTo reports whether the client is still connected after the body.
func (o Outgoing) writeTo(w http.ResponseWriter) bool {
	for name, values := range o.Header {
		w.Header()[name] = values
	}
	if o.Length >= 0 {
		w.Header().Set("Content-Length", strconv.FormatInt(o.Length, 10))
	}
	w.WriteHeader(o.Status)
	if _, err := w.Write(o.Body); err != nil {
		return false
	}
	if o.stream != nil {
		_, _ = io.Copy(w, o.stream) // the client may stop reading
	}
	return true
}

// writeWithoutLength sends a body without Content-Length or chunks, which ends with the connection.
// Go's server cannot do that itself.
func writeWithoutLength(w http.ResponseWriter, r Reply) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	r.Header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	resp := http.Response{
		StatusCode: r.Status, ProtoMajor: 1, ProtoMinor: 1, Header: r.Header,
		ContentLength: -1, Close: true, Body: io.NopCloser(bytes.NewReader(r.Body)),
	}
	_ = resp.Write(conn) // the client may have disconnected
	_ = conn.Close()
}

// pause waits and reports whether the client is still connected afterwards.
func (s *Endpoint) pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.Closed:
	}
	return false
}

// closeConnection closes the connection normally or with a reset.
func closeConnection(w http.ResponseWriter, how ending) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok && how == EndWithReset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
