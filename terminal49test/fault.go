package terminal49test

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
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
	Operation string
	Skip      int // number of matching requests to pass first
	Times     int // number of requests to fail after that; 0 means one, negative means all

	Kind FaultKind
	// Acted executes the request before it fails, so that a write takes effect although the
	// response reports an error.
	Acted bool

	// Status is the HTTP status of FaultStatus (default 500), FaultRedirect (default 302) and
	// FaultEmpty (default: the normal one). Responses with status 204 and 304 have no body.
	Status     int
	Shape      ErrorShape    // of FaultStatus
	Title      string        // of the error; "" means the status text
	Detail     string        // of the error
	RetryAfter RetryAfter    // sets the header; nil sets none
	Delay      time.Duration // of FaultSlow and of stalls, whose default is an hour
	Bytes      int64         // of FaultHuge
	// Depth is the number of levels of a FaultDeep document, at least 3; default 100,000.
	Depth int
	// NoLength omits the Content-Length of FaultTruncate, which makes the truncation undetectable.
	NoLength    bool
	ContentType string // of FaultContentType; "" means text/plain
	Location    string // of FaultRedirect; "" means the request's own URL
}

// RetryAfter returns a Retry-After header for a time of the process clock.
type RetryAfter func(now time.Time) string

// RetryAfterSeconds returns a header in seconds, the documented form. Fractions are rounded up.
func RetryAfterSeconds(d time.Duration) RetryAfter {
	return RetryAfterRaw(strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10))
}

// RetryAfterDate returns a header with the date after d, in one of HTTP's three layouts:
// http.TimeFormat, time.RFC850 (with GMT) or time.ANSIC.
func RetryAfterDate(d time.Duration, layout string) RetryAfter {
	return func(now time.Time) string {
		return strings.Replace(now.Add(d).UTC().Format(layout), "UTC", "GMT", 1)
	}
}

// RetryAfterRaw returns a header with exactly this value, which may be invalid.
func RetryAfterRaw(value string) RetryAfter { return func(time.Time) string { return value } }

// Fault adds a fault. If several match a request, the first added applies; all of them count it. A
// fault with an unknown operation or kind never applies and is recorded as a [Violation].
func (s *Server) Fault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Times = cmp.Or(f.Times, 1)
	s.faults = append(s.faults, &f)
	for what, valid := range map[string]bool{
		"the fault's Operation must be an operation of the service": s.hasOperation(f.Operation),
		"the fault's Kind must be one of the constants":             slices.Contains(faultKinds(), f.Kind),
	} {
		if !valid {
			s.violations = append(s.violations, Violation{Operation: f.Operation, Problem: what})
		}
	}
}

func faultKinds() []FaultKind {
	return []FaultKind{
		FaultStatus, FaultRefuse, FaultDrop, FaultStallHeaders, FaultStallBody, FaultReset, FaultTruncate, FaultMalformedJSON,
		FaultEmpty, FaultContentType, FaultSlow, FaultGzip, FaultBrokenGzip, FaultHuge, FaultDeep, FaultRedirect, FaultCertificate,
	}
}

func (s *Server) hasOperation(op string) bool {
	switch op {
	case "", "*", "storage.put", "storage.get":
		return true
	}
	return slices.ContainsFunc(s.routes, func(o operation) bool { return o.Op == op })
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

func (f *Fault) actsFirst() bool {
	switch f.Kind {
	case FaultStatus, FaultDrop, FaultStallHeaders, FaultHuge, FaultDeep, FaultRedirect:
		return f.Acted
	}
	return !f.isUnsent()
}

// isUnsent reports whether the fault keeps the request from leaving the client. It is recorded as
// an attempt but does not count towards rate limits.
func (f *Fault) isUnsent() bool { return f.Kind == FaultRefuse || f.Kind == FaultCertificate }

// apply returns the reply of the fault, given the normal one; a nil fault changes nothing.
func (f *Fault) apply(r service.Reply, requested *url.URL) service.Outgoing {
	if f == nil {
		return service.CompleteReply(r)
	}
	half := len(r.Body) / 2
	stall := cmp.Or(f.Delay, time.Hour)
	out := service.CompleteReply(r)
	switch f.Kind {
	case FaultStatus:
		out = service.CompleteReply(service.ErrorReply(service.Shape(f.Shape), service.Problem{Status: cmp.Or(f.Status, 500), Title: f.Title, Detail: f.Detail}))
	case FaultRefuse:
		out = service.Outgoing{DialError: service.ConnectionError("dial", "connect", syscall.ECONNREFUSED), Drop: true}
	case FaultCertificate:
		out = service.Outgoing{DialError: service.ExpiredCertificate(time.Now()), Drop: true}
	case FaultDrop:
		out = service.Outgoing{Drop: true}
	case FaultStallHeaders:
		out = service.Outgoing{Wait: stall, Drop: true}
	case FaultStallBody:
		out.Body, out.Stall, out.Ending = r.Body[:half], stall, service.EndWithReset
	case FaultReset:
		out.Body, out.Ending = r.Body[:half], service.EndWithReset
	case FaultTruncate:
		out.Body, out.Ending = r.Body[:half], service.EndEarly
		if f.NoLength {
			out.Length = -1
		}
	case FaultMalformedJSON:
		out = service.CompleteReply(service.Reply{Status: r.Status, Header: r.Header, Body: r.Body[:half]})
	case FaultEmpty:
		out = service.CompleteReply(service.Reply{Status: cmp.Or(f.Status, r.Status), Header: http.Header{}})
	case FaultContentType:
		out.Header.Set("Content-Type", cmp.Or(f.ContentType, "text/plain; charset=utf-8"))
	case FaultSlow:
		out.Wait = f.Delay
	case FaultGzip:
		out = service.CompleteReply(service.Reply{Status: r.Status, Header: r.Header, Body: service.Gzipped(r.Body)})
		out.Header.Set("Content-Encoding", "gzip")
	case FaultBrokenGzip:
		out.Header.Set("Content-Encoding", "gzip")
	case FaultHuge:
		out = service.HugeReply(f.Bytes)
	case FaultDeep:
		out = service.CompleteReply(service.DeepReply(cmp.Or(f.Depth, 100_000)))
	case FaultRedirect:
		location := cmp.Or(f.Location, requested.String())
		out = service.CompleteReply(service.Reply{Status: cmp.Or(f.Status, http.StatusFound), Header: http.Header{"Location": {location}}, Body: nil})
	}
	if f.RetryAfter != nil && out.Header != nil {
		out.Header.Set("Retry-After", f.RetryAfter(time.Now()))
	}
	return out
}

// ErrorShape is a format of error bodies used by the service or by a proxy in front of it.
type ErrorShape string

// The observed shapes and where they occur.
const (
	// ShapeFull is {"errors":[{status, title, detail, ...}]}: most errors.
	ShapeFull ErrorShape = ""
	// ShapeTitleOnly is {"errors":[{status, title}]}: 404.
	ShapeTitleOnly ErrorShape = "title only"
	// ShapeNoTitle is {"errors":[{status, detail}]}: infer_number.
	ShapeNoTitle ErrorShape = "no title"
	// ShapeDetailOnly is {"errors":[{detail}]}: search and webhooks/trigger.
	ShapeDetailOnly ErrorShape = "detail only"
	// ShapeNullDetail is {"errors":[{status, source, title, detail: null}]}: notification examples.
	ShapeNullDetail ErrorShape = "null detail"
	// ShapeNullSource is ShapeNullDetail with a null source: GET /custom_fields.
	ShapeNullSource ErrorShape = "null source"
	// ShapeSingularKey is {"error":[{...}]}: only in the service's OpenAPI document.
	ShapeSingularKey ErrorShape = "singular key"
	// ShapeErrorText is {"error":"text"}.
	ShapeErrorText ErrorShape = "error text"
	// ShapeErrorsText is {"errors":"text"}.
	ShapeErrorsText ErrorShape = "errors text"
	// ShapeMessage is {"message":"text"}.
	ShapeMessage ErrorShape = "message"
	// ShapeDetailText is {"detail":"text"}.
	ShapeDetailText ErrorShape = "detail text"
	// ShapeHTML is an HTML page: unknown paths and proxies.
	ShapeHTML ErrorShape = "html"
	// ShapeEmpty is an empty body.
	ShapeEmpty ErrorShape = "empty"
	// ShapeMalformedJSON is the first half of ShapeFull.
	ShapeMalformedJSON ErrorShape = "malformed json"
)
