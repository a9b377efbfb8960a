package terminal49

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

// decodeAs reads one resource whose attributes and relationships are given.
func decodeAs[T any](t testing.TB, typ, attributes, relationships string) (*T, []jsonapi.Warning) {
	t.Helper()
	var warnings []jsonapi.Warning
	body := fmt.Sprintf(`{"data":{"id":"x","type":%q,"links":{"self":"/v2/x"},"attributes":%s,"relationships":%s}}`, typ, attributes, relationships)
	items, _, err := jsonapi.Decode[T]([]byte(body), jsonapi.Options{
		Types: registry, Report: func(w jsonapi.Warning) { warnings = append(warnings, w) },
	})
	require.NoError(t, err, body)
	require.Len(t, items, 1)
	return items[0], warnings
}

func to1[T any](id, typ string) ToOne[*T] { return Linked[*T](typ, id) }

func toPlace(id, typ string) ToOne[Place] { return Linked[Place](typ, id) }

func to2[T any](typ string, ids ...string) ToMany[*T] {
	return LinkedAll[*T](typ, ids...)
}

func testRich[T any](t *testing.T, typ, attributes, relationships string, want T) {
	t.Run(typ, func(t *testing.T) {
		got, warnings := decodeAs[T](t, typ, attributes, relationships)
		require.Empty(t, warnings)
		require.Equal(t, want, *got)
	})
}

func TestDecode_EveryField(t *testing.T) {
	const mex, pac, chi, la, den = "America/Mexico_City", "US/Pacific", "America/Chicago", "America/Los_Angeles", "America/Denver"
	res := func(typ string) Resource { return Resource{ID: "x", Type: typ, Self: "/v2/x"} }
	testRich(t, "shipment", shipmentAttributes, shipmentRelationships, Shipment{
		Resource: res("shipment"), BillOfLadingNumber: "MAEU212157148", NormalizedNumber: "212157148",
		ReferenceNumbers: []string{"PO 1", "PO 2"}, Tags: []string{"hot"}, CreatedAt: inUTC("2026-01-01T01:02:03Z"),
		PortOfLadingLOCODE: "MXZLO", PortOfLadingName: "Manzanillo", PortOfDischargeLOCODE: "USOAK", PortOfDischargeName: "Port of Oakland",
		DestinationLOCODE: "USCHI", DestinationName: "Chicago", ShippingLineSCAC: "MAEU", ShippingLineName: "Maersk Line",
		ShippingLineShortName: "Maersk", CustomerName: "Ann & Sons", PODVesselName: "MAERSK EMDEN", PODVesselIMO: "9456769",
		PODVoyageNumber: "041N", POLETD: placed("2026-01-05T00:00:00Z", mex), POLATD: placed("2026-01-06T00:00:00Z", mex),
		POLOriginalETD: placed("2026-01-07T00:00:00Z", mex), PODETA: placed("2026-01-08T00:00:00Z", pac), PODOriginalETA: placed("2026-01-09T00:00:00Z", pac),
		PODATA: placed("2026-01-10T00:00:00Z", pac), DestinationETA: placed("2026-01-03T00:00:00Z", chi),
		DestinationOriginalETA: placed("2026-01-04T00:00:00Z", chi), DestinationATA: placed("2026-01-02T00:00:00Z", chi),
		POLTimezone: mex, PODTimezone: pac, DestinationTimezone: chi,
		LineTrackingLastAttemptedAt: inUTC("2026-01-11T00:00:00Z"), LineTrackingLastSucceededAt: inUTC("2026-01-12T00:00:00Z"),
		LineTrackingStoppedAt: inUTC("2026-01-13T00:00:00Z"), LineTrackingStoppedReason: StoppedPastArrivalWindow,
		PortOfLading: to1[Port]("1", "port"), PortOfDischarge: to1[Port]("2", "port"), Destination: toPlace("3", "metro_area"),
		PODTerminal: to1[Terminal]("4", "terminal"), DestinationTerminal: to1[Terminal]("5", "rail_terminal"),
		LineTrackingStoppedByUser: to1[User]("6", "user"), Containers: to2[Container]("container", "7", "8"),
		PartyRoles: to2[PartyRole]("party_role", "9"),
	})
	testRich(t, "container", containerAttributes, containerRelationships, Container{
		Resource: res("container"), Number: "MSCU1234566", ReferenceNumbers: []string{"PO 3"}, EquipmentType: EquipmentFlatRack,
		EquipmentLength: Some(40), EquipmentHeight: HeightHighCube, WeightPounds: Some(44090.5), SealNumber: "S1",
		CreatedAt: inUTC("2026-02-01T00:00:00Z"), CurrentStatus: StatusAwaitingInlandTransfer, AvailabilityKnown: Some(true),
		AvailableForPickup: Some(true),
		Holds:              []Hold{{Name: HoldCustoms, Status: HoldStatusActive, Description: "CBP exam", Detail: `{"terminal":"CBP HOLD"}`}, {Name: HoldFreight, Status: HoldStatusPending}},
		Fees: []Fee{
			{FeeDemurrage, decimal.RequireFromString("150.10"), "USD"}, {FeeExam, decimal.RequireFromString("0"), ""},
		},
		LocationAtPODTerminal: "Yard<br>B4", TerminalCheckedAt: inUTC("2026-02-02T00:00:00Z"), PickupLFD: placed("2026-02-03T08:00:00Z", la),
		PickupAppointmentAt: placed("2026-02-04T00:00:00Z", la),
		ImportDeadlines: ImportDeadlines{
			Line: placed("2026-02-06T06:00:00Z", chi), Terminal: placed("2026-02-03T08:00:00Z", la), Rail: placed("2026-02-05T06:00:00Z", chi),
			POD: &PODLastFreeDays{
				Line:     LastFreeDayHistory{Original: at(t, "2026-02-04", la), Current: placed("2026-02-06T08:00:00Z", la)},
				Facility: LastFreeDayHistory{Current: placed("2026-02-03T08:00:00Z", la), Calculated: at(t, "2026-02-05", la), Manual: true},
				Unified:  ChosenLastFreeDay{at(t, "2026-02-04", la), "line", placed("2026-02-03T08:00:00Z", la), "facility"},
			},
		},
		PODArrivedAt: placed("2026-02-07T00:00:00Z", la), PODDischargedAt: placed("2026-02-08T00:00:00Z", la), PODFullOutAt: placed("2026-02-09T00:00:00Z", la),
		PODFullOutChassisNumber: "CH1", FinalDestinationFullOutAt: placed("2026-02-10T00:00:00Z", chi), EmptyTerminatedAt: placed("2026-02-11T00:00:00Z", den),
		DeliveredAt: inUTC("2026-02-12T00:00:00Z"), EmptyOutAt: notTold("2026-02-13T00:00:00Z"), POLFullInAt: notTold("2026-02-14T00:00:00Z"),
		POLVesselLoadedAt: notTold("2026-02-15T00:00:00Z"), POLVesselDepartedAt: notTold("2026-02-16T00:00:00Z"),
		PODRailCarrierSCAC: "BNSF", INDRailCarrierSCAC: "CN", PODRailLoadedAt: placed("2026-02-17T00:00:00Z", la),
		PODRailDepartedAt: placed("2026-02-18T00:00:00Z", la), INDETA: placed("2026-02-19T00:00:00Z", chi), INDATA: placed("2026-02-20T00:00:00Z", chi),
		INDRailUnloadedAt: placed("2026-02-21T00:00:00Z", chi), INDFacilityLFD: placed("2026-02-22T00:00:00Z", chi),
		INDFacilityHolds: []Hold{{Name: HoldTMF, Status: HoldStatusActive, Description: "x"}}, INDFacilityFees: []Fee{{FeeOther, decimal.RequireFromString("7"), ""}},
		SSLLFD: placed("2026-02-23T00:00:00Z", chi), PODTimezone: la, FinalDestinationTimezone: chi, EmptyTerminatedTimezone: den,
		TerminalLastRequestedAt: inUTC("2026-02-24T00:00:00Z"), LineLastRequestedAt: inUTC("2026-02-25T00:00:00Z"),
		RailLastRequestedAt: inUTC("2026-02-26T00:00:00Z"),
		ReleaseStatuses:     `[{"customs":"held"}]`, INDETASources: `{"source":"rail"}`,
		Shipment: to1[Shipment]("1", "shipment"), PODTerminal: to1[Terminal]("2", "terminal"), PickupFacility: to1[Terminal]("3", "terminal"),
		TransportEvents: to2[TransportEvent]("transport_event", "4"), RawEvents: to2[RawEvent]("raw_event", "5"),
	})
	testRich(t, "tracking_request", trackingRequestAttributes, trackingRequestRelationships, TrackingRequest{
		Resource: res("tracking_request"), RequestNumber: "MEDU0000001", RequestType: RequestTypeBookingNumber, SCAC: "MSCU",
		Status: TrackingFailed, FailedReason: FailedNotFound, IsRetrying: true, RetryCount: Some(3), ReferenceNumbers: []string{"a"},
		Tags: []string{"b"}, ShipmentTags: []string{"c"}, CreatedAt: inUTC("2026-03-01T00:00:00Z"), UpdatedAt: inUTC("2026-03-02T00:00:00.25Z"),
		Shipment: to1[Shipment]("1", "shipment"), Customer: to1[Party]("2", "party"), User: to1[User]("3", "user"),
	})
	testRich(t, "transport_event", transportEventAttributes, transportEventRelationships, TransportEvent{
		Resource: res("transport_event"), Event: EventPickupLFDChanged, Timestamp: placed("2026-03-03T00:00:00Z", "Asia/Calcutta"),
		Timezone: "Asia/Calcutta", LocationLOCODE: "INNSA", VoyageNumber: "7W", DataSource: DataSourceRail, CreatedAt: inUTC("2026-03-04T00:00:00Z"),
		Value: placed("2026-03-05T00:00:00Z", "Asia/Calcutta"), ValueTimestamp: inUTC("2026-03-06T00:00:00Z"), InvalidatedAt: inUTC("2026-03-07T00:00:00Z"),
		Shipment: to1[Shipment]("1", "shipment"), Container: to1[Container]("2", "container"), Vessel: to1[Vessel]("3", "vessel"),
		Location: toPlace("4", "port"), Terminal: to1[Terminal]("5", "rail_terminal"), SourceEvent: to1[RawEvent]("6", "raw_event"),
		PreviousVersion: to1[TransportEvent]("7", "transport_event"),
	})
	testRich(t, "raw_event", rawEventAttributes, rawEventRelationships, RawEvent{
		Resource: res("raw_event"), Event: "vgm_received", OriginalEvent: "VGM", Timestamp: placed("2026-03-08T00:00:00Z", "Asia/Tokyo"), Estimated: true,
		ActualOn: dayOnly("2026-03-09"), EstimatedOn: dayOnly("2026-03-10"), ActualAt: placed("2026-03-11T00:00:00Z", "Asia/Tokyo"),
		EstimatedAt: placed("2026-03-12T00:00:00Z", "Asia/Tokyo"), WillOccurAt: placed("2026-03-13T00:00:00Z", "Asia/Tokyo"),
		InvalidatedAt: inUTC("2026-03-14T00:00:00Z"), Timezone: "Asia/Tokyo", CreatedAt: inUTC("2026-03-15T00:00:00Z"),
		LocationName: "Tokyo Bay", LocationLOCODE: "JPTYO", VesselName: "EVER", VesselIMO: "1", VoyageNumber: "2", Index: Some(4),
		DataSource: DataSourceShippingLine, DataProviderName: "COSCO", DataProviderCode: "COSU",
		Location: toPlace("1", "metro_area"), Vessel: to1[Vessel]("2", "vessel"), Container: to1[Container]("3", "container"),
		Terminal: to1[Terminal]("4", "terminal"),
	})
	testRich(t, "shipping_line", shippingLineAttributes, `{}`, ShippingLine{
		Resource: res("shipping_line"), SCAC: "MAEU", Name: "Maersk Line", ShortName: "Maersk", AlternativeSCACs: []string{"SAFM", "SEJJ"},
		BillOfLadingTrackingSupport: true, BookingNumberTrackingSupport: true, ContainerNumberTrackingSupport: true,
		ProvidedData: ProvidedData{"seal_number": {Some(true), "mostly"}, "ssl_lfd": {Some(false), ""}},
		TrackingURL:  "https://line.test/${BLNUM}", ContactURL: "https://line.test/",
	})
	testRich(t, "port", portAttributes, portRelationships, Port{
		Resource: res("port"), Name: "Port of Oakland", LOCODE: "USOAK", City: "Oakland", StateAbbr: "CA", CountryCode: "US", TimeZone: la,
		Latitude: Some(37.8), Longitude: Some(-122.3), Terminals: to2[Terminal]("terminal", "1"),
	})
	testRich(t, "metro_area", metroAreaAttributes, `{}`, MetroArea{
		Resource: res("metro_area"), Name: "Chicago", LOCODE: "USCHI", StateAbbr: "IL", CountryCode: "US", TimeZone: chi,
		Latitude: Some(41.9), Longitude: Some(-87.6),
	})
	testRich(t, "terminal", terminalAttributes, terminalRelationships, Terminal{
		Resource: res("terminal"), Name: "TraPac LA", Nickname: "TraPac", FIRMSCode: "Y258", SMDGCode: "TPC", BICFacilityCode: "B",
		Street: "630 W Harry Bridges", City: "Wilmington", State: "California", StateAbbr: "CA", Zip: "90744", Country: "United States",
		FacilityType: "rail", ProvidedData: ProvidedData{"pickup_lfd": {Some(true), ""}}, Port: to1[Port]("1", "port"), MetroArea: to1[MetroArea]("2", "metro_area"),
	})
	testRich(t, "vessel", vesselAttributes, `{}`, Vessel{
		Resource: res("vessel"), Name: "EVER GIVEN", IMO: "9811000", MMSI: "353136000", Latitude: Some(25.1), Longitude: Some(55.2),
		SpeedKnots: Some(11.5), HeadingDegrees: Some(270.0), PositionTimestamp: inUTC("2026-03-16T00:00:00Z"),
		Positions: []VesselPosition{{Some(1.5), Some(2.5), Some(3.0), inUTC("2026-03-17T00:00:00Z"), true}},
	})
	testRich(t, "party", partyAttributes, `{}`, Party{
		Resource: res("party"), CompanyName: "Ann & Sons", Nickname: "Ann", RoleNames: []string{"shipper"},
	})
	testRich(t, "party_role", partyRoleAttributes, partyRoleRelationships, PartyRole{
		Resource: res("party_role"), Role: PartyRoleCustomsBroker, EntityType: "Cargo", EntityID: "7",
		CreatedAt: inUTC("2026-09-01T00:00:00Z"), UpdatedAt: inUTC("2026-09-02T00:00:00Z"), Party: to1[Party]("1", "party"),
	})
	testRich(t, "account", accountAttributes, `{}`, Account{
		Resource: res("account"), CompanyName: "Ann & Sons", CompanyType: "shipper", SCAC: "ANNS", AbbrName: "A&S",
		City: "Oakland", StateAbbr: "CA", Country: "US", Plan: "free_plan",
		TrackingSlots: TrackingSlots{Limit: Some(10), Used: Some(10), Remaining: Some(0)},
	})
	testRich(t, "user", userAttributes, userRelationships, User{
		Resource: res("user"), Email: "ann@example.com", Name: "Ann", Role: "account_manager", JobRole: "owner",
		JobTitle: "Boss", Admin: Some(false), Accounts: to2[Account]("account", "1", "2"),
	})
	testRich(t, "credential", credentialAttributes, credentialRelationships, Credential{
		Resource: res("credential"), Kind: "user", Channel: "dashboard", Name: "Night shift",
		Features: []FeatureAccess{{FeatureRailData, FeatureStatusRequiresPaidPlan}, {"new_data", "later"}},
		Account:  to1[Account]("1", "account"), User: to1[User]("2", "user"),
	})
}

// notRead lists known attributes that are kept only in the raw JSON.
var notRead = map[string]bool{"id": true}

// anyJSON lists attributes of any kind that are kept as sent.
var anyJSON = map[string]bool{
	"custom_field.value": true, "custom_field_definition.default_value": true,
	"document.parsed": true, "container.inland_destination_eta_source_summary": true, "container.release_statuses": true,
}

func TestDecode_UnknownValuesSurvive(t *testing.T) {
	container, warnings := decodeAs[Container](t, "container", `{"current_status":"on_mars","equipment_type":"igloo"}`, `{}`)
	require.Empty(t, warnings)
	require.Equal(t, ContainerStatus("on_mars"), container.CurrentStatus)
	require.False(t, container.CurrentStatus.Known())
	require.True(t, StatusOffDock.Known())
	require.False(t, container.EquipmentType.Known())
}

func TestDecode_MembersInAnyOrder(t *testing.T) {
	inOrder := ReadOne[Shipment](t, `{"data":{"id":"s","type":"shipment","attributes":`+shipmentAttributes+`,"relationships":{"containers":{"data":[{"id":"c","type":"container"}]}}},
		"included":[{"id":"c","type":"container","attributes":`+containerAttributes+`,"relationships":{"shipment":{"data":{"type":"shipment","id":"s"}}}}]}`)
	outOfOrder := ReadOne[Shipment](t, `{"meta":{},"included":[{"relationships":{"shipment":{"data":{"type":"shipment","id":"s"}}},"attributes":`+containerAttributes+`,"links":null,"type":"container","id":"c"}],
		"data":{"relationships":{"containers":{"data":[{"type":"container","id":"c"}]}},"attributes":`+shipmentAttributes+`,"type":"shipment","id":"s"}}`)
	require.Equal(t, withoutNulls(t, inOrder), withoutNulls(t, outOfOrder))
	containers, complete := outOfOrder.Containers.Values()
	require.True(t, complete)
	require.Equal(t, "MSCU1234566", containers[0].Number)
	back, _ := containers[0].Shipment.Value()
	require.Same(t, outOfOrder, back)
}

// The service's description has the wrong type for some resources; the requested type is used.
func TestDecode_UnexpectedType(t *testing.T) {
	got := ReadOne[Container](t, `{"data":{"id":"c","type":"account","attributes":{"number":"MSCU1234566"}}}`)
	require.Equal(t, "MSCU1234566", got.Number)
	require.Equal(t, "account", got.Type)
}

func customRead(t *testing.T, text string) (v CustomFieldValue) {
	t.Helper()
	require.NoError(t, v.UnmarshalJSON([]byte(text)))
	return v
}

// A webhook is not among them: its secrets cannot be compared. TestWebhookIsRead reads one.
func TestDecode_EveryFieldOfOtherFamilies(t *testing.T) {
	const la, chi = "America/Los_Angeles", "America/Chicago"
	res := func(typ string) Resource { return Resource{ID: "x", Type: typ, Self: "/v2/x"} }
	testRich(t, "search_result", searchHitAttributes, `{}`, SearchHit{
		Resource: res("search_result"), EntityType: SearchKindTrackingRequest, Number: "MEDU0000001", ShipmentID: "s", SCAC: "MSCU",
		PortOfLadingName: "Shanghai", PortOfDischargeName: "Los Angeles", ContainersCount: Some(3), TrackingStopped: Some(true),
		TrackingStoppedReason: StoppedCancelledByUser, Status: TrackingFailed, FailedReason: FailedNotFound,
		ReferenceNumbers: []string{"PO 1"}, CreatedAt: inUTC("2026-04-01T00:00:00Z"), UpdatedAt: inUTC("2026-04-02T00:00:00Z"),
	})
	testRich(t, "custom_field", customFieldAttributes, customFieldRelationships, CustomField{
		Resource: res("custom_field"), APISlug: "duty", Value: customRead(t, `1840.250000`), DisplayValue: "1840.25",
		UpdatedAt: inUTC("2026-04-02T00:00:00Z"),
		Entity:    Linked[CustomFieldEntity]("container", "1"), Definition: to1[CustomFieldDefinition]("2", "custom_field_definition"),
	})
	testRich(t, "custom_field_definition", customFieldDefinitionAttributes, customFieldDefinitionRelationships, CustomFieldDefinition{
		Resource: res("custom_field_definition"), EntityType: CustomFieldEntityContainer, APISlug: "buyer", DisplayName: "Buyer",
		Description: "Who pays", DataType: CustomFieldReference, ReferenceType: "party", Validation: json.RawMessage(`{"required":true}`),
		DefaultFormat: "long", DefaultValue: customRead(t, `{"type":"party","id":"1"}`), TemplateID: "7", Sensitive: true, ReferenceNumber: true,
		CreatedAt: inUTC("2026-04-03T00:00:00Z"), UpdatedAt: inUTC("2026-04-04T00:00:00Z"), Account: to1[Account]("1", "account"),
		Fields: to2[CustomField]("custom_field", "2"), Options: to2[CustomFieldOption]("custom_field_option", "3"),
	})
	testRich(t, "custom_field_option", customFieldOptionAttributes, `{}`, CustomFieldOption{
		Resource: res("custom_field_option"), Label: "Free on board", Value: "fob", Position: Some(0),
	})
	made, changed := inUTC("2026-03-24T10:00:00Z"), inUTC("2026-03-24T11:00:00Z")
	testRich(t, "document", documentAttributes, documentRelationships, Document{
		Resource: res("document"), Name: "Invoice 7", DocumentType: "commercial_invoice", DocumentTypeManual: "arrival_notice",
		ClassificationNotes: "sure", Source: DocumentSourceSplit, FileName: "invoice.pdf", FileContentType: "application/pdf",
		FileSizeBytes: Some(2048), CreatedAt: made, UpdatedAt: changed, Account: to1[Account]("1", "account"), User: to1[User]("2", "user"),
		EmailSubmission: to1[EmailSubmission]("3", "email_submission"), Extraction: to1[Extraction]("4", "document_representation"),
		Shipments: to2[Shipment]("shipment", "5"), Containers: to2[Container]("container", "6"),
		Parsed: `{"packetSegment":{"startPage":3,"endPage":5}}`, ParentDocument: to1[Document]("7", "document"),
	})
	testRich(t, "document_representation", extractionAttributes, `{}`, Extraction{
		Resource: res("document_representation"), SchemaVersion: "v2026-03-23", Payload: json.RawMessage(`{"total_amount":"12450.00"}`),
		CreatedAt: made, UpdatedAt: changed,
	})
	testRich(t, "document_schema", documentSchemaAttributes, `{}`, DocumentSchema{
		Resource: res("document_schema"), DocumentType: "commercial_invoice", Label: "Commercial Invoice", SchemaVersion: "v2026-03-23",
		FullVersion: "commercial_invoice@2026-03-23", Current: true, Draft: true, ActiveAt: inUTC("2026-03-23T00:00:00Z"),
		SchemaFormat: "json_schema", Description: "The first", SchemaPayload: json.RawMessage(`{"type":"object"}`),
		CreatedAt: made, UpdatedAt: changed,
	})
	testRich(t, "email_submission", emailSubmissionAttributes, emailSubmissionRelationships, EmailSubmission{
		Resource: res("email_submission"), Subject: "Papers", Body: "Dear all", BodyPreview: "Dear", From: []string{"a@example.com"},
		To: []string{"b@example.com"}, CC: []string{"c@example.com"}, SentAt: inUTC("2026-03-24T09:00:00Z"), MessageID: "m1",
		InReplyTo: "m0", References: []string{"m0"}, ContentType: "text/plain", DocumentsCount: Some(1), CreatedAt: made, UpdatedAt: changed,
		Account: to1[Account]("1", "account"), User: to1[User]("2", "user"), Documents: to2[Document]("document", "3"),
	})
	testRich(t, "webhook_notification", webhookNotificationAttributes, webhookNotificationRelationships, WebhookNotification{
		Resource: res("webhook_notification"), Event: EventDocumentExtracted, DeliveryStatus: DeliveryFailed,
		CreatedAt: inUTC("2026-04-06T00:00:00Z"), Version: "1.0", Webhook: to1[Webhook]("1", "webhook"),
		ReferenceObject: Linked[ReferenceObject]("estimated_event", "2"), Document: to1[Document]("3", "document"),
		Logs: to2[UnknownResource]("webhook_notification_log", "4"),
	})
	testRich(t, "webhook_event_category", webhookEventCategoryAttributes, `{}`, WebhookEventCategory{
		Resource: res("webhook_event_category"), Name: "Container Events", Events: []WebhookEvent{{EventContainerCreated, "A new one."}},
	})
	testRich(t, "estimated_event", estimatedEventAttributes, estimatedEventRelationships, EstimatedEvent{
		Resource: res("estimated_event"), Event: EventShipmentEstimatedArrival, EstimatedTimestamp: placed("2026-04-07T00:00:00Z", la),
		Timezone: la, LocationLOCODE: "USLAX", VoyageNumber: "7W", DataSource: DataSourceShippingLine, CreatedAt: inUTC("2026-04-08T00:00:00Z"),
		Shipment: to1[Shipment]("1", "shipment"), Port: to1[Port]("2", "port"), Vessel: to1[Vessel]("3", "vessel"),
	})
	box, shipment, terminal := to1[Container]("1", "container"), to1[Shipment]("2", "shipment"), to1[Terminal]("3", "terminal")
	testRich(t, "container_created_event", containerCreatedEventAttributes, containerCreatedEventRelationships, ContainerCreatedEvent{
		Resource: res("container_created_event"), Timestamp: placed("2026-04-09T00:00:00Z", chi), Timezone: chi,
		Container: box, Shipment: shipment,
	})
	testRich(t, "container_updated_event", containerUpdatedEventAttributes, containerEventRelationships, ContainerUpdatedEvent{
		Resource: res("container_updated_event"), Changeset: changeset(t, `{"available_for_pickup":[false,true]}`),
		Timestamp: placed("2026-04-10T00:00:00Z", la), Timezone: la, DataSource: DataSourceTerminal,
		Container: box, Terminal: terminal, Shipment: shipment,
	})
	testRich(t, "container_pod_terminal_changed_event", containerPODTerminalChangedEventAttributes,
		containerEventRelationships, ContainerPODTerminalChangedEvent{
			Resource: res("container_pod_terminal_changed_event"), Timestamp: inUTC("2026-04-11T00:00:00Z"), DataSource: DataSourcePierPass,
			Container: box, Shipment: shipment, Terminal: terminal,
		})
}

// zonesOf maps each time to its zone attribute, as the service documents it. A time that
// is not listed is plain UTC.
func TestDecode_TimesUseTheirOwnZone(t *testing.T) {
	t.Run("shipment", func(t *testing.T) {
		got, _ := decodeAs[Shipment](t, "shipment", shipmentAttributes, `{}`)
		for zone, times := range map[string][]Time{
			"America/Mexico_City": {got.POLETD, got.POLATD, got.POLOriginalETD},
			"US/Pacific":          {got.PODETA, got.PODOriginalETA, got.PODATA},
			"America/Chicago":     {got.DestinationETA, got.DestinationATA, got.DestinationOriginalETA},
			"": {got.CreatedAt, got.LineTrackingLastAttemptedAt, got.LineTrackingLastSucceededAt,
				got.LineTrackingStoppedAt},
		} {
			requireZone(t, zone, times)
		}
	})
	t.Run("container", func(t *testing.T) {
		got, _ := decodeAs[Container](t, "container", containerAttributes, `{}`)
		for zone, times := range map[string][]Time{
			"America/Los_Angeles": {got.PODArrivedAt, got.PODDischargedAt, got.PickupAppointmentAt, got.PODFullOutAt,
				got.ImportDeadlines.Terminal, got.PODRailLoadedAt, got.PODRailDepartedAt},
			"America/Chicago": {got.FinalDestinationFullOutAt, got.INDETA, got.INDATA, got.INDRailUnloadedAt,
				got.INDFacilityLFD, got.ImportDeadlines.Rail, got.ImportDeadlines.Line},
			"America/Denver": {got.EmptyTerminatedAt},
			"": {got.CreatedAt, got.TerminalCheckedAt, got.TerminalLastRequestedAt,
				got.LineLastRequestedAt, got.RailLastRequestedAt},
		} {
			requireZone(t, zone, times)
		}
	})
}

func requireZone(t *testing.T, zone string, times []Time) {
	t.Helper()
	for _, v := range times {
		local, err := v.Local()
		require.NoError(t, err)
		require.Equal(t, zone, v.Zone())
		if zone == "" {
			zone = "UTC"
		}
		require.Equal(t, zone, local.Location().String())
		if zone == "UTC" {
			zone = ""
		}
	}
}

// With a null zone the digits are the wall clock of a place, so there must be no instant.
func TestDecode_TimesWithoutAZoneHaveNoInstant(t *testing.T) {
	blank := strings.NewReplacer(`"America/Mexico_City"`, "null", `"US/Pacific"`, "null", `"America/Chicago"`, "null",
		`"America/Los_Angeles"`, "null", `"America/Denver"`, "null", `"Asia/Tokyo"`, "null", `"Asia/Calcutta"`, "null")
	shipment, _ := decodeAs[Shipment](t, "shipment", blank.Replace(shipmentAttributes), `{}`)
	container, _ := decodeAs[Container](t, "container", blank.Replace(containerAttributes), `{}`)
	event, _ := decodeAs[TransportEvent](t, "transport_event", blank.Replace(transportEventAttributes), `{}`)
	raw, _ := decodeAs[RawEvent](t, "raw_event", blank.Replace(rawEventAttributes), `{}`)
	for i, v := range []Time{
		shipment.POLETD, shipment.POLATD, shipment.POLOriginalETD, shipment.PODETA, shipment.PODATA, shipment.PODOriginalETA,
		shipment.DestinationATA, shipment.DestinationETA, shipment.DestinationOriginalETA,
		container.PODArrivedAt, container.PODDischargedAt, container.PickupAppointmentAt, container.PODFullOutAt,
		container.ImportDeadlines.Terminal, container.ImportDeadlines.Rail, container.ImportDeadlines.Line,
		container.PODRailLoadedAt,
		container.PODRailDepartedAt, container.FinalDestinationFullOutAt, container.INDETA, container.INDATA,
		container.INDRailUnloadedAt,
		container.INDFacilityLFD, container.EmptyTerminatedAt, container.PickupLFD, container.SSLLFD,
		event.Timestamp, event.Value, raw.Timestamp, raw.ActualAt, raw.EstimatedAt, raw.WillOccurAt,
	} {
		require.False(t, v.IsZero(), i)
		_, known := v.Instant()
		require.False(t, known, i)
		_, err := v.Local()
		require.ErrorIs(t, err, ErrNoZone, i)
		require.Contains(t, v.String(), "zone unknown", i)
		_, hasDay := v.Date()
		require.True(t, hasDay, "the wall clock's day is known")
	}
	for _, v := range []Time{shipment.CreatedAt, container.TerminalCheckedAt, event.CreatedAt, raw.CreatedAt,
		event.InvalidatedAt} {
		_, known := v.Instant()
		require.True(t, known)
	}
}

func TestDecode_LineDeadlineFallsBackToThePort(t *testing.T) {
	got, _ := decodeAs[Container](t, "container", `{"pod_timezone":"America/New_York","final_destination_timezone":null,
		"import_deadlines":{"pickup_lfd_line":"2026-03-02T05:00:00Z","pickup_lfd_rail":"2026-03-02T06:00:00Z"}}`, `{}`)
	require.Equal(t, "America/New_York", got.ImportDeadlines.Line.Zone())
	_, known := got.ImportDeadlines.Rail.Instant()
	require.False(t, known)
}

func TestDecode_PickupLFDUsesTheZoneOfItsSource(t *testing.T) {
	const zones = `"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago",`
	for name, test := range map[string]struct{ attributes, zone, day string }{
		"terminal": {zones +
			`"pickup_lfd":"2026-03-02T08:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z","pickup_lfd_rail":"2026-03-04T06:00:00Z"}`, "America/Los_Angeles", "2026-03-02"},
		"rail": {zones +
			`"pickup_lfd":"2026-03-04T06:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z","pickup_lfd_rail":"2026-03-04T06:00:00Z"}`, "America/Chicago", "2026-03-04"},
		"line": {zones +
			`"pickup_lfd":"2026-03-05T06:00:00Z","import_deadlines":{"pickup_lfd_line":"2026-03-05T06:00:00Z"}`,
			"America/Chicago", "2026-03-05"},
		"no source, midnight at the port": {zones + `"pickup_lfd":"2026-03-02T08:00:00Z"`, "America/Los_Angeles", "2026-03-02"},
		"no source, midnight inland":      {zones + `"pickup_lfd":"2026-03-02T06:00:00Z"`, "America/Chicago", "2026-03-02"},
		"no source, the same day at both": {zones + `"pickup_lfd":"2026-03-02T18:00:00Z"`, "", "2026-03-02"},
		"no source, another day at each":  {zones + `"pickup_lfd":"2026-03-02T07:00:00Z"`, "", ""},
		"no source, a day":                {zones + `"pickup_lfd":"2026-03-02"`, "", "2026-03-02"},
		"line at the port":                {zones + `"pickup_lfd":"2026-03-02T08:00:00Z","import_deadlines":{"pickup_lfd_line":"2026-03-02T08:00:00Z"}`, "America/Los_Angeles", "2026-03-02"},
		"a single place": {`"pod_timezone":"America/Los_Angeles","pickup_lfd":"2026-03-02T08:00:00Z"`,
			"America/Los_Angeles", "2026-03-02"},
		"deadlines last": {`"pickup_lfd":"2026-03-02T08:00:00Z","import_deadlines":{"pickup_lfd_terminal":"2026-03-02T08:00:00Z"},"pod_timezone":"America/Los_Angeles"`, "America/Los_Angeles", "2026-03-02"},
		"a day": {`"pod_timezone":"America/Los_Angeles","pickup_lfd":"2026-03-02"`, "America/Los_Angeles",
			"2026-03-02"},
	} {
		t.Run(name, func(t *testing.T) {
			got, warnings := decodeAs[Container](t, "container", `{`+test.attributes+`}`, `{}`)
			require.Empty(t, warnings)
			require.Equal(t, test.zone, got.PickupLFD.Zone())
			day, known := got.PickupLFD.Date()
			require.Equal(t, test.day != "", known, "a day in a zone that is not known would be a guess")
			if known {
				require.Equal(t, test.day, day.String())
			}
		})
	}
}

func TestDecode_PortCoordinates(t *testing.T) {
	for _, form := range []string{`"latitude":35.10162,"longitude":-1e-2`, `"latitude":"35.10162","longitude":"-0.01"`} {
		port, warnings := decodeAs[Port](t, "port", `{`+form+`}`, `{}`)
		require.Empty(t, warnings)
		require.Equal(t, Some(35.10162), port.Latitude)
		require.Equal(t, Some(-0.01), port.Longitude)
	}
	port, warnings := decodeAs[Port](t, "port", `{"latitude":"","longitude":null}`, `{}`)
	require.Empty(t, warnings)
	_, known := port.Latitude.Get()
	require.False(t, known)
}

// Clocks in Phoenix are those of Denver in January and those of Los Angeles in July.
func TestZones_Differ(t *testing.T) {
	for _, row := range []struct {
		a, b string
		want bool
	}{
		{"America/Phoenix", "America/Denver", true}, {"America/Phoenix", "America/Los_Angeles", true},
		{"America/Chicago", "US/Central", false}, {"America/Chicago", "", false}, {"Mars/Olympus", "America/Chicago", false},
	} {
		require.Equal(t, row.want, zonesDiffer(row.a, row.b), row)
		require.Equal(t, row.want, zonesDiffer(row.b, row.a), row)
	}
}

// Every attribute of every type is tried missing, null, of each wrong kind, among unknown members
// and in another order. It must not affect any other attribute.
func TestDecode_EveryAttributeMayBeOdd(t *testing.T) {
	testVariants[Shipment](t, "shipment", shipmentAttributes)
	testVariants[Container](t, "container", containerAttributes)
	testVariants[TrackingRequest](t, "tracking_request", trackingRequestAttributes)
	testVariants[TransportEvent](t, "transport_event", transportEventAttributes)
	testVariants[RawEvent](t, "raw_event", rawEventAttributes)
	testVariants[ShippingLine](t, "shipping_line", shippingLineAttributes)
	testVariants[Port](t, "port", portAttributes)
	testVariants[MetroArea](t, "metro_area", metroAreaAttributes)
	testVariants[Terminal](t, "terminal", terminalAttributes)
	testVariants[Vessel](t, "vessel", vesselAttributes)
	testVariants[Party](t, "party", partyAttributes)
	testVariants[PartyRole](t, "party_role", partyRoleAttributes)
	testVariants[Account](t, "account", accountAttributes)
	testVariants[User](t, "user", userAttributes)
	testVariants[Credential](t, "credential", credentialAttributes)
	testVariants[Inference](t, "infer_number_results", inferenceAttributes)
	testVariants[SearchHit](t, "search_result", searchHitAttributes)
	testVariants[CustomField](t, "custom_field", customFieldAttributes)
	testVariants[CustomFieldDefinition](t, "custom_field_definition", customFieldDefinitionAttributes)
	testVariants[CustomFieldOption](t, "custom_field_option", customFieldOptionAttributes)
	testVariants[Document](t, "document", documentAttributes)
	testVariants[Extraction](t, "document_representation", extractionAttributes)
	testVariants[DocumentSchema](t, "document_schema", documentSchemaAttributes)
	testVariants[EmailSubmission](t, "email_submission", emailSubmissionAttributes)
	testVariants[WebhookNotification](t, "webhook_notification", webhookNotificationAttributes)
	testVariants[WebhookEventCategory](t, "webhook_event_category", webhookEventCategoryAttributes)
	testVariants[EstimatedEvent](t, "estimated_event", estimatedEventAttributes)
	testVariants[ContainerCreatedEvent](t, "container_created_event", containerCreatedEventAttributes)
	testVariants[ContainerUpdatedEvent](t, "container_updated_event", containerUpdatedEventAttributes)
	testVariants[ContainerPODTerminalChangedEvent](t, "container_pod_terminal_changed_event", containerPODTerminalChangedEventAttributes)
}

// traceOf returns a value of an attribute that the fixture of a type lacks.
func traceOf[T any](t *testing.T, typ, name string) json.RawMessage {
	for _, trace := range traces {
		got, warnings := decodeAs[T](t, typ, fmt.Sprintf(`{%q:%s}`, name, trace), `{}`)
		if empty, _ := decodeAs[T](t, typ, `{}`, `{}`); len(warnings) == 0 && changedFields(got, empty) > 0 {
			return json.RawMessage(trace)
		}
	}
	require.Fail(t, "add a value to the fixture", "%s.%s", typ, name)
	return nil
}

func testVariants[T any](t *testing.T, typ, attributes string) {
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(attributes), &members))
	for _, name := range registry.TypeOf(new(T)).Attributes() {
		if members[name] == nil {
			members[name] = traceOf[T](t, typ, name)
		}
	}

	decode := func(t *testing.T, change func(map[string]json.RawMessage)) (*T, []jsonapi.Warning) {
		variant := maps.Clone(members)
		change(variant)
		text, err := json.Marshal(variant)
		require.NoError(t, err)
		return decodeAs[T](t, typ, string(text), `{}`)
	}
	full, warnings := decode(t, func(map[string]json.RawMessage) {})
	require.Empty(t, warnings)

	for name, value := range members {
		t.Run(typ+"."+name, func(t *testing.T) {
			missing, warnings := decode(t, func(m map[string]json.RawMessage) { delete(m, name) })
			require.Empty(t, warnings)
			switch changed := changedFields(full, missing); {
			case notRead[name]:
				require.Zero(t, changed)
			case strings.HasSuffix(name, "timezone") || name == "import_deadlines":
				require.Positive(t, changed) // times take their zone from it
			default:
				require.Equal(t, 1, changed, "neighbours changed")
			}

			extra, warnings := decode(t, func(m map[string]json.RawMessage) {
				m[name+"_source"] = json.RawMessage(`{"deep":[1,{"a":null}],"` + name + `":"inner"}`)
				m["_"+name] = value
			})
			require.Empty(t, warnings)
			require.Equal(t, full, extra)

			if anyJSON[typ+"."+name] {
				return
			}
			null, warnings := decode(t, func(m map[string]json.RawMessage) { m[name] = json.RawMessage(`null`) })
			require.Empty(t, warnings)
			if typ+"."+name != "account.tracking_slots" { // null means unlimited: docs/service.md#credential
				require.Equal(t, withoutNulls(t, missing), withoutNulls(t, null))
			}

			for _, wrong := range wrongKinds(value) {
				odd, warnings := decode(t, func(m map[string]json.RawMessage) { m[name] = json.RawMessage(wrong) })
				require.Equal(t, missing, odd, wrong)
				if notRead[name] {
					continue
				}
				require.NotEmpty(t, warnings, wrong)
				for _, w := range warnings {
					require.Equal(t, typ, w.ResourceType)
					require.Equal(t, "x", w.ResourceID)
					require.Equal(t, name, w.Field)
					require.NotEmpty(t, w.Problem)
					require.NotContains(t, w.Problem, "yesterday", "a warning never contains the value")
				}
			}
			if value[0] == '-' || value[0] >= '0' && value[0] <= '9' {
				quoted, warnings := decode(t, func(m map[string]json.RawMessage) { m[name] = json.RawMessage(`"` + string(value) + `"`) })
				require.Empty(t, warnings)
				require.Equal(t, full, quoted, "a number may come as a string")
			}
		})
	}
}

func TestDecode_NullDiffersFromMissing(t *testing.T) {
	null, _ := decodeAs[Container](t, "container", `{"available_for_pickup":null,"equipment_length":null,"holds_at_pod_terminal":null,"ref_numbers":null}`, `{}`)
	require.True(t, null.AvailableForPickup.IsNull())
	require.True(t, null.EquipmentLength.IsNull())
	require.Nil(t, null.Holds)
	require.Nil(t, null.ReferenceNumbers)
	missing, _ := decodeAs[Container](t, "container", `{}`, `{}`)
	require.True(t, missing.AvailableForPickup.IsZero())
	none, _ := decodeAs[Container](t, "container", `{"available_for_pickup":false,"holds_at_pod_terminal":[],"fees_at_pod_terminal":[],"ref_numbers":[]}`, `{}`)
	available, known := none.AvailableForPickup.Get()
	require.True(t, known)
	require.False(t, available)
	require.NotNil(t, none.Holds)
	require.NotNil(t, none.Fees)
	require.NotNil(t, none.ReferenceNumbers)
}

func TestDecode_OddElementsOfLists(t *testing.T) {
	got, warnings := decodeAs[Container](t, "container", `{"ref_numbers":[null,"PO",7,{"a":1}],
		"holds_at_pod_terminal":[null,"x",{"name":"USDA","status":[]},{"name":"NEW ONE","status":"later","extra":1}],
		"fees_at_pod_terminal":[{"type":"total","amount":"12.30"},{"type":"exam","amount":1e999999999},{"type":"surprise","amount":null}]}`, `{}`)
	require.Equal(t, []string{"PO", "7"}, got.ReferenceNumbers)
	// An element that is not an object becomes an unknown hold, because it may be one.
	require.Equal(t, []Hold{{}, {Name: HoldUSDA}, {Name: "NEW ONE", Status: "later"}}, got.Holds)
	require.Len(t, got.Fees, 3)
	require.Equal(t, "12.3", got.Fees[0].Amount.String())
	require.True(t, got.Fees[1].Amount.IsZero())
	require.Equal(t, FeeType("surprise"), got.Fees[2].Type)
	var fields []string
	for _, w := range warnings {
		fields = append(fields, w.Field)
	}
	require.Equal(t, []string{"ref_numbers", "holds_at_pod_terminal", "holds_at_pod_terminal.status", "fees_at_pod_terminal.amount"}, fields)

	only, warnings := decodeAs[Shipment](t, "shipment", `{"ref_numbers":[null]}`, `{}`)
	require.Empty(t, warnings)
	require.NotNil(t, only.ReferenceNumbers)
	require.Empty(t, only.ReferenceNumbers)
}
