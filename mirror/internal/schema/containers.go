package schema

import (
	"cmp"
	"encoding/json"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/mirror/internal/model"
)

type container = terminal49.Container

var ContainerTable = describe("containers", "Pieces of equipment, each during one journey of one shipment. The same number has several rows if it made several journeys. Times of pod and the appointment are in pod_timezone, of ind and the final destination in final_destination_timezone.",
	[]string{"container"}, as[container],
	idColumn("shipment_id", "In shipments.", func(c *container) terminal49.ToOne[*shipment] { return c.Shipment }),
	textColumn("number", "Container number.", func(c *container) string { return c.Number }),
	listColumn("ref_numbers", "Your references.", func(c *container) []string { return c.ReferenceNumbers }),
	joinedColumn("ref_numbers_text", "ref_numbers, joined by commas.", func(c *container) []string { return c.ReferenceNumbers }),
	textColumn("current_status", "A summary that may lag behind the events, and go back.", func(c *container) terminal49.ContainerStatus { return c.CurrentStatus }),
	textColumn("equipment_type", "", func(c *container) terminal49.EquipmentType { return c.EquipmentType }),
	intColumn("equipment_length", "Feet; null if unknown, for which some shipping lines send 0.", func(c *container) terminal49.Opt[int] { return c.EquipmentLength }),
	textColumn("equipment_height", "", func(c *container) terminal49.EquipmentHeight { return c.EquipmentHeight }),
	floatColumn("weight_in_lbs", "Pounds; null if unknown, for which the service sends 0.", func(c *container) terminal49.Opt[float64] { return c.WeightPounds }),
	textColumn("seal_number", "", func(c *container) string { return c.SealNumber }),
	instantColumn("created_at", "When the service created it.", func(c *container) terminal49.Time { return c.CreatedAt }),

	boolColumn("availability_known", "If false, available_for_pickup means nothing.", func(c *container) terminal49.Opt[bool] { return c.AvailabilityKnown }),
	boolColumn("available_for_pickup", "Released by the terminal; means nothing if availability_known is false, and null means unknown.", func(c *container) terminal49.Opt[bool] { return c.AvailableForPickup }),
	listColumn("holds_at_pod_terminal", "Holds at the terminal or the inland ramp; null if not reported, [] if there are none. Their history is in holds.", func(c *container) []terminal49.Hold { return c.Holds }),
	listColumn("fees_at_pod_terminal", "Fees there; null if not reported, [] if there are none. Their history is in fees.", func(c *container) []terminal49.Fee { return c.Fees }),
	textColumn("freight_hold", "Hold, or Pending if the only ones are pending; null if there is none.", holdText("freight")),
	textColumn("customs_hold", "The same.", holdText("customs")),
	textColumn("usda_hold", "The same.", holdText("usda")),
	textColumn("tmf_hold", "The same.", holdText("tmf")),
	textColumn("other_hold", "The same, of holds with any other name.", holdText("")),
	textColumn("demurrage", "The sum of the demurrage in fees_at_pod_terminal, in digits; null if there is none.", demurrage),
	textColumn("location_at_pod_terminal", "Location in the yard, as the terminal writes it.", func(c *container) string { return c.LocationAtPODTerminal }),
	instantColumn("terminal_checked_at", "When the service last checked the terminal.", func(c *container) terminal49.Time { return c.TerminalCheckedAt }),
	momentColumn("pickup_lfd", "Last free day that the service chose, in the zone of its source.", func(c *container) terminal49.Time { return c.PickupLFD }),
	momentColumn("pickup_appointment_at", "", func(c *container) terminal49.Time { return c.PickupAppointmentAt }),
	momentColumn("pickup_lfd_line", "Last free day of the shipping line.", func(c *container) terminal49.Time { return c.ImportDeadlines.Line }),
	momentColumn("pickup_lfd_terminal", "Last free day of the terminal: demurrage begins after it.", func(c *container) terminal49.Time { return c.ImportDeadlines.Terminal }),
	momentColumn("pickup_lfd_rail", "Last free day of the railroad.", func(c *container) terminal49.Time { return c.ImportDeadlines.Rail }),
	momentColumn("pod_lfd", "The service's newer choice among the last free days at the port; most accounts do not have it.", func(c *container) terminal49.Time { return podDeadlines(c).Unified.Current }),
	textColumn("pod_lfd_selection", "What the service chose for pod_lfd, such as facility_manual.", func(c *container) string {
		return podDeadlines(c).Unified.CurrentSelection
	}),
	sentColumn[container]("import_deadlines", "All last free days as they were sent, with their history if the account has it."),

	momentColumn("empty_out_at", "Picked up empty at origin.", func(c *container) terminal49.Time { return c.EmptyOutAt }),
	momentColumn("pol_full_in_at", "Delivered full at origin.", func(c *container) terminal49.Time { return c.POLFullInAt }),
	momentColumn("pol_vessel_loaded_at", "", func(c *container) terminal49.Time { return c.POLVesselLoadedAt }),
	momentColumn("pol_vessel_departed_at", "", func(c *container) terminal49.Time { return c.POLVesselDepartedAt }),
	momentColumn("pod_arrived_at", "", func(c *container) terminal49.Time { return c.PODArrivedAt }),
	momentColumn("pod_discharged_at", "", func(c *container) terminal49.Time { return c.PODDischargedAt }),
	momentColumn("pod_full_out_at", "Left the port. On an inland move it is set too, and is not the pickup.", func(c *container) terminal49.Time { return c.PODFullOutAt }),
	textColumn("pod_full_out_chassis_number", "", func(c *container) string { return c.PODFullOutChassisNumber }),
	textColumn("pod_rail_carrier_scac", "Railroad of the leg from the port.", func(c *container) string { return c.PODRailCarrierSCAC }),
	textColumn("ind_rail_carrier_scac", "Railroad of the inland leg.", func(c *container) string { return c.INDRailCarrierSCAC }),
	momentColumn("pod_rail_loaded_at", "", func(c *container) terminal49.Time { return c.PODRailLoadedAt }),
	momentColumn("pod_rail_departed_at", "", func(c *container) terminal49.Time { return c.PODRailDepartedAt }),
	momentColumn("ind_eta_at", "The railroad's estimate for the inland destination.", func(c *container) terminal49.Time { return c.INDETA }),
	momentColumn("ind_ata_at", "Arrival there.", func(c *container) terminal49.Time { return c.INDATA }),
	momentColumn("ind_rail_unloaded_at", "", func(c *container) terminal49.Time { return c.INDRailUnloadedAt }),
	momentColumn("ind_facility_lfd_on", "Deprecated copy of pickup_lfd_rail.", func(c *container) terminal49.Time { return c.INDFacilityLFD }),
	listColumn("ind_facility_holds", "Always null so far; holds_at_pod_terminal covers the ramp.", func(c *container) []terminal49.Hold { return c.INDFacilityHolds }),
	listColumn("ind_facility_fees", "Always null so far; fees_at_pod_terminal covers the ramp.", func(c *container) []terminal49.Fee { return c.INDFacilityFees }),
	momentColumn("ssl_lfd", "The shipping line's last free day; always null so far.", func(c *container) terminal49.Time { return c.SSLLFD }),
	momentColumn("final_destination_full_out_at", "Left the inland ramp.", func(c *container) terminal49.Time { return c.FinalDestinationFullOutAt }),
	momentColumn("empty_terminated_at", "Returned empty.", func(c *container) terminal49.Time { return c.EmptyTerminatedAt }),
	instantColumn("delivered_at", "When a user marked it as delivered.", func(c *container) terminal49.Time { return c.DeliveredAt }),

	textColumn("empty_out_timezone", "Zone of empty_out_at, an IANA name; from its event.", func(c *container) string { return c.EmptyOutAt.Zone() }),
	textColumn("pol_full_in_timezone", "Zone of pol_full_in_at; from its event.", func(c *container) string { return c.POLFullInAt.Zone() }),
	textColumn("pol_timezone", "Zone of pol_vessel_loaded_at and pol_vessel_departed_at; from the shipment.", func(c *container) string {
		return cmp.Or(c.POLVesselLoadedAt.Zone(), c.POLVesselDepartedAt.Zone())
	}),
	textColumn("pod_timezone", "Zone of the port of discharge.", func(c *container) string { return c.PODTimezone }),
	textColumn("final_destination_timezone", "Zone of the inland destination.", func(c *container) string { return c.FinalDestinationTimezone }),
	textColumn("empty_terminated_timezone", "Zone of the place of the empty return.", func(c *container) string { return c.EmptyTerminatedTimezone }),
	instantColumn("pod_last_tracking_request_at", "Last request to the terminal.", func(c *container) terminal49.Time { return c.TerminalLastRequestedAt }),
	instantColumn("shipment_last_tracking_request_at", "Last request to the shipping line.", func(c *container) terminal49.Time { return c.LineLastRequestedAt }),
	instantColumn("rail_last_tracking_request_at", "Last request to the railroad.", func(c *container) terminal49.Time { return c.RailLastRequestedAt }),
	jsonColumn("release_statuses", "Releases by kind; the form is undocumented.", func(c *container) terminal49.RawJSON { return c.ReleaseStatuses }),
	jsonColumn("inland_destination_eta_source_summary", "Who reported ind_eta_at; the form is undocumented.", func(c *container) terminal49.RawJSON { return c.INDETASources }),

	idColumn("pod_terminal_id", "In terminals.", func(c *container) terminal49.ToOne[*terminal49.Terminal] { return c.PODTerminal }),
	idColumn("pickup_facility_id", "In terminals: where to pick up the container; a ramp on inland moves.", func(c *container) terminal49.ToOne[*terminal49.Terminal] { return c.PickupFacility }),
)

func podDeadlines(c *container) terminal49.PODLastFreeDays {
	if c.ImportDeadlines.POD == nil {
		return terminal49.PODLastFreeDays{}
	}
	return *c.ImportDeadlines.POD
}

// jsonColumn is an attribute of an undocumented form.
func jsonColumn[T any](name, doc string, get func(*T) terminal49.RawJSON) columnOf[T] {
	return columnOf[T]{Column{name, KindJSON, doc}, func(r *rowValues, v *T) { r.json(json.RawMessage(get(v))) }}
}

// OriginColumns are the columns of a container that depend on the zones of its shipment and events.
var OriginColumns = func() (names []string) {
	for _, time := range model.OriginTimes {
		names = append(names, time, time+"_local")
	}
	return append(names, "empty_out_timezone", "pol_full_in_timezone", "pol_timezone")
}()
