package terminal49test_test

import (
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestTrackingRequests_CreateCopiesToTheShipment(t *testing.T) {
	srv := newServer(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	a := callAPI(t, srv, "POST", "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{
		"request_type":"bill_of_lading","request_number":"MSKU7182047X","auto_detect_vocc_scac":true,"ref_numbers":["PO-1"],"shipment_tags":["rush"],
		"initial_custom_fields":{"shipment":[{"api_slug":"buyer","value":"Ann"}],"containers":[{"api_slug":"dock","value":3,"number":"MSKU7182047"}]}},
		"relationships":{"customer":{"data":{"id":"`+party+`","type":"party"}}}}}`)
	checkReply(t, a, 201, map[string]any{"data/attributes/scac": nil, "data/attributes/status": "pending", "data/relationships/customer/data/id": party})
	id := a.at("data/id").(string)
	if f := trackingRequest(t, srv, id).InitialCustomFields; len(f) != 2 || f[0].Value != "Ann" || f[1].Number != "MSKU7182047" || f[1].Entity != "container" {
		t.Errorf("custom fields %+v", f)
	}
	srv.Advance(time.Minute)
	// The owner code makes Maersk only likely, so detection fails.
	if r := trackingRequest(t, srv, id); r.Status != "failed" || r.FailedReason != "scac_auto_detect_failed" || r.SCAC != "" {
		t.Errorf("%+v", r)
	}
	a = callAPI(t, srv, "POST", "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{
		"request_type":"bill_of_lading","request_number":"MAEU555000111","auto_detect_vocc_scac":true,"ref_numbers":["PO-1"],"shipment_tags":["rush"]},
		"relationships":{"customer":{"data":{"id":"`+party+`","type":"party"}}}}}`)
	srv.Advance(time.Minute)
	r := trackingRequest(t, srv, a.at("data/id").(string))
	s, _ := srv.Shipment(r.Shipment)
	if r.SCAC != "MAEU" || s.Customer != party || s.ReferenceNumbers[0] != "PO-1" || s.Tags[0] != "rush" {
		t.Errorf("request %+v, shipment %+v", r, s)
	}
	checkReply(t, getAPI(t, srv, "/tracking_requests/"+r.ID), 200, map[string]any{"data/relationships/customer/data/type": "party"})
	own := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU555000112", SCAC: "MAEU", Customer: srv.AccountID})
	checkReply(t, getAPI(t, srv, "/tracking_requests/"+own), 200, map[string]any{"data/relationships/customer/data/type": "account"})
	if c, _ := srv.Container(srv.ContainerIDs(r.Shipment)[0]); c.ReferenceNumbers[0] != "PO-1" {
		t.Errorf("the reference was not copied to the container: %v", c.ReferenceNumbers)
	}
	srv.CheckViolations(t)
}

func TestTrackingRequests_CreateRefusals(t *testing.T) {
	srv := newServer(t)
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU000000001", SCAC: "MAEU", Status: "created"})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU000000002", SCAC: "MAEU", Status: "tracking_stopped"})
	for _, c := range []struct {
		kind, number, scac string
		codes              []string // code and pointer of each error; nil for 201
	}{
		{"bill_of_lading", "MAEU12", "", []string{"blank /data/attributes/scac"}},
		{"bill_of_lading", "MAEU12", "ZZZZ", []string{"blank /data/attributes/scac"}},
		{"container", "MSKU7182047", "ZIMU", []string{"blank /data/attributes/scac"}},
		{"bill_of_lading", "", "", []string{"blank /data/attributes/scac", "blank /data/attributes/request_number"}},
		{"booking", "MAEU12", "MAEU", []string{"invalid_request_type /data/attributes/request_type"}},
		// Codes of live responses of July 2025.
		{"container", "MSCU7861323", "MSCU", []string{"invalid_container /data/attributes/request_number"}},
		{"container", "MSCU1234567", "MSCU", []string{"invalid_container /data/attributes/request_number"}},
		{"container", "HELLO1", "MSCU", []string{"invalid_container /data/attributes/request_number"}},
		{"bill_of_lading", "ABC", "MAEU", []string{"too_short /data/attributes/request_number"}},
		{"house", "ABC", "", []string{"invalid_request_type /data/attributes/request_type",
			"blank /data/attributes/scac", "too_short /data/attributes/request_number"}},
		{"bill_of_lading", "MAEU000000001", "MAEU", []string{"duplicate /data/attributes/request_number"}},
		{"bill_of_lading", "maeu 0000-00001", "MAEU", []string{"duplicate /data/attributes/request_number"}},
		{"bill_of_lading", "MAEU000000002", "MAEU", nil}, // tracking was stopped
		{"bill_of_lading", "MEDU12345678", "MEDU", nil},  // an alternative SCAC of MSCU
	} {
		a := callAPI(t, srv, "POST", "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"`+
			c.kind+`","request_number":"`+c.number+`","scac":"`+c.scac+`"}}}`)
		if c.codes == nil {
			checkReply(t, a, 201, nil)
			continue
		}
		checkReply(t, a, 422, nil)
		for i, code := range c.codes {
			e, _ := a.list("errors")[i].(map[string]any)
			source, _ := e["source"].(map[string]any)
			if got := e["code"].(string) + " " + source["pointer"].(string); got != code || len(a.list("errors")) != len(c.codes) {
				t.Errorf("%+v: %s", c, a.raw)
			}
		}
	}
	a := callAPI(t, srv, "POST", "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{"request_type":"bill_of_lading","request_number":"MAEU78","scac":"MAEU"},
		"relationships":{"customer":{"data":{"id":"unknown","type":"party"}}}}}`)
	checkReply(t, a, 422, map[string]any{"errors/0/source/pointer": "/data/relationships/customer"})
}

// A test can change the number of a record, or replace the record. The service finds records by
// their current number.
func TestTrackingRequests_ChangedNumbers(t *testing.T) {
	create := func(srv *terminal49test.Server, number string) int {
		return callAPI(t, srv, "POST", "/tracking_requests", `{"data":{"type":"tracking_request","attributes":{`+
			`"request_type":"bill_of_lading","request_number":"`+number+`","scac":"MAEU"}}}`).status
	}
	srv := newServer(t)
	id := createRequest(t, srv, "MAEU000000001", "MAEU")
	srv.UpdateTrackingRequest(id, func(r *terminal49test.TrackingRequest) { r.RequestNumber = "MAEU 000-000-002" })
	if a, b := create(srv, "MAEU000000002"), create(srv, "MAEU000000001"); a != 422 || b != 201 {
		t.Errorf("the current number returned %d, the previous one %d", a, b)
	}
	srv.AddTrackingRequest(terminal49test.TrackingRequest{ID: id, RequestNumber: "MAEU000000003", SCAC: "MAEU", Status: "created"})
	if a, b := create(srv, "MAEU000000003"), create(srv, "MAEU000000002"); a != 422 || b != 201 {
		t.Errorf("the number of the replacement returned %d, that of the replaced request %d", a, b)
	}

	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU000000004", ShippingLine: "MAEU"})
	srv.UpdateShipment(shipment, func(s *terminal49test.Shipment) { s.BillOfLadingNumber = "maeu000000005" })
	found, other := createRequest(t, srv, "MAEU000000005", "MAEU"), createRequest(t, srv, "MAEU000000004", "MAEU")
	srv.Advance(time.Minute)
	if got := trackingRequest(t, srv, found).Shipment; got != shipment {
		t.Errorf("led to shipment %s, want the one with the current number", got)
	}
	if got := trackingRequest(t, srv, other).Shipment; got == shipment || got == "" {
		t.Errorf("the previous number led to shipment %q", got)
	}
}
