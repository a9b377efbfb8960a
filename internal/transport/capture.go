package transport

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"time"
)

const (
	maxErrorBody = 64 << 10 // an error body is for people and problem lists
	maxPrealloc  = 1 << 20  // a Content-Length is a claim; it buys no more memory than this
	minPrealloc  = 4 << 10  // for an answer that does not say how long it is
)

// capture is the bridge from stages to round trippers. It bounds the exchange in
// time, from sending to the last byte of the body, and the body in length.
func capture(rt http.RoundTripper) stage {
	return func(req *http.Request) (*Result, error) {
		caller, at := req.Context(), attemptFrom(req.Context())
		if caller.Err() != nil {
			return nil, ended(caller)
		}
		ctx, cancel := context.WithTimeout(caller, at.policy.AttemptTimeout)
		defer cancel()

		res, err := exchange(rt, req.WithContext(at.traced(ctx, caller, cancel)), at)
		switch {
		case err == nil:
			return res, nil
		case caller.Err() != nil:
			return nil, ended(caller)
		case at.withheld.Load():
			return nil, errWithheld
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%w of %v: %w", ErrAttemptTimeout, at.policy.AttemptTimeout, ctx.Err())
		}
		return nil, redact(err)
	}
}

func exchange(rt http.RoundTripper, req *http.Request, at *attempt) (*Result, error) {
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			at.final = true
			return nil, fmt.Errorf("request body: %w", err)
		}
		req.Body = body
	}
	at.status = 0
	at.connected.Store(false)
	resp, err := rt.RoundTrip(req)
	if err == nil && resp == nil {
		err = errors.New("the transport or a middleware returned neither a response nor an error")
	}
	if err != nil {
		err = explained(err)
		at.maySent, at.final = !at.sentNothing(err), untrusted(err)
		at.straggles = at.maySent && !at.withheld.Load() && req.Context().Err() != nil
	}
	if !at.straggles {
		at.answered()
	}
	if err != nil {
		return nil, err
	}
	at.status = resp.StatusCode
	res := &Result{Status: resp.StatusCode, Header: resp.Header, Attempts: at.Attempt}
	res.RetryAfter, res.HasRetryAfter = ParseRetryAfter(resp.Header.Get("Retry-After"), time.Now())
	if err := res.read(req.Method, resp, at.policy.MaxBody); err != nil {
		at.maySent = true
		at.final = errors.Is(err, ErrBodyTooLarge)
		return nil, err
	}
	return res, nil
}

// read takes the body of resp, at most limit bytes of it. Only a 2xx has to be
// whole: of any other answer the status is what counts, so its body may be cut.
func (r *Result) read(method string, resp *http.Response, limit int64) error {
	if resp.Body == nil {
		return nil
	}
	defer func() { _ = resp.Body.Close() }()
	success := r.Status >= 200 && r.Status < 300
	if !success {
		limit = min(limit, maxErrorBody)
	}
	limit = min(limit, math.MaxInt64-1)
	if success && resp.ContentLength > limit && method != http.MethodHead { // a HEAD tells what a GET would bring
		return fmt.Errorf("%w of %d bytes", ErrBodyTooLarge, limit)
	}

	expected := int64(minPrealloc)
	if resp.ContentLength > 0 {
		expected = min(resp.ContentLength, maxPrealloc)
	}
	pieces, n, err := ReadPieces(resp.Body, expected, limit+1) // one more shows that there is more
	long := n > limit
	switch {
	case success && long:
		return fmt.Errorf("%w of %d bytes", ErrBodyTooLarge, limit)
	case success && err != nil:
		return fmt.Errorf("response body cut short after %d bytes: %w", n, err)
	}
	r.Body, r.Truncated = pieces.Join()[:min(n, limit)], long || err != nil
	return nil
}

// ended is the error of a context that is over: its Err, and its cause if that
// says more.
func ended(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return redact(cause)
	}
	return redact(fmt.Errorf("%w: %w", err, cause))
}
