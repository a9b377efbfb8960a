package terminal49_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/go-freight/terminal49"
)

// Times of a container at its port are in its own pod_timezone, so the place has that name of the
// zone; the shipment's is used only without it.
func TestAssess_ZoneOfThePort(t *testing.T) {
	for own, want := range map[string]string{"US/Pacific": "US/Pacific", "": losAngeles} {
		v := terminal49.Assess(&terminal49.Container{
			PODTimezone:     own,
			Shipment:        terminal49.Included("s", &terminal49.Shipment{PortOfDischargeLOCODE: "USOAK", PODTimezone: losAngeles}),
			PODDischargedAt: terminal49.NewTime(time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), own),
		}, time.Date(2026, 3, 3, 8, 0, 0, 0, time.UTC), terminal49.VerdictOptions{})
		assert.Equal(t, terminal49.VerdictPlace{LOCODE: "USOAK", Zone: want}, v.Place, own)
	}
}
