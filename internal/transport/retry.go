package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// attempts is the retry loop of every call. Its functions find the call through the context of the
// request, so one client serves all calls.
var attempts = &retryablehttp.Client{
	HTTPClient: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return loopOf(r.Context()).attempt(), nil })},
	RetryMax:   math.MaxInt, // shouldRetry keeps to the number of the call
	CheckRetry: func(ctx context.Context, _ *http.Response, _ error) (bool, error) {
		return loopOf(ctx).shouldRetry(), nil
	},
	Backoff: func(_, _ time.Duration, _ int, r *http.Response) time.Duration {
		return loopOf(r.Request.Context()).backoff()
	},
	ErrorHandler: retryablehttp.PassthroughErrorHandler,
}

// empty is what go-retryablehttp receives in place of a request. It is copied and never changed.
var empty = &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/"}, Header: http.Header{}}

// loopContext is the context of a call's empty request.
type loopContext struct {
	context.Context // the caller's
	loop            *loop
}

func loopOf(ctx context.Context) *loop { return ctx.(*loopContext).loop }

// loop runs one call. go-retryablehttp makes the attempts and sleeps between them; every decision
// is made here. It receives an empty request and empty responses, so there is nothing for it to
// drain, discard or print.
type loop struct {
	send     stage
	observer Observer            // may be nil
	random   func(n int64) int64 // uniform in [0, n)
	req      *http.Request
	getBody  func() (io.ReadCloser, error) // makes the body of each attempt; nil for none
	call     Call

	ctx      loopContext
	request  http.Request  // the empty one
	response http.Response // of the latest attempt, without header and body

	info            Info    // of the latest attempt
	out             outcome // of the latest attempt
	sent            int     // requests of all attempts
	last            *Result // latest response of any attempt
	mayHaveBeenSent bool    // some attempt may have been acted on
	wait            time.Duration
	waiting         bool // in the wait between two attempts
}

// run makes the attempts and returns the last response, or an [*Error].
func (l *loop) run() (*Result, error) {
	l.ctx = loopContext{l.req.Context(), l}
	l.request = *empty.WithContext(&l.ctx)
	resp, err := attempts.Do(&retryablehttp.Request{Request: &l.request})
	if resp != nil {
		_ = resp.Body.Close()
	}
	if err := l.reason(err); err != nil {
		return nil, l.fail(err)
	}
	l.out.result.MayHaveBeenSent = l.mayHaveBeenSent
	return l.out.result, nil
}

// reason returns why there is no response after the loop has returned err, or nil if there is one.
func (l *loop) reason(err error) error {
	ctx := l.req.Context()
	switch {
	case l.waiting && l.out.err != nil:
		return fmt.Errorf("%w while waiting to retry after: %w", ContextError(ctx), l.out.err)
	case l.waiting:
		return fmt.Errorf("%w while waiting to retry", ContextError(ctx))
	case l.out.err == nil && l.out.result == nil: // the loop ended before the first attempt
		return redact(errors.Join(err, ctx.Err()))
	}
	return l.out.err
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// attempt sends the call once and keeps the outcome. It returns a response without header or body,
// also after an error, which go-retryablehttp need not know.
func (l *loop) attempt() *http.Response {
	l.waiting = false
	l.info = Info{
		Op: l.call.Op, Route: l.call.Route, Bucket: l.call.Bucket,
		Class: l.call.Class, Attempt: l.info.Attempt + 1, Share: cmp.Or(l.call.Share, 1),
	}
	req := l.req.WithContext(withInfo(l.req.Context(), l.info))
	req.Body, req.GetBody = nil, l.getBody // each exchange takes a fresh body
	l.out = l.send(attempt{req: req, info: l.info, policy: l.call.Policy, going: l.call.Sending, borrow: l.call.Borrow})
	l.sent += l.out.sent
	l.mayHaveBeenSent = l.mayHaveBeenSent || l.out.mayHaveBeenSent
	if l.out.err == nil {
		l.last = l.out.result
		l.last.Attempts = l.sent
	}
	l.response = http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: &l.request}
	return &l.response
}

// shouldRetry reports whether the latest attempt is followed by another, and sets the wait before.
func (l *loop) shouldRetry() (ok bool) {
	ctx := l.req.Context()
	if l.info.Attempt >= l.call.Policy.MaxAttempts || ctx.Err() != nil || !l.call.Class.retries(l.out) {
		return false
	}
	l.wait, ok = l.call.Policy.wait(ctx, l.info.Attempt-1, l.out.result, l.random)
	return ok
}

// backoff is called when the loop is about to sleep.
func (l *loop) backoff() time.Duration {
	l.waiting = true
	if l.observer != nil {
		note := Retry{Info: l.info, Method: l.req.Method, Err: l.out.err, Wait: l.wait}
		if l.out.result != nil {
			note.Status = l.out.result.Status
		}
		l.observer.Retry(l.req.Context(), note)
	}
	return l.wait
}

// fail returns the error of a call that ends with err.
func (l *loop) fail(err error) *Error {
	return &Error{
		Op: l.call.Op, Method: l.req.Method, Route: l.call.Route,
		Err: err, Attempts: l.sent, MayHaveBeenSent: l.mayHaveBeenSent, Last: l.last,
		outcomeUnknown: l.mayHaveBeenSent && !l.call.Class.repeatable(),
	}
}
