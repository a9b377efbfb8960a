package operation

import "net/http"

// Shipments.
var (
	ShipmentsList = Operation{
		Name: "shipments.list", Method: http.MethodGet, Path: "/shipments", Resource: "shipment",
		Query: []string{
			"page[number]", "page[size]", "include", "number", "q", "filter[tracking_stopped]", "filter[customer_id]",
			"flag[parties]", "sort", "filter[q]", "filter[created_at]", "filter[pod_eta_changed_at]", "filter[pod_ata_at]",
			"filter[pod_arrival]", "filter[arriving_today]", "filter[actively_tracked]", "filter[voyage_status]",
			"filter[pol_code]", "filter[pod_code]", "filter[pod_terminal_id]", "filter[owner_id]", "filter[creator_id]",
			"filter[product]", "filter[party_id]", "filter[tags]", "filter[tags_and]",
			"filter[number]",
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
		Bucket:   BucketInfer, Retry: Read, Plain: true,
	}
)

// containerFilters are the filters of the list of containers and of its summary.
var containerFilters = []string{
	"filter[number]", "filter[customer_id]", "filter[customer_name]", "filter[current_status]",
	"filter[pod_terminal_id]", "filter[pol_code]", "filter[pod_code]",
	"filter[destination_code]", "filter[shipping_line_scac]", "filter[pol]", "filter[pod]", "filter[destination]",
	"filter[vessel_name]", "filter[has_holds]", "filter[hold_names]", "filter[has_fees]", "filter[has_fees_or_holds]",
	"filter[has_demurrage_fees]", "filter[requires_attention]", "filter[actively_tracked]",
	"filter[eta_changed_in_last_24h]", "filter[eta_changed_in_past_3_days]", "filter[search_by_ids]",
	"filter[search_by_number]", "filter[search_by_shipment_number]", "filter[search_by_shipment_ref_numbers]",
	"filter[search_by_ref_numbers]", "filter[search_by_owner_id]", "filter[created_at]", "filter[updated_at]",
	"filter[empty_out_at]", "filter[pol_full_in_at]", "filter[pol_vessel_loaded_at]",
	"filter[pol_vessel_departed_at]", "filter[pol_etd_at]", "filter[pol_atd_at]", "filter[arrival]",
	"filter[pod_arrived_at]", "filter[pod_discharged_at]", "filter[picked_up_at]", "filter[delivered_at]",
	"filter[empty_returned_at]", "filter[pod_rail_departed_at]", "filter[inland_destination_eta_at]",
	"filter[inland_destination_ata_at]", "filter[inland_destination_rail_unloaded_at]",
	"filter[final_destination_full_out_at]", "filter[pickup_lfd]", "filter[pickup_lfd_line_on]",
	"filter[pickup_lfd_terminal_on]", "filter[pickup_lfd_rail_on]", "filter[pickup_lfd_line_effective_on]",
	"filter[pickup_lfd_terminal_effective_on]", "filter[last_free_day_on]", "filter[tags]", "filter[tags_and]",
	"filter[parties]", "filter[custom_fields]",
}

// Containers.
var (
	ContainersList = Operation{
		Name: "containers.list", Method: http.MethodGet, Path: "/containers", Resource: "container",
		Query: append([]string{"page[number]", "page[size]", "include", "sort"}, containerFilters...),
		Includes: []string{
			"shipment", "shipment.port_of_lading", "pod_terminal", "pickup_facility", "transport_events",
			"raw_events",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	// Plain JSON, about the containers that the list has.
	ContainersSummary = Operation{
		Name: "containers.summary", Method: http.MethodGet, Path: "/containers/summary",
		Query:  append([]string{"group_by"}, containerFilters...),
		Bucket: BucketDefault, Retry: Read, Recent: true,
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
	// The id is in the body. The guides also use /containers/{id}; see Containers.Update.
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
