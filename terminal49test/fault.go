package terminal49test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// FaultKind is what goes wrong.
type FaultKind string

// The kinds. "Acted" says whether the service acts on the request before the fault; for the others Fault.Acted decides.
const (
	FaultStatus        FaultKind = ""               // answer with Fault.Status and a body of Fault.Shape
	FaultRefuse        FaultKind = "refuse"         // no connection, never acted; over a socket, already connected, it is a drop
	FaultDrop          FaultKind = "drop"           // the connection is reset without an answer
	FaultStallHeaders  FaultKind = "stall headers"  // nothing is answered for Fault.Delay, then the connection is reset
	FaultStallBody     FaultKind = "stall body"     // headers and half the body, then as above; acted
	FaultReset         FaultKind = "reset"          // headers and half the body, then the connection is reset; acted
	FaultTruncate      FaultKind = "truncate"       // the connection ends halfway through the body, in good order; acted
	FaultMalformedJSON FaultKind = "malformed json" // half the body, complete as far as HTTP can tell; acted
	FaultEmpty         FaultKind = "empty"          // the right status, or Fault.Status, without a body; acted
	FaultContentType   FaultKind = "content type"   // the right answer announced as Fault.ContentType; acted
	FaultSlow          FaultKind = "slow"           // the right answer after Fault.Delay; acted
	FaultGzip          FaultKind = "gzip"           // the right answer, compressed; acted
	FaultBrokenGzip    FaultKind = "broken gzip"    // announced as compressed and is not; acted
	FaultHuge          FaultKind = "huge"           // 200 with valid JSON of Fault.Bytes bytes
	FaultDeep          FaultKind = "deep"           // 200 with valid JSON nested Fault.Depth levels deep
	FaultRedirect      FaultKind = "redirect"       // Fault.Status (302 for 0) to Fault.Location
	FaultCertificate   FaultKind = "certificate"    // the TLS certificate has expired, never acted; over a socket, without TLS, a drop
)

// Fault makes chosen requests go wrong. A request the service does not act on is recorded and counts for the rate limit,
// and is not looked at otherwise. The common fault is a status:
//
//	srv.Fault(terminal49test.Fault{Operation: "shipments.get", Status: 503, Times: 2})
type Fault struct {
	Operation string // such as "shipments.get", or "storage.put" and "storage.get" for files; "" or "*" for any
	Skip      int    // let this many matching requests pass first
	Times     int    // then strike this many; 0 is once, negative is always

	Kind  FaultKind
	Acted bool // the service acts on the request first, so that a write has happened although its answer says otherwise

	Status      int           // of FaultStatus (0 is 500), FaultRedirect and FaultEmpty (0 is the right one); 204 and 304 have no body
	Shape       ErrorShape    // of FaultStatus
	Title       string        // of the error; "" for the status text
	Detail      string        // of the error
	RetryAfter  RetryAfter    // adds the header; nil for none
	Delay       time.Duration // of FaultSlow; of stalls the longest, 0 for an hour
	Bytes       int64         // of FaultHuge
	Depth       int           // of FaultDeep: levels of the whole document, at least 3; 0 is 100,000
	NoLength    bool          // of FaultTruncate: the answer announces no length, so that its early end looks like its end
	ContentType string        // of FaultContentType; "" is text/plain
	Location    string        // of FaultRedirect; "" for the same address again
}

// RetryAfter words a Retry-After header, given the program's time.
type RetryAfter func(now time.Time) string

// RetryAfterSeconds is the form the service documents. Parts of a second are rounded up.
func RetryAfterSeconds(d time.Duration) RetryAfter {
	return RetryAfterRaw(strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10))
}

// RetryAfterDate is the header as a date d from now, in one of HTTP's three layouts: http.TimeFormat, time.RFC850 (with
// GMT) or time.ANSIC.
func RetryAfterDate(d time.Duration, layout string) RetryAfter {
	return func(now time.Time) string {
		return strings.Replace(now.Add(d).UTC().Format(layout), "UTC", "GMT", 1)
	}
}

// RetryAfterRaw is the header exactly as given, for values that mean nothing.
func RetryAfterRaw(value string) RetryAfter { return func(time.Time) string { return value } }

// Fault adds a fault. Of several that match a request the first added strikes; each counts every request it matches,
// struck or not. A fault that can never strike, because its operation or kind is misspelt, is a [Violation].
func (s *Server) Fault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Times = cmp.Or(f.Times, 1)
	s.faults = append(s.faults, &f)
	for what, known := range map[string]bool{
		"the fault's operation is no operation of the service": s.hasOperation(f.Operation),
		"the fault's kind is none of the constants":            slices.Contains(faultKinds(), f.Kind),
	} {
		if !known {
			s.violations = append(s.violations, Violation{Operation: f.Operation, What: what})
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
	return slices.ContainsFunc(s.routes, func(r route) bool { return r.op == op })
}

// ClearFaults takes all faults away.
func (s *Server) ClearFaults() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// strike gives the fault that hits a request, if any.
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

// unsent reports whether the fault keeps the request from leaving the client. It is recorded as an attempt and counts
// for no rate limit.
func (f *Fault) isUnsent() bool { return f.Kind == FaultRefuse || f.Kind == FaultCertificate }
