package terminal49

import "github.com/go-freight/terminal49/internal/jsonapi"

// How containers are read; see Container for what the fields mean.
var containerTable = jsonapi.NewType(jsonapi.Spec[Container]{
	Identify: func(c *Container, id jsonapi.Identity) { c.identify(id) },
	Finish:   (*Container).pairZones,
	Attributes: []jsonapi.Field[Container]{
		text("number", func(c *Container) *string { return &c.Number }),
		text("seal_number", func(c *Container) *string { return &c.SealNumber }),
		moment("created_at", func(c *Container) *Time { return &c.CreatedAt }),
		texts("ref_numbers", func(c *Container) *[]string { return &c.ReferenceNumbers }),
		moment("pod_arrived_at", func(c *Container) *Time { return &c.PODArrivedAt }),
		moment("pod_discharged_at", func(c *Container) *Time { return &c.PODDischargedAt }),
		moment("final_destination_full_out_at", func(c *Container) *Time { return &c.FinalDestinationFullOutAt }),
		list("holds_at_pod_terminal", holdMembers, func(c *Container) *[]Hold { return &c.Holds }),
		optFlag("available_for_pickup", func(c *Container) *Opt[bool] { return &c.AvailableForPickup }),
		text("equipment_type", func(c *Container) *EquipmentType { return &c.EquipmentType }),
		optInt("equipment_length", func(c *Container) *Opt[int] { return &c.EquipmentLength }),
		text("equipment_height", func(c *Container) *EquipmentHeight { return &c.EquipmentHeight }),
		optFloat("weight_in_lbs", func(c *Container) *Opt[float64] { return &c.WeightPounds }),
		moment("pod_full_out_at", func(c *Container) *Time { return &c.PODFullOutAt }),
		moment("empty_terminated_at", func(c *Container) *Time { return &c.EmptyTerminatedAt }),
		moment("terminal_checked_at", func(c *Container) *Time { return &c.TerminalCheckedAt }),
		list("fees_at_pod_terminal", feeMembers, func(c *Container) *[]Fee { return &c.Fees }),
		moment("pickup_lfd", func(c *Container) *Time { return &c.PickupLFD }),
		moment("pickup_appointment_at", func(c *Container) *Time { return &c.PickupAppointmentAt }),
		text("pod_full_out_chassis_number", func(c *Container) *string { return &c.PODFullOutChassisNumber }),
		text("location_at_pod_terminal", func(c *Container) *string { return &c.LocationAtPODTerminal }),
		moment("pod_last_tracking_request_at", func(c *Container) *Time { return &c.TerminalLastRequestedAt }),
		moment("shipment_last_tracking_request_at", func(c *Container) *Time { return &c.LineLastRequestedAt }),
		moment("rail_last_tracking_request_at", func(c *Container) *Time { return &c.RailLastRequestedAt }),
		optFlag("availability_known", func(c *Container) *Opt[bool] { return &c.AvailabilityKnown }),
		text("pod_timezone", func(c *Container) *string { return &c.PODTimezone }),
		text("final_destination_timezone", func(c *Container) *string { return &c.FinalDestinationTimezone }),
		text("empty_terminated_timezone", func(c *Container) *string { return &c.EmptyTerminatedTimezone }),
		text("pod_rail_carrier_scac", func(c *Container) *string { return &c.PODRailCarrierSCAC }),
		text("ind_rail_carrier_scac", func(c *Container) *string { return &c.INDRailCarrierSCAC }),
		moment("pod_rail_loaded_at", func(c *Container) *Time { return &c.PODRailLoadedAt }),
		moment("pod_rail_departed_at", func(c *Container) *Time { return &c.PODRailDepartedAt }),
		moment("ind_eta_at", func(c *Container) *Time { return &c.INDETA }),
		moment("ind_ata_at", func(c *Container) *Time { return &c.INDATA }),
		moment("ind_rail_unloaded_at", func(c *Container) *Time { return &c.INDRailUnloadedAt }),
		moment("ind_facility_lfd_on", func(c *Container) *Time { return &c.INDFacilityLFD }),
		object("import_deadlines", deadlineMembers, func(c *Container) *Deadlines { return &c.ImportDeadlines }),
		text("current_status", func(c *Container) *ContainerStatus { return &c.CurrentStatus }),
		list("ind_facility_holds", holdMembers, func(c *Container) *[]Hold { return &c.INDFacilityHolds }),
		list("ind_facility_fees", feeMembers, func(c *Container) *[]Fee { return &c.INDFacilityFees }),
		moment("ssl_lfd", func(c *Container) *Time { return &c.SSLLFD }),
		ignored[Container]("inland_destination_eta_source_summary"), // of no documented form; Raw has it
		moment("delivered_at", func(c *Container) *Time { return &c.DeliveredAt }),
		moment("empty_out_at", func(c *Container) *Time { return &c.EmptyOutAt }),
		moment("pol_full_in_at", func(c *Container) *Time { return &c.POLFullInAt }),
		moment("pol_vessel_loaded_at", func(c *Container) *Time { return &c.POLVesselLoadedAt }),
		moment("pol_vessel_departed_at", func(c *Container) *Time { return &c.POLVesselDepartedAt }),
	},
	Relationships: []jsonapi.Field[Container]{
		{
			Name: "shipment",
			Read: func(d *jsonapi.Decoder, c *Container) { c.Shipment.read(d) },
			Resolve: func(ix *jsonapi.Index, c *Container) {
				c.Shipment.resolve(ix)
				c.pairOriginZone()
			},
		},
		related("pickup_facility", func(c *Container) *ToOne[*Terminal] { return &c.PickupFacility }),
		related("pod_terminal", func(c *Container) *ToOne[*Terminal] { return &c.PODTerminal }),
		related("transport_events", func(c *Container) *ToMany[*TransportEvent] { return &c.TransportEvents }),
		related("raw_events", func(c *Container) *ToMany[*RawEvent] { return &c.RawEvents }),
	},
})

func (c *Container) pairZones() {
	pairZone(c.PODTimezone, &c.PODArrivedAt, &c.PODDischargedAt, &c.PickupAppointmentAt, &c.PODFullOutAt,
		&c.ImportDeadlines.Terminal, &c.PODRailLoadedAt, &c.PODRailDepartedAt)
	pairZone(c.FinalDestinationTimezone, &c.FinalDestinationFullOutAt, &c.INDETA, &c.INDATA, &c.INDRailUnloadedAt,
		&c.INDFacilityLFD, &c.ImportDeadlines.Rail)
	pairZone(firstOf(c.FinalDestinationTimezone, c.PODTimezone), &c.ImportDeadlines.Line, &c.SSLLFD)
	pairZone(c.EmptyTerminatedTimezone, &c.EmptyTerminatedAt)
	c.pairPickupLFD()
	untold(&c.EmptyOutAt, &c.POLFullInAt, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
}

// pairPickupLFD gives the service's chosen last free day the zone of the source it was chosen from. When no source has
// that very value, the zone is known only if the container has a single place to be picked up at.
func (c *Container) pairPickupLFD() {
	if source, ok := pickedFrom(c); ok {
		pairZone(source.At.zone, &c.PickupLFD)
		return
	}
	if c.FinalDestinationTimezone == "" || c.FinalDestinationTimezone == c.PODTimezone {
		pairZone(c.PODTimezone, &c.PickupLFD)
		return
	}
	untold(&c.PickupLFD)
}

// pairOriginZone places the times at origin, whose zone only the shipment has.
func (c *Container) pairOriginZone() {
	if shipment, ok := c.Shipment.Value(); ok {
		pairZone(shipment.POLTimezone, &c.EmptyOutAt, &c.POLFullInAt, &c.POLVesselLoadedAt, &c.POLVesselDepartedAt)
	}
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
