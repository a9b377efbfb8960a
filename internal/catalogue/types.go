package catalogue

// cargoTypes lists all types but those of custom fields and documents.
func cargoTypes() []Type {
	return []Type{
		shipmentType(), containerType(), trackingRequestType(),
		transportEventType(), rawEventType(), inferType(),
		shippingLineType(), portType(), metroAreaType(), terminalType(), railTerminalType(), vesselType(),
		{Name: "party", Attributes: []string{"company_name", "nickname", "role_names"}},
		partyRoleType(), credentialType(),
		{Name: "account", Attributes: []string{
			"company_name", "company_type", "scac", "abbr_name", "city", "state_abbr", "country", "plan",
			"tracking_slots", "tracking_slots.limit", "tracking_slots.used", "tracking_slots.remaining",
		}},
		searchResultType(),
		webhookType(), webhookNotificationType(), webhookEventCategoryType(), estimatedEventType(),
		containerCreatedEventType(), containerUpdatedEventType(), containerPODTerminalChangedEventType(),
		{
			Name:          "user",
			Attributes:    []string{"email", "name", "role", "job_role", "job_title", "admin"},
			Relationships: []Relationship{toMany("accounts", "account")},
		},
	}
}

func partyRoleType() Type {
	return Type{
		Name:          "party_role",
		Attributes:    []string{"role", "roleable_type", "roleable_id", "created_at", "updated_at"},
		Relationships: []Relationship{toOne("party", "party")},
	}
}

// credentialType has features with a status each. Their names are those of catalogue.Enums.
func credentialType() Type {
	return Type{
		Name:          "credential",
		Attributes:    []string{"kind", "channel", "name", "features", "features.status"},
		Relationships: []Relationship{toOne("account", "account"), toOne("user", "user")},
	}
}

// withdrawnTypes lists the resource types of GET /containers/{id}/route. The service has withdrawn
// that operation: its document no longer has it, the service responds with an HTML 404, and
// containers.map_geojson has the same data. The library therefore omits it, and keeps an included
// resource of these types as one of an unknown type.
func withdrawnTypes() []string { return []string{"route", "route_location"} }

func toOne(name string, types ...string) Relationship {
	return Relationship{Name: name, Types: types}
}

func toMany(name, typ string) Relationship {
	return Relationship{Name: name, Types: []string{typ}, Many: true}
}

func shipmentType() Type {
	return Type{
		Name: "shipment",
		Attributes: []string{
			"bill_of_lading_number", "normalized_number", "ref_numbers", "tags", "created_at", "customer_name",
			"shipping_line_scac", "shipping_line_name", "shipping_line_short_name",
			"port_of_lading_locode", "port_of_lading_name",
			"port_of_discharge_locode", "port_of_discharge_name",
			"destination_locode", "destination_name",
			"pod_vessel_name", "pod_vessel_imo", "pod_voyage_number",
			"pol_etd_at", "pol_original_etd_at", "pol_atd_at", "pol_timezone",
			"pod_eta_at", "pod_original_eta_at", "pod_ata_at", "pod_timezone",
			"destination_eta_at", "destination_original_eta_at", "destination_ata_at", "destination_timezone",
			"line_tracking_last_attempted_at", "line_tracking_last_succeeded_at",
			"line_tracking_stopped_at", "line_tracking_stopped_reason",
		},
		Relationships: []Relationship{
			toOne("port_of_lading", "port"),
			toOne("port_of_discharge", "port"),
			toOne("destination", "port", "metro_area"),
			toOne("pod_terminal", "terminal"),
			toOne("destination_terminal", "terminal", "rail_terminal"),
			toOne("line_tracking_stopped_by_user", "user"),
			toMany("containers", "container"),
			toMany("party_roles", "party_role"),
		},
	}
}

func containerType() Type {
	return Type{
		Name: "container",
		Attributes: []string{
			"number", "ref_numbers", "seal_number", "created_at", "current_status",
			"equipment_type", "equipment_length", "equipment_height", "weight_in_lbs",

			"availability_known", "available_for_pickup", "location_at_pod_terminal",
			"pickup_lfd", "pickup_appointment_at",
			"import_deadlines",
			"import_deadlines.pickup_lfd_line",
			"import_deadlines.pickup_lfd_terminal",
			"import_deadlines.pickup_lfd_rail",
			"import_deadlines.pod",
			"import_deadlines.pod.line",
			"import_deadlines.pod.line.original",
			"import_deadlines.pod.line.current",
			"import_deadlines.pod.line.calculated",
			"import_deadlines.pod.line.manual",
			"import_deadlines.pod.facility",
			"import_deadlines.pod.facility.original",
			"import_deadlines.pod.facility.current",
			"import_deadlines.pod.facility.calculated",
			"import_deadlines.pod.facility.manual",
			"import_deadlines.pod.unified",
			"import_deadlines.pod.unified.original_value",
			"import_deadlines.pod.unified.original_selection",
			"import_deadlines.pod.unified.current_value",
			"import_deadlines.pod.unified.current_selection",
			"ssl_lfd", "ind_facility_lfd_on",
			"holds_at_pod_terminal",
			"holds_at_pod_terminal.name",
			"holds_at_pod_terminal.status",
			"holds_at_pod_terminal.description",
			"holds_at_pod_terminal.detail",
			"release_statuses",
			"fees_at_pod_terminal",
			"fees_at_pod_terminal.type",
			"fees_at_pod_terminal.amount",
			"fees_at_pod_terminal.currency_code",
			"ind_facility_holds", "ind_facility_fees",

			"empty_out_at", "pol_full_in_at", "pol_vessel_loaded_at", "pol_vessel_departed_at",
			"pod_arrived_at", "pod_discharged_at", "pod_full_out_at", "pod_full_out_chassis_number", "pod_timezone",
			"pod_rail_carrier_scac", "pod_rail_loaded_at", "pod_rail_departed_at",
			"ind_rail_carrier_scac", "ind_eta_at", "ind_ata_at", "ind_rail_unloaded_at",
			"inland_destination_eta_source_summary",
			"final_destination_full_out_at", "final_destination_timezone",
			"delivered_at", "empty_terminated_at", "empty_terminated_timezone",

			"terminal_checked_at", "pod_last_tracking_request_at",
			"shipment_last_tracking_request_at", "rail_last_tracking_request_at",
		},
		Relationships: []Relationship{
			toOne("shipment", "shipment"),
			toOne("pod_terminal", "terminal"),
			toOne("pickup_facility", "terminal"),
			toMany("transport_events", "transport_event"),
			toMany("raw_events", "raw_event"),
		},
	}
}

func trackingRequestType() Type {
	return Type{
		Name: "tracking_request",
		Attributes: []string{
			"request_number", "request_type", "scac", "status", "failed_reason", "is_retrying", "retry_count",
			"ref_numbers", "tags", "shipment_tags", "created_at", "updated_at",
		},
		Relationships: []Relationship{
			toOne("tracked_object", "shipment"),
			toOne("customer", "party", "account"),
			toOne("user", "user"),
		},
	}
}

func inferType() Type {
	return Type{
		Name: "infer_number_results",
		Attributes: []string{
			"number_type",
			"validation",
			"validation.is_valid",
			"validation.type",
			"validation.check_digit_passed",
			"validation.parsed_number",
			"validation.reason",
			"shipping_line",
			"shipping_line.decision",
			"shipping_line.selected",
			"shipping_line.selected.scac",
			"shipping_line.selected.name",
			"shipping_line.selected.confidence",
			"shipping_line.candidates",
			"shipping_line.candidates.scac",
			"shipping_line.candidates.name",
			"shipping_line.candidates.confidence",
		},
	}
}

func transportEventType() Type {
	return Type{
		Name: "transport_event",
		Attributes: []string{
			"event", "timestamp", "timezone", "value", "value_timestamp", "location_locode", "voyage_number",
			"data_source", "created_at", "invalidated_at",
		},
		Relationships: []Relationship{
			toOne("shipment", "shipment"),
			toOne("container", "container"),
			toOne("vessel", "vessel"),
			toOne("location", "port", "metro_area"),
			toOne("terminal", "terminal", "rail_terminal"),
			toOne("source_event", "raw_event"),
			toOne("previous_version", "transport_event"),
		},
	}
}

func rawEventType() Type {
	return Type{
		Name: "raw_event",
		Attributes: []string{
			"event", "original_event", "timestamp", "timezone", "estimated", "index",
			"actual_on", "estimated_on", "actual_at", "estimated_at", "will_occur_at", "invalidated_at", "created_at",
			"location_name", "location_locode", "vessel_name", "vessel_imo", "voyage_number",
			"data_source", "data_provider_name", "data_provider_code",
		},
		Relationships: []Relationship{
			toOne("location", "port", "metro_area"),
			toOne("vessel", "vessel"),
			toOne("container", "container"),
			toOne("terminal", "terminal"),
		},
	}
}
