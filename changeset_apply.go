package terminal49

import "encoding/json"

// Apply returns a copy of a container with the changeset's new values: the attributes that
// [DiffContainers] compares, including the id of the POD terminal. Other attributes are ignored.
// Times are set to the container's zones. If the container is nil, Apply returns nil.
//
// A new value that cannot be read makes the attribute unknown, because the old value is out of
// date: availability becomes null and other attributes not reported, so [Readiness.Recheck] returns
// true. See [Changeset.Warnings].
func (c Changeset) Apply(container *Container) *Container {
	if container == nil {
		return nil
	}
	after := *container
	c.applyZones(&after)
	if holds, ok := newValue[sentHolds](c, c.holdsName(), nil); ok {
		after.Holds = holds
	}
	if fees, ok := newValue[sentFees](c, ChangedFees, nil); ok {
		after.Fees = fees
	}
	for name, value := range availabilityOf(&after) {
		if sent, ok := newValue(c, name, Null[bool]()); ok {
			*value = sent
		}
	}
	if status, ok := newValue(c, changedStatus, ContainerStatus("")); ok {
		after.CurrentStatus = status
	}
	for name, time := range placedTimesOf(&after) {
		if sent, ok := newValue(c, name, Time{}); ok {
			*time.at = sent
			time.pair()
		}
	}
	c.applyDeadlines(&after)
	c.applyTerminal(&after)
	return &after
}

// applyZones sets the zones first, because every time depends on one.
func (c Changeset) applyZones(to *Container) {
	changed := false
	for name, zone := range zonesOf(to) {
		if sent, ok := newValue(c, name, ""); ok {
			*zone, changed = sent, true
		}
	}
	if changed {
		to.pairZones()
		to.pairOriginZone()
		to.pairGateZones()
	}
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
		set(ChangedPickupLFDRail, LFDRail, rail, &to.INDFacilityLFD) // the deprecated copy must not keep the old value
	}
	set(changedINDFacilityLFD, LFDRail, &to.INDFacilityLFD)
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
func (c Changeset) newPOD() (pod *PODDeadlines, changed bool) {
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
// sets, by wire name. With the holds, the fees, the status and the deadlines, they are all that
// PickupReadiness, SumFees and LastFreeDays use of the container itself, except when the terminal
// was checked.

func availabilityOf(c *Container) map[string]*Opt[bool] {
	return map[string]*Opt[bool]{
		ChangedAvailableForPickup: &c.AvailableForPickup,
		"availability_known":      &c.AvailabilityKnown,
	}
}

func zonesOf(c *Container) map[string]*string {
	return map[string]*string{
		"pod_timezone":               &c.PODTimezone,
		"final_destination_timezone": &c.FinalDestinationTimezone,
		"empty_terminated_timezone":  &c.EmptyTerminatedTimezone,
	}
}

// placedTime is a time with the zone of its place, nil for a time in UTC.
type placedTime struct {
	at   *Time
	zone *string
}

func (t placedTime) pair() {
	if t.zone != nil {
		pairZone(*t.zone, t.at)
	}
}

func placedTimesOf(c *Container) map[string]placedTime {
	return map[string]placedTime{
		ChangedPickupAppointment:        {&c.PickupAppointmentAt, &c.PODTimezone},
		"pod_full_out_at":               {&c.PODFullOutAt, &c.PODTimezone},
		"final_destination_full_out_at": {&c.FinalDestinationFullOutAt, &c.FinalDestinationTimezone},
		"empty_terminated_at":           {&c.EmptyTerminatedAt, &c.EmptyTerminatedTimezone},
		"delivered_at":                  {&c.DeliveredAt, nil},
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
