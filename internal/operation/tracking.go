package operation

import "net/http"

// Shipments.
var (
	ShipmentsList = Operation{
		Name: "shipments.list", Method: http.MethodGet, Path: "/shipments", Resource: "shipment",
		Includes: []string{
			"containers", "port_of_lading", "port_of_discharge", "pod_terminal", "destination",
			"destination_terminal", "party_roles.party",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	ShipmentsGet = Operation{
		Name: "shipments.get", Method: http.MethodGet, Path: "/shipments/{id}", Resource: "shipment",
		Includes: []string{
			"containers", "port_of_lading", "port_of_discharge", "pod_terminal", "destination",
			"destination_terminal", "party_roles.party",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	ShipmentsUpdate = Operation{
		Name: "shipments.update", Method: http.MethodPatch, Path: "/shipments/{id}", Resource: "shipment",
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
		Bucket:   BucketCreate, Retry: Write,
	}
	TrackingRequestsList = Operation{
		Name: "tracking_requests.list", Method: http.MethodGet, Path: "/tracking_requests",
		Resource: "tracking_request",
		Includes: []string{"tracked_object", "customer"},
		Bucket:   BucketDefault, Retry: Read,
	}
	TrackingRequestsGet = Operation{
		Name: "tracking_requests.get", Method: http.MethodGet, Path: "/tracking_requests/{id}",
		Resource: "tracking_request",
		Includes: []string{"tracked_object", "customer"},
		Bucket:   BucketDefault, Retry: Read,
	}
	TrackingRequestsUpdate = Operation{
		Name: "tracking_requests.update", Method: http.MethodPatch, Path: "/tracking_requests/{id}",
		Resource: "tracking_request",
		Bucket:   BucketDefault, Retry: Idempotent,
	}
	// A pure read, which is a POST only because it has a body.
	TrackingRequestsInfer = Operation{
		Name: "tracking_requests.infer", Method: http.MethodPost, Path: "/tracking_requests/infer_number",
		Resource: "infer_number_results",
		Bucket:   BucketInfer, Retry: Read, Plain: true,
	}
)

// Containers.
var (
	ContainersList = Operation{
		Name: "containers.list", Method: http.MethodGet, Path: "/containers", Resource: "container",
		Includes: []string{
			"shipment", "shipment.port_of_lading", "pod_terminal", "pickup_facility", "transport_events",
			"raw_events",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	// Plain JSON, about the containers that the list has.
	ContainersSummary = Operation{
		Name: "containers.summary", Method: http.MethodGet, Path: "/containers/summary",
		Bucket: BucketDefault, Retry: Read, Recent: true,
	}
	ContainersGet = Operation{
		Name: "containers.get", Method: http.MethodGet, Path: "/containers/{id}", Resource: "container",
		Includes: []string{
			"shipment", "shipment.port_of_lading", "pod_terminal", "pickup_facility", "transport_events",
			"raw_events",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	// The id is in the body. The guides also use /containers/{id}; see Containers.Update.
	ContainersUpdate = Operation{
		Name: "containers.update", Method: http.MethodPatch, Path: "/containers", Resource: "container",
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

// tracking returns the operations of shipments, tracking requests, containers and shipping lines.
func tracking() []Operation {
	return []Operation{
		ShipmentsList, ShipmentsGet, ShipmentsUpdate, ShipmentsStopTracking,
		ShipmentsResumeTracking, TrackingRequestsCreate, TrackingRequestsList,
		TrackingRequestsGet, TrackingRequestsUpdate, TrackingRequestsInfer, ContainersList,
		ContainersSummary, ContainersGet, ContainersUpdate, ContainersRefresh,
		ContainersTransportEvents, ContainersRawEvents, ShippingLinesList, ShippingLinesGet,
		ContainersMapGeoJSON,
	}
}
