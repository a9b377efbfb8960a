package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// TrackParams configures [TrackingRequestsService.Track] and sets fields of the tracking request.
// Nil and the zero value infer everything and accept only what the service is certain of.
type TrackParams struct {
	// SCAC and RequestType are known to the caller. If both are set, nothing is inferred.
	// The SCAC is four letters or digits, or one that the service offers for the number, which is
	// inferred then. Case and surrounding spaces are ignored.
	SCAC        string
	RequestType RequestType
	// AutoDetectSCAC leaves the line to the service, as that of [TrackingRequestCreate] does. It is
	// not inferred then, and SCAC must be empty.
	AutoDetectSCAC bool

	// Confirm is called when the service is not certain of the shipping line or names none. It returns
	// the SCAC to use, or "" if none of the candidates is right. Any candidate's SCAC is accepted;
	// another one must be four letters or digits. Case and surrounding spaces are ignored. Without
	// Confirm, such a number fails with a *CarrierUndecidedError.
	Confirm func(context.Context, *Inference) (scac string, err error)

	// AcceptInvalid sends a number even if its inference considers the format invalid. The service
	// may still refuse it, as it does a container number with a wrong check digit.
	AcceptInvalid bool

	// These fields are copied to the [TrackingRequestCreate]. A number is then tracked even if its
	// container is tracked already, because they would be lost otherwise.
	ReferenceNumbers    []string
	ShipmentTags        []string
	InitialCustomFields InitialCustomFields
	CustomerID          string
}

// CarrierUndecidedError is returned when the service is not certain of the shipping line, or names
// none, and Confirm did not choose one. Let a person choose among the candidates, and set
// TrackParams.SCAC.
type CarrierUndecidedError struct {
	Number    string
	Inference *Inference
	redact    *redactor
}

// Candidates returns the shipping lines that the number may belong to, best first. It may return
// none.
func (e *CarrierUndecidedError) Candidates() []CarrierCandidate {
	return e.Inference.Carrier.Candidates
}

// Error includes the candidates.
func (e *CarrierUndecidedError) Error() string {
	var names []string
	for i, c := range e.Candidates() {
		if i == mostCandidates {
			names = append(names, "...")
			break
		}
		names = append(names, fmt.Sprintf("%s (%s, %.0f %%)", e.redact.short(cmp.Or(c.SCAC, "no SCAC")), e.redact.short(c.Name), 100*c.Confidence))
	}
	if names == nil {
		names = []string{"none"}
	}
	return fmt.Sprintf("terminal49: the shipping line of %s is not certain (%s); candidates: %s; set TrackParams.SCAC to the right one",
		shortQuote(e.Number), e.redact.short(string(e.Inference.Carrier.Decision)), strings.Join(names, ", "))
}

// mostCandidates and longestName bound the text of an error.
const mostCandidates, longestName = 10, 100

// shortQuote returns the beginning of a text from the caller, quoted.
func shortQuote(s string) string {
	if len(s) > longestName {
		return strconv.Quote(strings.ToValidUTF8(s[:longestName], "")) + "..."
	}
	return strconv.Quote(s)
}

// InvalidNumberError is returned for a number that was not tracked because its format is invalid or
// its type is unknown.
type InvalidNumberError struct {
	Number    string
	Reason    string     // in English
	Inference *Inference // nil if nothing was inferred
	redact    *redactor
}

// Error includes the reason.
func (e *InvalidNumberError) Error() string {
	return fmt.Sprintf("terminal49: %s was not tracked: %s", shortQuote(e.Number), e.redact.upTo(snippet, e.Reason))
}

// Is reports whether target is [ErrInvalid], which is also the error of a number that the service
// refuses.
func (e *InvalidNumberError) Is(target error) bool { return target == ErrInvalid }

// Track finds what tracks a number already, or infers what the params do not set and creates a
// tracking request. It can be repeated: after a lost response, or if another client creates a
// duplicate meanwhile, the request is looked up. Confirm is called only for a number that is not
// tracked. A container number is sent as [NormalizeContainerNumber] returns it.
//
// A request tracks a number if number, type and shipping line are equal. Spaces, dashes and case
// are ignored, and an unknown type or line equals every other. Failed and stopped requests do not
// count, so a number that fails permanently is created again by every call. A container is tracked
// if a shipment of the line has it, the shipment is tracked and the container is not reported as
// returned.
//
// The outcome has its Result with an error too: TrackResultNeedsConfirmation, TrackResultInvalid,
// TrackResultFailed, or TrackResultExisting for a duplicate that is not found. If the service
// ignores the filter by container number, nothing is created, and the error is a
// *FilterIgnoredError; Create does not look.
//
// API: GET /tracking_requests, for a container number GET /containers, then POST
// /tracking_requests/infer_number, then POST /tracking_requests. Rate buckets: default, infer,
// create. Errors: *CarrierUndecidedError, *InvalidNumberError, *FilterIgnoredError, ErrDuplicate,
// ErrInvalid, ErrRateLimited.
func (s *TrackingRequestsService) Track(ctx context.Context, number string, params *TrackParams, opts ...CallOption) (TrackOutcome, error) {
	if params == nil {
		params = &TrackParams{}
	}
	outcome := TrackOutcome{Number: number}
	outcome.fill(s.findOrCreate(ctx, params.fill(TrackingRequestCreate{RequestNumber: number}), params, opts))
	return outcome, outcome.Err
}

// findOrCreate returns the outcome of a number without its position.
func (s *TrackingRequestsService) findOrCreate(ctx context.Context, request TrackingRequestCreate, params *TrackParams, opts []CallOption) (done TrackOutcome, err error) {
	if err = request.checkKnown(); err != nil {
		return done, err
	}
	existing, err := s.findSpelled(ctx, request, request.spellings(), opts)
	if err != nil || existing != nil {
		return TrackOutcome{Request: existing, Result: TrackResultExisting}, err
	}
	if number, ok := request.containerNumber(); ok {
		found := s.client.Containers.findNumbers(ctx, []string{number}, trackedContainers, opts)[number]
		if done = request.outcomeOf(found); done.Container != nil || found.Err != nil {
			return done, found.Err
		}
	}
	return s.inferAndCreate(ctx, request, params, opts)
}

// inferAndCreate creates what is not tracked yet.
func (s *TrackingRequestsService) inferAndCreate(ctx context.Context, request TrackingRequestCreate, params *TrackParams, opts []CallOption) (done TrackOutcome, err error) {
	if request, err = s.prepare(ctx, request, params, opts); err == nil {
		done.Request, done.Result, err = s.createOrFind(ctx, request, opts)
	}
	return done, err
}

// trackedContainers is what the containers that are tracked already are read with: the shipment has
// the line, and whether tracking stopped.
var trackedContainers = &ContainerGetParams{Include: []ContainerInclude{ContainerIncludeShipment}}

// containerNumber returns the number of a container that may be tracked already. It reports false
// for another number, and for a request with fields that only a creation stores.
func (r *TrackingRequestCreate) containerNumber() (number string, ok bool) {
	fields := len(r.ReferenceNumbers) + len(r.ShipmentTags) + len(r.CustomerID) +
		len(r.InitialCustomFields.Shipment) + len(r.InitialCustomFields.Containers)
	number = NormalizeContainerNumber(r.RequestNumber)
	return number, fields == 0 && (r.RequestType == RequestTypeContainer || r.RequestType == "") && isContainerForm(number)
}

// outcomeOf returns the outcome of a request whose container was found: the first whose journey is
// open and not of another line. It is empty if there is none.
func (r *TrackingRequestCreate) outcomeOf(found FindOutcome) TrackOutcome {
	for _, c := range found.Containers {
		if line := c.shipmentOrEmpty().ShippingLineSCAC; c.isOpen() && (line == r.SCAC || line == "" || r.SCAC == "") {
			return TrackOutcome{Container: c, Result: TrackResultContainerTracked}
		}
	}
	return TrackOutcome{}
}

// fill returns the request with the params in its empty fields.
func (p *TrackParams) fill(request TrackingRequestCreate) TrackingRequestCreate {
	request.RequestNumber = strings.TrimSpace(request.RequestNumber)
	request.RequestType = cmp.Or(request.RequestType, p.RequestType)
	request.SCAC = normalSCAC(request.SCAC)
	if request.SCAC == "" && !request.AutoDetectSCAC {
		request.SCAC, request.AutoDetectSCAC = normalSCAC(p.SCAC), p.AutoDetectSCAC
	}
	if len(request.ReferenceNumbers) == 0 {
		request.ReferenceNumbers = p.ReferenceNumbers
	}
	if len(request.ShipmentTags) == 0 {
		request.ShipmentTags = p.ShipmentTags
	}
	if len(request.InitialCustomFields.Shipment)+len(request.InitialCustomFields.Containers) == 0 {
		request.InitialCustomFields = p.InitialCustomFields
	}
	request.CustomerID = cmp.Or(request.CustomerID, p.CustomerID)
	return request
}

// prepare infers what the request lacks: its type, its line, or both.
func (s *TrackingRequestsService) prepare(ctx context.Context, request TrackingRequestCreate, params *TrackParams, opts []CallOption) (TrackingRequestCreate, error) {
	if err := request.checkKnown(); err != nil {
		return request, err
	}
	if request.hasLine() && request.RequestType != "" {
		return request, params.checkFormat(request)
	}
	inference, err := s.Infer(ctx, request.RequestNumber, opts...)
	if errors.Is(err, ErrInvalid) {
		return request, fmt.Errorf("%w (to track it anyway, set both its SCAC and its type)", err)
	}
	if err != nil {
		return request, err
	}
	if err := params.setType(&request, inference); err != nil {
		return request, s.client.redact.in(err)
	}
	return request, s.client.redact.in(params.setLine(ctx, &request, inference))
}

// checkKnown returns what is wrong with what the request has. What it lacks is inferred.
func (r *TrackingRequestCreate) checkKnown() error {
	switch {
	case r.SCAC != "" && !mayBeSCAC(r.SCAC):
		return noSCAC()
	case r.hasLine() && r.RequestType != "":
		return r.validate()
	}
	return nil
}

// setType sets the type that the service infers, if the request has none and the number is valid.
func (p *TrackParams) setType(request *TrackingRequestCreate, inference *Inference) error {
	if valid, ok := inference.Validation.IsValid.Get(); ok && !valid && !p.AcceptInvalid {
		reason := "the service considers its format invalid: " + cmp.Or(inference.Validation.Reason, "no reason reported")
		return &InvalidNumberError{Number: request.RequestNumber, Reason: reason, Inference: inference}
	}
	if request.RequestType != "" {
		return nil
	}
	inferred, ok := inference.RequestType()
	if !ok {
		reason := fmt.Sprintf("its type %q is unknown to this package; set TrackParams.RequestType", inference.NumberType)
		return &InvalidNumberError{Number: request.RequestNumber, Reason: reason, Inference: inference}
	}
	request.RequestType = inferred
	return nil
}

// setLine decides on the shipping line, if the request has none. A code that is not a SCAC must be
// one that the service offers.
func (p *TrackParams) setLine(ctx context.Context, request *TrackingRequestCreate, inference *Inference) (err error) {
	if request.SCAC == "" && !request.AutoDetectSCAC {
		request.SCAC, err = p.decide(ctx, request.RequestNumber, inference)
	}
	switch {
	case err != nil || request.hasLine():
		return err
	case inference.offers(request.SCAC):
		request.offeredSCAC = request.SCAC
		return nil
	}
	return noSCAC()
}

// hasLine reports whether the request can be created without an inference of its line.
func (r *TrackingRequestCreate) hasLine() bool {
	return isSCAC(r.SCAC) || r.SCAC != "" && r.SCAC == r.offeredSCAC || r.AutoDetectSCAC
}

func noSCAC() error {
	problem := scacProblem + "; or a code that the service offers for the number"
	return &ArgumentError{Op: "tracking_requests.track", Field: "SCAC", Problem: problem}
}

// checkFormat checks the format of a container number, which needs no request.
func (p *TrackParams) checkFormat(request TrackingRequestCreate) error {
	if request.RequestType != RequestTypeContainer || p.AcceptInvalid {
		return nil
	}
	if _, err := ParseContainerNumber(request.RequestNumber); err != nil {
		return &InvalidNumberError{Number: request.RequestNumber, Reason: err.Error()}
	}
	return nil
}

// decide applies the service's rule: use a line that the service is certain of, or else call
// Confirm.
func (p *TrackParams) decide(ctx context.Context, number string, inference *Inference) (scac string, err error) {
	if inference.Carrier.Decision == CarrierAutoSelect {
		selected, _ := inference.Carrier.Selected.Get()
		scac = selected.SCAC
	}
	if strings.TrimSpace(scac) == "" && p.Confirm != nil {
		scac, err = p.Confirm(ctx, inference)
	}
	switch chosen := normalSCAC(scac); {
	case err != nil:
		return "", fmt.Errorf("terminal49: confirming the shipping line of %q: %w", number, err)
	case chosen == "":
		return "", &CarrierUndecidedError{Number: number, Inference: inference}
	case !isSCAC(chosen) && !inference.offers(chosen):
		problem := fmt.Sprintf("must return the SCAC of a candidate, or four letters or digits, not %q", scac)
		return "", &ArgumentError{Op: "tracking_requests.track", Field: "Confirm", Problem: problem}
	default:
		return chosen, nil
	}
}

// offers reports whether the service itself named a SCAC for the number. It has been seen to name
// one of three characters, so only the service can decide about these.
func (i *Inference) offers(scac string) bool {
	selected, _ := i.Carrier.Selected.Get()
	is := func(c CarrierCandidate) bool { return normalSCAC(c.SCAC) == scac }
	return scac != "" && (is(selected) || slices.ContainsFunc(i.Carrier.Candidates, is))
}

// createOrFind creates a request. It looks the request up if the service refuses a duplicate, or
// may have done so: in a refusal that cannot be read, or in a response that was lost.
func (s *TrackingRequestsService) createOrFind(ctx context.Context, request TrackingRequestCreate, opts []CallOption) (found *TrackingRequest, result TrackResult, err error) {
	sent := request
	sent.RequestNumber = request.spellings()[0]
	if found, err = s.Create(ctx, sent, opts...); err == nil {
		return found, TrackResultCreated, nil
	}
	result = TrackResultExisting
	if IsOutcomeUnknown(err) {
		result = TrackResultFoundAfterUnknown
	}
	var findErr error
	switch {
	case errors.Is(err, ErrDuplicate) || isUnreadRefusal(err):
		found, findErr = s.findDuplicate(ctx, request, opts)
	case result == TrackResultFoundAfterUnknown:
		found, findErr = s.findSpelled(ctx, request, request.spellings(), opts)
	}
	switch {
	case found != nil && findErr == nil:
		return found, result, nil
	case errors.Is(err, ErrDuplicate) && findErr == nil:
		err = fmt.Errorf("%w; it is not among the newest %d tracking requests: look for it with Shipments.List and its Number", err, mostCompared)
	}
	return nil, "", err
}

// isUnreadRefusal reports whether the service refused a creation for a reason that did not arrive,
// because the body broke off, for example.
func isUnreadRefusal(err error) bool {
	return (errors.Is(err, ErrInvalid) || errors.Is(err, ErrConflict)) && !isExplained(err)
}

// spellings returns the number as this package sends it, then as typed if that differs: the service
// filters by the exact text.
func (r *TrackingRequestCreate) spellings() []string {
	typed := strings.TrimSpace(r.RequestNumber)
	normal := NormalizeContainerNumber(typed)
	if r.RequestType != RequestTypeContainer && (r.RequestType != "" || !isContainerForm(normal)) {
		return []string{typed}
	}
	return slices.Compact([]string{normal, typed})
}

// findDuplicate finds the request that the service refused to duplicate. It may be of another type
// or in another spelling.
func (s *TrackingRequestsService) findDuplicate(ctx context.Context, wanted TrackingRequestCreate, opts []CallOption) (*TrackingRequest, error) {
	spellings := wanted.spellings()
	if normal := NormalizeContainerNumber(wanted.RequestNumber); !slices.Contains(spellings, normal) {
		spellings = append(spellings, normal)
	}
	wanted.RequestType = ""
	found, err := s.findSpelled(ctx, wanted, spellings, opts)
	if found == nil && err == nil {
		found, err = s.find(ctx, nil, wanted, opts)
	}
	return found, err
}

// findSpelled finds a request by its number, in each spelling.
func (s *TrackingRequestsService) findSpelled(ctx context.Context, wanted TrackingRequestCreate, spellings []string, opts []CallOption) (found *TrackingRequest, err error) {
	for _, number := range spellings {
		if found == nil && err == nil && number != "" { // an empty filter would select all
			found, err = s.find(ctx, &TrackingRequestListParams{RequestNumber: number}, wanted, opts)
		}
	}
	return found, err
}

// find returns the newest request of which wanted would be a duplicate for the service, or nil if
// none of the newest is. It compares each request itself, because the service ignores filters that
// it does not support.
func (s *TrackingRequestsService) find(ctx context.Context, params *TrackingRequestListParams, wanted TrackingRequestCreate, opts []CallOption) (*TrackingRequest, error) {
	read := 0
	for r, err := range s.All(ctx, params, opts...) {
		if err != nil {
			return nil, err
		}
		if wanted.matches(r) {
			return r, nil
		}
		if read++; read == mostCompared {
			return nil, nil
		}
	}
	return nil, nil
}

// mostCompared bounds a search among all requests of the account, newest first.
const mostCompared = 1000

// matches normalizes both numbers like container numbers, which removes spaces and dashes from any
// number.
func (r *TrackingRequestCreate) matches(existing *TrackingRequest) bool {
	sameLine := existing.SCAC == r.SCAC || existing.SCAC == "" || r.SCAC == ""
	sameType := existing.RequestType == r.RequestType || r.RequestType == ""
	sameNumber := NormalizeContainerNumber(existing.RequestNumber) == NormalizeContainerNumber(r.RequestNumber)
	return sameNumber && sameType && sameLine &&
		existing.Status != TrackingFailed && existing.Status != TrackingStopped
}
