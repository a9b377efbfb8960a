package terminal49

import (
	"cmp"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

func (c *Container) members(m *jsonapi.Members) {
	m.Add("number", &c.Number)
	m.Add("seal_number", &c.SealNumber)
	m.Add("created_at", &c.CreatedAt)
	m.Add("ref_numbers", &c.ReferenceNumbers)
	m.Add("pod_arrived_at", &c.PODArrivedAt)
	m.Add("pod_discharged_at", &c.PODDischargedAt)
	m.Add("final_destination_full_out_at", &c.FinalDestinationFullOutAt)
	m.Add("holds_at_pod_terminal", &c.Holds)
	m.Add("available_for_pickup", &c.AvailableForPickup)
	m.Add("equipment_type", &c.EquipmentType)
	m.AddAs("equipment_length", &c.EquipmentLength, readMeasure[int])
	m.Add("equipment_height", &c.EquipmentHeight)
	m.AddAs("weight_in_lbs", &c.WeightPounds, readMeasure[float64])
	m.Add("pod_full_out_at", &c.PODFullOutAt)
	m.Add("empty_terminated_at", &c.EmptyTerminatedAt)
	m.Add("terminal_checked_at", &c.TerminalCheckedAt)
	m.Add("fees_at_pod_terminal", &c.Fees)
	m.Add("pickup_lfd", &c.PickupLFD)
	m.Add("pickup_appointment_at", &c.PickupAppointmentAt)
	m.Add("pod_full_out_chassis_number", &c.PODFullOutChassisNumber)
	m.Add("location_at_pod_terminal", &c.LocationAtPODTerminal)
	m.Add("pod_last_tracking_request_at", &c.TerminalLastRequestedAt)
	m.Add("shipment_last_tracking_request_at", &c.LineLastRequestedAt)
	m.Add("rail_last_tracking_request_at", &c.RailLastRequestedAt)
	m.Add("availability_known", &c.AvailabilityKnown)
	m.Add("pod_timezone", &c.PODTimezone)
	m.Add("final_destination_timezone", &c.FinalDestinationTimezone)
	m.Add("empty_terminated_timezone", &c.EmptyTerminatedTimezone)
	m.Add("pod_rail_carrier_scac", &c.PODRailCarrierSCAC)
	m.Add("ind_rail_carrier_scac", &c.INDRailCarrierSCAC)
	m.Add("pod_rail_loaded_at", &c.PODRailLoadedAt)
	m.Add("pod_rail_departed_at", &c.PODRailDepartedAt)
	m.Add("ind_eta_at", &c.INDETA)
	m.Add("ind_ata_at", &c.INDATA)
	m.Add("ind_rail_unloaded_at", &c.INDRailUnloadedAt)
	m.Add("ind_facility_lfd_on", &c.INDFacilityLFD)
	m.Add("import_deadlines", &c.ImportDeadlines)
	m.Add("current_status", &c.CurrentStatus)
	m.Add("ind_facility_holds", &c.INDFacilityHolds)
	m.Add("ind_facility_fees", &c.INDFacilityFees)
	m.Add("ssl_lfd", &c.SSLLFD)
	m.Add("inland_destination_eta_source_summary", &c.INDETASources)
	m.Add("release_statuses", &c.ReleaseStatuses)
	m.Add("delivered_at", &c.DeliveredAt)
	m.Add("empty_out_at", &c.EmptyOutAt)
	m.Add("pol_full_in_at", &c.POLFullInAt)
	m.Add("pol_vessel_loaded_at", &c.POLVesselLoadedAt)
	m.Add("pol_vessel_departed_at", &c.POLVesselDepartedAt)
}

func (c *Container) relationships(m *jsonapi.Members) {
	m.Add("shipment", &c.Shipment)
	m.Add("pickup_facility", &c.PickupFacility)
	m.Add("pod_terminal", &c.PODTerminal)
	m.Add("transport_events", &c.TransportEvents)
	m.Add("raw_events", &c.RawEvents)
}

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

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (c Container) MarshalJSON() ([]byte, error) { return marshalResource(&c) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (c *Container) UnmarshalJSON(data []byte) error { return unmarshalResource(data, c) }

func (c *Container) pairZones() {
	pairZone(c.PODTimezone, &c.PODArrivedAt, &c.PODDischargedAt, &c.PickupAppointmentAt, &c.PODFullOutAt,
		&c.PODRailLoadedAt, &c.PODRailDepartedAt)
	pairZone(c.FinalDestinationTimezone, &c.FinalDestinationFullOutAt, &c.INDETA, &c.INDATA, &c.INDRailUnloadedAt)
	pairZone(c.EmptyTerminatedTimezone, &c.EmptyTerminatedAt)
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
