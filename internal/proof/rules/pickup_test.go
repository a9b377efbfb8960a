package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// The first two rows are containers of the service's OpenAPI document. The others follow from
// service-facts 3.2, where pod_full_out_at and pod_rail_departed_at are at the port of discharge,
// final_destination_full_out_at is at the ramp and null is not known, and from 4.2, where
// "picked_up" is full out and the status is not a linear machine: on_rail is also loaded only.
func TestContainer_OutAt(t *testing.T) {
	for _, row := range []struct {
		name, attributes string
		at               string
		out              bool
	}{
		{"TCLU6718159", `"pod_full_out_at":"2024-06-26T16:15:00Z","current_status":"picked_up"`, "2024-06-26 09:15 PDT", true},
		{"GLDU1355602", `"pod_full_out_at":null,"final_destination_full_out_at":"2020-06-04T22:03:08Z","current_status":"picked_up"`, "", true},
		{"by rail", `"pod_rail_departed_at":"2024-06-26T16:15:00Z","pod_rail_loaded_at":"2024-06-25T16:15:00Z"`, "2024-06-26 09:15 PDT", true},
		{"by truck to a ramp nearby", `"pod_rail_departed_at":"2024-06-28T16:15:00Z","pod_full_out_at":"2024-06-26T16:15:00Z"`, "2024-06-26 09:15 PDT", true},
		{"by rail, then out of the ramp", `"pod_rail_departed_at":"2024-06-26T16:15:00Z","final_destination_full_out_at":"2024-07-04T22:03:08Z"`, "2024-06-26 09:15 PDT", true},
		{"at the inland destination", `"ind_ata_at":"2024-06-26T16:15:00Z"`, "", true},
		{"unloaded there", `"ind_rail_unloaded_at":"2024-06-26T16:15:00Z"`, "", true},
		{"returned", `"empty_terminated_at":"2024-06-26T16:15:00Z"`, "", true},
		{"delivered", `"delivered_at":"2024-06-26T16:15:00Z"`, "", true},
		{"returned by status", `"current_status":"empty_returned"`, "", true},
		{"on rail", `"current_status":"on_rail","pod_rail_loaded_at":"2024-06-25T16:15:00Z"`, "", false},
		{"expected inland", `"ind_eta_at":"2024-06-25T16:15:00Z","pod_discharged_at":"2024-06-20T16:15:00Z"`, "", false},
		{"available", `"current_status":"available"`, "", false},
	} {
		c := readContainers(t, `{"pod_timezone":"America/Los_Angeles",`+row.attributes+`}`)[0]
		at, out := c.OutAt()
		assert.Equal(t, row.out, out, row.name)
		assert.Equal(t, row.at == "", at.IsZero(), row.name)
		if row.at != "" {
			assert.Equal(t, row.at, at.String(), row.name)
		}
	}
}

// Service-facts 3.2: pickup_facility is the inland or final place of pickup and may be null; 10.5:
// full_out is at the ramp for inland moves and at the port otherwise. TCLU2224327 and ARDU1824900
// are containers of the service's OpenAPI document.
func TestContainer_PickupPlace(t *testing.T) {
	terminal := func(id string) terminal49.ToOne[*terminal49.Terminal] {
		return terminal49.Linked[*terminal49.Terminal]("terminal", id)
	}
	port := func(change func(*terminal49.Shipment)) terminal49.ToOne[*terminal49.Shipment] {
		s := &terminal49.Shipment{PortOfDischargeLOCODE: "USOAK", PODTimezone: losAngeles}
		change(s)
		return terminal49.Included("s", s)
	}
	toPort := port(func(*terminal49.Shipment) {})
	toCity := port(func(s *terminal49.Shipment) { s.DestinationLOCODE, s.DestinationName = "USCHI", "Chicago" })
	toRamp := port(func(s *terminal49.Shipment) {
		s.DestinationLOCODE, s.DestinationTerminal = "USCHI", terminal49.Included("ramp", &terminal49.Terminal{Name: "Logistics Park"})
	})
	toBoth := port(func(s *terminal49.Shipment) {
		s.DestinationLOCODE, s.PODTerminal = "USOAK", terminal("of the shipment")
	})
	for _, row := range []struct {
		name      string
		container terminal49.Container
		want      [4]string // source, terminal, name, UN/LOCODE
	}{
		{"TCLU2224327", terminal49.Container{PickupFacility: terminal("e6fa9a01"), PODTerminal: terminal("a243bdf8"),
			FinalDestinationTimezone: chicago}, [4]string{"pickup_facility", "e6fa9a01", "", ""}},
		{"ARDU1824900", terminal49.Container{Shipment: toPort, PODTerminal: terminal("17891bc8")},
			[4]string{"pod_terminal", "17891bc8", "", "USOAK"}},
		{"only the port is known", terminal49.Container{Shipment: toPort}, [4]string{}},
		{"of the shipment", terminal49.Container{Shipment: toBoth}, [4]string{"pod_terminal", "of the shipment", "", "USOAK"}},
		{"inland, the terminal is known", terminal49.Container{Shipment: toRamp, PODTerminal: terminal("port")},
			[4]string{"destination_terminal", "ramp", "Logistics Park", "USCHI"}},
		{"inland, only the city is known", terminal49.Container{Shipment: toCity, PODTerminal: terminal("port")},
			[4]string{"destination", "", "Chicago", "USCHI"}},
		{"inland, nothing is known", terminal49.Container{Shipment: toPort, PODTerminal: terminal("port"), INDETA: placed(t, "2026-03-09T12:00:00Z", "")}, [4]string{}},
		{"the destination may be inland", terminal49.Container{PODTerminal: terminal("port")}, [4]string{}},
		{"a shipment that is not included", terminal49.Container{PODTerminal: terminal("port"),
			Shipment: terminal49.Linked[*terminal49.Shipment]("shipment", "s")}, [4]string{}},
	} {
		place, ok := row.container.PickupPlace()
		assert.Equal(t, row.want != [4]string{}, ok, row.name)
		if ok {
			assert.Equal(t, row.want, [4]string{string(place.Source), place.Terminal.ID(), place.Name, place.LOCODE}, row.name)
		}
	}

	ramp := &terminal49.Terminal{Name: "Logistics Park", MetroArea: terminal49.Included("m", &terminal49.MetroArea{LOCODE: "USJOT"})}
	c := terminal49.Container{PickupFacility: terminal49.Included("ramp", ramp)}
	place, ok := c.PickupPlace()
	require.True(t, ok)
	assert.Equal(t, "Logistics Park USJOT", place.Name+" "+place.LOCODE)
}
