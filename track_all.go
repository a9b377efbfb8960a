package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// TrackAllParams configures [TrackingRequestsService.TrackAll]. Nil and the zero value track every
// row like [TrackingRequestsService.Track] without params.
type TrackAllParams struct {
	TrackParams // for the empty fields of every row; Confirm may be called concurrently

	Concurrency int // rows tracked at once, 1 to 100; default 8

	// Skip reports whether to skip a number, for example because an earlier run completed it. A
	// skipped number sends no request and has no outcome, but it counts in Index.
	Skip func(index int, number string) bool

	// OnProgress is called from the loop, for every skipped number and just before every outcome.
	OnProgress func(TrackProgress)
}

// TrackOutcome is the outcome of [TrackingRequestsService.Track], or of one row of
// [TrackingRequestsService.TrackAll].
type TrackOutcome struct {
	Index  int    // position among the rows, from 0
	Number string // as passed
	Result TrackResult

	// Request is the tracking request that was created or found, else nil. If the service reports a
	// duplicate whose request is not found, it is nil and Err wraps ErrDuplicate.
	Request *TrackingRequest
	// Container is the container that is tracked already, with its shipment, for
	// TrackResultContainerTracked; else nil. Request is nil then.
	Container *Container
	// Candidates are the shipping lines to choose from, best first, for
	// TrackResultNeedsConfirmation. It may be empty.
	Candidates []CarrierCandidate
	// Reason is why the number, its type or its SCAC is invalid, for TrackResultInvalid.
	Reason string
	// Err is the error that Track returns; nil if the number is tracked now.
	Err error
}

// TrackResult is what was done for a number.
type TrackResult string

// The values of TrackResult.
const (
	TrackResultCreated  TrackResult = "created"  // this call created the request: the response arrived
	TrackResultExisting TrackResult = "existing" // a request existed, perhaps from the same run
	// TrackResultFoundAfterUnknown is a request that was found after the response to its creation was
	// lost. This call or another client created it.
	TrackResultFoundAfterUnknown TrackResult = "found_after_unknown"
	// TrackResultContainerTracked is a container that a shipment has already, by its bill of
	// lading, its booking or an earlier request; see Container. No request was created.
	TrackResultContainerTracked  TrackResult = "container_tracked"
	TrackResultNeedsConfirmation TrackResult = "needs_confirmation" // the shipping line is not decided; see Candidates
	TrackResultInvalid           TrackResult = "invalid"            // the number, its type or its SCAC is invalid; see Reason
	TrackResultFailed            TrackResult = "failed"             // see Err; a later attempt may succeed
)

// TrackProgress counts the completed numbers by result.
type TrackProgress struct {
	Created, Existing, FoundAfterUnknown, ContainerTracked, NeedsConfirmation, Invalid, Failed int

	Skipped int // by TrackAllParams.Skip
}

// Done returns the sum of all counts.
func (p TrackProgress) Done() int {
	return p.Created + p.Existing + p.FoundAfterUnknown + p.ContainerTracked + p.NeedsConfirmation + p.Invalid + p.Failed + p.Skipped
}

func (p *TrackProgress) count(r TrackResult) {
	counts := map[TrackResult]*int{
		TrackResultCreated: &p.Created, TrackResultExisting: &p.Existing, TrackResultInvalid: &p.Invalid,
		TrackResultNeedsConfirmation: &p.NeedsConfirmation, TrackResultFailed: &p.Failed,
		TrackResultFoundAfterUnknown: &p.FoundAfterUnknown, TrackResultContainerTracked: &p.ContainerTracked,
	}
	*counts[r]++
}

// The bounds of TrackAllParams.Concurrency, and how many rows are held per worker so that one slow
// row does not keep the others waiting.
const (
	defaultTrackConcurrency = 8
	maxTrackConcurrency     = 100
	trackedPerWorker        = 4
)

// NumbersToTrack returns rows that have only these numbers, for [TrackingRequestsService.TrackAll].
func NumbersToTrack(numbers ...string) iter.Seq[TrackingRequestCreate] {
	return func(yield func(TrackingRequestCreate) bool) {
		for _, number := range numbers {
			if !yield(TrackingRequestCreate{RequestNumber: number}) {
				return
			}
		}
	}
}

// TrackAll tracks many numbers, such as the rows of a file, concurrently and within the rate
// limits, and yields one outcome for each row, in their order. It can be repeated. An empty field
// of a row takes the value of params; what both lack is inferred. A number that occurs twice is
// created once, unless the types or lines of its rows differ, with the references, tags and
// customer of the row that created it; those of other rows are not stored.
//
// Containers that are tracked already are found as by Track, with one request for 100 rows and one
// more for each further page of containers. Requests are not looked up, because the service refuses
// a duplicate: it is looked up then. So 5,000 container numbers, every fifth of them tracked, take
// 50 requests to find those, 4,000 inferences and 4,000 creations.
//
// rows may be endless: they are read between the iterations of the loop, four per worker ahead, and
// up to 100 more after a container number. When ctx ends or its deadline is out of reach, no
// further row is started. Those read before are still yielded; unfinished ones carry the context's
// error. Breaking out of the loop cancels and awaits them. Invalid params fail every row with an
// *ArgumentError.
//
// API: GET /containers, then POST /tracking_requests/infer_number, then POST /tracking_requests,
// then GET /tracking_requests. Rate buckets: default, infer, create. Errors: as Track, in the
// outcomes.
func (s *TrackingRequestsService) TrackAll(ctx context.Context, rows iter.Seq[TrackingRequestCreate], params *TrackAllParams, opts ...CallOption) iter.Seq[TrackOutcome] {
	return func(yield func(TrackOutcome) bool) {
		if rows == nil {
			return
		}
		r := s.newTrackRun(params, opts)
		if ctx == nil { // an error of every row, like other invalid arguments
			ctx, r.problem = context.Background(), nilContext("tracking_requests.track_all")
		}
		ctx, cancel := context.WithCancel(ctx)
		defer func() {
			cancel()
			close(r.work)
			r.workers.Wait()
		}()
		next, stop := iter.Pull(rows)
		defer stop() // may panic
		defer cancel()
		r.start(ctx)
		for {
			r.refill(ctx, next)
			if len(r.queue) == 0 || !yield(r.first(ctx)) {
				return
			}
		}
	}
}

// errTrackExit is the error of a number whose goroutine was ended by a function of the caller.
var errTrackExit = errors.New("terminal49: a hook, transport or Confirm ended the goroutine")

// refill adds rows until the queue is full and no lookup waits for further numbers, there are no
// more, or no more are wanted.
func (r *trackRun) refill(ctx context.Context, next func() (TrackingRequestCreate, bool)) {
	for (len(r.queue) < r.capacity() || r.lookup != nil) && ctx.Err() == nil && !r.late {
		row, more := next()
		if !more {
			break
		}
		r.add(row)
	}
	r.release()
}

// trackRun is one run of TrackAll. The workers read the first fields, up to problem; the others
// belong to the goroutine of the loop.
type trackRun struct {
	TrackAllParams
	service  *TrackingRequestsService
	opts     []CallOption
	problem  error // with the params, so of every row
	workers  sync.WaitGroup
	work     chan *trackItem       // has room for the whole queue
	lookup   *containerLookup      // of the rows that are held back; nil if there are none
	held     []*trackItem          // until the numbers of their lookup are complete
	queue    []*trackItem          // read and not yielded
	latest   map[string]*trackItem // the latest item of each number in the queue
	index    int                   // of the next number
	progress TrackProgress
	late     bool // the context's deadline is out of reach
}

// trackItem is a row in the queue. Its outcome is complete once done is closed.
type trackItem struct {
	TrackOutcome
	row     TrackingRequestCreate // with the params in its empty fields
	lookup  *containerLookup      // nil if no container can make the creation unnecessary
	leads   bool                  // it is the first of the lookup, and reads it for all
	key     string                // the same for numbers that the service considers equal
	earlier *trackItem            // the previous item with this key, if that is still in the queue
	done    chan struct{}

	panicked any // what a function of the caller panicked with
}

func (s *TrackingRequestsService) newTrackRun(params *TrackAllParams, opts []CallOption) *trackRun {
	r := &trackRun{service: s, opts: opts, latest: map[string]*trackItem{}}
	if params != nil {
		r.TrackAllParams = *params
	}
	err := r.validate()
	if call, problem := s.client.options("tracking_requests.track_all", opts); err == nil {
		if err = problem; call.response != nil {
			err = &ArgumentError{
				Op: "tracking_requests.track_all", Field: "WithResponse",
				Problem: "must be left out: it describes one call, and TrackAll makes several",
			}
		}
	}
	r.problem, r.work = err, make(chan *trackItem, r.capacity()+mostLookedUp)
	return r
}

// validate replaces an invalid concurrency by the default, because the error is yielded by the
// workers.
func (r *trackRun) validate() error {
	chosen := r.Concurrency
	if chosen < 1 || chosen > maxTrackConcurrency {
		r.Concurrency = defaultTrackConcurrency
	}
	if chosen != 0 && chosen != r.Concurrency {
		return &ArgumentError{
			Op: "tracking_requests.track_all", Field: "Concurrency",
			Problem: fmt.Sprintf("must be 1 to %d, or 0 for the default, not %d", maxTrackConcurrency, chosen),
		}
	}
	return nil
}

// capacity returns the maximum number of items in the queue, without those that a lookup adds.
func (r *trackRun) capacity() int { return trackedPerWorker * r.Concurrency }

// add puts a row into the queue and passes it to the workers, unless a lookup waits for further
// numbers.
func (r *trackRun) add(row TrackingRequestCreate) {
	index, number := r.index, row.RequestNumber
	r.index++
	if r.Skip != nil && r.Skip(index, number) {
		r.progress.Skipped++
		r.report()
		return
	}
	key := cmp.Or(NormalizeContainerNumber(number), number) // as Track compares numbers
	item := &trackItem{
		TrackOutcome: TrackOutcome{Index: index, Number: number}, row: r.fill(row),
		key: key, earlier: r.latest[key], done: make(chan struct{}),
	}
	r.latest[key] = item
	r.queue, r.held = append(r.queue, item), append(r.held, item)
	if number, ok := item.row.containerNumber(); ok {
		item.leads = r.lookup == nil
		if item.leads {
			r.lookup = &containerLookup{numbers: map[string]bool{}, done: make(chan struct{})}
		}
		item.lookup = r.lookup
		item.lookup.numbers[number] = true
	}
	if r.lookup == nil || len(r.held) == mostLookedUp {
		r.release()
	}
}

// release passes the rows that are held back to the workers.
func (r *trackRun) release() {
	for _, item := range r.held {
		r.work <- item
	}
	r.held, r.lookup = nil, nil
}

// containerLookup finds the containers of several rows that are tracked already, with one request.
// found is complete once done is closed; it is nil if a function of the caller ended the goroutine.
type containerLookup struct {
	numbers map[string]bool
	found   map[string]FindOutcome
	done    chan struct{}
}

func (l *containerLookup) read(ctx context.Context, r *trackRun) {
	defer close(l.done)
	if r.problem == nil {
		l.found = r.service.client.Containers.findNumbers(ctx, slices.Sorted(maps.Keys(l.numbers)), trackedContainers, r.opts)
	}
}

// track finds or creates what tracks a row.
func (r *trackRun) track(ctx context.Context, item *trackItem) (TrackOutcome, error) {
	if r.problem != nil {
		return TrackOutcome{}, r.problem
	}
	if l := item.lookup; l != nil {
		<-l.done // items are received in order, so a worker reads it already
		number, _ := item.row.containerNumber()
		found, read := l.found[number]
		if !read {
			return TrackOutcome{}, errTrackExit
		}
		if done := item.row.outcomeOf(found); done.Container != nil || found.Err != nil {
			return done, found.Err
		}
	}
	return r.service.inferAndCreate(ctx, item.row, &r.TrackParams, r.opts)
}

// start starts the workers, which receive the numbers in order.
func (r *trackRun) start(ctx context.Context) {
	for range r.Concurrency {
		r.startWorker(ctx)
	}
}

func (r *trackRun) startWorker(ctx context.Context) {
	r.workers.Go(func() {
		ended := false
		defer func() {
			if !ended { // a function of the caller ended the goroutine
				r.startWorker(ctx)
			}
		}()
		for item := range r.work {
			r.process(ctx, item)
		}
		ended = true
	})
}

// process calls functions of the caller, such as hooks. The loop repeats their panic, where the
// caller can recover from it.
func (r *trackRun) process(ctx context.Context, item *trackItem) {
	item.Result, item.Err = TrackResultFailed, errTrackExit
	defer func() {
		item.panicked = recover()
		close(item.done)
	}()
	if item.leads {
		item.lookup.read(ctx, r)
	}
	if item.copyEarlier() {
		return
	}
	if err := ctx.Err(); err != nil {
		item.fill(TrackOutcome{}, fmt.Errorf("terminal49: %q was not tracked: %w", item.Number, err))
		return
	}
	item.fill(r.track(ctx, item))
}

// copyEarlier waits for the earlier item with the same number and copies its outcome. It reports
// false if that does not decide about this item, which is then processed itself.
func (i *trackItem) copyEarlier() bool {
	if i.earlier == nil {
		return false
	}
	<-i.earlier.done // items are received in order, so a worker has it already
	earlier := i.earlier
	i.earlier = nil // or each repetition would keep all its predecessors in memory
	if !earlier.decides(i) {
		return false
	}
	outcome := earlier.TrackOutcome
	if outcome.Result == TrackResultCreated || outcome.Result == TrackResultFoundAfterUnknown {
		outcome.Result = TrackResultExisting
	}
	outcome.Index, outcome.Number = i.Index, i.Number
	i.TrackOutcome = outcome
	return true
}

// decides reports whether i's outcome is also that of a later item with the same number: the rows
// ask for the same, or i's request has the later row's type and line.
func (i *trackItem) decides(later *trackItem) bool {
	a, b := &i.row, &later.row
	same := a.RequestType == b.RequestType && a.SCAC == b.SCAC && a.AutoDetectSCAC == b.AutoDetectSCAC
	switch {
	case i.Result == TrackResultFailed:
		return false
	case i.Result == TrackResultContainerTracked: // which stores nothing of a row
		return same && later.lookup != nil
	case i.Result == TrackResultInvalid: // perhaps because of its spelling
		return same && strings.EqualFold(a.RequestNumber, b.RequestNumber)
	default:
		return same || i.Request != nil && b.matches(i.Request)
	}
}

// first removes the first item from the queue, after waiting for its outcome.
func (r *trackRun) first(ctx context.Context) TrackOutcome {
	item := r.queue[0]
	<-item.done
	if item.panicked != nil {
		panic(item.panicked)
	}
	r.queue = slices.Delete(r.queue, 0, 1)
	if r.latest[item.key] == item {
		delete(r.latest, item.key)
	}
	r.late = r.late || isOutOfReach(ctx, item.Err)
	r.progress.count(item.Result)
	r.report()
	return item.TrackOutcome
}

func (r *trackRun) report() {
	if r.OnProgress != nil {
		r.OnProgress(r.progress)
	}
}

// isOutOfReach reports whether the limiter returned err because no request can be sent before ctx's
// deadline. Every further number would fail in the same way.
func isOutOfReach(ctx context.Context, err error) bool {
	_, hasDeadline := ctx.Deadline()
	var failed *TransportError
	return hasDeadline && errors.As(err, &failed) && failed.Attempts == 0 && errors.Is(failed.Err, context.DeadlineExceeded)
}

// fill sets what was done, and the fields that follow from an error.
func (o *TrackOutcome) fill(done TrackOutcome, err error) {
	o.Request, o.Container, o.Result, o.Err = done.Request, done.Container, done.Result, err
	var undecided *CarrierUndecidedError
	switch reason, invalid := invalidReason(err); {
	case err == nil:
	case errors.Is(err, ErrDuplicate):
		o.Result = TrackResultExisting
	case errors.As(err, &undecided):
		o.Result, o.Candidates = TrackResultNeedsConfirmation, undecided.Candidates()
	case invalid:
		o.Result, o.Reason = TrackResultInvalid, reason
	default:
		o.Result = TrackResultFailed
	}
}

// invalidReason returns why the number, its type or its SCAC is invalid: no later attempt with them
// can succeed. It reports false for every other error, for example one about a customer that does
// not exist.
func invalidReason(err error) (reason string, invalid bool) {
	var (
		number   *InvalidNumberError
		rejected *ArgumentError
		refused  *APIError
	)
	switch {
	case errors.As(err, &number):
		return number.Reason, true
	case errors.As(err, &rejected):
		return rejected.aboutNumber()
	case errors.As(err, &refused):
		return refused.aboutNumber()
	}
	return "", false
}

func (e *ArgumentError) aboutNumber() (reason string, about bool) {
	switch e.Field {
	case "number", "RequestNumber":
		return e.Problem, true
	case "RequestType", "SCAC":
		return "its " + e.Field + " " + e.Problem, true
	}
	return "", false
}

func (e *APIError) aboutNumber() (reason string, about bool) {
	unexplained := len(e.Errors) == 0 && e.Op == "tracking_requests.create" // it may be about anything, a duplicate included
	if unexplained || !errors.Is(e, ErrInvalid) || e.Op == "tracking_requests.list" || e.Op == "containers.list" {
		return "", false
	}
	var reasons []string
	for _, o := range e.Errors {
		switch strings.TrimPrefix(o.Pointer, "/data/attributes/") {
		case "", "number", "request_number", "request_type", "scac":
			reasons = append(reasons, o.String())
		default:
			return "", false
		}
	}
	return cmp.Or(strings.Join(reasons, "; "), "the service refused it without a reason"), true
}
