package catalogue

// laterOperations lists the calls that the library does not have yet.
func laterOperations() []Operation {
	const get, post, patch, del = "GET", "POST", "PATCH", "DELETE"
	document := []string{
		"shipments", "cargos", "account", "user", "email_submission",
		"last_document_representation", "current_extraction",
	}
	email := []string{"account", "user", "documents", "documents.last_document_representation"}
	positions := []string{"show_positions[from_timestamp]", "show_positions[to_timestamp]"}
	return []Operation{
		{Name: "containers.map_geojson", Method: get, Path: "/containers/{id}/map_geojson"},

		{Name: "ports.get", Method: get, Path: "/ports/{id}", Resource: "port"},
		{Name: "metro_areas.get", Method: get, Path: "/metro_areas/{id}", Resource: "metro_area"},
		{Name: "terminals.get", Method: get, Path: "/terminals/{id}", Resource: "terminal"},
		{
			Name: "vessels.get", Method: get, Path: "/vessels/{id}", Resource: "vessel",
			Query: positions,
		},
		{
			Name: "vessels.get_by_imo", Method: get, Path: "/vessels/{imo}", Resource: "vessel",
			Query: positions,
		},
		{
			Name: "vessels.future_positions", Method: get, Path: "/vessels/{id}/future_positions", Resource: "vessel",
			Query: []string{"port_id", "previous_port_id"},
		},
		{
			Name: "vessels.future_positions_with_coordinates", Method: get, Path: "/vessels/{id}/future_positions_with_coordinates", Resource: "vessel",
			Query: []string{"port_id", "previous_port_id", "latitude", "longitude"},
		},

		{
			Name: "parties.list", Method: get, Path: "/parties", Resource: "party",
			Query: paged(),
		},
		{Name: "parties.create", Method: post, Path: "/parties", Resource: "party"},
		{Name: "parties.get", Method: get, Path: "/parties/{id}", Resource: "party"},
		{Name: "parties.update", Method: patch, Path: "/parties/{id}", Resource: "party"},

		{
			Name: "custom_field_definitions.list", Method: get, Path: "/custom_field_definitions", Resource: "custom_field_definition",
			Query: paged("filter[entity_type]", "filter[data_type]", "filter[display_name]"),
		},
		{Name: "custom_field_definitions.create", Method: post, Path: "/custom_field_definitions", Resource: "custom_field_definition"},
		{Name: "custom_field_definitions.get", Method: get, Path: "/custom_field_definitions/{id}", Resource: "custom_field_definition"},
		{Name: "custom_field_definitions.update", Method: patch, Path: "/custom_field_definitions/{id}", Resource: "custom_field_definition"},
		{Name: "custom_field_definitions.delete", Method: del, Path: "/custom_field_definitions/{id}"},

		{Name: "custom_field_options.list", Method: get, Path: "/custom_field_definitions/{definition_id}/options", Resource: "custom_field_option"},
		{Name: "custom_field_options.create", Method: post, Path: "/custom_field_definitions/{definition_id}/options", Resource: "custom_field_option"},
		{Name: "custom_field_options.get", Method: get, Path: "/custom_field_definitions/{definition_id}/options/{option_id}", Resource: "custom_field_option"},
		{Name: "custom_field_options.update", Method: patch, Path: "/custom_field_definitions/{definition_id}/options/{option_id}", Resource: "custom_field_option"},
		{Name: "custom_field_options.delete", Method: del, Path: "/custom_field_definitions/{definition_id}/options/{option_id}"},

		{
			Name: "custom_fields.list", Method: get, Path: "/custom_fields", Resource: "custom_field",
			Query: paged("filter[entity_type]", "filter[entity_id]", "filter[definition_id]"),
		},
		{Name: "custom_fields.create", Method: post, Path: "/custom_fields", Resource: "custom_field"},
		{Name: "custom_fields.get", Method: get, Path: "/custom_fields/{id}", Resource: "custom_field"},
		{Name: "custom_fields.update", Method: patch, Path: "/custom_fields/{id}", Resource: "custom_field"},
		{Name: "custom_fields.delete", Method: del, Path: "/custom_fields/{id}"},

		// Setting a value through its owner creates or replaces it.
		{Name: "shipments.custom_fields.list", Method: get, Path: "/shipments/{shipment_id}/custom_fields", Resource: "custom_field"},
		{Name: "shipments.custom_fields.set", Method: post, Path: "/shipments/{shipment_id}/custom_fields", Resource: "custom_field"},
		{Name: "shipments.custom_fields.update", Method: patch, Path: "/shipments/{shipment_id}/custom_fields/{api_slug}", Resource: "custom_field"},
		{Name: "shipments.custom_fields.delete", Method: del, Path: "/shipments/{shipment_id}/custom_fields/{api_slug}"},
		{Name: "containers.custom_fields.list", Method: get, Path: "/containers/{container_id}/custom_fields", Resource: "custom_field"},
		{Name: "containers.custom_fields.set", Method: post, Path: "/containers/{container_id}/custom_fields", Resource: "custom_field"},
		{Name: "containers.custom_fields.update", Method: patch, Path: "/containers/{container_id}/custom_fields/{api_slug}", Resource: "custom_field"},
		{Name: "containers.custom_fields.delete", Method: del, Path: "/containers/{container_id}/custom_fields/{api_slug}"},
		{Name: "tracking_requests.custom_fields.list", Method: get, Path: "/tracking_requests/{tracking_request_id}/custom_fields", Resource: "custom_field"},
		{Name: "tracking_requests.custom_fields.set", Method: post, Path: "/tracking_requests/{tracking_request_id}/custom_fields", Resource: "custom_field"},
		{Name: "tracking_requests.custom_fields.update", Method: patch, Path: "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}", Resource: "custom_field"},
		{Name: "tracking_requests.custom_fields.delete", Method: del, Path: "/tracking_requests/{tracking_request_id}/custom_fields/{api_slug}"},

		{
			Name: "webhooks.list", Method: get, Path: "/webhooks", Resource: "webhook",
			Query: paged(),
		},
		{Name: "webhooks.create", Method: post, Path: "/webhooks", Resource: "webhook"},
		{Name: "webhooks.get", Method: get, Path: "/webhooks/{id}", Resource: "webhook"},
		{Name: "webhooks.update", Method: patch, Path: "/webhooks/{id}", Resource: "webhook"},
		{Name: "webhooks.delete", Method: del, Path: "/webhooks/{id}"},
		{Name: "webhooks.events", Method: get, Path: "/webhooks/events", Resource: "webhook_event_category"},
		{Name: "webhooks.ips", Method: get, Path: "/webhooks/ips"},
		{Name: "webhooks.trigger", Method: post, Path: "/webhooks/trigger"},
		{
			Name: "webhook_notifications.list", Method: get, Path: "/webhook_notifications", Resource: "webhook_notification",
			Query: paged("include"), Includes: []string{"reference_object"},
		},
		{
			Name: "webhook_notifications.get", Method: get, Path: "/webhook_notifications/{id}", Resource: "webhook_notification",
			Query: []string{"include"}, Includes: []string{"reference_object"},
		},
		{
			Name: "webhook_notifications.examples", Method: get, Path: "/webhook_notifications/examples", Resource: "webhook_notification",
			Query: []string{"event"},
		},

		{
			Name: "documents.list", Method: get, Path: "/documents", Resource: "document",
			Query: paged("include", "sort", "filter[filename]", "filter[reference]", "filter[document_types]"), Includes: document,
		},
		{Name: "documents.create", Method: post, Path: "/documents", Resource: "document"},
		{
			Name: "documents.get", Method: get, Path: "/documents/{id}", Resource: "document",
			Query: []string{"include"}, Includes: document,
		},
		{Name: "documents.update", Method: patch, Path: "/documents/{id}", Resource: "document"},
		{Name: "documents.delete", Method: del, Path: "/documents/{id}"},
		{Name: "documents.types", Method: get, Path: "/documents/types"},
		{Name: "documents.download_url", Method: get, Path: "/documents/{id}/download_url"},
		{Name: "documents.reextract", Method: post, Path: "/documents/{id}/reextract"},
		{Name: "documents.reclassify", Method: post, Path: "/documents/{id}/reclassify"},
		{Name: "documents.relink", Method: post, Path: "/documents/{id}/relink"},
		{Name: "documents.rotate", Method: post, Path: "/documents/{id}/rotate"},
		{Name: "document_schemas.get", Method: get, Path: "/document_schemas/{id}", Resource: "document_schema"},
		{
			Name: "email_submissions.list", Method: get, Path: "/email_submissions", Resource: "email_submission",
			Query: paged("include"), Includes: email,
		},
		{
			Name: "email_submissions.get", Method: get, Path: "/email_submissions/{id}", Resource: "email_submission",
			Query: []string{"include"}, Includes: email,
		},

		{
			Name: "search.query", Method: get, Path: "/search", Resource: "search_result",
			Query: []string{"query"},
		},
	}
}
