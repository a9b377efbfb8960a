package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
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

// Track a number and wait until its shipment is known. Running this twice creates one tracking
// request.
func ExampleTrackingRequestsService_Track() {
	service, demo, client := simulation()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	tracked, err := client.TrackingRequests.Track(ctx, demo.Untracked, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tracked.Request.SCAC, tracked.Request.RequestType, tracked.Result)

	service.Advance(time.Minute) // the simulated time that the shipping line takes
	request, err := client.TrackingRequests.Wait(ctx, tracked.Request.ID, nil)
	if err != nil {
		log.Fatal(err)
	}
	if shipment, ok := request.Shipment.Value(); ok {
		fmt.Println(shipment.BillOfLadingNumber, "to", shipment.PortOfDischargeName)
	}
	// Output:
	// HLCU bill_of_lading created
	// HLCUSHA2406118 to New York / New Jersey
}

// Confirm decides when the service is not sure of the shipping line.
func ExampleTrackParams() {
	service, _, client := simulation()
	service.Script("SHA7781234", terminal49test.Journey{Inference: &terminal49test.Inference{
		NumberType: "bill_of_lading", SCAC: "EGLV", Confidence: 0.81,
		OtherCandidates: []terminal49test.CarrierCandidate{{SCAC: "ONEY", Confidence: 0.74}},
	}})

	tracked, err := client.TrackingRequests.Track(context.Background(), "SHA7781234", &terminal49.TrackParams{
		ReferenceNumbers: []string{"PO-10301"},
		Confirm: func(_ context.Context, guess *terminal49.Inference) (string, error) {
			for _, line := range guess.Carrier.Candidates {
				fmt.Printf("%s %.0f %%\n", line.Name, 100*line.Confidence)
			}
			return "ONEY", nil // the user's choice
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tracked.Request.SCAC, tracked.Request.RequestType, tracked.Request.Status)
	// Output:
	// Evergreen 81 %
	// Ocean Network Express 74 %
	// ONEY bill_of_lading pending
}

// TrackAll tracks a list of numbers within the rate limits and yields one outcome per number.
func ExampleTrackingRequestsService_TrackAll() {
	_, _, client := simulation()
	numbers := []string{"MAEU240711301", "MSKU7182047", "MSKU7182048", "99887766", "MAEU240711301"}

	for outcome := range client.TrackingRequests.TrackAll(context.Background(), terminal49.NumbersToTrack(numbers...), nil) {
		switch outcome.Result {
		case terminal49.TrackResultCreated, terminal49.TrackResultExisting, terminal49.TrackResultFoundAfterUnknown:
			fmt.Println(outcome.Number, outcome.Result, "at", outcome.Request.SCAC)
		case terminal49.TrackResultContainerTracked:
			fmt.Println(outcome.Number, "is tracked by its bill of lading")
		case terminal49.TrackResultNeedsConfirmation:
			fmt.Println(outcome.Number, "has", len(outcome.Candidates), "candidates")
		case terminal49.TrackResultInvalid:
			fmt.Println(outcome.Number, "is invalid") // the reason is outcome.Reason
		default:
			fmt.Println(outcome.Number, "failed:", outcome.Err)
		}
	}
	// Output:
	// MAEU240711301 created at MAEU
	// MSKU7182047 is tracked by its bill of lading
	// MSKU7182048 is invalid
	// 99887766 has 0 candidates
	// MAEU240711301 existing at MAEU
}

func ExampleShipmentsService_All() {
	_, _, client := simulation()
	params := &terminal49.ShipmentListParams{TrackingStopped: terminal49.Some(false)}
	for shipment, err := range client.Shipments.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(shipment.BillOfLadingNumber, shipment.CustomerName, shipment.ReferenceNumbers)
		if shipment.ShippingLineSCAC == "CMDU" {
			break // no further page is fetched
		}
	}
	// Output:
	// COSU240377906 Lakeside Home Goods [PO-7733]
	// EGLV240803771 Harbor Street Imports [PO-10260]
	// CMDU240512339 Lakeside Home Goods [PO-7702]
}

// A number names a piece of equipment. Each of its tracked voyages is a separate container.
func ExampleContainersService_FindByNumber() {
	_, _, client := simulation()
	params := &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludePODTerminal},
	}
	found, err := client.Containers.FindByNumber(context.Background(), "msku 718204-7", params)
	if err != nil {
		log.Fatal(err)
	}
	for _, container := range found {
		terminal, _ := container.PODTerminal.Value()
		fmt.Println(container.Number, container.CurrentStatus, "at", terminal.Nickname)
	}
	// Output: MSKU7182047 available at WBCT
}

// What a dispatcher must collect this week at one port. The filters are newer than the service's
// published description: the client reports one that the service ignores.
func ExampleContainersService_All() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment}, // so that PODCode is checked
		Filter: terminal49.ContainerFilter{
			PODCode:       []string{"USLAX", "USLGB"},
			CurrentStatus: []terminal49.ContainerStatus{terminal49.StatusAvailable},
			PickupLFD: terminal49.DateRange{
				From: terminal49.Date{Year: 2024, Month: time.July, Day: 1},
				To:   terminal49.Date{Year: 2024, Month: time.July, Day: 5},
			},
		},
		Sort: []terminal49.ContainerSort{terminal49.ContainerSortPickupLFD},
	}
	for container, err := range client.Containers.All(context.Background(), params) {
		var ignored *terminal49.FilterIgnoredError
		if errors.As(err, &ignored) {
			log.Fatalf("filter on this side instead: the service does not have %s", ignored.Filter)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.PickupLFD)
	}
	// Output:
	// MSKU7182411 2024-07-04 00:00 -07:00
	// MSKU7182047 2024-07-04 00:00 -07:00
}

// Watch polls with growing intervals and yields what changed since the reading that was kept.
func ExampleContainersService_Watch() {
	service, demo, client := simulation()
	ctx := context.Background()
	id := containerOf(service, demo.Shipments[1])
	stored, err := client.Containers.Get(ctx, id, nil)
	if err != nil {
		log.Fatal(err)
	}
	service.UpdateContainer(id, func(c *terminal49test.Container) { // meanwhile, at the terminal
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})

	for change, err := range client.Containers.Watch(ctx, id, &terminal49.ContainerWatchParams{LastReading: stored}) {
		if err != nil {
			log.Fatal(err)
		}
		meaning := change.Changes()
		for _, hold := range meaning.Holds {
			fmt.Println(change.After.Number, "hold", hold.Old.Name, hold.Kind)
		}
		if meaning.BecameReady() {
			fmt.Println(change.After.Number, "can be picked up")
			break
		}
	}
	// Output:
	// MEDU3309188 hold customs cleared
	// MEDU3309188 can be picked up
}

// The map needs the Routing Data feature.
func ExampleContainersService_Map() {
	service, demo, client := simulation()
	m, err := client.Containers.Map(context.Background(), containerOf(service, demo.Shipments[4]))
	if errors.Is(err, terminal49.ErrFeatureNotEnabled) {
		fmt.Println("the account has no Routing Data")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, port := range m.Ports() {
		fmt.Printf("%s %s: in %v, out %v\n", port.Label, port.Name, port.InboundATA, port.OutboundATD)
	}
	if vessel, atSea := m.CurrentVessel(); atSea {
		fmt.Printf("%s is due in %s on %v\n", vessel.Name, vessel.Arrival.Name, vessel.Arrival.At)
	}
	// Output:
	// POL Shanghai: in -, out 2024-06-24 03:04 +08:00
	// TS1 Busan: in 2024-06-28 04:04 +09:00, out 2024-06-30 04:04 +09:00
	// POD Los Angeles: in -, out -
	// NORTHERN JUBILEE is due in Los Angeles on 2024-07-11 06:04 -07:00
}
