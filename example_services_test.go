package terminal49_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

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

// Wait until the service has extracted a document. Its Extraction is then included.
func ExampleDocumentsService_WaitExtracted() {
	service, _, client := simulation(terminal49test.WithSpeed(3600)) // an hour of the service's work takes a second
	id := service.AddDocument(terminal49test.Document{FileName: "inv.pdf", Content: []byte("Invoice INV-1001")})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	document, err := client.Documents.WaitExtracted(ctx, id, &terminal49.DocumentWaitParams{
		MinInterval: 10 * time.Millisecond, // leave it out with the real service
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.DocumentType, document.Extraction.State())
	// Output: commercial_invoice included
}

func ExampleDocumentsService_Download() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "notice.txt", Content: []byte("Arrival notice\n")})
	n, err := client.Documents.Download(context.Background(), id, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "bytes")
	// Output:
	// Arrival notice
	// 15 bytes
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

	// The same from another position, such as a newer one of your own.
	position := terminal49.Coordinates{Latitude: 40.2, Longitude: -170}
	ahead, err = client.Vessels.FuturePositionsFrom(ctx, vessel.VesselID, leg, position)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("from", ahead.Positions[0].Latitude, ahead.Positions[0].Longitude)
	// Output:
	// arrives 2024-07-11 13:04 UTC
	// from 40.2 -170
}

// Create, rename and read a party. The company name is unique within the account.
func ExamplePartiesService() {
	_, _, client := simulation()
	ctx := context.Background()

	party, err := client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Parties.Create(ctx, terminal49.PartyFields{CompanyName: "Bay Bridge Coffee"})
	fmt.Println("duplicate:", errors.Is(err, terminal49.ErrDuplicate))

	rename := terminal49.PartyFields{CompanyName: "Bay Bridge Tea"}
	if _, err := client.Parties.Update(ctx, party.ID, rename); err != nil {
		log.Fatal(err)
	}
	party, err = client.Parties.Get(ctx, party.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("renamed:", party.CompanyName)
	// Output:
	// duplicate: true
	// renamed: Bay Bridge Tea
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

// Assign a role for a shipment to a party. Several parties may have the same role.
func ExampleShipmentsService_AddPartyRole() {
	_, demo, client := simulation()
	ctx, shipment := context.Background(), demo.Shipments[0]
	var notified string
	for party, err := range client.Parties.All(ctx, &terminal49.PartyListParams{Query: "lakeside"}) {
		if err != nil {
			log.Fatal(err)
		}
		notified = party.ID
	}
	added, err := client.Shipments.AddPartyRole(ctx, shipment, terminal49.PartyRoleNotifyParty, notified)
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Shipments.AddPartyRole(ctx, shipment, terminal49.PartyRoleNotifyParty, notified)
	fmt.Println("duplicate:", errors.Is(err, terminal49.ErrDuplicate))

	roles, err := client.Shipments.PartyRoles(ctx, shipment)
	if err != nil {
		log.Fatal(err)
	}
	for _, role := range roles {
		party, _ := role.Party.Value()
		fmt.Println(role.Role, party.CompanyName)
	}
	fmt.Println("removed:", client.Shipments.RemovePartyRole(ctx, shipment, added.ID) == nil)
	// Output:
	// duplicate: true
	// notify_party Lakeside Home Goods
	// removed: true
}

func ExampleSearchShippingLines() {
	lines := []*terminal49.ShippingLine{ // from ShippingLines.List
		{SCAC: "MSCU", Name: "Mediterranean Shipping Company", ShortName: "MSC", AlternativeSCACs: []string{"MEDU"}},
		{SCAC: "COSU", Name: "COSCO Shipping Lines", ShortName: "COSCO"},
	}
	for _, match := range terminal49.SearchShippingLines(lines, "shipping") {
		fmt.Println(match.SCAC, match.ShortName)
	}
	// Output:
	// COSU COSCO
	// MSCU MSC
}

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

// A failed delivery is not an error; check Succeeded.
func ExampleWebhooksService_Trigger() {
	broken := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	srv := terminal49test.NewServer(terminal49test.WithWebhookHandler(broken))
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}

	result, err := client.Webhooks.Trigger(context.Background(), terminal49.WebhookTrigger{
		URL: "https://example.com/terminal49", Event: terminal49.EventContainerUpdated, Secret: terminal49.NewSecret("a test"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("delivered:", result.Succeeded)
	fmt.Println("status:", result.StatusCode)
	// Output:
	// delivered: false
	// status: 418
}

func ExampleWebhookNotificationsService_All() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}
	container := srv.AddContainer(terminal49test.Container{Number: "MSCU1234566"})
	srv.AddWebhook(terminal49test.Webhook{URL: "https://example.com", Events: []string{"container.updated"}})
	srv.UpdateContainer(container, func(c *terminal49test.Container) { c.AvailableForPickup = terminal49test.Bool(true) })

	for n, err := range client.WebhookNotifications.All(context.Background(), &terminal49.WebhookNotificationListParams{
		Include: []terminal49.WebhookNotificationInclude{terminal49.WebhookNotificationIncludeReferenceObject},
	}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		about, _ := n.ReferenceObject.Value()
		switch event := about.(type) {
		case *terminal49.ContainerUpdatedEvent:
			fmt.Println(n.Event, event.Changeset.Attributes())
		case *terminal49.TransportEvent:
			fmt.Println(n.Event, event.Timestamp)
		default:
			fmt.Println(n.Event)
		}
	}
	// Output:
	// container.updated [available_for_pickup]
}

func ExampleWebhookNotificationsService_Examples() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}

	examples, err := client.WebhookNotifications.Examples(context.Background(), terminal49.EventShipmentEstimatedArrival)
	if err != nil {
		fmt.Println(err)
		return
	}
	if estimate, ok := examples[0].ReferenceObject.Value(); ok {
		fmt.Printf("%T\n", estimate)
	}
	// Output:
	// *terminal49.EstimatedEvent
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
