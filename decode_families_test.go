package terminal49

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func customRead(t *testing.T, text string) (v CustomFieldValue) {
	t.Helper()
	require.NoError(t, v.UnmarshalJSON([]byte(text)))
	return v
}

// A webhook is not among them: its secrets cannot be compared. TestWebhookIsRead reads one.
func TestDecode_EveryFieldOfOtherFamilies(t *testing.T) {
	const la, chi = "America/Los_Angeles", "America/Chicago"
	res := func(typ string) Resource { return Resource{ID: "x", Type: typ, Self: "/v2/x"} }
	testRich(t, "search_result", searchHitTable, searchHitAttributes, `{}`, SearchHit{
		Resource: res("search_result"), EntityType: SearchTrackingRequest, Number: "MEDU0000001", ShipmentID: "s", SCAC: "MSCU",
		PortOfLadingName: "Shanghai", PortOfDischargeName: "Los Angeles", ContainersCount: Some(3), TrackingStopped: Some(true),
		TrackingStoppedReason: StoppedCancelledByUser, Status: TrackingFailed, FailedReason: FailedNotFound,
		ReferenceNumbers: []string{"PO 1"}, CreatedAt: inUTC("2026-04-01T00:00:00Z"), UpdatedAt: inUTC("2026-04-02T00:00:00Z"),
	})
	testRich(t, "custom_field", customFieldTable, customFieldAttributes, customFieldRelationships, CustomField{
		Resource: res("custom_field"), APISlug: "duty", Value: customRead(t, `1840.250000`), DisplayValue: "1840.25",
		Entity: Linked[CustomFieldEntity]("container", "1"), Definition: to1[CustomFieldDefinition]("2", "custom_field_definition"),
	})
	testRich(t, "custom_field_definition", customFieldDefinitionTable, customFieldDefinitionAttributes, customFieldDefinitionRelationships, CustomFieldDefinition{
		Resource: res("custom_field_definition"), EntityType: CustomFieldEntityContainer, APISlug: "buyer", DisplayName: "Buyer",
		Description: "Who pays", DataType: CustomFieldReference, ReferenceType: "party", Validation: json.RawMessage(`{"required":true}`),
		DefaultFormat: "long", DefaultValue: customRead(t, `{"type":"party","id":"1"}`), TemplateID: "7", Sensitive: true, ReferenceNumber: true,
		CreatedAt: inUTC("2026-04-03T00:00:00Z"), UpdatedAt: inUTC("2026-04-04T00:00:00Z"), Account: to1[Account]("1", "account"),
		Fields: to2[CustomField]("custom_field", "2"), Options: to2[CustomFieldOption]("custom_field_option", "3"),
	})
	testRich(t, "custom_field_option", customFieldOptionTable, customFieldOptionAttributes, `{}`, CustomFieldOption{
		Resource: res("custom_field_option"), Label: "Free on board", Value: "fob", Position: Some(0),
	})
	made, changed := inUTC("2026-03-24T10:00:00Z"), inUTC("2026-03-24T11:00:00Z")
	testRich(t, "document", documentTable, documentAttributes, documentRelationships, Document{
		Resource: res("document"), Name: "Invoice 7", DocumentType: "commercial_invoice", DocumentTypeManual: "arrival_notice",
		ClassificationNotes: "sure", Source: DocumentSourceSplit, FileName: "invoice.pdf", FileContentType: "application/pdf",
		FileSizeBytes: Some(2048), CreatedAt: made, UpdatedAt: changed, Account: to1[Account]("1", "account"), User: to1[User]("2", "user"),
		EmailSubmission: to1[EmailSubmission]("3", "email_submission"), Extraction: to1[Extraction]("4", "document_representation"),
		Shipments: to2[Shipment]("shipment", "5"), Containers: to2[Container]("container", "6"),
	})
	testRich(t, "document_representation", extractionTable, extractionAttributes, `{}`, Extraction{
		Resource: res("document_representation"), SchemaVersion: "v2026-03-23", Payload: json.RawMessage(`{"total_amount":"12450.00"}`),
		CreatedAt: made, UpdatedAt: changed,
	})
	testRich(t, "document_schema", documentSchemaTable, documentSchemaAttributes, `{}`, DocumentSchema{
		Resource: res("document_schema"), DocumentType: "commercial_invoice", Label: "Commercial Invoice", SchemaVersion: "v2026-03-23",
		FullVersion: "commercial_invoice@2026-03-23", Current: true, Draft: true, ActiveAt: inUTC("2026-03-23T00:00:00Z"),
		SchemaFormat: SchemaFormatJSONSchema, Description: "The first", SchemaPayload: json.RawMessage(`{"type":"object"}`),
		CreatedAt: made, UpdatedAt: changed,
	})
	testRich(t, "email_submission", emailSubmissionTable, emailSubmissionAttributes, emailSubmissionRelationships, EmailSubmission{
		Resource: res("email_submission"), Subject: "Papers", Body: "Dear all", BodyPreview: "Dear", From: []string{"a@example.com"},
		To: []string{"b@example.com"}, CC: []string{"c@example.com"}, SentAt: inUTC("2026-03-24T09:00:00Z"), MessageID: "m1",
		InReplyTo: "m0", References: []string{"m0"}, ContentType: "text/plain", DocumentsCount: Some(1), CreatedAt: made, UpdatedAt: changed,
		Account: to1[Account]("1", "account"), User: to1[User]("2", "user"), Documents: to2[Document]("document", "3"),
	})
	testRich(t, "webhook_notification", webhookNotificationTable, webhookNotificationAttributes, webhookNotificationRelationships, WebhookNotification{
		Resource: res("webhook_notification"), Event: EventDocumentExtracted, DeliveryStatus: DeliveryFailed,
		CreatedAt: inUTC("2026-04-06T00:00:00Z"), Version: "1.0", Webhook: to1[Webhook]("1", "webhook"),
		ReferenceObject: Linked[ReferenceObject]("estimated_event", "2"), Document: to1[Document]("3", "document"),
		Logs: to2[UnknownResource]("webhook_notification_log", "4"),
	})
	testRich(t, "webhook_event_category", webhookEventCategoryTable, webhookEventCategoryAttributes, `{}`, WebhookEventCategory{
		Resource: res("webhook_event_category"), Name: "Container Events", Events: []WebhookEvent{{EventContainerCreated, "A new one."}},
	})
	testRich(t, "estimated_event", estimatedEventTable, estimatedEventAttributes, estimatedEventRelationships, EstimatedEvent{
		Resource: res("estimated_event"), Event: EventShipmentEstimatedArrival, EstimatedTimestamp: placed("2026-04-07T00:00:00Z", la),
		Timezone: la, LocationLOCODE: "USLAX", VoyageNumber: "7W", DataSource: SourceShippingLine, CreatedAt: inUTC("2026-04-08T00:00:00Z"),
		Shipment: to1[Shipment]("1", "shipment"), Port: to1[Port]("2", "port"), Vessel: to1[Vessel]("3", "vessel"),
	})
	box, shipment, terminal := to1[Container]("1", "container"), to1[Shipment]("2", "shipment"), to1[Terminal]("3", "terminal")
	testRich(t, "container_created_event", containerCreatedEventTable, containerCreatedEventAttributes, containerCreatedEventRelationships, ContainerCreatedEvent{
		Resource: res("container_created_event"), Timestamp: placed("2026-04-09T00:00:00Z", chi), Timezone: chi,
		Container: box, Shipment: shipment,
	})
	testRich(t, "container_updated_event", containerUpdatedEventTable, containerUpdatedEventAttributes, containerEventRelationships, ContainerUpdatedEvent{
		Resource: res("container_updated_event"), Changeset: changeset(t, `{"available_for_pickup":[false,true]}`),
		Timestamp: placed("2026-04-10T00:00:00Z", la), Timezone: la, DataSource: SourceTerminal,
		Container: box, Terminal: terminal, Shipment: shipment,
	})
	testRich(t, "container_pod_terminal_changed_event", containerPODTerminalChangedEventTable, containerPODTerminalChangedEventAttributes,
		containerEventRelationships, ContainerPODTerminalChangedEvent{
			Resource: res("container_pod_terminal_changed_event"), Timestamp: inUTC("2026-04-11T00:00:00Z"), DataSource: SourcePierPass,
			Container: box, Shipment: shipment, Terminal: terminal,
		})
}
