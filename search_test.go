package terminal49

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func searchCalls() []call {
	return []call{{
		op: "search.query", method: "GET", path: "/search", query: "query=PO 7 & Söhne", reply: `{"data":[]}`,
		do: func(ctx context.Context, c *Client) error { return first(c.Search.Query(ctx, "PO 7 & Söhne")) },
	}}
}

func TestSearch_Requests(t *testing.T) { testCalls(t, searchCalls()) }

func TestSearch_ForNothingIsRefusedBeforeSending(t *testing.T) {
	requireArgument(t, first(newClient(t, newFakeAPI()).Search.Query(t.Context(), " ")), "text")
}

func TestSearch_Decode(t *testing.T) {
	const hits = `{"data":[
		{"id":"s","type":"search_result","attributes":{"entity_type":"shipment","number":"MEDUA1234567","shipment_id":null,"scac":"MSCU",
			"port_of_lading_name":"Shanghai","port_of_discharge_name":"Los Angeles","containers_count":3,"tracking_stopped":true,
			"tracking_stopped_reason":"cancelled_by_user","status":null,"failed_reason":null,"ref_numbers":["PO-1"],
			"created_at":"2026-01-15T10:30:00.000Z","updated_at":"2026-03-01T14:22:00.250Z"}},
		{"id":"c","type":"search_result","attributes":{"entity_type":"cargo","number":"MSCU1234567","shipment_id":"s","scac":null,
			"containers_count":null,"tracking_stopped":null,"ref_numbers":[]}},
		{"id":"r","type":"search_result","attributes":{"entity_type":"tracking_request","number":"X1","status":"failed","failed_reason":"not_found"}}],
		"links":{"self":"https://x.test/v2/search?query=m","current":"https://x.test/v2/search?query=m","next":"https://x.test/v2/search?query=m&page=2"}}`
	found, err := newClient(t, answer(200, hits)).Search.Query(t.Context(), "m", WithStrictDecoding())
	require.NoError(t, err)
	require.Len(t, found, 3)

	s, c, r := found[0], found[1], found[2]
	require.Equal(t, SearchShipment, s.Kind())
	require.Equal(t, "s", s.ID)
	s.Resource = Resource{}
	require.Equal(t, &SearchHit{
		EntityType: SearchShipment, Number: "MEDUA1234567", SCAC: "MSCU", PortOfLadingName: "Shanghai",
		PortOfDischargeName: "Los Angeles", ContainersCount: Some(3), TrackingStopped: Some(true),
		TrackingStoppedReason: StoppedCancelledByUser, ReferenceNumbers: []string{"PO-1"},
		CreatedAt: NewTime(time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC), ""),
		UpdatedAt: NewTime(time.Date(2026, 3, 1, 14, 22, 0, 250e6, time.UTC), ""),
	}, s)
	require.Equal(t, SearchContainer, c.Kind())
	require.Equal(t, "s", c.ShipmentID)
	require.True(t, c.ContainersCount.IsNull())
	require.Equal(t, SearchTrackingRequest, r.Kind())
	require.Equal(t, TrackingFailed, r.Status)
	require.Equal(t, FailedNotFound, r.FailedReason)
}

// The document calls the resource type what was found; the live service says it in the entity type.
func TestSearch_HitKind(t *testing.T) {
	for _, c := range []struct {
		entity SearchKind
		typ    string
		want   SearchKind
		known  bool
	}{
		{"cargo", "search_result", SearchContainer, true},
		{"", "cargo", SearchContainer, true},
		{"container", "search_result", SearchContainer, true},
		{"", "shipment", SearchShipment, true},
		{"tracking_request", "shipment", SearchTrackingRequest, true},
		{"booking", "search_result", "booking", false},
	} {
		hit := SearchHit{EntityType: c.entity, Resource: Resource{Type: c.typ}}
		require.Equal(t, c.want, hit.Kind())
		require.Equal(t, c.known, hit.Kind().Known())
	}
}
