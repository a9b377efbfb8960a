package transport

import (
	"context"
	"time"
)

// Observer is told how calls go. Its methods are called on the caller's
// goroutine and should return soon. What it gets holds no URL and no header.
type Observer interface {
	// Attempt is called when the limiter has let an exchange through. A redirect
	// that is followed makes another exchange under the same attempt number.
	Attempt(ctx context.Context, a AttemptStart)
	// Done is called when that exchange is over and its body has been read.
	Done(ctx context.Context, a AttemptEnd)
	// Retry is called before the wait that precedes another attempt.
	Retry(ctx context.Context, r RetryNote)
}

// AttemptStart describes an exchange that begins.
type AttemptStart struct {
	Info
	Method      string
	LimiterWait time.Duration // time spent waiting for the rate limit
}

// AttemptEnd describes an exchange that is over.
type AttemptEnd struct {
	Info
	Method      string
	LimiterWait time.Duration
	Duration    time.Duration // from sending to the last byte of the body
	Status      int           // 0 if no header arrived
	Bytes       int           // length of the body that was kept
	Err         error         // nil if there is an answer, whatever its status
}

// RetryNote describes an attempt that will be repeated.
type RetryNote struct {
	Info          // of the attempt that failed
	Method string // of the request
	Status int    // answer that is retried; 0 if Err says why
	Err    error
	Wait   time.Duration // what is waited before the next attempt
}

// observed reports every exchange to o.
func observed(o Observer, next stage) stage {
	if o == nil {
		return next
	}
	return func(a attempt) outcome {
		ctx, wait, start := a.req.Context(), a.slot.limiterWait(), time.Now()
		o.Attempt(ctx, AttemptStart{Info: a.info, Method: a.req.Method, LimiterWait: wait})
		out := next(a)
		end := AttemptEnd{
			Info: a.info, Method: a.req.Method, LimiterWait: wait,
			Duration: time.Since(start), Status: out.status, Err: out.err,
		}
		if out.result != nil {
			end.Bytes = len(out.result.Body)
		}
		o.Done(ctx, end)
		return out
	}
}
