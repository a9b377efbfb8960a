package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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
		cmp.Or(printable(string(e.Reason())), "the service gave no reason"), again)
}

// Wait looks at a tracking request, ever less often, until something came of it, and returns it then: with its shipment
// once Status is TrackingCreated, or with TrackingStopped if somebody ended it. A failure is a
// [*TrackingFailedError]. All other states, unknown ones too, are waited through; that may take a week, so give ctx a
// deadline. Looks that fail in a passing way (no answer, 429, 5xx) are tolerated, up to four in a row. With every other
// error, the context's too, the state seen last is returned beside it.
//
// Looking costs requests: with many requests to follow, webhooks are cheaper.
//
// API: GET /tracking_requests/{id}. Errors: *TrackingFailedError, ErrNotFound, the context's error.
func (s *TrackingRequestsService) Wait(ctx context.Context, id string, params *WaitParams, opts ...CallOption) (*TrackingRequest, error) {
	if params == nil {
		params = &WaitParams{}
	}
	poll := poll{op: "tracking_requests.wait", of: "tracking request " + id, min: 2 * time.Second, max: time.Minute}
	poll, err := poll.between(params.MinInterval, params.MaxInterval)
	if err != nil {
		return nil, err
	}
	var last *TrackingRequest
	for {
		request, err := s.Get(ctx, id, nil, opts...)
		if err == nil {
			last = request
			if params.OnPoll != nil {
				params.OnPoll(request)
			}
			if done, err := request.outcome(); done {
				return request, err
			}
		}
		if err := poll.pause(ctx, err); err != nil {
			return last, err
		}
	}
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

// ExtractionWaitParams says how [DocumentsService.WaitExtracted] polls. A zero field keeps its default.
type ExtractionWaitParams struct {
	MinInterval time.Duration // before the second look; default 2 s
	MaxInterval time.Duration // the intervals grow by half up to this; default 1 min
	// NewerThan is an extraction that is known already, for waiting after Reextract; nil takes any.
	NewerThan *Extraction
	// OnPoll is called with every state that was seen.
	OnPoll func(*Document)
}

// WaitExtracted looks at a document, ever less often, until something was extracted from it, and returns it with its
// Extraction included. The service tells by webhook alone that an extraction failed (document.extraction_failed): here
// that looks like one that takes long, so give ctx a deadline. When ctx ends, the error wraps its error and the state
// seen last is returned beside it.
//
// Looking costs requests: with many documents to follow, webhooks are cheaper.
//
// API: GET /documents/{id}. Errors: ErrNotFound, ErrFeatureNotEnabled, the context's error.
func (s *DocumentsService) WaitExtracted(ctx context.Context, id string, params *ExtractionWaitParams, opts ...CallOption) (*Document, error) {
	if params == nil {
		params = &ExtractionWaitParams{}
	}
	poll := poll{op: "documents.wait_extracted", of: "document " + id, min: 2 * time.Second, max: time.Minute}
	poll, err := poll.between(params.MinInterval, params.MaxInterval)
	if err != nil {
		return nil, err
	}
	include := &DocumentGetParams{Include: []DocumentInclude{DocumentIncludeExtraction}}
	var last *Document
	for {
		document, err := s.Get(ctx, id, include, opts...)
		if err == nil {
			last = document
			if params.OnPoll != nil {
				params.OnPoll(document)
			}
			if extraction, ok := document.Extraction.Value(); ok && extraction.isNewer(params.NewerThan) {
				return document, nil
			}
		}
		if err := poll.pause(ctx, err); err != nil {
			return last, err
		}
	}
}

// isNewer: the service may replace an extraction or change it in place.
func (e *Extraction) isNewer(than *Extraction) bool {
	return than == nil || e.ID != than.ID || e.UpdatedAt != than.UpdatedAt
}

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
	setNonZero(&p.max, upper)
	p.min = min(p.min, p.max)
	setNonZero(&p.min, lower)
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
