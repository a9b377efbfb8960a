package catalogue

// placeOperations lists the calls about parties, places, vessels, routes and
// search.
func placeOperations() []Operation {
	const get, post, patch = "GET", "POST", "PATCH"
	positions := []string{"show_positions[from_timestamp]", "show_positions[to_timestamp]"}
	return []Operation{
		{Name: "containers.map_geojson", Method: get, Path: "/containers/{id}/map_geojson"},

		{Name: "ports.get", Method: get, Path: "/ports/{id}", Resource: "port"},
		{Name: "metro_areas.get", Method: get, Path: "/metro_areas/{id}", Resource: "metro_area"},
		{Name: "terminals.get", Method: get, Path: "/terminals/{id}", Resource: "terminal"},
		{Name: "vessels.get", Method: get, Path: "/vessels/{id}", Resource: "vessel", Query: positions},
		{
			// The same route as vessels.get: the service tells an IMO number
			// from an id.
			Name: "vessels.get_by_imo", Method: get, Path: "/vessels/{imo}", Resource: "vessel", Query: positions,
		},
		{
			Name: "vessels.future_positions", Method: get, Path: "/vessels/{id}/future_positions", Resource: "vessel",
			Query: []string{"port_id", "previous_port_id"},
		},
		{
			Name: "vessels.future_positions_with_coordinates", Method: get,
			Path: "/vessels/{id}/future_positions_with_coordinates", Resource: "vessel",
			Query: []string{"port_id", "previous_port_id", "latitude", "longitude"},
		},

		{Name: "parties.list", Method: get, Path: "/parties", Resource: "party", Query: paged()},
		{Name: "parties.create", Method: post, Path: "/parties", Resource: "party", Body: []string{"company_name"}},
		{Name: "parties.get", Method: get, Path: "/parties/{id}", Resource: "party"},
		{Name: "parties.update", Method: patch, Path: "/parties/{id}", Resource: "party", Body: []string{"company_name"}},

		{Name: "search.query", Method: get, Path: "/search", Resource: "search_result", Query: []string{"query"}},
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
