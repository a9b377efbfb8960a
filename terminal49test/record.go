package terminal49test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
)

// Request is one HTTP request that the server received.
type Request struct {
	Number    int         `json:"number,omitzero"`    // 1 for the first request that the server received
	At        time.Time   `json:"at,omitzero"`        // on the process clock, like rate limits
	Operation string      `json:"operation,omitzero"` // such as "shipments.get"; "" for an unknown path
	Method    string      `json:"method,omitzero"`
	Path      string      `json:"path,omitzero"`  // as sent: escaped, with the base path
	Query     string      `json:"query,omitzero"` // as sent
	Header    http.Header `json:"headers,omitzero"`
	Body      []byte      `json:"body,omitzero" form:"text"`
	Status    int         `json:"status,omitzero"` // of the response; 0 if there was none
}

// Violation is something in a request that the service does not document, such as an unknown query
// parameter, a wrong envelope or a missing header. The request is still handled as well as
// possible; see [Server.CheckViolations].
type Violation struct {
	Operation string `json:"operation,omitzero"` // "" for an unknown path
	Method    string `json:"method,omitzero"`
	Path      string `json:"path,omitzero"`
	Problem   string `json:"problem,omitzero"` // what is wrong and what is required
}

// String returns the violation on one line.
func (v Violation) String() string {
	return fmt.Sprintf("%s %s (%s): %s", v.Method, v.Path, v.Operation, v.Problem)
}

// maxStrange is how many bytes of requests without credentials are kept. Anyone who reaches the
// server can send them.
const maxStrange = 4 << 20

// Requests returns the requests received so far, in order of arrival: the last 50,000, or as many
// as [WithLog] sets. The API token, cookies and storage signatures are redacted. Bodies are
// otherwise as sent, including secrets and headers of webhooks. Only the first 4 MiB or so of
// requests without the token are kept.
func (s *Server) Requests() []Request { return s.RequestsAfter(0) }

// RequestsAfter returns those of [Server.Requests] with a higher number, so that a program which
// polls reads each request once.
func (s *Server) RequestsAfter(number int) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	kept := newerThan(s.requests.List(), number, func(r *Request) int { return r.Number })
	list := make([]Request, len(kept))
	for i, r := range kept {
		list[i] = *r
		list[i].Header, list[i].Body = r.Header.Clone(), slices.Clone(r.Body)
	}
	return list
}

// newerThan returns the rows with a higher number. They are sorted by it.
func newerThan[T any](rows []T, number int, numberOf func(T) int) []T {
	i, _ := slices.BinarySearchFunc(rows, number, func(row T, number int) int {
		return cmp.Or(cmp.Compare(numberOf(row), number), -1) // equal numbers are not newer
	})
	return rows[i:]
}

// RequestCount returns how many requests the server has received, including those that are not
// kept.
func (s *Server) RequestCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.received
}

// Violations returns the first violations, at most as many as [WithLog] sets. Requests that were
// not kept because their token was wrong add none.
func (s *Server) Violations() []Violation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.violations)
}

// CheckViolations reports each violation as an error of t, which is usually a *testing.T.
func (s *Server) CheckViolations(t interface {
	Helper()
	Errorf(format string, args ...any)
}) {
	t.Helper()
	for _, v := range s.Violations() {
		t.Errorf("terminal49test: %s", v)
	}
}

// recorder returns the function that records the violations of a request. It does nothing if the
// request is not kept.
func (s *Server) recorder(kept bool, in service.Incoming, op string) func(string) {
	return func(problem string) {
		if kept && len(s.violations) < s.config.keptRequests {
			s.violations = append(s.violations, Violation{
				Operation: op, Method: in.Method, Path: s.redact(in.URL.Path), Problem: s.redact(problem),
			})
		}
	}
}

// redact removes the API token from text that is recorded or returned.
func (s *Server) redact(text string) string {
	if s.Token == "" {
		return text
	}
	return strings.ReplaceAll(text, s.Token, "[secret]")
}

// record returns the record of a request, and whether it is kept.
func (s *Server) record(in service.Incoming, op string, authorized bool) (r *Request, kept bool) {
	s.received++
	if !authorized {
		if s.strange += in.Size(); s.strange > maxStrange {
			return &Request{}, false
		}
	}
	header := http.Header{}
	for name, values := range in.Header {
		for _, v := range values {
			if name == "Authorization" || name == "Cookie" || name == "Proxy-Authorization" {
				v = "[secret]"
			}
			header.Add(name, s.redact(v))
		}
	}
	r = &Request{
		Number: s.received, At: time.Now(), Operation: op, Method: in.Method, Path: s.redact(in.URL.EscapedPath()), Query: s.redact(in.URL.RawQuery),
		Header: header, Body: []byte(s.redact(string(in.Body))),
	}
	s.requests.Add(r)
	return r, true
}
