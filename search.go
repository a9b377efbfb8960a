package terminal49

import (
	"context"
	"net/url"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
)

// SearchHit is a shipment, container or tracking request that a search found. It is a summary; read
// the resource by ID for the rest. A field whose comment names a kind is empty for the others.
//
//t49:resource search_result
type SearchHit struct {
	Resource // ID is that of the found resource; Type is usually "search_result", so use Kind

	EntityType            SearchKind                `t49:"entity_type"`             // as sent; see Kind
	Number                string                    `t49:"number"`                  // bill of lading, container or request number
	ShipmentID            string                    `t49:"shipment_id"`             // containers, tracking requests; "" if none yet
	SCAC                  string                    `t49:"scac"`                    // "" if unknown
	PortOfLadingName      string                    `t49:"port_of_lading_name"`     // shipments
	PortOfDischargeName   string                    `t49:"port_of_discharge_name"`  // shipments
	ContainersCount       Opt[int]                  `t49:"containers_count"`        // shipments
	TrackingStopped       Opt[bool]                 `t49:"tracking_stopped"`        // shipments
	TrackingStoppedReason LineTrackingStoppedReason `t49:"tracking_stopped_reason"` // shipments; "" while tracked
	Status                TrackingRequestStatus     `t49:"status"`                  // tracking requests
	FailedReason          FailedReason              `t49:"failed_reason"`           // tracking requests
	ReferenceNumbers      []string                  `t49:"ref_numbers"`
	CreatedAt             Time                      `t49:"created_at"` // UTC
	UpdatedAt             Time                      `t49:"updated_at"` // UTC
}

// SearchKind is the kind of resource that a search found.
//
//t49:enum
type SearchKind string

// The values of SearchKind.
const (
	SearchKindShipment        SearchKind = "shipment"
	SearchKindContainer       SearchKind = "cargo" // the service's older word for a container
	SearchKindTrackingRequest SearchKind = "tracking_request"
)

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
