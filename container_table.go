package terminal49

import (
	"cmp"
	"slices"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

var containerTable = jsonapi.NewType(jsonapi.Spec[*Container]{
	Identify: func(c *Container, id jsonapi.Identity) { c.identify(id) },
	Finish:   (*Container).pairZones,
	Attributes: []jsonapi.Field[*Container]{
		textField("number", func(c *Container) *string { return &c.Number }),
		textField("seal_number", func(c *Container) *string { return &c.SealNumber }),
		timeField("created_at", func(c *Container) *Time { return &c.CreatedAt }),
		textListField("ref_numbers", func(c *Container) *[]string { return &c.ReferenceNumbers }),
		timeField("pod_arrived_at", func(c *Container) *Time { return &c.PODArrivedAt }),
		timeField("pod_discharged_at", func(c *Container) *Time { return &c.PODDischargedAt }),
		timeField("final_destination_full_out_at", func(c *Container) *Time { return &c.FinalDestinationFullOutAt }),
		listField("holds_at_pod_terminal", holdMembers, func(c *Container) *[]Hold { return &c.Holds }),
		optBoolField("available_for_pickup", func(c *Container) *Opt[bool] { return &c.AvailableForPickup }),
		textField("equipment_type", func(c *Container) *EquipmentType { return &c.EquipmentType }),
		optIntField("equipment_length", func(c *Container) *Opt[int] { return &c.EquipmentLength }),
		textField("equipment_height", func(c *Container) *EquipmentHeight { return &c.EquipmentHeight }),
		optFloatField("weight_in_lbs", func(c *Container) *Opt[float64] { return &c.WeightPounds }),
		timeField("pod_full_out_at", func(c *Container) *Time { return &c.PODFullOutAt }),
		timeField("empty_terminated_at", func(c *Container) *Time { return &c.EmptyTerminatedAt }),
		timeField("terminal_checked_at", func(c *Container) *Time { return &c.TerminalCheckedAt }),
		listField("fees_at_pod_terminal", feeMembers, func(c *Container) *[]Fee { return &c.Fees }),
		timeField("pickup_lfd", func(c *Container) *Time { return &c.PickupLFD }),
		timeField("pickup_appointment_at", func(c *Container) *Time { return &c.PickupAppointmentAt }),
		textField("pod_full_out_chassis_number", func(c *Container) *string { return &c.PODFullOutChassisNumber }),
		textField("location_at_pod_terminal", func(c *Container) *string { return &c.LocationAtPODTerminal }),
		timeField("pod_last_tracking_request_at", func(c *Container) *Time { return &c.TerminalLastRequestedAt }),
		timeField("shipment_last_tracking_request_at", func(c *Container) *Time { return &c.LineLastRequestedAt }),
		timeField("rail_last_tracking_request_at", func(c *Container) *Time { return &c.RailLastRequestedAt }),
		optBoolField("availability_known", func(c *Container) *Opt[bool] { return &c.AvailabilityKnown }),
		textField("pod_timezone", func(c *Container) *string { return &c.PODTimezone }),
		textField("final_destination_timezone", func(c *Container) *string { return &c.FinalDestinationTimezone }),
		textField("empty_terminated_timezone", func(c *Container) *string { return &c.EmptyTerminatedTimezone }),
		textField("pod_rail_carrier_scac", func(c *Container) *string { return &c.PODRailCarrierSCAC }),
		textField("ind_rail_carrier_scac", func(c *Container) *string { return &c.INDRailCarrierSCAC }),
		timeField("pod_rail_loaded_at", func(c *Container) *Time { return &c.PODRailLoadedAt }),
		timeField("pod_rail_departed_at", func(c *Container) *Time { return &c.PODRailDepartedAt }),
		timeField("ind_eta_at", func(c *Container) *Time { return &c.INDETA }),
		timeField("ind_ata_at", func(c *Container) *Time { return &c.INDATA }),
		timeField("ind_rail_unloaded_at", func(c *Container) *Time { return &c.INDRailUnloadedAt }),
		timeField("ind_facility_lfd_on", func(c *Container) *Time { return &c.INDFacilityLFD }),
		objectField("import_deadlines", deadlineMembers, func(c *Container) *Deadlines { return &c.ImportDeadlines }),
		textField("current_status", func(c *Container) *ContainerStatus { return &c.CurrentStatus }),
		listField("ind_facility_holds", holdMembers, func(c *Container) *[]Hold { return &c.INDFacilityHolds }),
		listField("ind_facility_fees", feeMembers, func(c *Container) *[]Fee { return &c.INDFacilityFees }),
		timeField("ssl_lfd", func(c *Container) *Time { return &c.SSLLFD }),
		anyField("inland_destination_eta_source_summary", func(c *Container) *RawJSON { return &c.INDETASources }),
		anyField("release_statuses", func(c *Container) *RawJSON { return &c.ReleaseStatuses }),
		timeField("delivered_at", func(c *Container) *Time { return &c.DeliveredAt }),
		timeField("empty_out_at", func(c *Container) *Time { return &c.EmptyOutAt }),
		timeField("pol_full_in_at", func(c *Container) *Time { return &c.POLFullInAt }),
		timeField("pol_vessel_loaded_at", func(c *Container) *Time { return &c.POLVesselLoadedAt }),
		timeField("pol_vessel_departed_at", func(c *Container) *Time { return &c.POLVesselDepartedAt }),
	},
	Relationships: []jsonapi.Field[*Container]{
		jsonapi.NewRelationship("shipment",
			func(d *jsonapi.Decoder, c *Container) { c.Shipment.read(d) },
			func(c *Container) any { return &c.Shipment },
			func(ix *jsonapi.Index, c *Container) {
				c.Shipment.resolve(ix)
				c.pairOriginZone()
			}),
		relationshipField("pickup_facility", func(c *Container) *ToOne[*Terminal] { return &c.PickupFacility }),
		relationshipField("pod_terminal", func(c *Container) *ToOne[*Terminal] { return &c.PODTerminal }),
		jsonapi.NewRelationship("transport_events",
			func(d *jsonapi.Decoder, c *Container) { c.TransportEvents.read(d) },
			func(c *Container) any { return &c.TransportEvents },
			func(ix *jsonapi.Index, c *Container) {
				c.TransportEvents.resolve(ix)
				c.pairGateZones()
			}),
		relationshipField("raw_events", func(c *Container) *ToMany[*RawEvent] { return &c.RawEvents }),
	},
})

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
	c.pairDeadlines(LFDLine, &d.Line, &c.SSLLFD)
	c.pairDeadlines(LFDTerminal, &d.Terminal)
	c.pairDeadlines(LFDRail, &d.Rail, &c.INDFacilityLFD)
	d.POD.pairZone(c.PODTimezone)
	c.pairPickupLFD()
}

// pairDeadlines sets the zone of last free days of one source.
func (c *Container) pairDeadlines(source LFDSource, deadlines ...*Time) {
	for _, at := range deadlines {
		pairZone(c.deadlineZone(source, *at), at)
	}
}

// deadlineZone returns the zone of a last free day. The service documents two zones for the line's,
// and means the one in which it is a midnight. The railroad's need not be a midnight; if the inland
// destination has no zone, a midnight at the port is one of the port.
func (c *Container) deadlineZone(source LFDSource, at Time) string {
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	switch source {
	case LFDLine:
		return cmp.Or(midnightZone(at, inland, port), inland, port)
	case LFDRail:
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
// with the same value. If no source has it, it is at one of the two places of pickup: where it is a
// midnight, if that is one of them.
func (c *Container) pairPickupLFD() {
	port, inland := c.PODTimezone, c.FinalDestinationTimezone
	source, ok := sourceOfPickupLFD(c)
	midnight := midnightZone(c.PickupLFD, inland, port)
	switch {
	case ok:
		pairZone(source.At.zone, &c.PickupLFD)
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
// gate, inland depots included. Only the transport events of the same name have them.
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
