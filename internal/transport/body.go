package transport

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"net/http"
	"sync"

	"github.com/go-freight/terminal49/internal/chunks"
)

const (
	maxErrorBody = 64 << 10 // the body of an error holds a message or a list of problems
	maxPrealloc  = 1 << 20  // a Content-Length is a claim: it reserves no more memory than this
	minPrealloc  = 4 << 10  // for a response without a Content-Length
)

// receive reads the response.
func receive(a attempt, resp *http.Response) outcome {
	res := newResult(resp)
	if err := res.read(a, resp); err != nil {
		return outcome{err: err, status: res.Status, mayHaveBeenSent: true, final: errors.Is(err, ErrBodyTooLarge)}
	}
	return outcome{result: res, status: res.Status, mayHaveBeenSent: !isConclusive(res.Status)}
}

// read sets the body of r from resp. The body of a 2xx must be complete and within the limit,
// otherwise read returns an error. The body of any other status may be cut off.
func (r *Result) read(a attempt, resp *http.Response) error {
	if resp.Body == nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	if r.Status >= 200 && r.Status < 300 {
		return r.readWhole(a, resp)
	}
	start, _, _ := chunks.Read(resp.Body, expectedLength(resp), min(a.policy.MaxBody, maxErrorBody))
	r.Body = start.Join()
	return nil
}

func (r *Result) readWhole(a attempt, resp *http.Response) error {
	limit := min(a.policy.MaxBody, math.MaxInt64-1)
	// The Content-Length of a HEAD is what a GET would return.
	if resp.ContentLength > limit && a.req.Method != http.MethodHead {
		return fmt.Errorf("%w of %d bytes", ErrBodyTooLarge, limit)
	}
	var (
		one   [1][]byte // on the stack: most bodies have one chunk
		first []byte
	)
	if a.borrow {
		r.buffer = buffers.Get().(*[]byte)
		first = *r.buffer
	}
	// The additional byte shows whether the body is too long.
	body, n, err := chunks.ReadInto(one[:0], first, resp.Body, expectedLength(resp), limit+1)
	switch {
	case n > limit:
		return fmt.Errorf("%w of %d bytes", ErrBodyTooLarge, limit)
	case err != nil:
		return fmt.Errorf("response body cut short after %d bytes: %w", n, err)
	case r.buffer != nil:
		r.Body = keep(body, r.buffer)
	default:
		r.Body = body.Join()
	}
	return nil
}

// expectedLength returns how much memory to reserve for a body.
func expectedLength(resp *http.Response) int64 {
	if resp.ContentLength > 0 {
		return min(resp.ContentLength, maxPrealloc)
	}
	return minPrealloc
}

// buffers keeps the bodies of earlier calls, each at most maxPrealloc long. A walk over pages then
// reads them all into the same few.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// keep joins the chunks in a slice that buffer keeps for another call, unless it is too long. It
// has room for a body that is a little longer.
func keep(c chunks.Body, buffer *[]byte) []byte {
	body := c.Join()
	if len(c) > 1 && len(body) <= maxPrealloc {
		body = append(make([]byte, 0, 1<<bits.Len(uint(len(body)-1))), body...)
	}
	if cap(body) <= maxPrealloc {
		*buffer = body
	}
	return body
}
