package naive

import "time"

// Structs for encoding/json as one would write them by hand, for benchmarks.
type (
	// Page is a page of shipments.
	Page struct {
		Data     []ShipmentObject `json:"data"`
		Included []IncludedObject `json:"included"`
		Meta     struct {
			Size  int `json:"size"`
			Total int `json:"total"`
		} `json:"meta"`
		Links Links `json:"links"`
	}
	// Links are the links of a document or resource.
	Links struct {
		Self string `json:"self"`
		Next string `json:"next"`
	}
	// Identifier is a resource identifier.
	Identifier struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	}
	// One is a to-one relationship.
	One struct {
		Data *Identifier `json:"data"`
	}
	// Many is a to-many relationship.
	Many struct {
		Data []Identifier `json:"data"`
	}
	// ShipmentObject is a shipment.
	ShipmentObject struct {
		ID         string `json:"id"`
		Type       string `json:"type"`
		Attributes struct {
			BillOfLadingNumber          string     `json:"bill_of_lading_number"`
			NormalizedNumber            string     `json:"normalized_number"`
			RefNumbers                  []string   `json:"ref_numbers"`
			Tags                        []string   `json:"tags"`
			CreatedAt                   time.Time  `json:"created_at"`
			PortOfLadingLocode          *string    `json:"port_of_lading_locode"`
			PortOfLadingName            *string    `json:"port_of_lading_name"`
			PortOfDischargeLocode       *string    `json:"port_of_discharge_locode"`
			PortOfDischargeName         *string    `json:"port_of_discharge_name"`
			DestinationLocode           *string    `json:"destination_locode"`
			DestinationName             *string    `json:"destination_name"`
			ShippingLineSCAC            string     `json:"shipping_line_scac"`
			ShippingLineName            string     `json:"shipping_line_name"`
			ShippingLineShortName       string     `json:"shipping_line_short_name"`
			CustomerName                *string    `json:"customer_name"`
			PODVesselName               *string    `json:"pod_vessel_name"`
			PODVesselIMO                *string    `json:"pod_vessel_imo"`
			PODVoyageNumber             *string    `json:"pod_voyage_number"`
			POLETD                      *time.Time `json:"pol_etd_at"`
			POLOriginalETD              *time.Time `json:"pol_original_etd_at"`
			POLATD                      *time.Time `json:"pol_atd_at"`
			PODETA                      *time.Time `json:"pod_eta_at"`
			PODOriginalETA              *time.Time `json:"pod_original_eta_at"`
			PODATA                      *time.Time `json:"pod_ata_at"`
			DestinationETA              *time.Time `json:"destination_eta_at"`
			DestinationATA              *time.Time `json:"destination_ata_at"`
			POLTimezone                 *string    `json:"pol_timezone"`
			PODTimezone                 *string    `json:"pod_timezone"`
			DestinationTimezone         *string    `json:"destination_timezone"`
			LineTrackingLastAttemptedAt *time.Time `json:"line_tracking_last_attempted_at"`
			LineTrackingLastSucceededAt *time.Time `json:"line_tracking_last_succeeded_at"`
			LineTrackingStoppedAt       *time.Time `json:"line_tracking_stopped_at"`
			LineTrackingStoppedReason   *string    `json:"line_tracking_stopped_reason"`
		} `json:"attributes"`
		Relationships struct {
			PortOfLading        One  `json:"port_of_lading"`
			PortOfDischarge     One  `json:"port_of_discharge"`
			PODTerminal         One  `json:"pod_terminal"`
			Destination         One  `json:"destination"`
			DestinationTerminal One  `json:"destination_terminal"`
			StoppedByUser       One  `json:"line_tracking_stopped_by_user"`
			Containers          Many `json:"containers"`
		} `json:"relationships"`
		Links Links `json:"links"`
	}
	// Hold is a hold of a container.
	Hold struct {
		Name        string  `json:"name"`
		Status      string  `json:"status"`
		Description *string `json:"description"`
	}
	// Fee is a fee of a container.
	Fee struct {
		Type         string  `json:"type"`
		Amount       float64 `json:"amount"`
		CurrencyCode string  `json:"currency_code"`
	}
	// IncludedObject has the attributes of containers, ports and terminals.
	IncludedObject struct {
		ID         string `json:"id"`
		Type       string `json:"type"`
		Attributes struct {
			Number                        string     `json:"number"`
			SealNumber                    *string    `json:"seal_number"`
			CreatedAt                     *time.Time `json:"created_at"`
			RefNumbers                    []string   `json:"ref_numbers"`
			PODArrivedAt                  *time.Time `json:"pod_arrived_at"`
			PODDischargedAt               *time.Time `json:"pod_discharged_at"`
			FinalDestinationFullOutAt     *time.Time `json:"final_destination_full_out_at"`
			Holds                         []Hold     `json:"holds_at_pod_terminal"`
			AvailableForPickup            *bool      `json:"available_for_pickup"`
			EquipmentType                 *string    `json:"equipment_type"`
			EquipmentLength               *int       `json:"equipment_length"`
			EquipmentHeight               *string    `json:"equipment_height"`
			WeightInLbs                   *float64   `json:"weight_in_lbs"`
			PODFullOutAt                  *time.Time `json:"pod_full_out_at"`
			EmptyTerminatedAt             *time.Time `json:"empty_terminated_at"`
			TerminalCheckedAt             *time.Time `json:"terminal_checked_at"`
			Fees                          []Fee      `json:"fees_at_pod_terminal"`
			PickupLFD                     *time.Time `json:"pickup_lfd"`
			PickupAppointmentAt           *time.Time `json:"pickup_appointment_at"`
			PODFullOutChassisNumber       *string    `json:"pod_full_out_chassis_number"`
			LocationAtPODTerminal         *string    `json:"location_at_pod_terminal"`
			PODLastTrackingRequestAt      *time.Time `json:"pod_last_tracking_request_at"`
			ShipmentLastTrackingRequestAt *time.Time `json:"shipment_last_tracking_request_at"`
			AvailabilityKnown             *bool      `json:"availability_known"`
			PODTimezone                   *string    `json:"pod_timezone"`
			FinalDestinationTimezone      *string    `json:"final_destination_timezone"`
			EmptyTerminatedTimezone       *string    `json:"empty_terminated_timezone"`
			PODRailCarrierSCAC            *string    `json:"pod_rail_carrier_scac"`
			INDRailCarrierSCAC            *string    `json:"ind_rail_carrier_scac"`
			PODRailLoadedAt               *time.Time `json:"pod_rail_loaded_at"`
			PODRailDepartedAt             *time.Time `json:"pod_rail_departed_at"`
			INDETAAt                      *time.Time `json:"ind_eta_at"`
			INDATAAt                      *time.Time `json:"ind_ata_at"`
			INDRailUnloadedAt             *time.Time `json:"ind_rail_unloaded_at"`
			INDFacilityLFDOn              *time.Time `json:"ind_facility_lfd_on"`
			ImportDeadlines               *struct {
				Terminal *time.Time `json:"pickup_lfd_terminal"`
				Rail     *time.Time `json:"pickup_lfd_rail"`
				Line     *time.Time `json:"pickup_lfd_line"`
			} `json:"import_deadlines"`
			CurrentStatus string  `json:"current_status"`
			Name          string  `json:"name"`
			Code          string  `json:"code"`
			StateAbbr     *string `json:"state_abbr"`
			City          *string `json:"city"`
			CountryCode   string  `json:"country_code"`
			Latitude      *string `json:"latitude"`
			Longitude     *string `json:"longitude"`
			TimeZone      string  `json:"time_zone"`
			Nickname      string  `json:"nickname"`
			FIRMSCode     string  `json:"firms_code"`
			SMDGCode      *string `json:"smdg_code"`
			BICCode       *string `json:"bic_facility_code"`
			Street        *string `json:"street"`
			Zip           *string `json:"zip"`
			Country       *string `json:"country"`
			FacilityType  *string `json:"facility_type"`
		} `json:"attributes"`
		Relationships struct {
			Shipment        One  `json:"shipment"`
			PickupFacility  One  `json:"pickup_facility"`
			PODTerminal     One  `json:"pod_terminal"`
			Port            One  `json:"port"`
			TransportEvents Many `json:"transport_events"`
			RawEvents       Many `json:"raw_events"`
		} `json:"relationships"`
		Links Links `json:"links"`
	}
)
