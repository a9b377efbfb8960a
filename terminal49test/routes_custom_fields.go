package terminal49test

// customFieldRoutes are the operations on custom fields, their definitions and options.
func customFieldRoutes() []route {
	const (
		definitions = "/custom_field_definitions"
		options     = definitions + "/{definition_id}/options"
	)
	definition := func(attributes ...string) *bodyRule {
		return &bodyRule{kind: "custom_field_definition", attributes: append(attributes,
			"display_name", "description", "validation", "default_format", "default_value")}
	}
	option := func(attributes ...string) *bodyRule {
		return &bodyRule{kind: "custom_field_option", attributes: append(attributes, "label", "position")}
	}
	set := &bodyRule{kind: "custom_field", attributes: []string{"api_slug", "value"}}
	change := &bodyRule{kind: "custom_field", attributes: []string{"value"}}
	rows := []route{
		{op: "custom_field_definitions.list", method: "GET", path: definitions, handle: (*exchange).listDefinitions,
			query: []string{"page[number]", "page[size]", "filter[entity_type]", "filter[data_type]", "filter[display_name]"}},
		{op: "custom_field_definitions.create", method: "POST", path: definitions, handle: (*exchange).createDefinition,
			body: definition("entity_type", "api_slug", "data_type", "reference_type")},
		{op: "custom_field_definitions.get", method: "GET", path: definitions + "/{id}", handle: (*exchange).getDefinition},
		{op: "custom_field_definitions.update", method: "PATCH", path: definitions + "/{id}", handle: (*exchange).updateDefinition,
			body: definition()},
		{op: "custom_field_definitions.delete", method: "DELETE", path: definitions + "/{id}", handle: (*exchange).deleteDefinition},

		{op: "custom_field_options.list", method: "GET", path: options, handle: (*exchange).listOptions},
		{op: "custom_field_options.create", method: "POST", path: options, handle: (*exchange).createOption, body: option("value")},
		{op: "custom_field_options.get", method: "GET", path: options + "/{option_id}", handle: (*exchange).getOption},
		{op: "custom_field_options.update", method: "PATCH", path: options + "/{option_id}", handle: (*exchange).updateOption,
			body: option()},
		{op: "custom_field_options.delete", method: "DELETE", path: options + "/{option_id}", handle: (*exchange).deleteOption},

		{op: "custom_fields.list", method: "GET", path: "/custom_fields", handle: (*exchange).listCustomFields,
			query: []string{"page[number]", "page[size]", "filter[entity_type]", "filter[entity_id]", "filter[definition_id]"}},
		{op: "custom_fields.create", method: "POST", path: "/custom_fields", handle: (*exchange).createCustomField,
			body: &bodyRule{kind: "custom_field", attributes: []string{"api_slug", "value"}, relationships: []string{"entity"}}},
		{op: "custom_fields.get", method: "GET", path: "/custom_fields/{id}", handle: (*exchange).getCustomField},
		{op: "custom_fields.update", method: "PATCH", path: "/custom_fields/{id}", handle: (*exchange).updateCustomField, body: change},
		{op: "custom_fields.delete", method: "DELETE", path: "/custom_fields/{id}", handle: (*exchange).deleteCustomField},
	}
	for _, owner := range []string{"shipment", "container", "tracking_request"} {
		op, path := owner+"s.custom_fields.", "/"+owner+"s/{"+owner+"_id}/custom_fields"
		rows = append(rows,
			route{op: op + "list", method: "GET", path: path, handle: (*exchange).listFieldsOf},
			route{op: op + "set", method: "POST", path: path, handle: (*exchange).setFieldOf, body: set},
			route{op: op + "update", method: "PATCH", path: path + "/{api_slug}", handle: (*exchange).updateFieldOf, body: change},
			route{op: op + "delete", method: "DELETE", path: path + "/{api_slug}", handle: (*exchange).deleteFieldOf},
		)
	}
	for i := range rows {
		rows[i].bucket = "default"
	}
	return rows
}
