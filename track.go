package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// TrackParams configures [TrackingRequestsService.Track] and sets fields of the tracking request.
// Nil and the zero value infer everything and accept only what the service is certain of.
type TrackParams struct {
	// SCAC and RequestType are what the caller already knows. If both are set, nothing is inferred.
	SCAC        string
	RequestType RequestType

	// Confirm is called when the service is not certain of the shipping line. It returns the SCAC
	// to use, or "" if none of the candidates is right. Without it, such a number fails with a
	// *CarrierUndecidedError.
	Confirm func(context.Context, *Inference) (scac string, err error)

	// AcceptInvalid tracks a number even if the service considers its format invalid.
	AcceptInvalid bool

	// These fields are copied to the [TrackingRequestCreate].
	ReferenceNumbers    []string
	ShipmentTags        []string
	InitialCustomFields InitialCustomFields
	CustomerID          string
}

// CarrierUndecidedError is returned when the service is not certain of the shipping line and
// Confirm did not choose one. Let a person choose among the candidates, and set TrackParams.SCAC.
type CarrierUndecidedError struct {
	Number    string
	Inference *Inference
}

// Candidates returns the shipping lines that the number may belong to, best first. It may return
// none.
func (e *CarrierUndecidedError) Candidates() []CarrierCandidate {
	return e.Inference.Carrier.Candidates
}

// Error includes the candidates.
func (e *CarrierUndecidedError) Error() string {
	var names []string
	for _, c := range e.Candidates() {
		names = append(names, printable(fmt.Sprintf("%s (%s, %.0f %%)", c.SCAC, c.Name, 100*c.Confidence)))
	}
	if names == nil {
		names = []string{"none"}
	}
	return fmt.Sprintf("terminal49: the shipping line of %q is not certain (%s); candidates: %s; set TrackParams.SCAC to the right one",
		e.Number, printable(string(e.Inference.Carrier.Decision)), strings.Join(names, ", "))
}

// InvalidNumberError is returned for a number that was not tracked because its format is invalid or
// its type is unknown.
type InvalidNumberError struct {
	Number    string
	Reason    string     // in English
	Inference *Inference // nil if nothing was inferred
}

// Error includes the reason.
func (e *InvalidNumberError) Error() string {
	return fmt.Sprintf("terminal49: %q was not tracked: %s", e.Number, printable(e.Reason))
}

// Is reports whether target is [ErrInvalid], which is also the error of a number that the service
// refuses.
func (e *InvalidNumberError) Is(target error) bool { return target == ErrInvalid }

// Track tracks a number of unknown type and shipping line. It infers both and creates the tracking
// request. If the service is not certain of the shipping line, params.Confirm chooses it.
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

// FindOrTrack returns the tracking request for a number, or tracks the number like Track if there
// is none. created reports whether this call created the request. It is safe to repeat. Inference
// and params.Confirm are used only if no request exists; see [TrackingRequestsService.FindOrCreate]
// for which requests match.
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

// Prepare returns the request that Track would create, without creating it. Pass the result to
// Create or FindOrCreate.
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
		return request, params.checkFormat(request)
	}
	inference, err := s.Infer(ctx, number, opts...)
	if err != nil {
		return request, err
	}
	if valid, ok := inference.Validation.IsValid.Get(); ok && !valid && !params.AcceptInvalid {
		reason := "the service considers its format invalid: " + cmp.Or(inference.Validation.Reason, "no reason reported")
		return request, &InvalidNumberError{request.RequestNumber, reason, inference}
	}
	if request.RequestType == "" {
		var ok bool
		if request.RequestType, ok = inference.RequestType(); !ok {
			reason := fmt.Sprintf("its type %q is unknown to this package; set TrackParams.RequestType", inference.NumberType)
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

// checkFormat checks the format of a container number, which needs no request.
func (p *TrackParams) checkFormat(request TrackingRequestCreate) error {
	if request.RequestType != RequestContainer || p.AcceptInvalid {
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

// FindOrCreate returns the tracking request for a number, or creates it if there is none. created
// reports whether this call created it. It is safe to repeat: a duplicate that another client
// creates meanwhile, or one whose response is lost, is looked up.
//
// Requests match if number, type and shipping line are equal. Spaces, dashes and case are ignored,
// and a line that is still being detected matches every line. Failed and stopped requests do not
// match, so a number that fails permanently is created again by every call.
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
	posted, err := s.Create(ctx, request, opts...)
	var findErr error
	switch {
	case errors.Is(err, ErrDuplicate):
		// The service has the number, perhaps as another type or in another spelling.
		request.RequestType = ""
		found, findErr = s.find(ctx, nil, request, opts)
	case IsOutcomeUnknown(err):
		found, findErr = s.find(ctx, exactly, request, opts)
		created = true
	}
	if found != nil && findErr == nil {
		return found, created, nil
	}
	return posted, err == nil, err
}

// find returns the newest request that the service would call a duplicate of wanted, or nil. It
// compares every request itself, because the service ignores filters that it does not support.
func (s *TrackingRequestsService) find(ctx context.Context, params *TrackingRequestListParams, wanted TrackingRequestCreate, opts []CallOption) (*TrackingRequest, error) {
	for r, err := range s.All(ctx, params, opts...) {
		if err != nil {
			return nil, err
		}
		if wanted.matches(r) {
			return r, nil
		}
	}
	return nil, nil
}

// matches normalizes both numbers like container numbers, which removes spaces and dashes from any
// number.
func (r *TrackingRequestCreate) matches(existing *TrackingRequest) bool {
	sameLine := existing.SCAC == r.SCAC || existing.SCAC == "" || r.SCAC == ""
	sameType := existing.RequestType == r.RequestType || r.RequestType == ""
	sameNumber := NormalizeContainerNumber(existing.RequestNumber) == NormalizeContainerNumber(r.RequestNumber)
	return sameNumber && sameType && sameLine &&
		existing.Status != TrackingFailed && existing.Status != TrackingStopped
}
