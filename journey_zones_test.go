package terminal49

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// An event without a place reports the container's own time in the same zone if they are less than
// a day apart. Otherwise it may be at another ramp along the railway.
func TestJourney_RampsInOneZoneAreADayApart(t *testing.T) {
	const la = "America/Los_Angeles"
	c := &Container{PODTimezone: la, PODRailDepartedAt: at(t, "2026-03-05T16:00:00Z", la)}
	for when, want := range map[string]int{
		"2026-03-06T15:59:00Z": 1, "2026-03-04T16:01:00Z": 1, "2026-03-06T16:00:00Z": 2, "2026-03-10T16:00:00Z": 2,
	} {
		departed := event(t, "1", EventRailDeparted, when, la)
		assert.Len(t, Journey(c, JourneyOptions{Events: []*TransportEvent{departed}}), want, when)
	}
}
