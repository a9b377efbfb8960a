package terminal49

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// poll spaces out the looks at something that changes by itself, ever less often and never in step with others, and
// decides which failures of a look to pass over.
type poll struct {
	op, of   string        // the operation and what is looked at, for errors
	min, max time.Duration // before the second look, and what the intervals grow to
	interval time.Duration // the latest; 0 to start from min
	failures int           // looks in a row that failed
}

// maxPollFailures is how many looks in a row may fail. Each look has its own retries already.
const maxPollFailures = 5

// between takes the intervals that the caller chose; zero keeps a default.
func (p poll) between(lower, upper time.Duration) (poll, error) {
	if lower < 0 || upper < 0 {
		return p, &ArgumentError{Op: p.op, Field: "params", Problem: "must not hold negative intervals; zero is the default"}
	}
	set(&p.max, upper)
	p.min = min(p.min, p.max)
	set(&p.min, lower)
	p.max = max(p.max, p.min)
	return p, nil
}

// pause waits until it is time for the next look, or says why there is none. latest is how the latest look went.
func (p *poll) pause(ctx context.Context, latest error) error {
	if latest == nil {
		p.failures = 0
	} else if p.failures++; !passing(latest) || ctx.Err() != nil || p.failures == maxPollFailures {
		return latest
	}
	p.interval = max(p.min, min(p.interval+p.interval/2, p.max))
	if err := sleep(ctx, jitter(p.interval)); err != nil {
		return fmt.Errorf("terminal49: %s: waiting for %s: %w", p.op, p.of, err)
	}
	return nil
}

// restart makes the next interval the shortest again.
func (p *poll) restart() { p.interval = 0 }

// passing reports whether an error is likely to go away by itself.
func passing(err error) bool {
	var lost *TransportError
	return errors.As(err, &lost) || errors.Is(err, ErrServer) || errors.Is(err, ErrRateLimited)
}

// jitter spreads d by a fifth in both directions, so that many waiters do not look at once.
func jitter(d time.Duration) time.Duration {
	d = min(d, math.MaxInt64/2) // or the sum could be negative, and no wait at all
	return d - d/5 + rand.N(d/5*2+1)
}

// sleep waits for d or the end of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
