package terminal49test

import (
	"slices"
	"strings"
)

// rawName is the short name of an event in the carrier's feed, "" for events a carrier does not report.
func rawName(event string) string {
	name, milestone := strings.CutPrefix(event, "container.transport.")
	switch {
	case !milestone:
		return ""
	case name == "arrived_at_inland_destination":
		return "arrived_at_destination"
	case strings.HasPrefix(name, "transshipment_"), strings.HasPrefix(name, "feeder_"), strings.HasPrefix(name, "rail_"):
		return name
	}
	reported := []string{
		"empty_out", "full_in", "vessel_loaded", "vessel_departed", "vessel_arrived", "vessel_discharged", "full_out",
		"empty_in", "delivered",
	}
	if slices.Contains(reported, name) {
		return name
	}
	return ""
}

// carrierWords is how a carrier might put an event.
func carrierWords(raw string) string {
	switch raw {
	case "empty_out":
		return "Gate out empty"
	case "full_in":
		return "Gate in full"
	case "full_out":
		return "Gate out full"
	case "empty_in":
		return "Gate in empty"
	}
	words := strings.ReplaceAll(raw, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}
