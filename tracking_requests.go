package terminal49

import (
	"cmp"
	"context"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// TrackingRequest is a request to find a number at a shipping line. Once the number is found, the
// request has a shipment.
//
//t49:resource tracking_request
type TrackingRequest struct {
	Resource

	RequestNumber    string                `t49:"request_number"` // as submitted
	RequestType      RequestType           `t49:"request_type"`
	SCAC             string                `t49:"scac"` // "" while the carrier is being detected
	Status           TrackingRequestStatus `t49:"status"`
	FailedReason     FailedReason          `t49:"failed_reason"` // why it, or its last attempt, failed; "" if neither did
	IsRetrying       bool                  `t49:"is_retrying"`   // whether further attempts are scheduled
	RetryCount       Opt[int]              `t49:"retry_count"`   // attempts at the shipping line so far; null if none
	ReferenceNumbers []string              `t49:"ref_numbers"`   // your references
	Tags             []string              `t49:"tags"`
	ShipmentTags     []string              `t49:"shipment_tags"` // tags of the shipment
	CreatedAt        Time                  `t49:"created_at"`    // UTC
	UpdatedAt        Time                  `t49:"updated_at"`    // UTC

	Shipment ToOne[*Shipment] `t49:"tracked_object"`               // null until Status is TrackingCreated; always included by the service
	Customer ToOne[*Party]    `t49:"customer,types=party|account"` // its Type may be "account", which is never included as a Party
	User     ToOne[*User]     `t49:"user"`
}

// RequestType is the kind of number that is tracked.
//
//t49:enum
type RequestType string

// The values of RequestType.
const (
	RequestTypeBillOfLading  RequestType = "bill_of_lading"
	RequestTypeBookingNumber RequestType = "booking_number"
	RequestTypeContainer     RequestType = "container" // beta
)

// TrackingRequestStatus is the progress of a tracking request.
//
//t49:enum
type TrackingRequestStatus string

// The values of TrackingRequestStatus.
const (
	TrackingPending          TrackingRequestStatus = "pending"
	TrackingAwaitingManifest TrackingRequestStatus = "awaiting_manifest" // not manifested yet; retried daily, for a week or longer
	TrackingCreated          TrackingRequestStatus = "created"           // has a shipment
	TrackingFailed           TrackingRequestStatus = "failed"            // see FailedReason
	TrackingStopped          TrackingRequestStatus = "tracking_stopped"  // the shipment is no longer tracked
)

// FailedReason is why a tracking request failed, or why its last attempt failed.
//
//t49:enum
type FailedReason string

// The values of FailedReason.
const (
	FailedBookingCancelled        FailedReason = "booking_cancelled"
	FailedDuplicate               FailedReason = "duplicate"
	FailedExpired                 FailedReason = "expired" // not found in time, usually a week
	FailedInternalProcessingError FailedReason = "internal_processing_error"
	FailedInvalidNumber           FailedReason = "invalid_number"
	FailedNotFound                FailedReason = "not_found"
	FailedRetriesExhausted        FailedReason = "retries_exhausted" // usually after 14 attempts in a day
	FailedShippingLineUnreachable FailedReason = "shipping_line_unreachable"
	FailedUnrecognizedResponse    FailedReason = "unrecognized_response"
	FailedDataUnavailable         FailedReason = "data_unavailable"
	FailedSCACAutoDetectFailed    FailedReason = "scac_auto_detect_failed"
	FailedAwaitingManifest        FailedReason = "awaiting_manifest" // a status that the guides list as a reason
)

// Temporary reports whether the reason may clear by itself: the carrier was unreachable or its
// response was not understood, the service had an internal error, or the manifest is not available
// yet. An empty or unknown reason is neither temporary nor permanent.
func (r FailedReason) Temporary() bool {
	switch r {
	case FailedUnrecognizedResponse, FailedShippingLineUnreachable, FailedInternalProcessingError, FailedAwaitingManifest:
		return true
	default:
		return false
	}
}

// Permanent reports whether the service documents the reason as final, so that repeating the same
// request fails again. An empty or unknown reason is neither permanent nor temporary.
func (r FailedReason) Permanent() bool {
	switch r {
	case FailedDuplicate, FailedExpired, FailedRetriesExhausted, FailedNotFound, FailedInvalidNumber,
		FailedBookingCancelled, FailedDataUnavailable, FailedSCACAutoDetectFailed:
		return true
	default:
		return false
	}
}

// TrackingRequestInclude is a relationship to include with tracking requests.
type TrackingRequestInclude string

// The values of TrackingRequestInclude.
const (
	// TrackingRequestIncludeShipment includes the shipment, if there is one. The service includes
	// it in any case.
	TrackingRequestIncludeShipment TrackingRequestInclude = "tracked_object"
	TrackingRequestIncludeCustomer TrackingRequestInclude = "customer"
)

// TrackingRequestListParams filters a list of tracking requests. Nil and the zero value select all.
type TrackingRequestListParams struct {
	PageParams
	Include []TrackingRequestInclude // relationships to include

	RequestNumber string                // the exact number
	RequestType   RequestType           // the service supports this filter without documenting it
	Status        TrackingRequestStatus // documented values are created, pending and failed
	SCAC          string                // case and surrounding spaces are ignored
	CreatedFrom   time.Time             // zero for no bound
	CreatedTo     time.Time             // zero for no bound
	UpdatedFrom   time.Time             // zero for no bound
	UpdatedTo     time.Time             // zero for no bound
	// Query searches request numbers and references as free text. The service has deprecated it.
	Query string
}

// TrackingRequestGetParams selects what to include with one tracking request.
type TrackingRequestGetParams struct {
	Include []TrackingRequestInclude // relationships to include
}

// TrackingRequestUpdate is a change to a tracking request. Unset fields are not changed.
type TrackingRequestUpdate struct {
	// ReferenceNumber is a single reference. The service accepts only one here, although a request
	// can have several.
	ReferenceNumber Opt[string] `json:"ref_number,omitzero"`
}

func (u TrackingRequestUpdate) validate() error {
	if u.ReferenceNumber.IsNull() {
		return &ArgumentError{Field: "ReferenceNumber", Problem: "must not be null; the service accepts only text"}
	}
	return nil
}

// TrackingRequestsService creates and follows tracking requests.
type TrackingRequestsService service

// List returns one page of tracking requests, newest first.
//
// API: GET /tracking_requests
func (s *TrackingRequestsService) List(ctx context.Context, params *TrackingRequestListParams, opts ...CallOption) (*Page[TrackingRequest], error) {
	return fetchPage[TrackingRequest](ctx, s.client, newEndpoint(operation.TrackingRequestsList).with(params), opts)
}

// Pages iterates over the pages of tracking requests, newest first.
//
// API: GET /tracking_requests. Errors: ErrPagination.
func (s *TrackingRequestsService) Pages(ctx context.Context, params *TrackingRequestListParams, opts ...CallOption) iter.Seq2[*Page[TrackingRequest], error] {
	return pagesOf[TrackingRequest](ctx, s.client, newEndpoint(operation.TrackingRequestsList).with(params), opts)
}

// All iterates over all tracking requests, newest first, and fetches pages as needed.
//
// API: GET /tracking_requests. Errors: ErrPagination.
func (s *TrackingRequestsService) All(ctx context.Context, params *TrackingRequestListParams, opts ...CallOption) iter.Seq2[*TrackingRequest, error] {
	return allOf[TrackingRequest](ctx, s.client, newEndpoint(operation.TrackingRequestsList).with(params), opts)
}

// Get returns one tracking request. Its shipment is included if there is one.
//
// API: GET /tracking_requests/{id}. Errors: ErrNotFound.
func (s *TrackingRequestsService) Get(ctx context.Context, id string, params *TrackingRequestGetParams, opts ...CallOption) (*TrackingRequest, error) {
	return fetchOne[TrackingRequest](ctx, s.client, newEndpoint(operation.TrackingRequestsGet, trackingRequestArg(id)).with(params), opts)
}

// Create asks the service to track a number at a known shipping line. It sends the number unchanged
// and returns at once; the request is normally pending, see [TrackingRequestsService.Wait].
// [TrackingRequestsService.Track] infers the line and normalises container numbers.
//
// API: POST /tracking_requests. Rate bucket: create. Errors: ErrDuplicate, ErrInvalid,
// ErrRateLimited.
func (s *TrackingRequestsService) Create(ctx context.Context, request TrackingRequestCreate, opts ...CallOption) (*TrackingRequest, error) {
	request.SCAC = normalSCAC(request.SCAC)
	e := newEndpoint(operation.TrackingRequestsCreate).reject(request.validate())
	e.number = request.RequestNumber
	return fetchOne[TrackingRequest](ctx, s.client, e.resource("tracking_request", "", request).related(request.relationships()), opts)
}

// Update changes the reference number of a tracking request and returns the result.
//
// API: PATCH /tracking_requests/{id}. Errors: ErrNotFound, ErrInvalid.
func (s *TrackingRequestsService) Update(ctx context.Context, id string, update TrackingRequestUpdate, opts ...CallOption) (*TrackingRequest, error) {
	e := newEndpoint(operation.TrackingRequestsUpdate, trackingRequestArg(id))
	return fetchOne[TrackingRequest](ctx, s.client, e.resource("tracking_request", id, update), opts)
}

func trackingRequestArg(id string) argument {
	return uuidArg(id).hint("a tracked number is not an id: find the request with TrackingRequests.List and its RequestNumber")
}

func (p *TrackingRequestListParams) query(q *query) {
	p.PageParams.query(q)
	q.setList("include", toStrings(p.Include))
	q.setText("filter[request_number]", p.RequestNumber)
	q.setText("filter[request_type]", string(p.RequestType))
	q.setText("filter[status]", string(p.Status))
	scac := normalSCAC(p.SCAC)
	if p.SCAC != "" && !mayBeSCAC(scac) { // a blank one would select all, another one nothing
		q.reject("SCAC", `must be a SCAC of up to four letters or digits, such as "MAEU"`)
	}
	q.setText("filter[scac]", scac)
	q.setTime("filter[created_at][start]", p.CreatedFrom)
	q.setTime("filter[created_at][end]", p.CreatedTo)
	q.setTime("filter[updated_at][start]", p.UpdatedFrom)
	q.setTime("filter[updated_at][end]", p.UpdatedTo)
	q.setText("q", p.Query)
}

func (p *TrackingRequestGetParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

// TrackingRequestCreate is a number to track.
type TrackingRequestCreate struct {
	RequestType   RequestType `json:"request_type"`   // what kind of number it is
	RequestNumber string      `json:"request_number"` // a bill of lading, booking or container number
	// SCAC is the code of the shipping line that operates the move: four letters or digits. Case and
	// surrounding spaces are ignored. It must be empty if AutoDetectSCAC is set.
	SCAC string `json:"scac,omitempty"`
	// AutoDetectSCAC makes the service find the line after it has accepted the request. If it
	// cannot, the request fails with FailedSCACAutoDetectFailed.
	AutoDetectSCAC bool `json:"auto_detect_vocc_scac,omitempty"`

	ReferenceNumbers    []string            `json:"ref_numbers,omitempty"`          // copied to the shipment
	ShipmentTags        []string            `json:"shipment_tags,omitempty"`        // copied to the shipment's tags
	InitialCustomFields InitialCustomFields `json:"initial_custom_fields,omitzero"` // set when the shipment is found

	// CustomerID is the id of the party or account that the shipment is for. It can be set only here:
	// a tracking request that exists does not take another.
	CustomerID string `json:"-"`

	offeredSCAC string // by the service itself, so it need not have four characters; see Prepare
}

// InitialCustomFields are custom field values for the shipment and containers that a tracking
// request finds.
type InitialCustomFields struct {
	Shipment   []InitialCustomField `json:"shipment,omitempty"`
	Containers []InitialCustomField `json:"containers,omitempty"`
}

// InitialCustomField is a value for a custom field of the shipment or of containers.
type InitialCustomField struct {
	APISlug string           `json:"api_slug"`         // of the custom field's definition
	Value   CustomFieldValue `json:"value"`            // of the definition's data type, such as CustomText("Ann")
	Number  string           `json:"number,omitempty"` // of Containers only: the container number; "" for every container
}

// scacLength is the length of a Standard Carrier Alpha Code that the service accepts.
const scacLength = 4

func (r *TrackingRequestCreate) validate() error {
	unusable := r.SCAC != "" && !isSCAC(r.SCAC) && r.SCAC != r.offeredSCAC
	err := checkRules(
		rule{strings.TrimSpace(r.RequestNumber) == "", "RequestNumber", "must not be empty"},
		rule{r.RequestType == "booking", "RequestType", `must be RequestBookingNumber ("booking_number"), not "booking"`},
		rule{!r.RequestType.Known(), "RequestType", "must be RequestBillOfLading, RequestBookingNumber or RequestContainer"},
		rule{r.SCAC == "" && !r.AutoDetectSCAC, "SCAC", "must be set; use Track to infer it, or set AutoDetectSCAC"},
		rule{r.SCAC != "" && r.AutoDetectSCAC, "SCAC", "must be empty if AutoDetectSCAC is set"},
		rule{unusable, "SCAC", scacProblem},
	)
	return withOp(cmp.Or(err, r.InitialCustomFields.validate()), "tracking_requests.create")
}

func (f *InitialCustomFields) validate() error {
	for _, value := range f.Shipment {
		problem := value.problem()
		if value.Number != "" {
			problem = "must not have a Number"
		}
		if problem != "" {
			return &ArgumentError{Field: "InitialCustomFields.Shipment", Problem: problem}
		}
	}
	for _, value := range f.Containers {
		if problem := value.problem(); problem != "" {
			return &ArgumentError{Field: "InitialCustomFields.Containers", Problem: problem}
		}
	}
	return nil
}

// problem returns what is wrong with an initial value of a custom field, or "".
func (f InitialCustomField) problem() string {
	switch {
	case f.APISlug == "":
		return "must have an APISlug for every value"
	case strings.Contains(f.APISlug, "/"):
		return "must not have a slash in an APISlug"
	case f.Value.IsZero():
		return "must have a value for " + strconv.Quote(f.APISlug) + "; make one with a constructor such as CustomText"
	case f.Value.problem != "":
		return "has an invalid value for " + strconv.Quote(f.APISlug) + ": it " + f.Value.problem
	}
	return ""
}

func (r *TrackingRequestCreate) relationships() map[string]jsonapi.Related {
	if r.CustomerID == "" {
		return nil
	}
	return map[string]jsonapi.Related{"customer": jsonapi.RelatedTo("party", r.CustomerID)}
}

const scacProblem = `must be exactly four letters or digits, such as "MAEU"`

// normalSCAC returns a code in the service's form: in capital letters, without the spaces around it
// that files and people add. Other letters than those of ASCII stay, because no code has them.
func normalSCAC(s string) string { return strings.Map(upperASCII, strings.TrimSpace(s)) }

// isOtherNumber reports whether two numbers are certainly not the same: the service may remove a
// prefix, such as that of the shipping line.
func isOtherNumber(a, b string) bool {
	a, b = NormalizeContainerNumber(a), NormalizeContainerNumber(b)
	return a != "" && b != "" && !strings.HasSuffix(a, b) && !strings.HasSuffix(b, a)
}

// isSCAC checks the form. Only the service can check that a carrier has the code.
func isSCAC(s string) bool {
	return len(s) == scacLength && isUpperAlphanumeric(s)
}

// mayBeSCAC reports whether s has the form of a SCAC or, as the service has been seen to offer, is
// shorter.
func mayBeSCAC(s string) bool {
	return len(s) >= 2 && len(s) <= scacLength && isUpperAlphanumeric(s)
}
