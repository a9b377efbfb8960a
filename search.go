package terminal49

import (
	"context"
	"net/url"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// SearchHit is a shipment, container or tracking request that a search found. It is a summary; read
// the resource by ID for the rest. A field whose comment names a kind is empty for the others.
type SearchHit struct {
	Resource // ID is that of the found resource; Type is usually "search_result", so use Kind

	EntityType            SearchKind                // entity_type: as sent; see Kind
	Number                string                    // number: bill of lading, container or request number
	ShipmentID            string                    // shipment_id: containers, tracking requests; "" if none yet
	SCAC                  string                    // scac: "" if unknown
	PortOfLadingName      string                    // port_of_lading_name: shipments
	PortOfDischargeName   string                    // port_of_discharge_name: shipments
	ContainersCount       Opt[int]                  // containers_count: shipments
	TrackingStopped       Opt[bool]                 // tracking_stopped: shipments
	TrackingStoppedReason LineTrackingStoppedReason // tracking_stopped_reason: shipments; "" while tracked
	Status                TrackingRequestStatus     // status: tracking requests
	FailedReason          FailedReason              // failed_reason: tracking requests
	ReferenceNumbers      []string                  // ref_numbers
	CreatedAt             Time                      // created_at, UTC
	UpdatedAt             Time                      // updated_at, UTC
}

// SearchKind is the kind of resource that a search found.
type SearchKind string

// The values of SearchKind.
const (
	SearchKindShipment        SearchKind = "shipment"
	SearchKindContainer       SearchKind = "cargo" // the service's older word for a container
	SearchKindTrackingRequest SearchKind = "tracking_request"
)

var searchKinds = []SearchKind{SearchKindShipment, SearchKindContainer, SearchKindTrackingRequest}

// Known reports whether k is one of the constants of this version. Unknown values are kept
// unchanged.
func (k SearchKind) Known() bool { return isKnown(k, searchKinds) }

// Kind returns the kind of the found resource. It is the entity type or, if that is missing, the
// resource type. A kind unknown to this version is returned as sent.
func (h *SearchHit) Kind() SearchKind {
	kind := h.EntityType
	if kind == "" {
		kind = SearchKind(h.Type)
	}
	if kind == "container" {
		return SearchKindContainer
	}
	return kind
}

// MaxSearchHits is the maximum number of hits of one search. There are no further pages; search for
// more of the number instead.
const MaxSearchHits = 25

// SearchService finds shipments, containers and tracking requests by a part of their numbers.
type SearchService service

// Query returns the resources that match a bill of lading, container or reference number, or a part
// of one. Shipments are first, then containers, then tracking requests without a shipment, each
// newest first, and at most [MaxSearchHits] in total. The list is empty if nothing matches.
//
// API: GET /search. Errors: ErrInvalid.
func (s *SearchService) Query(ctx context.Context, text string, opts ...CallOption) ([]*SearchHit, error) {
	e := newEndpoint(operation.SearchQuery).check(slugArg("text", text)).with(&searchParams{text}).unpaged()
	return Collect(allOf[SearchHit](ctx, s.client, e, opts))
}

// DashboardURL returns the address of the Terminal49 dashboard that opens what has a number: a
// container, bill of lading, booking or reference number. It returns "" for an empty number. It
// sends nothing. The reader must be signed in there.
func DashboardURL(number string) string {
	if number = strings.TrimSpace(number); number == "" {
		return ""
	}
	return "https://app.terminal49.com/shipments/find?q=" + url.QueryEscape(number)
}

type searchParams struct{ text string }

func (p *searchParams) query(q *query) { q.setText("query", p.text) }

func (h *SearchHit) members(m *jsonapi.Members) {
	m.Add("entity_type", &h.EntityType)
	m.Add("number", &h.Number)
	m.Add("shipment_id", &h.ShipmentID)
	m.Add("scac", &h.SCAC)
	m.Add("port_of_lading_name", &h.PortOfLadingName)
	m.Add("port_of_discharge_name", &h.PortOfDischargeName)
	m.Add("containers_count", &h.ContainersCount)
	m.Add("tracking_stopped", &h.TrackingStopped)
	m.Add("tracking_stopped_reason", &h.TrackingStoppedReason)
	m.Add("status", &h.Status)
	m.Add("failed_reason", &h.FailedReason)
	m.Add("ref_numbers", &h.ReferenceNumbers)
	m.Add("created_at", &h.CreatedAt)
	m.Add("updated_at", &h.UpdatedAt)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (h SearchHit) MarshalJSON() ([]byte, error) { return marshalResource(&h) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (h *SearchHit) UnmarshalJSON(data []byte) error { return unmarshalResource(data, h) }
