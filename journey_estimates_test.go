package terminal49_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/go-freight/terminal49"
)

// pod_eta_at and pod_ata_at are the estimated and the actual arrival at the port of discharge.
// destination_eta_at is the ocean carrier's estimate for the destination, ind_eta_at the railroad's
// (docs/service.md#rail).
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

// The order of milestones is that of docs/service.md#milestones and of their times. An expected one
// has "estimated" in its name; invalidated_at withdraws an event.
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

// An estimate has the name of its milestone, and often neither relationships nor a place
// (docs/service.md#event-payloads). Container CAIU7432986 of the OpenAPI document is discharged
// without an arrival; the order of milestones is that of docs/service.md#milestones.
func TestJourney_LeavesOutOvertakenEstimates(t *testing.T) {
	const when, later = "2026-03-02T16:00:00Z", "2026-03-04T16:00:00Z"
	eta := func(locode, zone string) *terminal49.TransportEvent {
		return happening(t, "estimated.vessel_arrived", later, locode, zone)
	}
	etd := happening(t, "estimated.vessel_departed", later, "CNSHA", shanghai)
	inland := happening(t, "estimated.arrived_at_inland_destination", later, "USCHI", chicago)
	own := func(set func(c *terminal49.Container)) *terminal49.Container {
		c := toChicago()
		set(c)
		return c
	}
	for name, c := range map[string]struct {
		container *terminal49.Container
		estimate  *terminal49.TransportEvent
		actual    *terminal49.TransportEvent
		stays     bool
	}{
		"arrival at the place":        {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_arrived", when, "USLAX", losAngeles), false},
		"estimate without a place":    {toChicago(), eta("", ""), happening(t, "vessel_arrived", when, "USLAX", losAngeles), false},
		"arrival without a place":     {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_arrived", when, "", ""), false},
		"nothing known of the places": {&terminal49.Container{}, eta("", ""), happening(t, "vessel_arrived", when, "", ""), false},
		"discharge":                   {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_discharged", when, "USLAX", losAngeles), false},
		"withdrawn arrival":           {toChicago(), eta("USLAX", losAngeles), withdrawn(happening(t, "vessel_arrived", when, "USLAX", losAngeles)), true},
		"arrival for transshipment":   {toChicago(), eta("USLAX", losAngeles), happening(t, "transshipment_arrived", when, "KRPUS", "Asia/Seoul"), true},
		"the same without places":     {toChicago(), eta("", ""), happening(t, "transshipment_arrived", when, "", ""), true},
		"of the transshipment":        {toChicago(), eta("KRPUS", "Asia/Seoul"), happening(t, "transshipment_arrived", when, "KRPUS", "Asia/Seoul"), false},
		"by barge":                    {toChicago(), eta("NLRTM", "Europe/Amsterdam"), happening(t, "feeder_arrived", when, "NLRTM", "Europe/Amsterdam"), false},
		"arrival elsewhere":           {toChicago(), eta("USLAX", losAngeles), happening(t, "vessel_arrived", when, "KRPUS", "Asia/Seoul"), true},
		"reported unavailable":        {toChicago(), eta("USLAX", losAngeles), happening(t, "not_available", when, "USLAX", losAngeles), true},
		"departure":                   {toChicago(), etd, happening(t, "vessel_departed", when, "CNSHA", shanghai), false},
		"loading":                     {toChicago(), etd, happening(t, "vessel_loaded", when, "CNSHA", shanghai), true},
		"departure, arrived since":    {toChicago(), etd, happening(t, "vessel_arrived", when, "USLAX", losAngeles), false},
		"inland arrival":              {toChicago(), inland, happening(t, "arrived_at_inland_destination", when, "", ""), false},
		"inland unloading":            {toChicago(), inland, happening(t, "rail_unloaded", when, "USCHI", chicago), false},
		"arrival at a ramp":           {toChicago(), inland, happening(t, "rail_arrived", when, "USKCK", chicago), true},
		"returned empty":              {toChicago(), inland, happening(t, "empty_in", when, "", ""), false},
		"own arrival": {own(func(c *terminal49.Container) { c.PODArrivedAt = placed(t, when, losAngeles) }),
			eta("USLAX", losAngeles), nil, false},
		"own discharge": {own(func(c *terminal49.Container) { c.PODDischargedAt = placed(t, when, losAngeles) }),
			eta("", ""), nil, false},
		"own inland arrival": {own(func(c *terminal49.Container) { c.INDATA = placed(t, when, chicago) }), inland, nil, false},
		"own ETA and inland arrival": {own(func(c *terminal49.Container) { c.INDETA = placed(t, later, chicago) }), nil,
			happening(t, "arrived_at_inland_destination", when, "", ""), false},
		"own ETA": {own(func(c *terminal49.Container) { c.INDETA = placed(t, later, chicago) }), nil,
			happening(t, "vessel_arrived", when, "USLAX", losAngeles), true},
		"own ETA and an estimate": {own(func(c *terminal49.Container) { c.INDETA = placed(t, when, chicago) }), inland, nil, true},
	} {
		journey := terminal49.Journey(c.container, terminal49.JourneyOptions{Events: []*terminal49.TransportEvent{c.estimate, c.actual}})
		estimates := 0
		for _, m := range journey {
			if m.Estimated {
				estimates++
			}
		}
		assert.Equal(t, map[bool]int{true: 1, false: 0}[c.stays], estimates, "%s: %v", name, journey)
	}
}

// created_at is when an estimate was made, previous_version the event that it replaces
// (docs/service.md#transport-events).
func TestJourney_ShowsTheNewestEstimate(t *testing.T) {
	estimate := func(id, when, locode, zone, created string) *terminal49.TransportEvent {
		e := happening(t, "estimated.vessel_arrived", when, locode, zone)
		e.ID = id
		if created != "" {
			e.CreatedAt = placed(t, created, "UTC")
		}
		return e
	}
	first := estimate("a", "2026-03-09T16:00:00Z", "USLAX", losAngeles, "2026-02-01T00:00:00Z")
	newest := estimate("b", "2026-03-02T16:00:00Z", "USLAX", losAngeles, "2026-02-03T00:00:00Z")
	minimal := estimate("c", "2026-03-05T16:00:00Z", "", "", "2026-02-02T00:00:00Z")
	elsewhere := estimate("d", "2026-02-20T16:00:00Z", "KRPUS", "Asia/Seoul", "2026-01-01T00:00:00Z")
	undated := estimate("e", "2026-03-07T16:00:00Z", "USLAX", losAngeles, "")
	assert.Equal(t, []string{"2026-03-02 08:00 -08:00 estimated: vessel arrived, USLAX"}, journeyLines(toChicago(), first, newest, minimal))
	assert.Equal(t, []string{"2026-03-05 16:00 (zone unknown) estimated: vessel arrived"}, journeyLines(toChicago(), minimal, first))
	assert.Len(t, journeyLines(toChicago(), newest, elsewhere), 2, "of two places")
	assert.Len(t, journeyLines(toChicago(), newest, undated), 2, "which one is newer is not known")
	undated.PreviousVersion = terminal49.Linked[*terminal49.TransportEvent]("transport_event", "b")
	newest.PreviousVersion = terminal49.Linked[*terminal49.TransportEvent]("transport_event", "a")
	newest.InvalidatedAt = newest.CreatedAt
	assert.Equal(t, []string{"2026-03-07 08:00 -08:00 estimated: vessel arrived, USLAX"},
		journeyLines(toChicago(), newest, undated, first), "a version before a withdrawn one is replaced too")
}

// What is reported of a milestone must not make an estimate appear again that it has overtaken in
// the order of docs/service.md#milestones.
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
