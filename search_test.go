package terminal49_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestSearch_Requests(t *testing.T) { testkit.TestCalls(t, testkit.SearchCalls()) }

func TestSearch_ForNothingIsRefusedBeforeSending(t *testing.T) {
	testkit.RequireArgument(t,
		testkit.First(testkit.NewClient(t, testkit.NewFakeAPI()).Search.Query(t.Context(), " ")), "text")
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
	found, err := testkit.NewClient(t, testkit.Answer(200, hits)).Search.Query(t.Context(), "m",
		terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Len(t, found, 3)

	s, c, r := found[0], found[1], found[2]
	require.Equal(t, terminal49.SearchKindShipment, s.Kind())
	require.Equal(t, "s", s.ID)
	s.Resource = terminal49.Resource{}
	require.Equal(t, &terminal49.SearchHit{
		EntityType: terminal49.SearchKindShipment, Number: "MEDUA1234567", SCAC: "MSCU", PortOfLadingName: "Shanghai",
		PortOfDischargeName: "Los Angeles", ContainersCount: terminal49.Some(3), TrackingStopped: terminal49.Some(true),
		TrackingStoppedReason: terminal49.StoppedCancelledByUser, ReferenceNumbers: []string{"PO-1"},
		CreatedAt: terminal49.NewTime(time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC), ""),
		UpdatedAt: terminal49.NewTime(time.Date(2026, 3, 1, 14, 22, 0, 250e6, time.UTC), ""),
	}, s)
	require.Equal(t, terminal49.SearchKindContainer, c.Kind())
	require.Equal(t, "s", c.ShipmentID)
	require.True(t, c.ContainersCount.IsNull())
	require.Equal(t, terminal49.SearchKindTrackingRequest, r.Kind())
	require.Equal(t, terminal49.TrackingFailed, r.Status)
	require.Equal(t, terminal49.FailedNotFound, r.FailedReason)
}

// The values are those of the example of GET /search in the service's OpenAPI document.
func TestSearch_HitsOfTheDocumentAreStored(t *testing.T) {
	const list = `[
		{"id":"abc12345-6789-40ef-9012-3456789abcde","type":"shipment","attributes":{"entity_type":"shipment","number":"MEDUA1234567",
			"shipment_id":null,"scac":"MSCU","port_of_lading_name":"Shanghai","port_of_discharge_name":"Los Angeles","containers_count":3,
			"tracking_stopped":false,"ref_numbers":["PO-2026-001"],"created_at":"2026-01-15T10:30:00.000Z","updated_at":"2026-03-01T14:22:00.000Z"}},
		{"id":"def45678-9012-43ab-9cde-f0123456789a","type":"cargo","attributes":{"entity_type":"cargo","number":"MSCU1234567",
			"shipment_id":"abc12345-6789-40ef-9012-3456789abcde","scac":"MSCU","containers_count":null,"ref_numbers":[]}}]`
	found, err := testkit.NewClient(t, testkit.Answer(200, `{"data":`+list+`}`)).Search.Query(t.Context(), "M")
	require.NoError(t, err)
	written, err := json.Marshal(found)
	require.NoError(t, err)
	for name, text := range map[string]string{"as sent": list, "as written": string(written)} {
		var read []terminal49.SearchHit
		require.NoError(t, json.Unmarshal([]byte(text), &read), name)
		require.Len(t, read, 2, name)
		require.Equal(t, terminal49.SearchKindShipment, read[0].Kind(), name)
		require.Equal(t, terminal49.Some(3), read[0].ContainersCount, name)
		require.Equal(t, terminal49.SearchKindContainer, read[1].Kind(), name)
		require.Equal(t, "abc12345-6789-40ef-9012-3456789abcde", read[1].ShipmentID, name)
	}
}

// A hit is named after its kind or with the usual type. The kind of a hit may be new; what is
// certainly another resource is refused.
func TestSearch_TypesOfStoredHits(t *testing.T) {
	for hit, want := range map[string]bool{
		`"type":"search_result","attributes":{"entity_type":"shipment"}`: true,
		`"type":"shipment","attributes":{"number":"M"}`:                  true,
		`"type":"cargo","attributes":{"number":"M"}`:                     true,
		`"type":"container","attributes":{"number":"M"}`:                 true,
		`"type":"tracking_request","attributes":{"number":"M"}`:          true,
		`"type":"vessel","attributes":{"entity_type":"vessel"}`:          true,
		`"type":"booking","attributes":{"number":"M"}`:                   true,
		`"type":"vessel","attributes":{"name":"M"}`:                      false,
		`"type":"webhook","attributes":{"url":"M"}`:                      false,
		`"type":"","attributes":{"entity_type":"shipment"}`:              false,
	} {
		var read []terminal49.SearchHit
		err := json.Unmarshal([]byte(`[{"id":"a",`+hit+`}]`), &read)
		require.Equal(t, want, err == nil, "%s: %v", hit, err)
	}
}

// The documentation has the kind in the resource type; the live service has it in the entity type.
func TestSearch_HitKind(t *testing.T) {
	for _, c := range []struct {
		entity terminal49.SearchKind
		typ    string
		want   terminal49.SearchKind
		known  bool
	}{
		{"cargo", "search_result", terminal49.SearchKindContainer, true},
		{"", "cargo", terminal49.SearchKindContainer, true},
		{"container", "search_result", terminal49.SearchKindContainer, true},
		{"", "shipment", terminal49.SearchKindShipment, true},
		{"tracking_request", "shipment", terminal49.SearchKindTrackingRequest, true},
		{"booking", "search_result", "booking", false},
	} {
		hit := terminal49.SearchHit{EntityType: c.entity, Resource: terminal49.Resource{Type: c.typ}}
		require.Equal(t, c.want, hit.Kind())
		require.Equal(t, c.known, hit.Kind().Known())
	}
}

// The dashboard's address takes any number as q.
func TestDashboardURL_EscapesTheNumber(t *testing.T) {
	for number, want := range map[string]string{
		"MSKU7182047":  "https://app.terminal49.com/shipments/find?q=MSKU7182047",
		" PO 7&8/ü#1 ": "https://app.terminal49.com/shipments/find?q=PO+7%268%2F%C3%BC%231",
	} {
		got, err := url.Parse(terminal49.DashboardURL(number))
		require.NoError(t, err)
		require.Equal(t, want, got.String())
		require.Equal(t, url.Values{"q": {strings.TrimSpace(number)}}, got.Query())
	}
	require.Empty(t, terminal49.DashboardURL(""))
	require.Empty(t, terminal49.DashboardURL(" "))
}
