package operation

import "net/http"

// Shipments.
var (
	ShipmentsList = Operation{
		Name: "shipments.list", Method: http.MethodGet, Path: "/shipments", Resource: "shipment",
		Query: []string{
			"page[number]", "page[size]", "include", "number", "q", "filter[tracking_stopped]", "filter[customer_id]",
			"flag[parties]",
		},
		Includes: []string{
			"containers", "port_of_lading", "port_of_discharge", "pod_terminal", "destination",
			"destination_terminal", "party_roles.party",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	ShipmentsGet = Operation{
		Name: "shipments.get", Method: http.MethodGet, Path: "/shipments/{id}", Resource: "shipment",
		Query: []string{"include", "flag[parties]"},
		Includes: []string{
			"containers", "port_of_lading", "port_of_discharge", "pod_terminal", "destination",
			"destination_terminal", "party_roles.party",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	ShipmentsUpdate = Operation{
		Name: "shipments.update", Method: http.MethodPatch, Path: "/shipments/{id}", Resource: "shipment",
		Body:   []string{"ref_numbers", "tags"},
		Bucket: BucketDefault, Retry: Idempotent,
	}
	ShipmentsStopTracking = Operation{
		Name: "shipments.stop_tracking", Method: http.MethodPatch, Path: "/shipments/{id}/stop_tracking",
		Resource: "shipment",
		Bucket:   BucketDefault, Retry: Idempotent,
	}
	ShipmentsResumeTracking = Operation{
		Name: "shipments.resume_tracking", Method: http.MethodPatch, Path: "/shipments/{id}/resume_tracking",
		Resource: "shipment",
		Bucket:   BucketDefault, Retry: Idempotent,
	}
)

// Tracking requests.
var (
	TrackingRequestsCreate = Operation{
		Name: "tracking_requests.create", Method: http.MethodPost, Path: "/tracking_requests",
		Resource: "tracking_request",
		Body: []string{
			"request_type", "request_number", "scac", "auto_detect_vocc_scac", "ref_numbers", "shipment_tags",
			"initial_custom_fields", "initial_custom_fields.shipment", "initial_custom_fields.shipment.api_slug",
			"initial_custom_fields.shipment.value", "initial_custom_fields.containers",
			"initial_custom_fields.containers.api_slug", "initial_custom_fields.containers.value",
			"initial_custom_fields.containers.number",
		},
		Bucket: BucketCreate, Retry: Write,
	}
	TrackingRequestsList = Operation{
		Name: "tracking_requests.list", Method: http.MethodGet, Path: "/tracking_requests",
		Resource: "tracking_request",
		Query: []string{
			"page[number]", "page[size]", "include", "q", "filter[request_number]", "filter[request_type]",
			"filter[status]", "filter[scac]", "filter[created_at][start]", "filter[created_at][end]",
			"filter[updated_at][start]", "filter[updated_at][end]",
		},
		Includes: []string{"tracked_object", "customer"},
		Bucket:   BucketDefault, Retry: Read,
	}
	TrackingRequestsGet = Operation{
		Name: "tracking_requests.get", Method: http.MethodGet, Path: "/tracking_requests/{id}",
		Resource: "tracking_request",
		Query:    []string{"include"},
		Includes: []string{"tracked_object", "customer"},
		Bucket:   BucketDefault, Retry: Read,
	}
	TrackingRequestsUpdate = Operation{
		Name: "tracking_requests.update", Method: http.MethodPatch, Path: "/tracking_requests/{id}",
		Resource: "tracking_request",
		Body:     []string{"ref_number"},
		Bucket:   BucketDefault, Retry: Idempotent,
	}
	// A pure read, which is a POST only because it has a body.
	TrackingRequestsInfer = Operation{
		Name: "tracking_requests.infer", Method: http.MethodPost, Path: "/tracking_requests/infer_number",
		Resource: "infer_number_results",
		Body:     []string{"number"},
		Bucket:   BucketInfer, Retry: Read,
	}
)

// Containers.
var (
	ContainersList = Operation{
		Name: "containers.list", Method: http.MethodGet, Path: "/containers", Resource: "container",
		Query: []string{
			"page[number]", "page[size]", "include", "filter[number]", "filter[customer_id]", "filter[customer_name]",
		},
		Includes: []string{
			"shipment", "shipment.port_of_lading", "pod_terminal", "pickup_facility", "transport_events",
			"raw_events",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	ContainersGet = Operation{
		Name: "containers.get", Method: http.MethodGet, Path: "/containers/{id}", Resource: "container",
		Query: []string{"include"},
		Includes: []string{
			"shipment", "shipment.port_of_lading", "pod_terminal", "pickup_facility", "transport_events",
			"raw_events",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	// The id is in the body. The guides also use /containers/{id}; see WithIDInPath.
	ContainersUpdate = Operation{
		Name: "containers.update", Method: http.MethodPatch, Path: "/containers", Resource: "container",
		Body:   []string{"ref_numbers"},
		Bucket: BucketDefault, Retry: Idempotent,
	}
	// A repetition requests the same refresh, but each request uses one of the few slots of the
	// bucket.
	ContainersRefresh = Operation{
		Name: "containers.refresh", Method: http.MethodPatch, Path: "/containers/{id}/refresh",
		Bucket: BucketRefresh, Retry: Idempotent,
	}
	ContainersTransportEvents = Operation{
		Name: "containers.transport_events", Method: http.MethodGet, Path: "/containers/{id}/transport_events",
		Resource: "transport_event",
		Query:    []string{"include"},
		Includes: []string{"shipment", "container", "location", "terminal", "vessel"},
		Bucket:   BucketDefault, Retry: Read,
	}
	ContainersRawEvents = Operation{
		Name: "containers.raw_events", Method: http.MethodGet, Path: "/containers/{id}/raw_events",
		Resource: "raw_event",
		Bucket:   BucketDefault, Retry: Read,
	}
	ContainersMapGeoJSON = Operation{
		Name: "containers.map_geojson", Method: http.MethodGet, Path: "/containers/{id}/map_geojson",
		Bucket: BucketDefault, Retry: Read,
	}
)

// Shipping lines.
var (
	ShippingLinesList = Operation{
		Name: "shipping_lines.list", Method: http.MethodGet, Path: "/shipping_lines", Resource: "shipping_line",
		Bucket: BucketDefault, Retry: Read,
	}
	ShippingLinesGet = Operation{
		Name: "shipping_lines.get", Method: http.MethodGet, Path: "/shipping_lines/{id}", Resource: "shipping_line",
		Bucket: BucketDefault, Retry: Read,
	}
)
