package terminal49

import (
	"cmp"

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
		ignoredField[*Container]("inland_destination_eta_source_summary"), // its form is undocumented; see Raw
		timeField("delivered_at", func(c *Container) *Time { return &c.DeliveredAt }),
		timeField("empty_out_at", func(c *Container) *Time { return &c.EmptyOutAt }),
		timeField("pol_full_in_at", func(c *Container) *Time { return &c.POLFullInAt }),
		timeField("pol_vessel_loaded_at", func(c *Container) *Time { return &c.POLVesselLoadedAt }),
		timeField("pol_vessel_departed_at", func(c *Container) *Time { return &c.POLVesselDepartedAt }),
	},
	Relationships: []jsonapi.Field[*Container]{
		jsonapi.NewRelationship("shipment",
			func(d *jsonapi.Decoder, c *Container) { c.Shipment.read(d) },
			func(ix *jsonapi.Index, c *Container) {
				c.Shipment.resolve(ix)
				c.pairOriginZone()
			}),
		relationshipField("pickup_facility", func(c *Container) *ToOne[*Terminal] { return &c.PickupFacility }),
		relationshipField("pod_terminal", func(c *Container) *ToOne[*Terminal] { return &c.PODTerminal }),
		relationshipField("transport_events", func(c *Container) *ToMany[*TransportEvent] { return &c.TransportEvents }),
		relationshipField("raw_events", func(c *Container) *ToMany[*RawEvent] { return &c.RawEvents }),
	},
})

func (c *Container) pairZones() {
	pairZone(c.PODTimezone, &c.PODArrivedAt, &c.PODDischargedAt, &c.PickupAppointmentAt, &c.PODFullOutAt,
		&c.ImportDeadlines.Terminal, &c.PODRailLoadedAt, &c.PODRailDepartedAt)
	pairZone(c.FinalDestinationTimezone, &c.FinalDestinationFullOutAt, &c.INDETA, &c.INDATA, &c.INDRailUnloadedAt,
		&c.INDFacilityLFD, &c.ImportDeadlines.Rail)
	pairZone(cmp.Or(c.FinalDestinationTimezone, c.PODTimezone), &c.ImportDeadlines.Line, &c.SSLLFD)
	pairZone(c.EmptyTerminatedTimezone, &c.EmptyTerminatedAt)
	c.pairPickupLFD()
	markZoneUnreported(&c.EmptyOutAt, &c.POLFullInAt, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
}

// pairPickupLFD sets the zone of the last free day that the service chose to the zone of the source
// with the same value. If no source has it, the zone is known only if the container has a single
// possible place of pickup.
func (c *Container) pairPickupLFD() {
	if source, ok := sourceOfPickupLFD(c); ok {
		pairZone(source.At.zone, &c.PickupLFD)
		return
	}
	if c.FinalDestinationTimezone == "" || c.FinalDestinationTimezone == c.PODTimezone {
		pairZone(c.PODTimezone, &c.PickupLFD)
		return
	}
	markZoneUnreported(&c.PickupLFD)
}

// pairOriginZone sets the zone of the times at origin, which only the shipment has.
func (c *Container) pairOriginZone() {
	if shipment, ok := c.Shipment.Value(); ok {
		pairZone(shipment.POLTimezone, &c.EmptyOutAt, &c.POLFullInAt, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
	}
}
