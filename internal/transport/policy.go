package transport

import (
	"cmp"
	"context"
	"math"
	"net/http"
	"time"
)

// Class determines after which failures a call may be sent again.
type Class uint8

const (
	// Read changes nothing at the service: repeat it freely.
	Read Class = iota + 1
	// Idempotent has the same outcome once or twice: repeat it freely.
	Idempotent
	// Write is repeated only when the service has not acted on it: after a 429, or when nothing was
	// sent. Any other value of Class is treated as Write.
	Write
)

func (c Class) repeatable() bool { return c == Read || c == Idempotent }

// retries reports whether a call of the class may be sent again after out.
func (c Class) retries(out outcome) bool {
	if out.err != nil {
		return !out.final && (c.repeatable() || !out.mayHaveBeenSent)
	}
	return retryable(out.status) && (c.repeatable() || out.status == http.StatusTooManyRequests)
}

// retryable reports whether a status is likely to change by itself.
func retryable(status int) bool {
	switch status {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// isConclusive reports whether a status shows what the service did. A 5xx can come from a gateway
// that lost the response of a service that acted, and a 408 from a proxy that waited for it.
func isConclusive(status int) bool {
	return status >= 200 && status < 300 ||
		status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooEarly
}

// Policy bounds a call. All fields are above zero.
type Policy struct {
	MaxAttempts    int           // attempts in all, the first included
	MinBackoff     time.Duration // upper end of the first random wait
	MaxBackoff     time.Duration // upper end of every later one
	MaxRetryAfter  time.Duration // longest Retry-After that a call waits for
	AttemptTimeout time.Duration // one exchange, from sending to the last byte of the body
	MaxBody        int64         // longest body of a 2xx, in bytes after decompression
	Release        bool          // the caller calls Result.Release
}

// withDefaults returns p with its zero fields set from defaults.
func (p Policy) withDefaults(defaults Policy) Policy {
	return Policy{
		MaxAttempts:    cmp.Or(p.MaxAttempts, defaults.MaxAttempts),
		MinBackoff:     cmp.Or(p.MinBackoff, defaults.MinBackoff),
		MaxBackoff:     cmp.Or(p.MaxBackoff, defaults.MaxBackoff),
		MaxRetryAfter:  cmp.Or(p.MaxRetryAfter, defaults.MaxRetryAfter),
		AttemptTimeout: cmp.Or(p.AttemptTimeout, defaults.AttemptTimeout),
		MaxBody:        cmp.Or(p.MaxBody, defaults.MaxBody),
		Release:        p.Release,
	}
}

// wait returns how long to wait before retry number n, counted from zero, after a response, which
// is nil if none arrived. It reports false for a wait that is not worth starting: a Retry-After
// beyond MaxRetryAfter, and any wait that lasts until ctx's deadline.
func (p Policy) wait(ctx context.Context, n int, r *Result, random func(int64) int64) (time.Duration, bool) {
	wait := p.backoff(n, random)
	if r != nil && r.HasRetryAfter && obeysRetryAfter(r.Status) {
		wait = r.RetryAfter
		if wait > p.MaxRetryAfter {
			return 0, false
		}
	}
	deadline, ok := ctx.Deadline()
	return wait, !ok || time.Until(deadline) > wait
}

// obeysRetryAfter reports whether a Retry-After replaces the backoff: for the two statuses whose
// definition includes the header.
func obeysRetryAfter(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// backoff draws the wait before retry number n, counted from zero: between zero and MinBackoff
// doubled n times, but never above MaxBackoff.
func (p Policy) backoff(n int, random func(int64) int64) time.Duration {
	top := min(p.MinBackoff, p.MaxBackoff)
	for ; n > 0 && top < p.MaxBackoff; n-- {
		if top > p.MaxBackoff/2 {
			top = p.MaxBackoff
			break
		}
		top *= 2
	}
	if top <= 0 {
		return 0
	}
	return time.Duration(random(int64(min(top, math.MaxInt64-1)) + 1))
}
