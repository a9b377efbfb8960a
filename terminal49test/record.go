package terminal49test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request is one HTTP request the server received, in the order of arrival.
type Request struct {
	At        time.Time // on the program's clock, as rate limits are
	Operation string    // such as "shipments.get"; "" for a path the service does not have
	Method    string
	Path      string // as sent, escaped, with the base path
	Query     string // as sent
	Header    http.Header
	Body      []byte
	Status    int // what was answered; 0 for no answer at all
}

// Violation is something a client did that the service does not document: an unknown query parameter, a wrong envelope,
// a missing header. The server still answers as well as it can; a test decides whether the list must be empty.
type Violation struct {
	Operation    string // "" for a path the service does not have
	Method, Path string
	What         string // says what was wrong and what is expected
}

// String is one line for a test's log.
func (v Violation) String() string {
	return fmt.Sprintf("%s %s (%s): %s", v.Method, v.Path, v.Operation, v.What)
}

// Requests lists what the server received so far. The token, cookies and signatures of files are redacted; the rest of a
// body is as it was sent, with the secrets and headers of webhooks in it.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Request, len(s.requests))
	for i, r := range s.requests {
		list[i] = *r
		list[i].Header, list[i].Body = r.Header.Clone(), slices.Clone(r.Body)
	}
	return list
}

// Violations lists what clients did so far that the service does not document.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// CheckViolations fails t with one line for each violation. Any *testing.T or *testing.B will do.
func (s *Server) CheckViolations(t interface {
	Helper()
	Errorf(format string, args ...any)
}) {
	t.Helper()
	for _, v := range s.Violations() {
		t.Errorf("terminal49test: %s", v)
	}
}

// redact takes the token out of anything that is kept.
func (s *Server) redact(text string) string {
	if s.Token == "" {
		return text
	}
	return strings.ReplaceAll(text, s.Token, "[redacted]")
}

func (s *Server) record(in incoming, op string) *Request {
	header := http.Header{}
	for name, values := range in.header {
		for _, v := range values {
			if name == "Authorization" || name == "Cookie" || name == "Proxy-Authorization" {
				v = "[redacted]"
			}
			header.Add(name, s.redact(v))
		}
	}
	r := &Request{
		At: time.Now(), Operation: op, Method: in.method, Path: s.redact(in.url.EscapedPath()), Query: s.redact(in.url.RawQuery),
		Header: header, Body: []byte(s.redact(string(in.body))),
	}
	s.requests = append(s.requests, r)
	return r
}
