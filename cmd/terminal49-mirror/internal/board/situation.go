package board

import (
	"slices"

	"github.com/go-freight/terminal49"
)

// look is how the board shows a situation. The mark before the name is in the style sheet.
type look struct {
	Situation   terminal49.Situation
	Name, Class string
}

// looks are those of all situations, the most urgent first, as [terminal49.Verdict.Compare] orders
// them.
var looks = []look{
	{terminal49.SituationPayFirst, "pay first", "waiting pay"},
	{terminal49.SituationReady, "ready", "ready"},
	{terminal49.SituationStale, "check again", "waiting ask"},
	{terminal49.SituationHeld, "held", "held"},
	{terminal49.SituationUnknown, "unknown", "waiting ask"},
	{terminal49.SituationNotReleasedInland, "not released inland", "waiting"},
	{terminal49.SituationNotReleased, "not released", "waiting"},
	{terminal49.SituationAwaitingTransfer, "waiting to move inland", "away"},
	{terminal49.SituationOnRail, "on a train", "away"},
	{terminal49.SituationAtSea, "at sea", "away"},
	{terminal49.SituationBeforeVoyage, "before the voyage", "away"},
	{terminal49.SituationOut, "out", "away left"},
	{terminal49.SituationReturned, "returned", "away left"},
}

// situationIndex returns the place of a situation in looks; -1 if it is new.
func situationIndex(s terminal49.Situation) int {
	return slices.IndexFunc(looks, func(l look) bool { return l.Situation == s })
}

func lookOf(s terminal49.Situation) look {
	if i := situationIndex(s); i >= 0 {
		return looks[i]
	}
	return look{s, words(string(s)), "waiting ask"}
}
