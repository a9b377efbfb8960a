package transport

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// attempts is the retry loop of every call whose first attempt is not the last. Its functions find
// the call through the context of the request, so one client serves all calls.
var attempts = &retryablehttp.Client{
	HTTPClient: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return loopOf(r.Context()).next(r), nil })},
	RetryMax:   math.MaxInt, // shouldRetry keeps to the number of the call
	CheckRetry: func(ctx context.Context, _ *http.Response, _ error) (bool, error) {
		return loopOf(ctx).again, nil
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

// loop runs one call. It makes the first attempt itself, which nearly always is the only one.
// go-retryablehttp makes the others and sleeps between them; every decision is made here. It
// receives an empty request and empty responses, so there is nothing for it to drain, discard or
// print.
type loop struct {
	send     stage
	observer Observer            // may be nil
	random   func(n int64) int64 // uniform in [0, n)
	ctx      context.Context     // the caller's
	req      *http.Request       // its GetBody makes the body of each attempt; nil for none
	url      *url.URL
	call     Call

	latest          *infoContext // of the latest attempt
	out             outcome      // of the latest attempt
	sent            int          // requests of all attempts
	last            *Result      // latest response of any attempt
	mayHaveBeenSent bool         // some attempt may have been acted on
	again           bool         // the latest attempt is followed by another
	wait            time.Duration
	waiting         bool // in the wait between two attempts
}

// run makes the attempts and returns the last response, or an [*Error].
func (l *loop) run() (*Result, error) {
	l.attempt(1)
	if l.again {
		l.retry()
	}
	if err := l.reason(); err != nil {
		return nil, l.fail(err)
	}
	l.out.result.MayHaveBeenSent = l.mayHaveBeenSent
	return l.out.result, nil
}

// retry makes the other attempts, on a copy of the loop: only the copy has to be allocated.
func (l *loop) retry() {
	kept := *l
	resp, _ := attempts.Do(&retryablehttp.Request{Request: empty.WithContext(&loopContext{l.ctx, &kept})})
	if resp != nil {
		_ = resp.Body.Close()
	}
	*l = kept
}

// next makes the next attempt when go-retryablehttp asks for one. The first has been made before.
// It always returns a response without header or body, so go-retryablehttp sees no error.
func (l *loop) next(req *http.Request) *http.Response {
	if l.waiting {
		l.attempt(l.latest.info.Attempt + 1)
	}
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: req}
}

// reason returns why there is no response, or nil if there is one.
func (l *loop) reason() error {
	switch {
	case l.waiting && l.out.err != nil:
		return fmt.Errorf("%w while waiting to retry after: %w", ContextError(l.ctx), l.out.err)
	case l.waiting:
		return fmt.Errorf("%w while waiting to retry", ContextError(l.ctx))
	}
	return l.out.err
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// attempt sends the call for the nth time, under a context of its own, and keeps the outcome.
func (l *loop) attempt(n int) {
	l.waiting = false
	l.latest = &infoContext{l.ctx, Info{
		Op: l.call.Op, Route: l.call.Route, Bucket: l.call.Bucket, Class: l.call.Class, Attempt: n, Share: cmp.Or(l.call.Share, 1),
	}}
	l.out = l.send(attempt{
		ctx: l.latest, req: l.req, url: l.url, info: l.latest.info,
		policy: l.call.Policy, going: l.call.Sending, borrow: l.call.Borrow,
	})
	l.sent += l.out.sent
	l.mayHaveBeenSent = l.mayHaveBeenSent || l.out.mayHaveBeenSent
	if l.out.err == nil {
		l.last = l.out.result
		l.last.Attempts = l.sent
	}
	l.again = l.shouldRetry()
}

// shouldRetry reports whether the latest attempt is followed by another, and sets the wait before.
func (l *loop) shouldRetry() (ok bool) {
	n := l.latest.info.Attempt
	if n >= l.call.Policy.MaxAttempts || l.ctx.Err() != nil || !l.call.Class.retries(l.out) {
		return false
	}
	l.wait, ok = l.call.Policy.wait(l.ctx, n-1, l.out.result, l.random)
	return ok
}

// backoff is called when the loop is about to sleep.
func (l *loop) backoff() time.Duration {
	l.waiting = true
	if l.observer != nil {
		note := Retry{Info: l.latest.info, Method: l.req.Method, Err: l.out.err, Wait: l.wait}
		if l.out.result != nil {
			note.Status = l.out.result.Status
		}
		l.observer.Retry(l.ctx, note)
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
