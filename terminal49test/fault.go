package terminal49test

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
)

// FaultKind is the kind of a [Fault].
type FaultKind string

// The kinds of faults. The service always executes the request of a kind marked "acted" and never
// that of a kind marked "not acted"; for the others, Fault.Acted decides.
const (
	// FaultStatus responds with Fault.Status and an error body of Fault.Shape.
	FaultStatus FaultKind = ""
	// FaultRefuse refuses the connection; not acted. Over a socket, where it is already
	// established, the connection is reset.
	FaultRefuse FaultKind = "refuse"
	// FaultDrop resets the connection without a response.
	FaultDrop FaultKind = "drop"
	// FaultStallHeaders sends nothing for Fault.Delay and then resets the connection.
	FaultStallHeaders FaultKind = "stall headers"
	// FaultStallBody sends the headers and half the body, then stalls like FaultStallHeaders;
	// acted.
	FaultStallBody FaultKind = "stall body"
	// FaultReset sends the headers and half the body, then resets the connection; acted.
	FaultReset FaultKind = "reset"
	// FaultTruncate closes the connection normally after half the body; acted.
	FaultTruncate FaultKind = "truncate"
	// FaultMalformedJSON sends half the body with a matching Content-Length; acted.
	FaultMalformedJSON FaultKind = "malformed json"
	// FaultEmpty sends the normal status, or Fault.Status, without a body; acted.
	FaultEmpty FaultKind = "empty"
	// FaultContentType sends the normal response with Fault.ContentType; acted.
	FaultContentType FaultKind = "content type"
	// FaultSlow sends the normal response after Fault.Delay; acted.
	FaultSlow FaultKind = "slow"
	// FaultGzip sends the normal response compressed; acted.
	FaultGzip FaultKind = "gzip"
	// FaultBrokenGzip declares gzip encoding but sends the body uncompressed; acted.
	FaultBrokenGzip FaultKind = "broken gzip"
	// FaultHuge sends status 200 and valid JSON of Fault.Bytes bytes.
	FaultHuge FaultKind = "huge"
	// FaultDeep sends status 200 and valid JSON nested Fault.Depth levels deep.
	FaultDeep FaultKind = "deep"
	// FaultMembers sends the normal response with Fault.Members in place of its top-level members;
	// acted.
	FaultMembers FaultKind = "members"
	// FaultRedirect redirects to Fault.Location with Fault.Status; 0 means 302.
	FaultRedirect FaultKind = "redirect"
	// FaultCertificate fails like an expired TLS certificate; not acted. Over a socket, which has
	// no TLS, the connection is reset.
	FaultCertificate FaultKind = "certificate"
)

// Fault makes matching requests fail. A request that the service does not execute is recorded and
// counts towards the rate limit, but is not checked.
type Fault struct {
	// Operation is a name such as "shipments.get", or "storage.put" or "storage.get" for files; ""
	// or "*" matches every request.
	Operation string `json:"operation,omitzero"`
	Skip      int    `json:"skip,omitzero"`  // number of matching requests to pass first
	Times     int    `json:"times,omitzero"` // number of requests to fail after that; 0 means one, negative means all

	Kind FaultKind `json:"kind,omitzero"`
	// Acted executes the request before it fails, so that a write takes effect although the
	// response reports an error.
	Acted bool `json:"acted,omitzero"`

	// Status is the HTTP status of FaultStatus (default 500), FaultRedirect (default 302) and
	// FaultEmpty (default: the normal one). It must be 0 or 100 to 999. Responses with status 204
	// and 304 have no body.
	Status     int           `json:"status,omitzero"`
	Shape      ErrorShape    `json:"shape,omitzero"`       // of FaultStatus
	Title      string        `json:"title,omitzero"`       // of the error; "" means the status text
	Detail     string        `json:"detail,omitzero"`      // of the error
	RetryAfter RetryAfter    `json:"retry_after,omitzero"` // sets the header; the zero value sets none
	Delay      time.Duration `json:"delay,omitzero"`       // of FaultSlow and of stalls, whose default is an hour
	Bytes      int64         `json:"bytes,omitzero"`       // of FaultHuge
	// Depth is the number of levels of a FaultDeep document, default 100,000. Below 3 it means 3;
	// it must be at most 10,000,000.
	Depth int `json:"depth,omitzero"`
	// NoLength omits the Content-Length of FaultTruncate, which makes the truncation undetectable.
	NoLength bool `json:"no_length,omitzero"`
	// Members are those of FaultMembers, by name: for example "links", with a next link that names no
	// page, after which a walk of the list ends with terminal49.ErrPagination.
	Members     map[string]any `json:"members,omitzero"`
	ContentType string         `json:"content_type,omitzero"` // of FaultContentType; "" means text/plain
	Location    string         `json:"location,omitzero"`     // of FaultRedirect; "" means the request's own URL
}

// RetryAfter is a Retry-After header. The zero value is none.
type RetryAfter struct {
	kind  retryKind
	after time.Duration
	text  string // the layout of a date, or the value itself
}

type retryKind uint8

const (
	retrySeconds retryKind = iota + 1
	retryDate
	retryRaw
)

// RetryAfterSeconds returns a header in seconds, the documented form. Fractions are rounded up. A
// negative d means 0.
func RetryAfterSeconds(d time.Duration) RetryAfter {
	return RetryAfter{kind: retrySeconds, after: max(d, 0)}
}

// RetryAfterDate returns a header with the date after d, in one of HTTP's three layouts:
// http.TimeFormat, time.RFC850 (with GMT) or time.ANSIC.
func RetryAfterDate(d time.Duration, layout string) RetryAfter {
	return RetryAfter{kind: retryDate, after: d, text: layout}
}

// RetryAfterRaw returns a header with exactly this value, which may be invalid.
func RetryAfterRaw(value string) RetryAfter { return RetryAfter{kind: retryRaw, text: value} }

// Value returns the header at a time of the process clock.
func (r RetryAfter) Value(now time.Time) string {
	switch r.kind {
	case retrySeconds:
		seconds := int64(r.after / time.Second)
		if r.after%time.Second > 0 {
			seconds++
		}
		return strconv.FormatInt(seconds, 10)
	case retryDate:
		return strings.Replace(now.Add(r.after).UTC().Format(r.text), "UTC", "GMT", 1)
	}
	return r.text
}

// AddFault adds a fault. If several match a request, the first added applies; all of them count it.
// A fault with an unknown operation or kind, or a Status or Depth out of range, never applies and
// is recorded as a [Violation].
func (s *Server) AddFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Times = cmp.Or(f.Times, 1)
	if p := f.problem(); p != nil {
		s.violations = append(s.violations, Violation{Operation: f.Operation, Problem: "the fault's " + p.field + " " + p.Problem})
		return
	}
	s.faults = append(s.faults, &f)
}

// faultProblem is why a fault never applies, and the name of the field in Go.
type faultProblem struct {
	field string
	forms.Error
}

func (f *Fault) problem() *faultProblem {
	operations := []string{"", "*", "storage.put", "storage.get"}
	for _, o := range routes() {
		operations = append(operations, o.Op)
	}
	switch {
	case !slices.Contains(operations, f.Operation):
		near := forms.Instead(forms.Nearest(f.Operation, operations))
		return &faultProblem{"Operation", forms.Error{Member: "operation", Problem: "must be an operation of the service" + near}}
	case faultRules[f.Kind].reply == nil:
		return &faultProblem{"Kind", forms.Error{Member: "kind", Problem: "must be one of the constants"}}
	case f.Status != 0 && (f.Status < 100 || f.Status > 999):
		return &faultProblem{"Status", forms.Error{Member: "status", Problem: "must be 0 or 100 to 999"}}
	case f.Depth > 10_000_000:
		return &faultProblem{"Depth", forms.Error{Member: "depth", Problem: "must be at most 10,000,000"}}
	}
	return nil
}

// Faults returns copies of the faults that can still apply, in order, with what is left of their
// Skip and Times.
func (s *Server) Faults() (list []Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.faults {
		if f.Times != 0 {
			left := *f
			left.Members = maps.Clone(f.Members)
			list = append(list, left)
		}
	}
	return list
}

// ClearFaults removes all faults.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// takeFault returns the fault that applies to a request, if any, and counts the request.
func (s *Server) takeFault(op string) *Fault {
	var hit *Fault
	for _, f := range s.faults {
		if f.Operation != "" && f.Operation != "*" && f.Operation != op {
			continue
		}
		if f.Skip > 0 {
			f.Skip--
			continue
		}
		if f.Times == 0 {
			continue
		}
		if hit == nil {
			hit = f
			f.Times = max(f.Times-1, -1)
		}
	}
	return hit
}
