package terminal49test_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestFilters_Shipments(t *testing.T) {
	srv := newServer(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	a := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", ShippingLine: "MAEU", Customer: party, ReferenceNumbers: []string{"PO-77"}})
	b := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MSCU2", ShippingLine: "MSCU", LineTrackingStoppedAt: start})
	srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: b})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "BOOK9", RequestType: "booking_number", Status: "created", Shipment: a})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MSKU1234565", RequestType: "container", Status: "created", Shipment: b})
	for query, ids := range map[string][]string{
		"":                                 {b, a}, // newest first
		"?number=BOOK9":                    {a},
		"?number=maeu1":                    {a},
		"?number=MSKU1234565":              {}, // never a container number
		"?q=po-7":                          {a},
		"?q=MSKU123":                       {b},
		"?filter[tracking_stopped]=true":   {b},
		"?filter[tracking_stopped]=false":  {a},
		"?filter[customer_id]=" + party:    {a},
		"?filter%5Bcustomer_id%5D=unknown": {},
		"?filter[tracking_stopped]=true&number=MAEU1": {},
	} {
		checkIDs(t, getAPI(t, srv, "/shipments"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func TestFilters_Containers(t *testing.T) {
	srv := newServer(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	s := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", Customer: party})
	a := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: s})
	b := srv.AddContainer(terminal49test.Container{Number: "TGHU7654321"})
	for query, ids := range map[string][]string{
		"":                              {b, a},
		"?filter[number]=MSKU1234565":   {a},
		"?filter[customer_id]=" + party: {a},
		"?filter[customer_name]=Acme":   {a}, // in the same case: service-facts 14.3
		"?filter[number]=NONE0000000":   {},
	} {
		checkIDs(t, getAPI(t, srv, "/containers"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func TestFilters_TrackingRequests(t *testing.T) {
	srv := newServer(t)
	a := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "ONE", SCAC: "MAEU", Status: "failed", CreatedAt: start, ReferenceNumbers: []string{"PO-9"}})
	b := srv.AddTrackingRequest(terminal49test.TrackingRequest{
		RequestNumber: "TWO", SCAC: "MSCU", Status: "awaiting_manifest", RequestType: "booking_number",
		CreatedAt: start.Add(time.Hour), UpdatedAt: start.Add(48 * time.Hour)})
	for query, ids := range map[string][]string{
		"":                                     {b, a},
		"?filter[request_number]=ONE":          {a},
		"?filter[status]=awaiting_manifest":    {b},
		"?filter[scac]=MAEU":                   {a},
		"?filter[request_type]=booking_number": {b},
		"?filter[created_at][start]=2024-07-01T12:30:00Z": {b},
		"?filter[created_at][end]=2024-07-01T12:00:00Z":   {a},
		"?filter[updated_at][start]=2024-07-03":           {b},
		"?filter[updated_at][end]=2024-07-03":             {a},
		"?q=po-9":                                         {a},
	} {
		checkIDs(t, getAPI(t, srv, "/tracking_requests"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func checkIDs(t *testing.T, a testReply, what string, ids []string) {
	t.Helper()
	var got []string
	for _, row := range a.list("data") {
		got = append(got, row.(map[string]any)["id"].(string))
	}
	if strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Errorf("%q returned %v, want %v", what, got, ids)
	}
}
