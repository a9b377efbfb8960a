package main

import (
	"context"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

// parties adds a customer and renames it.
func parties(ctx context.Context, a *account) error {
	party, err := a.client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	if err != nil {
		return err
	}
	party, err = a.client.Parties.Update(ctx, party.ID, terminal49.PartyFields{CompanyName: "Bay Bridge Tea"})
	if err != nil {
		return err
	}
	count := 0
	for _, err := range a.client.Parties.All(ctx, nil) {
		if err != nil {
			return err
		}
		count++
	}
	say("%s is one of %d parties", party.CompanyName, count)
	return nil
}

// customFields defines a choice and an amount, and sets values of both.
func customFields(ctx context.Context, a *account) error {
	incoterm, err := a.client.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityShipment, APISlug: "incoterm", DisplayName: "Incoterm",
		DataType: terminal49.CustomFieldEnum,
	})
	if err != nil {
		return err
	}
	_, err = a.client.CustomFieldOptions.Create(ctx, incoterm.ID, terminal49.CustomFieldOptionCreate{
		Label: "Free on Board", Value: "fob",
	})
	if err != nil {
		return err
	}
	_, err = a.client.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityShipment, APISlug: "duty", DisplayName: "Duty",
		DataType: terminal49.CustomFieldNumber,
	})
	if err != nil {
		return err
	}

	shipment := a.demo.Shipments[0]
	_, err = a.client.CustomFields.Create(ctx, terminal49.CustomFieldCreate{
		APISlug: "incoterm", Value: terminal49.CustomEnum("fob"), ShipmentID: shipment,
	})
	if err != nil {
		return err
	}
	duty := terminal49.CustomNumber(decimal.RequireFromString("1840.25"))
	if _, err := a.client.Shipments.SetCustomField(ctx, shipment, "duty", duty); err != nil {
		return err
	}
	fields, err := a.client.Shipments.CustomFields(ctx, shipment)
	if err != nil {
		return err
	}
	for _, field := range fields {
		say("%s: %v", field.APISlug, field.Value)
	}
	return nil
}
