package testkit

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// customFieldCalls returns the calls of CustomFields.
func customFieldCalls() []func(on) error {
	params := func() *terminal49.CustomFieldListParams {
		return &terminal49.CustomFieldListParams{
			PageParams: terminal49.PageParams{PageNumber: 2, PageSize: 10},
			EntityType: terminal49.CustomFieldEntityShipment, EntityID: ShipmentID, DefinitionID: DefinitionID,
		}
	}
	create := func(f terminal49.CustomFieldCreate) func(on) error {
		return func(c on) error { return First(c.CustomFields.Create(c.ctx, f)) }
	}
	text := terminal49.CustomText("ABC124")
	return []func(on) error{
		func(c on) error { return First(c.CustomFields.List(c.ctx, params())) },
		func(c on) error { return First(Drain(c.CustomFields.Pages(c.ctx, params()))) },
		func(c on) error { return First(Drain(c.CustomFields.All(c.ctx, params()))) },
		func(c on) error { return First(c.CustomFields.Get(c.ctx, CustomFieldID)) },
		create(terminal49.CustomFieldCreate{APISlug: "customer_reference_number", Value: text,
			ShipmentID: ShipmentID}),
		create(terminal49.CustomFieldCreate{APISlug: "customer_reference_number", Value: text,
			ContainerID: ContainerID}),
		func(c on) error { return First(c.CustomFields.Update(c.ctx, CustomFieldID, text)) },
		func(c on) error { return c.CustomFields.Delete(c.ctx, CustomFieldID) },
	}
}

// ownedFieldCalls returns the calls for the values of a shipment, a container and a tracking
// request.
func ownedFieldCalls() []func(on) error {
	type methods struct {
		list   func(context.Context, string, ...terminal49.CallOption) ([]*terminal49.CustomField, error)
		set    func(context.Context, string, string, terminal49.CustomFieldValue, ...terminal49.CallOption) (*terminal49.CustomField, error)
		update func(context.Context, string, string, terminal49.CustomFieldValue, ...terminal49.CallOption) (*terminal49.CustomField, error)
		remove func(context.Context, string, string, ...terminal49.CallOption) error
	}
	owners := []struct {
		id string
		of func(*terminal49.Client) methods
	}{
		{ShipmentID, func(c *terminal49.Client) methods {
			return methods{c.Shipments.CustomFields, c.Shipments.SetCustomField, c.Shipments.UpdateCustomField,
				c.Shipments.DeleteCustomField}
		}},
		{ContainerID, func(c *terminal49.Client) methods {
			return methods{c.Containers.CustomFields, c.Containers.SetCustomField, c.Containers.UpdateCustomField,
				c.Containers.DeleteCustomField}
		}},
		{RequestID, func(c *terminal49.Client) methods {
			s := c.TrackingRequests
			return methods{s.CustomFields, s.SetCustomField, s.UpdateCustomField, s.DeleteCustomField}
		}},
	}
	var calls []func(on) error
	for _, o := range owners {
		calls = append(calls,
			func(c on) error { return First(o.of(c.Client).list(c.ctx, o.id)) },
			func(c on) error {
				return First(o.of(c.Client).set(c.ctx, o.id, "duty",
					terminal49.CustomNumber(decimal.RequireFromString("1234.50"))))
			},
			// a slug cannot leave its path segment
			func(c on) error { return First(o.of(c.Client).update(c.ctx, o.id, "a?b c", terminal49.CustomNull())) },
			func(c on) error { return o.of(c.Client).remove(c.ctx, o.id, "duty") },
		)
	}
	return calls
}

// definitionCalls returns the calls of CustomFieldDefinitions.
func definitionCalls() []func(on) error {
	params := func() *terminal49.CustomFieldDefinitionListParams {
		return &terminal49.CustomFieldDefinitionListParams{
			PageParams: terminal49.PageParams{PageNumber: 1, PageSize: 50},
			EntityType: terminal49.CustomFieldEntityContainer, DataType: terminal49.CustomFieldEnum, DisplayName: "Incoterm",
		}
	}
	return []func(on) error{
		func(c on) error { return First(c.CustomFieldDefinitions.List(c.ctx, params())) },
		func(c on) error { return First(Drain(c.CustomFieldDefinitions.Pages(c.ctx, params()))) },
		func(c on) error { return First(Drain(c.CustomFieldDefinitions.All(c.ctx, params()))) },
		func(c on) error { return First(c.CustomFieldDefinitions.Get(c.ctx, DefinitionID)) },
		func(c on) error {
			return First(c.CustomFieldDefinitions.Create(c.ctx, terminal49.CustomFieldDefinitionCreate{
				EntityType: terminal49.CustomFieldEntityShipment, APISlug: "buyer", DisplayName: "Buyer",
				DataType:    terminal49.CustomFieldReference,
				Description: "Who buys", ReferenceType: "party", Validation: json.RawMessage(`{ }`), DefaultFormat: "%Y",
				DefaultValue: terminal49.CustomNull(),
			}))
		},
		func(c on) error {
			return First(c.CustomFieldDefinitions.Create(c.ctx, terminal49.CustomFieldDefinitionCreate{
				EntityType: terminal49.CustomFieldEntityContainer, APISlug: "po", DisplayName: "PO",
				DataType: terminal49.CustomFieldShortText,
			}))
		},
		func(c on) error {
			return First(c.CustomFieldDefinitions.Update(c.ctx, DefinitionID, terminal49.CustomFieldDefinitionUpdate{
				DisplayName: terminal49.Some("Buyer"), Description: terminal49.Null[string](),
				Validation:    terminal49.Some(json.RawMessage(`{}`)),
				DefaultFormat: terminal49.Some(""), DefaultValue: terminal49.CustomNull(),
			}))
		},
		func(c on) error { return c.CustomFieldDefinitions.Delete(c.ctx, DefinitionID) },
	}
}

// optionCalls returns the calls of CustomFieldOptions.
func optionCalls() []func(on) error {
	return []func(on) error{
		func(c on) error { return First(c.CustomFieldOptions.List(c.ctx, DefinitionID)) },
		func(c on) error { return First(c.CustomFieldOptions.Get(c.ctx, DefinitionID, OptionID)) },
		func(c on) error {
			option := terminal49.CustomFieldOptionCreate{Label: "Free on Board", Value: "fob",
				Position: terminal49.Some(0)}
			return First(c.CustomFieldOptions.Create(c.ctx, DefinitionID, option))
		},
		func(c on) error {
			change := terminal49.CustomFieldOptionUpdate{Label: terminal49.Some("FOB"), Position: terminal49.Null[int]()}
			return First(c.CustomFieldOptions.Update(c.ctx, DefinitionID, OptionID, change))
		},
		func(c on) error { return c.CustomFieldOptions.Delete(c.ctx, DefinitionID, OptionID) },
	}
}

// everyFieldCall returns the calls of custom fields, their definitions and options.
func everyFieldCall() []func(on) error {
	return slices.Concat(customFieldCalls(), ownedFieldCalls(), definitionCalls(), optionCalls())
}
