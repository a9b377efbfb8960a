package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Limiter keeps the client within the service's rate limits. [Window] is one; a
// fleet that shares a key can bring its own.
type Limiter interface {
	// Acquire waits until a request may enter bucket. release is called exactly
	// once, when the answer has arrived or the attempt has failed.
	Acquire(ctx context.Context, bucket string) (release func(), err error)
	// Pause keeps everybody out of bucket for d, after the service asked for it.
	Pause(bucket string, d time.Duration)
}

// ErrLimited means that the limiter did not let an attempt through although its context was not over: the turn would
// come too late.
var ErrLimited = errors.New("rate limit")

// limited asks l before every exchange. A 429 with Retry-After closes the bucket
// for every call, but never for longer than a call would wait itself, so that one
// absurd header cannot stop a client for a day.
func limited(l Limiter, next stage) stage {
	return func(req *http.Request) (*Result, error) {
		ctx, at := req.Context(), attemptFrom(req.Context())
		at.answered = func() {}
		if l == nil {
			return next(req)
		}
		if ctx.Err() != nil { // over before the limiter had a say
			at.refused, at.final = true, true
			return nil, ended(ctx)
		}
		start := time.Now()
		release, err := l.Acquire(ctx, at.Bucket)
		at.limiterWait = time.Since(start)
		if err != nil {
			at.refused, at.final = true, true
			if ctx.Err() != nil {
				return nil, ended(ctx)
			}
			return nil, fmt.Errorf("%w: %w", ErrLimited, redact(err))
		}
		if release != nil {
			at.answered = sync.OnceFunc(release)
		}
		defer func() { at.answered() }() // also when the exchange never got to an answer
		res, err := next(req)
		if err == nil && res.Status == http.StatusTooManyRequests && res.HasRetryAfter {
			l.Pause(at.Bucket, min(res.RetryAfter, at.policy.MaxRetryAfter))
		}
		return res, err
	}
}
