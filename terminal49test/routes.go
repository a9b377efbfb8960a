package terminal49test

import (
	"net/url"
	"slices"
	"strings"
)

// route is one operation of the service. An operation needs one row here and one method of
// exchange.
type route struct {
	op, method, path string
	bucket           string
	query            []string              // documented parameters, unescaped
	filters          map[string]filterKind // in addition, of the newer service; see filters.go
	body             *bodyRule
	handle           func(*exchange) reply
}

// bodyRule describes a request body.
type bodyRule struct {
	kind          string   // JSON:API type of data; "" for a plain JSON object
	attributes    []string // of data.attributes, or of the plain object
	relationships []string
	// stub accepts an empty body and {"data":{"type","id"}}, which the official TypeScript SDK
	// sends.
	stub bool
}

// routes returns all operations. The first row that matches a request applies. The list is
// independent of the client's, so that a mistake there does not repeat here.
func routes() []route {
	pages := []string{"page[number]", "page[size]"}
	with := func(names ...string) []string { return append(names, pages...) }
	include := []string{"include"}
	core := []route{
		{op: "shipments.list", method: "GET", path: "/shipments", bucket: "default", handle: (*exchange).listShipments,
			query: with("include", "number", "q", "sort", "flag[parties]"), filters: shipmentFilters()},
		{op: "shipments.get", method: "GET", path: "/shipments/{id}", bucket: "default",
			query: []string{"include", "flag[parties]"}, handle: (*exchange).getShipment},
		{op: "shipments.update", method: "PATCH", path: "/shipments/{id}", bucket: "default",
			body:   &bodyRule{kind: "shipment", attributes: []string{"ref_numbers", "tags"}},
			handle: (*exchange).updateShipment},
		{op: "shipments.stop_tracking", method: "PATCH", path: "/shipments/{id}/stop_tracking", bucket: "default",
			body: &bodyRule{kind: "shipment", stub: true}, handle: (*exchange).stopTracking},
		{op: "shipments.resume_tracking", method: "PATCH", path: "/shipments/{id}/resume_tracking", bucket: "default",
			body: &bodyRule{kind: "shipment", stub: true}, handle: (*exchange).resumeTracking},

		{op: "tracking_requests.create", method: "POST", path: "/tracking_requests", bucket: "create",
			body: &bodyRule{kind: "tracking_request", relationships: []string{"customer"}, attributes: []string{
				"request_type", "request_number", "scac", "auto_detect_vocc_scac", "ref_numbers", "shipment_tags",
				"initial_custom_fields"}},
			handle: (*exchange).createRequest},
		{op: "tracking_requests.infer", method: "POST", path: "/tracking_requests/infer_number", bucket: "infer",
			body: &bodyRule{attributes: []string{"number"}}, handle: (*exchange).inferNumber},
		{op: "tracking_requests.list", method: "GET", path: "/tracking_requests", bucket: "default",
			query: with("include", "q", "filter[request_number]", "filter[status]", "filter[scac]", "filter[request_type]",
				"filter[created_at][start]", "filter[created_at][end]",
				"filter[updated_at][start]", "filter[updated_at][end]"),
			handle: (*exchange).listRequests},
		{op: "tracking_requests.get", method: "GET", path: "/tracking_requests/{id}", bucket: "default", query: include,
			handle: (*exchange).getRequest},
		{op: "tracking_requests.update", method: "PATCH", path: "/tracking_requests/{id}", bucket: "default",
			body:   &bodyRule{kind: "tracking_request", attributes: []string{"ref_number"}},
			handle: (*exchange).updateRequest},

		{op: "containers.list", method: "GET", path: "/containers", bucket: "default", handle: (*exchange).listContainers,
			query: with("include", "sort"), filters: containerFilters()},
		{op: "containers.summary", method: "GET", path: "/containers/summary", bucket: "default",
			query: []string{"group_by"}, filters: containerFilters(), handle: (*exchange).summarizeContainers},
		{op: "containers.update", method: "PATCH", path: "/containers", bucket: "default",
			body:   &bodyRule{kind: "container", attributes: []string{"ref_numbers"}},
			handle: (*exchange).updateContainer},
		{op: "containers.update", method: "PATCH", path: "/containers/{id}", bucket: "default",
			body:   &bodyRule{kind: "container", attributes: []string{"ref_numbers"}},
			handle: (*exchange).updateContainer},
		{op: "containers.get", method: "GET", path: "/containers/{id}", bucket: "default", query: include,
			handle: (*exchange).getContainer},
		{op: "containers.refresh", method: "PATCH", path: "/containers/{id}/refresh", bucket: "refresh",
			handle: (*exchange).refreshContainer},
		{op: "containers.transport_events", method: "GET", path: "/containers/{id}/transport_events", bucket: "default",
			query: include, handle: (*exchange).listTransportEvents},
		{op: "containers.raw_events", method: "GET", path: "/containers/{id}/raw_events", bucket: "default",
			handle: (*exchange).listRawEvents},

		{op: "shipping_lines.list", method: "GET", path: "/shipping_lines", bucket: "default",
			handle: (*exchange).listLines},
		{op: "shipping_lines.get", method: "GET", path: "/shipping_lines/{id}", bucket: "default",
			handle: (*exchange).getLine},
	}
	return slices.Concat(core, customFieldRoutes(), partyRoleRoutes(), placeRoutes(), webhookRoutes(), documentRoutes())
}

// match finds the route of a request and the values of its path parameters. path is escaped and
// without the base path.
func (s *Server) match(method, path string) (*route, map[string]string) {
	got := strings.Split(path, "/")
	for i := range s.routes {
		r := &s.routes[i]
		want := strings.Split(r.path, "/")
		if r.method != method || len(want) != len(got) {
			continue
		}
		if args, ok := bind(want, got); ok {
			return r, args
		}
	}
	return nil, nil
}

func bind(want, got []string) (map[string]string, bool) {
	args := map[string]string{}
	for i, w := range want {
		if !strings.HasPrefix(w, "{") {
			if w != got[i] {
				return nil, false
			}
			continue
		}
		value, err := url.PathUnescape(got[i])
		if err != nil || value == "" || w == "{imo}" && strings.Trim(value, "0123456789") != "" {
			return nil, false
		}
		args[strings.Trim(w, "{}")] = value
	}
	return args, true
}
