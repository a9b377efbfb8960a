package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/shopspring/decimal"
)

// The account keeps one document per content. Uploading it again returns the first one's id and
// name.
func ExampleDocumentsService_Upload() {
	_, _, client := simulation()
	ctx := context.Background()
	for range 2 {
		file := strings.NewReader("Invoice INV-1001") // or an *os.File
		document, err := client.Documents.Upload(ctx, terminal49.DocumentFile{
			Name: "Invoice 1001", FileName: "inv.pdf", Content: file,
		})
		var duplicate *terminal49.DuplicateDocumentError
		switch {
		case errors.As(err, &duplicate):
			fmt.Println("exists already:", duplicate.ExistingName)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println("uploaded", document.Name)
		}
	}
	// Output:
	// uploaded Invoice 1001
	// exists already: Invoice 1001
}

// For returns the schema that a document's extraction follows, to validate it against.
func ExampleDocumentSchemasService_For() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{
		DocumentType: "commercial_invoice",
		Payload:      map[string]any{"invoice_number": "INV-1001", "total_amount": "12450.00"},
	})
	ctx := context.Background()
	document, err := client.Documents.Get(ctx, id, &terminal49.DocumentGetParams{
		Include: []terminal49.DocumentInclude{terminal49.DocumentIncludeExtraction},
	})
	if err != nil {
		log.Fatal(err)
	}
	schema, err := client.DocumentSchemas.For(ctx, document)
	if err != nil {
		log.Fatal(err)
	}
	extraction, _ := document.Extraction.Value()
	fmt.Println(schema.ID, documentschema.Validate(schema, extraction.Payload))
	// Output: commercial_invoice@2026-03-23 <nil>
}

// The attachments of e-mails to the account's address become documents.
func ExampleEmailSubmissionsService_All() {
	service, _, client := simulation()
	service.ReceiveEmail(
		terminal49test.EmailSubmission{Subject: "Papers for MAEU123456789", From: []string{"forwarder@example.com"}},
		terminal49test.Document{FileName: "invoice.pdf", Content: []byte("invoice")},
	)
	for email, err := range client.EmailSubmissions.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		documents, _ := email.Documents.Values()
		fmt.Println(email.Subject, email.From, documents[0].Name)
	}
	// Output:
	// Papers for MAEU123456789 [forwarder@example.com] invoice.pdf
	// Arrival notice MAEU240711002 [import@line.example] arrival-notice-MAEU240711002.pdf
}

// A port is found by its id or its UN/LOCODE.
func ExamplePortsService_Get() {
	_, _, client := simulation()
	ctx := context.Background()
	port, err := client.Ports.Get(ctx, "USLAX")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(port.Name, port.TimeZone, port.Terminals.Len(), "terminals")
	// Output: Los Angeles America/Los_Angeles 2 terminals
}

func ExampleTerminalsService_Get() {
	_, _, client := simulation()
	ctx := context.Background()
	port, err := client.Ports.Get(ctx, "USLAX")
	if err != nil {
		log.Fatal(err)
	}
	for _, id := range port.Terminals.IDs() {
		terminal, err := client.Terminals.Get(ctx, id)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(terminal.Nickname, "rail ramp:", terminal.IsRail())
	}
	// Output:
	// WBCT rail ramp: false
	// APMT LA rail ramp: false
}

// A metro area is an inland destination, found by its id or its UN/LOCODE.
func ExampleMetroAreasService_Get() {
	_, _, client := simulation()
	area, err := client.MetroAreas.Get(context.Background(), "USCHI")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(area.Name, area.StateAbbr, area.TimeZone)
	// Output: Chicago IL America/Chicago
}

// The map of a container names the vessel it is on and the leg it is sailing.
func ExampleVesselsService_FuturePositions() {
	service, demo, client := simulation()
	ctx := context.Background()
	m, err := client.Containers.Map(ctx, containerOf(service, demo.Shipments[4]))
	if err != nil {
		log.Fatal(err)
	}
	vessel, atSea := m.CurrentVessel()
	if !atSea {
		return
	}
	leg := terminal49.VesselLeg{PreviousPortID: vessel.Departure.ID, NextPortID: vessel.Arrival.ID}
	ahead, err := client.Vessels.FuturePositions(ctx, vessel.VesselID, leg)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("arrives", ahead.Positions[len(ahead.Positions)-1].Timestamp)
	// Output: arrives 2024-07-11 13:04 UTC
}

// A party is created once, because its company name is unique within the account. Each shipment can
// then give it a role.
func ExamplePartiesService_Create() {
	_, demo, client := simulation()
	ctx := context.Background()
	fields := terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"}
	party, err := client.Parties.Create(ctx, fields)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Parties.Create(ctx, fields)
	fmt.Println("duplicate:", errors.Is(err, terminal49.ErrDuplicate))

	role, err := client.Shipments.AddPartyRole(ctx, demo.Shipments[0], terminal49.PartyRoleNotifyParty, party.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(party.CompanyName, "is", role.Role)
	// Output:
	// duplicate: true
	// Bay Bridge Coffee is notify_party
}

// Search finds shipments, containers and tracking requests by number or reference.
func ExampleSearchService_Query() {
	_, _, client := simulation()
	hits, err := client.Search.Query(context.Background(), "PO-10231")
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range hits {
		switch hit.Kind() {
		case terminal49.SearchKindShipment:
			fmt.Println("shipment", hit.Number, "to", hit.PortOfDischargeName)
		case terminal49.SearchKindContainer:
			fmt.Println("container", hit.Number)
		case terminal49.SearchKindTrackingRequest:
			fmt.Println("tracking request", hit.Number, hit.Status)
		}
	}
	// Output:
	// shipment MAEU240711002 to Los Angeles
	// container MSKU7182411
	// container MSKU7182047
}

// List the shipping lines that cannot track by container number.
func ExampleShippingLinesService_List() {
	_, _, client := simulation()
	lines, err := client.ShippingLines.List(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range lines {
		if !line.Supports(terminal49.RequestTypeContainer) {
			fmt.Println(line.SCAC, line.ShortName)
		}
	}
	// Output:
	// TEST Test
	// ZIMU ZIM
}

// A field is defined once; then every shipment can have a value for it. The entity type, slug and
// data type of a definition are fixed.
func ExampleCustomFieldDefinitionsService_Create() {
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
	field, err := client.Shipments.SetCustomField(ctx, shipment, "duty", duty)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(field.APISlug, field.Value)
	// Output: duty 1840.25
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

// The custom field values of all shipments of the account.
func ExampleCustomFieldsService_All() {
	service, demo, client := simulation()
	service.AddCustomFieldDefinition(terminal49test.CustomFieldDefinition{
		APISlug: "paid", DisplayName: "Paid", DataType: "boolean",
	})
	ctx := context.Background()
	_, err := client.Shipments.SetCustomField(ctx, demo.Shipments[0], "paid", terminal49.CustomBoolean(true))
	if err != nil {
		log.Fatal(err)
	}

	onShipments := &terminal49.CustomFieldListParams{EntityType: terminal49.CustomFieldEntityShipment}
	for field, err := range client.CustomFields.All(ctx, onShipments) {
		if err != nil { // if the service fails here, list the values of each shipment instead
			log.Fatal(err)
		}
		fmt.Println(field.APISlug, field.DisplayValue, field.Entity.ID() == demo.Shipments[0])
	}
	// Output: paid Yes true
}

// The reference object of a notification is what it is about. Its type depends on the event.
func ExampleWebhookNotificationsService_All() {
	service, demo, client := simulation()
	service.AddWebhook(terminal49test.Webhook{URL: "https://example.com/terminal49", Events: []string{"container.updated"}})
	service.UpdateContainer(containerOf(service, demo.Shipments[1]), func(c *terminal49test.Container) {
		c.AvailableForPickup = terminal49test.Bool(true)
	})
	params := &terminal49.WebhookNotificationListParams{
		Include: []terminal49.WebhookNotificationInclude{terminal49.WebhookNotificationIncludeReferenceObject},
	}
	for n, err := range client.WebhookNotifications.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		about, _ := n.ReferenceObject.Value()
		switch event := about.(type) {
		case *terminal49.ContainerUpdatedEvent:
			fmt.Println(n.Event, event.Changeset.Attributes())
		default: // such as *terminal49.TransportEvent
			fmt.Println(n.Event)
		}
	}
	// Output: container.updated [available_for_pickup]
}

// Ensure can run at every start: it creates the webhook, or adjusts the one that has the URL.
func ExampleWebhooksService_Ensure() {
	service, _, client := simulation()
	const url = "https://example.com/terminal49"
	for _, events := range [][]terminal49.EventName{
		{terminal49.EventContainerUpdated},
		{terminal49.EventContainerUpdated, terminal49.EventTrackingRequestFailed},
	} {
		hook, err := client.Webhooks.Ensure(context.Background(), url, events, terminal49.WithUnstable(terminal49.UnstableNoRivalCheck)) // nobody else creates it
		if err != nil {
			log.Fatal(err)
		}
		stored, _ := service.Webhook(hook.ID)
		fmt.Println(hook.Active, stored.Events)
	}
	// Output:
	// true [container.updated]
	// true [container.updated tracking_request.failed]
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

// A receiver of your own can read an event that is new to this version, and reach its container.
func ExampleParseWebhookNotification() {
	n, warnings, err := terminal49.ParseWebhookNotification([]byte(`{
		"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.weighed"},
			"relationships": {"reference_object": {"data": {"id": "2", "type": "weighing"}}}},
		"included": [
			{"id": "2", "type": "weighing", "relationships": {"container": {"data": {"id": "3", "type": "container"}}}},
			{"id": "3", "type": "container", "attributes": {"number": "MSCU1234566"}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	if about, ok := n.ReferenceObject.Value(); ok {
		if unknown, ok := about.(*terminal49.UnknownResource); ok {
			container, _ := unknown.Container().Value()
			fmt.Println(n.Event, "of", container.Number, len(warnings), "warnings")
		}
	}
	// Output: container.weighed of MSCU1234566 0 warnings
}
