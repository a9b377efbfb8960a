package terminal49

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

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

func testVariants[T any](t *testing.T, typ, attributes string) {
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(attributes), &members))
	require.ElementsMatch(t, registry.TypeOf(new(T)).Attributes(), slices.Collect(maps.Keys(members)), "the fixture of %s is not whole", typ)

	decode := func(t *testing.T, change func(map[string]json.RawMessage)) (*T, []jsonapi.Warning) {
		variant := maps.Clone(members)
		change(variant)
		text, err := json.Marshal(variant)
		require.NoError(t, err)
		return decodeAs[T](t, typ, string(text), `{}`)
	}
	full, warnings := decodeAs[T](t, typ, attributes, `{}`)
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

// wrongKinds returns values that an attribute like value cannot be read from. A text may be sent as
// a number, though.
func wrongKinds(value json.RawMessage) []string {
	var text string
	switch {
	case json.Unmarshal(value, &text) == nil:
		wrong := []string{`{"a":[1]}`, `[1,"b"]`, `true`}
		if _, isTime := parseTime([]byte(text)); isTime {
			wrong = append(wrong, `"yesterday"`, `12`, `"2026-02-30T00:00:00Z"`, `"2026-13-01"`, `"0000-00-00"`)
		}
		return wrong
	case value[0] == '[':
		return []string{`{"a":[1]}`, `"yesterday"`, `12`, `true`}
	case value[0] == '{':
		return []string{`[1,"b"]`, `"yesterday"`, `12`, `true`}
	case value[0] == 't' || value[0] == 'f':
		return []string{`{"a":[1]}`, `[1,"b"]`, `"yesterday"`, `"true"`, `1`}
	default:
		return []string{
			`{"a":[1]}`, `[1,"b"]`, `true`, `"yesterday"`, `"NaN"`, `"-Inf"`, `1e999999999`, strings.Repeat("9", 1000), `"1,5"`,
		}
	}
}

func changedFields[T any](a, b *T) (n int) {
	va, vb := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range va.NumField() {
		if !reflect.DeepEqual(va.Field(i).Interface(), vb.Field(i).Interface()) {
			n++
		}
	}
	return n
}

// withoutNulls returns the JSON of a resource without the attributes that are null.
func withoutNulls(t *testing.T, v any) (resource map[string]any) {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &resource))
	attributes := resource["attributes"].(map[string]any)
	maps.DeleteFunc(attributes, func(_ string, v any) bool { return v == nil })
	return resource
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
