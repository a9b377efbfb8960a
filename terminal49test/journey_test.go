package terminal49test_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

const day = 24 * time.Hour

// trackJourney tracks a number with the given journey and returns the ids of the shipment and its
// only container.
func trackJourney(t *testing.T, srv *terminal49test.Server, j terminal49test.Journey) (shipment, container string) {
	t.Helper()
	j.Containers = []terminal49test.Container{{Number: "MSKU7182047"}}
	srv.Script("MAEU123456789", j)
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456789", SCAC: "MAEU"})
	srv.Advance(5 * time.Second)
	shipment = trackingRequest(t, srv, id).Shipment
	return shipment, srv.ContainerIDs(shipment)[0]
}

func TestJourney_Default(t *testing.T) {
	srv := newServer(t)
	shipment, id := trackJourney(t, srv, terminal49test.DefaultJourney())
	begin := srv.Now().Add(-6 * day)
	// The last free day is set on the evening of 18 July in Los Angeles, which is the 19th in UTC.
	for _, check := range []struct {
		day       float64
		status    string
		available any // true, false or nil
		holds     string
		owed      float64
		lfd       string
	}{
		{6, "on_ship", nil, "", 0, ""},
		{23, "on_ship", nil, "", 0, ""},
		{23.3, "grounded", false, "", 0, ""}, // availability_known is false: it means nothing
		{23.6, "grounded", false, "customs/pending freight/", 0, ""},
		{23.8, "not_available", false, "customs/pending freight/", 0, "2024-07-23T07:00:00Z"},
		{24.1, "not_available", false, "customs/ freight/", 0, "2024-07-23T07:00:00Z"},
		{25.1, "not_available", false, "freight/", 0, "2024-07-23T07:00:00Z"},
		{26, "available", true, "", 0, "2024-07-23T07:00:00Z"},
		{29.6, "available", true, "", 185, "2024-07-23T07:00:00Z"},
		{30.6, "available", true, "", 370, "2024-07-23T07:00:00Z"},
		{31, "picked_up", false, "", 0, ""},
		{36, "empty_returned", false, "", 0, ""},
		{90, "empty_returned", false, "", 0, ""},
	} {
		srv.Advance(begin.Add(time.Duration(check.day * float64(day))).Sub(srv.Now()))
		c, _ := srv.Container(id)
		var available any
		if c.AvailableForPickup != nil {
			available = *c.AvailableForPickup
		}
		var holds []string
		for _, h := range c.Holds {
			holds = append(holds, h.Name+"/"+h.Status)
		}
		owed := 0.0
		for _, f := range c.Fees {
			owed += f.Amount
		}
		lfd := ""
		if t := c.ImportDeadlines.PickupLFD(); !t.IsZero() {
			lfd = t.Format(time.RFC3339)
		}
		if c.CurrentStatus != check.status || available != check.available || strings.Join(holds, " ") != check.holds || owed != check.owed || lfd != check.lfd {
			t.Errorf("day %v: %s %v %v %v %q, want %+v", check.day, c.CurrentStatus, available, holds, owed, lfd, check)
		}
	}
	s, _ := srv.Shipment(shipment)
	if s.LineTrackingStoppedReason != "all_containers_terminated" || s.PODATA.IsZero() || !s.PODETA.IsZero() ||
		s.PODOriginalETA.Equal(s.PODATA) || s.PODOriginalETA.IsZero() {
		t.Errorf("shipment at the end: %+v", s)
	}
}

func TestJourney_Events(t *testing.T) {
	srv := newServer(t)
	_, id := trackJourney(t, srv, terminal49test.DefaultJourney())
	srv.Advance(40 * day)
	var names []string
	for _, r := range getAPI(t, srv, "/containers/"+id+"/transport_events").list("data") {
		o := r.(map[string]any)
		attrs := o["attributes"].(map[string]any)
		names = append(names, attrs["timestamp"].(string)+strings.TrimPrefix(attrs["event"].(string), "container."))
		if attrs["timezone"] == nil || attrs["location_locode"] == nil {
			t.Errorf("%v has no place", attrs["event"])
		}
	}
	slices.Sort(names)
	var got []string
	for _, n := range names {
		got = append(got, n[len("2024-07-01T12:00:00Z"):])
	}
	want := strings.Fields(`transport.empty_out transport.full_in transport.vessel_loaded transport.vessel_departed
		transport.transshipment_arrived transport.transshipment_discharged transport.transshipment_loaded transport.transshipment_departed
		transport.estimated.vessel_arrived transport.estimated.vessel_arrived transport.vessel_arrived transport.vessel_discharged
		pickup_lfd.changed pickup_lfd_terminal.changed transport.not_available transport.available
		pickup_appointment.changed transport.full_out transport.empty_in`)
	if !slices.Equal(got, want) {
		t.Errorf("events\n%v, want\n%v", got, want)
	}
	raw := getAPI(t, srv, "/containers/"+id+"/raw_events")
	if n := len(raw.list("data")); n != 12 {
		t.Errorf("%d raw events, want 12: carriers report neither availability nor deadlines", n)
	}
}

func TestJourney_Presets(t *testing.T) {
	for name, c := range map[string]struct {
		journey   terminal49test.Journey
		status    string
		available any
		holds     int
		fees      map[string]float64
	}{
		"ready":         {terminal49test.ReadyJourney(), "available", true, 0, nil},
		"customs hold":  {terminal49test.CustomsHoldJourney(), "not_available", false, 1, map[string]float64{"exam": 0}},
		"not released":  {terminal49test.NotReleasedJourney(), "not_available", false, 0, nil},
		"demurrage":     {terminal49test.DemurrageJourney(), "available", true, 0, map[string]float64{"demurrage": 555, "total": 555}},
		"on the vessel": {terminal49test.OnShipJourney(), "on_ship", nil, 0, nil},
		"rail":          {terminal49test.RailJourney(), "on_ship", nil, 0, nil},
	} {
		srv := newServer(t)
		_, id := trackJourney(t, srv, c.journey)
		container, _ := srv.Container(id)
		var available any
		if container.AvailableForPickup != nil {
			available = *container.AvailableForPickup
		}
		if container.CurrentStatus != c.status || available != c.available || len(container.Holds) != c.holds || len(container.Fees) != len(c.fees) {
			t.Errorf("%s: %s %v %v %v", name, container.CurrentStatus, available, container.Holds, container.Fees)
		}
		for _, f := range container.Fees {
			if f.Amount != c.fees[f.Type] {
				t.Errorf("%s: %v", name, f)
			}
		}
	}
}

func TestJourney_Rail(t *testing.T) {
	srv := newServer(t)
	shipment, id := trackJourney(t, srv, terminal49test.RailJourney())
	begin := srv.Now().Add(-20 * day)
	for _, check := range []struct {
		day    float64
		status string
	}{{24, "awaiting_inland_transfer"}, {25.2, "on_rail"}, {28, "on_rail"}, {29.8, "grounded"}, {30.1, "available"}, {31.1, "picked_up"}, {34.1, "empty_returned"}} {
		srv.Advance(begin.Add(time.Duration(check.day * float64(day))).Sub(srv.Now()))
		c, _ := srv.Container(id)
		if c.CurrentStatus != check.status {
			t.Errorf("day %v: %s, want %s", check.day, c.CurrentStatus, check.status)
		}
		if check.day == 30.1 {
			// The ramp is in Chicago, where the day begins at 05:00 UTC in summer.
			if lfd := c.ImportDeadlines.Rail; lfd.Hour() != 5 || !c.ImportDeadlines.Terminal.IsZero() || !c.ImportDeadlines.PickupLFD().Equal(lfd) {
				t.Errorf("deadlines %+v", c.ImportDeadlines)
			}
			a := getAPI(t, srv, "/containers/"+id+"?include=pickup_facility")
			want := map[string]any{"included/0/attributes/facility_type": "rail", "data/attributes/pod_full_out_at": nil}
			for path, v := range want {
				if a.at(path) != v {
					t.Errorf("%s = %v", path, a.at(path))
				}
			}
		}
		if check.day == 28 {
			if s, _ := srv.Shipment(shipment); !c.INDETA.Equal(s.DestinationETA) || c.INDETA.IsZero() {
				t.Errorf("inland arrival %v and %v", c.INDETA, s.DestinationETA)
			}
		}
	}
}

// pickup_lfd_line is midnight in the zone of the port of discharge in every container of the
// service's OpenAPI document whose destination has another zone, such as CMAU0619052.
// pickup_lfd_terminal is in that zone too, and pickup_lfd_rail in the destination's. The changelog
// of 2026-06-29 has a railroad's day at noon.
func TestPickupLFD_InTheZoneOfItsSource(t *testing.T) {
	const losAngeles, chicago, noonInChicago = "07:00:00", "05:00:00", "17:00:00" // in summer
	for name, c := range map[string]struct {
		do      terminal49test.Action
		member  string
		instant string
		zone    any // of the event; nil if it names no place
	}{
		"line":                       {terminal49test.PickupLFD("line", 2), "line", losAngeles, "America/Los_Angeles"},
		"line at the destination":    {terminal49test.PickupLFDAt("line", "USCHI", 2, 0), "line", chicago, "America/Los_Angeles"},
		"terminal":                   {terminal49test.PickupLFD("terminal", 2), "terminal", losAngeles, "America/Los_Angeles"},
		"rail":                       {terminal49test.PickupLFD("rail", 2), "rail", chicago, "America/Chicago"},
		"terminal without terminals": {terminal49test.PickupLFD("terminal", 2), "terminal", losAngeles, nil},
		"rail without terminals":     {terminal49test.PickupLFD("rail", 2), "rail", chicago, nil},
		"rail at noon":               {terminal49test.PickupLFDAt("rail", "", 2, 12*time.Hour), "rail", noonInChicago, "America/Chicago"},
	} {
		srv := newServer(t)
		j := terminal49test.RailJourney()
		j.Steps = []terminal49test.Step{{Do: c.do}}
		if strings.HasSuffix(name, "without terminals") { // then the zone is that of the port, or of the destination
			j.Shipment.PODTerminal, j.Shipment.DestinationTerminal = "", ""
		}
		_, id := trackJourney(t, srv, j)
		a := getAPI(t, srv, "/containers/"+id+"?include=transport_events")
		lfd, _ := a.at("data/attributes/import_deadlines/pickup_lfd_" + c.member).(string)
		if !strings.HasSuffix(lfd, "T"+c.instant+"Z") || a.at("data/attributes/pickup_lfd") != lfd {
			t.Errorf("%s: %s, want %s; pickup_lfd is %v", name, lfd, c.instant, a.at("data/attributes/pickup_lfd"))
		}
		checkReply(t, a, 200, map[string]any{"included/0/attributes/timezone": c.zone, "included/0/attributes/value": lfd})
		if a.at("included/0/attributes/value_timestamp") == nil { // always returned, by the changelog of 2026-05-11
			t.Errorf("%s: the event has no value_timestamp", name)
		}
	}
}

// The changelog of 2026-08-10 says that empty_out_at and pol_full_in_at are stamped wherever the
// container passes the gate, inland depots included.
func TestJourney_GatesAtAnInlandDepot(t *testing.T) {
	srv := newServer(t)
	_, id := trackJourney(t, srv, terminal49test.Journey{
		Shipment: terminal49test.Shipment{PortOfLading: "USLAX", PortOfDischarge: "CNSHA"},
		Steps:    []terminal49test.Step{{Do: terminal49test.EmptyOutAt("USCHI")}, {Do: terminal49test.FullInAt("USCHI")}},
	})
	a := getAPI(t, srv, "/containers/"+id+"?include=transport_events,shipment")
	c, _ := srv.Container(id)
	if c.EmptyOutAt.IsZero() || c.POLFullInAt.IsZero() {
		t.Errorf("gates at %v and %v", c.EmptyOutAt, c.POLFullInAt)
	}
	checkReply(t, a, 200, map[string]any{
		"included/0/attributes/event": "container.transport.empty_out", "included/0/attributes/timezone": "America/Chicago",
		"included/1/attributes/event": "container.transport.full_in", "included/1/attributes/timezone": "America/Chicago",
		"included/2/attributes/pol_timezone": "America/Los_Angeles",
	})
}

// A container that was left behind arrives with another vessel. Of one that left the port by rail,
// pod_full_out_at is set, and that is not its pickup (docs/service-containers.md#moves-inland).
func TestJourney_AnotherVesselAndATrain(t *testing.T) {
	srv := newServer(t)
	_, id := trackJourney(t, srv, terminal49test.Journey{Steps: []terminal49test.Step{
		{Do: terminal49test.PODVessel("9708851", "043E")}, {Do: terminal49test.VesselDischarged("")},
		{Do: terminal49test.RailLoaded("BNSF")}, {Do: terminal49test.PODFullOut()},
	}})
	a := getAPI(t, srv, "/containers/"+id+"?include=shipment")
	checkReply(t, a, 200, map[string]any{
		"data/attributes/current_status": "on_rail", "included/0/attributes/pod_vessel_imo": "9708851", "included/0/attributes/pod_voyage_number": "043E",
	})
	if a.at("data/attributes/pod_full_out_at") == nil {
		t.Error("the gate-out is not reported")
	}
}

// A status needs neither times nor an availability that agrees with it. In the service's webhook
// examples, available_for_pickup is false where availability_known is: of MNBU4188482, for example.
func TestJourney_StatusAlone(t *testing.T) {
	srv := newServer(t)
	_, id := trackJourney(t, srv, terminal49test.Journey{Steps: []terminal49test.Step{
		{Do: terminal49test.VesselDischarged("")}, {Do: terminal49test.Status("picked_up")},
	}})
	checkReply(t, getAPI(t, srv, "/containers/"+id), 200, map[string]any{
		"data/attributes/current_status": "picked_up", "data/attributes/pod_full_out_at": nil,
		"data/attributes/availability_known": false, "data/attributes/available_for_pickup": false,
	})
}

func TestJourney_CustomActionOnOneContainer(t *testing.T) {
	srv := newServer(t)
	srv.Script("MAEU123456789", terminal49test.Journey{
		Containers: []terminal49test.Container{{Number: "MSKU7182047"}, {Number: "MSKU7182411"}},
		Steps: []terminal49test.Step{
			{After: time.Hour, Container: "MSKU7182411", Do: terminal49test.Custom(func(s *terminal49test.ActionContext) {
				s.Container.SealNumber = "SEAL-9"
				s.Do(terminal49test.Milestone("vessel_berthed", "USLAX"))
			})},
		},
	})
	id := createRequest(t, srv, "MAEU123456789", "MAEU")
	srv.Advance(2 * time.Hour)
	containers := srv.ContainerIDs(trackingRequest(t, srv, id).Shipment)
	first, _ := srv.Container(containers[0])
	second, _ := srv.Container(containers[1])
	if first.SealNumber != "" || second.SealNumber != "SEAL-9" {
		t.Errorf("seals %q and %q", first.SealNumber, second.SealNumber)
	}
	if n := len(getAPI(t, srv, "/containers/"+containers[1]+"/transport_events").list("data")); n != 1 {
		t.Errorf("%d events", n)
	}
}

func TestJourney_TrackingStopsAfterTheArrivalWindow(t *testing.T) {
	srv := newServer(t)
	shipment, id := trackJourney(t, srv, terminal49test.DemurrageJourney())
	srv.Advance(60 * day) // it is never picked up
	s, _ := srv.Shipment(shipment)
	if s.LineTrackingStoppedReason != "past_arrival_window" {
		t.Errorf("stopped for %q", s.LineTrackingStoppedReason)
	}
	c, _ := srv.Container(id)
	owed := c.Fees[0].Amount
	srv.Advance(30 * day)
	if c, _ := srv.Container(id); c.Fees[0].Amount != owed {
		t.Error("a fee accrues after tracking stopped")
	}
	if s.LineTrackingStoppedAt.Sub(s.PODATA) != 56*day {
		t.Errorf("stopped %v after arrival", s.LineTrackingStoppedAt.Sub(s.PODATA))
	}
}

func TestJourney_WithoutContainers(t *testing.T) {
	srv := newServer(t)
	srv.Script("MAEU123456789", terminal49test.Journey{NoContainers: true})
	id := createRequest(t, srv, "MAEU123456789", "MAEU")
	srv.Advance(time.Minute)
	a := getAPI(t, srv, "/shipments/"+trackingRequest(t, srv, id).Shipment)
	checkReply(t, a, 200, nil)
	if list, ok := a.at("data/relationships/containers/data").([]any); !ok || len(list) != 0 {
		t.Errorf("containers %v", a.at("data/relationships/containers/data"))
	}
}

func TestServer_SpeedOfTheSimulatedClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithStart(start), terminal49test.WithSpeed(86400))
		time.Sleep(3 * time.Second) // the bubble's clock
		if ran := srv.Now().Sub(start); ran != 3*day {
			t.Errorf("the simulated clock ran %v in three seconds, want three days", ran)
		}
	})
}

func TestJourney_SourcesArePolledWhileTracked(t *testing.T) {
	srv := newServer(t)
	shipment, id := trackJourney(t, srv, terminal49test.NotReleasedJourney())
	srv.Advance(10*day + 3*time.Hour)
	c, _ := srv.Container(id)
	s, _ := srv.Shipment(shipment)
	for name, at := range map[string]time.Time{
		"terminal": c.TerminalCheckedAt, "port": c.TerminalLastRequestedAt, "line": c.LineLastRequestedAt, "shipment": s.LineTrackingLastSucceededAt,
	} {
		if age := srv.Now().Sub(at); age != 3*time.Hour {
			t.Errorf("%s: polled %v ago, want three hours", name, age)
		}
	}
	callAPI(t, srv, "PATCH", "/shipments/"+shipment+"/stop_tracking", "")
	srv.Advance(day)
	if again, _ := srv.Container(id); !again.TerminalCheckedAt.Equal(c.TerminalCheckedAt) {
		t.Error("the terminal is polled while tracking is stopped")
	}
	callAPI(t, srv, "PATCH", "/shipments/"+shipment+"/resume_tracking", "")
	if again, _ := srv.Container(id); !again.TerminalCheckedAt.Equal(srv.Now()) {
		t.Error("the terminal is not polled when tracking resumes")
	}
}

func TestJourney_TerminalIsNotPolledBeforeArrival(t *testing.T) {
	srv := newServer(t)
	_, id := trackJourney(t, srv, terminal49test.OnShipJourney())
	srv.Advance(day)
	if c, _ := srv.Container(id); !c.TerminalCheckedAt.IsZero() || c.LineLastRequestedAt.IsZero() {
		t.Errorf("terminal polled at %v, line at %v", c.TerminalCheckedAt, c.LineLastRequestedAt)
	}
}

func TestJourney_TrackingStoppedByTheLine(t *testing.T) {
	srv := newServer(t)
	j := terminal49test.OnShipJourney()
	j.Steps = append(j.Steps,
		terminal49test.Step{After: 14 * day, Do: terminal49test.FeePosted(terminal49test.Fee{Type: "other", Amount: 0.1 + 0.2, CurrencyCode: "EUR"})},
		terminal49test.Step{After: 14 * day, Do: terminal49test.FeePosted(terminal49test.Fee{Type: "other", Amount: 12.345})},
		terminal49test.Step{After: 15 * day, Do: terminal49test.PickupLFD("line", 3)},
		terminal49test.Step{After: 15 * day, Do: terminal49test.PickupLFD("", 1)},
		terminal49test.Step{After: 16 * day, Do: terminal49test.TrackingStopped("no_updates_at_line")})
	shipment, id := trackJourney(t, srv, j)
	srv.Advance(4 * day)
	s, _ := srv.Shipment(shipment)
	if s.LineTrackingStoppedReason != "no_updates_at_line" || s.LineTrackingStoppedByUser != "" {
		t.Errorf("stopped for %q by %q", s.LineTrackingStoppedReason, s.LineTrackingStoppedByUser)
	}
	a := getAPI(t, srv, "/containers/"+id)
	checkReply(t, a, 200, map[string]any{"data/attributes/fees_at_pod_terminal/0/amount": 12.35, "data/attributes/fees_at_pod_terminal/0/currency_code": "USD",
		"data/attributes/fees_at_pod_terminal/1": nil})
	// The line's deadline is sent although the terminal's is earlier.
	line, pickup := a.at("data/attributes/import_deadlines/pickup_lfd_line"), a.at("data/attributes/pickup_lfd")
	if line != pickup || line == nil || a.at("data/attributes/import_deadlines/pickup_lfd_terminal").(string) >= line.(string) {
		t.Errorf("deadlines %v, pickup_lfd %v", a.at("data/attributes/import_deadlines"), pickup)
	}
}
