package mcpserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// Where a container is and when it came there are the verdict's, also if only an event or the
// shipment reports it. The times are those of the cases, at their places.
func TestRow_TimesAreThoseOfTheVerdict(t *testing.T) {
	type times struct{ Stage, Arrived, OnRail, AtRamp, PickedUp, Returned string }
	want := map[string]times{
		"arrived, not discharged": {Stage: "arrived", Arrived: "2026-11-16T04:00:00-08:00"},
		// The shipment's arrival is at another port than the container's.
		"the shipment's arrival at another port, which is linked": {Stage: "at_sea"},
		// pod_full_out_at, a day earlier, is the gate of the port, and pod_rail_departed_at is not sent.
		"rail departed":                   {Stage: "on_rail", Arrived: "2022-10-12T06:26:00-07:00", OnRail: "2022-10-21T12:03:00-07:00"},
		"rail arrived, without its event": {Stage: "at_ramp", Arrived: "2022-10-12T06:26:00-07:00", AtRamp: "2022-10-21 17:43 (zone unknown)"},
		// The event at the ramp is the pickup, not pod_full_out_at six days before it.
		"on a train, then out in the zone of the ramp": {Stage: "out", Arrived: "2022-10-12T06:26:00-07:00",
			PickedUp: "2022-10-26T10:00:00-05:00", Returned: "unknown"},
		"picked up": {Stage: "out", Arrived: "2026-11-16T04:00:00-08:00", PickedUp: "2026-11-20T10:00:00-08:00", Returned: "unknown"},
		"returned":  {Stage: "returned", Arrived: "2026-11-16T04:00:00-08:00", PickedUp: "2026-11-20T10:00:00-08:00", Returned: "2026-11-22T10:00:00-08:00"},
	}
	for _, c := range verdicttest.Cases() {
		expected, has := want[c.Name]
		if !has {
			continue
		}
		delete(want, c.Name)
		v := terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{})
		r := rowOf(c.Container(), &v, c.Now)
		assert.Equal(t, expected, times{r.Stage, r.Arrived, r.OnRail, r.AtRamp, r.PickedUp, r.Returned}, c.Name)
	}
	require.Empty(t, want, "no such case")
}

// The day of the pickup is not known of the service's example that was delivered by rail: its
// pod_full_out_at is the gate of the port.
func TestRow_PickedUpOnADayThatNobodyReports(t *testing.T) {
	for _, c := range verdicttest.Cases() {
		if c.Name != "KOCU4959010" {
			continue
		}
		v := terminal49.Assess(c.Container(), c.Now, terminal49.VerdictOptions{})
		r := rowOf(c.Container(), &v, c.Now)
		assert.Equal(t, []string{"out", "unknown"}, []string{r.Stage, r.PickedUp})
		assert.Nil(t, r.DaysOut)
		return
	}
	t.Fatal("no such case")
}
