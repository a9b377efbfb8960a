package terminal49_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/go-freight/terminal49"
)

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
