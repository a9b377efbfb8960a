package transport

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/text"
)

// Result is a response of the service, of any status, with its body read.
type Result struct {
	Status          int
	Header          http.Header
	Body            []byte        // decompressed; whole for a 2xx, otherwise at most 64 KiB
	Attempts        int           // requests sent for this call so far, this one included
	RetryAfter      time.Duration // from the arrival of the response, if HasRetryAfter
	HasRetryAfter   bool          // there was a valid Retry-After
	MayHaveBeenSent bool          // some attempt may have been acted on without being reported
	Sent            time.Time     // when the exchange began

	buffer *[]byte // holds Body if it was borrowed
}

// Recycle lets later calls use the memory of a borrowed Body, which must not be read any more.
func (r *Result) Recycle() {
	if r.buffer != nil {
		buffers.Put(r.buffer)
		r.Body, r.buffer = nil, nil
	}
}

// newResult returns the result of a response whose header has just arrived, without its body.
//
// A Retry-After that is a date is counted from the response's own Date, so that a wrong local clock
// does not change the wait.
func newResult(resp *http.Response) *Result {
	r := &Result{Status: resp.StatusCode, Header: resp.Header}
	if r.Status == http.StatusSwitchingProtocols && resp.Body != nil {
		_ = resp.Body.Close() // it is the connection, and reading it may not end
		resp.Body = http.NoBody
	}
	if after := resp.Header.Get("Retry-After"); after != "" {
		now, err := http.ParseTime(resp.Header.Get("Date"))
		if err != nil {
			now = time.Now()
		}
		r.RetryAfter, r.HasRetryAfter = ParseRetryAfter(after, now)
	}
	return r
}

// ErrBodyTooLarge means that a 2xx body was longer than Policy.MaxBody.
var ErrBodyTooLarge = errors.New("the response body is longer than the limit; ask for a smaller page or raise the limit")

// ErrAttemptTimeout means that an exchange took longer than Policy.AttemptTimeout, or that a
// download stalled for that long. The error of an exchange is a context.DeadlineExceeded too.
var ErrAttemptTimeout = errors.New("no complete response within the attempt timeout")

// Error means that a call ended without a response. It holds no URL and no header.
type Error struct {
	Op, Method, Route string

	Err             error   // why the call ended
	Attempts        int     // requests that the limiter let through, with what net/http repeated
	MayHaveBeenSent bool    // the service may have received this call and acted on it
	Last            *Result // last response before the end, such as a 429; nil if there was none
	outcomeUnknown  bool    // MayHaveBeenSent, and repeating the call could act twice
}

// Unwrap returns the reason why the call ended.
func (e *Error) Unwrap() error { return e.Err }

// Error names the operation, the route and the reason.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s %s): no response", e.Op, e.Method, e.Route)
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " after %d attempts", e.Attempts)
	}
	if e.Last != nil {
		fmt.Fprintf(&b, " (last status %d)", e.Last.Status)
	}
	fmt.Fprintf(&b, ": %s", text.Printable(e.Err.Error())) // a proxy may write anything in it
	if e.outcomeUnknown {
		b.WriteString("; the service may have acted on it: check before you send it again")
	}
	return b.String()
}

// GoString keeps %#v from printing wrapped errors.
func (e *Error) GoString() string { return fmt.Sprintf("&transport.Error{%q}", e.Error()) }
