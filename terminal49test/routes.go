package terminal49test

import (
	"slices"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
)

// operation is one operation of the service: its route, and a method of exchange that carries it
// out.
type operation struct {
	service.Route
	handle func(*exchange) service.Reply
}

// routes returns all operations. The first row that matches a request applies. The list is
// independent of the client's, so that a mistake there does not repeat here.
func routes() []operation {
	pages := []string{"page[number]", "page[size]"}
	with := func(names ...string) []string { return append(names, pages...) }
	include := []string{"include"}
	core := []operation{
		{service.Route{Op: "shipments.list", Method: "GET", Path: "/shipments", Bucket: "default",
			Query: with("include", "number", "q", "sort", "flag[parties]"), Filters: filtersOf(shipmentKeys)}, (*exchange).listShipments},
		{service.Route{Op: "shipments.get", Method: "GET", Path: "/shipments/{id}", Bucket: "default",
			Query: []string{"include", "flag[parties]"}}, (*exchange).getShipment},
		{service.Route{Op: "shipments.update", Method: "PATCH", Path: "/shipments/{id}", Bucket: "default",
			Body: &service.BodyRule{Kind: "shipment", Attributes: []string{"ref_numbers", "tags"}}}, (*exchange).updateShipment},
		{service.Route{Op: "shipments.stop_tracking", Method: "PATCH", Path: "/shipments/{id}/stop_tracking", Bucket: "default",
			Body: &service.BodyRule{Kind: "shipment", Stub: true}}, (*exchange).stopTracking},
		{service.Route{Op: "shipments.resume_tracking", Method: "PATCH", Path: "/shipments/{id}/resume_tracking", Bucket: "default",
			Body: &service.BodyRule{Kind: "shipment", Stub: true}}, (*exchange).resumeTracking},

		{service.Route{Op: "tracking_requests.create", Method: "POST", Path: "/tracking_requests", Bucket: "create",
			Body: &service.BodyRule{Kind: "tracking_request", Relationships: []string{"customer"}, Attributes: []string{
				"request_type", "request_number", "scac", "auto_detect_vocc_scac", "ref_numbers", "shipment_tags",
				"initial_custom_fields"}}}, (*exchange).createRequest},
		{service.Route{Op: "tracking_requests.infer", Method: "POST", Path: "/tracking_requests/infer_number", Bucket: "infer",
			Body: &service.BodyRule{Attributes: []string{"number"}}}, (*exchange).inferNumber},
		{service.Route{Op: "tracking_requests.list", Method: "GET", Path: "/tracking_requests", Bucket: "default",
			Query: with("include", "q", "filter[request_number]", "filter[status]", "filter[scac]", "filter[request_type]",
				"filter[created_at][start]", "filter[created_at][end]",
				"filter[updated_at][start]", "filter[updated_at][end]")}, (*exchange).listRequests},
		{service.Route{Op: "tracking_requests.get", Method: "GET", Path: "/tracking_requests/{id}", Bucket: "default", Query: include}, (*exchange).getRequest},
		{service.Route{Op: "tracking_requests.update", Method: "PATCH", Path: "/tracking_requests/{id}", Bucket: "default",
			Body: &service.BodyRule{Kind: "tracking_request", Attributes: []string{"ref_number"}}}, (*exchange).updateRequest},

		{service.Route{Op: "containers.list", Method: "GET", Path: "/containers", Bucket: "default",
			Query: with("include", "sort"), Filters: filtersOf(containerKeys)}, (*exchange).listContainers},
		{service.Route{Op: "containers.summary", Method: "GET", Path: "/containers/summary", Bucket: "default",
			Query: []string{"group_by"}, Filters: filtersOf(containerKeys)}, (*exchange).summarizeContainers},
		{service.Route{Op: "containers.update", Method: "PATCH", Path: "/containers", Bucket: "default",
			Body: &service.BodyRule{Kind: "container", Attributes: []string{"ref_numbers"}}}, (*exchange).updateContainer},
		{service.Route{Op: "containers.update", Method: "PATCH", Path: "/containers/{id}", Bucket: "default",
			Body: &service.BodyRule{Kind: "container", Attributes: []string{"ref_numbers"}}}, (*exchange).updateContainer},
		{service.Route{Op: "containers.get", Method: "GET", Path: "/containers/{id}", Bucket: "default", Query: include}, (*exchange).getContainer},
		{service.Route{Op: "containers.refresh", Method: "PATCH", Path: "/containers/{id}/refresh", Bucket: "refresh"}, (*exchange).refreshContainer},
		{service.Route{Op: "containers.transport_events", Method: "GET", Path: "/containers/{id}/transport_events", Bucket: "default",
			Query: include}, (*exchange).listTransportEvents},
		{service.Route{Op: "containers.raw_events", Method: "GET", Path: "/containers/{id}/raw_events", Bucket: "default"}, (*exchange).listRawEvents},

		{service.Route{Op: "shipping_lines.list", Method: "GET", Path: "/shipping_lines", Bucket: "default"}, (*exchange).listLines},
		{service.Route{Op: "shipping_lines.get", Method: "GET", Path: "/shipping_lines/{id}", Bucket: "default"}, (*exchange).getLine},
	}
	return slices.Concat(core, customFieldRoutes(), partyRoleRoutes(), placeRoutes(), webhookRoutes(), documentRoutes())
}

// match finds the operation of a request and the values of its path parameters. path is escaped and
// without the base path.
func (s *Server) match(method, path string) (*operation, map[string]string) {
	for i := range s.routes {
		if args, ok := s.routes[i].Match(method, path); ok {
			return &s.routes[i], args
		}
	}
	return nil, nil
}
