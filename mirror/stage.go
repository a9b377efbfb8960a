package mirror

import (
	"slices"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/facts"
)

// Stage is how far a container has come, by what is recorded, whether or not it can be picked up.
// A [terminal49.Situation] does not distinguish the port from the inland destination.
type Stage string

// The values of Stage.
const (
	StageBeforeVoyage Stage = facts.BeforeVoyage // at its origin
	StageAtSea        Stage = facts.AtSea        // on a ship or between two
	StageArrived      Stage = facts.Arrived      // the ship has arrived, and the container is not discharged
	StageAtPort       Stage = facts.AtPort       // at the port of discharge, also before a move inland
	StageOnRail       Stage = facts.OnRail       // left the port by rail
	StageAtRamp       Stage = facts.AtRamp       // at the inland destination
	StageOut          Stage = facts.Out          // picked up or delivered
	StageReturned     Stage = facts.Returned     // returned empty
	StageUnknown      Stage = facts.Unknown      // not reported, or contradictory
)

var stages = []Stage{StageBeforeVoyage, StageAtSea, StageArrived, StageAtPort, StageOnRail, StageAtRamp, StageOut, StageReturned, StageUnknown}

// Known reports whether s is one of the constants of this version.
func (s Stage) Known() bool { return slices.Contains(stages, s) }

// StageOf returns the stage of a container with its verdict, as [terminal49.Assess] returned it at
// any time.
func StageOf(c *terminal49.Container, v terminal49.Verdict) Stage {
	return Stage(facts.StageOf(c, &v))
}
