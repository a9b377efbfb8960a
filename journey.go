package terminal49

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Milestone is an actual or estimated event in a container's journey. It comes from a transport
// event or, if there is none, from the container's own times or the ETAs of its shipment. Its JSON
// can be read back: an unknown time is null, and a text that is unknown is left out.
type Milestone struct {
	EventID   string    `json:"event_id,omitempty"` // id of the transport event; "" if the milestone comes from the container or shipment
	Event     EventName `json:"event"`
	At        Time      `json:"at"`        // in the zone of the place; its String is the local time there
	Estimated bool      `json:"estimated"` // expected, has not happened yet
	Withdrawn bool      `json:"withdrawn"` // withdrawn, replaced by another event, or an estimate that has been overtaken

	LOCODE     string     `json:"locode,omitempty"`      // UN/LOCODE of the place; "" if unknown
	Place      string     `json:"place,omitempty"`       // name of the terminal, port or city; "" if the response did not include it
	VesselName string     `json:"vessel_name,omitempty"` // "" if there is no vessel or the response did not include it
	Voyage     string     `json:"voyage,omitempty"`      // "" if there is none
	Source     DataSource `json:"source,omitempty"`      // who reported the event; "" if EventID is ""
}

// JourneyOptions configures [Journey].
type JourneyOptions struct {
	// Events are the container's transport events, for example from
	// [ContainersService.TransportEvents]. If nil, those that the response included with the
	// container are used. Events of other containers are ignored.
	Events []*TransportEvent
	// Withdrawn includes withdrawn and replaced events and overtaken estimates in the result.
	Withdrawn bool
}

// The prefixes of event names.
const (
	milestonePrefix = "container.transport."
	estimatePrefix  = milestonePrefix + "estimated."
	railPrefix      = milestonePrefix + "rail_"
	vesselPrefix    = milestonePrefix + "vessel_"

	transshipmentPrefix = milestonePrefix + "transshipment_"
)

// Journey returns the milestones of a container, sorted by time; those without a time are last. The
// container's own times, and the ETAs of its shipment if that is included, supply the milestones
// that no valid event reports: they are one if they have the same name and the same time or place,
// or the same zone within a day. A vessel event without a place counts as one at the usual port.
// Journey leaves out withdrawn events, estimates that have happened or were replaced, and changes
// of deadlines. If a zone is unknown, the order may be wrong by hours.
func Journey(c *Container, opts JourneyOptions) []Milestone {
	if c == nil {
		c = &Container{}
	}
	events := opts.Events
	if events == nil {
		events, _ = c.TransportEvents.Values()
	}
	_, facts := factsOf(c, events)
	var journey []Milestone
	for _, f := range facts {
		if !f.Withdrawn || opts.Withdrawn {
			journey = append(journey, f.Milestone)
		}
	}
	slices.SortStableFunc(journey, compareMilestones)
	return journey
}

// factsOf returns the milestones of a container and the itinerary they are on. Withdrawn events
// have no influence on either.
func factsOf(c *Container, events []*TransportEvent) (*itinerary, []fact) {
	events = milestoneEvents(events, c)
	replaced := replacedEvents(events)
	withdrawn := func(e *TransportEvent) bool { return !e.InvalidatedAt.IsZero() || replaced[e.ID] }
	r := itineraryOf(c, slices.DeleteFunc(slices.Clone(events), withdrawn))
	reported := make([]fact, len(events))
	for i, e := range events {
		reported[i] = fact{Milestone: milestoneOf(e), where: r.spotOf(e), createdAt: e.CreatedAt, terminal: e.Terminal}
		reported[i].Withdrawn = withdrawn(e)
	}
	facts := slices.Concat(reported, unreported(append(r.own(c), r.expected(c)...), reported))
	withdrawDuplicates(facts)
	withdrawEstimates(facts)
	return r, facts
}

// LatestMilestone returns the last milestone of a [Journey] that has happened, or false if none
// has. One without a time is the latest only if none has a time.
func LatestMilestone(journey []Milestone) (latest Milestone, ok bool) {
	for _, m := range journey {
		if !m.Withdrawn && !m.Estimated && (!ok || !m.At.IsZero() || latest.At.IsZero()) {
			latest, ok = m, true
		}
	}
	return latest, ok
}

// NextMilestone returns the first milestone of a [Journey] that is expected and has not happened,
// or false if none is. Its time may have passed: then it is late, or its event is not reported yet.
// With the shipment included with the container, it can be the shipment's ETA.
func NextMilestone(journey []Milestone) (next Milestone, ok bool) {
	i := slices.IndexFunc(journey, func(m Milestone) bool { return m.Estimated && !m.Withdrawn })
	if i < 0 {
		return Milestone{}, false
	}
	return journey[i], true
}

// milestoneEvents returns the milestones and estimates of the container, each id once, in an order
// that does not depend on the order of events. If an id has several readings, a withdrawn one
// counts, then the one with the latest time.
func milestoneEvents(events []*TransportEvent, c *Container) []*TransportEvent {
	events = slices.DeleteFunc(slices.Clone(events), func(e *TransportEvent) bool {
		return e == nil || !strings.HasPrefix(string(e.Event), milestonePrefix) || isOfOtherContainer(e, c)
	})
	slices.SortStableFunc(events, func(a, b *TransportEvent) int {
		return cmp.Or(
			cmp.Compare(a.ID, b.ID),
			b.InvalidatedAt.utc().Compare(a.InvalidatedAt.utc()),
			b.Timestamp.utc().Compare(a.Timestamp.utc()),
			b.CreatedAt.utc().Compare(a.CreatedAt.utc()),
			cmp.Compare(b.LocationLOCODE, a.LocationLOCODE),
			cmp.Compare(b.Timezone, a.Timezone),
		)
	})
	return slices.CompactFunc(events, func(a, b *TransportEvent) bool { return a.ID != "" && a.ID == b.ID })
}

// replacedEvents returns the ids of the earlier versions of valid events.
func replacedEvents(events []*TransportEvent) map[string]bool {
	previous, replaced := map[string]string{}, map[string]bool{}
	for _, e := range events {
		previous[e.ID] = e.PreviousVersion.ID()
	}
	for _, e := range events {
		if !e.InvalidatedAt.IsZero() || replaced[e.ID] {
			continue
		}
		for id := e.PreviousVersion.ID(); id != "" && id != e.ID && !replaced[id]; id = previous[id] {
			replaced[id] = true
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

// String returns a human-readable line, such as "2026-03-02 08:00 -08:00 vessel arrived, Los
// Angeles (USLAX)".
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
		EventID: e.ID, Event: e.Event, At: e.Timestamp, Estimated: isEstimate(e.Event),
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
	if place, ok := e.Location.Value(); ok {
		return place.PlaceName()
	}
	return ""
}

// fact is a milestone with what decides whether another one reports the same.
type fact struct {
	Milestone
	where      spot
	createdAt  Time
	isKnown    bool             // reported by an event too
	attribute  string           // of the container or shipment with the same time; "" if there is none
	ofShipment bool             // reported for the whole shipment
	stage      stage            // what it proves; set by locate
	terminal   ToOne[*Terminal] // of the event

	preCarriage bool // by rail before the voyage
}

// ownTime is a recorded or estimated time of a container.
type ownTime struct {
	attribute string
	event     EventName
	at        Time
	stop      stop
}

// ownTimes returns the times of a container that ends at a stop, in the order of a journey.
func (c *Container) ownTimes(end stop) [15]ownTime {
	return [...]ownTime{
		{"empty_out_at", EventEmptyOut, c.EmptyOutAt, emptyPickup},
		{"pol_full_in_at", EventFullIn, c.POLFullInAt, portOfLading},
		{"pol_vessel_loaded_at", EventVesselLoaded, c.POLVesselLoadedAt, portOfLading},
		{"pol_vessel_departed_at", EventVesselDeparted, c.POLVesselDepartedAt, portOfLading},
		{"pod_arrived_at", EventVesselArrived, c.PODArrivedAt, portOfDischarge},
		{"pod_discharged_at", EventVesselDischarged, c.PODDischargedAt, portOfDischarge},
		{"pod_rail_loaded_at", EventRailLoaded, c.PODRailLoadedAt, portOfDischarge},
		{"pod_rail_departed_at", EventRailDeparted, c.PODRailDepartedAt, portOfDischarge},
		{"ind_eta_at", EventEstimatedArrivedAtInlandDestination, c.INDETA, inlandDestination},
		{"ind_ata_at", EventArrivedAtInlandDestination, c.INDATA, inlandDestination},
		{"ind_rail_unloaded_at", EventRailUnloaded, c.INDRailUnloadedAt, end},
		{"pod_full_out_at", EventFullOut, c.PODFullOutAt, portOfDischarge},
		{"final_destination_full_out_at", EventFullOut, c.FinalDestinationFullOutAt, end},
		{"delivered_at", EventDelivered, c.DeliveredAt, journeyEnd},
		{"empty_terminated_at", EventEmptyIn, c.EmptyTerminatedAt, journeyEnd},
	}
}

// own returns a fact for each of the container's own times that is not zero.
func (r *itinerary) own(c *Container) []fact {
	var facts []fact
	for _, t := range c.ownTimes(r.end) {
		if !t.at.IsZero() {
			m := Milestone{Event: t.event, At: t.at, Estimated: isEstimate(t.event)}
			facts = append(facts, fact{Milestone: m, where: r.spotAt(t.stop), attribute: t.attribute})
		}
	}
	return facts
}

// unreported returns the facts in own that no valid event reports. An event reports at most one of
// them, the nearest in time. An event without a time or stop receives that of the fact.
func unreported(own, reported []fact) []fact {
	for i := range reported {
		best, e := -1, &reported[i]
		for j, o := range own {
			if !e.Withdrawn && o.reportedBy(*e) && (best < 0 || o.timeFrom(*e) < own[best].timeFrom(*e)) {
				best = j
			}
		}
		if best >= 0 {
			own[best].isKnown, e.At, e.attribute = true, cmp.Or(e.At, own[best].At), own[best].attribute
			if !e.where.sure {
				e.where.stop, e.where.sure = own[best].where.stop, own[best].where.sure
			}
		}
	}
	return slices.DeleteFunc(own, func(o fact) bool { return o.isKnown })
}

// reportedBy reports whether event e reports the container's own fact f. If only the zones are
// known to be the same, the times must be within a day: ramps along a railway may share a zone.
func (f fact) reportedBy(e fact) bool {
	if f.Event != e.Event || sameTime(f.At, e.At) {
		return f.Event == e.Event
	}
	if !f.createdAt.IsZero() && !e.createdAt.IsZero() {
		return false // the newer one counts
	}
	near := f.where.compare(e.where)
	return near == samePlace || near == sameZone && f.timeFrom(e) < 24*time.Hour
}

// timeFrom returns how far apart the times are.
func (f fact) timeFrom(e fact) time.Duration {
	if sameTime(f.At, e.At) {
		return 0
	}
	return f.At.utc().Sub(e.At.utc()).Abs()
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
		cmp.Compare(a.LOCODE, b.LOCODE),
	)
}

// usualOrder returns the position of an event in a usual journey. Unknown events are last.
func usualOrder(n EventName) int {
	if i := slices.Index(eventNames, n); i >= 0 {
		return i
	}
	return len(eventNames)
}

// byRail reports whether m is a rail event. The arrival at the inland destination is not one, since
// it may be by truck.
func (m Milestone) byRail() bool { return strings.HasPrefix(string(m.Event), railPrefix) }

func (m Milestone) leavesByRail() bool {
	return m.Event == EventRailLoaded || m.Event == EventRailDeparted
}

// hasTimes reports whether the container has times of milestones, or its shipment is included,
// which may have some.
func (c *Container) hasTimes() bool {
	times := c.ownTimes(portOfDischarge)
	_, included := c.Shipment.Value()
	return included || slices.ContainsFunc(times[:], func(t ownTime) bool { return !t.at.IsZero() })
}
