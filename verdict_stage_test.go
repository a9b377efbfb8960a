package terminal49_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test/verdicttest"
)

// The stage of cases, whatever the clock. S1 to S4, L1 and CSNU8439129 are those of the service's
// samples, "4.2" is its table of statuses.
var wantedStages = map[string]terminal49.Stage{
	"at origin":                              "before_voyage",
	"on the ship":                            "at_sea",
	"on the ship, released in advance":       "at_sea", // a terminal releases what it expects
	"transshipment":                          "at_sea",
	"arrived, not discharged":                "arrived",
	"at sea, then available by status alone": "at_port", // 4.2: "on_ship→available directly"
	"not released":                           "at_port",
	"held":                                   "at_port",
	"ready":                                  "at_port",
	"ready two days ago":                     "at_port",
	"ready, no place is reported":            "at_port", // its discharge is
	"CSNU8439129":                            "at_port", // an inland move is booked, and it has not begun
	"waiting for its move inland, overdue at the port":    "at_port",
	"off dock after a gate-out":                           "at_port", // 4.2: off_dock is moved to a yard
	"off dock after a gate-out, the facility is the yard": "at_port",

	"rail loaded":                            "on_rail", // S1
	"rail departed":                          "on_rail", // S2, although pod_full_out_at is reported
	"CSNU8439129, departed, its status lags": "on_rail",
	"on rail by status":                      "on_rail",
	"rail arrived":                           "at_ramp", // S3
	"rail arrived, without its event":        "at_ramp", // the shipment's destination_ata_at is that of the event
	"rail unloaded":                          "at_ramp", // S4
	"rail unloaded, held there":              "at_ramp",
	"captured":                               "at_ramp", // L1: ind_ata_at, and final_destination_full_out_at is null
	"captured, holds cleared":                "at_ramp",

	"picked up":                                    "out",
	"picked up by status":                          "out",
	"delivered by a user":                          "out",
	"rail unloaded, out of the ramp":               "out",
	"on a train, then out in the zone of the ramp": "out",
	"returned":                                     "returned",
	"rail unloaded, returned":                      "returned",

	// The arrival is not that of this container.
	"the shipment's arrival at another port, which is linked": "at_sea",
	"discharged in Singapore, not released in Los Angeles":    "at_sea",

	"nothing is reported":                                   "unknown",
	"returned, and then at sea":                             "unknown", // contradictory
	"picked up, and then discharged":                        "unknown",
	"at the port or inland, nobody says":                    "unknown",
	"rail loaded, without its event":                        "unknown", // left the port by truck or by rail
	"rail departed, without its event, picked up by status": "unknown",
	"off dock after a gate-out, with a destination inland":  "unknown", // a yard here or there
}

func TestVerdict_Stage(t *testing.T) {
	left := map[string]bool{}
	for name := range wantedStages {
		left[name] = true
	}
	for _, c := range verdicttest.Cases() {
		want, has := wantedStages[c.Name]
		if !has {
			continue
		}
		delete(left, c.Name)
		for _, days := range []int{0, -400, -3, 3, 400} {
			v := terminal49.Assess(c.Container(), c.Now.AddDate(0, 0, days), terminal49.VerdictOptions{})
			assert.Equal(t, want, v.Stage(), "%s, %d days later: %s", c.Name, days, v)
		}
	}
	assert.Empty(t, left, "no such case")
}

// A status that is only reported of a container that is off the ship goes further than the arrival;
// one that follows from a terminal's report does not.
func TestVerdict_StageAfterTheArrival(t *testing.T) {
	i := slices.IndexFunc(verdicttest.Cases(), func(c verdicttest.Case) bool { return c.Name == "arrived, not discharged" })
	arrived := verdicttest.Cases()[i]
	for status, want := range map[terminal49.ContainerStatus]terminal49.Stage{
		"new": "arrived", "on_ship": "arrived", "available": "arrived", "not_available": "arrived",
		"grounded": "at_port", "awaiting_inland_transfer": "at_port", "off_dock": "at_port",
		"picked_up": "out", "empty_returned": "returned",
	} {
		c := arrived.Container()
		c.CurrentStatus = status
		assert.Equal(t, want, terminal49.Assess(c, arrived.Now, terminal49.VerdictOptions{}).Stage(), status)
	}
}

func TestStage_Known(t *testing.T) {
	for _, stage := range []terminal49.Stage{
		"before_voyage", "at_sea", "arrived", "at_port", "on_rail", "at_ramp", "out", "returned", "unknown",
	} {
		assert.True(t, stage.Known(), stage)
	}
	assert.False(t, terminal49.Stage("").Known())
	assert.False(t, terminal49.Stage("awaiting_transfer").Known())
}

// stagesOf are the stages that a situation of one place or leg may have.
var stagesOf = map[terminal49.Situation][]terminal49.Stage{
	"before_voyage": {"before_voyage"}, "at_sea": {"at_sea"}, "on_rail": {"on_rail"}, "out": {"out"}, "returned": {"returned"},
	"awaiting_transfer": {"arrived", "at_port"}, "not_released_inland": {"at_ramp"},
	"ready": {"arrived", "at_port", "at_ramp"}, "pay_first": {"arrived", "at_port", "at_ramp"},
}

// A stage and a situation never contradict each other, and the stage does not depend on the clock.
// A standing does not have it.
func TestVerdict_StageAgreesWithTheSituation(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 11))
	seen := map[terminal49.Stage]int{}
	for range testkit.Scale(5_000, 50_000) {
		c, now := randomContainer(r)
		v := terminal49.Assess(c, now, terminal49.VerdictOptions{})
		require.True(t, v.Stage().Known(), v)
		if stages, has := stagesOf[v.Situation]; has {
			require.Contains(t, stages, v.Stage(), v)
		}
		later := now.Add(time.Duration(r.IntN(2*365*24)-365*24) * time.Hour)
		require.Equal(t, v.Stage(), terminal49.Assess(c, later, terminal49.VerdictOptions{}).Stage(), v)
		require.Empty(t, v.Stored().Verdict(now, terminal49.VerdictOptions{}).Stage())
		seen[v.Stage()]++
	}
	assert.Len(t, seen, 9, "each stage: %v", seen)
}
