package terminal49test_test

import (
	"strings"
	"testing"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestIncludes_PathsAndDuplicates(t *testing.T) {
	srv := newServer(t)
	demo := srv.SeedDemo()
	count := func(a testReply) map[string]int {
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
	a := getAPI(t, srv, "/shipments?include=containers,port_of_lading,port_of_discharge,destination,pod_terminal,destination_terminal")
	if n := count(a); n["container"] != 8 || n["port"] != 4 || n["metro_area"] != 1 || n["terminal"] != 5 {
		t.Errorf("included %v", n)
	}
	// Los Angeles, Long Beach and Savannah each have one of the terminals.
	if n := count(getAPI(t, srv, "/containers?include=shipment.port_of_lading,pod_terminal.port")); n["port"] != 4 || n["shipment"] != 6 {
		t.Errorf("included %v", n)
	}
	if a := getAPI(t, srv, "/shipments"); a.has("included") {
		t.Error("included without an include parameter")
	}
	if n := count(getAPI(t, srv, "/tracking_requests")); n["shipment"] != 6 {
		t.Errorf("tracked_object must always be included, got %v", n)
	}
	container := srv.ContainerIDs(demo.Shipments[0])[0]
	n := count(getAPI(t, srv, "/containers/"+container+"/transport_events?include=shipment,container,location,terminal,vessel"))
	if n["shipment"] != 1 || n["container"] != 1 || n["vessel"] != 1 || n["port"] != 3 || n["terminal"] != 1 {
		t.Errorf("included %v", n)
	}
	if n := count(getAPI(t, srv, "/containers/"+container+"/raw_events")); n["vessel"] != 1 || n["port"] != 3 {
		t.Errorf("included with raw events: %v", n)
	}
	srv.CheckViolations(t)

	checkReply(t, getAPI(t, srv, "/shipments?include=shipping_line"), 500, map[string]any{"errors/0/source": nil})
	checkReply(t, getAPI(t, srv, "/containers?include=shipment.nonsense"), 400, map[string]any{
		"errors/0/detail": "shipment.nonsense is not specified as a relationship on V2::ContainerSerializer", "errors/0/source/parameter": "include"})
	if len(srv.Violations()) != 2 {
		t.Errorf("violations: %v", srv.Violations())
	}
}

// The service's own client has the include values shipment and container for tracking requests,
// although its relationship is tracked_object.
func TestIncludes_OfTheServicesOwnClient(t *testing.T) {
	srv := newServer(t)
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1"})
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU1", SCAC: "MAEU", Status: "created", Shipment: shipment})
	for _, path := range []string{"/tracking_requests", "/tracking_requests/" + id} {
		checkReply(t, getAPI(t, srv, path+"?include=shipment,container"), 200, map[string]any{"included/0/id": shipment})
	}
	found := srv.Violations()
	if len(found) != 4 || !strings.Contains(found[0].Problem, `include "shipment"`) || !strings.Contains(found[1].Problem, `include "container"`) {
		t.Errorf("violations %q, want one for each include", found)
	}
}
