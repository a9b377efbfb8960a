package terminal49

import (
	"slices"
	"strings"
)

// RailSummary is the rail part of a container's journey to an inland destination; see [RailJourney].
type RailSummary struct {
	PODCarrierSCAC string // railroad of the port leg, such as "BNSF"; "" if unknown
	INDCarrierSCAC string // railroad of the inland leg; "" if unknown
	ETA            Time   // the railroad's estimate at the inland destination
	ATA            Time   // its arrival there
	LFD            Time   // last free day at the ramp
	Legs           []RailLeg
	Milestones     []Milestone // rail events and the arrival at the inland destination, in order
}

// RailLeg is a ride from one ramp or interchange to the next.
type RailLeg struct {
	From Milestone // the departure, or the loading if no departure is known; zero if neither is
	To   Milestone // the arrival; zero while under way
}

// RailJourney returns the rail part of a [Journey], made of the same options; see [RailSummary.Used] for containers that
// have none.
func RailJourney(c *Container, opts JourneyOptions) RailSummary {
	if c == nil {
		c = &Container{}
	}
	rail := RailSummary{PODCarrierSCAC: c.PODRailCarrierSCAC, INDCarrierSCAC: c.INDRailCarrierSCAC, ETA: c.INDETA, ATA: c.INDATA}
	for _, lfd := range LastFreeDays(c).Reported {
		if lfd.Source == LFDRail {
			rail.LFD = lfd.At
		}
	}
	for _, m := range Journey(c, opts) {
		if m.byRail() || m.Event == EventArrivedAtInlandDestination {
			rail.Milestones = append(rail.Milestones, m)
			if !m.Withdrawn {
				rail.ride(m)
			}
		}
	}
	return rail
}

// Used reports whether anything says that the container goes by rail.
func (r RailSummary) Used() bool {
	return r.PODCarrierSCAC != "" || r.INDCarrierSCAC != "" || !r.LFD.IsZero() || slices.ContainsFunc(r.Milestones, Milestone.byRail)
}

// byRail leaves out the arrival at the inland destination, which a truck can make as well.
func (m Milestone) byRail() bool { return strings.HasPrefix(string(m.Event), railPrefix) }

// ride enters a milestone into the legs.
func (r *RailSummary) ride(m Milestone) {
	var last *RailLeg
	if n := len(r.Legs); n > 0 {
		last = &r.Legs[n-1]
	}
	underWay := last != nil && last.To.Event == ""
	switch m.Event {
	case EventRailLoaded:
		if !underWay {
			r.Legs = append(r.Legs, RailLeg{From: m})
		}
	case EventRailDeparted:
		if underWay && last.From.Event == EventRailLoaded {
			last.From = m
		} else {
			r.Legs = append(r.Legs, RailLeg{From: m})
		}
	case EventRailArrived:
		if underWay {
			last.To = m
		} else {
			r.Legs = append(r.Legs, RailLeg{To: m})
		}
	case EventArrivedAtInlandDestination: // often told beside the arrival at the last ramp
		if underWay {
			last.To = m
		}
	}
}
