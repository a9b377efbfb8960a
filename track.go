package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// TrackParams says how [TrackingRequestsService.Track] decides, and what the tracking request carries. The zero value,
// like nil, infers everything and accepts only what the service is sure of.
type TrackParams struct {
	// SCAC and RequestType are what the caller knows already. With both given nothing is inferred.
	SCAC        string
	RequestType RequestType

	// Confirm is asked when the service is not sure of the shipping line. It sees the inference with its candidates
	// and returns the SCAC to use, or "" for none of them. Without it, such a number is a *CarrierUndecidedError.
	Confirm func(context.Context, *Inference) (scac string, err error)

	// AcceptInvalid tracks a number even if the service judges its form invalid.
	AcceptInvalid bool

	ReferenceNumbers    []string
	ShipmentTags        []string
	InitialCustomFields InitialCustomFields
	CustomerID          string
}

// CarrierUndecidedError means that nobody decided which shipping line a number belongs to: let somebody choose among
// the candidates, and pass the SCAC in TrackParams.
type CarrierUndecidedError struct {
	Number    string
	Inference *Inference
}

// Candidates are the shipping lines the number may belong to, best first; there may be none.
func (e *CarrierUndecidedError) Candidates() []CarrierCandidate {
	return e.Inference.Carrier.Candidates
}

// Error names the candidates.
func (e *CarrierUndecidedError) Error() string {
	var names []string
	for _, c := range e.Candidates() {
		names = append(names, printable(fmt.Sprintf("%s (%s, %.0f %%)", c.SCAC, c.Name, 100*c.Confidence)))
	}
	if names == nil {
		names = []string{"none"}
	}
	return fmt.Sprintf("terminal49: the shipping line of %q is not certain (%s); candidates: %s; pass the right one as TrackParams.SCAC",
		e.Number, printable(string(e.Inference.Carrier.Decision)), strings.Join(names, ", "))
}

// InvalidNumberError means that a number was not tracked because its form is invalid, or its kind is unknown.
type InvalidNumberError struct {
	Number    string
	Reason    string
	Inference *Inference // nil if nothing had to be inferred
}

// Error gives the service's reason.
func (e *InvalidNumberError) Error() string {
	return fmt.Sprintf("terminal49: %q was not tracked: %s", e.Number, printable(e.Reason))
}

// Is makes errors.Is(err, ErrInvalid) true, as it is when the service refuses the number outright.
func (e *InvalidNumberError) Is(target error) bool { return target == ErrInvalid }

// Track tracks a bare number: it infers its kind and shipping line, applies the service's decision rule, and creates
// the tracking request. A shipping line the service is sure of is used; otherwise params.Confirm decides.
//
// API: POST /tracking_requests/infer_number, then POST /tracking_requests. Rate buckets: infer,
// create. Errors: *CarrierUndecidedError, *InvalidNumberError, ErrDuplicate, ErrInvalid,
// ErrRateLimited.
func (s *TrackingRequestsService) Track(ctx context.Context, number string, params *TrackParams, opts ...CallOption) (*TrackingRequest, error) {
	request, err := s.Prepare(ctx, number, params, opts...)
	if err != nil {
		return nil, err
	}
	return s.Create(ctx, request, opts...)
}

// FindOrTrack returns the tracking request for a bare number, and tracks the number only if there is none: it is safe
// to repeat, and infers and asks params.Confirm only when it has to. created tells whether this call created it. See
// [TrackingRequestsService.FindOrCreate] for what counts as one and the same.
//
// API: GET /tracking_requests, POST /tracking_requests/infer_number, then POST /tracking_requests.
// Rate buckets: default, infer, create. Errors: as List and Track.
func (s *TrackingRequestsService) FindOrTrack(ctx context.Context, number string, params *TrackParams, opts ...CallOption) (found *TrackingRequest, created bool, err error) {
	wanted := TrackingRequestCreate{RequestNumber: strings.TrimSpace(number)}
	if params != nil {
		wanted.SCAC, wanted.RequestType = params.SCAC, params.RequestType
	}
	if wanted.RequestNumber != "" {
		found, err = s.find(ctx, &TrackingRequestListParams{RequestNumber: wanted.RequestNumber}, wanted, opts)
	}
	if found != nil || err != nil {
		return found, false, err
	}
	request, err := s.Prepare(ctx, number, params, opts...)
	if err != nil {
		return nil, false, err
	}
	return s.FindOrCreate(ctx, request, opts...)
}

// Prepare is the first half of Track: it returns what Track would create, without creating it. Hand the result to
// Create or to FindOrCreate.
//
// API: POST /tracking_requests/infer_number. Rate bucket: infer. Errors: *CarrierUndecidedError,
// *InvalidNumberError, ErrInvalid.
func (s *TrackingRequestsService) Prepare(ctx context.Context, number string, params *TrackParams, opts ...CallOption) (TrackingRequestCreate, error) {
	if params == nil {
		params = &TrackParams{}
	}
	request := TrackingRequestCreate{
		RequestNumber: strings.TrimSpace(number), RequestType: params.RequestType, SCAC: params.SCAC,
		ReferenceNumbers: params.ReferenceNumbers, ShipmentTags: params.ShipmentTags,
		InitialCustomFields: params.InitialCustomFields, CustomerID: params.CustomerID,
	}
	if request.SCAC != "" && request.RequestType != "" {
		return request, params.checkForm(request)
	}
	inference, err := s.Infer(ctx, number, opts...)
	if err != nil {
		return request, err
	}
	if valid, ok := inference.Validation.IsValid.Get(); ok && !valid && !params.AcceptInvalid {
		reason := "the service judges its form invalid: " + cmp.Or(inference.Validation.Reason, "no reason given")
		return request, &InvalidNumberError{request.RequestNumber, reason, inference}
	}
	if request.RequestType == "" {
		var ok bool
		if request.RequestType, ok = inference.RequestType(); !ok {
			reason := fmt.Sprintf("its kind %q is new to this package; pass TrackParams.RequestType", inference.NumberType)
			return request, &InvalidNumberError{request.RequestNumber, reason, inference}
		}
	}
	if request.RequestType == RequestContainer {
		request.RequestNumber = NormalizeContainerNumber(number)
	}
	if request.SCAC == "" {
		request.SCAC, err = params.decide(ctx, request.RequestNumber, inference)
	}
	return request, err
}

// checkForm checks what can be checked without asking: the form of a container number.
func (p *TrackParams) checkForm(request TrackingRequestCreate) error {
	if request.RequestType != RequestContainer || p.AcceptInvalid {
		return nil
	}
	if _, err := ParseContainerNumber(request.RequestNumber); err != nil {
		return &InvalidNumberError{Number: request.RequestNumber, Reason: err.Error()}
	}
	return nil
}

// decide applies the service's decision rule.
func (p *TrackParams) decide(ctx context.Context, number string, inference *Inference) (scac string, err error) {
	if selected, ok := inference.Carrier.Selected.Get(); ok && inference.Carrier.Decision == CarrierAutoSelect {
		return selected.SCAC, nil
	}
	if p.Confirm != nil {
		if scac, err = p.Confirm(ctx, inference); err != nil {
			err = fmt.Errorf("terminal49: confirming the shipping line of %q: %w", number, err)
		}
	}
	if err == nil && scac == "" {
		err = &CarrierUndecidedError{number, inference}
	}
	return scac, err
}

// FindOrCreate returns the tracking request for a number, and creates it only if there is none: it is safe to repeat.
// created tells whether this call created it.
//
// The number, its type and the shipping line decide: spaces, dashes and case of the number do not count, a line that is
// still being detected counts as the same, and references or tags are not compared. A request that failed or was
// stopped does not count, because the service takes the number again then; so a number that fails for good is created
// anew each time. Look at the [*TrackingFailedError] of Wait and leave such numbers out.
//
// A duplicate that somebody else creates in the meantime, or a creation whose answer got lost, is looked up and
// returned, not reported as a failure.
//
// API: GET /tracking_requests, then POST /tracking_requests. Rate buckets: default, create. Errors:
// as List and Create.
func (s *TrackingRequestsService) FindOrCreate(ctx context.Context, request TrackingRequestCreate, opts ...CallOption) (found *TrackingRequest, created bool, err error) {
	if err := request.validate(); err != nil {
		return nil, false, err
	}
	request.RequestNumber = strings.TrimSpace(request.RequestNumber)
	exactly := &TrackingRequestListParams{RequestNumber: request.RequestNumber}
	if found, err = s.find(ctx, exactly, request, opts); found != nil || err != nil {
		return found, false, err
	}
	made, err := s.Create(ctx, request, opts...)
	var again error
	switch {
	case errors.Is(err, ErrDuplicate):
		// The service says that it has the number, whatever kind it took it for and however it was written.
		request.RequestType = ""
		found, again = s.find(ctx, nil, request, opts)
	case IsOutcomeUnknown(err):
		found, again = s.find(ctx, exactly, request, opts)
		created = true
	}
	if found != nil && again == nil {
		return found, created, nil
	}
	return made, err == nil, err
}

// find returns the newest request that the service would call a duplicate, or nil. It goes through all pages and
// compares by itself, because a filter that the service does not know is ignored.
func (s *TrackingRequestsService) find(ctx context.Context, among *TrackingRequestListParams, want TrackingRequestCreate, opts []CallOption) (*TrackingRequest, error) {
	for r, err := range s.All(ctx, among, opts...) {
		if err != nil {
			return nil, err
		}
		if want.describes(r) {
			return r, nil
		}
	}
	return nil, nil
}

func (r *TrackingRequestCreate) describes(have *TrackingRequest) bool {
	sameLine := have.SCAC == r.SCAC || have.SCAC == "" || r.SCAC == ""
	sameType := have.RequestType == r.RequestType || r.RequestType == ""
	sameNumber := NormalizeContainerNumber(have.RequestNumber) == NormalizeContainerNumber(r.RequestNumber) // any number's spaces and dashes
	return sameNumber && sameType && sameLine &&
		have.Status != TrackingFailed && have.Status != TrackingStopped
}
