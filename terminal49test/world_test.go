package terminal49test_test

import (
	"slices"
	"testing"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

func TestServer_WithoutReferenceData(t *testing.T) {
	srv := newServer(t, terminal49test.WithoutReferenceData(), terminal49test.WithTrackingDelay(time.Hour))
	checkReply(t, getAPI(t, srv, "/shipping_lines"), 200, map[string]any{"data/0/attributes/scac": "TEST", "data/1": nil})

	srv.AddShippingLine(terminal49test.ShippingLine{SCAC: "ABCD", Name: "Abcd Line", ShortName: "Abcd", BillOfLadingTrackingSupport: true})
	port := srv.AddPort(terminal49test.Port{LOCODE: "USOAK", Name: "Oakland", CountryCode: "US", TimeZone: "America/Los_Angeles"})
	nowhere := srv.AddPort(terminal49test.Port{LOCODE: "XXABC", Name: "Nowhere"})
	area := srv.AddMetroArea(terminal49test.MetroArea{LOCODE: "USMEM", Name: "Memphis", CountryCode: "US", TimeZone: "America/Chicago", Latitude: "35.1"})
	pier := srv.AddTerminal(terminal49test.Terminal{Name: "Pier One", Nickname: "P1", Port: "USOAK"})
	ramp := srv.AddTerminal(terminal49test.Terminal{Name: "Ramp", Nickname: "R1", MetroArea: area, AsRail: true, City: "Memphis"})
	vessel := srv.AddVessel(terminal49test.Vessel{Name: "Straße & Söhne \"III\"", IMO: "9074729"})
	shipment := srv.AddShipment(terminal49test.Shipment{
		BillOfLadingNumber: "ABCD100", ShippingLine: "ABCD", PortOfLading: nowhere, PortOfDischarge: "USOAK", Destination: "USMEM",
		PODTerminal: "P1", DestinationTerminal: ramp, PODVessel: "9074729", ReferenceNumbers: []string{},
	})
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: shipment})
	raw := srv.AddRawEvent(terminal49test.RawEvent{Container: container, Event: "vessel_arrived", OriginalEvent: "ETA", Timestamp: start.Add(48 * time.Hour),
		Estimated: true, Vessel: vessel, LocationName: "Oakland, CA"})
	event := srv.AddTransportEvent(terminal49test.TransportEvent{Container: container, Event: "container.transport.vessel_departed", Timestamp: start,
		Location: nowhere, Terminal: pier, Vessel: vessel, SourceEvent: raw})

	a := getAPI(t, srv, "/shipments/"+shipment+"?include=destination_terminal.metro_area,port_of_discharge.terminals")
	checkReply(t, a, 200, map[string]any{
		"data/attributes/pol_timezone": nil, "data/attributes/port_of_lading_locode": "XXABC", "data/attributes/shipping_line_short_name": "Abcd",
		"data/attributes/pod_vessel_name": "Straße & Söhne \"III\"", "data/attributes/normalized_number": "100",
		"data/relationships/destination/data/type": "metro_area", "data/relationships/destination_terminal/data/type": "rail_terminal",
		"included/0/type": "rail_terminal", "included/0/attributes/city": "Memphis", "included/1/type": "metro_area", "included/1/attributes/latitude": "35.1",
		"included/2/id": port, "included/3/id": pier,
	})
	if list, ok := a.at("data/attributes/ref_numbers").([]any); !ok || len(list) != 0 {
		t.Errorf("an empty list must not become null: %v", a.at("data/attributes/ref_numbers"))
	}
	checkReply(t, getAPI(t, srv, "/containers/"+container+"?include=pickup_facility"), 200, map[string]any{"included/0/id": ramp})
	checkReply(t, getAPI(t, srv, "/containers/"+container+"/transport_events?include=source_event"), 200, map[string]any{
		"data/0/id": event, "data/0/attributes/timezone": nil, "data/0/attributes/data_source": "shipping_line",
		"data/0/relationships/shipment/data/id": shipment, "included/0/id": raw})
	checkReply(t, getAPI(t, srv, "/containers/"+container+"/raw_events"), 200, map[string]any{
		"data/0/attributes/estimated": true, "data/0/attributes/estimated_on": "2024-07-03", "data/0/attributes/actual_at": nil,
		"data/0/attributes/location_name": "Oakland, CA", "data/0/attributes/location_locode": nil,
		"data/0/attributes/data_provider_code": "ABCD", "included/0/id": vessel})

	id := createRequest(t, srv, "ABCD200", "ABCD")
	srv.Advance(59 * time.Minute)
	if s := trackingRequest(t, srv, id).Status; s != "pending" {
		t.Errorf("%s before the delay", s)
	}
	srv.Advance(time.Minute)
	if s := trackingRequest(t, srv, id).Status; s != "created" {
		t.Errorf("%s after the delay", s)
	}
	srv.CheckViolations(t)
}

// A container, a shipment and an event with only a terminal have the zone of the terminal's place.
func TestServer_ZonesOfTerminals(t *testing.T) {
	srv := newServer(t)
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", PODTerminal: "WBCT"})
	unknown := srv.AddContainer(terminal49test.Container{Number: "MSKU7182050"})
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", PODTerminal: "Maher", DestinationTerminal: "BNSF LPC"})
	event := srv.AddTransportEvent(terminal49test.TransportEvent{Container: container, Terminal: "WBCT", Event: "container.transport.full_out"})
	checkReply(t, getAPI(t, srv, "/containers/"+container), 200, map[string]any{"data/attributes/pod_timezone": "America/Los_Angeles"})
	checkReply(t, getAPI(t, srv, "/containers/"+unknown), 200, map[string]any{"data/attributes/pod_timezone": nil})
	checkReply(t, getAPI(t, srv, "/shipments/"+shipment), 200, map[string]any{
		"data/attributes/pod_timezone": "America/New_York", "data/attributes/destination_timezone": "America/Chicago"})
	checkReply(t, getAPI(t, srv, "/containers/"+container+"/transport_events"), 200, map[string]any{
		"data/0/id": event, "data/0/attributes/timezone": "America/Los_Angeles"})
}

func TestServer_Updates(t *testing.T) {
	srv := newServer(t)
	party := srv.AddParty(terminal49test.Party{CompanyName: "Acme"})
	one := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU1", PortOfDischarge: "USLAX"})
	two := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU2", PortOfDischarge: srv.AddPort(terminal49test.Port{LOCODE: "USTIW", TimeZone: "US/Pacific"})})
	container := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", Shipment: one})
	tr := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU1", Status: "created", Shipment: one, Customer: party})

	if !srv.UpdateContainer(container, func(c *terminal49test.Container) {
		c.Shipment, c.AvailableForPickup = two, terminal49test.Bool(true)
	}) {
		t.Fatal("the container does not exist")
	}
	if len(srv.ContainerIDs(one)) != 0 || !slices.Equal(srv.ContainerIDs(two), []string{container}) {
		t.Error("the container was not moved to its new shipment")
	}
	checkReply(t, getAPI(t, srv, "/containers/"+container), 200, map[string]any{
		"data/attributes/available_for_pickup": true, "data/attributes/pod_timezone": "US/Pacific", "data/relationships/shipment/data/id": two})

	srv.UpdateShipment(one, func(s *terminal49test.Shipment) { s.Tags = []string{"late"} })
	checkReply(t, getAPI(t, srv, "/shipments/"+one), 200, map[string]any{"data/attributes/tags/0": "late"})
	srv.UpdateTrackingRequest(tr, func(r *terminal49test.TrackingRequest) { r.Status, r.FailedReason = "failed", "expired" })
	checkReply(t, getAPI(t, srv, "/tracking_requests/"+tr+"?include=customer"), 200, map[string]any{
		"data/attributes/failed_reason": "expired", "included/0/type": "shipment", "included/1/attributes/company_name": "Acme"})
	s, _ := srv.Shipment(two)
	srv.UpdatePort(s.PortOfDischarge, func(p *terminal49test.Port) { p.TimeZone = "" })
	checkReply(t, getAPI(t, srv, "/containers/"+container), 200, map[string]any{"data/attributes/pod_timezone": nil})

	for name, found := range map[string]bool{
		"shipment": srv.UpdateShipment("nope", func(*terminal49test.Shipment) {}), "container": srv.UpdateContainer("nope", nil),
		"request": srv.UpdateTrackingRequest("nope", nil), "port": srv.UpdatePort("nope", nil),
	} {
		if found {
			t.Errorf("a missing %s was updated", name)
		}
	}
}

func TestServer_ReturnsCopies(t *testing.T) {
	srv := newServer(t)
	refs := []string{"PO-1"}
	id := srv.AddContainer(terminal49test.Container{Number: "MSKU7182047", ReferenceNumbers: refs, Holds: []terminal49test.Hold{{Name: "TMF"}}})
	refs[0] = "changed"
	c, _ := srv.Container(id)
	c.ReferenceNumbers[0], c.Holds[0].Name = "changed", "changed"
	checkReply(t, getAPI(t, srv, "/containers/"+id), 200, map[string]any{
		"data/attributes/ref_numbers/0": "PO-1", "data/attributes/holds_at_pod_terminal/0/name": "TMF", "data/attributes/holds_at_pod_terminal/0/status": "hold"})
}
