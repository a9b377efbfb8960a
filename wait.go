package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// WaitParams configures the polling of [TrackingRequestsService.Wait] and
// [TrackingRequestsService.WaitAll]. A zero field has its default.
type WaitParams struct {
	MinInterval time.Duration // before the second poll; default 2 s
	MaxInterval time.Duration // the intervals grow by half up to this; default 1 min
	// OnPoll is called with every state that was read. WaitAll calls it on the goroutine of the loop.
	OnPoll func(*TrackingRequest)
}

// TrackingFailedError is returned for a tracking request with the status TrackingFailed.
type TrackingFailedError struct {
	Request *TrackingRequest
	redact  *redactor
}

// Reason returns the FailedReason of the request; "" if the service reported none.
func (e *TrackingFailedError) Reason() FailedReason { return e.Request.FailedReason }

// Error includes the number, the reason and, if known, whether to try again.
func (e *TrackingFailedError) Error() string {
	advice := ""
	switch reason := e.Reason(); {
	case reason.Permanent():
		advice = "; the same request will fail again"
	case reason.Temporary():
		advice = "; the same request may succeed later"
	}
	return fmt.Sprintf("terminal49: tracking %s failed: %s%s", shortQuote(e.redact.upTo(snippet, e.Request.RequestNumber)),
		cmp.Or(e.redact.upTo(snippet, string(e.Reason())), "the service gave no reason"), advice)
}

// Wait polls a tracking request with growing intervals until it is settled, and returns it with the
// status TrackingCreated or TrackingStopped. A failed request is a [*TrackingFailedError]. With any
// other status, known or unknown, polling continues; that may take a week, so ctx should have a
// deadline.
//
// Up to four temporary errors in a row (no response, 429, 5xx) are ignored. With any other error,
// including ctx's, Wait also returns the last state that it read. To follow many requests, use
// [TrackingRequestsService.WaitAll], or webhooks, which cost no requests.
//
// API: GET /tracking_requests/{id}. Errors: *TrackingFailedError, ErrNotFound, the context's error.
func (s *TrackingRequestsService) Wait(ctx context.Context, id string, params *WaitParams, opts ...CallOption) (*TrackingRequest, error) {
	if params == nil {
		params = &WaitParams{}
	}
	p := poller{op: "tracking_requests.wait", subject: "tracking request " + id, min: 2 * time.Second, max: time.Minute}
	p, err := p.withIntervals(params.MinInterval, params.MaxInterval)
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
			if settled, err := request.outcome(); settled {
				return request, s.client.redact.in(err)
			}
		}
		if err := p.wait(ctx, err); err != nil {
			return last, err
		}
	}
}

// WaitOutcome is the outcome of one id of [TrackingRequestsService.WaitAll]. Request and Err are
// what Wait returns: a failed request has an Err too, and Request may be nil.
type WaitOutcome struct {
	ID      string // as passed
	Request *TrackingRequest
	Err     error
}

// WaitAll waits for many tracking requests like Wait, and yields the outcome of each as soon as it
// is settled or has failed. It polls the list, whose pages show 100 requests, and gets only those
// that the list does not show, so 500 new requests cost 5 requests per poll. An id that occurs
// twice has one outcome.
//
// When ctx ends, the outcomes of all unsettled ids carry its error. Invalid params fail every id
// with an *ArgumentError. Intervals are shared: they grow by half from poll to poll.
//
// API: GET /tracking_requests and GET /tracking_requests/{id}. Errors: as Wait, in the outcomes.
func (s *TrackingRequestsService) WaitAll(ctx context.Context, ids []string, params *WaitParams, opts ...CallOption) iter.Seq[WaitOutcome] {
	return func(yield func(WaitOutcome) bool) {
		if params == nil {
			params = &WaitParams{}
		}
		r := &waitRun{service: s, opts: opts, onPoll: params.OnPoll, byID: map[string]*waiting{}, yield: yield}
		r.add(ids)
		p := poller{op: "tracking_requests.wait_all", subject: "tracking requests", min: 2 * time.Second, max: time.Minute}
		p, err := p.withIntervals(params.MinInterval, params.MaxInterval)
		for err == nil && r.poll(ctx) {
			err = p.wait(ctx, nil)
		}
		for _, w := range r.left {
			r.settle(w, err)
		}
	}
}

// waitRun is one run of WaitAll.
type waitRun struct {
	service *TrackingRequestsService
	opts    []CallOption
	onPoll  func(*TrackingRequest)
	yield   func(WaitOutcome) bool
	left    []*waiting          // not settled, in the order of the ids
	byID    map[string]*waiting // those that are left, by id in lower case
	stopped bool                // the loop was left
}

// waiting is an id that is not settled. Its Request is the last state that was read.
type waiting struct {
	WaitOutcome
	shown    bool // in this poll
	failures int  // consecutive failed polls
}

func (r *waitRun) add(ids []string) {
	for _, id := range ids {
		key := strings.ToLower(id)
		if r.byID[key] == nil {
			r.byID[key] = &waiting{WaitOutcome: WaitOutcome{ID: id}}
			r.left = append(r.left, r.byID[key])
		}
	}
}

// poll reads each request once. It reports whether any is left to wait for.
func (r *waitRun) poll(ctx context.Context) (more bool) {
	for _, w := range r.left {
		w.shown = false
	}
	err := r.list(ctx)
	for _, w := range r.left {
		if w.shown || r.stopped {
			continue
		}
		var request *TrackingRequest
		failed := err
		if failed == nil {
			request, failed = r.service.Get(ctx, w.ID, nil, r.opts...)
		}
		r.saw(ctx, w, request, failed)
	}
	r.left = slices.DeleteFunc(r.left, func(w *waiting) bool { return r.stopped || r.byID[strings.ToLower(w.ID)] == nil })
	return len(r.left) > 0
}

// mostBarrenPages is how many pages in a row may show none of the requests before the rest is read
// one by one.
const mostBarrenPages = 5

// list reads the pages of the list as long as that costs fewer requests than reading each request.
// It returns only temporary errors: after any other, the requests can still be read one by one.
func (r *waitRun) list(ctx context.Context) error {
	left := len(r.left)
	most := min(mostBarrenPages, left/2)
	if most == 0 {
		return nil
	}
	credit := most // what may still be spent on pages that show too few requests
	for page, err := range r.service.Pages(ctx, r.window(), r.opts...) {
		if err != nil {
			if isTemporary(err) {
				return err
			}
			return nil
		}
		was := left
		for _, request := range page.Items {
			if w := r.byID[strings.ToLower(request.ID)]; w != nil && !w.shown && !r.stopped {
				left--
				r.saw(ctx, w, request, nil)
			}
		}
		credit = min(credit-1+was-left, most)
		if left < 2 || credit == 0 || r.stopped {
			break
		}
	}
	return nil
}

// window selects the part of the list that holds all requests, once their creation is known. The
// bounds are sent in whole seconds.
func (r *waitRun) window() *TrackingRequestListParams {
	var p TrackingRequestListParams
	for _, w := range r.left {
		if w.Request == nil {
			return nil
		}
		created, ok := w.Request.CreatedAt.Instant()
		if !ok {
			return nil
		}
		if p.CreatedFrom.IsZero() || created.Before(p.CreatedFrom) {
			p.CreatedFrom = created
		}
		if created.After(p.CreatedTo) {
			p.CreatedTo = created
		}
	}
	p.CreatedFrom, p.CreatedTo = p.CreatedFrom.Add(-time.Second), p.CreatedTo.Add(time.Second)
	return &p
}

// saw takes what was read of a request, or the error of reading it.
func (r *waitRun) saw(ctx context.Context, w *waiting, request *TrackingRequest, err error) {
	if err != nil {
		if w.failures++; !isTemporary(err) || ctx.Err() != nil || w.failures == maxPollFailures {
			r.settle(w, err)
		}
		return
	}
	w.Request, w.shown, w.failures = request, true, 0
	if r.onPoll != nil {
		r.onPoll(request)
	}
	if settled, err := request.outcome(); settled {
		r.settle(w, r.service.client.redact.in(err))
	}
}

// settle yields an outcome.
func (r *waitRun) settle(w *waiting, err error) {
	delete(r.byID, strings.ToLower(w.ID))
	w.Err = err
	r.stopped = r.stopped || !r.yield(w.WaitOutcome)
}

// outcome reports whether the status of a tracking request is final, and returns an error if it is
// a failure.
func (r *TrackingRequest) outcome() (settled bool, err error) {
	switch r.Status {
	case TrackingCreated, TrackingStopped:
		return true, nil
	case TrackingFailed:
		return true, &TrackingFailedError{Request: r}
	default:
		return false, nil
	}
}

// DocumentWaitParams configures the polling of [DocumentsService.WaitExtracted]. A zero field has
// its default.
type DocumentWaitParams struct {
	MinInterval time.Duration // before the second poll; default 2 s
	MaxInterval time.Duration // the intervals grow by half up to this; default 1 min
	// NewerThan is an extraction to ignore, for waiting after Reextract; nil accepts any.
	NewerThan *Extraction
	// OnPoll is called with every state that was read.
	OnPoll func(*Document)
}

// WaitExtracted polls a document with growing intervals until its contents are extracted, and
// returns it with its Extraction included. The service reports a failed extraction only by a
// webhook (document.extraction_failed), so ctx should have a deadline. When ctx ends, the error
// wraps its error, and WaitExtracted also returns the last state that it read.
//
// To follow many documents, use webhooks, which cost no requests.
//
// API: GET /documents/{id}. Errors: ErrNotFound, ErrFeatureNotEnabled, the context's error.
func (s *DocumentsService) WaitExtracted(ctx context.Context, id string, params *DocumentWaitParams, opts ...CallOption) (*Document, error) {
	if params == nil {
		params = &DocumentWaitParams{}
	}
	p := poller{op: "documents.wait_extracted", subject: "document " + id, min: 2 * time.Second, max: time.Minute}
	p, err := p.withIntervals(params.MinInterval, params.MaxInterval)
	if err != nil {
		return nil, err
	}
	include := &DocumentGetParams{Include: []DocumentInclude{DocumentIncludeExtraction}}
	var last *Document
	for {
		doc, err := s.Get(ctx, id, include, opts...)
		if err == nil {
			last = doc
			if params.OnPoll != nil {
				params.OnPoll(doc)
			}
			if extraction, ok := doc.Extraction.Value(); ok && extraction.isNewer(params.NewerThan) {
				return doc, nil
			}
		}
		if err := p.wait(ctx, err); err != nil {
			return last, err
		}
	}
}

// isNewer compares the ids and times, because the service may replace an extraction or change it in
// place.
func (e *Extraction) isNewer(than *Extraction) bool {
	return than == nil || e.ID != than.ID || e.UpdatedAt != than.UpdatedAt
}

// poller waits between polls, with growing and jittered intervals, and ignores temporary errors.
type poller struct {
	op, subject string        // the operation and what is polled, for errors
	min, max    time.Duration // the first interval and the longest
	interval    time.Duration // the latest; 0 to start from min
	failures    int           // consecutive failed polls
}

// maxPollFailures is the number of consecutive failed polls that ends the polling. Each poll has
// retries of its own.
const maxPollFailures = 5

// withIntervals sets the intervals that the caller chose. Zero keeps the default.
func (p poller) withIntervals(lower, upper time.Duration) (poller, error) {
	if lower < 0 || upper < 0 {
		field := "MinInterval"
		if lower >= 0 {
			field = "MaxInterval"
		}
		return p, &ArgumentError{Op: p.op, Field: field, Problem: "must not be negative; zero is the default"}
	}
	setNonZero(&p.max, upper)
	p.min = min(p.min, p.max)
	setNonZero(&p.min, lower)
	p.max = max(p.max, p.min)
	return p, nil
}

// wait waits until the next poll is due. It returns an error if there is none: ctx's, or that of
// the latest poll.
func (p *poller) wait(ctx context.Context, latest error) error {
	if latest == nil {
		p.failures = 0
	} else if p.failures++; !isTemporary(latest) || ctx.Err() != nil || p.failures == maxPollFailures {
		return latest
	}
	p.interval = max(p.min, min(p.interval+p.interval/2, p.max))
	if err := sleep(ctx, jitter(p.interval)); err != nil {
		return fmt.Errorf("terminal49: %s: waiting for %s: %w", p.op, p.subject, err)
	}
	return nil
}

// restart resets the next interval to the shortest.
func (p *poller) restart() { p.interval = 0 }

// isTemporary reports whether an error is likely to clear by itself.
func isTemporary(err error) bool {
	var failed *TransportError
	return errors.As(err, &failed) || errors.Is(err, ErrServer) || errors.Is(err, ErrRateLimited)
}

// jitter changes d by up to a fifth in either direction, so that many waiters do not poll at once.
func jitter(d time.Duration) time.Duration {
	d = min(d, math.MaxInt64/2) // or the sum could overflow to a negative interval
	return d - d/5 + rand.N(d/5*2+1)
}

// sleep waits for d, or returns ctx's error if ctx ends earlier.
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
