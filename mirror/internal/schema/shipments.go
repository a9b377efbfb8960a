package schema

import "github.com/go-freight/terminal49"

type shipment = terminal49.Shipment

var ShipmentTable = describe("shipments", "Bills of lading and bookings that are tracked at a shipping line. Times of pol are in pol_timezone, of pod in pod_timezone, of destination in destination_timezone.",
	[]string{"shipment"}, as[shipment],
	textColumn("bill_of_lading_number", "The number as it was submitted.", func(s *shipment) string { return s.BillOfLadingNumber }),
	textColumn("normalized_number", "The form of the number at the shipping line.", func(s *shipment) string { return s.NormalizedNumber }),
	listColumn("ref_numbers", "Your references.", func(s *shipment) []string { return s.ReferenceNumbers }),
	listColumn("tags", "Your tags.", func(s *shipment) []string { return s.Tags }),
	joinedColumn("ref_numbers_text", "ref_numbers, joined by commas.", func(s *shipment) []string { return s.ReferenceNumbers }),
	joinedColumn("tags_text", "tags, sorted and joined by commas.", func(s *shipment) []string { return sorted(s.Tags) }),
	textColumn("customer_name", "The party that the shipment is for.", func(s *shipment) string { return s.CustomerName }),
	textColumn("shipping_line_scac", "", func(s *shipment) string { return s.ShippingLineSCAC }),
	textColumn("shipping_line_name", "", func(s *shipment) string { return s.ShippingLineName }),
	textColumn("shipping_line_short_name", "", func(s *shipment) string { return s.ShippingLineShortName }),

	textColumn("port_of_lading_locode", "UN/LOCODE.", func(s *shipment) string { return s.PortOfLadingLOCODE }),
	textColumn("port_of_lading_name", "", func(s *shipment) string { return s.PortOfLadingName }),
	textColumn("port_of_discharge_locode", "UN/LOCODE.", func(s *shipment) string { return s.PortOfDischargeLOCODE }),
	textColumn("port_of_discharge_name", "", func(s *shipment) string { return s.PortOfDischargeName }),
	textColumn("destination_locode", "UN/LOCODE of the inland destination.", func(s *shipment) string { return s.DestinationLOCODE }),
	textColumn("destination_name", "", func(s *shipment) string { return s.DestinationName }),
	textColumn("pol_timezone", "Zone of the port of lading, an IANA name.", func(s *shipment) string { return s.POLTimezone }),
	textColumn("pod_timezone", "Zone of the port of discharge.", func(s *shipment) string { return s.PODTimezone }),
	textColumn("destination_timezone", "Zone of the destination.", func(s *shipment) string { return s.DestinationTimezone }),
	textColumn("pod_vessel_name", "The vessel that calls at the port of discharge.", func(s *shipment) string { return s.PODVesselName }),
	textColumn("pod_vessel_imo", "", func(s *shipment) string { return s.PODVesselIMO }),
	textColumn("pod_voyage_number", "", func(s *shipment) string { return s.PODVoyageNumber }),

	momentColumn("pol_etd_at", "Estimated departure from the port of lading.", func(s *shipment) terminal49.Time { return s.POLETD }),
	momentColumn("pol_original_etd_at", "The first estimate of it.", func(s *shipment) terminal49.Time { return s.POLOriginalETD }),
	momentColumn("pol_atd_at", "Departure from the port of lading.", func(s *shipment) terminal49.Time { return s.POLATD }),
	momentColumn("pod_eta_at", "Estimated arrival at the port of discharge; may be null after the arrival.", func(s *shipment) terminal49.Time { return s.PODETA }),
	momentColumn("pod_original_eta_at", "The first estimate of it.", func(s *shipment) terminal49.Time { return s.PODOriginalETA }),
	momentColumn("pod_ata_at", "Arrival at the port of discharge.", func(s *shipment) terminal49.Time { return s.PODATA }),
	momentColumn("destination_eta_at", "The shipping line's estimate for the destination.", func(s *shipment) terminal49.Time { return s.DestinationETA }),
	momentColumn("destination_original_eta_at", "The first estimate of it.", func(s *shipment) terminal49.Time { return s.DestinationOriginalETA }),
	momentColumn("destination_ata_at", "Arrival at the destination.", func(s *shipment) terminal49.Time { return s.DestinationATA }),

	instantColumn("line_tracking_last_attempted_at", "Last request to the shipping line.", func(s *shipment) terminal49.Time { return s.LineTrackingLastAttemptedAt }),
	instantColumn("line_tracking_last_succeeded_at", "Last request to it that succeeded.", func(s *shipment) terminal49.Time { return s.LineTrackingLastSucceededAt }),
	instantColumn("line_tracking_stopped_at", "Null while tracking continues.", func(s *shipment) terminal49.Time { return s.LineTrackingStoppedAt }),
	textColumn("line_tracking_stopped_reason", "", func(s *shipment) terminal49.LineTrackingStoppedReason { return s.LineTrackingStoppedReason }),
	instantColumn("created_at", "When the service created it.", func(s *shipment) terminal49.Time { return s.CreatedAt }),

	idColumn("port_of_lading_id", "In ports.", func(s *shipment) terminal49.ToOne[*terminal49.Port] { return s.PortOfLading }),
	idColumn("port_of_discharge_id", "In ports.", func(s *shipment) terminal49.ToOne[*terminal49.Port] { return s.PortOfDischarge }),
	idColumn("destination_id", "In ports, which has metro areas too.", func(s *shipment) terminal49.ToOne[terminal49.Place] { return s.Destination }),
	idColumn("pod_terminal_id", "In terminals.", func(s *shipment) terminal49.ToOne[*terminal49.Terminal] { return s.PODTerminal }),
	idColumn("destination_terminal_id", "In terminals.", func(s *shipment) terminal49.ToOne[*terminal49.Terminal] { return s.DestinationTerminal }),
	idColumn("line_tracking_stopped_by_user_id", "The user who stopped the tracking.", func(s *shipment) terminal49.ToOne[*terminal49.User] { return s.LineTrackingStoppedByUser }),
)
