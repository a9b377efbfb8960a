package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// loop is one call. go-retryablehttp runs it, that is, counts the attempts and
// sleeps between them; every decision is made here. It gets an empty request and
// sees empty responses, so it has nothing to drain, to discard or to print.
type loop struct {
	chain *Chain
	req   *http.Request
	call  Call

	tried    int      // attempts begun
	sent     int      // of these, let through by the limiter
	at       *attempt // the latest
	res      *Result  // its answer, or
	err      error    // why there is none
	last     *Result  // latest answer of any attempt
	maySent  bool     // some attempt may have been acted on
	wait     time.Duration
	sleeping bool // in the wait between two attempts
}

func (l *loop) run() (*Result, error) {
	ctx := l.req.Context()
	empty, err := http.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody)
	if err != nil {
		return nil, l.fail(err)
	}
	client := &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: roundTrip(l.attempt)},
		RetryMax:     l.call.Policy.MaxAttempts - 1,
		CheckRetry:   func(ctx context.Context, _ *http.Response, _ error) (bool, error) { return l.again(ctx), nil },
		Backoff:      l.backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	resp, err := client.Do(&retryablehttp.Request{Request: empty})
	if resp != nil {
		_ = resp.Body.Close()
	}
	switch {
	case l.sleeping && l.err != nil:
		return nil, l.fail(fmt.Errorf("%w while waiting to retry after: %w", ended(ctx), l.err))
	case l.sleeping:
		return nil, l.fail(fmt.Errorf("%w while waiting to retry", ended(ctx)))
	case l.err != nil:
		return nil, l.fail(l.err)
	case l.res == nil: // the loop ended before the first attempt
		return nil, l.fail(redact(errors.Join(err, ctx.Err())))
	}
	l.res.MaySent = l.maySent
	return l.res, nil
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// attempt sends the call once and keeps how it went. To the loop it shows a
// response without header or body, or an error.
func (l *loop) attempt(empty *http.Request) (*http.Response, error) {
	l.tried++
	l.sleeping = false
	l.at = &attempt{
		Info: Info{
			Op: l.call.Op, Route: l.call.Route, Bucket: l.call.Bucket,
			Class: l.call.Class, Attempt: l.tried,
		},
		policy: l.call.Policy,
	}
	l.res, l.err = l.chain.send(l.req.WithContext(withAttempt(empty.Context(), l.at)))
	if l.at.passed {
		l.sent++
	}
	if l.err != nil {
		l.maySent = l.maySent || l.at.maySent
		return nil, l.err
	}
	l.last = l.res
	// A 5xx can come from a gateway that lost the answer of a service that acted.
	l.maySent = l.maySent || l.res.Status >= 500
	return &http.Response{StatusCode: l.res.Status, Header: http.Header{}, Body: http.NoBody, Request: empty}, nil
}

// again decides whether the latest attempt is followed by another, and after which
// wait. A wait that is not worth starting ends the call at once, with what it has.
func (l *loop) again(ctx context.Context) bool {
	if ctx.Err() != nil || !l.repeatable() {
		return false
	}
	l.wait = l.call.Policy.backoff(l.tried-1, l.chain.random)
	if l.err == nil && l.res.HasRetryAfter &&
		(l.res.Status == http.StatusTooManyRequests || l.res.Status == http.StatusServiceUnavailable) {
		l.wait = l.res.RetryAfter
		if l.wait > l.call.Policy.MaxRetryAfter {
			return false
		}
	}
	deadline, ok := ctx.Deadline()
	return !ok || time.Until(deadline) > l.wait
}

// repeatable reports whether the latest attempt may be repeated at all.
func (l *loop) repeatable() bool {
	if l.err != nil {
		return !l.at.final && (l.call.Class.repeatable() || !l.at.maySent)
	}
	switch l.res.Status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return l.call.Class.repeatable()
	}
	return false
}

// backoff is called when the loop is about to sleep.
func (l *loop) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration {
	l.sleeping = true
	if o := l.chain.observer; o != nil {
		note := RetryNote{Info: l.at.Info, Method: l.req.Method, Err: l.err, Wait: l.wait}
		if l.res != nil {
			note.Status = l.res.Status
		}
		o.Retry(l.req.Context(), note)
	}
	return l.wait
}

func (l *loop) fail(err error) *Error {
	return &Error{
		Op: l.call.Op, Method: l.req.Method, Route: l.call.Route,
		Err: err, Attempts: l.sent, MaySent: l.maySent, Last: l.last,
		unknown: l.maySent && !l.call.Class.repeatable(),
	}
}
