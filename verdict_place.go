package terminal49

import (
	"cmp"
	"slices"
)

// VerdictPlace is a terminal or a rail ramp, or a port or city if no more is known.
type VerdictPlace struct {
	TerminalID string `json:"terminal_id,omitempty"` // "" if only the port or city is known
	Name       string `json:"name,omitempty"`        // of the terminal, or else of the port or city; "" if the response did not include it
	Nickname   string `json:"nickname,omitempty"`    // of the terminal, such as "WBCT"; "" if unknown
	LOCODE     string `json:"locode,omitempty"`      // UN/LOCODE of the terminal's own port or city, or else of the shipment's; "" if unknown
	FIRMSCode  string `json:"firms_code,omitempty"`  // US customs facility code of the terminal; "" if unknown
	Zone       string `json:"zone,omitempty"`        // IANA name; "" if unknown
}

// String returns the nickname, or else the name, and the UN/LOCODE, such as "WBCT (USLAX)"; "" if
// none of these is known.
func (p VerdictPlace) String() string {
	name := shorten(cmp.Or(p.Nickname, p.Name), 100)
	if name != "" && p.LOCODE != "" {
		return name + " (" + p.LOCODE + ")"
	}
	return name + p.LOCODE
}

func (p VerdictPlace) orNull() *VerdictPlace {
	if p == (VerdictPlace{}) {
		return nil
	}
	return &p
}

// VerdictFact is something reported about where a container is; see [Verdict].
type VerdictFact struct {
	Name    string `json:"name"`               // event name or wire attribute, such as "pod_full_out_at" or "shipment.pod_ata_at"
	Value   string `json:"value,omitempty"`    // of an attribute that is not a time, such as "on_rail"
	At      Time   `json:"at"`                 // when it happened; zero if that is not reported
	EventID string `json:"event_id,omitempty"` // id of the transport event; "" for an attribute

	event EventName
}

// String returns a human-readable form, such as "rail departed on 2026-03-02" or "current_status is
// on_rail".
func (f VerdictFact) String() string {
	switch {
	case f.Value != "" || f.event == "":
		return f.Name + " is " + f.Value
	case f.At.IsZero():
		return f.words()
	}
	return f.words() + " on " + dayText(f.At)
}

// words returns what happened, without the terms of the gate.
func (f VerdictFact) words() string {
	switch {
	case f.Name == "pod_full_out_at":
		return "left the port"
	case f.Name == "final_destination_full_out_at":
		return "left the inland destination"
	case f.event == EventFullOut:
		return "left full"
	case f.event == EventEmptyOut:
		return "picked up empty"
	case f.event == EventFullIn:
		return "delivered to the port of lading"
	case f.event == EventEmptyIn:
		return "returned empty"
	}
	return Milestone{Event: f.event}.Description()
}

// dayText returns the day of a time at its place, or the time if its day is unknown.
func dayText(t Time) string {
	if day, ok := t.Date(); ok {
		return day.String()
	}
	return t.String()
}

func factsFor(facts []fact) []VerdictFact {
	var list []VerdictFact
	for _, f := range facts {
		named := VerdictFact{Name: f.attribute, At: f.At, EventID: f.EventID, event: f.Event}
		if f.attribute == "" || f.EventID != "" {
			named.Name = string(f.Event)
		}
		list = append(list, named)
	}
	return list
}

// proving returns the facts that the stage follows from.
func (l *location) proving(c *Container) []VerdictFact {
	switch {
	case l.basis == byStatus:
		return []VerdictFact{{Name: "current_status", Value: string(c.CurrentStatus)}}
	case l.basis == byRelease:
		return []VerdictFact{{Name: "available_for_pickup", Value: "true"}}
	}
	return factsFor(l.proof)
}

// contradicting returns the facts that the stage contradicts, or those that contradict each other.
func (l *location) contradicting(c *Container) []VerdictFact {
	against := factsFor(l.ignored)
	if l.conflict {
		against = append(against, factsFor(l.proof)...)
	}
	if l.lagging {
		against = append(against, VerdictFact{Name: "current_status", Value: string(c.CurrentStatus)})
	}
	return against
}

// places returns where the container is and where it goes next.
func (l *location) places(c *Container) (at, next VerdictPlace) {
	switch {
	case l.conflict, l.stage >= stageOut:
		return at, next
	case l.unclear, l.stage == stageInland:
		return at, l.destinationPlace(c, nil)
	case l.offDock:
		return at, next
	case l.stage == stageDestination:
		return l.destinationPlace(c, l.proof), next
	case l.stage == stagePort && l.move != noInlandMove:
		return l.portPlace(c), l.destinationPlace(c, nil)
	case l.stage == stagePort:
		return l.portPlace(c), next
	}
	return at, l.portPlace(c)
}

// portPlace returns the container's terminal at the port of discharge. The shipment's port of
// discharge is used only with the shipment's own terminal, or with a terminal of which only the id
// is known: the container may land at another port.
func (l *location) portPlace(c *Container) VerdictPlace {
	s := c.shipmentOrEmpty()
	terminal, landed := l.landing(c)
	if l.atlas.isBoundElsewhere(s) {
		s = &Shipment{}
	}
	if terminal.ID() == "" {
		terminal = s.PODTerminal
	}
	place := l.placeOfTerminal(terminal, cmp.Or(c.PODTimezone, s.PODTimezone))
	_, included := terminal.Value()
	own := s.PODTerminal.ID()
	switch {
	case own != terminal.ID() && (own != "" || included):
	case place.LOCODE == "" && landed.where.key != "": // where it landed, which may be another port than the shipment's
		l.addPort(&place, terminal, landed.where.key, landed.Place)
	default:
		l.addPort(&place, terminal, l.atlas.portOf(s), s.PortOfDischargeName)
	}
	return place
}

// shipmentOrEmpty returns the included shipment, or an empty one.
func (c *Container) shipmentOrEmpty() *Shipment {
	if s, included := c.Shipment.Value(); included {
		return s
	}
	return &Shipment{}
}

// landing returns the container's terminal at the port of discharge, which may differ from the
// shipment's, and the first fact at that port that has a place.
func (l *location) landing(c *Container) (terminal ToOne[*Terminal], at fact) {
	terminal = c.PODTerminal
	if c.PickupFacility.ID() != "" && !l.atlas.hasInlandFacility() {
		terminal = c.PickupFacility
	}
	for _, f := range l.proof {
		if f.stage != stagePort || l.itinerary.excludes(portOfDischarge, f.where) {
			continue
		}
		if terminal.ID() == "" {
			terminal = f.terminal
		}
		if at.where.key == "" {
			at = f
		}
	}
	return terminal, at
}

// addPort adds the port or city of a terminal's place, unless the terminal may be in another one.
func (l *location) addPort(place *VerdictPlace, terminal ToOne[*Terminal], port placeKey, name string) {
	if keys := l.atlas.placesOf(terminal); len(keys) == 0 || slices.Contains(keys, port) {
		place.LOCODE, place.Name = cmp.Or(port.locode(), place.LOCODE), cmp.Or(place.Name, name)
	}
}

// destinationPlace returns the place of pickup inland. If the container has arrived, the facts in
// arrived determine it.
func (l *location) destinationPlace(c *Container, arrived []fact) VerdictPlace {
	s := c.shipmentOrEmpty()
	if c.endsElsewhere(s) {
		s = &Shipment{}
	}
	terminal, at := l.arrivalOf(arrived)
	key, name := at.where.key, at.Place
	switch {
	case terminal.ID() != "":
	case len(arrived) > 0 && l.isOffFacility(c):
		return VerdictPlace{LOCODE: key.locode(), Name: name, Zone: arrived[0].At.Zone()}
	case l.atlas.hasInlandFacility():
		terminal = c.PickupFacility
	}
	if destinationOf(s) == destinationInland {
		if terminal.ID() == "" {
			terminal = s.DestinationTerminal
		}
		if to := l.atlas.key(s.Destination.Type(), s.Destination.ID(), s.DestinationLOCODE); key == "" || key == to {
			key, name = to, s.DestinationName
		}
	}
	place := l.placeOfTerminal(terminal, cmp.Or(c.FinalDestinationTimezone, s.DestinationTimezone))
	if terminal.ID() != "" && at.terminal.ID() == terminal.ID() { // the fact names the place of its own terminal
		place.LOCODE = cmp.Or(place.LOCODE, at.where.key.locode())
	}
	l.addPort(&place, terminal, key, name)
	return place
}

// arrivalOf returns the first terminal of the facts, and the first fact with a place that is the
// container's own rather than its shipment's. A place in another zone than that of the container's
// destination is not where it arrived.
func (l *location) arrivalOf(facts []fact) (terminal ToOne[*Terminal], at fact) {
	for _, f := range facts {
		if l.itinerary.excludes(inlandDestination, f.where) {
			continue
		}
		if terminal.ID() == "" {
			terminal = f.terminal
		}
		if !f.ofShipment && at.where.key == "" {
			at = f
		}
	}
	return terminal, at
}

// placeOfTerminal returns what is known of a terminal, with the zone of the container's times there
// or, if that is unknown, of its port.
func (l *location) placeOfTerminal(terminal ToOne[*Terminal], zone string) VerdictPlace {
	place := VerdictPlace{TerminalID: terminal.ID(), Zone: zone}
	if t, ok := terminal.Value(); ok {
		place.Name, place.Nickname, place.FIRMSCode = t.Name, t.Nickname, t.FIRMSCode
		for _, key := range l.atlas.placesOf(terminal) {
			place.LOCODE = cmp.Or(place.LOCODE, key.locode())
		}
		if port, ok := t.Port.Value(); ok {
			place.Zone = cmp.Or(place.Zone, port.TimeZone)
		}
	}
	return place
}

// isNamed reports whether the response included a terminal.
func (l *location) isNamed(c *Container, id string) bool {
	s := c.shipmentOrEmpty()
	terminals := []ToOne[*Terminal]{c.PODTerminal, c.PickupFacility, s.PODTerminal, s.DestinationTerminal}
	for _, f := range l.proof {
		terminals = append(terminals, f.terminal)
	}
	return id != "" && slices.ContainsFunc(terminals, func(t ToOne[*Terminal]) bool { return t.ID() == id && t.State() == RelationshipIncluded })
}

// eta returns when a container under way is expected at its next place; zero if unknown.
func (l *location) eta() (eta Time) {
	expected, known := l.nextArrival()
	if !known {
		return Time{}
	}
	for _, f := range l.facts {
		here := f.where.stop == portOfDischarge || f.where.stop == inlandDestination
		if f.Event == expected && !f.Withdrawn && here && (eta.IsZero() || f.At.Compare(eta) > 0) {
			eta = f.At
		}
	}
	return eta
}

// nextArrival returns the name of the event that estimates the next arrival, and false if none is
// expected.
func (l *location) nextArrival() (estimate EventName, known bool) {
	switch {
	case l.conflict || l.itinerary == nil:
		return "", false
	case l.stage <= stageSea:
		return EventEstimatedVesselArrived, true
	case l.stage == stageInland, l.stage == stagePort:
		return EventEstimatedArrivedAtInlandDestination, true
	}
	return "", false
}

// leftPortAt returns when a container on its way inland passed the gate of the port.
func (l *location) leftPortAt() Time {
	for _, f := range l.proof {
		if l.stage == stageInland && l.basis == byFacts && f.Event == EventFullOut {
			return f.At
		}
	}
	return Time{}
}

// reportsPort reports whether the terminal's report may be about the port: the container has
// arrived inland, and the terminal may not have been checked since.
func (l *location) reportsPort(checked Time) bool {
	return l.stage == stageDestination && l.basis == byFacts &&
		!slices.ContainsFunc(l.proof, func(f fact) bool { return f.At.Before(checked) })
}

// isInYard reports whether the container is outside the known terminal or facility.
func (l *location) isInYard(c *Container) bool { return l.offDock || l.isOffFacility(c) }

// isOffFacility reports whether the container arrived inland at a place that is neither that of its
// pickup facility nor the destination of its shipment.
func (l *location) isOffFacility(c *Container) bool {
	if l.stage != stageDestination || len(l.atlas.placesOf(c.PickupFacility)) == 0 {
		return false
	}
	known := func(f fact) bool { return f.where.key != "" && !f.ofShipment }
	return slices.ContainsFunc(l.proof, known) && !slices.ContainsFunc(l.proof, func(f fact) bool {
		return known(f) && slices.Contains(l.itinerary.places[inlandDestination], f.where.key)
	})
}

// since returns the first fact of the stage; zero if none is recorded.
func (l *location) since() Time {
	if l.basis != byFacts || len(l.proof) == 0 || l.conflict {
		return Time{}
	}
	return l.proof[0].At
}

// hasInlandFacility reports whether the container is picked up at another place than its port. An
// ocean terminal of a container without another one is at its port, unless it is at the bill's port
// in another zone.
func (a atlas) hasInlandFacility() bool {
	c := a.container
	if c.PickupFacility.ID() == "" || c.PickupFacility.ID() == c.PODTerminal.ID() {
		return false
	}
	facility, included := c.PickupFacility.Value()
	if !included || facility.IsRail() {
		return true
	}
	port := a.placesOf(c.PODTerminal)
	if len(port) == 0 {
		s := c.shipmentOrEmpty()
		port = []placeKey{a.portOf(s)}
		if facility.FacilityType == oceanTerminal && c.PODTerminal.ID() == "" { // at the container's port, whatever the bill says
			return zonesDiffer(c.PODTimezone, s.PODTimezone) && slices.Contains(a.placesOf(c.PickupFacility), port[0])
		}
	}
	return !slices.ContainsFunc(a.placesOf(c.PickupFacility), func(k placeKey) bool { return slices.Contains(port, k) })
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
// shipment, whose place and times there are then not its own: by the port of its terminal or, if
// that decides nothing, by its zone.
func (a atlas) isBoundElsewhere(s *Shipment) bool {
	near, own := unknownPlace, a.container.PODTerminal
	if own.ID() == "" && !a.hasInlandFacility() {
		own = a.container.PickupFacility
	}
	if terminal, included := own.Value(); included {
		port := terminal.namedPlaces()[0]
		near = a.compare(a.key(port.typ, port.id, port.locode), a.portOf(s))
	}
	return near == otherPlace || near == unknownPlace && zonesDiffer(a.container.PODTimezone, s.PODTimezone)
}

// endsElsewhere reports whether the container certainly ends at another place than its shipment.
func (c *Container) endsElsewhere(s *Shipment) bool {
	return zonesDiffer(c.FinalDestinationTimezone, s.DestinationTimezone)
}

// inlandMove is what indicates that a container travels on from the port to an inland destination.
type inlandMove int

const (
	noInlandMove  inlandMove = iota
	inlandUnclear            // the bill of lading names another place than the port, in no other zone
	inlandOnBill             // the bill of lading has a destination that is not the port
	inlandBooked             // a railroad, a place of pickup or an estimate inland is reported
)

// inlandMove returns what indicates an inland move.
func (l *location) inlandMove(c *Container) inlandMove {
	shipment, included := c.Shipment.Value()
	switch {
	case c.PODRailCarrierSCAC+c.INDRailCarrierSCAC != "", !c.INDETA.IsZero(), !railDeadline(c).IsZero(),
		c.CurrentStatus == StatusAwaitingInlandTransfer, c.CurrentStatus == StatusOnRail, l.atlas.hasInlandFacility(),
		slices.ContainsFunc(l.facts, fact.isInland):
		return inlandBooked
	case included && destinationOf(shipment) == destinationAtPort && !l.endsAwayFromPort(c, shipment):
		return noInlandMove
	case included && destinationOf(shipment) == destinationInland, included && c.hasOtherDestination(shipment),
		c.FinalDestinationTimezone != "":
		return c.moveOnBill()
	}
	return noInlandMove
}

// endsAwayFromPort reports whether the container's own zones differ while it is bound for another
// port than its shipment: then the end of the shipment at its port is not the container's.
func (l *location) endsAwayFromPort(c *Container, s *Shipment) bool {
	return zonesDiffer(c.PODTimezone, c.FinalDestinationTimezone) && l.atlas.isBoundElsewhere(s)
}

// moveOnBill returns what another place on the bill of lading indicates. Next to the port, or in
// another spelling, it proves no move: the port on a bill is often a neighbor of the real one.
func (c *Container) moveOnBill() inlandMove {
	s := c.shipmentOrEmpty()
	if zonesDiffer(cmp.Or(c.PODTimezone, s.PODTimezone), cmp.Or(c.FinalDestinationTimezone, s.DestinationTimezone)) {
		return inlandOnBill
	}
	return inlandUnclear
}

// isInland reports whether a fact or estimate indicates an inland move. The gate-out at the final
// destination does not: some containers without an inland destination have it.
func (f fact) isInland() bool {
	return !f.Withdrawn && !f.preCarriage && (f.byRail() || onlyStop(f.Event) == inlandDestination && !f.ofShipment)
}
