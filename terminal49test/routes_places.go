package terminal49test

// placeRoutes are the operations on parties, places and vessels, the container map and the search.
func placeRoutes() []route {
	party := &bodyRule{kind: "party", attributes: []string{"company_name"}}
	positions := []string{"show_positions[from_timestamp]", "show_positions[to_timestamp]"}
	leg := []string{"port_id", "previous_port_id"}
	return []route{
		{op: "parties.list", method: "GET", path: "/parties", bucket: "default",
			query: []string{"page[number]", "page[size]", "query"}, handle: (*exchange).listParties},
		{op: "parties.create", method: "POST", path: "/parties", bucket: "default", body: party,
			handle: (*exchange).createParty},
		{op: "parties.get", method: "GET", path: "/parties/{id}", bucket: "default", handle: (*exchange).getParty},
		{op: "parties.update", method: "PATCH", path: "/parties/{id}", bucket: "default", body: party,
			handle: (*exchange).updateParty},

		{op: "ports.get", method: "GET", path: "/ports/{id}", bucket: "default", handle: (*exchange).getPort},
		{op: "metro_areas.get", method: "GET", path: "/metro_areas/{id}", bucket: "default",
			handle: (*exchange).getMetroArea},
		{op: "terminals.get", method: "GET", path: "/terminals/{id}", bucket: "default",
			handle: (*exchange).getTerminal},

		{op: "vessels.get_by_imo", method: "GET", path: "/vessels/{imo}", bucket: "default", query: positions,
			handle: (*exchange).getVessel},
		{op: "vessels.get", method: "GET", path: "/vessels/{id}", bucket: "default", query: positions,
			handle: (*exchange).getVessel},
		{op: "vessels.future_positions", method: "GET", path: "/vessels/{id}/future_positions", bucket: "default",
			query: leg, handle: (*exchange).futurePositions},
		{op: "vessels.future_positions_with_coordinates", method: "GET",
			path: "/vessels/{id}/future_positions_with_coordinates", bucket: "default",
			query: append([]string{"latitude", "longitude"}, leg...), handle: (*exchange).futurePositionsFrom},
		{op: "containers.map_geojson", method: "GET", path: "/containers/{id}/map_geojson", bucket: "default",
			handle: (*exchange).getMap},

		{op: "me.get", method: "GET", path: "/me", bucket: "default", handle: recent((*exchange).getMe)},

		{op: "search.query", method: "GET", path: "/search", bucket: "default", query: []string{"query"},
			handle: (*exchange).search},
	}
}
