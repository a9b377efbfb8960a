package main

import "encoding/json"

// The types that a program without the client would write: the attributes of the two resources, and
// no behaviour.

type naiveShipment struct {
	ID, Type   string
	Attributes struct {
		CreatedAt                   string   `json:"created_at"`
		RefNumbers                  []string `json:"ref_numbers"`
		Tags                        []string `json:"tags"`
		BillOfLadingNumber          string   `json:"bill_of_lading_number"`
		NormalizedNumber            string   `json:"normalized_number"`
		ShippingLineScac            string   `json:"shipping_line_scac"`
		ShippingLineName            string   `json:"shipping_line_name"`
		ShippingLineShortName       string   `json:"shipping_line_short_name"`
		CustomerName                string   `json:"customer_name"`
		PortOfLadingLocode          string   `json:"port_of_lading_locode"`
		PortOfLadingName            string   `json:"port_of_lading_name"`
		PortOfDischargeLocode       string   `json:"port_of_discharge_locode"`
		PortOfDischargeName         string   `json:"port_of_discharge_name"`
		PodVesselName               string   `json:"pod_vessel_name"`
		PodVesselImo                string   `json:"pod_vessel_imo"`
		PodVoyageNumber             string   `json:"pod_voyage_number"`
		DestinationLocode           string   `json:"destination_locode"`
		DestinationName             string   `json:"destination_name"`
		DestinationTimezone         string   `json:"destination_timezone"`
		DestinationAtaAt            string   `json:"destination_ata_at"`
		DestinationEtaAt            string   `json:"destination_eta_at"`
		PolEtdAt                    string   `json:"pol_etd_at"`
		PolAtdAt                    string   `json:"pol_atd_at"`
		PolOriginalEtdAt            string   `json:"pol_original_etd_at"`
		PolTimezone                 string   `json:"pol_timezone"`
		PodEtaAt                    string   `json:"pod_eta_at"`
		PodOriginalEtaAt            string   `json:"pod_original_eta_at"`
		PodAtaAt                    string   `json:"pod_ata_at"`
		PodTimezone                 string   `json:"pod_timezone"`
		LineTrackingLastAttemptedAt string   `json:"line_tracking_last_attempted_at"`
		LineTrackingLastSucceededAt string   `json:"line_tracking_last_succeeded_at"`
		LineTrackingStoppedAt       string   `json:"line_tracking_stopped_at"`
		LineTrackingStoppedReason   string   `json:"line_tracking_stopped_reason"`
	}
	Relationships map[string]struct{ Data json.RawMessage }
}

type naiveContainer struct {
	ID, Type   string
	Attributes struct {
		Number                        string         `json:"number"`
		SealNumber                    string         `json:"seal_number"`
		CreatedAt                     string         `json:"created_at"`
		RefNumbers                    []string       `json:"ref_numbers"`
		PodArrivedAt                  string         `json:"pod_arrived_at"`
		PodDischargedAt               string         `json:"pod_discharged_at"`
		FinalDestinationFullOutAt     string         `json:"final_destination_full_out_at"`
		HoldsAtPodTerminal            []naiveHold    `json:"holds_at_pod_terminal"`
		AvailableForPickup            bool           `json:"available_for_pickup"`
		EquipmentType                 string         `json:"equipment_type"`
		EquipmentLength               int            `json:"equipment_length"`
		EquipmentHeight               string         `json:"equipment_height"`
		WeightInLbs                   int            `json:"weight_in_lbs"`
		PodFullOutAt                  string         `json:"pod_full_out_at"`
		EmptyTerminatedAt             string         `json:"empty_terminated_at"`
		TerminalCheckedAt             string         `json:"terminal_checked_at"`
		FeesAtPodTerminal             []naiveFee     `json:"fees_at_pod_terminal"`
		PickupLfd                     string         `json:"pickup_lfd"`
		PickupAppointmentAt           string         `json:"pickup_appointment_at"`
		PodFullOutChassisNumber       string         `json:"pod_full_out_chassis_number"`
		LocationAtPodTerminal         string         `json:"location_at_pod_terminal"`
		PodLastTrackingRequestAt      string         `json:"pod_last_tracking_request_at"`
		ShipmentLastTrackingRequestAt string         `json:"shipment_last_tracking_request_at"`
		AvailabilityKnown             bool           `json:"availability_known"`
		PodTimezone                   string         `json:"pod_timezone"`
		FinalDestinationTimezone      string         `json:"final_destination_timezone"`
		EmptyTerminatedTimezone       string         `json:"empty_terminated_timezone"`
		PodRailCarrierScac            string         `json:"pod_rail_carrier_scac"`
		IndRailCarrierScac            string         `json:"ind_rail_carrier_scac"`
		PodRailLoadedAt               string         `json:"pod_rail_loaded_at"`
		PodRailDepartedAt             string         `json:"pod_rail_departed_at"`
		IndEtaAt                      string         `json:"ind_eta_at"`
		IndAtaAt                      string         `json:"ind_ata_at"`
		IndRailUnloadedAt             string         `json:"ind_rail_unloaded_at"`
		IndFacilityLfdOn              string         `json:"ind_facility_lfd_on"`
		ImportDeadlines               naiveDeadlines `json:"import_deadlines"`
		CurrentStatus                 string         `json:"current_status"`
	}
	Relationships map[string]struct{ Data json.RawMessage }
}

type naiveHold struct {
	Name        string `json:"name"`
	Status      string `json:"status"`
	Description string `json:"description"`
}

type naiveFee struct {
	Type     string  `json:"type"`
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency_code"`
}

type naiveDeadlines struct {
	Terminal string `json:"pickup_lfd_terminal"`
	Rail     string `json:"pickup_lfd_rail"`
	Line     string `json:"pickup_lfd_line"`
}
