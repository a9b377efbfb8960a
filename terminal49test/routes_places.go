package terminal49test

import "github.com/go-freight/terminal49/terminal49test/internal/service"

// placeRoutes are the operations on parties, places and vessels, the container map and the search.
func placeRoutes() []operation {
	party := &service.BodyRule{Kind: "party", Attributes: []string{"company_name"}}
	positions := []string{"show_positions[from_timestamp]", "show_positions[to_timestamp]"}
	leg := []string{"port_id", "previous_port_id"}
	return []operation{
		{service.Route{Op: "parties.list", Method: "GET", Path: "/parties", Bucket: "default",
			Query: []string{"page[number]", "page[size]", "query"}}, (*exchange).listParties},
		{service.Route{Op: "parties.create", Method: "POST", Path: "/parties", Bucket: "default", Body: party}, (*exchange).createParty},
		{service.Route{Op: "parties.get", Method: "GET", Path: "/parties/{id}", Bucket: "default"}, (*exchange).getParty},
		{service.Route{Op: "parties.update", Method: "PATCH", Path: "/parties/{id}", Bucket: "default", Body: party}, (*exchange).updateParty},

		{service.Route{Op: "ports.get", Method: "GET", Path: "/ports/{id}", Bucket: "default"}, (*exchange).getPort},
		{service.Route{Op: "metro_areas.get", Method: "GET", Path: "/metro_areas/{id}", Bucket: "default"}, (*exchange).getMetroArea},
		{service.Route{Op: "terminals.get", Method: "GET", Path: "/terminals/{id}", Bucket: "default"}, (*exchange).getTerminal},

		{service.Route{Op: "vessels.get_by_imo", Method: "GET", Path: "/vessels/{imo}", Bucket: "default", Query: positions}, (*exchange).getVessel},
		{service.Route{Op: "vessels.get", Method: "GET", Path: "/vessels/{id}", Bucket: "default", Query: positions}, (*exchange).getVessel},
		{service.Route{Op: "vessels.future_positions", Method: "GET", Path: "/vessels/{id}/future_positions", Bucket: "default",
			Query: leg}, (*exchange).futurePositions},
		{service.Route{Op: "vessels.future_positions_with_coordinates", Method: "GET",
			Path: "/vessels/{id}/future_positions_with_coordinates", Bucket: "default",
			Query: append([]string{"latitude", "longitude"}, leg...)}, (*exchange).futurePositionsFrom},
		{service.Route{Op: "containers.map_geojson", Method: "GET", Path: "/containers/{id}/map_geojson", Bucket: "default"}, (*exchange).getMap},

		{service.Route{Op: "me.get", Method: "GET", Path: "/me", Bucket: "default"}, recent((*exchange).getMe)},

		{service.Route{Op: "search.query", Method: "GET", Path: "/search", Bucket: "default", Query: []string{"query"}}, (*exchange).search},
	}
}
