package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// withBuyer is a simulation in which a shipment, container or tracking request has a value for the
// field "buyer". It returns the ids of both.
func withBuyer(kind terminal49.CustomFieldEntityType) (client *terminal49.Client, of, field string) {
	service, demo, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "buyer", EntityType: string(kind)})
	switch kind {
	case terminal49.CustomFieldEntityContainer:
		of = containerOf(service, demo.Shipments[0])
	case terminal49.CustomFieldEntityTrackingRequest:
		of = service.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "MAEU123456", SCAC: "MAEU"})
	default:
		of = demo.Shipments[0]
	}
	field, err := service.AddCustomField(terminal49test.CustomField{Entity: of, APISlug: "buyer", Value: "Ann"})
	if err != nil {
		log.Fatal(err)
	}
	return client, of, field
}

// Create sets a field of the resource that it names.
func ExampleCustomFieldsService_Create() {
	service, demo, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{APISlug: "paid", DataType: "boolean"})
	field, err := client.CustomFields.Create(context.Background(), terminal49.CustomFieldCreate{
		APISlug: "paid", Value: terminal49.CustomBoolean(true), ShipmentID: demo.Shipments[0],
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.APISlug, field.DisplayValue)
	// Output: paid Yes
}

func ExampleCustomFieldsService_Get() {
	client, shipment, id := withBuyer(terminal49.CustomFieldEntityShipment)
	field, err := client.CustomFields.Get(context.Background(), id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.APISlug, field.Value, field.Entity.ID() == shipment)
	// Output: buyer Ann true
}

func ExampleCustomFieldsService_List() {
	client, _, _ := withBuyer(terminal49.CustomFieldEntityShipment)
	page, err := client.CustomFields.List(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, page.Items[0].Value)
	// Output: 1 Ann
}

func ExampleCustomFieldsService_All() {
	client, _, _ := withBuyer(terminal49.CustomFieldEntityShipment)
	params := &terminal49.CustomFieldListParams{EntityType: terminal49.CustomFieldEntityShipment}
	for field, err := range client.CustomFields.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(field.APISlug, field.Value)
	}
	// Output: buyer Ann
}

func ExampleCustomFieldsService_Update() {
	client, _, id := withBuyer(terminal49.CustomFieldEntityShipment)
	field, err := client.CustomFields.Update(context.Background(), id, terminal49.CustomText("Bob"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.Value)
	// Output: Bob
}

func ExampleCustomFieldsService_Delete() {
	client, _, id := withBuyer(terminal49.CustomFieldEntityShipment)
	ctx := context.Background()
	if err := client.CustomFields.Delete(ctx, id); err != nil {
		log.Fatal(err)
	}
	_, err := client.CustomFields.Get(ctx, id)
	fmt.Println("deleted:", errors.Is(err, terminal49.ErrNotFound))
	// Output: deleted: true
}

func ExampleShipmentsService_CustomFields() {
	client, shipment, _ := withBuyer(terminal49.CustomFieldEntityShipment)
	fields, err := client.Shipments.CustomFields(context.Background(), shipment)
	if err != nil {
		log.Fatal(err)
	}
	for _, field := range fields {
		fmt.Println(field.APISlug, field.Value)
	}
	// Output: buyer Ann
}

func ExampleShipmentsService_DeleteCustomField() {
	client, shipment, _ := withBuyer(terminal49.CustomFieldEntityShipment)
	ctx := context.Background()
	if err := client.Shipments.DeleteCustomField(ctx, shipment, "buyer"); err != nil {
		log.Fatal(err)
	}
	fields, err := client.Shipments.CustomFields(ctx, shipment)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(fields), "values")
	// Output: 0 values
}

func ExampleContainersService_CustomFields() {
	client, container, _ := withBuyer(terminal49.CustomFieldEntityContainer)
	fields, err := client.Containers.CustomFields(context.Background(), container)
	if err != nil {
		log.Fatal(err)
	}
	for _, field := range fields {
		fmt.Println(field.APISlug, field.Value)
	}
	// Output: buyer Ann
}

func ExampleContainersService_UpdateCustomField() {
	client, container, _ := withBuyer(terminal49.CustomFieldEntityContainer)
	field, err := client.Containers.UpdateCustomField(context.Background(), container, "buyer", terminal49.CustomText("Bob"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.Value)
	// Output: Bob
}

func ExampleContainersService_DeleteCustomField() {
	client, container, _ := withBuyer(terminal49.CustomFieldEntityContainer)
	ctx := context.Background()
	if err := client.Containers.DeleteCustomField(ctx, container, "buyer"); err != nil {
		log.Fatal(err)
	}
	fields, err := client.Containers.CustomFields(ctx, container)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(fields), "values")
	// Output: 0 values
}

func ExampleTrackingRequestsService_CustomFields() {
	client, request, _ := withBuyer(terminal49.CustomFieldEntityTrackingRequest)
	fields, err := client.TrackingRequests.CustomFields(context.Background(), request)
	if err != nil {
		log.Fatal(err)
	}
	for _, field := range fields {
		fmt.Println(field.APISlug, field.Value)
	}
	// Output: buyer Ann
}

func ExampleTrackingRequestsService_UpdateCustomField() {
	client, request, _ := withBuyer(terminal49.CustomFieldEntityTrackingRequest)
	field, err := client.TrackingRequests.UpdateCustomField(context.Background(), request, "buyer", terminal49.CustomText("Bob"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.Value)
	// Output: Bob
}

func ExampleTrackingRequestsService_DeleteCustomField() {
	client, request, _ := withBuyer(terminal49.CustomFieldEntityTrackingRequest)
	ctx := context.Background()
	if err := client.TrackingRequests.DeleteCustomField(ctx, request, "buyer"); err != nil {
		log.Fatal(err)
	}
	fields, err := client.TrackingRequests.CustomFields(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(fields), "values")
	// Output: 0 values
}
