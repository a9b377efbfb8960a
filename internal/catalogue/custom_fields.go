package catalogue

// customFieldTypes lists custom fields, their definitions and options.
func customFieldTypes() []Type {
	return []Type{
		{
			Name: "custom_field_definition",
			Attributes: []string{
				"entity_type", "api_slug", "display_name", "description", "data_type", "reference_type", "validation",
				"default_format", "default_value", "template_id", "sensitive", "reference_number", "created_at", "updated_at",
			},
			Relationships: []Relationship{
				toOne("account", "account"),
				toMany("fields", "custom_field"),
				toMany("options", "custom_field_option"),
			},
		},
		{Name: "custom_field_option", Attributes: []string{"label", "value", "position"}},
		{
			Name:       "custom_field",
			Attributes: []string{"api_slug", "value", "display_value", "updated_at"},
			Relationships: []Relationship{
				toOne("entity", "shipment", "container", "tracking_request"),
				toOne("definition", "custom_field_definition"),
			},
		},
	}
}

// customFieldEnums lists the enumerations of custom fields.
func customFieldEnums() []Enum {
	return []Enum{
		// The service sends "Cargo" for "Container"; the library reads it as that.
		{"custom_field_definition.entity_type", []string{"Shipment", "Container", "TrackingRequest"}},
		{"custom_field_definition.data_type", []string{
			"short_text", "number", "date", "datetime", "boolean", "enum", "enum_multi", "reference",
		}},
	}
}
