package catalogue

// offeredOperations lists the calls that the library has.
func offeredOperations() []Operation {
	const get, post, patch = "GET", "POST", "PATCH"
	shipment := []string{
		"containers", "port_of_lading", "port_of_discharge", "pod_terminal",
		"destination", "destination_terminal",
	}
	container := []string{
		"shipment", "shipment.port_of_lading", "pod_terminal", "pickup_facility",
		"transport_events", "raw_events",
	}
	request := []string{"tracked_object", "customer"}
	return []Operation{
		{
			Name: "shipments.list", Method: get, Path: "/shipments", Resource: "shipment",
			Query: paged("include", "number", "q", "filter[tracking_stopped]", "filter[customer_id]"), Includes: shipment,
		},
		{
			Name: "shipments.get", Method: get, Path: "/shipments/{id}", Resource: "shipment",
			Query: []string{"include"}, Includes: shipment,
		},
		{
			Name: "shipments.update", Method: patch, Path: "/shipments/{id}", Resource: "shipment",
			Body: []string{"ref_numbers", "tags"},
		},
		{Name: "shipments.stop_tracking", Method: patch, Path: "/shipments/{id}/stop_tracking", Resource: "shipment"},
		{Name: "shipments.resume_tracking", Method: patch, Path: "/shipments/{id}/resume_tracking", Resource: "shipment"},

		{
			Name: "tracking_requests.create", Method: post, Path: "/tracking_requests", Resource: "tracking_request",
			Bucket: BucketCreate,
			Body: []string{
				"request_type", "request_number", "scac", "auto_detect_vocc_scac", "ref_numbers", "shipment_tags",
				"initial_custom_fields",
				"initial_custom_fields.shipment",
				"initial_custom_fields.shipment.api_slug",
				"initial_custom_fields.shipment.value",
				"initial_custom_fields.containers",
				"initial_custom_fields.containers.api_slug",
				"initial_custom_fields.containers.value",
				"initial_custom_fields.containers.number",
			},
		},
		{
			Name: "tracking_requests.list", Method: get, Path: "/tracking_requests", Resource: "tracking_request",
			Query: paged("include", "q", "filter[request_number]", "filter[request_type]", "filter[status]", "filter[scac]",
				"filter[created_at][start]", "filter[created_at][end]",
				"filter[updated_at][start]", "filter[updated_at][end]"),
			Includes: request,
		},
		{
			Name: "tracking_requests.get", Method: get, Path: "/tracking_requests/{id}", Resource: "tracking_request",
			Query: []string{"include"}, Includes: request,
		},
		{
			Name: "tracking_requests.update", Method: patch, Path: "/tracking_requests/{id}", Resource: "tracking_request",
			Body: []string{"ref_number"},
		},
		{
			// A pure read: it is sent by POST only because it carries a body.
			Name: "tracking_requests.infer", Method: post, Path: "/tracking_requests/infer_number",
			Resource: "infer_number_results", Bucket: BucketInfer, Retry: RetryRead,
			Body: []string{"number"},
		},

		{
			Name: "containers.list", Method: get, Path: "/containers", Resource: "container",
			Query: paged("include", "filter[number]", "filter[customer_id]", "filter[customer_name]"), Includes: container,
		},
		{
			Name: "containers.get", Method: get, Path: "/containers/{id}", Resource: "container",
			Query: []string{"include"}, Includes: container,
		},
		{
			Name: "containers.update", Method: patch, Path: "/containers", AltPath: "/containers/{id}", Resource: "container",
			Body: []string{"ref_numbers"},
		},
		{
			// Asking twice starts the same refresh, but each time costs one of
			// the few calls in its bucket.
			Name: "containers.refresh", Method: patch, Path: "/containers/{id}/refresh", Bucket: BucketRefresh,
		},
		{
			Name: "containers.transport_events", Method: get, Path: "/containers/{id}/transport_events",
			Resource: "transport_event", Query: []string{"include"},
			Includes: []string{"shipment", "container", "location", "terminal", "vessel"},
		},
		{Name: "containers.raw_events", Method: get, Path: "/containers/{id}/raw_events", Resource: "raw_event"},

		{Name: "shipping_lines.list", Method: get, Path: "/shipping_lines", Resource: "shipping_line"},
		{Name: "shipping_lines.get", Method: get, Path: "/shipping_lines/{id}", Resource: "shipping_line"},
	}
}

// paged puts the two paging parameters in front of others.
func paged(others ...string) []string {
	return append([]string{"page[number]", "page[size]"}, others...)
}
