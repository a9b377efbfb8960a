package terminal49test_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestSearch_OrderAndLimit(t *testing.T) {
	srv := newServer(t)
	for i := range 20 {
		id := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: fmt.Sprintf("FIND%02d", i), ShippingLine: "MAEU", CreatedAt: start.Add(-time.Duration(i) * time.Hour)})
		if i < 4 {
			srv.AddContainer(terminal49test.Container{Number: fmt.Sprintf("BOXU%07d", i), Shipment: id, ReferenceNumbers: []string{"find me"}})
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("FIND%02d", i), Status: "created", Shipment: id})
		}
		if i < 3 {
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("REFIND%d", i), Status: "failed", FailedReason: "not_found"})
		}
	}
	a := getAPI(t, srv, "/search?query=find")
	checkReply(t, a, 200, map[string]any{
		"data/0/type": "search_result", "data/0/attributes/entity_type": "shipment", "data/0/attributes/number": "FIND00",
		"data/0/attributes/scac": "MAEU", "data/0/attributes/containers_count": 1.0, "data/0/attributes/status": nil,
		"data/0/attributes/created_at": "2024-07-01T12:00:00.000Z", "data/1/attributes/number": "FIND01",
		"meta": nil, "links/self": srv.URL + "/search?query=find", "links/current": srv.URL + "/search?query=find",
	})
	hits := a.list("data")
	if len(hits) != 25 {
		t.Fatalf("%d hits, want 25 of 27", len(hits))
	}
	var kinds []string
	for _, h := range hits {
		kinds = append(kinds, fmt.Sprint(h.(map[string]any)["attributes"].(map[string]any)["entity_type"]))
	}
	order := strings.Join(kinds, " ")
	if order != strings.Repeat("shipment ", 20)+"cargo cargo cargo cargo tracking_request" {
		t.Errorf("order %s", order)
	}
	checkReply(t, getAPI(t, srv, "/search?query=refind0"), 200, map[string]any{
		"data/0/attributes/status": "failed", "data/0/attributes/failed_reason": "not_found", "data/1": nil})
	srv.CheckViolations(t)

	missing := getAPI(t, srv, "/search")
	checkReply(t, missing, 400, map[string]any{"errors/0/detail": "Query parameter is required", "errors/0/status": nil, "errors/0/title": nil})
	if len(srv.Violations()) != 1 {
		t.Errorf("violations %v", srv.Violations())
	}
}
