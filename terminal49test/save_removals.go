package terminal49test

import (
	"cmp"
	"slices"

	"github.com/go-freight/terminal49/terminal49test/internal/forms"
	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// savedRemoval is a resource that was removed, and the successor of a merged shipment.
type savedRemoval struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	Successor string `json:"successor,omitzero"`
}

// savedMerge is a shipment that was merged into another one.
type savedMerge struct {
	Shipment string `json:"shipment"`
	Into     string `json:"into"`
}

// savedJourney is a moved container, and the shipment whose journey it follows.
type savedJourney struct {
	Container string `json:"container"`
	Shipment  string `json:"shipment"`
}

// savedPoll is a shipment on a journey that is not polled any more.
type savedPoll struct {
	Shipment string `json:"shipment"`
}

func removalParts() []savedPart {
	return []savedPart{
		linesOf("removed", func(w *world) any { return w.gone }, saveRemovals, (*loading).remove),
		linesOf("merged", func(w *world) any { return w.merged.into },
			func(s *Server, out *lineWriter) {
				for _, id := range state.SortedKeys(s.world.merged.into) {
					out.add("merged", id, savedMerge{id, s.world.merged.into[id]})
				}
			},
			(*loading).merge),
		linesOf("follows_journey", func(w *world) any { return w.merged.origin },
			func(s *Server, out *lineWriter) {
				for _, id := range state.SortedKeys(s.world.merged.origin) {
					out.add("follows_journey", id, savedJourney{id, s.world.merged.origin[id]})
				}
			},
			func(l *loading, f savedJourney) error {
				l.world.merged.origin[f.Container] = f.Shipment
				return nil
			}),
		linesOf("not_polled", func(w *world) any { return w.pollPlanned },
			func(s *Server, out *lineWriter) {
				for _, id := range state.SortedKeys(s.world.pollPlanned) {
					if !s.world.pollPlanned[id] { // else a task polls it
						out.add("not_polled", id, savedPoll{id})
					}
				}
			},
			func(l *loading, f savedPoll) error {
				l.world.pollPlanned[f.Shipment] = false
				return nil
			}),
	}
}

func saveRemovals(s *Server, out *lineWriter) {
	gone := make([]savedRemoval, 0, len(s.world.gone))
	for r, successor := range s.world.gone {
		gone = append(gone, savedRemoval{r.Kind, r.ID, successor.ID})
	}
	slices.SortFunc(gone, func(a, b savedRemoval) int { return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.ID, b.ID)) })
	for _, r := range gone {
		out.add("removed", r.ID, r)
	}
}

func (l *loading) remove(f savedRemoval) error {
	w, r := l.world, wire.Ref{Kind: f.Type, ID: f.ID}
	if r.Kind != "container" && r.Kind != "shipment" {
		return &forms.Error{Member: "type", Problem: "must be container or shipment"}
	}
	if w.entityExists(r) && !w.isSynthetic(r.ID) {
		return &forms.Error{Member: "id", Problem: "must not be that of an earlier line"}
	}
	if f.Successor != "" && w.successor(wire.Ref{Kind: r.Kind, ID: f.Successor}) == r {
		return &forms.Error{Member: "successor", Problem: "must not lead back to the shipment"}
	}
	switch {
	case w.containers.IsMade(r.ID):
		w.containers.Remove(r.ID)
	case w.shipments.IsMade(r.ID):
		w.shipments.Remove(r.ID)
	}
	w.gone[r] = wire.Ref{}
	if f.Successor != "" {
		w.gone[r] = wire.Ref{Kind: r.Kind, ID: f.Successor}
	}
	return nil
}

func (l *loading) merge(f savedMerge) error {
	into := l.world.merged.into
	for id := f.Into; id != ""; id = into[id] {
		if id == f.Shipment {
			return &forms.Error{Member: "into", Problem: "must not lead back to the shipment"}
		}
	}
	into[f.Shipment] = f.Into
	return nil
}
