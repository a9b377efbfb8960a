package terminal49

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// ShippingLine is an ocean carrier that the account can track.
type ShippingLine struct {
	Resource

	SCAC                           string       // scac: the code for tracking requests
	Name                           string       // name
	ShortName                      string       // short_name
	AlternativeSCACs               []string     // alternative_scacs: further codes for tracking requests
	BillOfLadingTrackingSupport    bool         // bill_of_lading_tracking_support
	BookingNumberTrackingSupport   bool         // booking_number_tracking_support
	ContainerNumberTrackingSupport bool         // container_number_tracking_support
	ProvidedData                   ProvidedData // provided_data: what this line reports; nil if unknown
	TrackingURL                    string       // tracking_url: a template that may contain "${BLNUM}"; "" if unknown
	ContactURL                     string       // contact_url: "" if unknown
}

// Supports reports whether the line can be tracked by a number of type t.
func (l *ShippingLine) Supports(t RequestType) bool {
	switch t {
	case RequestBillOfLading:
		return l.BillOfLadingTrackingSupport
	case RequestBookingNumber:
		return l.BookingNumberTrackingSupport
	case RequestContainer:
		return l.ContainerNumberTrackingSupport
	default:
		return false
	}
}

// ShippingLinesService reads shipping lines.
type ShippingLinesService service

// List returns every shipping line that is enabled for the account, including TEST, which is for
// experiments. The service sends all of them at once and has no filter.
//
// API: GET /shipping_lines
func (s *ShippingLinesService) List(ctx context.Context, opts ...CallOption) ([]*ShippingLine, error) {
	return collectAll(s.All(ctx, opts...))
}

// All iterates over the shipping lines that List returns.
//
// API: GET /shipping_lines
func (s *ShippingLinesService) All(ctx context.Context, opts ...CallOption) iter.Seq2[*ShippingLine, error] {
	return allOf[ShippingLine](ctx, s.client, newEndpoint(operation.ShippingLinesList).unpaged(), opts)
}

// Get returns one shipping line by its id, which is not its SCAC.
//
// API: GET /shipping_lines/{id}. Errors: ErrNotFound.
func (s *ShippingLinesService) Get(ctx context.Context, id string, opts ...CallOption) (*ShippingLine, error) {
	arg := uuidArg(id).hint("a SCAC is not an id; find the id with ShippingLines.List")
	return fetchOne[ShippingLine](ctx, s.client, newEndpoint(operation.ShippingLinesGet, arg), opts)
}

func (l *ShippingLine) members(m *jsonapi.Members) {
	m.Add("scac", &l.SCAC)
	m.Add("name", &l.Name)
	m.Add("short_name", &l.ShortName)
	m.Add("alternative_scacs", &l.AlternativeSCACs)
	m.Add("bill_of_lading_tracking_support", &l.BillOfLadingTrackingSupport)
	m.Add("booking_number_tracking_support", &l.BookingNumberTrackingSupport)
	m.Add("container_number_tracking_support", &l.ContainerNumberTrackingSupport)
	m.Add("provided_data", &l.ProvidedData)
	m.Add("tracking_url", &l.TrackingURL)
	m.Add("contact_url", &l.ContactURL)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (l ShippingLine) MarshalJSON() ([]byte, error) { return marshalResource(&l) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (l *ShippingLine) UnmarshalJSON(data []byte) error { return unmarshalResource(data, l) }
