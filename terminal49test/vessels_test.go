package terminal49test_test

import (
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestVessels_WithPositions(t *testing.T) {
	srv := newServer(t)
	at := func(hours int) time.Time { return start.Add(time.Duration(hours) * time.Hour) }
	vessel := srv.AddVessel(terminal49test.Vessel{Name: "RECORDED", IMO: "9074729", Positions: []terminal49test.Position{
		{Timestamp: at(-1), Latitude: 2, Longitude: 3, Heading: 90, SpeedKnots: 12},
		{Timestamp: at(-300), Latitude: 1, Longitude: 1},
		{Timestamp: at(5), Latitude: 4, Longitude: 5},
	}})
	checkReply(t, getAPI(t, srv, "/vessels/9074729"), 200, map[string]any{
		"data/id": vessel, "data/attributes/latitude": 2.0, "data/attributes/longitude": 3.0, "data/attributes/nautical_speed_knots": 12.0,
		"data/attributes/navigational_heading_degrees": 90.0, "data/attributes/position_timestamp": at(-1).Format(time.RFC3339),
		"data/attributes/positions": nil,
	})
	a := getAPI(t, srv, "/vessels/"+vessel+"?show_positions[to_timestamp]="+at(9).Format(time.RFC3339))
	checkReply(t, a, 200, map[string]any{"data/attributes/positions/0/latitude": 2.0, "data/attributes/positions/0/estimated": false})
	if n := len(a.list("data/attributes/positions")); n != 1 {
		t.Errorf("%d positions in the last week, want 1: one is in the future and one too old", n)
	}
	srv.Advance(6 * time.Hour)
	checkReply(t, getAPI(t, srv, "/vessels/"+vessel), 200, map[string]any{"data/attributes/latitude": 4.0})

	srv.UpdateVessel(vessel, func(v *terminal49test.Vessel) { v.Positions = []terminal49test.Position{} })
	checkReply(t, getAPI(t, srv, "/vessels/"+vessel), 200, map[string]any{"data/attributes/latitude": nil, "data/attributes/position_timestamp": nil})
	srv.CheckViolations(t)

	checkReply(t, getAPI(t, srv, "/vessels/"+vessel+"?show_positions[from_timestamp]=yesterday"), 200, nil)
	checkReply(t, getAPI(t, srv, "/vessels/"+vessel+"?show_positions=true"), 200, nil)
	if v := srv.Violations(); len(v) != 2 || !strings.Contains(v[0].Problem, "ISO 8601") || !strings.Contains(v[1].Problem, "not documented") {
		t.Errorf("violations %v", v)
	}
}

// Far from the sea lanes a vessel follows the great circle between the ports, on the simulated
// clock.
func TestVessels_OnAVoyage(t *testing.T) {
	srv := newServer(t)
	equator := func(code, longitude string) string {
		return srv.AddPort(terminal49test.Port{LOCODE: code, Name: code, Latitude: "0", Longitude: longitude})
	}
	west, east := equator("XXAAA", "170"), equator("XXBBB", "-170")
	vessel := srv.AddVessel(terminal49test.Vessel{Name: "DATE LINE", IMO: "9074729"})
	shipment := srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "X1", PortOfLading: west, PortOfDischarge: east, PODVessel: vessel,
		POLATD: start, PODETA: start.Add(100 * time.Hour), PODVoyageNumber: "7",
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})

	srv.Advance(75 * time.Hour)
	checkReply(t, getAPI(t, srv, "/vessels/"+vessel), 200, map[string]any{
		"data/attributes/latitude": 0.0, "data/attributes/longitude": -175.0, "data/attributes/nautical_speed_knots": 12.0,
		"data/attributes/navigational_heading_degrees": 90.0,
	})
	leg := "?port_id=" + east + "&previous_port_id=" + west
	a := getAPI(t, srv, "/vessels/"+vessel+"/future_positions"+leg)
	checkReply(t, a, 200, map[string]any{
		"data/attributes/positions/0/longitude": -175.0, "data/attributes/positions/0/estimated": true,
		"data/attributes/positions/1/timestamp": start.Add(75*time.Hour + time.Minute).Format(time.RFC3339),
	})
	if n := len(a.list("data/attributes/positions")); n != 25*60+1 {
		t.Errorf("%d positions, want one for each minute of 25 hours and the arrival", n)
	}
	checkReply(t, getAPI(t, srv, "/vessels/"+vessel+"/future_positions_with_coordinates"+leg+"&latitude=0&longitude=-171"), 200,
		map[string]any{"data/attributes/positions/0/longitude": -171.0})

	checkReply(t, getAPI(t, srv, "/containers/"+container+"/map_geojson"), 200, map[string]any{
		"type": "FeatureCollection", "data": nil, "links": nil,
		"features/0/properties/feature_type": "port", "features/0/properties/label": "POL", "features/0/properties/ports_total": 2.0,
		"features/1/properties/feature_type": "current_vessel", "features/1/geometry/coordinates/0": -175.0,
		"features/1/properties/voyage_number":  "7",
		"features/2/properties/feature_type":   "estimated_partial_leg",
		"features/3/properties/feature_type":   "past_vessel_locations",
		"features/3/properties/point_count":    76.0,
		"features/4/properties/inbound_eta_at": start.Add(100 * time.Hour).Format(time.RFC3339),
		"features/4/properties/label":          "POD",
		"features/2/geometry/coordinates/0/0":  -175.0,
		"features/3/geometry/coordinates/0/0":  170.0,
	})
	srv.Advance(50 * time.Hour) // late: it waits outside the port
	if lon, _ := getAPI(t, srv, "/vessels/"+vessel).at("data/attributes/longitude").(float64); lon >= -170 {
		t.Errorf("the vessel is at %v, want it outside the port", lon)
	}
	srv.CheckViolations(t)
}

func TestVessels_FuturePositionsRequireParameters(t *testing.T) {
	srv := newServer(t)
	vessel := srv.AddVessel(terminal49test.Vessel{Name: "ANY", IMO: "9074729"})
	port := srv.AddPort(terminal49test.Port{LOCODE: "XXAAA", Latitude: "0", Longitude: "0"})
	base := "/vessels/" + vessel + "/future_positions"
	leg := "port_id=" + port + "&previous_port_id=" + port
	for query, parameter := range map[string]string{
		"": "port_id", "?port_id=" + port: "previous_port_id",
		"_with_coordinates?" + leg:                              "latitude",
		"_with_coordinates?" + leg + "&latitude=1":              "longitude",
		"_with_coordinates?" + leg + "&latitude=91&longitude=0": "latitude",
	} {
		checkReply(t, getAPI(t, srv, base+query), 400, map[string]any{"errors/0/source/parameter": parameter})
	}
	if len(srv.Violations()) < 5 {
		t.Errorf("violations %v, want one for each request", srv.Violations())
	}
	checkReply(t, getAPI(t, srv, base+"?"+leg), 200, nil)
	checkReply(t, getAPI(t, srv, base+"?port_id=x&previous_port_id="+port), 404, nil)
}

func TestVessels_WithoutRouting(t *testing.T) {
	srv := newServer(t, terminal49test.WithoutRouting())
	demo := srv.SeedDemo()
	container := srv.ContainerIDs(demo.Shipments[0])[0]
	checkReply(t, getAPI(t, srv, "/vessels/9708851"), 200, nil)
	for _, path := range []string{
		"/vessels/9708851?show_positions[from_timestamp]=" + start.Format(time.RFC3339),
		"/vessels/x/future_positions", "/vessels/x/future_positions_with_coordinates", "/containers/" + container + "/map_geojson",
	} {
		checkReply(t, getAPI(t, srv, path), 403, map[string]any{
			"errors/0/title": "Forbidden", "errors/0/detail": "Routing data feature is not enabled for this account",
		})
	}
	srv.CheckViolations(t)
}
