package service

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Endpoint is a service that is reached over a socket, or in the process.
type Endpoint struct {
	Handle    func(Incoming) Outgoing
	BodyLimit func(host, path string) int64 // the maximum number of bytes that are read of a request body
	Closed    <-chan struct{}               // ends what is stalled
}

// RoundTrip serves one request without a socket, as a real transport would.
func (s *Endpoint) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if r.URL == nil || r.URL.Host == "" {
		return nil, errors.New("terminal49test: the request URL has no host")
	}
	limit := s.BodyLimit(r.URL.Host, r.URL.Path)
	body, err := readRequest(r, limit)
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	in, unzip := asSent(r)
	in.Body, in.tooLong = body[:min(int64(len(body)), limit)], int64(len(body)) > limit
	out := s.Handle(in)
	reportTrace(ctx, in.URL.Host, in.Header, out.DialError == nil)
	if out.DialError != nil {
		return nil, out.DialError
	}
	if err := sleepContext(ctx, out.Wait); err != nil {
		return nil, err
	}
	if out.Drop {
		return nil, ConnectionError("read", "read", syscall.ECONNRESET)
	}
	return out.response(r, unzip), nil
}

// asSent returns a request, without its body, with the headers that a real transport adds, and
// whether it decompresses the response.
func asSent(r *http.Request) (in Incoming, unzip bool) {
	u := *r.URL
	u.Host = cmp.Or(r.Host, u.Host)
	in = Incoming{Method: cmp.Or(r.Method, http.MethodGet), URL: &u, Header: r.Header.Clone(), Length: requestLength(r)}
	if in.Header == nil {
		in.Header = http.Header{}
	}
	if _, set := in.Header["User-Agent"]; !set {
		in.Header.Set("User-Agent", "Go-http-client/1.1")
	}
	unzip = in.Header.Get("Accept-Encoding") == "" && in.Header.Get("Range") == "" && r.Method != http.MethodHead
	if unzip {
		in.Header.Set("Accept-Encoding", "gzip")
	}
	return in, unzip
}

func readRequest(r *http.Request, limit int64) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	return body, errors.Join(err, r.Body.Close())
}

// requestLength is the Content-Length that a real transport sends; -1 if it sends chunks.
func requestLength(r *http.Request) int64 {
	if r.ContentLength == 0 && r.Body != nil && r.Body != http.NoBody {
		return -1
	}
	return r.ContentLength
}

func (o Outgoing) response(r *http.Request, unzip bool) *http.Response {
	header := o.Header.Clone()
	length := o.Length
	if length >= 0 {
		header.Set("Content-Length", strconv.FormatInt(o.Length, 10))
	}
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	body := &faultyBody{ctx: r.Context(), rest: bytes.NewReader(o.Body), closed: make(chan struct{}), end: io.EOF, stall: o.Stall}
	if o.stream != nil {
		body.rest = io.MultiReader(body.rest, o.stream)
	}
	switch {
	case o.Ending == EndWithReset:
		body.end = ConnectionError("read", "read", syscall.ECONNRESET)
	case o.Ending == EndEarly && length >= 0:
		body.end = io.ErrUnexpectedEOF
	}
	resp := &http.Response{
		Status: strconv.Itoa(o.Status) + " " + http.StatusText(o.Status), StatusCode: o.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header, ContentLength: length, Body: body, Request: r,
	}
	if hasNoBody(o.Status) || length == 0 { // nothing to stall, break or decompress
		resp.ContentLength, resp.Body = 0, http.NoBody
		return resp
	}
	if unzip && header.Get("Content-Encoding") == "gzip" {
		header.Del("Content-Encoding")
		header.Del("Content-Length")
		resp.ContentLength, resp.Uncompressed, resp.Body = -1, true, &gunzipBody{compressed: body}
	}
	return resp
}

// faultyBody is a response body that can stall and break.
type faultyBody struct {
	ctx    context.Context
	rest   io.Reader
	stall  time.Duration
	end    error
	closed chan struct{}
	once   sync.Once
}

// Read returns the body, then stalls, then returns the final error.
func (b *faultyBody) Read(p []byte) (int, error) {
	select {
	case <-b.closed:
		return 0, errors.New("terminal49test: read on a closed response body")
	default:
	}
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if n, err := b.rest.Read(p); n > 0 || err == nil {
		return n, nil
	}
	if b.stall > 0 {
		timer := time.NewTimer(b.stall)
		defer timer.Stop()
		select {
		case <-timer.C:
			b.stall = 0
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		case <-b.closed:
			return 0, errors.New("terminal49test: response body closed during a read")
		}
	}
	return 0, b.end
}

// Close also ends a stalled Read.
func (b *faultyBody) Close() error {
	b.once.Do(func() { close(b.closed) })
	return nil
}

// gunzipBody decompresses like net/http, from the first read on.
type gunzipBody struct {
	compressed io.ReadCloser
	plain      *gzip.Reader
}

// Read returns the decompressed body.
func (u *gunzipBody) Read(p []byte) (int, error) {
	if u.plain == nil {
		var err error
		if u.plain, err = gzip.NewReader(u.compressed); err != nil {
			return 0, err
		}
	}
	return u.plain.Read(p)
}

// Close closes the compressed body.
func (u *gunzipBody) Close() error { return u.compressed.Close() }

func sleepContext(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func ConnectionError(op, call string, errno syscall.Errno) error {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 443}
	return &net.OpError{Op: op, Net: "tcp", Addr: addr, Err: os.NewSyscallError(call, errno)}
}

// ExpiredCertificate is the error of net/http's transport, unwrapped, for a certificate that
// expired an hour ago.
func ExpiredCertificate(now time.Time) error {
	cert := &x509.Certificate{NotBefore: now.AddDate(0, -3, 0), NotAfter: now.Add(-time.Hour)}
	return &tls.CertificateVerificationError{
		UnverifiedCertificates: []*x509.Certificate{cert},
		Err: x509.CertificateInvalidError{
			Cert: cert, Reason: x509.Expired,
			Detail: "current time " + now.UTC().Format(time.RFC3339) + " is after " + cert.NotAfter.UTC().Format(time.RFC3339),
		},
	}
}

// reportTrace calls the hooks of an httptrace as a real connection would, so that code can find out
// whether anything was sent.
func reportTrace(ctx context.Context, host string, header http.Header, connected bool) {
	t := httptrace.ContextClientTrace(ctx)
	if t == nil {
		return
	}
	if t.GetConn != nil {
		t.GetConn(host)
	}
	if !connected {
		return
	}
	if t.GotConn != nil {
		t.GotConn(httptrace.GotConnInfo{})
	}
	for name, values := range header {
		if t.WroteHeaderField != nil {
			t.WroteHeaderField(name, values)
		}
	}
	if t.WroteHeaders != nil {
		t.WroteHeaders()
	}
	if t.WroteRequest != nil {
		t.WroteRequest(httptrace.WroteRequestInfo{})
	}
}
