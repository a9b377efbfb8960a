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

	atlas     atlas
	itinerary *itinerary // nil if there are no facts
	facts     []fact     // all, with estimates and withdrawn ones
	report    fact       // the last event that says whether the container is available
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
	l := location{atlas: atlas{c, events}}
	if len(events) > 0 || c.hasTimes() {
		l.itinerary, l.facts = factsOf(c, events)
		l.report = lastReport(l.facts)
	}
	l.setPreCarriage(c)
	l.move = l.inlandMove(c)
	if l.readFacts(c); !l.conflict {
		l.readStatus(c)
		l.readRelease(c)
	}
	l.readYard(c)
	return l
}

// readFacts sets the stage that recorded facts prove. A fact of the whole shipment that the
// container's own facts contradict is not about this container.
func (l *location) readFacts(c *Container) {
	if l.itinerary == nil {
		return
	}
	recorded := append(recordedIn(l.facts), l.itinerary.ofShipment(c)...)
	slices.SortStableFunc(recorded, func(a, b fact) int { return compareMilestones(a.Milestone, b.Milestone) })
	l.setStages(recorded)
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

// setPreCarriage marks rail events before the voyage: those at the origin, those that are certainly
// before a departure of a ship, more than a day before the arrival at the port of discharge, or at
// an unknown place while only facts of the origin are known. A fact at sea ends what came before
// it, so a rail event after the departures of all ships is of the inland move.
func (l *location) setPreCarriage(c *Container) {
	v := l.voyageOf(c)
	for i, f := range l.facts {
		if f.byRail() && !f.isSurelyInland() {
			l.facts[i].preCarriage = l.isAtOrigin(f, &v) || f.isCertainlyBefore(v.lastShip, 0) || f.isCertainlyBefore(v.lastArrival, conflictAfter)
		}
	}
}

// isAtOrigin reports whether a fact is at the port of lading, or at an unknown place that is taken
// for one around it.
func (l *location) isAtOrigin(f fact, v *voyage) bool {
	if f.where.sure {
		return f.where.stop == portOfLading
	}
	return v.onlyOrigin && !f.isCertainlyAfter(v.lastShip) || !v.isCrossedBefore(f) && l.isAroundOrigin(f)
}

// isAroundOrigin reports whether a fact is in the zone of the port of lading, which is neither that
// of the port of discharge nor that of the inland destination, or in a zone that no train between
// these two crosses.
func (l *location) isAroundOrigin(f fact) bool {
	if f.where.zone == "UTC" || strings.HasPrefix(f.where.zone, "Etc/") {
		return false
	}
	origin, port, ramp := l.itinerary.spotAt(portOfLading).clocks, l.itinerary.spotAt(portOfDischarge).clocks, l.itinerary.spotAt(inlandDestination).clocks
	return origin.known && f.where.clocks == origin && port.differ(origin) && ramp != origin || f.where.clocks.isFarFrom(port, ramp)
}

// isFarFrom reports whether a zone is more than three hours east or west of everything between a
// port and a ramp or, if that of the ramp is unknown, more than eight hours from the port.
func (c clocks) isFarFrom(port, ramp clocks) bool {
	const hour = 60 * 60
	most := 3 * hour
	if !ramp.known {
		ramp, most = port, 8*hour
	}
	return c.known && port.known && (c.january < min(port.january, ramp.january)-most || c.january > max(port.january, ramp.january)+most)
}

// voyage is what is recorded of the voyage, except by railroads.
type voyage struct {
	ships      []Time // departures of ships, and what else happened between the ports
	arrivals   []Time // at the port of discharge
	onlyOrigin bool   // there are facts of the origin, but none of the port of discharge or later

	lastShip, lastArrival Time // of ships and arrivals, the one that begins last

	crossed time.Time // by when the first fact of a ship, or at the port of discharge, has certainly happened
}

// isCrossedBefore reports whether a fact is certainly after one of a ship or at the port of
// discharge.
func (v *voyage) isCrossedBefore(f fact) bool {
	start, _ := f.At.span()
	return !v.crossed.IsZero() && !f.At.IsZero() && start.After(v.crossed)
}

func (l *location) voyageOf(c *Container) (v voyage) {
	later := false
	for _, f := range recordedIn(l.facts) {
		_, end := f.At.span()
		if (f.isSurelyAtPort() || f.byShip()) && !f.At.IsZero() && (v.crossed.IsZero() || end.Before(v.crossed)) {
			v.crossed = end
		}
		switch s := l.stageOf(f); {
		case f.byRail():
			later = later || f.isSurelyAtPort()
		case s == stageSea:
			v.ships = append(v.ships, f.At)
		case s == stagePort:
			v.arrivals = append(v.arrivals, f.At)
		case s == stageOrigin:
			v.onlyOrigin = true
		case s > stagePort:
			later = true
		}
	}
	if s, ok := c.Shipment.Value(); ok {
		v.ships = append(v.ships, s.POLATD)
		if !s.PODATA.IsZero() {
			v.arrivals = append(v.arrivals, s.PODATA)
		}
	}
	v.onlyOrigin = v.onlyOrigin && !later && len(v.arrivals) == 0
	v.lastShip, v.lastArrival = latestStart(v.ships), latestStart(v.arrivals)
	return v
}

// latestStart returns the time that begins last; zero if none was reported. What is certainly
// before one of the times is certainly before this one, so that no other has to be compared.
func latestStart(times []Time) (latest Time) {
	var last time.Time
	for _, t := range times {
		if start, _ := t.span(); !t.IsZero() && (latest.IsZero() || start.After(last)) {
			latest, last = t, start
		}
	}
	return latest
}

// isCertainlyBefore reports whether a fact is before a time by more than a margin, in whatever
// zones they are.
func (f fact) isCertainlyBefore(t Time, margin time.Duration) bool {
	_, end := f.At.span()
	start, _ := t.span()
	return !f.At.IsZero() && !t.IsZero() && start.Sub(end) > margin
}

// isCertainlyAfter reports whether a fact is after a time, in whatever zones they are.
func (f fact) isCertainlyAfter(t Time) bool {
	start, _ := f.At.span()
	_, end := t.span()
	return !f.At.IsZero() && !t.IsZero() && start.After(end)
}

// isSurelyAtPort reports whether a fact is certainly of the port of discharge.
func (f fact) isSurelyAtPort() bool { return f.where.sure && f.where.stop == portOfDischarge }

// isSurelyInland reports whether a fact is certainly of the inland destination.
func (f fact) isSurelyInland() bool { return f.where.sure && f.where.stop == inlandDestination }

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
	for _, f := range facts {
		top = max(top, f.stage)
	}
	for _, f := range facts {
		if f.stage == top && top != stageUnknown {
			proof = append(proof, f)
		}
	}
	last := lastEnd(proof)
	for _, f := range facts {
		if f.stage < top && f.stage > stageUnknown && f.isLongAfter(last) {
			later = append(later, f)
		}
	}
	return proof, later
}

// isLongAfter reports whether a fact is certainly so much later than a moment that it contradicts a
// later stage that was reached by then.
func (f fact) isLongAfter(last time.Time) bool {
	start, _ := f.At.span()
	return !last.IsZero() && !f.At.IsZero() && start.Sub(last) > conflictAfter
}

// lastEnd returns by when all of the facts with a time have certainly happened.
func lastEnd(facts []fact) (last time.Time) {
	for _, f := range facts {
		if _, end := f.At.span(); !f.At.IsZero() && end.After(last) {
			last = end
		}
	}
	return last
}

// setStages sets what each fact proves. Facts are in the order of time.
func (l *location) setStages(facts []fact) {
	for i, f := range facts {
		facts[i].stage = l.stageOf(f)
	}
	left, arrived := lastDepartureByRail(facts), false
	for i, f := range facts {
		switch {
		case f.mayBeOnTheWay() && f.At.Before(left):
			facts[i].stage = stageInland
		case f.Event != EventFullOut || f.stage != stageInland || f.At.Before(left):
		case arrived && l.mayBeInland(f), l.isInZoneOfRamp(f):
			facts[i].stage = stageOut
		}
		arrived = arrived || facts[i].stage == stageDestination
	}
}

// mayBeOnTheWay reports whether a train was unloaded at a place that is not certain. It was on the
// way if the container left by rail later.
func (f fact) mayBeOnTheWay() bool {
	return f.Event == EventRailUnloaded && !f.preCarriage && !f.where.sure && f.where.key != ""
}

// lastDepartureByRail returns when the container last left by rail; zero if that is not reported.
func lastDepartureByRail(facts []fact) Time {
	var times []Time
	for _, f := range facts {
		if f.leavesByRail() {
			times = append(times, f.At)
		}
	}
	return latestStart(times)
}

// mayBeInland reports whether a fact of an unknown place may be at the inland destination.
func (l *location) mayBeInland(f fact) bool {
	return f.where.stop == unknownStop && l.itinerary.spotAt(inlandDestination).compare(f.where) != otherPlace
}

// isInZoneOfRamp reports whether a fact of an unknown place is in the zone of the inland
// destination, which is certainly not that of the port.
func (l *location) isInZoneOfRamp(f fact) bool {
	port, ramp := l.itinerary.spotAt(portOfDischarge).clocks, l.itinerary.spotAt(inlandDestination).clocks
	return l.mayBeInland(f) && ramp.known && f.where.clocks == ramp && port.differ(ramp)
}

// stageOf returns the stage that a fact proves by itself, or stageUnknown. A gate-out at the port
// is the end only if nothing indicates an inland destination. Reports of availability prove no
// place: terminals send them before the arrival, and after the departure.
func (l *location) stageOf(f fact) stage {
	switch {
	case f.preCarriage:
		return stageOrigin
	case f.attribute == "final_destination_full_out_at":
		return stageOut
	case f.Event.stage() != stageUnknown:
		return f.Event.stage()
	case f.Event == EventFullOut:
		return l.stageOfGateOut(f)
	case f.leavesByRail(), f.Event == EventRailArrived && !f.isSurelyInland(): // on the way
		return stageInland
	case f.byRail(), f.landsAt(inlandDestination):
		return stageDestination
	case f.landsAt(portOfDischarge):
		return stagePort
	case f.byShip():
		return stageSea
	}
	return stageUnknown
}

// stage returns the stage that an event proves wherever it happened, or stageUnknown.
func (n EventName) stage() stage {
	switch n {
	case EventEmptyOut, EventFullIn:
		return stageOrigin
	case EventArrivedAtInlandDestination:
		return stageDestination
	case EventDelivered:
		return stageOut
	case EventEmptyIn:
		return stageReturned
	}
	return stageUnknown
}

func (l *location) stageOfGateOut(f fact) stage {
	switch {
	case f.where.stop == portOfLading, f.where.stop == emptyPickup:
		return stageOrigin
	case f.where.stop == inlandDestination, l.move == noInlandMove:
		return stageOut
	}
	return stageInland
}

// landsAt reports whether a fact is an arrival by ship at a stop, or what follows there.
func (f fact) landsAt(s stop) bool { return usualStop(f.Event) == portOfDischarge && f.where.stop == s }

func (m Milestone) byShip() bool {
	name := strings.TrimPrefix(string(m.Event), milestonePrefix)
	return strings.HasPrefix(name, "vessel_") || strings.HasPrefix(name, "transshipment_") || strings.HasPrefix(name, "feeder_")
}

// ofShipment returns the recorded times of the included shipment. They are about all its
// containers. For one that is bound for another port, the arrival proves only that the ship has
// sailed.
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
	if r.atlas.isBoundElsewhere(s) {
		add("pod_ata_at", EventVesselArrived, s.PODATA, unknownStop)
	} else {
		add("pod_ata_at", EventVesselArrived, s.PODATA, portOfDischarge)
	}
	if destinationOf(s) == destinationInland && !c.endsElsewhere(s) {
		add("destination_ata_at", EventArrivedAtInlandDestination, s.DestinationATA, inlandDestination)
	}
	return facts
}

// readStatus takes the stage of the status if it goes further than the facts, and is not only an
// announcement. "Picked up" may be the gate-out at the port, so a recorded fact of the inland move
// overrides it.
func (l *location) readStatus(c *Container) {
	status, reached := c.CurrentStatus, c.CurrentStatus.stage()
	railDay := !railDeadline(c).IsZero()
	if status == StatusOnRail || l.stage == stageInland && railDay {
		l.byRail = true
	}
	wentInland := l.hasGoneInland()
	switch {
	case reached == stageUnknown, l.includes(status):
	case reached < l.stage, status == StatusPickedUp && wentInland, reached == stagePort && l.isAnnounced(c):
		l.lagging = true
	case status == StatusPickedUp && l.move != noInlandMove && !railDay:
		l.reach(stageInland)
	default:
		l.reach(reached)
		l.unclear = l.movesOn()
	}
	l.unclear = l.unclear && l.stage == stagePort && status != StatusAwaitingInlandTransfer
}

// isAnnounced reports whether the status says only what a terminal reports before the arrival: it
// follows from a report of availability, or the ship is expected after the terminal was checked.
// Without recorded facts of the origin or the voyage, nothing contradicts the status.
func (l *location) isAnnounced(c *Container) bool {
	if l.stage != stageOrigin && l.stage != stageSea {
		return false
	}
	reported := (c.CurrentStatus == StatusAvailable || c.CurrentStatus == StatusNotAvailable) && l.report.Event != ""
	nextDoor := slices.ContainsFunc(l.proof, func(f fact) bool { return f.attribute == shipmentArrival })
	return l.isExpectedAfter(c.TerminalCheckedAt, c.shipmentOrEmpty()) || reported && !nextDoor
}

// shipmentArrival is the attribute of the arrival of a shipment at its port of discharge.
const shipmentArrival = "shipment.pod_ata_at"

// isExpectedAfter reports whether a ship is expected after a time: at the container's port or, if
// no arrival there is estimated, at that of its shipment, which is often next to it.
func (l *location) isExpectedAfter(t Time, s *Shipment) bool {
	eta := l.eta()
	if eta.IsZero() && s.PODATA.IsZero() {
		eta = s.PODETA
	}
	return !eta.IsZero() && t.Before(eta)
}

// readYard reads the status off_dock: the container is in a yard outside the terminal, available
// there, and after a gate-out at the port it is not picked up. Which yard is known only if it is
// the pickup facility.
func (l *location) readYard(c *Container) {
	atGate := l.stage == stageOut && l.leftOnlyPort() || l.stage == stageInland && !l.byRail
	if c.CurrentStatus != StatusOffDock || l.conflict || l.stage != stagePort && l.stage != stageDestination && !atGate {
		return
	}
	if l.lagging = l.lagging && !atGate; atGate {
		l.stage, l.basis = stagePort, byStatus
	}
	yard := l.stage == stagePort && c.PickupFacility.ID() != "" && !l.atlas.hasInlandFacility()
	l.offDock = !yard || atGate && c.PickupFacility.ID() == c.PODTerminal.ID()
}

// leftOnlyPort reports whether only gate-outs at the port prove that the container has left.
func (l *location) leftOnlyPort() bool {
	return l.basis == byFacts && !slices.ContainsFunc(l.proof, func(f fact) bool {
		return f.Event != EventFullOut || f.where.stop != portOfDischarge || f.attribute == "final_destination_full_out_at"
	})
}

// reach takes a stage from the status if it is further than that of the facts.
func (l *location) reach(s stage) {
	if s > l.stage {
		l.stage, l.basis = s, byStatus
	}
}

// hasGoneInland reports whether the container was certainly carried inland from the port, so that
// it was not picked up there.
func (l *location) hasGoneInland() bool {
	return l.stage == stageDestination || l.stage == stageInland && l.byRail
}

// includes reports whether a status is one of the stage that the facts prove: most statuses at the
// port may be reported at the inland destination too.
func (l *location) includes(status ContainerStatus) bool {
	inland := l.stage == stageDestination && status != StatusAwaitingInlandTransfer
	return status.stage() == l.stage || status.stage() == stagePort && inland
}

// readRelease takes the release for a proof that the container is where it is picked up, if nothing
// else reports where it is: a terminal releases what it has.
func (l *location) readRelease(c *Container) {
	if available, _ := c.Availability(); available && l.stage == stageUnknown {
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

// feesAt returns the fees of a container at a location.
func feesAt(c *Container, l *location) FeeSummary {
	s := SumFees(c.Fees)
	s.Reported = s.Reported && (len(c.Fees) > 0 || !l.denies(c, AttributeFees))
	return s
}
