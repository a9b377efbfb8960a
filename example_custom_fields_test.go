package terminal49_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// A field is defined once; then every shipment can have a value for it.
func ExampleShipmentsService_SetCustomField() {
	_, demo, client := simulation()
	ctx, shipment := context.Background(), demo.Shipments[0]

	_, err := client.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityShipment,
		APISlug:    "duty", DisplayName: "Duty, USD", DataType: terminal49.CustomFieldNumber,
	})
	if err != nil {
		log.Fatal(err)
	}
	duty := terminal49.CustomNumber(decimal.RequireFromString("1840.25"))
	if _, err := client.Shipments.SetCustomField(ctx, shipment, "duty", duty); err != nil {
		log.Fatal(err)
	}
	fields, err := client.Shipments.CustomFields(ctx, shipment)
	if err != nil {
		log.Fatal(err)
	}
	for _, field := range fields {
		if amount, ok := field.Value.Number(); ok {
			fmt.Println(field.APISlug, amount)
		}
	}
	// Output: duty 1840.25
}

// Update replaces a value, Delete removes it. Without a value, both return ErrNotFound.
func ExampleShipmentsService_UpdateCustomField() {
	service, demo, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer", DisplayName: "Buyer"})
	ctx, shipment := context.Background(), demo.Shipments[0]

	_, err := client.Shipments.UpdateCustomField(ctx, shipment, "buyer", terminal49.CustomText("Ann"))
	fmt.Println("no value:", errors.Is(err, terminal49.ErrNotFound))
	if _, err := client.Shipments.SetCustomField(ctx, shipment, "buyer", terminal49.CustomText("Ann")); err != nil {
		log.Fatal(err)
	}
	field, err := client.Shipments.UpdateCustomField(ctx, shipment, "buyer", terminal49.CustomText("Bob"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.Value)
	if err := client.Shipments.DeleteCustomField(ctx, shipment, "buyer"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// no value: true
	// Bob
}

// Fields of containers work as those of shipments do.
func ExampleContainersService_SetCustomField() {
	service, demo, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		EntityType: "Container", APISlug: "yard", DisplayName: "Yard",
	})
	ctx, container := context.Background(), containerOf(service, demo.Shipments[0])

	if _, err := client.Containers.SetCustomField(ctx, container, "yard", terminal49.CustomText("Y4")); err != nil {
		log.Fatal(err)
	}
	if _, err := client.Containers.UpdateCustomField(ctx, container, "yard", terminal49.CustomText("Y7")); err != nil {
		log.Fatal(err)
	}
	fields, err := client.Containers.CustomFields(ctx, container)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fields[0].DisplayValue)
	if err := client.Containers.DeleteCustomField(ctx, container, "yard"); err != nil {
		log.Fatal(err)
	}
	// Output: Y7
}

// A tracking request can have values of its own.
func ExampleTrackingRequestsService_SetCustomField() {
	service, _, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		EntityType: "TrackingRequest", APISlug: "desk", DisplayName: "Desk",
	})
	request := service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456", SCAC: "MAEU"})
	ctx := context.Background()

	for _, desk := range []string{"imports", "rail"} { // the second replaces the first
		_, err := client.TrackingRequests.SetCustomField(ctx, request, "desk", terminal49.CustomText(desk))
		if err != nil {
			log.Fatal(err)
		}
	}
	fields, err := client.TrackingRequests.CustomFields(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(fields), fields[0].Value)

	field, err := client.TrackingRequests.UpdateCustomField(ctx, request, "desk", terminal49.CustomNull())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("cleared:", field.Value.IsNull())
	if err := client.TrackingRequests.DeleteCustomField(ctx, request, "desk"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 rail
	// cleared: true
}

// A value that the service would refuse is an error before anything is sent.
func ExampleCustomDate() {
	_, demo, client := simulation()
	due := terminal49.CustomDate(terminal49.Date{Year: 2026, Month: 2, Day: 30})
	_, err := client.Shipments.SetCustomField(context.Background(), demo.Shipments[0], "due", due)
	var argument *terminal49.ArgumentError
	fmt.Println(errors.As(err, &argument), argument.Field)
	// Output: true value
}

// A value does not carry its data type; the definition does.
func ExampleCustomFieldValue() {
	show := func(dataType terminal49.CustomFieldDataType, value terminal49.CustomFieldValue) string {
		if value.IsNull() {
			return "nothing"
		}
		switch dataType {
		case terminal49.CustomFieldDate:
			if day, ok := value.Date(); ok {
				return fmt.Sprintf("%v %d", day.Month, day.Day)
			}
		case terminal49.CustomFieldEnumMulti:
			if options, ok := value.EnumMulti(); ok {
				return strings.Join(options, " and ")
			}
		}
		return value.String() // any other data type, including unknown ones
	}
	fmt.Println(show(terminal49.CustomFieldDate, terminal49.CustomJSON([]byte(`"2026-03-02"`))))
	fmt.Println(show(terminal49.CustomFieldEnumMulti, terminal49.CustomJSON([]byte(`["fob","cif"]`))))
	fmt.Println(show(terminal49.CustomFieldShortText, terminal49.CustomNull()))
	// Output:
	// March 2
	// fob and cif
	// nothing
}

// The values of a tracking request's InitialCustomFields go to the shipment and containers it
// finds.
func ExampleInitialCustomFields() {
	request := terminal49.TrackingRequestCreate{
		RequestType: terminal49.RequestTypeBillOfLading, RequestNumber: "MAEU123456", SCAC: "MAEU",
		InitialCustomFields: terminal49.InitialCustomFields{
			Shipment: []terminal49.InitialCustomField{{APISlug: "buyer", Value: terminal49.CustomText("Ann")}},
			Containers: []terminal49.InitialCustomField{
				{APISlug: "urgent", Value: terminal49.CustomBoolean(true)},
			},
		},
	}
	fmt.Println(request.InitialCustomFields.Shipment[0].Value)
	// Output: Ann
}

// Create, change, list and delete definitions. The entity type, slug and data type are fixed.
func ExampleCustomFieldDefinitionsService() {
	_, _, client := simulation()
	ctx := context.Background()

	created, err := client.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityShipment,
		APISlug:    "buyer", DisplayName: "Buyer", DataType: terminal49.CustomFieldShortText,
		Validation: json.RawMessage(`{"max_length": 35}`),
	})
	if err != nil {
		log.Fatal(err)
	}
	change := terminal49.CustomFieldDefinitionUpdate{DisplayName: terminal49.Some("Buyer's name")}
	if _, err := client.CustomFieldDefinitions.Update(ctx, created.ID, change); err != nil {
		log.Fatal(err)
	}
	for definition, err := range client.CustomFieldDefinitions.All(ctx, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(definition.APISlug, definition.DisplayName, definition.DataType, string(definition.Validation))
	}
	if err := client.CustomFieldDefinitions.Delete(ctx, created.ID); err != nil {
		log.Fatal(err)
	}
	_, err = client.CustomFieldDefinitions.Get(ctx, created.ID)
	fmt.Println("deleted:", errors.Is(err, terminal49.ErrNotFound))
	// Output:
	// buyer Buyer's name short_text {"max_length":35}
	// deleted: true
}

// The service sends every definition on each page, so prefer All.
func ExampleCustomFieldDefinitionsService_Pages() {
	service, _, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "incoterm", DataType: "enum"})
	ctx := context.Background()

	params := &terminal49.CustomFieldDefinitionListParams{DataType: terminal49.CustomFieldEnum}
	page, err := client.CustomFieldDefinitions.List(ctx, params)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "definition, more:", page.HasNext())
	for page, err := range client.CustomFieldDefinitions.Pages(ctx, params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(page.Items[0].APISlug)
	}
	// Output:
	// 1 definition, more: false
	// incoterm
}

// The choices of an enum are the options of its definition. A value names an option by its Value;
// users see its Label.
func ExampleCustomFieldOptionsService_Create() {
	service, demo, client := simulation()
	ctx, container := context.Background(), containerOf(service, demo.Shipments[0])

	incoterm, err := client.CustomFieldDefinitions.Create(ctx, terminal49.CustomFieldDefinitionCreate{
		EntityType: terminal49.CustomFieldEntityContainer,
		APISlug:    "incoterm", DisplayName: "Incoterm", DataType: terminal49.CustomFieldEnum,
	})
	if err != nil {
		log.Fatal(err)
	}
	for value, label := range map[string]string{"fob": "Free on Board", "cif": "Cost, Insurance and Freight"} {
		option := terminal49.CustomFieldOptionCreate{Label: label, Value: value}
		if _, err := client.CustomFieldOptions.Create(ctx, incoterm.ID, option); err != nil {
			log.Fatal(err)
		}
	}
	field, err := client.Containers.SetCustomField(ctx, container, "incoterm", terminal49.CustomEnum("fob"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.Value, "is shown as", field.DisplayValue)
	// Output: fob is shown as Free on Board
}

// An option's label and position can be changed, its value cannot.
func ExampleCustomFieldOptionsService_Update() {
	service, _, client := simulation()
	definition := service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		APISlug: "priority", DataType: "enum",
		Options: []terminal49test.CustomFieldOption{{Label: "Hot", Value: "1"}, {Label: "Cold", Value: "2"}},
	})
	ctx := context.Background()

	options, err := client.CustomFieldOptions.List(ctx, definition)
	if err != nil {
		log.Fatal(err)
	}
	change := terminal49.CustomFieldOptionUpdate{Label: terminal49.Some("Urgent"), Position: terminal49.Some(1)}
	if _, err := client.CustomFieldOptions.Update(ctx, definition, options[0].ID, change); err != nil {
		log.Fatal(err)
	}
	option, err := client.CustomFieldOptions.Get(ctx, definition, options[0].ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(option.Value, option.Label, option.Position)
	if err := client.CustomFieldOptions.Delete(ctx, definition, option.ID); err != nil {
		log.Fatal(err)
	}
	// Output: 1 Urgent 1
}

// The custom field values of the whole account, by their own ids.
func ExampleCustomFieldsService() {
	service, demo, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		APISlug: "paid", DisplayName: "Paid", DataType: "boolean",
	})
	ctx := context.Background()

	field, err := client.CustomFields.Create(ctx, terminal49.CustomFieldCreate{
		APISlug: "paid", Value: terminal49.CustomBoolean(false), ShipmentID: demo.Shipments[0],
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := client.CustomFields.Update(ctx, field.ID, terminal49.CustomBoolean(true)); err != nil {
		log.Fatal(err)
	}
	onShipments := &terminal49.CustomFieldListParams{EntityType: terminal49.CustomFieldEntityShipment}
	for field, err := range client.CustomFields.All(ctx, onShipments) {
		if err != nil { // if the service fails here, list the values of each shipment instead
			log.Fatal(err)
		}
		fmt.Println(field.APISlug, field.DisplayValue, field.Entity.ID() == demo.Shipments[0])
	}
	if err := client.CustomFields.Delete(ctx, field.ID); err != nil {
		log.Fatal(err)
	}
	_, err = client.CustomFields.Get(ctx, field.ID)
	fmt.Println("deleted:", errors.Is(err, terminal49.ErrNotFound))
	// Output:
	// paid Yes true
	// deleted: true
}

func ExampleCustomFieldsService_Pages() {
	service, demo, client := simulation()
	ctx := context.Background()
	ofContainer := &terminal49.CustomFieldListParams{
		EntityType: terminal49.CustomFieldEntityContainer, EntityID: containerOf(service, demo.Shipments[0]),
	}
	page, err := client.CustomFields.List(ctx, ofContainer)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("total:", page.Total)
	for page, err := range client.CustomFields.Pages(ctx, ofContainer) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "values")
	}
	// Output:
	// total: 0
	// 0 values
}
