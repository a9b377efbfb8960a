package catalogue

// customFieldOperations lists the calls around the fields that an account
// defines itself.
func customFieldOperations() []Operation {
	const (
		get, post, patch, del = "GET", "POST", "PATCH", "DELETE"
		definitions           = "/custom_field_definitions"
		options               = definitions + "/{definition_id}/options"
	)
	list := []Operation{
		{
			Name: "custom_field_definitions.list", Method: get, Path: definitions, Resource: "custom_field_definition",
			Query: paged("filter[entity_type]", "filter[data_type]", "filter[display_name]"),
		},
		{
			Name: "custom_field_definitions.create", Method: post, Path: definitions, Resource: "custom_field_definition",
			Body: []string{
				"entity_type", "api_slug", "display_name", "data_type", "description", "reference_type", "validation",
				"default_format", "default_value",
			},
		},
		{Name: "custom_field_definitions.get", Method: get, Path: definitions + "/{id}", Resource: "custom_field_definition"},
		{
			Name: "custom_field_definitions.update", Method: patch, Path: definitions + "/{id}", Resource: "custom_field_definition",
			Body: []string{"display_name", "description", "validation", "default_format", "default_value"},
		},
		{Name: "custom_field_definitions.delete", Method: del, Path: definitions + "/{id}"},

		{Name: "custom_field_options.list", Method: get, Path: options, Resource: "custom_field_option"},
		{
			Name: "custom_field_options.create", Method: post, Path: options, Resource: "custom_field_option",
			Body: []string{"label", "value", "position"},
		},
		{Name: "custom_field_options.get", Method: get, Path: options + "/{option_id}", Resource: "custom_field_option"},
		{
			Name: "custom_field_options.update", Method: patch, Path: options + "/{option_id}", Resource: "custom_field_option",
			Body: []string{"label", "position"},
		},
		{Name: "custom_field_options.delete", Method: del, Path: options + "/{option_id}"},

		{
			Name: "custom_fields.list", Method: get, Path: "/custom_fields", Resource: "custom_field",
			Query: paged("filter[entity_type]", "filter[entity_id]", "filter[definition_id]"),
		},
		{
			Name: "custom_fields.create", Method: post, Path: "/custom_fields", Resource: "custom_field",
			Body: []string{"api_slug", "value"},
		},
		{Name: "custom_fields.get", Method: get, Path: "/custom_fields/{id}", Resource: "custom_field"},
		{
			Name: "custom_fields.update", Method: patch, Path: "/custom_fields/{id}", Resource: "custom_field",
			Body: []string{"value"},
		},
		{Name: "custom_fields.delete", Method: del, Path: "/custom_fields/{id}"},
	}
	for _, owner := range []string{"shipment", "container", "tracking_request"} {
		name, path := owner+"s.custom_fields.", "/"+owner+"s/{"+owner+"_id}/custom_fields"
		list = append(list,
			Operation{Name: name + "list", Method: get, Path: path, Resource: "custom_field"},
			Operation{
				// It creates or replaces, so that a repetition leaves the
				// same state although it is a POST.
				Name: name + "set", Method: post, Path: path, Resource: "custom_field", Retry: RetryIdempotent,
				Body: []string{"api_slug", "value"},
			},
			Operation{
				Name: name + "update", Method: patch, Path: path + "/{api_slug}", Resource: "custom_field",
				Body: []string{"value"},
			},
			Operation{Name: name + "delete", Method: del, Path: path + "/{api_slug}"},
		)
	}
	return list
}

// customFieldTypes lists the resource types that go with them.
func customFieldTypes() []Type {
	return []Type{
		{
			Name: "custom_field_definition",
			Attributes: []string{
				"entity_type", "api_slug", "display_name", "description", "data_type", "reference_type", "validation",
				"default_format", "default_value", "template_id", "sensitive", "reference_number", "created_at", "updated_at",
			},
			Relationships: []Relationship{
				one("account", "account"),
				many("fields", "custom_field"),
				many("options", "custom_field_option"),
			},
		},
		{Name: "custom_field_option", Attributes: []string{"label", "value", "position"}},
		{
			Name:       "custom_field",
			Attributes: []string{"api_slug", "value", "display_value"},
			Relationships: []Relationship{
				one("entity", "shipment", "container", "tracking_request"),
				one("definition", "custom_field_definition"),
			},
		},
	}
}

// customFieldEnums lists their enumerations.
func customFieldEnums() []Enum {
	return []Enum{
		// Live answers say Cargo for Container; the library reads it as that.
		{"custom_field_definition.entity_type", []string{"Shipment", "Container", "TrackingRequest"}},
		{"custom_field_definition.data_type", []string{
			"short_text", "number", "date", "datetime", "boolean", "enum", "enum_multi", "reference",
		}},
	}
}
