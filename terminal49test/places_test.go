package terminal49test_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

const partyBody = `{"data":{"type":"party","attributes":{"company_name":NAME}}}`

func TestParties(t *testing.T) {
	srv := quiet(t)
	name := func(n string) string { return strings.Replace(partyBody, "NAME", n, 1) }
	made := call(t, srv, "POST", "/parties", name(`"Harbor Street Imports"`))
	id, _ := made.at("data/id").(string)
	want(t, made, 201, map[string]any{
		"data/type": "party", "data/attributes/company_name": "Harbor Street Imports", "links/self": "/v2/parties/" + id,
	})
	for body, pointer := range map[string]string{
		name(`""`):   "/data/attributes/company_name",
		name(`" "`):  "/data/attributes/company_name",
		name(`null`): "/data/attributes/company_name",
		`{"data":{"type":"party","attributes":{}}}`: "/data/attributes/company_name",
		name(`"harbor street imports"`):             "/data/attributes/customer",
	} {
		want(t, call(t, srv, "POST", "/parties", body), 422, map[string]any{"errors/0/source/pointer": pointer, "errors/0/code": nil})
	}
	other := srv.AddParty(terminal49test.Party{CompanyName: "Other"})
	want(t, call(t, srv, "PATCH", "/parties/"+id, name(`"Other"`)), 422, map[string]any{"errors/0/source/pointer": "/data/attributes/customer"})
	want(t, call(t, srv, "PATCH", "/parties/"+id, name(`""`)), 422, map[string]any{"errors/0/source/pointer": "/data/attributes/company_name"})
	want(t, call(t, srv, "PATCH", "/parties/"+id, name(`"Harbor Street Imports"`)), 200, nil)
	want(t, call(t, srv, "PATCH", "/parties/"+id, name(`"Third"`)), 200, map[string]any{"data/attributes/company_name": "Third"})
	want(t, call(t, srv, "PATCH", "/parties/nobody", name(`"x"`)), 404, nil)
	want(t, get(t, srv, "/parties/nobody"), 404, nil)
	want(t, get(t, srv, "/parties/"+other), 200, map[string]any{"data/attributes/company_name": "Other"})

	list := get(t, srv, "/parties?page[size]=1")
	want(t, list, 200, map[string]any{"meta/total": 2.0, "meta/size": 1.0, "meta/pagination/last": 2.0, "data/0/id": id})
	srv.CheckViolations(t)
}

func TestPlacesByIDAndCode(t *testing.T) {
	srv := quiet(t)
	port := srv.AddPort(terminal49test.Port{Code: "USOAK", Name: "Oakland", Latitude: "37.80"})
	area := srv.AddMetroArea(terminal49test.MetroArea{Code: "USMEM", Name: "Memphis"})
	pier := srv.AddTerminal(terminal49test.Terminal{Name: "Pier One", Nickname: "P1", Port: "USOAK"})
	ramp := srv.AddTerminal(terminal49test.Terminal{Name: "Ramp", MetroArea: area, AsRail: true})
	for path, id := range map[string]string{
		"/ports/USOAK": port, "/ports/" + port: port, "/metro_areas/USMEM": area, "/metro_areas/" + area: area,
		"/terminals/" + pier: pier, "/terminals/" + ramp: ramp,
	} {
		want(t, get(t, srv, path), 200, map[string]any{"data/id": id, "data/attributes/id": id, "links/self": srv.URL + path})
	}
	want(t, get(t, srv, "/ports/USOAK"), 200, map[string]any{"data/attributes/latitude": "37.80", "data/attributes/longitude": nil})
	want(t, get(t, srv, "/terminals/"+ramp), 200, map[string]any{"data/type": "rail_terminal"})
	for _, path := range []string{"/ports/XXABC", "/ports/" + area, "/metro_areas/USOAK", "/terminals/P1", "/vessels/1234567", "/vessels/nobody"} {
		want(t, get(t, srv, path), 404, nil)
	}
	srv.CheckViolations(t)
}

func TestVesselWithARecord(t *testing.T) {
	srv := quiet(t)
	at := func(hours int) time.Time { return start.Add(time.Duration(hours) * time.Hour) }
	ship := srv.AddVessel(terminal49test.Vessel{Name: "RECORDED", IMO: "9074729", Positions: []terminal49test.VesselPosition{
		{At: at(-1), Latitude: 2, Longitude: 3, Heading: 90, Knots: 12},
		{At: at(-300), Latitude: 1, Longitude: 1},
		{At: at(5), Latitude: 4, Longitude: 5},
	}})
	want(t, get(t, srv, "/vessels/9074729"), 200, map[string]any{
		"data/id": ship, "data/attributes/latitude": 2.0, "data/attributes/longitude": 3.0, "data/attributes/nautical_speed_knots": 12.0,
		"data/attributes/navigational_heading_degrees": 90.0, "data/attributes/position_timestamp": at(-1).Format(time.RFC3339),
		"data/attributes/positions": nil,
	})
	a := get(t, srv, "/vessels/"+ship+"?show_positions[to_timestamp]="+at(9).Format(time.RFC3339))
	want(t, a, 200, map[string]any{"data/attributes/positions/0/latitude": 2.0, "data/attributes/positions/0/estimated": false})
	if n := len(a.list("data/attributes/positions")); n != 1 {
		t.Errorf("%d positions in the last week, want 1: the future is not seen and the rest is too old", n)
	}
	srv.Advance(6 * time.Hour)
	want(t, get(t, srv, "/vessels/"+ship), 200, map[string]any{"data/attributes/latitude": 4.0})

	srv.UpdateVessel(ship, func(v *terminal49test.Vessel) { v.Positions = []terminal49test.VesselPosition{} })
	want(t, get(t, srv, "/vessels/"+ship), 200, map[string]any{"data/attributes/latitude": nil, "data/attributes/position_timestamp": nil})
	srv.CheckViolations(t)

	want(t, get(t, srv, "/vessels/"+ship+"?show_positions[from_timestamp]=yesterday"), 200, nil)
	want(t, get(t, srv, "/vessels/"+ship+"?show_positions=true"), 200, nil)
	if v := srv.Violations(); len(v) != 2 || !strings.Contains(v[0].What, "ISO 8601") || !strings.Contains(v[1].What, "not documented") {
		t.Errorf("violations %v", v)
	}
}

// A ship takes the great circle between the ports, on the world's clock.
func TestVesselOnAVoyage(t *testing.T) {
	srv := quiet(t)
	equator := func(code, longitude string) string {
		return srv.AddPort(terminal49test.Port{Code: code, Name: code, Latitude: "0", Longitude: longitude})
	}
	west, east := equator("XXAAA", "170"), equator("XXBBB", "-170")
	ship := srv.AddVessel(terminal49test.Vessel{Name: "DATE LINE", IMO: "9074729"})
	shipment := srv.AddShipment(terminal49test.Shipment{
		Number: "X1", PortOfLading: west, PortOfDischarge: east, Vessel: ship,
		POLATDAt: start, PODETAAt: start.Add(100 * time.Hour), VoyageNumber: "7",
	})
	box := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})

	srv.Advance(75 * time.Hour)
	want(t, get(t, srv, "/vessels/"+ship), 200, map[string]any{
		"data/attributes/latitude": 0.0, "data/attributes/longitude": -175.0, "data/attributes/nautical_speed_knots": 12.0,
		"data/attributes/navigational_heading_degrees": 90.0,
	})
	leg := "?port_id=" + east + "&previous_port_id=" + west
	a := get(t, srv, "/vessels/"+ship+"/future_positions"+leg)
	want(t, a, 200, map[string]any{
		"data/attributes/positions/0/longitude": -175.0, "data/attributes/positions/0/estimated": true,
		"data/attributes/positions/1/timestamp": start.Add(75*time.Hour + time.Minute).Format(time.RFC3339),
	})
	if n := len(a.list("data/attributes/positions")); n != 25*60+1 {
		t.Errorf("%d positions, want one for each of the 25 hours' minutes and the arrival", n)
	}
	want(t, get(t, srv, "/vessels/"+ship+"/future_positions_with_coordinates"+leg+"&latitude=0&longitude=-171"), 200,
		map[string]any{"data/attributes/positions/0/longitude": -171.0})

	want(t, get(t, srv, "/containers/"+box+"/map_geojson"), 200, map[string]any{
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
	srv.Advance(50 * time.Hour) // late: it waits off the port
	if lon, _ := get(t, srv, "/vessels/"+ship).at("data/attributes/longitude").(float64); lon >= -170 {
		t.Errorf("the ship is at %v and has not arrived", lon)
	}
	srv.CheckViolations(t)
}

func TestMapBeforeDepartureAndWithoutPlaces(t *testing.T) {
	srv := quiet(t)
	booked := srv.AddShipment(terminal49test.Shipment{Number: "X1", PortOfLading: "CNSHA", PortOfDischarge: "USLAX"})
	vague := srv.AddShipment(terminal49test.Shipment{Number: "X2", PortOfLading: "CNSHA"})
	a := get(t, srv, "/containers/"+srv.AddContainer(terminal49test.Container{Shipment: booked})+"/map_geojson")
	want(t, a, 200, map[string]any{"features/1/properties/feature_type": "estimated_full_legs", "features/2/properties/state": "California"})
	if n := len(a.list("features")); n != 3 {
		t.Errorf("%d features, want two ports and the leg between", n)
	}
	a = get(t, srv, "/containers/"+srv.AddContainer(terminal49test.Container{Shipment: vague})+"/map_geojson")
	if list, ok := a.at("features").([]any); !ok || len(list) != 0 {
		t.Errorf("features %v, want an empty list", a.at("features"))
	}
	want(t, get(t, srv, "/containers/nothing/map_geojson"), 404, nil)
	srv.CheckViolations(t)
}

func TestFuturePositionsWantTheirArguments(t *testing.T) {
	srv := quiet(t)
	ship := srv.AddVessel(terminal49test.Vessel{Name: "ANY", IMO: "9074729"})
	port := srv.AddPort(terminal49test.Port{Code: "XXAAA", Latitude: "0", Longitude: "0"})
	base := "/vessels/" + ship + "/future_positions"
	leg := "port_id=" + port + "&previous_port_id=" + port
	for query, parameter := range map[string]string{
		"": "port_id", "?port_id=" + port: "previous_port_id",
		"_with_coordinates?" + leg:                              "latitude",
		"_with_coordinates?" + leg + "&latitude=1":              "longitude",
		"_with_coordinates?" + leg + "&latitude=91&longitude=0": "latitude",
	} {
		want(t, get(t, srv, base+query), 400, map[string]any{"errors/0/source/parameter": parameter})
	}
	if len(srv.Violations()) < 5 {
		t.Errorf("violations %v, want one for each request", srv.Violations())
	}
	want(t, get(t, srv, base+"?"+leg), 200, nil)
	want(t, get(t, srv, base+"?port_id=x&previous_port_id="+port), 404, nil)
}

func TestWithoutRouting(t *testing.T) {
	srv := quiet(t, terminal49test.WithoutRouting())
	demo := srv.SeedDemo()
	box := srv.ContainerIDs(demo.Shipments[0])[0]
	want(t, get(t, srv, "/vessels/9708851"), 200, nil)
	for _, path := range []string{
		"/vessels/9708851?show_positions[from_timestamp]=" + start.Format(time.RFC3339),
		"/vessels/x/future_positions", "/vessels/x/future_positions_with_coordinates", "/containers/" + box + "/map_geojson",
	} {
		want(t, get(t, srv, path), 403, map[string]any{
			"errors/0/title": "Forbidden", "errors/0/detail": "Routing data feature is not enabled for this account",
		})
	}
	srv.CheckViolations(t)
}

func TestSearch(t *testing.T) {
	srv := quiet(t)
	for i := range 20 {
		id := srv.AddShipment(terminal49test.Shipment{Number: fmt.Sprintf("FIND%02d", i), ShippingLine: "MAEU", CreatedAt: start.Add(-time.Duration(i) * time.Hour)})
		if i < 4 {
			srv.AddContainer(terminal49test.Container{Number: fmt.Sprintf("BOXU%07d", i), Shipment: id, RefNumbers: []string{"find me"}})
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("FIND%02d", i), Status: "created", Shipment: id})
		}
		if i < 3 {
			srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: fmt.Sprintf("REFIND%d", i), Status: "failed", FailedReason: "not_found"})
		}
	}
	a := get(t, srv, "/search?query=find")
	want(t, a, 200, map[string]any{
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
	want(t, get(t, srv, "/search?query=refind0"), 200, map[string]any{
		"data/0/attributes/status": "failed", "data/0/attributes/failed_reason": "not_found", "data/1": nil})
	srv.CheckViolations(t)

	missing := get(t, srv, "/search")
	want(t, missing, 400, map[string]any{"errors/0/detail": "Query parameter is required", "errors/0/status": nil, "errors/0/title": nil})
	if len(srv.Violations()) != 1 {
		t.Errorf("violations %v", srv.Violations())
	}
}

func TestServerOnAListener(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := terminal49test.NewServer(terminal49test.WithListener(listener))
	defer srv.Close()
	if want := "http://" + listener.Addr().String() + "/v2"; srv.URL != want {
		t.Fatalf("URL %s, want %s", srv.URL, want)
	}
	client := &http.Client{}
	defer client.CloseIdleConnections()
	want(t, do(t, client, request(t, srv, "GET", "/shipments", "")), 200, nil)

	if err := srv.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do(request(t, srv, "GET", "/shipments", "")); err == nil {
		t.Error("it answers after the shutdown")
	}
}

// What takes longer than the context allows is cut.
func TestShutdownCutsWhatTakesTooLong(t *testing.T) {
	srv := terminal49test.NewServer()
	defer srv.Close()
	srv.Fault(terminal49test.Fault{Operation: "shipments.list", Kind: terminal49test.FaultSlow, Delay: time.Hour})
	answered := make(chan error, 1)
	client := &http.Client{}
	defer client.CloseIdleConnections()
	req := request(t, srv, "GET", "/shipments", "")
	go func() {
		resp, err := client.Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		answered <- err
	}()
	for len(srv.Requests()) == 0 {
		select {
		case err := <-answered:
			t.Fatalf("answered at once: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := srv.Shutdown(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("shutdown said %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("the request was answered although the server was gone")
	}
}

// Between two ships the box lies in port: no vessel carries it, and the next leg is a whole one.
func TestMapDuringATransshipment(t *testing.T) {
	srv := quiet(t)
	shipment := srv.AddShipment(terminal49test.Shipment{
		Number: "X1", PortOfLading: "CNSHA", PortOfDischarge: "USLAX", Vessel: "9708851", POLATDAt: start.Add(-96 * time.Hour),
	})
	box := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
	event := func(name string, hours int) {
		srv.AddTransportEvent(terminal49test.TransportEvent{
			Container: box, Event: "container.transport." + name, Location: "KRPUS", At: start.Add(time.Duration(hours) * time.Hour),
		})
	}
	event("transshipment_arrived", -10)
	kinds := func() string {
		var list []string
		for _, f := range get(t, srv, "/containers/"+box+"/map_geojson").list("features") {
			list = append(list, fmt.Sprint(f.(map[string]any)["properties"].(map[string]any)["feature_type"]))
		}
		return strings.Join(list, " ")
	}
	if got := kinds(); got != "port past_vessel_locations port estimated_full_legs port" {
		t.Errorf("in port: %s", got)
	}
	want(t, get(t, srv, "/vessels/9708851"), 200, map[string]any{
		"data/attributes/latitude": 35.1, "data/attributes/longitude": 129.04, "data/attributes/nautical_speed_knots": 0.0,
	})

	event("transshipment_departed", 0) // nobody has told an arrival, so it sails as ships usually do
	srv.Advance(time.Hour)
	if got := kinds(); got != "port past_vessel_locations port current_vessel estimated_partial_leg past_vessel_locations port" {
		t.Errorf("under way again: %s", got)
	}
	if knots := get(t, srv, "/vessels/9708851").at("data/attributes/nautical_speed_knots"); knots != 18.0 {
		t.Errorf("%v knots", knots)
	}
	want(t, get(t, srv, "/search?query=msku"), 200, map[string]any{"data/0/attributes/entity_type": "cargo", "data/0/attributes/scac": nil})
	lone := srv.AddContainer(terminal49test.Container{Number: "TGHU1"})
	want(t, get(t, srv, "/search?query=TGHU1"), 200, map[string]any{"data/0/id": lone, "data/0/attributes/shipment_id": nil})
	srv.CheckViolations(t)
}
