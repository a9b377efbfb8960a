package transport

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Result is an answer of the service, whatever its status, with its body read.
type Result struct {
	Status        int
	Header        http.Header
	Body          []byte        // decompressed
	Attempts      int           // attempts this call has made so far, this one included
	RetryAfter    time.Duration // what the Retry-After header asks for, from the answer's arrival
	HasRetryAfter bool          // a Retry-After was there and could be read
	MaySent       bool          // this or an earlier attempt may have been acted on without a dependable answer
}

// newResult returns the result of a response whose header has just arrived, without its body.
func newResult(a attempt, resp *http.Response) *Result {
	r := &Result{Status: resp.StatusCode, Header: resp.Header, Attempts: a.info.Attempt}
	r.RetryAfter, r.HasRetryAfter = ParseRetryAfter(resp.Header.Get("Retry-After"), time.Now())
	return r
}

// ErrBodyTooLarge means that a 2xx body was longer than Policy.MaxBody.
var ErrBodyTooLarge = errors.New("the response body is longer than the limit; ask for a smaller page or raise the limit")

// ErrAttemptTimeout means that an exchange took longer than Policy.AttemptTimeout.
// Such an error is a context.DeadlineExceeded too.
var ErrAttemptTimeout = errors.New("no complete answer within the attempt timeout")

// Error means that a call ended without an answer. It holds no URL and no header.
type Error struct {
	Op, Method, Route string

	Err      error   // why the call ended
	Attempts int     // attempts that were let through by the limiter
	MaySent  bool    // the service may have received, and acted on, this call
	Last     *Result // last answer before the end, such as a 429; often nil
	unknown  bool    // MaySent for a call that may not be repeated blindly
}

// Unwrap returns why the call ended.
func (e *Error) Unwrap() error { return e.Err }

// Error names the operation, the route and the reason.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s %s): no answer", e.Op, e.Method, e.Route)
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " after %d attempts", e.Attempts)
	}
	if e.Last != nil {
		fmt.Fprintf(&b, " (last status %d)", e.Last.Status)
	}
	fmt.Fprintf(&b, ": %s", Printable(e.Err.Error())) // the words of a proxy come as they are
	if e.unknown {
		b.WriteString("; the service may have acted on it: check before you send it again")
	}
	return b.String()
}

// GoString keeps %#v from looking into wrapped errors.
func (e *Error) GoString() string { return fmt.Sprintf("&transport.Error{%q}", e.Error()) }
