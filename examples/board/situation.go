package main

import (
	"slices"

	"github.com/go-freight/terminal49"
)

// look is how the board shows a situation.
type look struct {
	Situation         terminal49.Situation
	Name, Mark, Class string
}

// looks are those of all situations, in the order of the filter.
var looks = []look{
	{terminal49.SituationReady, "ready", "✓", "ready"},
	{terminal49.SituationPayFirst, "pay first", "!", "waiting"},
	{terminal49.SituationHeld, "held", "✕", "held"},
	{terminal49.SituationNotReleased, "not released", "…", "waiting"},
	{terminal49.SituationNotReleasedInland, "not released inland", "…", "waiting"},
	{terminal49.SituationStale, "check again", "?", "waiting"},
	{terminal49.SituationUnknown, "unknown", "?", "waiting"},
	{terminal49.SituationAwaitingTransfer, "waiting to move inland", "~", "away"},
	{terminal49.SituationOnRail, "on a train", "~", "away"},
	{terminal49.SituationAtSea, "at sea", "~", "away"},
	{terminal49.SituationBeforeVoyage, "before the voyage", "~", "away"},
	{terminal49.SituationOut, "out", "→", "away"},
	{terminal49.SituationReturned, "returned", "→", "away"},
}

func lookOf(s terminal49.Situation) look {
	if i := slices.IndexFunc(looks, func(l look) bool { return l.Situation == s }); i >= 0 {
		return looks[i]
	}
	return look{s, words(string(s)), "?", "waiting"}
}
