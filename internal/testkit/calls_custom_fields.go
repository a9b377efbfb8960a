package testkit

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// CustomFieldCalls returns the calls of CustomFields.
func CustomFieldCalls() []Call {
	const (
		reply      = `{"data":{"id":"` + CustomFieldID + `","type":"custom_field"}}`
		list       = `{"data":[{"id":"` + CustomFieldID + `","type":"custom_field"}]}`
		valueBody  = `{"data":{"type":"custom_field","id":"` + CustomFieldID + `","attributes":{"value":"ABC124"}}}`
		everything = "filter[definition_id]=" + DefinitionID + "&filter[entity_id]=" + ShipmentID +
			"&filter[entity_type]=Shipment&page[number]=2&page[size]=10"
	)
	params := func() *terminal49.CustomFieldListParams {
		return &terminal49.CustomFieldListParams{
			PageParams: terminal49.PageParams{PageNumber: 2, PageSize: 10},
			EntityType: terminal49.CustomFieldEntityShipment, EntityID: ShipmentID, DefinitionID: DefinitionID,
		}
	}
	create := func(f terminal49.CustomFieldCreate) func(context.Context, *terminal49.Client) error {
		return func(ctx context.Context, c *terminal49.Client) error { return First(c.CustomFields.Create(ctx, f)) }
	}
	createBody := func(entity, id string) string {
		return `{"data":{"type":"custom_field","attributes":{"api_slug":"customer_reference_number","value":"ABC124"},` +
			`"relationships":{"entity":{"data":{"type":"` + entity + `","id":"` + id + `"}}}}}`
	}
	text := terminal49.CustomText("ABC124")
	return []Call{
		{
			Op: "custom_fields.list", Method: "GET", Path: "/custom_fields", Query: everything, Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFields.List(ctx, params()))
			},
		},
		{
			Op: "custom_fields.list", Method: "GET", Path: "/custom_fields", Query: everything, Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.CustomFields.Pages(ctx, params())))
			},
		},
		{
			Op: "custom_fields.list", Method: "GET", Path: "/custom_fields", Query: everything, Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.CustomFields.All(ctx, params())))
			},
		},
		{
			Op: "custom_fields.get", Method: "GET", Path: "/custom_fields/" + CustomFieldID, Reply: reply,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFields.Get(ctx, CustomFieldID))
			},
		},
		{
			Op: "custom_fields.create", Method: "POST", Path: "/custom_fields",
			Body: createBody("shipment", ShipmentID), Reply: reply,
			Do: create(terminal49.CustomFieldCreate{APISlug: "customer_reference_number", Value: text,
				ShipmentID: ShipmentID}),
		},
		{
			Op: "custom_fields.create", Method: "POST", Path: "/custom_fields",
			Body: createBody("container", ContainerID), Reply: reply,
			Do: create(terminal49.CustomFieldCreate{APISlug: "customer_reference_number", Value: text,
				ContainerID: ContainerID}),
		},
		{
			Op: "custom_fields.update", Method: "PATCH", Path: "/custom_fields/" + CustomFieldID, Body: valueBody,
			Reply: reply,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFields.Update(ctx, CustomFieldID, text))
			},
		},
		{
			Op: "custom_fields.delete", Method: "DELETE", Path: "/custom_fields/" + CustomFieldID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return c.CustomFields.Delete(ctx, CustomFieldID)
			},
		},
	}
}

// OwnedFieldCalls returns the calls for the values of a shipment, a container and a tracking
// request.
func OwnedFieldCalls() []Call {
	const reply = `{"data":{"id":"` + CustomFieldID + `","type":"custom_field"}}`
	type methods struct {
		list   func(context.Context, string, ...terminal49.CallOption) ([]*terminal49.CustomField, error)
		set    func(context.Context, string, string, terminal49.CustomFieldValue, ...terminal49.CallOption) (*terminal49.CustomField, error)
		update func(context.Context, string, string, terminal49.CustomFieldValue, ...terminal49.CallOption) (*terminal49.CustomField, error)
		remove func(context.Context, string, string, ...terminal49.CallOption) error
	}
	owners := []struct {
		op, path, id string
		of           func(*terminal49.Client) methods
	}{
		{"shipments", "/shipments/" + ShipmentID, ShipmentID, func(c *terminal49.Client) methods {
			return methods{c.Shipments.CustomFields, c.Shipments.SetCustomField, c.Shipments.UpdateCustomField,
				c.Shipments.DeleteCustomField}
		}},
		{"containers", "/containers/" + ContainerID, ContainerID, func(c *terminal49.Client) methods {
			return methods{c.Containers.CustomFields, c.Containers.SetCustomField, c.Containers.UpdateCustomField,
				c.Containers.DeleteCustomField}
		}},
		{"tracking_requests", "/tracking_requests/" + RequestID, RequestID, func(c *terminal49.Client) methods {
			s := c.TrackingRequests
			return methods{s.CustomFields, s.SetCustomField, s.UpdateCustomField, s.DeleteCustomField}
		}},
	}
	var calls []Call
	for _, o := range owners {
		op, path := o.op+".custom_fields.", o.path+"/custom_fields"
		calls = append(calls,
			Call{
				Op: op + "list", Method: "GET", Path: path, Reply: `{"data":[` + reply[8:len(reply)-1] + `]}`,
				Do: func(ctx context.Context, c *terminal49.Client) error { return First(o.of(c).list(ctx, o.id)) },
			},
			Call{
				Op: op + "set", Method: "POST", Path: path, Reply: reply,
				Body: `{"data":{"type":"custom_field","attributes":{"api_slug":"duty","value":1234.5}}}`,
				Do: func(ctx context.Context, c *terminal49.Client) error {
					return First(o.of(c).set(ctx, o.id, "duty",
						terminal49.CustomNumber(decimal.RequireFromString("1234.50"))))
				},
			},
			Call{ // a slug cannot leave its path segment
				Op: op + "update", Method: "PATCH", Path: path + "/a%3Fb%20c", Reply: reply,
				Body: `{"data":{"type":"custom_field","attributes":{"value":null}}}`,
				Do: func(ctx context.Context, c *terminal49.Client) error {
					return First(o.of(c).update(ctx, o.id, "a?b c", terminal49.CustomNull()))
				},
			},
			Call{
				Op: op + "delete", Method: "DELETE", Path: path + "/duty",
				Do: func(ctx context.Context, c *terminal49.Client) error { return o.of(c).remove(ctx, o.id, "duty") },
			},
		)
	}
	return calls
}

// DefinitionCalls returns the calls of CustomFieldDefinitions.
func DefinitionCalls() []Call {
	const (
		path       = "/custom_field_definitions"
		reply      = `{"data":{"id":"` + DefinitionID + `","type":"custom_field_definition"}}`
		list       = `{"data":[{"id":"` + DefinitionID + `","type":"custom_field_definition"}]}`
		everything = "filter[data_type]=enum&filter[display_name]=Incoterm&filter[entity_type]=Container&page[number]=1&page[size]=50"
	)
	params := func() *terminal49.CustomFieldDefinitionListParams {
		return &terminal49.CustomFieldDefinitionListParams{
			PageParams: terminal49.PageParams{PageNumber: 1, PageSize: 50},
			EntityType: terminal49.CustomFieldEntityContainer, DataType: terminal49.CustomFieldEnum, DisplayName: "Incoterm",
		}
	}
	return []Call{
		{
			Op: "custom_field_definitions.list", Method: "GET", Path: path, Query: everything, Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFieldDefinitions.List(ctx, params()))
			},
		},
		{
			Op: "custom_field_definitions.list", Method: "GET", Path: path, Query: everything, Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.CustomFieldDefinitions.Pages(ctx, params())))
			},
		},
		{
			Op: "custom_field_definitions.list", Method: "GET", Path: path, Query: everything, Reply: list,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.CustomFieldDefinitions.All(ctx, params())))
			},
		},
		{
			Op: "custom_field_definitions.get", Method: "GET", Path: path + "/" + DefinitionID, Reply: reply,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFieldDefinitions.Get(ctx, DefinitionID))
			},
		},
		{
			Op: "custom_field_definitions.create", Method: "POST", Path: path, Reply: reply,
			Body: `{"data":{"type":"custom_field_definition","attributes":{"entity_type":"Shipment","api_slug":"buyer",` +
				`"display_name":"Buyer","data_type":"reference","description":"Who buys","reference_type":"party",` +
				`"validation":{},"default_format":"%Y","default_value":null}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
					EntityType: terminal49.CustomFieldEntityShipment, APISlug: "buyer", DisplayName: "Buyer",
					DataType:    terminal49.CustomFieldReference,
					Description: "Who buys", ReferenceType: "party", Validation: json.RawMessage(`{ }`), DefaultFormat: "%Y",
					DefaultValue: terminal49.CustomNull(),
				}))
			},
		},
		{
			Op: "custom_field_definitions.create", Method: "POST", Path: path, Reply: reply,
			Body: `{"data":{"type":"custom_field_definition","attributes":{"entity_type":"Container","api_slug":"po",` +
				`"display_name":"PO","data_type":"short_text"}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
					EntityType: terminal49.CustomFieldEntityContainer, APISlug: "po", DisplayName: "PO",
					DataType: terminal49.CustomFieldShortText,
				}))
			},
		},
		{
			Op: "custom_field_definitions.update", Method: "PATCH", Path: path + "/" + DefinitionID, Reply: reply,
			Body: `{"data":{"type":"custom_field_definition","id":"` + DefinitionID +
				`","attributes":{"display_name":"Buyer",` +
				`"description":null,"validation":{},"default_format":"","default_value":null}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFieldDefinitions.Update(ctx, DefinitionID, terminal49.CustomFieldDefinitionUpdate{
					DisplayName: terminal49.Some("Buyer"), Description: terminal49.Null[string](),
					Validation:    terminal49.Some(json.RawMessage(`{}`)),
					DefaultFormat: terminal49.Some(""), DefaultValue: terminal49.CustomNull(),
				}))
			},
		},
		{
			Op: "custom_field_definitions.delete", Method: "DELETE", Path: path + "/" + DefinitionID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return c.CustomFieldDefinitions.Delete(ctx, DefinitionID)
			},
		},
	}
}

// OptionCalls returns the calls of CustomFieldOptions.
func OptionCalls() []Call {
	const (
		path  = "/custom_field_definitions/" + DefinitionID + "/options"
		reply = `{"data":{"id":"` + OptionID + `","type":"custom_field_option"}}`
	)
	return []Call{
		{
			Op: "custom_field_options.list", Method: "GET", Path: path,
			Reply: `{"data":[{"id":"` + OptionID + `","type":"custom_field_option"}]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFieldOptions.List(ctx, DefinitionID))
			},
		},
		{
			Op: "custom_field_options.get", Method: "GET", Path: path + "/" + OptionID, Reply: reply,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.CustomFieldOptions.Get(ctx, DefinitionID, OptionID))
			},
		},
		{
			Op: "custom_field_options.create", Method: "POST", Path: path, Reply: reply,
			Body: `{"data":{"type":"custom_field_option","attributes":{"label":"Free on Board","value":"fob","position":0}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				option := terminal49.CustomFieldOptionCreate{Label: "Free on Board", Value: "fob",
					Position: terminal49.Some(0)}
				return First(c.CustomFieldOptions.Create(ctx, DefinitionID, option))
			},
		},
		{
			Op: "custom_field_options.update", Method: "PATCH", Path: path + "/" + OptionID, Reply: reply,
			Body: `{"data":{"type":"custom_field_option","id":"` + OptionID +
				`","attributes":{"label":"FOB","position":null}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				change := terminal49.CustomFieldOptionUpdate{Label: terminal49.Some("FOB"), Position: terminal49.Null[int]()}
				return First(c.CustomFieldOptions.Update(ctx, DefinitionID, OptionID, change))
			},
		},
		{
			Op: "custom_field_options.delete", Method: "DELETE", Path: path + "/" + OptionID,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return c.CustomFieldOptions.Delete(ctx, DefinitionID, OptionID)
			},
		},
	}
}

// EveryFieldCall returns the calls of custom fields, their definitions and options.
func EveryFieldCall() []Call {
	return slices.Concat(CustomFieldCalls(), OwnedFieldCalls(), DefinitionCalls(), OptionCalls())
}
