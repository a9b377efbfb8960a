package operation

import "net/http"

// Definitions of custom fields.
var (
	CustomFieldDefinitionsList = Operation{
		Name: "custom_field_definitions.list", Method: http.MethodGet, Path: "/custom_field_definitions",
		Resource: "custom_field_definition",
		Bucket:   BucketDefault, Retry: Read,
	}
	CustomFieldDefinitionsCreate = Operation{
		Name: "custom_field_definitions.create", Method: http.MethodPost, Path: "/custom_field_definitions",
		Resource: "custom_field_definition",
		Bucket:   BucketDefault, Retry: Write,
	}
	CustomFieldDefinitionsGet = Operation{
		Name: "custom_field_definitions.get", Method: http.MethodGet, Path: "/custom_field_definitions/{id}",
		Resource: "custom_field_definition",
		Bucket:   BucketDefault, Retry: Read,
	}
	CustomFieldDefinitionsUpdate = Operation{
		Name: "custom_field_definitions.update", Method: http.MethodPatch, Path: "/custom_field_definitions/{id}",
		Resource: "custom_field_definition",
		Bucket:   BucketDefault, Retry: Idempotent,
	}
	CustomFieldDefinitionsDelete = Operation{
		Name: "custom_field_definitions.delete", Method: http.MethodDelete, Path: "/custom_field_definitions/{id}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
)

// Options of custom fields.
var (
	CustomFieldOptionsList = Operation{
		Name: "custom_field_options.list", Method: http.MethodGet,
		Path: "/custom_field_definitions/{definition_id}/options", Resource: "custom_field_option",
		Bucket: BucketDefault, Retry: Read,
	}
	CustomFieldOptionsCreate = Operation{
		Name: "custom_field_options.create", Method: http.MethodPost,
		Path: "/custom_field_definitions/{definition_id}/options", Resource: "custom_field_option",
		Bucket: BucketDefault, Retry: Write,
	}
	CustomFieldOptionsGet = Operation{
		Name: "custom_field_options.get", Method: http.MethodGet,
		Path:     "/custom_field_definitions/{definition_id}/options/{option_id}",
		Resource: "custom_field_option",
		Bucket:   BucketDefault, Retry: Read,
	}
	CustomFieldOptionsUpdate = Operation{
		Name: "custom_field_options.update", Method: http.MethodPatch,
		Path:     "/custom_field_definitions/{definition_id}/options/{option_id}",
		Resource: "custom_field_option",
		Bucket:   BucketDefault, Retry: Idempotent,
	}
	CustomFieldOptionsDelete = Operation{
		Name: "custom_field_options.delete", Method: http.MethodDelete,
		Path:   "/custom_field_definitions/{definition_id}/options/{option_id}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
)

// Custom fields across the account.
var (
	CustomFieldsList = Operation{
		Name: "custom_fields.list", Method: http.MethodGet, Path: "/custom_fields", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Read,
	}
	CustomFieldsCreate = Operation{
		Name: "custom_fields.create", Method: http.MethodPost, Path: "/custom_fields", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Write,
	}
	CustomFieldsGet = Operation{
		Name: "custom_fields.get", Method: http.MethodGet, Path: "/custom_fields/{id}", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Read,
	}
	CustomFieldsUpdate = Operation{
		Name: "custom_fields.update", Method: http.MethodPatch, Path: "/custom_fields/{id}",
		Resource: "custom_field",
		Bucket:   BucketDefault, Retry: Idempotent,
	}
	CustomFieldsDelete = Operation{
		Name: "custom_fields.delete", Method: http.MethodDelete, Path: "/custom_fields/{id}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
)

// Custom fields of one shipment, container or tracking request. Setting a value creates or replaces
// it, so a repetition leaves the same state although it is a POST.
var (
	ShipmentsCustomFieldsList = Operation{
		Name: "shipments.custom_fields.list", Method: http.MethodGet, Path: "/shipments/{shipment_id}/custom_fields",
		Resource: "custom_field",
		Bucket:   BucketDefault, Retry: Read,
	}
	ShipmentsCustomFieldsSet = Operation{
		Name: "shipments.custom_fields.set", Method: http.MethodPost, Path: "/shipments/{shipment_id}/custom_fields",
		Resource: "custom_field",
		Bucket:   BucketDefault, Retry: Idempotent,
	}
	ShipmentsCustomFieldsUpdate = Operation{
		Name: "shipments.custom_fields.update", Method: http.MethodPatch,
		Path: "/shipments/{shipment_id}/custom_fields/{api_slug}", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	ShipmentsCustomFieldsDelete = Operation{
		Name: "shipments.custom_fields.delete", Method: http.MethodDelete,
		Path:   "/shipments/{shipment_id}/custom_fields/{api_slug}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	ContainersCustomFieldsList = Operation{
		Name: "containers.custom_fields.list", Method: http.MethodGet,
		Path: "/containers/{container_id}/custom_fields", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Read,
	}
	ContainersCustomFieldsSet = Operation{
		Name: "containers.custom_fields.set", Method: http.MethodPost,
		Path: "/containers/{container_id}/custom_fields", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	ContainersCustomFieldsUpdate = Operation{
		Name: "containers.custom_fields.update", Method: http.MethodPatch,
		Path: "/containers/{container_id}/custom_fields/{api_slug}", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	ContainersCustomFieldsDelete = Operation{
		Name: "containers.custom_fields.delete", Method: http.MethodDelete,
		Path:   "/containers/{container_id}/custom_fields/{api_slug}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	TrackingRequestsCustomFieldsList = Operation{
		Name: "tracking_requests.custom_fields.list", Method: http.MethodGet,
		Path: "/tracking_requests/{tracking_request_id}/custom_fields", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Read,
	}
	TrackingRequestsCustomFieldsSet = Operation{
		Name: "tracking_requests.custom_fields.set", Method: http.MethodPost,
		Path: "/tracking_requests/{tracking_request_id}/custom_fields", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	TrackingRequestsCustomFieldsUpdate = Operation{
		Name: "tracking_requests.custom_fields.update", Method: http.MethodPatch,
		Path: "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}", Resource: "custom_field",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	TrackingRequestsCustomFieldsDelete = Operation{
		Name: "tracking_requests.custom_fields.delete", Method: http.MethodDelete,
		Path:   "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
)

// customFields returns the operations of custom fields.
func customFields() []Operation {
	return []Operation{
		CustomFieldDefinitionsList, CustomFieldDefinitionsCreate, CustomFieldDefinitionsGet,
		CustomFieldDefinitionsUpdate, CustomFieldDefinitionsDelete, CustomFieldOptionsList,
		CustomFieldOptionsCreate, CustomFieldOptionsGet, CustomFieldOptionsUpdate,
		CustomFieldOptionsDelete, CustomFieldsList, CustomFieldsCreate, CustomFieldsGet,
		CustomFieldsUpdate, CustomFieldsDelete, ShipmentsCustomFieldsList,
		ShipmentsCustomFieldsSet, ShipmentsCustomFieldsUpdate, ShipmentsCustomFieldsDelete,
		ContainersCustomFieldsList, ContainersCustomFieldsSet, ContainersCustomFieldsUpdate,
		ContainersCustomFieldsDelete, TrackingRequestsCustomFieldsList,
		TrackingRequestsCustomFieldsSet, TrackingRequestsCustomFieldsUpdate,
		TrackingRequestsCustomFieldsDelete,
	}
}
