package catalogue

func shippingLineType() Type {
	return Type{
		Name: "shipping_line",
		Attributes: []string{
			"scac", "name", "short_name", "alternative_scacs",
			"bill_of_lading_tracking_support", "booking_number_tracking_support", "container_number_tracking_support",
			"provided_data", "tracking_url", "contact_url",
		},
	}
}

func portType() Type {
	return Type{
		Name: "port",
		Attributes: []string{
			"id", "name", "code", "city", "state_abbr", "country_code", "time_zone", "latitude", "longitude",
		},
		Relationships: []Relationship{toMany("terminals", "terminal")},
	}
}

func metroAreaType() Type {
	return Type{
		Name: "metro_area",
		Attributes: []string{
			"id", "name", "code", "state_abbr", "country_code", "time_zone", "latitude", "longitude",
		},
	}
}

func terminalType() Type {
	return Type{
		Name: "terminal",
		Attributes: []string{
			"id", "name", "nickname", "firms_code", "smdg_code", "bic_facility_code", "facility_type",
			"street", "city", "state", "state_abbr", "zip", "country", "provided_data",
		},
		Relationships: []Relationship{toOne("port", "port")},
	}
}

func railTerminalType() Type {
	return Type{
		Name:       "rail_terminal",
		Attributes: []string{"id", "name", "nickname", "firms_code", "city"},
		Relationships: []Relationship{
			toOne("port", "port"),
			toOne("metro_area", "metro_area"),
		},
	}
}

func vesselType() Type {
	return Type{
		Name: "vessel",
		Attributes: []string{
			"name", "imo", "mmsi", "latitude", "longitude",
			"nautical_speed_knots", "navigational_heading_degrees", "position_timestamp",
			"positions",
			"positions.latitude",
			"positions.longitude",
			"positions.heading",
			"positions.timestamp",
			"positions.estimated",
		},
	}
}
func searchResultType() Type {
	return Type{
		Name: "search_result",
		Attributes: []string{
			"entity_type", "number", "shipment_id", "scac", "port_of_lading_name", "port_of_discharge_name",
			"containers_count", "tracking_stopped", "tracking_stopped_reason", "status", "failed_reason", "ref_numbers",
			"created_at", "updated_at",
		},
	}
}
