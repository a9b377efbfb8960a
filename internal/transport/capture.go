package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// capture is the innermost stage. It sends the request through rt, limits the time of the exchange,
// from sending to the last byte of the body, and the length of the body.
func capture(rt http.RoundTripper) stage {
	return func(a attempt) outcome {
		caller := a.ctx
		if caller.Err() != nil {
			return outcome{err: ContextError(caller)}
		}
		if a.going != nil {
			a.going()
		}
		sent := time.Now()
		ctx, cancel := context.WithDeadline(caller, sent.Add(a.policy.AttemptTimeout))
		defer cancel()
		var t trace
		req := a.req.WithContext(t.attach(ctx, a, cancel))
		req.URL = a.url
		out := exchange(rt, a.with(req), &t)
		if out.result != nil {
			out.result.Sent = sent.UTC().Round(0)
		}
		stopped := t.stopped.Load()
		out.sent = t.requests()
		out.mayHaveBeenSent = out.mayHaveBeenSent || stopped || t.repeats.Load() > 0
		if out.err != nil || stopped {
			out.err = a.reason(ctx, out.err, stopped)
		}
		return out
	}
}

// reason returns why an exchange under ctx failed: because the caller's context ended, because
// net/http may not repeat it, because it took too long, or because of err.
func (a attempt) reason(ctx context.Context, err error, stopped bool) error {
	switch {
	case a.ctx.Err() != nil:
		return ContextError(a.ctx)
	case stopped:
		return errNotRepeated
	case ctx.Err() != nil:
		return fmt.Errorf("%w of %v: %w", ErrAttemptTimeout, a.policy.AttemptTimeout, ctx.Err())
	}
	return redact(err)
}

// exchange sends the request and reads the response. The rate limit slot is released when the
// response header has arrived, because the service has counted the request by then.
func exchange(rt http.RoundTripper, a attempt, t *trace) outcome {
	if err := resetBody(a.req); err != nil {
		return outcome{err: fmt.Errorf("request body: %w", err), final: true}
	}
	resp, err := rt.RoundTrip(a.req)
	if err == nil && resp == nil {
		err = errors.New("the transport or a middleware returned neither a response nor an error")
	}
	if err != nil {
		out := t.failure(a.req.Context(), err)
		if !out.mayStillArrive {
			a.slot.release()
		}
		return out
	}
	a.slot.release()
	return receive(a, resp)
}

// resetBody sets the body of a private request to its beginning.
func resetBody(req *http.Request) (err error) {
	if req.GetBody != nil {
		req.Body, err = req.GetBody()
	}
	return err
}

// ContextError returns the error of a context that has ended: its Err, and its cause if that
// differs. It shows no URL.
func ContextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if errors.Is(cause, err) {
		return redact(cause)
	}
	return redact(fmt.Errorf("%w: %w", err, cause))
}
