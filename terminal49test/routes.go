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
			Body: &service.BodyRule{Kind: "shipment", Untyped: true, Attributes: []string{"ref_numbers", "tags"}}}, (*exchange).updateShipment},
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

// customFieldRoutes are the operations on custom fields, their definitions and options.
func customFieldRoutes() []operation {
	const (
		definitions = "/custom_field_definitions"
		options     = definitions + "/{definition_id}/options"
	)
	definition := func(attributes ...string) *service.BodyRule {
		return &service.BodyRule{Kind: "custom_field_definition", Attributes: append(attributes,
			"display_name", "description", "validation", "default_format", "default_value")}
	}
	option := func(attributes ...string) *service.BodyRule {
		return &service.BodyRule{Kind: "custom_field_option", Attributes: append(attributes, "label", "position")}
	}
	set := &service.BodyRule{Kind: "custom_field", Attributes: []string{"api_slug", "value"}}
	change := &service.BodyRule{Kind: "custom_field", Attributes: []string{"value"}}
	rows := []operation{
		{service.Route{Op: "custom_field_definitions.list", Method: "GET", Path: definitions,
			Query: []string{"page[number]", "page[size]", "filter[entity_type]", "filter[data_type]", "filter[display_name]"}}, (*exchange).listDefinitions},
		{service.Route{Op: "custom_field_definitions.create", Method: "POST", Path: definitions,
			Body: definition("entity_type", "api_slug", "data_type", "reference_type")}, (*exchange).createDefinition},
		{service.Route{Op: "custom_field_definitions.get", Method: "GET", Path: definitions + "/{id}"}, (*exchange).getDefinition},
		{service.Route{Op: "custom_field_definitions.update", Method: "PATCH", Path: definitions + "/{id}",
			Body: definition()}, (*exchange).updateDefinition},
		{service.Route{Op: "custom_field_definitions.delete", Method: "DELETE", Path: definitions + "/{id}"}, (*exchange).deleteDefinition},

		{service.Route{Op: "custom_field_options.list", Method: "GET", Path: options}, (*exchange).listOptions},
		{service.Route{Op: "custom_field_options.create", Method: "POST", Path: options, Body: option("value")}, (*exchange).createOption},
		{service.Route{Op: "custom_field_options.get", Method: "GET", Path: options + "/{option_id}"}, (*exchange).getOption},
		{service.Route{Op: "custom_field_options.update", Method: "PATCH", Path: options + "/{option_id}",
			Body: option()}, (*exchange).updateOption},
		{service.Route{Op: "custom_field_options.delete", Method: "DELETE", Path: options + "/{option_id}"}, (*exchange).deleteOption},

		{service.Route{Op: "custom_fields.list", Method: "GET", Path: "/custom_fields",
			Query: []string{"page[number]", "page[size]", "filter[entity_type]", "filter[entity_id]", "filter[definition_id]"}}, (*exchange).listCustomFields},
		{service.Route{Op: "custom_fields.create", Method: "POST", Path: "/custom_fields",
			Body: &service.BodyRule{Kind: "custom_field", Attributes: []string{"api_slug", "value"}, Relationships: []string{"entity"}}}, (*exchange).createCustomField},
		{service.Route{Op: "custom_fields.get", Method: "GET", Path: "/custom_fields/{id}"}, (*exchange).getCustomField},
		{service.Route{Op: "custom_fields.update", Method: "PATCH", Path: "/custom_fields/{id}", Body: change}, (*exchange).updateCustomField},
		{service.Route{Op: "custom_fields.delete", Method: "DELETE", Path: "/custom_fields/{id}"}, (*exchange).deleteCustomField},
	}
	for _, owner := range []string{"shipment", "container", "tracking_request"} {
		op, path := owner+"s.custom_fields.", "/"+owner+"s/{"+owner+"_id}/custom_fields"
		rows = append(rows,
			operation{service.Route{Op: op + "list", Method: "GET", Path: path}, (*exchange).listFieldsOf},
			operation{service.Route{Op: op + "set", Method: "POST", Path: path, Body: set}, (*exchange).setFieldOf},
			operation{service.Route{Op: op + "update", Method: "PATCH", Path: path + "/{api_slug}", Body: change}, (*exchange).updateFieldOf},
			operation{service.Route{Op: op + "delete", Method: "DELETE", Path: path + "/{api_slug}"}, (*exchange).deleteFieldOf},
		)
	}
	for i := range rows {
		rows[i].Bucket = "default"
	}
	return rows
}

// placeRoutes are the operations on parties, places and vessels, the container map and the search.
func placeRoutes() []operation {
	party := &service.BodyRule{Kind: "party", Untyped: true, Attributes: []string{"company_name"}}
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

func webhookRoutes() []operation {
	pages := []string{"page[number]", "page[size]"}
	webhook := &service.BodyRule{Kind: "webhook", Attributes: []string{"url", "events", "active", "headers"}}
	return []operation{
		{service.Route{Op: "webhooks.events", Method: "GET", Path: "/webhooks/events", Bucket: "default"}, requireWebhooks((*exchange).listWebhookEvents)},
		{service.Route{Op: "webhooks.ips", Method: "GET", Path: "/webhooks/ips", Bucket: "default"}, requireWebhooks((*exchange).listWebhookIPs)},
		{service.Route{Op: "webhooks.trigger", Method: "POST", Path: "/webhooks/trigger", Bucket: "default",
			Body: &service.BodyRule{Attributes: []string{"url", "event", "secret", "sample"}}}, requireWebhooks((*exchange).triggerWebhook)},
		{service.Route{Op: "webhooks.list", Method: "GET", Path: "/webhooks", Bucket: "default", Query: pages}, requireWebhooks((*exchange).listWebhooks)},
		{service.Route{Op: "webhooks.create", Method: "POST", Path: "/webhooks", Bucket: "default", Body: webhook}, requireWebhooks((*exchange).createWebhook)},
		{service.Route{Op: "webhooks.get", Method: "GET", Path: "/webhooks/{id}", Bucket: "default"}, requireWebhooks((*exchange).getWebhook)},
		{service.Route{Op: "webhooks.update", Method: "PATCH", Path: "/webhooks/{id}", Bucket: "default", Body: webhook}, requireWebhooks((*exchange).updateWebhook)},
		{service.Route{Op: "webhooks.delete", Method: "DELETE", Path: "/webhooks/{id}", Bucket: "default"}, requireWebhooks((*exchange).deleteWebhook)},

		{service.Route{Op: "webhook_notifications.examples", Method: "GET", Path: "/webhook_notifications/examples", Bucket: "default",
			Query: []string{"event"}}, requireWebhooks((*exchange).exampleNotification)},
		{service.Route{Op: "webhook_notifications.list", Method: "GET", Path: "/webhook_notifications", Bucket: "default",
			Query: append([]string{"include"}, pages...)}, requireWebhooks((*exchange).listNotifications)},
		{service.Route{Op: "webhook_notifications.get", Method: "GET", Path: "/webhook_notifications/{id}", Bucket: "default",
			Query: []string{"include"}}, requireWebhooks((*exchange).getNotification)},
	}
}

// documentRoutes are the operations on documents, their schemas and e-mail submissions, and the
// direct upload.
func documentRoutes() []operation {
	pages := []string{"page[number]", "page[size]"}
	with := func(names ...string) []string { return append(names, pages...) }
	include := []string{"include"}
	list := []operation{
		{service.Route{Op: "documents.direct_upload", Method: "POST", Path: directUploadPath,
			Body: &service.BodyRule{Attributes: []string{"blob"}}}, (*exchange).directUpload},
		{service.Route{Op: "documents.list", Method: "GET", Path: "/documents",
			Query: with("include", "sort", "filter[filename]", "filter[reference]", "filter[document_types]")}, (*exchange).listDocuments},
		{service.Route{Op: "documents.create", Method: "POST", Path: "/documents",
			Body: &service.BodyRule{Kind: "document", Attributes: []string{"name", "attached_document"}}}, (*exchange).createDocument},
		{service.Route{Op: "documents.types", Method: "GET", Path: "/documents/types"}, (*exchange).documentTypes},
		{service.Route{Op: "documents.type", Method: "GET", Path: "/documents/types/{code}"}, (*exchange).documentType},
		{service.Route{Op: "documents.get", Method: "GET", Path: "/documents/{id}", Query: include}, withDocument((*exchange).getDocument)},
		{service.Route{Op: "documents.update", Method: "PATCH", Path: "/documents/{id}",
			Body: &service.BodyRule{Kind: "document", Attributes: []string{"document_type_manual", "extracted_data_manual"}}}, withDocument((*exchange).updateDocument)},
		{service.Route{Op: "documents.delete", Method: "DELETE", Path: "/documents/{id}"}, withDocument((*exchange).deleteDocument)},
		{service.Route{Op: "documents.download_url", Method: "GET", Path: "/documents/{id}/download_url"}, withDocument((*exchange).downloadURL)},
		{service.Route{Op: "documents.reextract", Method: "POST", Path: "/documents/{id}/reextract"}, withDocument((*exchange).reextract)},
		{service.Route{Op: "documents.reclassify", Method: "POST", Path: "/documents/{id}/reclassify"}, withDocument((*exchange).reclassify)},
		{service.Route{Op: "documents.relink", Method: "POST", Path: "/documents/{id}/relink"}, withDocument((*exchange).relink)},
		{service.Route{Op: "documents.rotate", Method: "POST", Path: "/documents/{id}/rotate",
			Body: &service.BodyRule{Attributes: []string{"degrees"}}}, withDocument((*exchange).rotate)},
		{service.Route{Op: "document_schemas.get", Method: "GET", Path: "/document_schemas/{id}"}, (*exchange).getSchema},
		{service.Route{Op: "email_submissions.list", Method: "GET", Path: "/email_submissions", Query: with("include")}, (*exchange).listEmails},
		{service.Route{Op: "email_submissions.get", Method: "GET", Path: "/email_submissions/{id}", Query: include}, (*exchange).getEmail},
	}
	for i := range list {
		list[i].Bucket, list[i].handle = "default", requireDocuments(list[i].handle)
	}
	return list
}

// partyRoleRoutes are the operations on the parties of shipments and containers.
func partyRoleRoutes() []operation {
	body := &service.BodyRule{Kind: "party_role", Attributes: []string{"role"}, Relationships: []string{"party"}}
	var list []operation
	for _, of := range []string{"shipment", "container"} {
		path := "/" + of + "s/{" + of + "_id}/party_roles"
		list = append(list,
			operation{service.Route{Op: of + "s.party_roles.list", Method: "GET", Path: path, Bucket: "default"}, recent(withRoleOwner((*exchange).listPartyRoles))},
			operation{service.Route{Op: of + "s.party_roles.add", Method: "POST", Path: path, Bucket: "default", Body: body}, recent(withRoleOwner((*exchange).createPartyRole))},
			operation{service.Route{Op: of + "s.party_roles.remove", Method: "DELETE", Path: path + "/{id}", Bucket: "default"}, recent(withRoleOwner((*exchange).deletePartyRole))})
	}
	return list
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
