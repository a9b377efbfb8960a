package terminal49

import (
	"cmp"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

func (c *Container) finish() { c.pairZones() }

func (c *Container) resolved(*jsonapi.Index) {
	c.pairOriginZone()
	c.pairGateZones()
}

// String returns the number and the id, such as "container MSCU1234566
// (55a700e4-1005-44a3-b1b8-e8b1bd1bea8a)", because several containers can have one number. See
// [Resource.String].
func (c Container) String() string {
	if c.Number == "" || c.ID == "" {
		c.ID = cmp.Or(c.Number, c.ID)
	} else {
		c.ID = c.Number + " (" + c.ID + ")"
	}
	c.Type = cmp.Or(c.Type, "container")
	return c.Resource.String()
}

func (c *Container) pairZones() {
	c.pairSiblings()
	markZoneUnreported(&c.EmptyOutAt, &c.POLFullInAt, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
	d := &c.ImportDeadlines
	c.pairDeadlines(LFDSourceLine, &d.Line, &c.SSLLFD)
	c.pairDeadlines(LFDSourceTerminal, &d.Terminal)
	c.pairDeadlines(LFDSourceRail, &d.Rail, &c.INDFacilityLFD)
	d.POD.pairZone(c.PODTimezone)
	c.pairPickupLFD()
}

// pairDeadlines sets the zone of last free days of one source.
func (c *Container) pairDeadlines(source LFDSource, deadlines ...*Time) {
	for _, at := range deadlines {
		pairZone(c.deadlineZone(source, *at), at)
	}
}

// deadlineZone returns the zone of a last free day. The service documents two zones for the line's:
// the value is a midnight in the right one. The railroad's is in the zone of the inland
// destination. If that is unknown, and the value is a midnight at the port, the railroad's is in
// the port's zone.
func (c *Container) deadlineZone(source LFDSource, at Time) string {
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	switch source {
	case LFDSourceLine:
		return cmp.Or(midnightZone(at, inland, port), inland, port)
	case LFDSourceRail:
		return cmp.Or(inland, midnightZone(at, port))
	default:
		return port
	}
}

// midnightZone returns the first zone in which t is the start of a day, or "".
func midnightZone(t Time, zones ...string) string {
	if i := slices.IndexFunc(zones, t.startsDay); i >= 0 {
		return zones[i]
	}
	return ""
}

// pairPickupLFD sets the zone of the last free day that the service chose to the zone of the source
// with the same value. If no source has it, it is at the port or at the inland destination: in the
// zone in which it is a midnight, if there is one.
func (c *Container) pairPickupLFD() {
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	if source, ok := sourceOfPickupLFD(c); ok {
		pairZone(source.At.zone, &c.PickupLFD)
		return
	}
	midnight := midnightZone(c.PickupLFD, inland, port)
	switch {
	case midnight != "":
		pairZone(midnight, &c.PickupLFD)
	case inland == "" || inland == port:
		pairZone(port, &c.PickupLFD)
	case port == "":
		markZoneUnreported(&c.PickupLFD)
	default:
		c.PickupLFD.pairEither(inland, port)
	}
}

// pairOriginZone sets the zone of the times at the port of lading, which only the shipment has.
func (c *Container) pairOriginZone() {
	if shipment, ok := c.Shipment.Value(); ok {
		pairZone(shipment.POLTimezone, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
	}
}

// pairGateZones sets the zones of the two times that are stamped wherever the container passes a
// gate, inland depots included. Only the transport events of the same names have the zones.
func (c *Container) pairGateZones() {
	events, _ := c.TransportEvents.Values()
	pairEventZone(&c.EmptyOutAt, EventEmptyOut, events)
	pairEventZone(&c.POLFullInAt, EventFullIn, events)
}

// pairEventZone sets the zone of t to that of the valid events with the same name and time or, if
// there are none, with the same name. Events in zones that differ leave it unreported.
func pairEventZone(t *Time, name EventName, events []*TransportEvent) {
	var zone string
	found, exact, several := false, false, false
	for _, e := range events {
		if e == nil || e.Event != name || !e.InvalidatedAt.IsZero() {
			continue
		}
		same := sameOnWire(e.Timestamp, *t)
		switch {
		case !found || same && !exact:
			zone, found, exact, several = e.Timezone, true, same, false
		case same == exact && zonesDiffer(e.Timezone, zone):
			several = true
		case same == exact:
			zone = cmp.Or(zone, e.Timezone)
		}
	}
	if found && !several {
		pairZone(zone, t)
	}
}
