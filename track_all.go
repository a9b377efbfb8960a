package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
)

// TrackAllParams says how [TrackingRequestsService.TrackAll] works. The zero value, like nil, tracks every number as
// [TrackingRequestsService.Track] does without params.
type TrackAllParams struct {
	TrackParams // for every number; Confirm may be called for several at once

	Concurrency int // numbers in work at once, 1 to 100; default 8

	// Skip tells which numbers to pass over, such as those that an earlier run has dealt with. They get no outcome and
	// cost no request, but they do count for the index.
	Skip func(index int, number string) bool

	// OnProgress is called within the loop, for each number that is skipped and just before each outcome.
	OnProgress func(TrackProgress)
}

// TrackOutcome is what became of one number.
type TrackOutcome struct {
	Index  int    // position among the numbers, from 0
	Number string // as it was given
	Result TrackResult

	// Request is the tracking request, if it was created or exists. It is nil for one that the service says exists and
	// that could not be found nevertheless; Err is the service's answer then.
	Request *TrackingRequest
	// Candidates are the shipping lines to choose from with TrackResultNeedsConfirmation, best first; there may be none.
	Candidates []CarrierCandidate
	// Reason says what is wrong with the number, with TrackResultInvalid.
	Reason string
	// Err is the error that Track would have returned; nil if the request was created or found.
	Err error
}

// TrackResult is the kind of a [TrackOutcome].
type TrackResult string

const (
	TrackResultCreated           TrackResult = "created"            // is tracked from now on
	TrackResultExisting          TrackResult = "existing"           // was tracked already, perhaps since earlier in the same run
	TrackResultNeedsConfirmation TrackResult = "needs_confirmation" // nobody decided on the shipping line; see Candidates
	TrackResultInvalid           TrackResult = "invalid"            // is no number that can be tracked; see Reason
	TrackResultFailed            TrackResult = "failed"             // see Err; it may work another time
)

// TrackProgress counts the numbers that TrackAll is done with, by result.
type TrackProgress struct {
	Created, Existing, NeedsConfirmation, Invalid, Failed int

	Skipped int // by TrackAllParams.Skip
}

// Done is the sum of all counts.
func (p TrackProgress) Done() int {
	return p.Created + p.Existing + p.NeedsConfirmation + p.Invalid + p.Failed + p.Skipped
}

func (p *TrackProgress) count(r TrackResult) {
	counts := map[TrackResult]*int{
		TrackResultCreated: &p.Created, TrackResultExisting: &p.Existing, TrackResultInvalid: &p.Invalid,
		TrackResultNeedsConfirmation: &p.NeedsConfirmation, TrackResultFailed: &p.Failed,
	}
	*counts[r]++
}

const (
	defaultTrackConcurrency = 8
	maxTrackConcurrency     = 100
	// trackLookAhead is how many numbers are held for each one in work, so that one slow number does not keep the others
	// from being worked on.
	trackLookAhead = 4
)

// TrackAll tracks many numbers, several at once within the rate limits, and yields one outcome for each, in their order.
// It prepares each as Track does and then creates it unless it exists, so a run may be repeated or resumed: what an
// earlier run created is found. A number that occurs twice is created once and exists the second time; spaces, dashes
// and case do not make another number.
//
// Numbers are taken as they are needed, a few ahead of the loop, and forgotten once their outcome is yielded: there may
// be any number of them. They are taken between the loop's turns, so a sequence that blocks holds the loop up.
//
// When ctx ends, no further number is taken. Those taken come out still, failed with the context's error unless they
// were done before, and then the loop ends. A deadline that the rate limits put out of reach ends it as early as that
// is known. Break cancels what is under way and waits for it; what became of it, a later run finds out. Params that
// cannot be used fail every number with an *ArgumentError and send nothing.
//
// API: POST /tracking_requests/infer_number, then GET /tracking_requests, then POST
// /tracking_requests. Rate buckets: infer, default, create. Errors: as Track, in the outcomes.
func (s *TrackingRequestsService) TrackAll(ctx context.Context, numbers iter.Seq[string], params *TrackAllParams, opts ...CallOption) iter.Seq[TrackOutcome] {
	return func(yield func(TrackOutcome) bool) {
		if numbers == nil {
			return
		}
		b := s.bulk(params, opts)
		next, stop := iter.Pull(numbers)
		ctx, cancel := context.WithCancel(ctx)
		defer func() {
			cancel()
			stop()
			close(b.work)
			b.workers.Wait()
		}()
		b.start(ctx)
		for more := true; ; {
			for more && len(b.queue) < b.window() && ctx.Err() == nil && !b.late {
				var number string
				if number, more = next(); more {
					b.take(number)
				}
			}
			if len(b.queue) == 0 || !yield(b.first(ctx)) {
				return
			}
		}
	}
}

// bulk is one run of TrackAll. All but track belongs to the goroutine of the loop.
type bulk struct {
	TrackAllParams
	track    func(ctx context.Context, number string) (found *TrackingRequest, created bool, err error)
	workers  sync.WaitGroup
	work     chan *bulkItem       // has room for the whole queue
	queue    []*bulkItem          // taken and not yielded
	latest   map[string]*bulkItem // of these, the latest of each number
	index    int                  // of the next number
	progress TrackProgress
	late     bool // the context's deadline is out of reach
}

// bulkItem is a number that was taken. Its outcome is complete once done is closed.
type bulkItem struct {
	TrackOutcome
	key  string    // equal for numbers that the service takes for one
	twin *bulkItem // the same number taken earlier, if that is still in the queue
	done chan struct{}
}

func (s *TrackingRequestsService) bulk(params *TrackAllParams, opts []CallOption) *bulk {
	b := &bulk{latest: map[string]*bulkItem{}}
	if params != nil {
		b.TrackAllParams = *params
	}
	err := b.validate()
	if call, problem := s.client.options("tracking_requests.track_all", opts); err == nil {
		if err = problem; call.response != nil {
			err = &ArgumentError{Op: "tracking_requests.track_all", Field: "WithResponse", Problem: "can tell of one call only; leave it out"}
		}
	}
	b.work = make(chan *bulkItem, b.window())
	b.track = func(ctx context.Context, number string) (*TrackingRequest, bool, error) {
		if err != nil {
			return nil, false, err
		}
		request, err := s.Prepare(ctx, number, &b.TrackParams, opts...)
		if err != nil {
			return nil, false, err
		}
		return s.FindOrCreate(ctx, request, opts...)
	}
	return b
}

func (b *bulk) validate() error {
	chosen := b.Concurrency
	if chosen < 1 || chosen > maxTrackConcurrency {
		b.Concurrency = defaultTrackConcurrency
	}
	if chosen != 0 && chosen != b.Concurrency {
		return &ArgumentError{
			Op: "tracking_requests.track_all", Field: "Concurrency",
			Problem: fmt.Sprintf("must be 1 to %d, not %d; zero is the default", maxTrackConcurrency, chosen),
		}
	}
	return nil
}

// window is how many numbers are held at once.
func (b *bulk) window() int { return trackLookAhead * b.Concurrency }

// take puts a number in the queue and in work.
func (b *bulk) take(number string) {
	index := b.index
	b.index++
	if b.Skip != nil && b.Skip(index, number) {
		b.progress.Skipped++
		b.report()
		return
	}
	key := cmp.Or(NormalizeContainerNumber(number), number) // any number's spaces and dashes, as FindOrCreate has it
	item := &bulkItem{TrackOutcome: TrackOutcome{Index: index, Number: number}, key: key, twin: b.latest[key], done: make(chan struct{})}
	b.latest[key] = item
	b.queue = append(b.queue, item)
	b.work <- item
}

// start starts the workers, which take up numbers in their order.
func (b *bulk) start(ctx context.Context) {
	for range b.Concurrency {
		b.workers.Go(func() {
			for item := range b.work {
				b.do(ctx, item)
			}
		})
	}
}

func (b *bulk) do(ctx context.Context, item *bulkItem) {
	defer close(item.done)
	if item.followTwin() {
		return
	}
	if err := ctx.Err(); err != nil {
		item.settle(nil, false, fmt.Errorf("terminal49: %q was not tracked: %w", item.Number, err))
		return
	}
	item.settle(b.track(ctx, item.Number))
}

// followTwin waits for the same number taken earlier and shares what became of it, unless it failed or was found invalid
// in another spelling, which may be what was wrong with it.
func (i *bulkItem) followTwin() bool {
	if i.twin == nil {
		return false
	}
	<-i.twin.done // another worker has it, or had
	twin := i.twin.TrackOutcome
	i.twin = nil // or else repeats would hold on to all their predecessors
	respelt := !strings.EqualFold(strings.TrimSpace(twin.Number), strings.TrimSpace(i.Number))
	if twin.Result == TrackResultFailed || twin.Result == TrackResultInvalid && respelt {
		return false
	}
	if twin.Result == TrackResultCreated {
		twin.Result = TrackResultExisting
	}
	twin.Index, twin.Number = i.Index, i.Number
	i.TrackOutcome = twin
	return true
}

// first waits for the first in the queue and takes it out.
func (b *bulk) first(ctx context.Context) TrackOutcome {
	item := b.queue[0]
	<-item.done
	b.queue = slices.Delete(b.queue, 0, 1)
	if b.latest[item.key] == item {
		delete(b.latest, item.key)
	}
	b.late = b.late || outOfReach(ctx, item.Err)
	b.progress.count(item.Result)
	b.report()
	return item.TrackOutcome
}

func (b *bulk) report() {
	if b.OnProgress != nil {
		b.OnProgress(b.progress)
	}
}

// outOfReach reports whether err is the limiter's word that no request can be sent before ctx's deadline: the same
// awaits every further number.
func outOfReach(ctx context.Context, err error) bool {
	_, limited := ctx.Deadline()
	var lost *TransportError
	return limited && errors.As(err, &lost) && lost.Attempts == 0 && errors.Is(lost.Err, context.DeadlineExceeded)
}

// settle sorts what Track came to.
func (o *TrackOutcome) settle(request *TrackingRequest, created bool, err error) {
	o.Request, o.Err = request, err
	var undecided *CarrierUndecidedError
	switch reason, invalid := invalidReason(err); {
	case err == nil && created:
		o.Result = TrackResultCreated
	case err == nil || errors.Is(err, ErrDuplicate):
		o.Result = TrackResultExisting
	case errors.As(err, &undecided):
		o.Result, o.Candidates = TrackResultNeedsConfirmation, undecided.Candidates()
	case invalid:
		o.Result, o.Reason = TrackResultInvalid, reason
	default:
		o.Result = TrackResultFailed
	}
}

// invalidReason tells what is wrong with the number itself. What goes with it, such as a customer that does not exist,
// is not its fault.
func invalidReason(err error) (reason string, invalid bool) {
	var (
		form     *InvalidNumberError
		argument *ArgumentError
		answer   *APIError
	)
	switch {
	case errors.As(err, &form):
		return form.Reason, true
	case errors.As(err, &argument):
		return argument.Problem, argument.Field == "number" || argument.Field == "RequestNumber"
	case !errors.As(err, &answer) || !errors.Is(answer, ErrInvalid) || answer.Op == "tracking_requests.list":
		return "", false
	}
	var words []string
	for _, o := range answer.Errors {
		switch strings.TrimPrefix(o.Pointer, "/data/attributes/") {
		case "", "number", "request_number", "request_type", "scac":
			words = append(words, o.String())
		default:
			return "", false
		}
	}
	return cmp.Or(strings.Join(words, "; "), "the service refused it without a reason"), true
}
