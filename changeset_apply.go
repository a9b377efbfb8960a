package terminal49

// Apply returns a copy of a container with the changeset's new values: holds, fees, availability,
// last free days, appointment and the id of the POD terminal. Other attributes are ignored. Times
// are set to the container's zones. If the container is nil, Apply returns nil.
//
// A new value that cannot be read makes the attribute unknown, because the old value is out of
// date: availability becomes null and other attributes not reported, so [Readiness.Recheck] returns
// true. See [Changeset.Warnings].
func (c Changeset) Apply(container *Container) *Container {
	if container == nil {
		return nil
	}
	after := *container
	if holds, ok := newValue[sentHolds](c, c.holdsName(), nil); ok {
		after.Holds = holds
	}
	if fees, ok := newValue[sentFees](c, ChangedFees, nil); ok {
		after.Fees = fees
	}
	if available, ok := newValue(c, ChangedAvailableForPickup, Null[bool]()); ok {
		after.AvailableForPickup = available
	}
	if appointment, ok := newValue(c, ChangedPickupAppointment, Time{}); ok {
		after.PickupAppointmentAt = appointment
		pairZone(after.PODTimezone, &after.PickupAppointmentAt)
	}
	c.applyDeadlines(&after)
	c.applyTerminal(&after)
	return &after
}

func (c Changeset) applyTerminal(to *Container) {
	terminal, changed := newValue(c, ChangedPODTerminal, Opt[string]{})
	id, ok := terminal.Get()
	switch {
	case !changed || id != "" && id == to.PODTerminal.ID():
	case id != "":
		to.PODTerminal = Linked[*Terminal]("terminal", id)
	case ok || terminal.IsNull():
		to.PODTerminal = NotRelated[*Terminal]()
	default:
		to.PODTerminal = ToOne[*Terminal]{}
	}
}

func (c Changeset) applyDeadlines(to *Container) {
	moved := false
	for source, at := range deadlinesOf(to) {
		if lfd, ok := newValue(c, changedLFD(source), Time{}); ok {
			*at = lfd
			pairZone(to.deadlineZone(source, *at), at)
			moved = true
			if source == LFDRail && !to.INDFacilityLFD.IsZero() {
				to.INDFacilityLFD = *at // the deprecated copy must not keep the old value
			}
		}
	}
	if moved {
		to.pairPickupLFD() // the zone depends on the source with the same value
	}
}

// deadlinesOf returns the last free days of a container by source; "" is the one that the service
// chose.
func deadlinesOf(c *Container) map[LFDSource]*Time {
	return map[LFDSource]*Time{
		"":          &c.PickupLFD,
		LFDLine:     &c.ImportDeadlines.Line,
		LFDTerminal: &c.ImportDeadlines.Terminal,
		LFDRail:     &c.ImportDeadlines.Rail,
	}
}
