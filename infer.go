package terminal49

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Inference is what the service infers from a number: its type, whether its format is valid, and
// the shipping line that it probably belongs to.
//
//t49:resource infer_number_results
type Inference struct {
	Resource // its ID is "req_" followed by a UUID, or "": the service need not send one

	NumberType string           `t49:"number_type"` // "container", "bill_of_lading" or "booking"; see RequestType
	Validation NumberValidation `t49:"validation"`
	Carrier    CarrierInference `t49:"shipping_line"`
}

// RequestType returns the type to track the number as. It maps the service's "booking" to
// RequestTypeBookingNumber, and reports false for a type unknown to this version.
func (i *Inference) RequestType() (RequestType, bool) {
	switch i.NumberType {
	case "container":
		return RequestTypeContainer, true
	case "bill_of_lading":
		return RequestTypeBillOfLading, true
	case "booking":
		return RequestTypeBookingNumber, true
	default:
		return "", false
	}
}

// NumberValidation is the service's assessment of the format of a number.
type NumberValidation struct {
	IsValid          Opt[bool] `t49:"is_valid"`           // null if unknown
	Type             string    `t49:"type"`               // "container" or "shipment"
	CheckDigitPassed Opt[bool] `t49:"check_digit_passed"` // the ISO 6346 check digit; null unless a container
	ParsedNumber     string    `t49:"parsed_number"`      // as the service read it; "" if not reported
	Reason           string    `t49:"reason"`             // why the number is invalid; "" if it is valid
}

// CarrierInference is the service's prediction of the shipping line.
type CarrierInference struct {
	Decision   CarrierDecision       `t49:"decision"`
	Selected   Opt[CarrierCandidate] `t49:"selected"`   // unset without a prediction
	Candidates []CarrierCandidate    `t49:"candidates"` // best first; not always empty for CarrierNoPrediction
}

// CarrierCandidate is a shipping line that a number may belong to.
type CarrierCandidate struct {
	SCAC       string  `json:"scac" t49:"scac"`
	Name       string  `json:"name" t49:"name"`
	Confidence float64 `json:"confidence" t49:"confidence"` // 0 to 1
}

// CarrierDecision is the service's recommendation on how to use its prediction.
//
//t49:enum
type CarrierDecision string

// The values of CarrierDecision.
const (
	CarrierAutoSelect        CarrierDecision = "auto_select"        // confidence 0.95 or higher: use it
	CarrierNeedsConfirmation CarrierDecision = "needs_confirmation" // confidence 0.70 to 0.95: let a person confirm it
	CarrierNoPrediction      CarrierDecision = "no_prediction"      // lower or unknown confidence: let a person choose
)

// Infer returns the type and the probable shipping line of a number. It creates nothing. A number
// with an invalid format may still have a prediction; text that is not a number at all fails with
// ErrInvalid.
//
// API: POST /tracking_requests/infer_number. Rate bucket: infer. Errors: ErrInvalid,
// ErrRateLimited.
func (s *TrackingRequestsService) Infer(ctx context.Context, number string, opts ...CallOption) (*Inference, error) {
	e := newEndpoint(operation.TrackingRequestsInfer)
	if strings.TrimSpace(number) == "" {
		e = e.reject(&ArgumentError{Field: "number", Problem: "must not be empty"})
	}
	return fetchOne[Inference](ctx, s.client, e.plainBody(inferBody{number}), opts)
}

// incomplete rejects a response that infers nothing. The guides of the service show responses
// without id and type, so those may be missing.
func (i *Inference) incomplete() error {
	inferred := *i
	if inferred.Resource = (Resource{}); reflect.ValueOf(inferred).IsZero() {
		return errors.New("it holds no inference")
	}
	return nil
}

type inferBody struct {
	Number string `json:"number"`
}

var candidateMembers = jsonapi.NewTable(model{}, new(CarrierCandidate))

func readCandidate(d *jsonapi.Decoder) (c CarrierCandidate, ok bool) {
	ok = candidateMembers.Read(d, &c)
	return c, ok
}
