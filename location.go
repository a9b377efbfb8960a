package terminal49

import (
	"slices"
	"strings"
	"time"
)

// stage is how far a container has come. A fact proves that it has come at least so far.
type stage int

const (
	stageUnknown     stage = iota
	stageOrigin            // before the voyage
	stageSea               // on a ship, or between two ships
	stagePort              // at the port of discharge
	stageInland            // left the port for an inland destination
	stageDestination       // at the inland destination
	stageOut               // left full for good
	stageReturned          // returned empty
)

// inlandMove is what indicates that a container travels on from the port to an inland destination.
type inlandMove int

const (
	noInlandMove inlandMove = iota
	inlandOnBill            // the bill of lading has a destination that is not the port
	inlandBooked            // a railroad, a place of pickup or an estimate inland is reported
)

// location is where a container is, by recorded facts, its status and its release. It does not
// depend on the clock.
type location struct {
	stage   stage
	basis   basis
	move    inlandMove
	byRail  bool // at stageInland: a railroad's fact proves it; otherwise it may be on a truck
	unclear bool // at stagePort: it may as well be at the inland destination
	offDock bool // in a yard outside the terminal that is not known
	lagging bool // the status contradicts the recorded facts

	conflict bool   // two recorded facts contradict each other, so the stage is unknown
	proof    []fact // of the stage, or if conflict is set, those that contradict each other
	ignored  []fact // of the shipment, contradicted by the container's own

	itinerary *itinerary // nil if there are no facts
	facts     []fact     // all, with estimates and withdrawn ones
}

// basis is what a location follows from.
type basis int

const (
	byFacts basis = iota
	byStatus
	byRelease
)

// conflictAfter is how much later a fact of an earlier stage must be to contradict a later stage.
// Some lines report days only, as midnights, so the order of facts within a day means nothing.
const conflictAfter = 24 * time.Hour

// locate returns where a container is. It is the only reading of that question: readiness, verdict
// and deadlines are built on it. The furthest stage that a recorded fact proves counts; the order
// of the facts within a stage does not matter. The status counts only where it goes further.
func locate(c *Container, events []*TransportEvent) location {
	var l location
	if len(events) > 0 || c.hasTimes() {
		l.itinerary, l.facts = factsOf(c, events)
	}
	l.setPreCarriage(c)
	l.move = inlandMoveOf(c, l.facts)
	if l.readFacts(c); !l.conflict {
		l.readStatus(c)
		l.readRelease(c)
	}
	yard := l.stage == stagePort && c.PickupFacility.ID() != "" && !c.hasInlandFacility()
	l.offDock = c.CurrentStatus == StatusOffDock && !yard && (l.stage == stagePort || l.stage == stageDestination)
	return l
}

// hasTimes reports whether the container has times of milestones, or its shipment is included,
// which may have some.
func (c *Container) hasTimes() bool {
	times := c.ownTimes(portOfDischarge)
	_, included := c.Shipment.Value()
	return included || slices.ContainsFunc(times[:], func(t ownTime) bool { return !t.at.IsZero() })
}

// readFacts sets the stage that recorded facts prove. A fact of the whole shipment that the
// container's own facts contradict is not about this container.
func (l *location) readFacts(c *Container) {
	if l.itinerary == nil {
		return
	}
	recorded := append(recordedIn(l.facts), l.itinerary.ofShipment(c)...)
	slices.SortStableFunc(recorded, func(a, b fact) int { return compareMilestones(a.Milestone, b.Milestone) })
	l.setStages(c, recorded)
	recorded = l.leaveOutOthers(recorded)
	for {
		proof, later := furthest(recorded)
		disputed := append(slices.Clip(later), proof...)
		i := slices.IndexFunc(disputed, func(f fact) bool { return f.ofShipment })
		if len(later) == 0 || i < 0 {
			l.prove(proof, later)
			return
		}
		l.ignored = append(l.ignored, disputed[i])
		recorded = slices.DeleteFunc(recorded, func(f fact) bool { return f.ofShipment && f.attribute == disputed[i].attribute })
	}
}

func recordedIn(facts []fact) []fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact) bool { return f.Withdrawn || f.Estimated })
}

// leaveOutOthers leaves out the arrival of the shipment at its destination, unless the container
// itself is known to have left the port: it may be that of another container.
func (l *location) leaveOutOthers(recorded []fact) []fact {
	if slices.ContainsFunc(recorded, func(f fact) bool { return !f.ofShipment && f.stage >= stageInland }) {
		return recorded
	}
	n := len(recorded)
	recorded = slices.DeleteFunc(recorded, func(f fact) bool { return f.ofShipment && f.stage == stageDestination })
	l.unclear = len(recorded) < n
	return recorded
}

// setPreCarriage marks rail events before the voyage: those that are certainly before a departure
// of a ship, more than a day before the arrival at the port of discharge, or at an unknown place
// while only facts of the origin are known.
func (l *location) setPreCarriage(c *Container) {
	var ships, arrivals []Time
	origin, later := false, false
	for _, f := range recordedIn(l.facts) {
		switch s := l.stageOf(f); {
		case f.byRail():
		case s == stageSea:
			ships = append(ships, f.At)
		case s == stagePort:
			arrivals = append(arrivals, f.At)
		case s == stageOrigin:
			origin = true
		case s > stagePort:
			later = true
		}
	}
	if s, ok := c.Shipment.Value(); ok {
		ships = append(ships, s.POLATD)
		if !s.PODATA.IsZero() {
			arrivals = append(arrivals, s.PODATA)
		}
	}
	for i, f := range l.facts {
		if !f.byRail() || f.where.sure && f.where.stop == inlandDestination {
			continue
		}
		before := func(margin time.Duration) func(Time) bool {
			_, end := f.At.span()
			return func(t Time) bool {
				start, _ := t.span()
				return !t.IsZero() && !f.At.IsZero() && start.Sub(end) > margin
			}
		}
		onlyOrigin := origin && !later && len(arrivals) == 0 && !f.where.sure
		l.facts[i].preCarriage = onlyOrigin || slices.ContainsFunc(ships, before(0)) || slices.ContainsFunc(arrivals, before(conflictAfter))
	}
}

// prove sets the stage, or the conflict if facts of earlier stages are later.
func (l *location) prove(proof, later []fact) {
	if l.conflict = len(later) > 0; l.conflict {
		l.proof = append(proof, later...)
		slices.SortStableFunc(l.proof, func(a, b fact) int { return compareMilestones(a.Milestone, b.Milestone) })
		return
	}
	if len(proof) > 0 {
		l.stage, l.proof = proof[0].stage, proof
	}
	l.byRail = slices.ContainsFunc(proof, func(f fact) bool { return f.byRail() })
	l.unclear = l.unclear && l.stage == stagePort
}

// furthest returns the facts of the furthest stage, and those of earlier stages that are certainly
// more than a day later than all of them.
func furthest(facts []fact) (proof, later []fact) {
	var top stage
	var last time.Time
	for _, f := range facts {
		top = max(top, f.stage)
	}
	for _, f := range facts {
		if f.stage != top || top == stageUnknown {
			continue
		}
		if _, end := f.At.span(); !f.At.IsZero() && end.After(last) {
			last = end
		}
		proof = append(proof, f)
	}
	for _, f := range facts {
		start, _ := f.At.span()
		if f.stage < top && f.stage > stageUnknown && !last.IsZero() && !f.At.IsZero() && start.Sub(last) > conflictAfter {
			later = append(later, f)
		}
	}
	return proof, later
}

// setStages sets what each fact proves. Facts are in the order of time.
func (l *location) setStages(c *Container, facts []fact) {
	for i, f := range facts {
		facts[i].stage = l.stageOf(f)
		facts[i].likely = f.Event == EventRailArrived && facts[i].stage == stageInland && l.isLikelyDestination(c, f)
	}
	for i, f := range facts {
		switch {
		case f.likely:
			facts[i].stage = stageDestination
		case f.Event == EventRailUnloaded && !f.where.sure && f.LOCODE != "" && slices.ContainsFunc(facts, func(g fact) bool {
			return g.leavesByRail() && f.At.Before(g.At)
		}):
			facts[i].stage = stageInland // unloaded on the way, and loaded again
		case f.Event == EventFullOut && f.stage == stageInland && l.mayBeInland(f) && slices.ContainsFunc(facts[:i], func(g fact) bool {
			return g.stage == stageDestination
		}):
			facts[i].stage = stageOut // after its arrival inland
		}
	}
}

// mayBeInland reports whether a fact of an unknown place may be at the inland destination.
func (l *location) mayBeInland(f fact) bool {
	return f.where.stop == unknownStop && l.itinerary.spotAt(inlandDestination).compare(f.where) != otherPlace
}

// isLikelyDestination reports whether a train's arrival is likely the one at the destination, of
// which only the zone is known: it is the zone of the arrival, and not that of the port.
func (l *location) isLikelyDestination(c *Container, f fact) bool {
	known := len(l.itinerary.locodes[inlandDestination]) + len(l.itinerary.terminals[inlandDestination])
	return known == 0 && f.At.Zone() != "" && f.At.Zone() == c.FinalDestinationTimezone && zonesDiffer(c.PODTimezone, c.FinalDestinationTimezone)
}

// stageOf returns the stage that a fact proves by itself, or stageUnknown. A gate-out at the port
// is the end only if nothing indicates an inland destination. Reports of availability prove no
// place: terminals send them before the arrival, and after the departure.
func (l *location) stageOf(f fact) stage {
	switch name := strings.TrimPrefix(string(f.Event), milestonePrefix); {
	case f.preCarriage:
		return stageOrigin
	case f.attribute == "final_destination_full_out_at", f.Event == EventDelivered:
		return stageOut
	case f.Event == EventEmptyIn:
		return stageReturned
	case f.Event == EventFullOut && (f.where.stop == portOfLading || f.where.stop == emptyPickup),
		f.Event == EventEmptyOut, f.Event == EventFullIn:
		return stageOrigin
	case f.Event == EventFullOut && (f.where.stop == inlandDestination || l.move == noInlandMove):
		return stageOut
	case f.Event == EventFullOut, f.leavesByRail():
		return stageInland
	case f.Event == EventRailArrived && !(f.where.sure && f.where.stop == inlandDestination):
		return stageInland // a ramp or an interchange on the way
	case f.byRail(), f.Event == EventArrivedAtInlandDestination:
		return stageDestination
	case usualStop(f.Event) == portOfDischarge && f.where.stop == inlandDestination:
		return stageDestination // by ship
	case usualStop(f.Event) == portOfDischarge && f.where.stop == portOfDischarge:
		return stagePort
	case strings.HasPrefix(name, "vessel_"), strings.HasPrefix(name, "transshipment_"), strings.HasPrefix(name, "feeder_"):
		return stageSea
	}
	return stageUnknown
}

// ofShipment returns the recorded times of the included shipment. They are about all its
// containers, except those that are bound for another port.
func (r *itinerary) ofShipment(c *Container) (facts []fact) {
	s, included := c.Shipment.Value()
	if !included {
		return nil
	}
	add := func(attribute string, event EventName, at Time, where stop) {
		if !at.IsZero() {
			m := Milestone{Event: event, At: at}
			facts = append(facts, fact{Milestone: m, where: r.spotAt(where), attribute: "shipment." + attribute, ofShipment: true})
		}
	}
	add("pol_atd_at", EventVesselDeparted, s.POLATD, portOfLading)
	if !c.isBoundElsewhere(s) {
		add("pod_ata_at", EventVesselArrived, s.PODATA, portOfDischarge)
	}
	if destinationOf(s) == destinationInland {
		add("destination_ata_at", EventArrivedAtInlandDestination, s.DestinationATA, inlandDestination)
	}
	return facts
}

// readStatus takes the stage of the status if it goes further than the facts. "Picked up" may be
// the gate-out at the port, so a recorded fact of the inland move overrides it.
func (l *location) readStatus(c *Container) {
	status, reached := c.CurrentStatus, c.CurrentStatus.stage()
	railDay := !railDeadline(c).IsZero()
	wentInland := l.stage == stageDestination || l.stage == stageInland && l.byRail
	l.byRail = l.byRail || l.stage == stageInland && railDay || status == StatusOnRail
	switch {
	case reached == l.stage, reached == stageUnknown,
		reached == stagePort && l.stage == stageDestination && status != StatusAwaitingInlandTransfer:
	case reached < l.stage, status == StatusPickedUp && wentInland:
		l.lagging = true
	case status == StatusPickedUp && l.move != noInlandMove && !railDay:
		if l.stage < stageInland {
			l.stage, l.basis = stageInland, byStatus
		}
	default:
		l.stage, l.basis = reached, byStatus
		l.unclear = reached == stagePort && l.move != noInlandMove
	}
	l.unclear = l.unclear && l.stage == stagePort && status != StatusAwaitingInlandTransfer
}

// readRelease takes the release for a proof that the container is where it is picked up, if nothing
// else reports where it is: a terminal releases what it has.
func (l *location) readRelease(c *Container) {
	if l.stage == stageUnknown && c.AvailableForPickup.Or(false) && c.AvailabilityKnown.Or(true) {
		l.stage, l.basis, l.unclear = stagePort, byRelease, l.move != noInlandMove
	}
}

// stage returns how far a container of this status has come. The statuses of a released or landed
// container are the same at the port and inland.
func (s ContainerStatus) stage() stage {
	switch s {
	case StatusOnShip:
		return stageSea
	case StatusGrounded, StatusAvailable, StatusNotAvailable, StatusAwaitingInlandTransfer, StatusOffDock:
		return stagePort
	case StatusOnRail:
		return stageInland
	case StatusPickedUp, StatusDelivered:
		return stageOut
	case StatusEmptyReturned:
		return stageReturned
	}
	return stageUnknown
}

// isHere reports whether the container is at a place of pickup, and which that is is known.
func (l *location) isHere() bool {
	return !l.unclear && !l.offDock && (l.stage == stageDestination || l.stage == stagePort)
}

// denies reports whether the terminal that is responsible at this stage declares that it does not
// report an attribute, or, if it declares nothing, whether the other terminal does.
func (l *location) denies(c *Container, attribute string) bool {
	here, other := c.PODTerminal, c.PickupFacility
	if l.stage >= stageInland || other.ID() != "" && !c.hasInlandFacility() {
		here, other = other, here
	}
	for _, terminal := range []ToOne[*Terminal]{here, other} {
		if t, ok := terminal.Value(); ok {
			if reported, known := t.ProvidedData[attribute].Reported.Get(); known {
				return !reported
			}
		}
	}
	return false
}

// inlandMoveOf returns what indicates an inland move.
func inlandMoveOf(c *Container, facts []fact) inlandMove {
	shipment, included := c.Shipment.Value()
	switch {
	case c.PODRailCarrierSCAC+c.INDRailCarrierSCAC != "", !c.INDETA.IsZero(), !railDeadline(c).IsZero(),
		c.CurrentStatus == StatusAwaitingInlandTransfer, c.CurrentStatus == StatusOnRail, c.hasInlandFacility(),
		slices.ContainsFunc(facts, fact.isInland):
		return inlandBooked
	case included && (destinationOf(shipment) == destinationInland || c.hasOtherDestination(shipment)):
		return inlandOnBill
	case included && destinationOf(shipment) == destinationAtPort:
		return noInlandMove
	case c.FinalDestinationTimezone != "":
		return inlandOnBill
	}
	return noInlandMove
}

// isInland reports whether a fact or estimate indicates an inland move. The gate-out at the final
// destination does not: some containers without an inland destination have it.
func (f fact) isInland() bool {
	return !f.Withdrawn && !f.preCarriage && (f.byRail() || onlyStop(f.Event) == inlandDestination && !f.ofShipment)
}

// hasInlandFacility reports whether the container is picked up at another place than its port.
func (c *Container) hasInlandFacility() bool {
	if c.PickupFacility.ID() == "" || c.PickupFacility.ID() == c.PODTerminal.ID() {
		return false
	}
	facility, included := c.PickupFacility.Value()
	if !included || facility.IsRail() {
		return true
	}
	var port []string
	if terminal, ok := c.PODTerminal.Value(); ok {
		port = terminal.locodes()
	} else if shipment, ok := c.Shipment.Value(); ok {
		port = []string{shipment.PortOfDischargeLOCODE}
	}
	return !slices.ContainsFunc(facility.locodes(), func(code string) bool { return code != "" && slices.Contains(port, code) })
}

type destination int

const (
	destinationUnknown destination = iota
	destinationAtPort
	destinationInland
)

// destinationOf compares a shipment's destination with its port of discharge.
func destinationOf(s *Shipment) destination {
	switch {
	case s.DestinationLOCODE == "" && s.DestinationName == "":
		return destinationUnknown
	case s.DestinationLOCODE != "" && s.DestinationLOCODE == s.PortOfDischargeLOCODE,
		s.DestinationLOCODE == "" && s.DestinationName == s.PortOfDischargeName:
		return destinationAtPort
	}
	return destinationInland
}

// hasOtherDestination reports whether only a relationship names a destination other than the port.
func (c *Container) hasOtherDestination(s *Shipment) bool {
	terminal, place := s.DestinationTerminal.ID(), s.Destination.ID()
	return destinationOf(s) == destinationUnknown &&
		(terminal != "" && terminal != s.PODTerminal.ID() && terminal != c.PODTerminal.ID() || place != "" && place != s.PortOfDischarge.ID())
}

// isBoundElsewhere reports whether the container is certainly bound for another port than its
// shipment, whose times there are then not its own.
func (c *Container) isBoundElsewhere(s *Shipment) bool {
	terminal, included := c.PODTerminal.Value()
	if !included || s.PortOfDischargeLOCODE == "" {
		return false
	}
	port, included := terminal.Port.Value()
	return included && port.LOCODE != "" && port.LOCODE != s.PortOfDischargeLOCODE
}
