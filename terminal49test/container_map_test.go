package terminal49test_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestMap_BeforeDepartureAndWithoutPorts(t *testing.T) {
	srv := newServer(t)
	booked := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "X1", PortOfLading: "CNSHA", PortOfDischarge: "USLAX"})
	vague := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "X2", PortOfLading: "CNSHA"})
	a := getAPI(t, srv, "/containers/"+srv.AddContainer(terminal49test.Container{Shipment: booked})+"/map_geojson")
	checkReply(t, a, 200, map[string]any{"features/1/properties/feature_type": "estimated_full_legs", "features/2/properties/state": "California"})
	if n := len(a.list("features")); n != 3 {
		t.Errorf("%d features, want two ports and one leg", n)
	}
	a = getAPI(t, srv, "/containers/"+srv.AddContainer(terminal49test.Container{Shipment: vague})+"/map_geojson")
	if list, ok := a.at("features").([]any); !ok || len(list) != 0 {
		t.Errorf("features %v, want an empty list", a.at("features"))
	}
	checkReply(t, getAPI(t, srv, "/containers/nothing/map_geojson"), 404, nil)
	srv.CheckViolations(t)
}

// Between two vessels the container is in port: there is no current vessel, and the next leg is a
// full one.
func TestMap_DuringATransshipment(t *testing.T) {
	srv := newServer(t)
	shipment := srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "X1", PortOfLading: "CNSHA", PortOfDischarge: "USLAX", PODVessel: "9708851", POLATD: start.Add(-96 * time.Hour),
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
	event := func(name string, hours int) {
		srv.AddTransportEvent(terminal49test.TransportEvent{
			Container: container, Event: "container.transport." + name, Location: "KRPUS", Timestamp: start.Add(time.Duration(hours) * time.Hour),
		})
	}
	event("transshipment_arrived", -10)
	kinds := func() string {
		var list []string
		for _, f := range getAPI(t, srv, "/containers/"+container+"/map_geojson").list("features") {
			list = append(list, fmt.Sprint(f.(map[string]any)["properties"].(map[string]any)["feature_type"]))
		}
		return strings.Join(list, " ")
	}
	if got := kinds(); got != "port past_vessel_locations port estimated_full_legs port" {
		t.Errorf("in port: %s", got)
	}
	checkReply(t, getAPI(t, srv, "/vessels/9708851"), 200, map[string]any{
		"data/attributes/latitude": 35.1, "data/attributes/longitude": 129.04, "data/attributes/nautical_speed_knots": 0.0,
	})

	// without an ETA it sails at the default speed
	event("transshipment_departed", 0)
	srv.Advance(time.Hour)
	if got := kinds(); got != "port past_vessel_locations port current_vessel estimated_partial_leg past_vessel_locations port" {
		t.Errorf("under way again: %s", got)
	}
	if knots := getAPI(t, srv, "/vessels/9708851").at("data/attributes/nautical_speed_knots"); knots != 18.0 {
		t.Errorf("%v knots", knots)
	}
	checkReply(t, getAPI(t, srv, "/search?query=msku"), 200, map[string]any{"data/0/attributes/entity_type": "cargo", "data/0/attributes/scac": nil})
	lone := srv.AddContainer(terminal49test.Container{Number: "TGHU1"})
	checkReply(t, getAPI(t, srv, "/search?query=TGHU1"), 200, map[string]any{"data/0/id": lone, "data/0/attributes/shipment_id": nil})
	srv.CheckViolations(t)
}
