package terminal49test

import "github.com/go-freight/terminal49/terminal49test/internal/service"

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
