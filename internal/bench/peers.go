package main

import "encoding/json"

// The peers' types. They have the attributes of the two resources and no behaviour.

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
		Number                        string        `json:"number"`
		SealNumber                    string        `json:"seal_number"`
		CreatedAt                     string        `json:"created_at"`
		RefNumbers                    []string      `json:"ref_numbers"`
		PodArrivedAt                  string        `json:"pod_arrived_at"`
		PodDischargedAt               string        `json:"pod_discharged_at"`
		FinalDestinationFullOutAt     string        `json:"final_destination_full_out_at"`
		HoldsAtPodTerminal            []peerHold    `json:"holds_at_pod_terminal"`
		AvailableForPickup            bool          `json:"available_for_pickup"`
		EquipmentType                 string        `json:"equipment_type"`
		EquipmentLength               int           `json:"equipment_length"`
		EquipmentHeight               string        `json:"equipment_height"`
		WeightInLbs                   int           `json:"weight_in_lbs"`
		PodFullOutAt                  string        `json:"pod_full_out_at"`
		EmptyTerminatedAt             string        `json:"empty_terminated_at"`
		TerminalCheckedAt             string        `json:"terminal_checked_at"`
		FeesAtPodTerminal             []peerFee     `json:"fees_at_pod_terminal"`
		PickupLfd                     string        `json:"pickup_lfd"`
		PickupAppointmentAt           string        `json:"pickup_appointment_at"`
		PodFullOutChassisNumber       string        `json:"pod_full_out_chassis_number"`
		LocationAtPodTerminal         string        `json:"location_at_pod_terminal"`
		PodLastTrackingRequestAt      string        `json:"pod_last_tracking_request_at"`
		ShipmentLastTrackingRequestAt string        `json:"shipment_last_tracking_request_at"`
		AvailabilityKnown             bool          `json:"availability_known"`
		PodTimezone                   string        `json:"pod_timezone"`
		FinalDestinationTimezone      string        `json:"final_destination_timezone"`
		EmptyTerminatedTimezone       string        `json:"empty_terminated_timezone"`
		PodRailCarrierScac            string        `json:"pod_rail_carrier_scac"`
		IndRailCarrierScac            string        `json:"ind_rail_carrier_scac"`
		PodRailLoadedAt               string        `json:"pod_rail_loaded_at"`
		PodRailDepartedAt             string        `json:"pod_rail_departed_at"`
		IndEtaAt                      string        `json:"ind_eta_at"`
		IndAtaAt                      string        `json:"ind_ata_at"`
		IndRailUnloadedAt             string        `json:"ind_rail_unloaded_at"`
		IndFacilityLfdOn              string        `json:"ind_facility_lfd_on"`
		ImportDeadlines               peerDeadlines `json:"import_deadlines"`
		CurrentStatus                 string        `json:"current_status"`
	}
	Relationships map[string]struct{ Data json.RawMessage }
}

type peerShipment struct {
	ID                          string           `jsonapi:"primary,shipment"`
	CreatedAt                   string           `jsonapi:"attr,created_at"`
	RefNumbers                  []string         `jsonapi:"attr,ref_numbers"`
	Tags                        []string         `jsonapi:"attr,tags"`
	BillOfLadingNumber          string           `jsonapi:"attr,bill_of_lading_number"`
	NormalizedNumber            string           `jsonapi:"attr,normalized_number"`
	ShippingLineScac            string           `jsonapi:"attr,shipping_line_scac"`
	ShippingLineName            string           `jsonapi:"attr,shipping_line_name"`
	ShippingLineShortName       string           `jsonapi:"attr,shipping_line_short_name"`
	CustomerName                string           `jsonapi:"attr,customer_name"`
	PortOfLadingLocode          string           `jsonapi:"attr,port_of_lading_locode"`
	PortOfLadingName            string           `jsonapi:"attr,port_of_lading_name"`
	PortOfDischargeLocode       string           `jsonapi:"attr,port_of_discharge_locode"`
	PortOfDischargeName         string           `jsonapi:"attr,port_of_discharge_name"`
	PodVesselName               string           `jsonapi:"attr,pod_vessel_name"`
	PodVesselImo                string           `jsonapi:"attr,pod_vessel_imo"`
	PodVoyageNumber             string           `jsonapi:"attr,pod_voyage_number"`
	DestinationLocode           string           `jsonapi:"attr,destination_locode"`
	DestinationName             string           `jsonapi:"attr,destination_name"`
	DestinationTimezone         string           `jsonapi:"attr,destination_timezone"`
	DestinationAtaAt            string           `jsonapi:"attr,destination_ata_at"`
	DestinationEtaAt            string           `jsonapi:"attr,destination_eta_at"`
	PolEtdAt                    string           `jsonapi:"attr,pol_etd_at"`
	PolAtdAt                    string           `jsonapi:"attr,pol_atd_at"`
	PolOriginalEtdAt            string           `jsonapi:"attr,pol_original_etd_at"`
	PolTimezone                 string           `jsonapi:"attr,pol_timezone"`
	PodEtaAt                    string           `jsonapi:"attr,pod_eta_at"`
	PodOriginalEtaAt            string           `jsonapi:"attr,pod_original_eta_at"`
	PodAtaAt                    string           `jsonapi:"attr,pod_ata_at"`
	PodTimezone                 string           `jsonapi:"attr,pod_timezone"`
	LineTrackingLastAttemptedAt string           `jsonapi:"attr,line_tracking_last_attempted_at"`
	LineTrackingLastSucceededAt string           `jsonapi:"attr,line_tracking_last_succeeded_at"`
	LineTrackingStoppedAt       string           `jsonapi:"attr,line_tracking_stopped_at"`
	LineTrackingStoppedReason   string           `jsonapi:"attr,line_tracking_stopped_reason"`
	ContainersRelated           []*peerContainer `jsonapi:"relation,containers"`
	PodTerminalRelated          *peerTerminal    `jsonapi:"relation,pod_terminal"`
	PortOfDischargeRelated      *peerPort        `jsonapi:"relation,port_of_discharge"`
	PortOfLadingRelated         *peerPort        `jsonapi:"relation,port_of_lading"`
}

type peerContainer struct {
	ID                            string        `jsonapi:"primary,container"`
	Number                        string        `jsonapi:"attr,number"`
	SealNumber                    string        `jsonapi:"attr,seal_number"`
	CreatedAt                     string        `jsonapi:"attr,created_at"`
	RefNumbers                    []string      `jsonapi:"attr,ref_numbers"`
	PodArrivedAt                  string        `jsonapi:"attr,pod_arrived_at"`
	PodDischargedAt               string        `jsonapi:"attr,pod_discharged_at"`
	FinalDestinationFullOutAt     string        `jsonapi:"attr,final_destination_full_out_at"`
	HoldsAtPodTerminal            []peerHold    `jsonapi:"attr,holds_at_pod_terminal"`
	AvailableForPickup            bool          `jsonapi:"attr,available_for_pickup"`
	EquipmentType                 string        `jsonapi:"attr,equipment_type"`
	EquipmentLength               int           `jsonapi:"attr,equipment_length"`
	EquipmentHeight               string        `jsonapi:"attr,equipment_height"`
	WeightInLbs                   int           `jsonapi:"attr,weight_in_lbs"`
	PodFullOutAt                  string        `jsonapi:"attr,pod_full_out_at"`
	EmptyTerminatedAt             string        `jsonapi:"attr,empty_terminated_at"`
	TerminalCheckedAt             string        `jsonapi:"attr,terminal_checked_at"`
	FeesAtPodTerminal             []peerFee     `jsonapi:"attr,fees_at_pod_terminal"`
	PickupLfd                     string        `jsonapi:"attr,pickup_lfd"`
	PickupAppointmentAt           string        `jsonapi:"attr,pickup_appointment_at"`
	PodFullOutChassisNumber       string        `jsonapi:"attr,pod_full_out_chassis_number"`
	LocationAtPodTerminal         string        `jsonapi:"attr,location_at_pod_terminal"`
	PodLastTrackingRequestAt      string        `jsonapi:"attr,pod_last_tracking_request_at"`
	ShipmentLastTrackingRequestAt string        `jsonapi:"attr,shipment_last_tracking_request_at"`
	AvailabilityKnown             bool          `jsonapi:"attr,availability_known"`
	PodTimezone                   string        `jsonapi:"attr,pod_timezone"`
	FinalDestinationTimezone      string        `jsonapi:"attr,final_destination_timezone"`
	EmptyTerminatedTimezone       string        `jsonapi:"attr,empty_terminated_timezone"`
	PodRailCarrierScac            string        `jsonapi:"attr,pod_rail_carrier_scac"`
	IndRailCarrierScac            string        `jsonapi:"attr,ind_rail_carrier_scac"`
	PodRailLoadedAt               string        `jsonapi:"attr,pod_rail_loaded_at"`
	PodRailDepartedAt             string        `jsonapi:"attr,pod_rail_departed_at"`
	IndEtaAt                      string        `jsonapi:"attr,ind_eta_at"`
	IndAtaAt                      string        `jsonapi:"attr,ind_ata_at"`
	IndRailUnloadedAt             string        `jsonapi:"attr,ind_rail_unloaded_at"`
	IndFacilityLfdOn              string        `jsonapi:"attr,ind_facility_lfd_on"`
	ImportDeadlines               peerDeadlines `jsonapi:"attr,import_deadlines"`
	CurrentStatus                 string        `jsonapi:"attr,current_status"`
	PodTerminalRelated            *peerTerminal `jsonapi:"relation,pod_terminal"`
	RawEventsRelated              []*peerRawRef `jsonapi:"relation,raw_events"`
	ShipmentRelated               *peerShipment `jsonapi:"relation,shipment"`
	TransportEventsRelated        []*peerRef    `jsonapi:"relation,transport_events"`
}

type peerPort struct {
	ID   string `jsonapi:"primary,port"`
	Name string `jsonapi:"attr,name"`
	Code string `jsonapi:"attr,code"`
	City string `jsonapi:"attr,city"`
}

type peerTerminal struct {
	ID    string    `jsonapi:"primary,terminal"`
	Name  string    `jsonapi:"attr,name"`
	FIRMS string    `jsonapi:"attr,firms_code"`
	Port  *peerPort `jsonapi:"relation,port"`
}

type peerRef struct {
	ID string `jsonapi:"primary,transport_event"`
}

type peerRawRef struct {
	ID string `jsonapi:"primary,raw_event"`
}

type peerHold struct {
	Name        string `json:"name" jsonapi:"attr,name"`
	Status      string `json:"status" jsonapi:"attr,status"`
	Description string `json:"description" jsonapi:"attr,description"`
}

type peerFee struct {
	Type     string  `json:"type" jsonapi:"attr,type"`
	Amount   float64 `json:"amount" jsonapi:"attr,amount"`
	Currency string  `json:"currency_code" jsonapi:"attr,currency_code"`
}

type peerDeadlines struct {
	Terminal string `json:"pickup_lfd_terminal" jsonapi:"attr,pickup_lfd_terminal"`
	Rail     string `json:"pickup_lfd_rail" jsonapi:"attr,pickup_lfd_rail"`
	Line     string `json:"pickup_lfd_line" jsonapi:"attr,pickup_lfd_line"`
}
