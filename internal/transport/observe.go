package transport

import (
	"context"
	"time"
)

// Observer receives the outcome of exchanges. Its methods are called on the caller's goroutine and
// should return soon. Their arguments hold no URL and no header.
type Observer interface {
	// Done is called when an exchange is over and its body has been read. A redirect that is
	// followed makes another exchange under the same attempt number.
	Done(ctx context.Context, e Exchange)
	// Retry is called before the wait that precedes another attempt.
	Retry(ctx context.Context, r Retry)
}

// Exchange describes one request that was let through by the limiter, and its outcome.
type Exchange struct {
	Info
	Method      string
	LimiterWait time.Duration // time spent waiting for the rate limit before Duration
	Duration    time.Duration // from sending to the last byte of the body
	Status      int           // 0 if no header arrived
	Bytes       int           // length of the body that was kept
	Err         error         // nil if there is a response, of any status
}

// Retry describes an attempt that will be repeated.
type Retry struct {
	Info          // of the attempt that failed
	Method string // of the request
	Status int    // of the response that is retried; 0 if Err is set
	Err    error
	Wait   time.Duration // before the next attempt
}

// observed reports every exchange to o.
func observed(o Observer, next stage) stage {
	if o == nil {
		return next
	}
	return func(a attempt) outcome {
		start := time.Now()
		out := next(a)
		e := Exchange{
			Info: a.info, Method: a.req.Method, LimiterWait: a.slot.limiterWait(),
			Duration: time.Since(start), Status: out.status, Err: out.err,
		}
		if out.result != nil {
			e.Bytes = len(out.result.Body)
		}
		a.slot.close(out.mayStillArrive) // before the hooks, which may make a call that needs it
		o.Done(a.ctx, e)
		return out
	}
}
