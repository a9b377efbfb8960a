package terminal49test_test

import (
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestRoutes_CoreOperations(t *testing.T) {
	srv := newServer(t)
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
			checkReply(t, callAPI(t, srv, c.method, c.path, c.body), c.status, c.members)
			seen := srv.Requests()
			if last := seen[len(seen)-1]; last.Operation != c.op || last.Status != c.status {
				t.Errorf("recorded %s with %d, want %s with %d", last.Operation, last.Status, c.op, c.status)
			}
		})
	}
	srv.CheckViolations(t)
}

func TestRoutes_UnknownIDsAndPaths(t *testing.T) {
	srv := newServer(t)
	for _, path := range []string{"/shipments/nope", "/containers/nope", "/tracking_requests/nope", "/shipping_lines/nope",
		"/containers/nope/transport_events", "/containers/nope/raw_events"} {
		a := getAPI(t, srv, path)
		checkReply(t, a, 404, map[string]any{"errors/0/status": "404", "errors/0/title": "Not Found"})
		if a.has("errors/0/detail") {
			t.Errorf("%s: the 404 of a resource must have no detail: %s", path, a.raw)
		}
	}
	for _, c := range []struct{ method, path string }{{"GET", "/containers/x/route"}, {"DELETE", "/shipments/x"}, {"GET", "/"}} {
		a := callAPI(t, srv, c.method, c.path, "")
		if a.status != 404 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.raw, "<html>") {
			t.Errorf("%s %s returned %d %s, want an HTML page", c.method, c.path, a.status, a.raw)
		}
	}
	if n := len(srv.Violations()); n != 3 {
		t.Errorf("%d violations, want one for each of three unknown routes: %v", n, srv.Violations())
	}
}

func TestContainers_RefreshNotEnabled(t *testing.T) {
	srv := newServer(t, terminal49test.WithoutRefresh())
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565"})
	checkReply(t, callAPI(t, srv, "PATCH", "/containers/"+id+"/refresh", ""), 403, map[string]any{"errors/0/title": "API access not enabled"})
}
