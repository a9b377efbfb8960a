package terminal49

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// WaitParams says how [TrackingRequestsService.Wait] polls. A zero field keeps its default.
type WaitParams struct {
	MinInterval time.Duration // before the second look; default 2 s
	MaxInterval time.Duration // the intervals grow by half up to this; default 1 min
	// OnPoll is called with every state that was seen.
	OnPoll func(*TrackingRequest)
}

// TrackingFailedError means that the service gave up on a tracking request.
type TrackingFailedError struct {
	Request *TrackingRequest
}

// Reason says why.
func (e *TrackingFailedError) Reason() FailedReason { return e.Request.FailedReason }

// Permanent reports whether the service documents that tracking the same number in the same way fails again. False is
// no promise that it would work: with no reason, or one that this version does not know, nobody can tell. See
// [FailedReason.Temporary] for the reasons that may clear.
func (e *TrackingFailedError) Permanent() bool { return e.Reason().Permanent() }

// Error names the number and the reason, and says whether to try again if that is known.
func (e *TrackingFailedError) Error() string {
	again := ""
	switch reason := e.Reason(); {
	case reason.Permanent():
		again = "; trying again as it is will not help"
	case reason.Temporary():
		again = "; it may work later"
	}
	return fmt.Sprintf("terminal49: tracking %q failed: %s%s", e.Request.RequestNumber,
		firstOf(string(e.Reason()), "the service gave no reason"), again)
}

// maxPollFailures is how many looks in a row may fail before Wait gives up. Each look has its own retries already.
const maxPollFailures = 5

// Wait looks at a tracking request, ever less often, until something came of it, and returns it then: with its shipment
// once Status is TrackingCreated, or with TrackingStopped if somebody ended it. A failure is a
// [*TrackingFailedError]. All other states, unknown ones too, are waited through; that may take a week, so give ctx a
// deadline. Looks that fail in a passing way (no answer, 429, 5xx) are tolerated, up to four in a row. With every other
// error, the context's too, the state seen last is returned beside it.
//
// Looking costs requests: with many requests to follow, webhooks are cheaper.
//
// API: GET /tracking_requests/{id}. Rate bucket: default. Errors: *TrackingFailedError, ErrNotFound, the context's error.
func (s *TrackingRequestsService) Wait(ctx context.Context, id string, params *WaitParams, opts ...CallOption) (*TrackingRequest, error) {
	p, err := params.withDefaults()
	if err != nil {
		return nil, err
	}
	var last *TrackingRequest
	for interval, failures := p.MinInterval, 0; ; interval = min(interval+interval/2, p.MaxInterval) {
		request, err := s.Get(ctx, id, nil, opts...)
		switch {
		case err == nil:
			last, failures = request, 0
			if p.OnPoll != nil {
				p.OnPoll(request)
			}
			if done, err := request.outcome(); done {
				return request, err
			}
		case !passing(err) || ctx.Err() != nil:
			return last, err
		default:
			if failures++; failures == maxPollFailures {
				return last, err
			}
		}
		if err := sleep(ctx, jitter(interval)); err != nil {
			return last, fmt.Errorf("terminal49: waiting for tracking request %s: %w", id, err)
		}
	}
}

func (p *WaitParams) withDefaults() (WaitParams, error) {
	filled := WaitParams{MinInterval: 2 * time.Second, MaxInterval: time.Minute}
	if p == nil {
		return filled, nil
	}
	if p.MinInterval < 0 || p.MaxInterval < 0 {
		return filled, &ArgumentError{Op: "tracking_requests.wait", Field: "WaitParams", Problem: "must not hold negative intervals"}
	}
	set(&filled.MaxInterval, p.MaxInterval)
	filled.MinInterval = min(filled.MinInterval, filled.MaxInterval)
	set(&filled.MinInterval, p.MinInterval)
	filled.MaxInterval = max(filled.MaxInterval, filled.MinInterval)
	filled.OnPoll = p.OnPoll
	return filled, nil
}

// outcome reports whether a tracking request has come to an end, and whether that is a failure.
func (r *TrackingRequest) outcome() (done bool, err error) {
	switch r.Status {
	case TrackingCreated, TrackingStopped:
		return true, nil
	case TrackingFailed:
		return true, &TrackingFailedError{r}
	default:
		return false, nil
	}
}

// passing reports whether an error is likely to go away by itself.
func passing(err error) bool {
	var lost *TransportError
	return errors.As(err, &lost) || errors.Is(err, ErrServer) || errors.Is(err, ErrRateLimited)
}

// jitter spreads d by a fifth in both directions, so that many waiters do not look at once.
func jitter(d time.Duration) time.Duration { return d - d/5 + rand.N(d/5*2+1) }

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
