package terminal49_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func event(t *testing.T, id string, name terminal49.EventName, when, zone string) *terminal49.TransportEvent {
	t.Helper()
	e := happening(t, "", when, "", zone)
	e.ID, e.Event = id, name
	return e
}

func lines(journey []terminal49.Milestone) []string {
	text := make([]string, len(journey))
	for i, m := range journey {
		text[i] = m.String()
	}
	return text
}

func TestJourney_OfTransportEvents(t *testing.T) {
	c := &terminal49.Container{}
	c.ID = "c"
	arrived := event(t, "1", terminal49.EventVesselArrived, "2026-03-02T16:00:00Z", "America/Los_Angeles")
	arrived.LocationLOCODE, arrived.VoyageNumber, arrived.DataSource = "USLAX", "012E", terminal49.DataSourceShippingLine
	arrived.Location = terminal49.Included[terminal49.Place]("place", &terminal49.Port{Name: "Los Angeles"})
	arrived.Vessel = terminal49.Included("v", &terminal49.Vessel{Name: "EVER GIVEN"})
	arrived.Container = terminal49.Included("c", c)
	discharged := event(t, "0", terminal49.EventVesselDischarged, "2026-03-02T16:00:00Z", "America/Los_Angeles")
	discharged.Location = terminal49.Included[terminal49.Place]("place", &terminal49.MetroArea{Name: "Los Angeles Metro"})
	discharged.Terminal = terminal49.Included("t", &terminal49.Terminal{Name: "TraPac"})
	withdrawn := event(t, "3", terminal49.EventFullOut, "2026-03-01T16:00:00Z", "America/Los_Angeles")
	withdrawn.InvalidatedAt = placed(t, "2026-03-02T00:00:00Z", "UTC")
	replaced := event(t, "4", terminal49.EventVesselDeparted, "2026-02-10T08:00:00Z", "Asia/Shanghai")
	replacing := event(t, "5", terminal49.EventVesselDeparted, "2026-02-11T08:00:00Z", "Asia/Shanghai")
	replacing.PreviousVersion = terminal49.Included("4", replaced)
	others := event(t, "6", terminal49.EventVesselArrived, "2026-03-02T16:00:00Z", "America/Los_Angeles")
	others.Container = terminal49.Included("another", &terminal49.Container{})
	untimed := event(t, "7", terminal49.EventEstimatedArrivedAtInlandDestination, "", "America/Chicago")
	newKind := event(t, "8", "container.transport.weighed", "2026-02-09T08:00:00Z", "")
	newKind.LocationLOCODE = "CNSHA"
	events := []*terminal49.TransportEvent{
		untimed, discharged, arrived, nil, withdrawn, replacing, replaced, others, newKind, arrived,
		event(t, "9", terminal49.EventPickupLFDChanged, "2026-03-03T16:00:00Z", "America/Los_Angeles"),
		event(t, "10", terminal49.EventEstimatedVesselArrived, "2026-03-01T16:00:00Z", "America/Los_Angeles"),
	}
	want := []string{
		"2026-02-09 08:00 (zone unknown) weighed, CNSHA",
		"2026-02-11 16:00 +08:00 vessel departed",
		"2026-03-02 08:00 -08:00 vessel arrived, Los Angeles (USLAX)",
		"2026-03-02 08:00 -08:00 vessel discharged, TraPac",
		"- estimated: arrived at inland destination",
	}
	journey := terminal49.Journey(c, terminal49.JourneyOptions{Events: events})
	assert.Equal(t, want, lines(journey))
	assert.Equal(t, terminal49.Milestone{
		EventID: "1", Event: terminal49.EventVesselArrived, At: arrived.Timestamp, LOCODE: "USLAX", Place: "Los Angeles",
		VesselName: "EVER GIVEN", Voyage: "012E", Source: terminal49.DataSourceShippingLine,
	}, journey[2])
	assert.True(t, journey[4].Estimated)

	slices.Reverse(events)
	assert.Equal(t, want, lines(terminal49.Journey(c, terminal49.JourneyOptions{Events: events})), "the order of the response does not matter")

	all := lines(terminal49.Journey(c, terminal49.JourneyOptions{Events: events, Withdrawn: true}))
	assert.Len(t, all, len(want)+3)
	assert.Contains(t, all, "2026-03-01 08:00 -08:00 estimated: vessel arrived (withdrawn)")
	assert.Contains(t, all, "2026-02-10 16:00 +08:00 vessel departed (withdrawn)")
	assert.Contains(t, all, "2026-03-01 08:00 -08:00 full out (withdrawn)")

	c.TransportEvents = terminal49.IncludedAll(events...)
	assert.Equal(t, want, lines(terminal49.Journey(c, terminal49.JourneyOptions{})), "the events included with the container")
	assert.Empty(t, terminal49.Journey(c, terminal49.JourneyOptions{Events: []*terminal49.TransportEvent{}}))
}

func TestJourney_FillsInTheContainersOwnTimes(t *testing.T) {
	const la, chicago = "America/Los_Angeles", "America/Chicago"
	c := &terminal49.Container{
		PODArrivedAt: placed(t, "2026-03-02T16:00:00Z", la), PODDischargedAt: placed(t, "2026-03-03T16:00:00Z", la),
		INDETA: placed(t, "2026-03-09T16:00:00Z", chicago),
	}
	arrived := event(t, "1", terminal49.EventVesselArrived, "2026-03-02T17:00:00Z", la)
	assert.Equal(t, []string{
		"2026-03-02 09:00 -08:00 vessel arrived",
		"2026-03-03 08:00 -08:00 vessel discharged",
		"2026-03-09 11:00 -05:00 estimated: arrived at inland destination",
	}, lines(terminal49.Journey(c, terminal49.JourneyOptions{Events: []*terminal49.TransportEvent{arrived}})), "an event goes before the attribute")

	arrived.InvalidatedAt = arrived.Timestamp
	c.INDATA = placed(t, "2026-03-09T15:00:00Z", chicago)
	c.FinalDestinationFullOutAt = placed(t, "2026-03-10T15:00:00Z", chicago)
	assert.Equal(t, []string{
		"2026-03-02 08:00 -08:00 vessel arrived",
		"2026-03-03 08:00 -08:00 vessel discharged",
		"2026-03-09 10:00 -05:00 arrived at inland destination",
		"2026-03-10 10:00 -05:00 full out",
	}, lines(terminal49.Journey(c, terminal49.JourneyOptions{Events: []*terminal49.TransportEvent{arrived}})))
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{}) {
		assert.Empty(t, m.EventID)
	}
	assert.Empty(t, terminal49.Journey(nil, terminal49.JourneyOptions{}))
}

// Names are in snake case, like those of the service; a time has the form of RFC 9557.
func TestMilestone_JSON(t *testing.T) {
	for want, m := range map[string]terminal49.Milestone{
		`{"event_id":"e1","event":"container.transport.estimated.vessel_arrived","at":"2026-03-02T16:00:00Z[America/Los_Angeles]",
			"estimated":true,"withdrawn":true,"locode":"USLAX","place":"Fenix Marine","vessel_name":"EVER GIVEN","voyage":"012E","source":"ais"}`: {
			EventID: "e1", Event: terminal49.EventEstimatedVesselArrived, At: terminal49.NewTime(time.Date(2026, 3, 2, 16, 0, 0, 0, time.UTC), "America/Los_Angeles"),
			Estimated: true, Withdrawn: true, LOCODE: "USLAX", Place: "Fenix Marine", VesselName: "EVER GIVEN", Voyage: "012E", Source: "ais",
		},
		`{"event":"container.transport.full_out","at":null,"estimated":false,"withdrawn":false}`: {Event: terminal49.EventFullOut},
	} {
		text, err := json.Marshal(m)
		require.NoError(t, err)
		assert.JSONEq(t, want, string(text))
		var read terminal49.Milestone
		require.NoError(t, json.Unmarshal([]byte(want), &read))
		assert.Equal(t, m, read)
	}
	var read terminal49.Milestone
	require.NoError(t, json.Unmarshal([]byte(`{"event":"container.transport.full_out","at":null,"place":null,"source":null}`), &read))
	assert.Equal(t, terminal49.Milestone{Event: terminal49.EventFullOut}, read)
}

// An event without a place reports the container's own time in the same zone if they are less than
// a day apart. Otherwise it may be at another ramp along the railway.
func TestJourney_RampsInOneZoneAreADayApart(t *testing.T) {
	const la = "America/Los_Angeles"
	c := &terminal49.Container{PODTimezone: la, PODRailDepartedAt: placed(t, "2026-03-05T16:00:00Z", la)}
	for when, want := range map[string]int{
		"2026-03-06T15:59:00Z": 1, "2026-03-04T16:01:00Z": 1, "2026-03-06T16:00:00Z": 2, "2026-03-10T16:00:00Z": 2,
	} {
		departed := event(t, "1", terminal49.EventRailDeparted, when, la)
		assert.Len(t, terminal49.Journey(c, terminal49.JourneyOptions{Events: []*terminal49.TransportEvent{departed}}), want, when)
	}
}

const (
	losAngeles = "America/Los_Angeles"
	chicago    = "America/Chicago"
	shanghai   = "Asia/Shanghai"
)

func placed(t *testing.T, when, zone string) terminal49.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, when)
	require.NoError(t, err)
	if zone == "" {
		return terminal49.NewWallTime(at)
	}
	return terminal49.NewTime(at, zone)
}

// happening returns a valid event of the container without an id.
func happening(t *testing.T, name, when, locode, zone string) *terminal49.TransportEvent {
	t.Helper()
	e := &terminal49.TransportEvent{Event: terminal49.EventName("container.transport." + name), LocationLOCODE: locode, Timezone: zone}
	if when != "" {
		e.Timestamp = placed(t, when, zone)
	}
	return e
}

func journeyLines(c *terminal49.Container, events ...*terminal49.TransportEvent) []string {
	return lines(terminal49.Journey(c, terminal49.JourneyOptions{Events: events}))
}

// toChicago is a container that goes from Shanghai through Los Angeles to Chicago.
func toChicago() *terminal49.Container {
	return &terminal49.Container{
		PODTimezone: losAngeles, FinalDestinationTimezone: chicago,
		Shipment: terminal49.Included("s", &terminal49.Shipment{PortOfLadingLOCODE: "CNSHA", PortOfDischargeLOCODE: "USLAX",
			DestinationLOCODE: "USCHI", POLTimezone: shanghai}),
	}
}

// pod_full_out_at is at the port, final_destination_full_out_at at the inland destination
// (docs/service-containers.md#moves-inland); full_out is after the arrival there
// (docs/service-containers.md#milestones).
func TestJourney_KeepsTheFullOutOfEachPlace(t *testing.T) {
	port, ramp := "2026-03-05 08:00 -08:00 full out", "2026-03-12 10:00 -05:00 full out"
	for name, c := range map[string]struct {
		event *terminal49.TransportEvent
		want  []string
	}{
		"event at the port": {happening(t, "full_out", "2026-03-05T16:00:00Z", "USLAX", losAngeles), []string{port + ", USLAX", ramp}},
		"event at the ramp": {happening(t, "full_out", "2026-03-12T15:00:00Z", "USCHI", chicago), []string{port, ramp + ", USCHI"}},
		"only a zone":       {happening(t, "full_out", "2026-03-12T15:00:00Z", "", chicago), []string{port, ramp}},
		"only a wall clock": {happening(t, "full_out", "2026-03-05T08:00:00Z", "", ""), []string{"2026-03-05 08:00 (zone unknown) full out", ramp}},
		"corrected": {happening(t, "full_out", "2026-03-12T17:00:00Z", "USCHI", chicago),
			[]string{port, "2026-03-12 12:00 -05:00 full out, USCHI"}},
		"without a time":    {happening(t, "full_out", "", "USCHI", chicago), []string{port, ramp + ", USCHI"}},
		"no place or zone":  {happening(t, "full_out", "2026-03-20T15:00:00Z", "", ""), []string{port, ramp, "2026-03-20 15:00 (zone unknown) full out"}},
		"at a third place":  {happening(t, "full_out", "2026-03-14T15:00:00Z", "USMEM", chicago), []string{port, ramp, "2026-03-14 10:00 -05:00 full out, USMEM"}},
		"withdrawn":         {withdrawn(happening(t, "full_out", "2026-03-05T16:00:00Z", "USLAX", losAngeles)), []string{port, ramp}},
		"at the terminal":   {atTerminal(happening(t, "full_out", "2026-03-13T15:00:00Z", "", ""), "ramp"), []string{port, "2026-03-13 15:00 (zone unknown) full out"}},
		"of the whole area": {happening(t, "full_out", "2026-03-12T16:00:00Z", "USJOT", chicago), []string{port, "2026-03-12 11:00 -05:00 full out, USJOT"}},
	} {
		container := toChicago()
		container.PODFullOutAt = placed(t, "2026-03-05T16:00:00Z", losAngeles)
		container.FinalDestinationFullOutAt = placed(t, "2026-03-12T15:00:00Z", chicago)
		container.PickupFacility = terminal49.Included("ramp", &terminal49.Terminal{
			MetroArea: terminal49.Included("m", &terminal49.MetroArea{LOCODE: "USJOT"})})
		assert.Equal(t, c.want, journeyLines(container, c.event), name)
	}
}

func withdrawn(e *terminal49.TransportEvent) *terminal49.TransportEvent {
	e.InvalidatedAt = e.Timestamp
	return e
}

func atTerminal(e *terminal49.TransportEvent, id string) *terminal49.TransportEvent {
	e.Terminal = terminal49.Linked[*terminal49.Terminal]("rail_terminal", id)
	return e
}

// pod_rail_loaded_at and pod_rail_departed_at are at the port of discharge, and rail events have a
// place (docs/service-containers.md#rail).
func TestJourney_KeepsRailAtOriginAndAtThePort(t *testing.T) {
	c := toChicago()
	c.PODRailLoadedAt = placed(t, "2026-03-06T16:00:00Z", losAngeles)
	c.PODRailDepartedAt = placed(t, "2026-03-07T16:00:00Z", losAngeles)
	c.INDATA = placed(t, "2026-03-11T16:00:00Z", chicago)
	events := []*terminal49.TransportEvent{
		happening(t, "rail_loaded", "2026-02-01T00:00:00Z", "CNCKG", shanghai),
		happening(t, "rail_departed", "2026-02-02T00:00:00Z", "CNCKG", shanghai),
		happening(t, "vessel_loaded", "2026-02-09T00:00:00Z", "CNSHA", shanghai),
		happening(t, "rail_arrived", "2026-03-09T16:00:00Z", "USKCK", chicago),
		happening(t, "rail_departed", "2026-03-10T06:00:00Z", "USKCK", chicago),
	}
	assert.Equal(t, []string{
		"2026-02-01 08:00 +08:00 rail loaded, CNCKG",
		"2026-02-02 08:00 +08:00 rail departed, CNCKG",
		"2026-02-09 08:00 +08:00 vessel loaded, CNSHA",
		"2026-03-06 08:00 -08:00 rail loaded",
		"2026-03-07 08:00 -08:00 rail departed",
		"2026-03-09 11:00 -05:00 rail arrived, USKCK",
		"2026-03-10 01:00 -05:00 rail departed, USKCK",
		"2026-03-11 11:00 -05:00 arrived at inland destination",
	}, journeyLines(c, events...))
}

// The events of the sample "Example transport events" of the OpenAPI document, with the container's
// own times for the same. Two events have no time, one has no place.
func TestJourney_OfTheSampleEvents(t *testing.T) {
	events := []*terminal49.TransportEvent{
		happening(t, "vessel_loaded", "", "CLSAI", "America/Santiago"),
		happening(t, "vessel_departed", "", "CLSAI", "America/Santiago"),
		happening(t, "full_out", "2020-04-14T00:00:00Z", "USOAK", losAngeles),
		happening(t, "vessel_discharged", "2020-04-13T00:00:00Z", "USOAK", losAngeles),
		happening(t, "vessel_arrived", "2020-04-13T01:24:00Z", "USOAK", losAngeles),
		happening(t, "empty_in", "2020-04-15T00:00:00Z", "", ""),
	}
	want := []string{
		"2020-04-12 17:00 -07:00 vessel discharged, USOAK",
		"2020-04-12 18:24 -07:00 vessel arrived, USOAK",
		"2020-04-13 17:00 -07:00 full out, USOAK",
		"2020-04-15 00:00 (zone unknown) empty in",
		"- vessel loaded, CLSAI",
		"- vessel departed, CLSAI",
	}
	assert.Equal(t, want, journeyLines(&terminal49.Container{}, events...))
	for _, zone := range []string{losAngeles, ""} {
		wall := func(utc, local string) terminal49.Time {
			if zone == "" {
				return placed(t, local, "")
			}
			return placed(t, utc, zone)
		}
		c := &terminal49.Container{
			PODTimezone: zone, PODDischargedAt: wall("2020-04-13T00:00:00Z", "2020-04-12T17:00:00Z"),
			PODArrivedAt: wall("2020-04-13T01:24:00Z", "2020-04-12T18:24:00Z"),
			PODFullOutAt: wall("2020-04-14T00:00:00Z", "2020-04-13T17:00:00Z"), EmptyTerminatedAt: placed(t, "2020-04-15T07:00:00Z", losAngeles),
		}
		assert.Equal(t, want, journeyLines(c, events...), "each is one milestone; zone %q", zone)
		c.POLVesselLoadedAt = placed(t, "2020-03-20T12:00:00Z", "America/Santiago")
		assert.Equal(t, append([]string{"2020-03-20 09:00 -03:00 vessel loaded, CLSAI"}, slices.Delete(slices.Clone(want), 4, 5)...),
			journeyLines(c, events...), "an event without a time takes the container's")
	}
}

// Container KOCU4959010 of the OpenAPI document, in the order of docs/service-containers.md#rail,
// and the same with events of the same times. Its final_destination_timezone is null.
func TestJourney_OfTheSampleRailContainer(t *testing.T) {
	c := &terminal49.Container{
		PODTimezone:  losAngeles,
		PODArrivedAt: placed(t, "2022-01-03T10:30:00Z", losAngeles), PODDischargedAt: placed(t, "2022-01-08T09:15:00Z", losAngeles),
		PODFullOutAt: placed(t, "2022-02-11T22:18:00Z", losAngeles), PODRailLoadedAt: placed(t, "2022-02-11T22:18:00Z", losAngeles),
		PODRailDepartedAt: placed(t, "2022-02-11T23:30:00Z", losAngeles),
		INDATA:            placed(t, "2022-02-15T01:12:00Z", ""), INDRailUnloadedAt: placed(t, "2022-02-15T07:54:00Z", ""),
	}
	want := []terminal49.EventName{
		terminal49.EventVesselArrived, terminal49.EventVesselDischarged, terminal49.EventFullOut, terminal49.EventRailLoaded,
		terminal49.EventRailDeparted, terminal49.EventArrivedAtInlandDestination, terminal49.EventRailUnloaded,
	}
	var events []*terminal49.TransportEvent
	names := func() (all []terminal49.EventName) {
		for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{Events: events}) {
			all = append(all, m.Event)
		}
		return all
	}
	assert.Equal(t, want, names())
	for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{}) {
		events = append(events, &terminal49.TransportEvent{Event: m.Event, Timestamp: m.At, Timezone: m.At.Zone()})
	}
	assert.Equal(t, want, names())
}

// Milestones can go backwards (docs/service-containers.md#container-status), and a correction
// invalidates the event that it contradicts (docs/service-containers.md#milestones).
func TestJourney_GoesBackwards(t *testing.T) {
	arrived := happening(t, "arrived_at_inland_destination", "2026-03-09T16:00:00Z", "USCHI", chicago)
	estimate := happening(t, "estimated.arrived_at_inland_destination", "2026-03-11T16:00:00Z", "USCHI", chicago)
	returned := happening(t, "empty_in", "2026-03-10T16:00:00Z", "", "")
	assert.Len(t, journeyLines(toChicago(), arrived, estimate, returned), 2)
	assert.Equal(t, []string{"2026-03-11 11:00 -05:00 estimated: arrived at inland destination, USCHI"},
		journeyLines(toChicago(), withdrawn(arrived), estimate, withdrawn(returned)))
}

// The steps of terminal49test.RailJourney, each once, in its order; events and own times both
// report them.
func TestJourney_OfTheSimulator(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		script := terminal49test.RailJourney()
		script.Elapsed = 6 * 24 * time.Hour // found before the second estimate
		srv.Script(testkit.SureNumber, script)
		ctx, client := t.Context(), testkit.SimulatedClient(t, srv)
		request, err := client.TrackingRequests.Create(ctx, testkit.SureRequest())
		require.NoError(t, err)
		request, err = client.TrackingRequests.Wait(ctx, request.ID, nil)
		require.NoError(t, err)
		shipment, _ := request.Shipment.Value()
		names := func(include ...terminal49.ContainerInclude) string {
			include = append(include, terminal49.ContainerIncludeTransportEvents)
			c, err := client.Containers.Get(ctx, shipment.Containers.IDs()[0], &terminal49.ContainerGetParams{Include: include})
			require.NoError(t, err)
			var all []string
			for _, m := range terminal49.Journey(c, terminal49.JourneyOptions{}) {
				all = append(all, m.Description())
			}
			return strings.Join(all, ", ")
		}
		srv.Advance(14 * 24 * time.Hour)
		want := "empty out, full in, vessel loaded, vessel departed, transshipment arrived, transshipment discharged, " +
			"transshipment loaded, transshipment departed, "
		assert.Equal(t, want+"estimated: vessel arrived", names())
		assert.Equal(t, want+"estimated: vessel arrived", names(terminal49.ContainerIncludeShipment))
		srv.Advance(20 * 24 * time.Hour)
		want += "vessel arrived, vessel discharged, rail loaded, rail departed, rail arrived, arrived at inland destination, " +
			"rail unloaded, available, full out, empty in"
		assert.Equal(t, want, names())
		assert.Equal(t, want, names(terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal,
			terminal49.ContainerIncludePickupFacility))
	})
}

// The place is location_locode; a withdrawn event has invalidated_at. full_out is at the port if
// there is no move inland (docs/service-containers.md#milestones).
func TestJourney_DecidesByPlaceAndValidity(t *testing.T) {
	const when = "2026-03-05T16:00:00Z"
	here, there := happening(t, "rail_departed", when, "USCHI", chicago), happening(t, "rail_departed", when, "USMEM", chicago)
	here.ID, there.ID = "a", "b"
	assert.Len(t, journeyLines(toChicago(), here, there), 2, "at the same time at two places")

	there.PreviousVersion = terminal49.Included("a", here)
	assert.Equal(t, []string{"2026-03-05 10:00 -06:00 rail departed, USCHI"}, journeyLines(toChicago(), here, withdrawn(there)),
		"a withdrawn event replaces nothing")

	c := &terminal49.Container{PODTimezone: losAngeles, PODFullOutAt: placed(t, when, losAngeles)}
	out := happening(t, "full_out", "2026-03-05T11:00:00Z", "", "")
	assert.Equal(t, []string{"2026-03-05 11:00 (zone unknown) full out"}, journeyLines(c, out), "there is no other place")
	c.FinalDestinationTimezone = chicago
	assert.Len(t, journeyLines(c, out), 2, "it may be at the inland destination")
}

// pod_eta_at and pod_ata_at are the estimated and the actual arrival at the port of discharge.
// destination_eta_at is the ocean carrier's estimate for the destination, ind_eta_at the railroad's
// (docs/service-containers.md#rail).
func TestJourney_ShowsTheETAOfTheShipment(t *testing.T) {
	const port, ramp = "2026-05-20 05:00 -07:00 estimated: vessel arrived, USLAX", "2026-05-27 07:00 -05:00 estimated: arrived at inland destination"
	expected := func(change func(*terminal49.Container, *terminal49.Shipment)) *terminal49.Container {
		c := toChicago()
		s, _ := c.Shipment.Value()
		s.PODETA, s.AsOf = placed(t, "2026-05-20T12:00:00Z", losAngeles), time.Date(2026, 5, 10, 0, 0, 0, 0, time.UTC)
		change(c, s)
		return c
	}
	reported := func(when, created string) *terminal49.TransportEvent {
		e := happening(t, "estimated.vessel_arrived", when, "USLAX", losAngeles)
		if created != "" {
			e.CreatedAt = placed(t, created, "UTC")
		}
		return e
	}
	bare := func(line string) string { return line[:len(line)-len(", USLAX")] }
	for name, row := range map[string]struct {
		container *terminal49.Container
		events    []*terminal49.TransportEvent
		want      []string
	}{
		"no event": {expected(func(*terminal49.Container, *terminal49.Shipment) {}), nil, []string{bare(port)}},
		"not included": {expected(func(c *terminal49.Container, _ *terminal49.Shipment) {
			c.Shipment = terminal49.Linked[*terminal49.Shipment]("shipment", "s")
		}), nil, []string{}},
		"the same as an event": {expected(func(*terminal49.Container, *terminal49.Shipment) {}),
			[]*terminal49.TransportEvent{reported("2026-05-20T12:00:00Z", "2026-05-01T12:00:00Z")}, []string{port}},
		"newer than an event": {expected(func(*terminal49.Container, *terminal49.Shipment) {}),
			[]*terminal49.TransportEvent{reported("2026-05-18T12:00:00Z", "2026-05-01T12:00:00Z")}, []string{bare(port)}},
		"older than an event": {expected(func(_ *terminal49.Container, s *terminal49.Shipment) {
			s.PODETA = placed(t, "2026-05-18T12:00:00Z", losAngeles)
		}),
			[]*terminal49.TransportEvent{reported("2026-05-20T12:00:00Z", "2026-05-11T12:00:00Z")}, []string{port}},
		"not known which is newer": {expected(func(_ *terminal49.Container, s *terminal49.Shipment) {
			s.PODETA = placed(t, "2026-05-18T12:00:00Z", losAngeles)
		}),
			[]*terminal49.TransportEvent{reported("2026-05-20T12:00:00Z", "")}, []string{port}},
		"arrived": {expected(func(_ *terminal49.Container, s *terminal49.Shipment) {
			s.PODATA = placed(t, "2026-05-19T12:00:00Z", losAngeles)
		}), nil, []string{}},
		"discharged": {expected(func(c *terminal49.Container, _ *terminal49.Shipment) {
			c.PODDischargedAt = placed(t, "2026-05-20T14:00:00Z", losAngeles)
		}), nil, []string{"2026-05-20 07:00 -07:00 vessel discharged"}},
		"at the destination too": {expected(func(_ *terminal49.Container, s *terminal49.Shipment) {
			s.DestinationETA = placed(t, "2026-05-27T12:00:00Z", chicago)
		}), nil, []string{bare(port), ramp}},
		"the railroad knows better": {expected(func(c *terminal49.Container, s *terminal49.Shipment) {
			s.DestinationETA, c.INDETA = placed(t, "2026-05-29T12:00:00Z", chicago), placed(t, "2026-05-27T12:00:00Z", chicago)
		}), nil, []string{bare(port), ramp}},
		"no inland destination": {&terminal49.Container{PODTimezone: losAngeles, Shipment: terminal49.Included("s", &terminal49.Shipment{
			PortOfDischargeLOCODE: "USLAX", DestinationLOCODE: "USLAX", DestinationETA: placed(t, "2026-05-29T12:00:00Z", losAngeles)})}, nil, []string{}},
	} {
		assert.Equal(t, row.want, journeyLines(row.container, row.events...), name)
	}
}

// The order of milestones is that of docs/service-containers.md#milestones and of their times. An
// expected one has "estimated" in its name; invalidated_at withdraws an event.
func TestMilestone_LatestAndNext(t *testing.T) {
	departed := happening(t, "vessel_departed", "2026-05-01T12:00:00Z", "CNSHA", shanghai)
	loaded := happening(t, "vessel_loaded", "2026-04-30T12:00:00Z", "CNSHA", shanghai)
	untimed := happening(t, "full_in", "", "CNSHA", shanghai)
	eta := happening(t, "estimated.vessel_arrived", "2026-05-20T12:00:00Z", "USLAX", losAngeles)
	inland := happening(t, "estimated.arrived_at_inland_destination", "2026-05-27T12:00:00Z", "USCHI", chicago)
	arrived := happening(t, "vessel_arrived", "2026-05-21T12:00:00Z", "USLAX", losAngeles)
	for name, row := range map[string]struct {
		events       []*terminal49.TransportEvent
		latest, next string
	}{
		"none":                     {nil, "", ""},
		"at sea":                   {[]*terminal49.TransportEvent{eta, inland, departed, loaded}, "vessel departed", "estimated: vessel arrived"},
		"arrived":                  {[]*terminal49.TransportEvent{eta, inland, departed, arrived}, "vessel arrived", "estimated: arrived at inland destination"},
		"nothing expected":         {[]*terminal49.TransportEvent{arrived, departed}, "vessel arrived", ""},
		"only expected":            {[]*terminal49.TransportEvent{eta}, "", "estimated: vessel arrived"},
		"without a time":           {[]*terminal49.TransportEvent{untimed, loaded}, "vessel loaded", ""},
		"nothing else has a time":  {[]*terminal49.TransportEvent{untimed, eta}, "full in", "estimated: vessel arrived"},
		"a withdrawn fact":         {[]*terminal49.TransportEvent{loaded, withdrawn(happening(t, "vessel_departed", "2026-05-01T12:00:00Z", "CNSHA", shanghai))}, "vessel loaded", ""},
		"an estimate that is late": {[]*terminal49.TransportEvent{happening(t, "estimated.vessel_arrived", "2026-04-01T12:00:00Z", "USLAX", losAngeles), departed}, "vessel departed", "estimated: vessel arrived"},
	} {
		for _, opts := range []terminal49.JourneyOptions{{Events: row.events}, {Events: row.events, Withdrawn: true}} {
			journey := terminal49.Journey(toChicago(), opts)
			latest, ok := terminal49.LatestMilestone(journey)
			assert.Equal(t, row.latest != "", ok, name)
			assert.Equal(t, row.latest, latest.Description(), name)
			next, ok := terminal49.NextMilestone(journey)
			assert.Equal(t, row.next != "", ok, name)
			assert.Equal(t, row.next, next.Description(), name)
		}
	}
}

// What is reported of a milestone must not make an estimate appear again that it has overtaken in
// the order of docs/service-containers.md#milestones.
func TestJourney_MoreDataBringsNoEstimateBack(t *testing.T) {
	estimate := happening(t, "estimated.vessel_arrived", "2026-05-21T12:00:00Z", "USLGB", losAngeles)
	arrived := placed(t, "2026-05-19T12:00:00Z", losAngeles)
	inland := happening(t, "estimated.arrived_at_inland_destination", "2026-05-25T12:00:00Z", "USCHI", chicago)
	atPusan := []*terminal49.TransportEvent{
		happening(t, "transshipment_loaded", "2026-05-01T12:00:00Z", "KRPUS", "Asia/Seoul"),
		happening(t, "transshipment_departed", "2026-05-02T12:00:00Z", "KRPUS", "Asia/Seoul"),
	}
	sailed := toChicago()
	for name, c := range map[string]struct {
		container *terminal49.Container
		events    []*terminal49.TransportEvent
	}{
		"own arrival":                 {&terminal49.Container{PODArrivedAt: arrived, PODTimezone: losAngeles}, []*terminal49.TransportEvent{estimate}},
		"own arrival and its event":   {&terminal49.Container{PODArrivedAt: arrived, PODTimezone: losAngeles}, []*terminal49.TransportEvent{estimate, happening(t, "vessel_arrived", "2026-05-19T12:00:00Z", "USLAX", losAngeles)}},
		"unloaded at the destination": {&terminal49.Container{}, []*terminal49.TransportEvent{inland, happening(t, "rail_unloaded", "2026-05-24T12:00:00Z", "USCHI", chicago)}},
		"out at the destination":      {&terminal49.Container{}, []*terminal49.TransportEvent{inland, happening(t, "full_out", "2026-05-26T12:00:00Z", "USCHI", chicago)}},
		"transshipped there":          {&terminal49.Container{}, append(atPusan, happening(t, "estimated.vessel_arrived", "2026-05-03T12:00:00Z", "KRPUS", "Asia/Seoul"))},
		"transshipped, so sailed":     {sailed, append(atPusan, happening(t, "estimated.vessel_departed", "2026-05-03T12:00:00Z", "CNSHA", shanghai))},
	} {
		for _, line := range journeyLines(c.container, c.events...) {
			assert.NotContains(t, line, "estimated", name)
		}
	}
	// A feeder may come before the port of lading, so it proves nothing.
	lines := journeyLines(sailed, happening(t, "feeder_departed", "2026-04-20T12:00:00Z", "CNNGB", shanghai),
		happening(t, "estimated.vessel_departed", "2026-05-03T12:00:00Z", "CNSHA", shanghai))
	assert.Len(t, lines, 2)
}

// A terminal reports availability before the arrival, also inland, so it ends no estimate there.
func TestJourney_AvailabilityProvesNoInlandArrival(t *testing.T) {
	eta := happening(t, "estimated.arrived_at_inland_destination", "2026-03-04T16:00:00Z", "USCHI", chicago)
	for _, name := range []string{"available", "not_available"} {
		report := happening(t, name, "2026-03-02T16:00:00Z", "USCHI", chicago)
		next, ok := terminal49.NextMilestone(terminal49.Journey(toChicago(), terminal49.JourneyOptions{Events: []*terminal49.TransportEvent{eta, report}}))
		assert.True(t, ok, name)
		assert.Equal(t, terminal49.EventEstimatedArrivedAtInlandDestination, next.Event, name)
	}
}
