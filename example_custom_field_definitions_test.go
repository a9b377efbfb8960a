package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

func ExampleCustomFieldDefinitionsService_Create() {
	_, _, client := simulation()
	definition, err := client.CustomFieldDefinitions.Create(context.Background(), terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityContainer,
		APISlug:    "chassis", DisplayName: "Chassis", DataType: terminal49.CustomFieldShortText,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(definition.EntityType, definition.APISlug, definition.DataType)
	// Output: Container chassis short_text
}

func ExampleCustomFieldDefinitionsService_Get() {
	service, _, client := simulation()
	id := service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer", DisplayName: "Buyer"})
	definition, err := client.CustomFieldDefinitions.Get(context.Background(), id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(definition.APISlug, definition.DisplayName)
	// Output: buyer Buyer
}

// All yields each definition once, although the service repeats them on each page.
func ExampleCustomFieldDefinitionsService_All() {
	service, _, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer"})
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "yard", EntityType: "Container"})
	params := &terminal49.CustomFieldDefinitionListParams{EntityType: terminal49.CustomFieldEntityContainer}
	for definition, err := range client.CustomFieldDefinitions.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(definition.EntityType, definition.APISlug)
	}
	// Output: Container yard
}

func ExampleCustomFieldDefinitionsService_List() {
	service, _, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer"})
	page, err := client.CustomFieldDefinitions.List(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), page.Items[0].APISlug)
	// Output: 1 buyer
}

func ExampleCustomFieldDefinitionsService_Update() {
	service, _, client := simulation()
	id := service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer", DisplayName: "Buyer"})
	change := terminal49.CustomFieldDefinitionUpdate{DisplayName: terminal49.Some("Buyer's name")}
	definition, err := client.CustomFieldDefinitions.Update(context.Background(), id, change)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(definition.DisplayName)
	// Output: Buyer's name
}

// Delete removes the values too.
func ExampleCustomFieldDefinitionsService_Delete() {
	service, demo, client := simulation()
	id := service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer"})
	ctx := context.Background()
	if _, err := client.Shipments.SetCustomField(ctx, demo.Shipments[0], "buyer", terminal49.CustomText("Ann")); err != nil {
		log.Fatal(err)
	}
	if err := client.CustomFieldDefinitions.Delete(ctx, id); err != nil {
		log.Fatal(err)
	}
	fields, err := client.Shipments.CustomFields(ctx, demo.Shipments[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(fields), "values")
	// Output: 0 values
}

func ExampleCustomFieldOptionsService_List() {
	service, _, client := simulation()
	definition := service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		APISlug: "priority", DataType: "enum",
		Options: []terminal49test.CustomFieldOption{{Label: "Hot", Value: "1"}, {Label: "Cold", Value: "2"}},
	})
	options, err := client.CustomFieldOptions.List(context.Background(), definition)
	if err != nil {
		log.Fatal(err)
	}
	for _, option := range options {
		fmt.Println(option.Value, "is shown as", option.Label)
	}
	// Output:
	// 1 is shown as Hot
	// 2 is shown as Cold
}

func ExampleCustomFieldOptionsService_Get() {
	service, _, client := simulation()
	definition := service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		APISlug: "priority", DataType: "enum", Options: []terminal49test.CustomFieldOption{{Label: "Hot", Value: "1"}},
	})
	ctx := context.Background()
	options, err := client.CustomFieldOptions.List(ctx, definition)
	if err != nil {
		log.Fatal(err)
	}
	option, err := client.CustomFieldOptions.Get(ctx, definition, options[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(option.Value, option.Label)
	// Output: 1 Hot
}

func ExampleCustomFieldOptionsService_Delete() {
	service, _, client := simulation()
	definition := service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		APISlug: "priority", DataType: "enum", Options: []terminal49test.CustomFieldOption{{Label: "Hot", Value: "1"}},
	})
	ctx := context.Background()
	options, err := client.CustomFieldOptions.List(ctx, definition)
	if err != nil {
		log.Fatal(err)
	}
	if err := client.CustomFieldOptions.Delete(ctx, definition, options[0].ID); err != nil {
		log.Fatal(err)
	}
	_, err = client.CustomFieldOptions.Get(ctx, definition, options[0].ID)
	fmt.Println("deleted:", errors.Is(err, terminal49.ErrNotFound))
	// Output: deleted: true
}
