package terminal49

import (
	"cmp"
	"slices"
	"strings"
)

// Milestone is one thing that happened to a container, or is expected to.
type Milestone struct {
	// EventID identifies the transport event. It is "" for a milestone that no event reports and only the container's
	// own attributes do.
	EventID   string
	Event     EventName
	At        Time // with the zone of the place; its String is the clock there
	Estimated bool // expected, not done
	Withdrawn bool // reported once and taken back, or replaced by a newer report

	LOCODE     string     // UN/LOCODE of the place, "" if unknown
	Place      string     // name of the terminal, port or city, "" if the response did not include it
	VesselName string     // "" if there is none or the response did not include it
	Voyage     string     // "" if there is none
	Source     DataSource // who said so; "" for the container's own attributes
}

// JourneyOptions says what a [Journey] is made of.
type JourneyOptions struct {
	// Events are the container's transport events, as from ContainersService.TransportEvents. Nil takes those that came
	// with the container. Events linked to another container are passed over.
	Events []*TransportEvent
	// Withdrawn keeps the events that were taken back or replaced; they are left out otherwise.
	Withdrawn bool
}

const (
	milestonePrefix = "container.transport."
	estimatePrefix  = milestonePrefix + "estimated."
	railPrefix      = milestonePrefix + "rail_"
)

// Journey returns the milestones of a container in the order of their times; what has no time comes last. Changes of
// deadlines and appointments are no milestones. What no event reports is taken from the container's own times, so that
// a container without events has a journey too. Where a zone is unknown, the order can be off by hours.
func Journey(c *Container, opts JourneyOptions) []Milestone {
	if c == nil {
		c = &Container{}
	}
	events := opts.Events
	if events == nil {
		events, _ = c.TransportEvents.Values()
	}
	replaced := map[string]bool{}
	for _, e := range events {
		if e != nil && e.InvalidatedAt.IsZero() && e.PreviousVersion.ID() != "" && e.PreviousVersion.ID() != e.ID {
			replaced[e.PreviousVersion.ID()] = true
		}
	}
	var journey []Milestone
	seen := map[string]bool{}
	reported := map[EventName]bool{}
	for _, e := range events {
		if e == nil || !strings.HasPrefix(string(e.Event), milestonePrefix) || e.ID != "" && seen[e.ID] || isOfAnother(e, c) {
			continue
		}
		seen[e.ID] = true
		m := milestoneOf(e)
		m.Withdrawn = !e.InvalidatedAt.IsZero() || replaced[e.ID]
		reported[m.Event] = reported[m.Event] || !m.Withdrawn
		if !m.Withdrawn || opts.Withdrawn {
			journey = append(journey, m)
		}
	}
	for _, own := range ownMilestones(c) {
		if !own.At.IsZero() && !reported[own.Event] {
			journey = append(journey, own)
		}
	}
	slices.SortStableFunc(journey, compareMilestones)
	return journey
}

// What says what happened in words, such as "vessel arrived" or "estimated: vessel arrived".
func (m Milestone) What() string {
	name := strings.TrimPrefix(string(m.Event), milestonePrefix)
	name = strings.Replace(name, "estimated.", "estimated: ", 1)
	return strings.ReplaceAll(name, "_", " ")
}

// String writes the milestone on a line for people, such as "2026-03-02 08:00 PST vessel arrived, Los Angeles (USLAX)".
func (m Milestone) String() string {
	text := m.At.String() + " " + m.What()
	switch {
	case m.Place != "" && m.LOCODE != "":
		text += ", " + m.Place + " (" + m.LOCODE + ")"
	case m.Place != "" || m.LOCODE != "":
		text += ", " + m.Place + m.LOCODE
	}
	if m.Withdrawn {
		text += " (withdrawn)"
	}
	return text
}

func isOfAnother(e *TransportEvent, c *Container) bool {
	return c.ID != "" && e.Container.ID() != "" && e.Container.ID() != c.ID
}

func milestoneOf(e *TransportEvent) Milestone {
	m := Milestone{
		EventID: e.ID, Event: e.Event, At: e.Timestamp, Estimated: strings.HasPrefix(string(e.Event), estimatePrefix),
		LOCODE: e.LocationLOCODE, Place: placeName(e), Voyage: e.VoyageNumber, Source: e.DataSource,
	}
	if vessel, ok := e.Vessel.Value(); ok {
		m.VesselName = vessel.Name
	}
	return m
}

// placeName prefers the terminal, which is more exact than the port or city.
func placeName(e *TransportEvent) string {
	if terminal, ok := e.Terminal.Value(); ok && terminal.Name != "" {
		return terminal.Name
	}
	location, _ := e.Location.Value()
	switch place := location.(type) {
	case *Port:
		return place.Name
	case *MetroArea:
		return place.Name
	default:
		return ""
	}
}

// ownMilestones are the milestones that a container's own attributes tell, reported or not.
func ownMilestones(c *Container) []Milestone {
	own := []Milestone{
		{Event: EventEmptyOut, At: c.EmptyOutAt},
		{Event: EventFullIn, At: c.POLFullInAt},
		{Event: EventVesselLoaded, At: c.POLVesselLoadedAt},
		{Event: EventVesselDeparted, At: c.POLVesselDepartedAt},
		{Event: EventVesselArrived, At: c.PODArrivedAt},
		{Event: EventVesselDischarged, At: c.PODDischargedAt},
		{Event: EventRailLoaded, At: c.PODRailLoadedAt},
		{Event: EventRailDeparted, At: c.PODRailDepartedAt},
		{Event: EventArrivedAtInlandDestination, At: c.INDATA},
		{Event: EventRailUnloaded, At: c.INDRailUnloadedAt},
		{Event: EventFullOut, At: c.PODFullOutAt},
		{Event: EventFullOut, At: c.FinalDestinationFullOutAt},
		{Event: EventDelivered, At: c.DeliveredAt},
		{Event: EventEmptyIn, At: c.EmptyTerminatedAt},
	}
	if c.INDATA.IsZero() {
		own = append(own, Milestone{Event: EventEstimatedArrivedAtInlandDestination, At: c.INDETA, Estimated: true})
	}
	return own
}

// compareMilestones orders by time, and what happened at the same time in the usual order of a journey.
func compareMilestones(a, b Milestone) int {
	if a.At.IsZero() != b.At.IsZero() {
		if a.At.IsZero() {
			return 1
		}
		return -1
	}
	return cmp.Or(a.At.utc().Compare(b.At.utc()), cmp.Compare(usualPlace(a.Event), usualPlace(b.Event)), cmp.Compare(a.EventID, b.EventID))
}

// usualPlace is the place of an event in a usual journey; unknown ones come last.
func usualPlace(n EventName) int {
	if i := slices.Index(eventNames, n); i >= 0 {
		return i
	}
	return len(eventNames)
}

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
