package main

import (
	"context"

	"github.com/go-freight/terminal49"
)

// customFieldCalls returns the calls of custom fields, their definitions and options.
func customFieldCalls() map[string]func(*terminal49.Client) error {
	ctx, text := context.Background(), terminal49.CustomText("text")
	return map[string]func(*terminal49.Client) error{
		"custom_field_definitions.list": func(c *terminal49.Client) error { return errOf(c.CustomFieldDefinitions.List(ctx, nil)) },
		"custom_field_definitions.get":  func(c *terminal49.Client) error { return errOf(c.CustomFieldDefinitions.Get(ctx, anyID)) },
		"custom_field_definitions.create": func(c *terminal49.Client) error {
			return errOf(c.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
				EntityType: terminal49.CustomFieldEntityShipment, APISlug: "slug", DisplayName: "Name", DataType: terminal49.CustomFieldShortText,
			}))
		},
		"custom_field_definitions.update": func(c *terminal49.Client) error {
			change := terminal49.CustomFieldDefinitionUpdate{DisplayName: terminal49.Some("Name")}
			return errOf(c.CustomFieldDefinitions.Update(ctx, anyID, change))
		},
		"custom_field_definitions.delete": func(c *terminal49.Client) error { return c.CustomFieldDefinitions.Delete(ctx, anyID) },

		"custom_field_options.list": func(c *terminal49.Client) error { return errOf(c.CustomFieldOptions.List(ctx, anyID)) },
		"custom_field_options.get":  func(c *terminal49.Client) error { return errOf(c.CustomFieldOptions.Get(ctx, anyID, anyID)) },
		"custom_field_options.create": func(c *terminal49.Client) error {
			return errOf(c.CustomFieldOptions.Create(ctx, anyID, terminal49.CustomFieldOptionCreate{Label: "Label", Value: "value"}))
		},
		"custom_field_options.update": func(c *terminal49.Client) error {
			change := terminal49.CustomFieldOptionUpdate{Label: terminal49.Some("Label")}
			return errOf(c.CustomFieldOptions.Update(ctx, anyID, anyID, change))
		},
		"custom_field_options.delete": func(c *terminal49.Client) error { return c.CustomFieldOptions.Delete(ctx, anyID, anyID) },

		"custom_fields.list": func(c *terminal49.Client) error { return errOf(c.CustomFields.List(ctx, nil)) },
		"custom_fields.get":  func(c *terminal49.Client) error { return errOf(c.CustomFields.Get(ctx, anyID)) },
		"custom_fields.create": func(c *terminal49.Client) error {
			return errOf(c.CustomFields.Create(ctx, terminal49.CustomFieldCreate{APISlug: "slug", Value: text, ShipmentID: anyID}))
		},
		"custom_fields.update": func(c *terminal49.Client) error { return errOf(c.CustomFields.Update(ctx, anyID, text)) },
		"custom_fields.delete": func(c *terminal49.Client) error { return c.CustomFields.Delete(ctx, anyID) },

		"shipments.custom_fields.list": func(c *terminal49.Client) error { return errOf(c.Shipments.CustomFields(ctx, anyID)) },
		"shipments.custom_fields.set":  func(c *terminal49.Client) error { return errOf(c.Shipments.SetCustomField(ctx, anyID, "slug", text)) },
		"shipments.custom_fields.update": func(c *terminal49.Client) error {
			return errOf(c.Shipments.UpdateCustomField(ctx, anyID, "slug", text))
		},
		"shipments.custom_fields.delete": func(c *terminal49.Client) error { return c.Shipments.DeleteCustomField(ctx, anyID, "slug") },

		"containers.custom_fields.list": func(c *terminal49.Client) error { return errOf(c.Containers.CustomFields(ctx, anyID)) },
		"containers.custom_fields.set":  func(c *terminal49.Client) error { return errOf(c.Containers.SetCustomField(ctx, anyID, "slug", text)) },
		"containers.custom_fields.update": func(c *terminal49.Client) error {
			return errOf(c.Containers.UpdateCustomField(ctx, anyID, "slug", text))
		},
		"containers.custom_fields.delete": func(c *terminal49.Client) error { return c.Containers.DeleteCustomField(ctx, anyID, "slug") },

		"tracking_requests.custom_fields.list": func(c *terminal49.Client) error { return errOf(c.TrackingRequests.CustomFields(ctx, anyID)) },
		"tracking_requests.custom_fields.set": func(c *terminal49.Client) error {
			return errOf(c.TrackingRequests.SetCustomField(ctx, anyID, "slug", text))
		},
		"tracking_requests.custom_fields.update": func(c *terminal49.Client) error {
			return errOf(c.TrackingRequests.UpdateCustomField(ctx, anyID, "slug", text))
		},
		"tracking_requests.custom_fields.delete": func(c *terminal49.Client) error { return c.TrackingRequests.DeleteCustomField(ctx, anyID, "slug") },
	}
}
