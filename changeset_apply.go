package terminal49

import "cmp"

// Apply returns a copy of a container with the new values of the changeset: holds, fees, availability, last free days,
// appointment and the id of the POD terminal. Other attributes are passed over. Times get the zone that the container
// has for them. Nil stays nil.
//
// A new value that cannot be read makes the attribute unknown: the value before is known to be out of date. Availability
// is null then, and the rest is not reported, so that [PickupReadiness] asks for a recheck. See [Changeset.Warnings].
func (c Changeset) Apply(to *Container) *Container {
	if to == nil {
		return nil
	}
	after := *to
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
	terminal, mentioned := newValue(c, ChangedPODTerminal, Opt[string]{})
	id, told := terminal.Get()
	switch {
	case !mentioned || id != "" && id == to.PODTerminal.ID():
	case id != "":
		to.PODTerminal = Linked[*Terminal]("terminal", id)
	case told || terminal.IsNull():
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
			pairZone(deadlineZone(to, source), at)
			moved = true
			if source == LFDRail && !to.INDFacilityLFD.IsZero() {
				to.INDFacilityLFD = *at // the value under its old name must not outlive it
			}
		}
	}
	if moved {
		to.pairPickupLFD() // its zone is that of the source it equals
	}
}

// deadlinesOf returns the last free days of a container by source; "" is the service's pick.
func deadlinesOf(c *Container) map[LFDSource]*Time {
	return map[LFDSource]*Time{
		"":          &c.PickupLFD,
		LFDLine:     &c.ImportDeadlines.Line,
		LFDTerminal: &c.ImportDeadlines.Terminal,
		LFDRail:     &c.ImportDeadlines.Rail,
	}
}

// deadlineZone returns the zone attribute that belongs to a source. The service's pick has none of its own.
func deadlineZone(c *Container, source LFDSource) string {
	switch source {
	case LFDRail:
		return c.FinalDestinationTimezone
	case LFDLine:
		return cmp.Or(c.FinalDestinationTimezone, c.PODTimezone)
	default:
		return c.PODTimezone
	}
}
