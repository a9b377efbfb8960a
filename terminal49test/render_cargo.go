package terminal49test

import (
	"cmp"
	"math"
	"time"
)

func (w *world) renderShipment(s *Shipment) resource {
	pol, pod, dest := w.place(s.PortOfLading), w.place(s.PortOfDischarge), w.place(s.Destination)
	line := cmp.Or(w.line(s.ShippingLine), &ShippingLine{SCAC: s.ShippingLine})
	ship := cmp.Or(w.vessel(s.Vessel), &Vessel{})
	customer := cmp.Or(w.parties.get(s.Customer), &Party{})
	return resource{
		ref: ref{"shipment", s.ID}, self: "/v2/shipments/" + s.ID,
		attributes: object{
			{"created_at", s.CreatedAt}, {"ref_numbers", s.RefNumbers}, {"tags", nonNil(s.Tags)},
			{"bill_of_lading_number", s.Number}, {"normalized_number", s.NormalizedNumber},
			{"shipping_line_scac", line.SCAC}, {"shipping_line_name", line.Name},
			{"shipping_line_short_name", line.ShortName}, {"customer_name", orNull(customer.CompanyName)},
			{"port_of_lading_locode", orNull(pol.code)}, {"port_of_lading_name", orNull(pol.name)},
			{"port_of_discharge_locode", orNull(pod.code)}, {"port_of_discharge_name", orNull(pod.name)},
			{"destination_locode", orNull(dest.code)}, {"destination_name", orNull(dest.name)},
			{"pod_vessel_name", orNull(ship.Name)}, {"pod_vessel_imo", orNull(ship.IMO)},
			{"pod_voyage_number", orNull(s.VoyageNumber)},
			{"pol_etd_at", s.POLETDAt}, {"pol_original_etd_at", s.POLOriginalETDAt}, {"pol_atd_at", s.POLATDAt},
			{"pol_timezone", orNull(pol.tz)},
			{"pod_eta_at", s.PODETAAt}, {"pod_original_eta_at", s.PODOriginalETAAt}, {"pod_ata_at", s.PODATAAt},
			{"pod_timezone", orNull(pod.tz)},
			{"destination_eta_at", s.DestinationETAAt}, {"destination_original_eta_at", s.DestinationOriginalETAAt},
			{"destination_ata_at", s.DestinationATAAt}, {"destination_timezone", orNull(dest.tz)},
			{"line_tracking_last_attempted_at", s.LineTrackingLastAttemptedAt},
			{"line_tracking_last_succeeded_at", s.LineTrackingLastSucceededAt},
			{"line_tracking_stopped_at", s.LineTrackingStoppedAt},
			{"line_tracking_stopped_reason", orNull(s.LineTrackingStoppedReason)},
		}.with(s.Attributes),
		relations: []relation{
			{name: "port_of_lading", one: pol.ref}, {name: "port_of_discharge", one: pod.ref},
			{name: "pod_terminal", one: w.terminalRef(s.PODTerminal)},
			{name: "destination", one: dest.ref}, {name: "destination_terminal", one: w.terminalRef(s.DestinationTerminal)},
			toOne("line_tracking_stopped_by_user", "user", s.LineTrackingStoppedByUser),
			toMany("containers", "container", w.containerOf[s.ID]),
		},
	}
}

func (w *world) renderContainer(c *Container) resource {
	s := cmp.Or(w.shipments.get(c.Shipment), &Shipment{})
	var finalZone string
	if w.inland(s) {
		finalZone = w.place(s.Destination).tz
	}
	var length any
	if c.EquipmentLength != 0 {
		length = c.EquipmentLength
	}
	return resource{
		ref: ref{"container", c.ID},
		attributes: object{
			{"number", c.Number}, {"ref_numbers", nonNil(c.RefNumbers)}, {"seal_number", orNull(c.SealNumber)},
			{"created_at", c.CreatedAt}, {"equipment_type", orNull(c.EquipmentType)}, {"equipment_length", length},
			{"equipment_height", orNull(c.EquipmentHeight)}, {"weight_in_lbs", c.WeightPounds},
			{"current_status", c.CurrentStatus}, {"availability_known", c.AvailabilityKnown},
			{"available_for_pickup", c.AvailableForPickup},
			{"holds_at_pod_terminal", renderHolds(c.Holds)}, {"fees_at_pod_terminal", renderFees(c.Fees)},
			{"pickup_lfd", c.Deadlines.LFD()}, {"pickup_appointment_at", c.PickupAppointmentAt},
			{"import_deadlines", object{
				{"pickup_lfd_terminal", c.Deadlines.Terminal}, {"pickup_lfd_rail", c.Deadlines.Rail},
				{"pickup_lfd_line", c.Deadlines.Line},
			}},
			{"location_at_pod_terminal", orNull(c.Location)}, {"pod_full_out_chassis_number", orNull(c.Chassis)},
			{"empty_out_at", c.EmptyOutAt}, {"pol_full_in_at", c.POLFullInAt},
			{"pol_vessel_loaded_at", c.POLLoadedAt}, {"pol_vessel_departed_at", c.POLDepartedAt},
			{"pod_arrived_at", c.PODArrivedAt}, {"pod_discharged_at", c.PODDischargedAt},
			{"pod_full_out_at", c.PODFullOutAt}, {"pod_rail_carrier_scac", orNull(c.PODRailCarrierSCAC)},
			{"pod_rail_loaded_at", c.PODRailLoadedAt}, {"pod_rail_departed_at", c.PODRailDepartedAt},
			{"ind_rail_carrier_scac", orNull(c.INDRailCarrierSCAC)}, {"ind_eta_at", c.INDETAAt}, {"ind_ata_at", c.INDATAAt},
			{"ind_rail_unloaded_at", c.INDRailUnloadedAt}, {"ind_facility_lfd_on", c.Deadlines.Rail},
			{"ind_facility_holds", nil}, {"ind_facility_fees", nil}, {"ssl_lfd", nil},
			{"final_destination_full_out_at", c.FinalDestinationFullOutAt}, {"delivered_at", c.DeliveredAt},
			{"empty_terminated_at", c.EmptyTerminatedAt},
			{"pod_timezone", orNull(w.place(s.PortOfDischarge).tz)}, {"final_destination_timezone", orNull(finalZone)},
			{"empty_terminated_timezone", orNull(c.EmptyTerminatedTimeZone)},
			{"terminal_checked_at", c.TerminalCheckedAt}, {"pod_last_tracking_request_at", c.PODLastRequestAt},
			{"shipment_last_tracking_request_at", c.ShipmentLastRequestAt},
			{"rail_last_tracking_request_at", c.RailLastRequestAt},
		}.with(c.Attributes),
		relations: []relation{
			toOne("shipment", "shipment", c.Shipment), {name: "pod_terminal", one: w.terminalRef(w.podTerminal(c))},
			{name: "pickup_facility", one: w.terminalRef(w.pickupFacility(c))},
			toMany("transport_events", "transport_event", w.eventsOf[c.ID]),
			toMany("raw_events", "raw_event", w.rawEventsOf[c.ID]),
		},
	}
}

func renderHolds(holds []Hold) []object {
	list := []object{}
	for _, h := range holds {
		list = append(list, object{{"name", h.Name}, {"status", cmp.Or(h.Status, "hold")}, {"description", orNull(h.Description)}})
	}
	return list
}

func renderFees(fees []Fee) []object {
	list := []object{}
	for _, f := range fees {
		cents := math.Round(f.Amount*100) / 100 // what accrues day by day must not show its binary tail
		list = append(list, object{{"type", f.Type}, {"amount", cents}, {"currency_code", cmp.Or(f.Currency, "USD")}})
	}
	return list
}

func (w *world) renderRequest(r *TrackingRequest) resource {
	var tries any
	if r.RetryCount > 0 {
		tries = r.RetryCount
	}
	return resource{
		ref: ref{"tracking_request", r.ID}, self: "/v2/tracking_requests/" + r.ID,
		attributes: object{
			{"request_number", r.RequestNumber}, {"request_type", r.RequestType}, {"scac", orNull(r.SCAC)},
			{"ref_numbers", nonNil(r.RefNumbers)}, {"shipment_tags", nonNil(r.ShipmentTags)},
			{"created_at", r.CreatedAt}, {"updated_at", r.UpdatedAt}, {"status", r.Status},
			{"failed_reason", orNull(r.FailedReason)}, {"is_retrying", r.IsRetrying}, {"retry_count", tries},
		}.with(r.Attributes),
		relations: []relation{
			toOne("tracked_object", "shipment", r.Shipment), toOne("customer", "party", r.Customer), toOne("user", "user", r.User),
		},
	}
}

func (w *world) renderEvent(e *TransportEvent) resource {
	at := w.place(e.Location)
	return resource{
		ref: ref{"transport_event", e.ID},
		attributes: object{
			{"event", e.Event}, {"created_at", e.CreatedAt}, {"voyage_number", orNull(e.Voyage)}, {"timestamp", e.At},
			{"data_source", e.DataSource}, {"location_locode", orNull(at.code)}, {"timezone", orNull(at.tz)},
			{"value", orNull(e.Value)}, {"value_timestamp", e.ValueAt}, {"invalidated_at", e.InvalidatedAt},
		}.with(e.Attributes),
		relations: []relation{
			toOne("shipment", "shipment", e.Shipment), toOne("container", "container", e.Container),
			{name: "vessel", one: w.vesselRef(e.Vessel)}, {name: "location", one: at.ref},
			{name: "terminal", one: w.terminalRef(e.Terminal)}, toOne("source_event", "raw_event", e.SourceEvent),
			toOne("previous_version", "transport_event", e.PreviousVersion),
		},
	}
}

func (w *world) renderRawEvent(e *RawEvent) resource {
	at := w.place(e.Location)
	ship := cmp.Or(w.vessel(e.Vessel), &Vessel{})
	index := 0
	for i, id := range w.rawEventsOf[e.Container] {
		if id == e.ID {
			index = i
		}
	}
	var actual, estimated time.Time
	if e.Estimated {
		estimated = e.At
	} else {
		actual = e.At
	}
	line := cmp.Or(w.lineOf(e.Container), &ShippingLine{})
	return resource{
		ref: ref{"raw_event", e.ID},
		attributes: object{
			{"event", orNull(e.Event)}, {"original_event", orNull(e.OriginalEvent)}, {"timestamp", e.At},
			{"estimated", e.Estimated}, {"actual_on", day(actual)}, {"estimated_on", day(estimated)},
			{"actual_at", actual}, {"estimated_at", estimated}, {"will_occur_at", nil},
			{"invalidated_at", e.InvalidatedAt}, {"timezone", orNull(at.tz)}, {"created_at", e.CreatedAt},
			{"location_name", orNull(cmp.Or(e.LocationName, at.name))}, {"location_locode", orNull(at.code)},
			{"vessel_name", orNull(ship.Name)}, {"vessel_imo", orNull(ship.IMO)}, {"voyage_number", orNull(e.Voyage)},
			{"index", index}, {"data_source", "shipping_line"}, {"data_provider_name", line.ShortName},
			{"data_provider_code", line.SCAC},
		}.with(e.Attributes),
		relations: []relation{
			{name: "location", one: at.ref}, {name: "vessel", one: w.vesselRef(e.Vessel)},
			toOne("container", "container", e.Container), {name: "terminal", one: w.terminalRef(e.Terminal)},
		},
	}
}

func (w *world) lineOf(container string) *ShippingLine {
	if c := w.containers.get(container); c != nil {
		if s := w.shipments.get(c.Shipment); s != nil {
			return w.line(s.ShippingLine)
		}
	}
	return nil
}

// day is a date without a time, null for none.
func day(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.DateOnly)
}

// nonNil writes an unset list as [], for the attributes that are never null live.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
