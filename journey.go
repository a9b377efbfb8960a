package terminal49

import (
	"cmp"
	"slices"
	"strings"
)

// Milestone is an actual or estimated event in a container's journey. It comes from a transport
// event or, if there is none, from the container's own times.
type Milestone struct {
	EventID   string // id of the transport event; "" if the milestone comes from the container
	Event     EventName
	At        Time // in the zone of the place; its String is the local time there
	Estimated bool // expected, has not happened yet
	Withdrawn bool // withdrawn, or replaced by a newer event

	LOCODE     string     // UN/LOCODE of the place; "" if unknown
	Place      string     // name of the terminal, port or city; "" if the response did not include it
	VesselName string     // "" if there is no vessel or the response did not include it
	Voyage     string     // "" if there is none
	Source     DataSource // who reported the event; "" if the milestone comes from the container
}

// JourneyOptions configures [Journey] and [RailJourney].
type JourneyOptions struct {
	// Events are the container's transport events, for example from
	// [ContainersService.TransportEvents]. If nil, those that the response included with the
	// container are used. Events of other containers are ignored.
	Events []*TransportEvent
	// Withdrawn includes withdrawn and replaced events in the result.
	Withdrawn bool
}

// The prefixes of event names.
const (
	milestonePrefix = "container.transport."
	estimatePrefix  = milestonePrefix + "estimated."
	railPrefix      = milestonePrefix + "rail_"
)

// Journey returns the milestones of a container, sorted by time; those without a time are last.
// Changes of deadlines and appointments are not milestones. The container's own times supply the
// milestones that no event reports, so a container without events has a journey too. If a zone is
// unknown, the order may be wrong by hours.
func Journey(c *Container, opts JourneyOptions) []Milestone {
	if c == nil {
		c = &Container{}
	}
	events := opts.Events
	if events == nil {
		events, _ = c.TransportEvents.Values()
	}
	replaced := replacedEvents(events)
	var journey []Milestone
	seen := map[string]bool{}
	reported := map[EventName]bool{}
	for _, e := range events {
		if e == nil || !strings.HasPrefix(string(e.Event), milestonePrefix) ||
			e.ID != "" && seen[e.ID] || isOfOtherContainer(e, c) {
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

// replacedEvents returns the ids of the events that a valid event replaces.
func replacedEvents(events []*TransportEvent) map[string]bool {
	replaced := map[string]bool{}
	for _, e := range events {
		if e != nil && e.InvalidatedAt.IsZero() && e.PreviousVersion.ID() != "" && e.PreviousVersion.ID() != e.ID {
			replaced[e.PreviousVersion.ID()] = true
		}
	}
	return replaced
}

// Description returns the event in words, such as "vessel arrived" or "estimated: vessel arrived".
func (m Milestone) Description() string {
	name := strings.TrimPrefix(string(m.Event), milestonePrefix)
	name = strings.Replace(name, "estimated.", "estimated: ", 1)
	return strings.ReplaceAll(name, "_", " ")
}

// String returns a human-readable line, such as "2026-03-02 08:00 PST vessel arrived, Los Angeles
// (USLAX)".
func (m Milestone) String() string {
	text := m.At.String() + " " + m.Description()
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

func isOfOtherContainer(e *TransportEvent, c *Container) bool {
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

// placeName returns the name of the terminal or, if it is unknown, of the port or city.
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

// ownMilestones returns a milestone for each of the container's own times, even if the time is
// zero.
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

// compareMilestones orders milestones by time, and those at the same time in the usual order of a
// journey.
func compareMilestones(a, b Milestone) int {
	if a.At.IsZero() != b.At.IsZero() {
		if a.At.IsZero() {
			return 1
		}
		return -1
	}
	return cmp.Or(
		a.At.utc().Compare(b.At.utc()),
		cmp.Compare(usualOrder(a.Event), usualOrder(b.Event)),
		cmp.Compare(a.EventID, b.EventID),
	)
}

// usualOrder returns the position of an event in a usual journey. Unknown events are last.
func usualOrder(n EventName) int {
	if i := slices.Index(eventNames, n); i >= 0 {
		return i
	}
	return len(eventNames)
}

// RailSummary is the rail part of a container's journey to an inland destination; see
// [RailJourney].
type RailSummary struct {
	PODCarrierSCAC string // railroad of the port leg, such as "BNSF"; "" if unknown
	INDCarrierSCAC string // railroad of the inland leg; "" if unknown
	ETA            Time   // the railroad's estimated arrival at the inland destination
	ATA            Time   // the actual arrival at the inland destination
	LFD            Time   // last free day at the ramp
	Legs           []RailLeg
	Milestones     []Milestone // rail events and the arrival at the inland destination, in order
}

// RailLeg is the part of a rail journey from one ramp or interchange to the next.
type RailLeg struct {
	From Milestone // the departure, or the loading if no departure is known; zero if neither is known
	To   Milestone // the arrival; zero while under way
}

// RailJourney returns the rail part of the container's [Journey]. [RailSummary.Used] reports
// whether there is one.
func RailJourney(c *Container, opts JourneyOptions) RailSummary {
	if c == nil {
		c = &Container{}
	}
	rail := RailSummary{
		PODCarrierSCAC: c.PODRailCarrierSCAC, INDCarrierSCAC: c.INDRailCarrierSCAC, ETA: c.INDETA, ATA: c.INDATA,
	}
	for _, lfd := range LastFreeDays(c).Reported {
		if lfd.Source == LFDRail {
			rail.LFD = lfd.At
		}
	}
	for _, m := range Journey(c, opts) {
		if m.byRail() || m.Event == EventArrivedAtInlandDestination {
			rail.Milestones = append(rail.Milestones, m)
			if !m.Withdrawn {
				rail.addMilestone(m)
			}
		}
	}
	return rail
}

// Used reports whether anything indicates transport by rail: a railroad, a last free day at a ramp
// or a rail event.
func (r RailSummary) Used() bool {
	return r.PODCarrierSCAC != "" || r.INDCarrierSCAC != "" || !r.LFD.IsZero() ||
		slices.ContainsFunc(r.Milestones, Milestone.byRail)
}

// byRail reports whether m is a rail event. The arrival at the inland destination is not one, since
// it may be by truck.
func (m Milestone) byRail() bool { return strings.HasPrefix(string(m.Event), railPrefix) }

// addMilestone starts, extends or ends a leg with a milestone.
func (r *RailSummary) addMilestone(m Milestone) {
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
	case EventArrivedAtInlandDestination: // often reported in addition to the arrival at the last ramp
		if underWay {
			last.To = m
		}
	}
}
