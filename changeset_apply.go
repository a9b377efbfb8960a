package terminal49

import (
	"encoding/json"
	"slices"
)

// Apply returns a copy of a container with the changeset's new values: the attributes that
// [DiffContainers] compares, including the ids of terminals and events. Others are ignored.
// Times are set to the container's zones. If the container is nil, Apply returns nil.
//
// A new value that cannot be read makes the attribute unknown, because the old value is out of
// date: availability becomes null and other attributes not reported, so [Readiness.NeedsRecheck]
// returns true. See [Changeset.Warnings].
func (c Changeset) Apply(container *Container) *Container {
	if container == nil {
		return nil
	}
	after := *container
	c.applyTexts(&after)
	if holds, ok := newValue[sentHolds](c, c.holdsName(), nil); ok {
		after.Holds = holds
	}
	if fees, ok := newValue[sentFees](c, AttributeFees, nil); ok {
		after.Fees = fees
	}
	for name, value := range availabilityOf(&after) {
		if sent, ok := newValue(c, name, Null[bool]()); ok {
			*value = sent
		}
	}
	for _, time := range timesOf(&after) {
		if sent, ok := newValue(c, time.name, Time{}); ok {
			*time.at = sent
			time.pair(&after)
		}
	}
	c.applyDeadlines(&after)
	for name, terminal := range terminalsOf(&after) {
		c.applyTerminal(name, terminal)
	}
	c.applyEvents(&after)
	return &after
}

// applyTexts comes first, because every time depends on a zone.
func (c Changeset) applyTexts(to *Container) {
	was := *to
	for name, text := range textsOf(to) {
		if sent, ok := newValue(c, name, ""); ok {
			*text = sent
		}
	}
	if to.PODTimezone != was.PODTimezone || to.FinalDestinationTimezone != was.FinalDestinationTimezone ||
		to.EmptyTerminatedTimezone != was.EmptyTerminatedTimezone {
		to.pairZones() // which forgets the zones at the origin
		to.EmptyOutAt, to.POLFullInAt = was.EmptyOutAt, was.POLFullInAt
		to.POLVesselLoadedAt, to.POLVesselDepartedAt = was.POLVesselLoadedAt, was.POLVesselDepartedAt
	}
}

func (c Changeset) applyTerminal(name string, to *ToOne[*Terminal]) {
	terminal, changed := newValue(c, name, Opt[string]{})
	id, ok := terminal.Get()
	switch {
	case !changed || id != "" && id == to.ID():
	case id != "":
		*to = Linked[*Terminal]("terminal", id)
	case ok || terminal.IsNull():
		*to = NotRelated[*Terminal]()
	default:
		*to = ToOne[*Terminal]{}
	}
}

// applyEvents sets the ids of the transport events. Events stay included if none is new.
func (c Changeset) applyEvents(to *Container) {
	ids, changed := newValue[[]string](c, AttributeTransportEvents, nil)
	if !changed {
		return
	}
	known, _ := to.TransportEvents.Values()
	left := slices.DeleteFunc(slices.Clone(known), func(e *TransportEvent) bool { return !slices.Contains(ids, e.ID) })
	switch {
	case ids == nil:
		to.TransportEvents = ToMany[*TransportEvent]{}
	case len(left) == len(ids):
		to.TransportEvents = IncludedAll(left...)
	default:
		to.TransportEvents = LinkedAll[*TransportEvent]("transport_event", ids...)
	}
}

func (c Changeset) applyDeadlines(to *Container) {
	moved := false
	set := func(attribute string, source LFDSource, deadlines ...*Time) {
		if lfd, ok := newValue(c, attribute, sentDeadline{}); ok {
			for _, at := range deadlines {
				*at = Time(lfd)
				to.pairDeadlines(source, at)
			}
			moved = true
		}
	}
	for source, at := range deadlinesOf(to) {
		set(changedLFD(source), source, at)
	}
	if rail := &to.ImportDeadlines.Rail; !to.INDFacilityLFD.IsZero() {
		set(AttributePickupLFDRail, LFDSourceRail, rail, &to.INDFacilityLFD) // the deprecated copy must not keep the old value
	}
	set(changedINDFacilityLFD, LFDSourceRail, &to.INDFacilityLFD)
	if pod, ok := c.newPOD(); ok {
		pod.pairZone(to.PODTimezone)
		to.ImportDeadlines.POD = pod
	}
	if moved {
		to.pairPickupLFD() // the zone depends on the source with the same value
	}
}

// newPOD returns the new last free days at the port with their history, and whether the changeset
// contains them.
func (c Changeset) newPOD() (pod *PODLastFreeDays, changed bool) {
	change, ok := c.changes[changedDeadlines]
	if !ok {
		return nil, false
	}
	sent, changed := memberOf(change.New, "pod")
	if json.Unmarshal(sent, &pod) != nil {
		pod = nil
	}
	return pod, changed
}

// The functions below return the attributes of a container that DiffContainers compares and Apply
// sets, by wire name. With holds, fees, deadlines and transport events, they are all that it
// reports of the container's state. It does not compare the equipment, your references, and when
// the sources were checked.

func availabilityOf(c *Container) map[string]*Opt[bool] {
	return map[string]*Opt[bool]{
		AttributeAvailableForPickup: &c.AvailableForPickup,
		"availability_known":        &c.AvailabilityKnown,
	}
}

func textsOf(c *Container) map[string]*string {
	return map[string]*string{
		AttributeStatus:               (*string)(&c.CurrentStatus),
		AttributeLocation:             &c.LocationAtPODTerminal,
		"pod_full_out_chassis_number": &c.PODFullOutChassisNumber,
		"pod_rail_carrier_scac":       &c.PODRailCarrierSCAC,
		"ind_rail_carrier_scac":       &c.INDRailCarrierSCAC,
		"pod_timezone":                &c.PODTimezone,
		"final_destination_timezone":  &c.FinalDestinationTimezone,
		"empty_terminated_timezone":   &c.EmptyTerminatedTimezone,
	}
}

func terminalsOf(c *Container) map[string]*ToOne[*Terminal] {
	return map[string]*ToOne[*Terminal]{AttributePODTerminal: &c.PODTerminal, AttributePickupFacility: &c.PickupFacility}
}

// placedTime is a time with the zone of its place, nil for a time in UTC or at the origin.
type placedTime struct {
	name   string
	at     *Time
	zone   *string
	origin bool // only included resources have the zone
}

func (t placedTime) pair(c *Container) {
	switch {
	case t.origin:
		markZoneUnreported(t.at)
		c.pairOriginZone()
		c.pairGateZones()
	case t.zone != nil:
		pairZone(*t.zone, t.at)
	}
}

// timesOf returns the times in the order of a journey.
func timesOf(c *Container) []placedTime {
	port, inland := &c.PODTimezone, &c.FinalDestinationTimezone
	return []placedTime{
		{AttributeEmptyOut, &c.EmptyOutAt, nil, true},
		{AttributePOLFullIn, &c.POLFullInAt, nil, true},
		{AttributePOLVesselLoaded, &c.POLVesselLoadedAt, nil, true},
		{AttributePOLVesselDeparted, &c.POLVesselDepartedAt, nil, true},
		{AttributePODArrived, &c.PODArrivedAt, port, false},
		{AttributePODDischarged, &c.PODDischargedAt, port, false},
		{AttributePODRailLoaded, &c.PODRailLoadedAt, port, false},
		{AttributePODRailDeparted, &c.PODRailDepartedAt, port, false},
		{AttributeINDETA, &c.INDETA, inland, false},
		{AttributeINDATA, &c.INDATA, inland, false},
		{AttributeINDRailUnloaded, &c.INDRailUnloadedAt, inland, false},
		{AttributePickupAppointment, &c.PickupAppointmentAt, port, false},
		{AttributePODFullOut, &c.PODFullOutAt, port, false},
		{AttributeFinalDestinationFullOut, &c.FinalDestinationFullOutAt, inland, false},
		{AttributeDelivered, &c.DeliveredAt, nil, false},
		{AttributeEmptyTerminated, &c.EmptyTerminatedAt, &c.EmptyTerminatedTimezone, false},
	}
}

// deadlinesOf returns the last free days of a container by source; "" is the one that the service
// chose.
func deadlinesOf(c *Container) map[LFDSource]*Time {
	return map[LFDSource]*Time{
		"":                &c.PickupLFD,
		LFDSourceLine:     &c.ImportDeadlines.Line,
		LFDSourceTerminal: &c.ImportDeadlines.Terminal,
		LFDSourceRail:     &c.ImportDeadlines.Rail,
	}
}
