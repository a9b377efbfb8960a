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
	const port, ramp = "2026-05-20 05:00 PDT estimated: vessel arrived, USLAX", "2026-05-27 07:00 CDT estimated: arrived at inland destination"
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
		}), nil, []string{"2026-05-20 07:00 PDT vessel discharged"}},
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
