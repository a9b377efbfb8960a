package terminal49test_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestEveryRoute(t *testing.T) {
	srv := quiet(t)
	demo := srv.SeedDemo()
	shipment := demo.Shipments[0]
	container := srv.ContainerIDs(shipment)[0]
	line := srv.AddShippingLine(terminal49test.ShippingLine{SCAC: "ABCD", Name: "Abcd Line"})
	tr := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "ABCD123456", Status: "failed", FailedReason: "expired"})

	cases := []struct {
		op, method, path, body string
		status                 int
		members                map[string]any
	}{
		{"shipments.list", "GET", "/shipments", "", 200, map[string]any{"meta/total": 6.0, "meta/size": 6.0, "data/0/type": "shipment"}},
		{"shipments.get", "GET", "/shipments/" + shipment, "", 200, map[string]any{
			"data/id": shipment, "data/links/self": "/v2/shipments/" + shipment, "data/attributes/customer_name": "Harbor Street Imports"}},
		{"shipments.update", "PATCH", "/shipments/" + shipment, `{"data":{"type":"shipment","id":"` + shipment + `","attributes":{"ref_numbers":["A"],"tags":["x"]}}}`, 200,
			map[string]any{"data/attributes/ref_numbers/0": "A", "data/attributes/tags/0": "x"}},
		{"shipments.stop_tracking", "PATCH", "/shipments/" + shipment + "/stop_tracking", "", 200, map[string]any{
			"data/attributes/line_tracking_stopped_at": "2024-07-01T12:00:00Z", "data/attributes/line_tracking_stopped_reason": "cancelled_by_user"}},
		{"shipments.resume_tracking", "PATCH", "/shipments/" + shipment + "/resume_tracking", `{"data":{"type":"shipment","id":"` + shipment + `"}}`, 200, map[string]any{
			"data/attributes/line_tracking_stopped_at": nil, "data/attributes/line_tracking_stopped_reason": nil}},
		{"tracking_requests.create", "POST", "/tracking_requests", strings.NewReplacer("NUMBER", "MAEU777000111", "SCAC", "MAEU").Replace(createBody), 201,
			map[string]any{"data/attributes/status": "pending", "data/attributes/retry_count": nil, "data/relationships/tracked_object/data": nil}},
		{"tracking_requests.infer", "POST", "/tracking_requests/infer_number", `{"number":"MAEU777000111"}`, 200,
			map[string]any{"data/type": "infer_number_results", "data/attributes/shipping_line/decision": "auto_select"}},
		{"tracking_requests.list", "GET", "/tracking_requests", "", 200, map[string]any{
			"meta/size": 8.0, "meta/total": 8.0, "meta/pagination/current": 1.0, "meta/pagination/records": 8.0}},
		{"tracking_requests.get", "GET", "/tracking_requests/" + tr, "", 200, map[string]any{"data/attributes/failed_reason": "expired"}},
		{"tracking_requests.update", "PATCH", "/tracking_requests/" + tr, `{"data":{"type":"tracking_request","attributes":{"ref_number":"R-1"}}}`, 200,
			map[string]any{"data/attributes/ref_numbers/0": "R-1"}},
		{"containers.list", "GET", "/containers", "", 200, map[string]any{"meta/total": 8.0, "data/0/type": "container"}},
		{"containers.update", "PATCH", "/containers", `{"data":{"type":"container","id":"` + container + `","attributes":{"ref_numbers":["B"]}}}`, 200,
			map[string]any{"data/id": container, "data/attributes/ref_numbers/0": "B"}},
		{"containers.update", "PATCH", "/containers/" + container, `{"data":{"type":"container","attributes":{"ref_numbers":["C"]}}}`, 200,
			map[string]any{"data/id": container, "data/attributes/ref_numbers/0": "C"}},
		{"containers.get", "GET", "/containers/" + container, "", 200, map[string]any{"data/relationships/shipment/data/id": shipment}},
		{"containers.refresh", "PATCH", "/containers/" + container + "/refresh", "", 200, map[string]any{"message": "Started refresh for Shipping line, Terminal"}},
		{"containers.transport_events", "GET", "/containers/" + container + "/transport_events", "", 200, map[string]any{"data/0/type": "transport_event"}},
		{"containers.raw_events", "GET", "/containers/" + container + "/raw_events", "", 200, map[string]any{"data/0/type": "raw_event", "data/0/attributes/index": 0.0}},
		{"shipping_lines.list", "GET", "/shipping_lines", "", 200, map[string]any{"data/0/attributes/scac": "ABCD"}},
		{"shipping_lines.get", "GET", "/shipping_lines/" + line, "", 200, map[string]any{"data/attributes/name": "Abcd Line"}},
	}
	for _, c := range cases {
		t.Run(c.op, func(t *testing.T) {
			want(t, call(t, srv, c.method, c.path, c.body), c.status, c.members)
			seen := srv.Requests()
			if last := seen[len(seen)-1]; last.Operation != c.op || last.Status != c.status {
				t.Errorf("recorded %s with %d, want %s with %d", last.Operation, last.Status, c.op, c.status)
			}
		})
	}
	srv.CheckViolations(t)
}

func TestUnknownIDsAndPages(t *testing.T) {
	srv := quiet(t)
	for _, path := range []string{"/shipments/nope", "/containers/nope", "/tracking_requests/nope", "/shipping_lines/nope",
		"/containers/nope/transport_events", "/containers/nope/raw_events"} {
		a := get(t, srv, path)
		want(t, a, 404, map[string]any{"errors/0/status": "404", "errors/0/title": "Not Found"})
		if a.has("errors/0/detail") {
			t.Errorf("%s: the 404 of a resource has no detail: %s", path, a.raw)
		}
	}
	for _, c := range []struct{ method, path string }{{"GET", "/containers/x/route"}, {"DELETE", "/shipments/x"}, {"GET", "/"}} {
		a := call(t, srv, c.method, c.path, "")
		if a.status != 404 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.raw, "<html>") {
			t.Errorf("%s %s gave %d %s, want an HTML page", c.method, c.path, a.status, a.raw)
		}
	}
	if n := len(srv.Violations()); n != 3 {
		t.Errorf("%d violations, want one for each of three unknown routes: %v", n, srv.Violations())
	}
}

func TestAuthorization(t *testing.T) {
	srv := quiet(t, terminal49test.WithToken("right"))
	for _, header := range []string{"", "Token wrong", "Bearer right", "right"} {
		req := request(t, srv, "GET", "/shipments", "")
		req.Header.Set("Authorization", header)
		want(t, do(t, srv.HTTPClient(), req), 401, map[string]any{"errors/0/detail": "Invalid or missing API token."})
	}
	want(t, get(t, srv, "/shipments"), 200, nil)
}

func TestShipmentFilters(t *testing.T) {
	srv := quiet(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	a := srv.AddShipment(terminal49test.Shipment{Number: "MAEU1", ShippingLine: "MAEU", Customer: party, RefNumbers: []string{"PO-77"}})
	b := srv.AddShipment(terminal49test.Shipment{Number: "MSCU2", ShippingLine: "MSCU", LineTrackingStoppedAt: start})
	srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: b})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "BOOK9", RequestType: "booking_number", Status: "created", Shipment: a})
	srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MSKU1234565", RequestType: "container", Status: "created", Shipment: b})
	for query, ids := range map[string][]string{
		"":                                {b, a}, // newest first
		"?number=BOOK9":                   {a},
		"?number=maeu1":                   {a},
		"?number=MSKU1234565":             {}, // never a container number
		"?q=po-7":                         {a},
		"?q=MSKU123":                      {b},
		"?filter[tracking_stopped]=true":  {b},
		"?filter[tracking_stopped]=false": {a},
		"?filter[customer_id]=" + party:   {a},
		"?filter%5Bcustomer_id%5D=nobody": {},
		"?filter[tracking_stopped]=true&number=MAEU1": {},
	} {
		checkIDs(t, get(t, srv, "/shipments"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func TestContainerFilters(t *testing.T) {
	srv := quiet(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	s := srv.AddShipment(terminal49test.Shipment{Number: "MAEU1", Customer: party})
	a := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: s})
	b := srv.AddContainer(terminal49test.Container{Number: "TGHU7654321"})
	for query, ids := range map[string][]string{
		"":                              {b, a},
		"?filter[number]=MSKU1234565":   {a},
		"?filter[customer_id]=" + party: {a},
		"?filter[customer_name]=acme":   {a},
		"?filter[number]=NONE0000000":   {},
	} {
		checkIDs(t, get(t, srv, "/containers"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func TestTrackingRequestFilters(t *testing.T) {
	srv := quiet(t)
	a := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "ONE", SCAC: "MAEU", Status: "failed", CreatedAt: start, RefNumbers: []string{"PO-9"}})
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
		checkIDs(t, get(t, srv, "/tracking_requests"+query), query, ids)
	}
	srv.CheckViolations(t)
}

func checkIDs(t *testing.T, a answer, what string, ids []string) {
	t.Helper()
	var got []string
	for _, row := range a.list("data") {
		got = append(got, row.(map[string]any)["id"].(string))
	}
	if strings.Join(got, " ") != strings.Join(ids, " ") {
		t.Errorf("%q gave %v, want %v", what, got, ids)
	}
}

func TestIncludes(t *testing.T) {
	srv := quiet(t)
	demo := srv.SeedDemo()
	count := func(a answer) map[string]int {
		n := map[string]int{}
		seen := map[string]bool{}
		for _, r := range a.list("included") {
			o := r.(map[string]any)
			key := o["type"].(string) + "/" + o["id"].(string)
			if seen[key] {
				t.Errorf("%s is included twice", key)
			}
			seen[key] = true
			n[o["type"].(string)]++
		}
		return n
	}
	a := get(t, srv, "/shipments?include=containers,port_of_lading,port_of_discharge,destination,pod_terminal,destination_terminal")
	if n := count(a); n["container"] != 8 || n["port"] != 4 || n["metro_area"] != 1 || n["terminal"] != 5 {
		t.Errorf("included %v", n)
	}
	// Los Angeles, Long Beach and Savannah each stand behind some terminal.
	if n := count(get(t, srv, "/containers?include=shipment.port_of_lading,pod_terminal.port")); n["port"] != 4 || n["shipment"] != 6 {
		t.Errorf("included %v", n)
	}
	if a := get(t, srv, "/shipments"); a.has("included") {
		t.Error("included without being asked for")
	}
	if n := count(get(t, srv, "/tracking_requests")); n["shipment"] != 6 {
		t.Errorf("tracked_object must always be included, got %v", n)
	}
	box := srv.ContainerIDs(demo.Shipments[0])[0]
	n := count(get(t, srv, "/containers/"+box+"/transport_events?include=shipment,container,location,terminal,vessel"))
	if n["shipment"] != 1 || n["container"] != 1 || n["vessel"] != 1 || n["port"] != 3 || n["terminal"] != 1 {
		t.Errorf("included %v", n)
	}
	if n := count(get(t, srv, "/containers/"+box+"/raw_events")); n["vessel"] != 1 || n["port"] != 3 {
		t.Errorf("included with raw events: %v", n)
	}
	srv.CheckViolations(t)

	want(t, get(t, srv, "/shipments?include=shipping_line"), 500, map[string]any{"errors/0/source": nil})
	want(t, get(t, srv, "/containers?include=shipment.nonsense"), 400, map[string]any{
		"errors/0/detail": "shipment.nonsense is not specified as a relationship on V2::ContainerSerializer", "errors/0/source/parameter": "include"})
	if len(srv.Violations()) != 2 {
		t.Errorf("violations: %v", srv.Violations())
	}
}

func TestAttributesOfEveryType(t *testing.T) {
	srv := quiet(t)
	demo := srv.SeedDemo()
	rail := srv.ContainerIDs(demo.Shipments[5])[0]
	srv.Advance(365 * 24 * time.Hour)
	a := get(t, srv, "/containers/"+rail+"?include=shipment.destination_terminal,shipment.destination,pod_terminal.port")
	want(t, a, 200, map[string]any{
		"data/attributes/pod_timezone": "America/Los_Angeles", "data/attributes/final_destination_timezone": "America/Chicago",
		"data/attributes/pod_rail_carrier_scac": "BNSF", "data/attributes/current_status": "empty_returned",
	})
	for _, name := range []string{"empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at", "pod_arrived_at",
		"pod_discharged_at", "pod_rail_loaded_at", "pod_rail_departed_at", "ind_ata_at", "ind_rail_unloaded_at",
		"final_destination_full_out_at", "empty_terminated_at", "rail_last_tracking_request_at", "terminal_checked_at"} {
		if a.at("data/attributes/"+name) == nil {
			t.Errorf("%s is null after the whole rail journey", name)
		}
	}
	for _, name := range []string{"delivered_at", "ssl_lfd", "ind_facility_holds", "ind_facility_fees", "pod_full_out_at", "seal_number"} {
		if !a.has("data/attributes/"+name) || a.at("data/attributes/"+name) != nil {
			t.Errorf("%s must be there and null", name)
		}
	}
	var ramp, port map[string]any
	for _, r := range a.list("included") {
		o := r.(map[string]any)
		attrs := o["attributes"].(map[string]any)
		switch attrs["nickname"] {
		case "BNSF LPC":
			ramp = attrs
		}
		if attrs["code"] == "USLAX" {
			port = attrs
		}
	}
	if ramp["facility_type"] != "rail" || port["latitude"] != "33.74" {
		t.Errorf("ramp %v, port %v", ramp, port)
	}
}

func TestOverrides(t *testing.T) {
	srv := quiet(t)
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Attributes: map[string]any{
		"weight_in_lbs": "41000", "holds_at_pod_terminal": nil, "brand_new": []int{1}}})
	a := get(t, srv, "/containers/"+id)
	want(t, a, 200, map[string]any{"data/attributes/weight_in_lbs": "41000", "data/attributes/holds_at_pod_terminal": nil, "data/attributes/brand_new/0": 1.0})
	if strings.Count(a.raw, "weight_in_lbs") != 1 {
		t.Errorf("an overridden attribute appears twice: %s", a.raw)
	}
}

func TestRefreshEntitlement(t *testing.T) {
	srv := quiet(t, terminal49test.WithoutRefresh())
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565"})
	want(t, call(t, srv, "PATCH", "/containers/"+id+"/refresh", ""), 403, map[string]any{"errors/0/title": "API access not enabled"})
}

func TestSeedDecidesIDs(t *testing.T) {
	page := func(seed int64) string {
		srv := quiet(t, terminal49test.WithSeed(seed))
		srv.SeedDemo()
		return get(t, srv, "/shipments?include=containers").raw
	}
	first, again, other := page(7), page(7), page(8)
	if first != again {
		t.Error("one seed gave two different pages")
	}
	if first == other {
		t.Error("two seeds gave one page")
	}
}

func TestSocket(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.SeedDemo()
	a := do(t, http.DefaultClient, request(t, srv, "GET", "/shipments?page[size]=2", ""))
	want(t, a, 200, map[string]any{"meta/total": 6.0, "links/self": srv.URL + "/shipments?page[size]=2"})
	srv.CheckViolations(t)
	srv.Close()
	srv.Close()
	if _, err := http.DefaultClient.Do(request(t, srv, "GET", "/shipments", "")); err == nil {
		t.Error("a closed server still answers")
	}
}
