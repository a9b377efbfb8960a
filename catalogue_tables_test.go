package terminal49

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/testkit/gosource"
)

// deliberate lists intended differences between library and catalogue.
var deliberate = map[string]string{
	"rail_terminal":                        "ramps of either wire type are read by the one terminal table, so each type's own members are a part of it",
	"container.equipment_length":           "a number of feet, read as a number rather than as an enumeration",
	"infer_number_results.validation.type": "two words that nothing is decided by; kept as text",
}

func TestCatalogue_Tables(t *testing.T) {
	type shape struct{ attributes, relationships []string }
	members := func(of string, names []string) (dotted []string) {
		for _, name := range names {
			dotted = append(dotted, of+"."+name)
		}
		return dotted
	}
	holds, fees := holdMembers.Names(), feeMembers.Names()
	library := map[string]shape{
		"shipment": {shipmentTable.Attributes(), shipmentTable.Relationships()},
		"container": {slices.Concat(containerTable.Attributes(), members("import_deadlines", deadlineMembers.Names()),
			members("import_deadlines.pod", podDeadlineMembers.Names()),
			members("import_deadlines.pod.line", sourceDeadlineMembers.Names()),
			members("import_deadlines.pod.facility", sourceDeadlineMembers.Names()),
			members("import_deadlines.pod.unified", unifiedDeadlineMembers.Names()),
			members("holds_at_pod_terminal", holds), members("fees_at_pod_terminal", fees)), containerTable.Relationships()},
		"tracking_request": {trackingRequestTable.Attributes(), trackingRequestTable.Relationships()},
		"transport_event":  {transportEventTable.Attributes(), transportEventTable.Relationships()},
		"raw_event":        {rawEventTable.Attributes(), rawEventTable.Relationships()},
		"shipping_line":    {shippingLineTable.Attributes(), shippingLineTable.Relationships()},
		"port":             {portTable.Attributes(), portTable.Relationships()},
		"metro_area":       {metroAreaTable.Attributes(), metroAreaTable.Relationships()},
		"terminal":         {terminalTable.Attributes(), terminalTable.Relationships()},
		"vessel": {slices.Concat(vesselTable.Attributes(), members("positions", positionMembers.Names())),
			vesselTable.Relationships()},
		"party":      {partyTable.Attributes(), partyTable.Relationships()},
		"party_role": {partyRoleTable.Attributes(), partyRoleTable.Relationships()},
		"credential": {append(credentialTable.Attributes(), "features.status"), credentialTable.Relationships()},
		"account": {append(accountTable.Attributes(), members("tracking_slots", slotMembers.Names())...),
			accountTable.Relationships()},
		"user": {userTable.Attributes(), userTable.Relationships()},
		"infer_number_results": {slices.Concat(inferenceTable.Attributes(), members("validation", validationMembers.Names()),
			members("shipping_line", carrierMembers.Names()), members("shipping_line.selected", candidateMembers.Names()),
			members("shipping_line.candidates", candidateMembers.Names())), inferenceTable.Relationships()},
		"search_result":           {searchHitTable.Attributes(), searchHitTable.Relationships()},
		"custom_field":            {customFieldTable.Attributes(), customFieldTable.Relationships()},
		"custom_field_definition": {customFieldDefinitionTable.Attributes(), customFieldDefinitionTable.Relationships()},
		"custom_field_option":     {customFieldOptionTable.Attributes(), customFieldOptionTable.Relationships()},
		"document":                {documentTable.Attributes(), documentTable.Relationships()},
		"document_representation": {extractionTable.Attributes(), extractionTable.Relationships()},
		"document_schema":         {documentSchemaTable.Attributes(), documentSchemaTable.Relationships()},
		"email_submission":        {emailSubmissionTable.Attributes(), emailSubmissionTable.Relationships()},
		"webhook": {slices.Concat(webhookTable.Attributes(),
			members("headers", webhookHeaderMembers.Names())), webhookTable.Relationships()},
		"webhook_notification": {webhookNotificationTable.Attributes(), webhookNotificationTable.Relationships()},
		"webhook_event_category": {slices.Concat(webhookEventCategoryTable.Attributes(),
			members("events", webhookEventMembers.Names())),
			webhookEventCategoryTable.Relationships()},
		"estimated_event":         {estimatedEventTable.Attributes(), estimatedEventTable.Relationships()},
		"container_created_event": {containerCreatedEventTable.Attributes(), containerCreatedEventTable.Relationships()},
		"container_updated_event": {containerUpdatedEventTable.Attributes(), containerUpdatedEventTable.Relationships()},
		"container_pod_terminal_changed_event": {containerPODTerminalChangedEventTable.Attributes(),
			containerPODTerminalChangedEventTable.Relationships()},
	}
	service := map[string]shape{}
	for _, typ := range catalogue.Types() {
		if typ.Withdrawn {
			continue
		}
		name := typ.Name
		if deliberate[name] != "" && name == "rail_terminal" {
			name = "terminal"
		}
		s := service[name]
		s.attributes = append(s.attributes, typ.Attributes...)
		for _, r := range typ.Relationships {
			s.relationships = append(s.relationships, r.Name)
		}
		service[name] = s
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(service)), slices.Collect(maps.Keys(library)))
	for name, want := range service {
		t.Run(name, func(t *testing.T) {
			require.ElementsMatch(t, unique(want.attributes), unique(library[name].attributes))
			require.ElementsMatch(t, unique(want.relationships), unique(library[name].relationships))
		})
	}
	// Every type that can be included must be registered under its wire name.
	for _, typ := range catalogue.Types() {
		if !typ.Withdrawn && typ.Name != "infer_number_results" && typ.Name != "credential" {
			got := ReadOne[Shipment](t,
				ShipmentWith(`"destination":{"data":{"id":"d","type":"`+typ.Name+`"}}`, `{"id":"d","type":"`+typ.Name+`"}`))
			place, ok := got.Destination.Value()
			_, unknown := place.(*UnknownResource)
			require.False(t, ok && unknown, "%s is not registered", typ.Name)
		}
	}
}

func unique(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// constants returns the string constants of the package by their type.
func constants(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, file := range gosource.Files(t, ".") {
		for _, decl := range file.Decls {
			group, ok := decl.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			for _, spec := range group.Specs {
				value := spec.(*ast.ValueSpec)
				typ, ok := value.Type.(*ast.Ident)
				if !ok || len(value.Values) != 1 {
					continue
				}
				if literal, ok := value.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
					text, err := strconv.Unquote(literal.Value)
					require.NoError(t, err)
					found[typ.Name] = append(found[typ.Name], text)
				}
			}
		}
	}
	return found
}

func TestCatalogue_Enums(t *testing.T) {
	// The values for which Known returns true, by Go type.
	knownOf := map[string][]string{
		"LineTrackingStoppedReason": toStrings(lineTrackingStoppedReasons), "ContainerStatus": toStrings(containerStatuses),
		"EquipmentType": toStrings(equipmentTypes), "EquipmentHeight": toStrings(equipmentHeights),
		"HoldName":   toStrings(holdNames),
		"HoldStatus": toStrings(holdStatuses), "FeeType": toStrings(feeTypes), "RequestType": toStrings(requestTypes),
		"TrackingRequestStatus": toStrings(trackingRequestStatuses), "FailedReason": toStrings(failedReasons),
		"NumberType": toStrings(numberTypes), "CarrierDecision": toStrings(carrierDecisions),
		"DataSource":   toStrings(dataSources),
		"EventName":    append(toStrings(WebhookEvents()), append(toStrings(otherDocumentEvents), string(EventEmailSubmissionCreated))...),
		"RawEventName": toStrings(rawEventNames), "FacilityType": toStrings(facilityTypes),
		"SearchKind":            toStrings(searchKinds),
		"CustomFieldEntityType": toStrings(customFieldEntityTypes), "CustomFieldDataType": toStrings(customFieldDataTypes),
		"DocumentSource": toStrings(documentSources), "SchemaFormat": toStrings(schemaFormats),
		"DeliveryStatus": toStrings(deliveryStatuses), "PartyRoleKind": toStrings(partyRoleKinds),
		"CredentialKind": toStrings(credentialKinds), "Feature": toStrings(features), "FeatureStatus": toStrings(featureStatuses),
		"AccountPlan": toStrings(accountPlans),
	}
	types := map[string]string{
		"shipment.line_tracking_stopped_reason":            "LineTrackingStoppedReason",
		"container.current_status":                         "ContainerStatus",
		"container.equipment_type":                         "EquipmentType",
		"container.equipment_height":                       "EquipmentHeight",
		"container.holds_at_pod_terminal.name":             "HoldName",
		"container.holds_at_pod_terminal.status":           "HoldStatus",
		"container.fees_at_pod_terminal.type":              "FeeType",
		"tracking_request.request_type":                    "RequestType",
		"tracking_request.status":                          "TrackingRequestStatus",
		"tracking_request.failed_reason":                   "FailedReason",
		"infer_number_results.number_type":                 "NumberType",
		"infer_number_results.shipping_line.decision":      "CarrierDecision",
		"transport_event.event":                            "EventName",
		"transport_event.data_source":                      "DataSource",
		"raw_event.event":                                  "RawEventName",
		"terminal.facility_type":                           "FacilityType",
		"search_result.entity_type":                        "SearchKind",
		"party_role.role":                                  "PartyRoleKind",
		"credential.kind":                                  "CredentialKind",
		"credential.features":                              "Feature",
		"credential.features.status":                       "FeatureStatus",
		"account.plan":                                     "AccountPlan",
		"custom_field_definition.entity_type":              "CustomFieldEntityType",
		"custom_field_definition.data_type":                "CustomFieldDataType",
		"document.source":                                  "DocumentSource",
		"document_schema.schema_format":                    "SchemaFormat",
		"webhook.events":                                   "EventName",
		"webhook_notification.event":                       "EventName",
		"webhook_notification.delivery_status":             "DeliveryStatus",
		"estimated_event.event":                            "EventName",
		"estimated_event.data_source":                      "DataSource",
		"container_updated_event.data_source":              "DataSource",
		"container_pod_terminal_changed_event.data_source": "DataSource",
	}
	inSource := constants(t)
	byType := map[string][]string{} // several attributes may share a type, each with some of its values
	seen := map[string]bool{}
	for _, enum := range catalogue.Enums() {
		seen[enum.Name] = true
		typ := types[enum.Name]
		require.NotEqual(t, typ == "", deliberate[enum.Name] == "",
			"%s: the library has no constants for it, or has them by now", enum.Name)
		byType[typ] = append(byType[typ], enum.Values...)
	}
	for name := range types {
		require.True(t, seen[name], "%s is not in the catalogue", name)
	}
	for typ, known := range knownOf {
		t.Run(typ, func(t *testing.T) {
			require.ElementsMatch(t, unique(byType[typ]), known)
			require.ElementsMatch(t, known, inSource[typ], "constants that Known does not know, or the reverse")
		})
	}
	// For types with several lists, Known itself is called.
	for _, name := range byType["EventName"] {
		require.True(t, EventName(name).Known(), name)
	}
}

func TestCatalogue_Includes(t *testing.T) {
	types := map[string]string{
		"shipments.list": "ShipmentInclude", "shipments.get": "ShipmentInclude",
		"containers.list": "ContainerInclude", "containers.get": "ContainerInclude",
		"tracking_requests.list": "TrackingRequestInclude", "tracking_requests.get": "TrackingRequestInclude",
		"containers.transport_events": "TransportEventInclude",
		"documents.list":              "DocumentInclude", "documents.get": "DocumentInclude",
		"email_submissions.list": "EmailSubmissionInclude", "email_submissions.get": "EmailSubmissionInclude",
		"webhook_notifications.list": "WebhookNotificationInclude",
		"webhook_notifications.get":  "WebhookNotificationInclude",
	}
	inSource := constants(t)
	for _, o := range operation.All() {
		if len(o.Includes) == 0 {
			continue
		}
		t.Run(o.Name, func(t *testing.T) {
			// Dotted paths may have constants or not.
			dotted := func(s string) bool { return strings.Contains(s, ".") }
			plain := slices.DeleteFunc(slices.Clone(o.Includes), dotted)
			require.NotEmpty(t, types[o.Name])
			require.ElementsMatch(t, plain, slices.DeleteFunc(slices.Clone(inSource[types[o.Name]]), dotted))
		})
	}
}
