package terminal49

import (
	"fmt"
	"slices"
	"strings"
)

// VerdictSummary adds up the verdicts of several containers, such as those of one bill of lading;
// see [SumVerdicts].
type VerdictSummary struct {
	Containers int
	Situations map[Situation]int // how many are in each situation; those without a container are missing
	Out        int               // how many were picked up, delivered or returned

	// Last is the verdict of the container that is furthest from pickup, of those that are neither
	// ready nor out. It is nil if there is none: then all can be fetched, or were.
	Last *Verdict
	// Next is the verdict with the earliest last free day that binds, nil if none is known. Days of
	// different places are compared by the calendar.
	Next *Verdict
	Fees FeeSummary // what is owed for all, those included that are out
}

// furthestFromPickup are the situations before pickup, the one that is furthest from it first.
var furthestFromPickup = []Situation{
	SituationBeforeVoyage, SituationAtSea, SituationAwaitingTransfer, SituationOnRail, SituationNotReleased,
	SituationNotReleasedInland, SituationUnknown, SituationHeld, SituationStale,
}

// SumVerdicts adds up verdicts. Containers that were picked up do not affect Next: their verdicts
// have no last free day.
func SumVerdicts(verdicts []Verdict) VerdictSummary {
	s := VerdictSummary{Containers: len(verdicts), Situations: map[Situation]int{}}
	for i := range verdicts {
		v := &verdicts[i]
		s.Situations[v.Situation]++
		s.Fees = s.Fees.Add(v.Fees)
		if v.Situation == SituationOut || v.Situation == SituationReturned {
			s.Out++
		}
		if !v.LastFreeDay.At.IsZero() && (s.Next == nil || compareDeadlines(v.LastFreeDay.At, s.Next.LastFreeDay.At) < 0) {
			s.Next = v
		}
		if slices.Contains(furthestFromPickup, v.Situation) && (s.Last == nil || v.isFurtherThan(s.Last)) {
			s.Last = v
		}
	}
	return s
}

// isFurtherThan reports whether v is further from pickup than other: by the situation, or in the
// same by the later arrival.
func (v *Verdict) isFurtherThan(other *Verdict) bool {
	a, b := slices.Index(furthestFromPickup, v.Situation), slices.Index(furthestFromPickup, other.Situation)
	return a < b || a == b && v.ETA.Compare(other.ETA) > 0
}

// String returns a human-readable line, such as "3 containers: 1 ready, 1 on rail, 1 out; last free
// day 2026-11-27 (MSCU1234566); USD 555.00".
func (s VerdictSummary) String() string {
	counts := make([]string, 0, len(s.Situations))
	for _, situation := range situations {
		if n := s.Situations[situation]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, strings.ReplaceAll(string(situation), "_", " ")))
		}
	}
	text := fmt.Sprintf("%d containers", s.Containers)
	if s.Containers == 1 {
		text = "1 container"
	}
	if len(counts) > 0 {
		text += ": " + strings.Join(counts, ", ")
	}
	if s.Next != nil {
		text += "; last free day " + dayText(s.Next.LastFreeDay.At) + " (" + s.Next.Number + ")"
	}
	if s.Containers > 0 {
		text += "; " + s.Fees.String()
	}
	return text
}
