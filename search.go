package terminal49

import (
	"context"

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
	SearchShipment        SearchKind = "shipment"
	SearchContainer       SearchKind = "cargo" // the service's older word for a container
	SearchTrackingRequest SearchKind = "tracking_request"
)

var searchKinds = []SearchKind{SearchShipment, SearchContainer, SearchTrackingRequest}

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
		return SearchContainer
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
	return collectAll(allOf[SearchHit](ctx, s.client, e, opts))
}

type searchParams struct{ text string }

func (p *searchParams) query(q *query) { q.setText("query", p.text) }

func (*SearchHit) table() *jsonapi.Type[*SearchHit] { return searchHitTable }

var searchHitTable = jsonapi.NewType(jsonapi.Spec[*SearchHit]{
	Identify: func(h *SearchHit, id jsonapi.Identity) { h.identify(id) },
	Attributes: []jsonapi.Field[*SearchHit]{
		textField("entity_type", func(h *SearchHit) *SearchKind { return &h.EntityType }),
		textField("number", func(h *SearchHit) *string { return &h.Number }),
		textField("shipment_id", func(h *SearchHit) *string { return &h.ShipmentID }),
		textField("scac", func(h *SearchHit) *string { return &h.SCAC }),
		textField("port_of_lading_name", func(h *SearchHit) *string { return &h.PortOfLadingName }),
		textField("port_of_discharge_name", func(h *SearchHit) *string { return &h.PortOfDischargeName }),
		optIntField("containers_count", func(h *SearchHit) *Opt[int] { return &h.ContainersCount }),
		optBoolField("tracking_stopped", func(h *SearchHit) *Opt[bool] { return &h.TrackingStopped }),
		textField("tracking_stopped_reason", func(h *SearchHit) *LineTrackingStoppedReason { return &h.TrackingStoppedReason }),
		textField("status", func(h *SearchHit) *TrackingRequestStatus { return &h.Status }),
		textField("failed_reason", func(h *SearchHit) *FailedReason { return &h.FailedReason }),
		textListField("ref_numbers", func(h *SearchHit) *[]string { return &h.ReferenceNumbers }),
		timeField("created_at", func(h *SearchHit) *Time { return &h.CreatedAt }),
		timeField("updated_at", func(h *SearchHit) *Time { return &h.UpdatedAt }),
	},
})

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (h SearchHit) MarshalJSON() ([]byte, error) { return marshalResource(&h) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (h *SearchHit) UnmarshalJSON(data []byte) error { return unmarshalResource(data, h) }
