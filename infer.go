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
type Inference struct {
	Resource // its ID is "req_" followed by a UUID, or "": the service need not send one

	NumberType string           // number_type: "container", "bill_of_lading" or "booking"; see RequestType
	Validation NumberValidation // validation
	Carrier    CarrierInference // shipping_line
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
	IsValid          Opt[bool] // is_valid: null if unknown
	Type             string    // type: "container" or "shipment"
	CheckDigitPassed Opt[bool] // check_digit_passed: the ISO 6346 check digit; null unless a container
	ParsedNumber     string    // parsed_number: as the service read it; "" if not reported
	Reason           string    // reason: why the number is invalid; "" if it is valid
}

// CarrierInference is the service's prediction of the shipping line.
type CarrierInference struct {
	Decision   CarrierDecision       // decision
	Selected   Opt[CarrierCandidate] // selected: unset without a prediction
	Candidates []CarrierCandidate    // candidates: best first; not always empty for CarrierNoPrediction
}

// CarrierCandidate is a shipping line that a number may belong to.
type CarrierCandidate struct {
	SCAC       string  `json:"scac"`       // scac
	Name       string  `json:"name"`       // name
	Confidence float64 `json:"confidence"` // confidence: 0 to 1
}

// CarrierDecision is the service's recommendation on how to use its prediction.
type CarrierDecision string

// The values of CarrierDecision.
const (
	CarrierAutoSelect        CarrierDecision = "auto_select"        // confidence 0.95 or higher: use it
	CarrierNeedsConfirmation CarrierDecision = "needs_confirmation" // confidence 0.70 to 0.95: let a person confirm it
	CarrierNoPrediction      CarrierDecision = "no_prediction"      // lower or unknown confidence: let a person choose
)

var carrierDecisions = []CarrierDecision{CarrierAutoSelect, CarrierNeedsConfirmation, CarrierNoPrediction}

// Known reports whether d is one of the constants of this version. Unknown values are kept
// unchanged.
func (d CarrierDecision) Known() bool { return isKnown(d, carrierDecisions) }

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

func (i *Inference) members(m *jsonapi.Members) {
	m.Add("number_type", &i.NumberType)
	m.Add("validation", &i.Validation)
	m.Add("shipping_line", &i.Carrier)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (i Inference) MarshalJSON() ([]byte, error) { return marshalResource(&i) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (i *Inference) UnmarshalJSON(data []byte) error { return unmarshalResource(data, i) }

func (v *NumberValidation) members(m *jsonapi.Members) {
	m.Add("is_valid", &v.IsValid)
	m.Add("type", &v.Type)
	m.Add("check_digit_passed", &v.CheckDigitPassed)
	m.Add("parsed_number", &v.ParsedNumber)
	m.Add("reason", &v.Reason)
}

func (c *CarrierInference) members(m *jsonapi.Members) {
	m.Add("decision", &c.Decision)
	m.Add("selected", &c.Selected)
	m.Add("candidates", &c.Candidates)
}

var candidateMembers = jsonapi.NewTable(model{}, new(CarrierCandidate))

func (c *CarrierCandidate) members(m *jsonapi.Members) {
	m.Add("scac", &c.SCAC)
	m.Add("name", &c.Name)
	m.Add("confidence", &c.Confidence)
}

func readCandidate(d *jsonapi.Decoder) (c CarrierCandidate, ok bool) {
	ok = candidateMembers.Read(d, &c)
	return c, ok
}
