package terminal49

import (
	"strconv"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// TrackingRequestCreate is a number to be tracked.
type TrackingRequestCreate struct {
	RequestType   RequestType `json:"request_type"`   // what kind of number it is
	RequestNumber string      `json:"request_number"` // a bill of lading, booking or container number
	// SCAC is the code of the shipping line that operates the move: four characters, or empty with AutoDetectSCAC.
	SCAC string `json:"scac,omitempty"`
	// AutoDetectSCAC lets the service find the line after the request was accepted. If it cannot, the request fails
	// with FailedSCACAutoDetectFailed.
	AutoDetectSCAC bool `json:"auto_detect_vocc_scac,omitempty"`

	ReferenceNumbers    []string            `json:"ref_numbers,omitempty"`   // copied to the shipment
	ShipmentTags        []string            `json:"shipment_tags,omitempty"` // copied to the shipment's tags
	InitialCustomFields InitialCustomFields `json:"initial_custom_fields,omitzero"`

	// CustomerID is the party the shipment is for. It can be given here only, not later.
	CustomerID string `json:"-"`
}

// InitialCustomFields are custom field values for what a tracking request will find.
type InitialCustomFields struct {
	Shipment   []InitialCustomField          `json:"shipment,omitempty"`
	Containers []InitialContainerCustomField `json:"containers,omitempty"`
}

// InitialCustomField is a value for a custom field of the shipment.
type InitialCustomField struct {
	APISlug string           `json:"api_slug"` // api_slug of the custom field's definition
	Value   CustomFieldValue `json:"value"`    // such as CustomText("Ann"), as the definition's data type wants it
}

// InitialContainerCustomField is a value for a custom field of containers.
type InitialContainerCustomField struct {
	APISlug string           `json:"api_slug"`
	Value   CustomFieldValue `json:"value"`
	Number  string           `json:"number,omitempty"` // container number; "" for every container
}

// scacLength is the length of a Standard Carrier Alpha Code as the service takes it.
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
		return "RequestType", `is "booking"; the service wants RequestBookingNumber ("booking_number")`
	case !r.RequestType.Known():
		return "RequestType", "must be RequestBillOfLading, RequestBookingNumber or RequestContainer"
	case r.SCAC == "" && !r.AutoDetectSCAC:
		return "SCAC", "must be set; use Track to infer it, or AutoDetectSCAC"
	case r.SCAC != "" && r.AutoDetectSCAC:
		return "SCAC", "must be empty with AutoDetectSCAC"
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

// initialProblem says what is wrong with an initial value of a custom field, if anything.
func initialProblem(slug string, value CustomFieldValue) string {
	switch {
	case slug == "":
		return "holds a value without an APISlug"
	case value.IsZero():
		return "holds no value for " + strconv.Quote(slug) + "; make it with CustomText or one of its siblings"
	case value.problem != "":
		return "holds a value for " + strconv.Quote(slug) + " that cannot be sent: it " + value.problem
	}
	return ""
}

func (r *TrackingRequestCreate) relationships() map[string]jsonapi.Related {
	if r.CustomerID == "" {
		return nil
	}
	return map[string]jsonapi.Related{"customer": jsonapi.RelatedTo("party", r.CustomerID)}
}

// isSCAC checks the form only; whether a carrier has the code, the service knows.
func isSCAC(s string) bool {
	return len(s) == scacLength && !strings.ContainsFunc(s, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < '0' || c > '9')
	})
}
