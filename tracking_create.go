package terminal49

import (
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// TrackingRequestCreate is a number to track.
type TrackingRequestCreate struct {
	RequestType   RequestType `json:"request_type"`   // what kind of number it is
	RequestNumber string      `json:"request_number"` // a bill of lading, booking or container number
	// SCAC is the code of the shipping line that operates the move: four capital letters or digits.
	// It must be empty if AutoDetectSCAC is set.
	SCAC string `json:"scac,omitempty"`
	// AutoDetectSCAC makes the service find the line after it has accepted the request. If it
	// cannot, the request fails with FailedSCACAutoDetectFailed.
	AutoDetectSCAC bool `json:"auto_detect_vocc_scac,omitempty"`

	ReferenceNumbers    []string            `json:"ref_numbers,omitempty"`          // copied to the shipment
	ShipmentTags        []string            `json:"shipment_tags,omitempty"`        // copied to the shipment's tags
	InitialCustomFields InitialCustomFields `json:"initial_custom_fields,omitzero"` // set when the shipment is found

	// CustomerID is the id of the party that the shipment is for. It cannot be changed later.
	CustomerID string `json:"-"`
}

// InitialCustomFields are custom field values for the shipment and containers that a tracking
// request finds.
type InitialCustomFields struct {
	Shipment   []InitialCustomField          `json:"shipment,omitempty"`
	Containers []InitialContainerCustomField `json:"containers,omitempty"`
}

// InitialCustomField is a value for a custom field of the shipment.
type InitialCustomField struct {
	APISlug string           `json:"api_slug"` // of the custom field's definition
	Value   CustomFieldValue `json:"value"`    // of the definition's data type, such as CustomText("Ann")
}

// InitialContainerCustomField is a value for a custom field of containers.
type InitialContainerCustomField struct {
	APISlug string           `json:"api_slug"`         // of the custom field's definition
	Value   CustomFieldValue `json:"value"`            // of the definition's data type
	Number  string           `json:"number,omitempty"` // the container number; "" for every container
}

// scacLength is the length of a Standard Carrier Alpha Code that the service accepts.
const scacLength = 4

func (r *TrackingRequestCreate) validate() error {
	field, problem := r.problem()
	if problem == "" {
		return nil
	}
	return &ArgumentError{Op: "tracking_requests.create", Field: field, Problem: problem}
}

func (r *TrackingRequestCreate) problem() (field, problem string) {
	switch {
	case strings.TrimSpace(r.RequestNumber) == "":
		return "RequestNumber", "must not be empty"
	case r.RequestType == "booking":
		return "RequestType", `must be RequestBookingNumber ("booking_number"), not "booking"`
	case !r.RequestType.Known():
		return "RequestType", "must be RequestBillOfLading, RequestBookingNumber or RequestContainer"
	case r.SCAC == "" && !r.AutoDetectSCAC:
		return "SCAC", "must be set; use Track to infer it, or set AutoDetectSCAC"
	case r.SCAC != "" && r.AutoDetectSCAC:
		return "SCAC", "must be empty if AutoDetectSCAC is set"
	case r.SCAC != "" && !isSCAC(r.SCAC):
		return "SCAC", `must be exactly four capital letters or digits, such as "MAEU"`
	}
	for _, f := range r.InitialCustomFields.Shipment {
		if problem := initialProblem(f.APISlug, f.Value); problem != "" {
			return "InitialCustomFields.Shipment", problem
		}
	}
	for _, f := range r.InitialCustomFields.Containers {
		if problem := initialProblem(f.APISlug, f.Value); problem != "" {
			return "InitialCustomFields.Containers", problem
		}
	}
	return "", ""
}

// initialProblem returns what is wrong with an initial value of a custom field, or "".
func initialProblem(slug string, value CustomFieldValue) string {
	switch {
	case slug == "":
		return "must have an APISlug for every value"
	case value.IsZero():
		return "must have a value for " + strconv.Quote(slug) + "; make one with a constructor such as CustomText"
	case value.problem != "":
		return "has an invalid value for " + strconv.Quote(slug) + ": it " + value.problem
	}
	return ""
}

func (r *TrackingRequestCreate) relationships() map[string]jsonapi.Related {
	if r.CustomerID == "" {
		return nil
	}
	return map[string]jsonapi.Related{"customer": jsonapi.RelatedTo("party", r.CustomerID)}
}

// isSCAC checks the form. Only the service can check that a carrier has the code.
func isSCAC(s string) bool {
	return len(s) == scacLength && isUpperAlphanumeric(s)
}
