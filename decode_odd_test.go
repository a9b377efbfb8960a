package terminal49

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/stretchr/testify/require"
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

// The attributes of each type, each with a different value, in the service's form.

const shipmentAttributes = `{
	"created_at":"2026-01-01T01:02:03Z","ref_numbers":["PO 1","PO 2"],"tags":["hot"],
	"bill_of_lading_number":"MAEU212157148","normalized_number":"212157148",
	"shipping_line_scac":"MAEU","shipping_line_name":"Maersk Line","shipping_line_short_name":"Maersk","customer_name":"Ann & Sons",
	"port_of_lading_locode":"MXZLO","port_of_lading_name":"Manzanillo","port_of_discharge_locode":"USOAK",
	"port_of_discharge_name":"Port of Oakland","pod_vessel_name":"MAERSK EMDEN","pod_vessel_imo":"9456769","pod_voyage_number":"041N",
	"destination_locode":"USCHI","destination_name":"Chicago","destination_timezone":"America/Chicago",
	"destination_ata_at":"2026-01-02T00:00:00Z","destination_eta_at":"2026-01-03T00:00:00Z","destination_original_eta_at":"2026-01-04T00:00:00Z",
	"pol_etd_at":"2026-01-05T00:00:00Z","pol_atd_at":"2026-01-06T00:00:00Z","pol_original_etd_at":"2026-01-07T00:00:00Z",
	"pol_timezone":"America/Mexico_City","pod_eta_at":"2026-01-08T00:00:00Z","pod_original_eta_at":"2026-01-09T00:00:00Z",
	"pod_ata_at":"2026-01-10T00:00:00Z","pod_timezone":"US/Pacific",
	"line_tracking_last_attempted_at":"2026-01-11T00:00:00Z","line_tracking_last_succeeded_at":"2026-01-12T00:00:00Z",
	"line_tracking_stopped_at":"2026-01-13T00:00:00Z","line_tracking_stopped_reason":"past_arrival_window"}`

const containerAttributes = `{
	"number":"MSCU1234566","seal_number":"S1","created_at":"2026-02-01T00:00:00Z","ref_numbers":["PO 3"],
	"equipment_type":"flat rack","equipment_length":40,"equipment_height":"high_cube","weight_in_lbs":44090.5,
	"current_status":"awaiting_inland_transfer","availability_known":true,"available_for_pickup":true,
	"holds_at_pod_terminal":[{"name":"customs","status":"hold","description":"CBP exam","detail":{"terminal":"CBP HOLD"}},{"name":"freight","status":"pending","description":null}],
	"fees_at_pod_terminal":[{"type":"demurrage","amount":150.10,"currency_code":"USD"},{"type":"exam","amount":0}],
	"location_at_pod_terminal":"Yard<br>B4","terminal_checked_at":"2026-02-02T00:00:00Z",
	"pickup_lfd":"2026-02-03T08:00:00Z","pickup_appointment_at":"2026-02-04T00:00:00Z",
	"import_deadlines":{"pickup_lfd_terminal":"2026-02-03T08:00:00Z","pickup_lfd_rail":"2026-02-05T06:00:00Z","pickup_lfd_line":"2026-02-06T06:00:00Z",
		"pod":{"line":{"original":"2026-02-04","current":"2026-02-06T08:00:00Z","calculated":null,"manual":false},
			"facility":{"original":null,"current":"2026-02-03T08:00:00Z","calculated":"2026-02-05","manual":true},
			"unified":{"original_value":"2026-02-04","original_selection":"line","current_value":"2026-02-03T08:00:00Z","current_selection":"facility"}}},
	"pod_arrived_at":"2026-02-07T00:00:00Z","pod_discharged_at":"2026-02-08T00:00:00Z","pod_full_out_at":"2026-02-09T00:00:00Z",
	"pod_full_out_chassis_number":"CH1","final_destination_full_out_at":"2026-02-10T00:00:00Z","empty_terminated_at":"2026-02-11T00:00:00Z",
	"delivered_at":"2026-02-12T00:00:00Z","empty_out_at":"2026-02-13T00:00:00Z","pol_full_in_at":"2026-02-14T00:00:00Z",
	"pol_vessel_loaded_at":"2026-02-15T00:00:00Z","pol_vessel_departed_at":"2026-02-16T00:00:00Z",
	"pod_rail_carrier_scac":"BNSF","ind_rail_carrier_scac":"CN","pod_rail_loaded_at":"2026-02-17T00:00:00Z",
	"pod_rail_departed_at":"2026-02-18T00:00:00Z","ind_eta_at":"2026-02-19T00:00:00Z","ind_ata_at":"2026-02-20T00:00:00Z",
	"ind_rail_unloaded_at":"2026-02-21T00:00:00Z","ind_facility_lfd_on":"2026-02-22T00:00:00Z",
	"ind_facility_holds":[{"name":"TMF","status":"hold","description":"x"}],"ind_facility_fees":[{"type":"other","amount":"7"}],
	"ssl_lfd":"2026-02-23T00:00:00Z","inland_destination_eta_source_summary":{"source":"rail"},"release_statuses":[{"customs":"held"}],
	"pod_timezone":"America/Los_Angeles","final_destination_timezone":"America/Chicago","empty_terminated_timezone":"America/Denver",
	"pod_last_tracking_request_at":"2026-02-24T00:00:00Z","shipment_last_tracking_request_at":"2026-02-25T00:00:00Z",
	"rail_last_tracking_request_at":"2026-02-26T00:00:00Z"}`

const trackingRequestAttributes = `{
	"request_number":"MEDU0000001","request_type":"booking_number","scac":"MSCU","status":"failed","failed_reason":"not_found",
	"is_retrying":true,"retry_count":3,"ref_numbers":["a"],"tags":["b"],"shipment_tags":["c"],
	"created_at":"2026-03-01T00:00:00Z","updated_at":"2026-03-02T00:00:00.25Z"}`

const transportEventAttributes = `{
	"event":"container.pickup_lfd.changed","timestamp":"2026-03-03T00:00:00Z","timezone":"Asia/Calcutta","location_locode":"INNSA",
	"voyage_number":"7W","data_source":"rail","created_at":"2026-03-04T00:00:00Z","value":"2026-03-05T00:00:00Z",
	"value_timestamp":"2026-03-06T00:00:00Z","invalidated_at":"2026-03-07T00:00:00Z"}`

const rawEventAttributes = `{
	"event":"vgm_received","original_event":"VGM","timestamp":"2026-03-08T00:00:00Z","estimated":true,"actual_on":"2026-03-09",
	"estimated_on":"2026-03-10","actual_at":"2026-03-11T00:00:00Z","estimated_at":"2026-03-12T00:00:00Z",
	"will_occur_at":"2026-03-13T00:00:00Z","invalidated_at":"2026-03-14T00:00:00Z","timezone":"Asia/Tokyo",
	"created_at":"2026-03-15T00:00:00Z","location_name":"Tokyo Bay","location_locode":"JPTYO","vessel_name":"EVER","vessel_imo":"1",
	"voyage_number":"2","index":4,"data_source":"shipping_line","data_provider_name":"COSCO","data_provider_code":"COSU"}`

const shippingLineAttributes = `{
	"scac":"MAEU","name":"Maersk Line","short_name":"Maersk","alternative_scacs":["SAFM","SEJJ"],
	"bill_of_lading_tracking_support":true,"booking_number_tracking_support":true,"container_number_tracking_support":true,
	"provided_data":{"seal_number":true,"seal_number_notes":"mostly","ssl_lfd":false},
	"tracking_url":"https://line.test/${BLNUM}","contact_url":"https://line.test/"}`

const portAttributes = `{"id":"p","name":"Port of Oakland","code":"USOAK","state_abbr":"CA","city":"Oakland","country_code":"US",
	"latitude":37.8,"longitude":-122.3,"time_zone":"America/Los_Angeles"}`

const metroAreaAttributes = `{"id":"m","name":"Chicago","code":"USCHI","state_abbr":"IL","country_code":"US",
	"latitude":41.9,"longitude":-87.6,"time_zone":"America/Chicago"}`

const terminalAttributes = `{"id":"t","name":"TraPac LA","nickname":"TraPac","firms_code":"Y258","smdg_code":"TPC","bic_facility_code":"B",
	"street":"630 W Harry Bridges","city":"Wilmington","state":"California","state_abbr":"CA","zip":"90744","country":"United States",
	"facility_type":"rail","provided_data":{"pickup_lfd":true,"pickup_lfd_notes":""}}`

const vesselAttributes = `{"name":"EVER GIVEN","imo":"9811000","mmsi":"353136000","latitude":25.1,"longitude":55.2,
	"nautical_speed_knots":11.5,"navigational_heading_degrees":270,"position_timestamp":"2026-03-16T00:00:00Z",
	"positions":[{"latitude":1.5,"longitude":2.5,"heading":3,"timestamp":"2026-03-17T00:00:00Z","estimated":true}]}`

// The members are those of docs/service-tracking.md#parties, #party-roles and #credential.
const (
	partyAttributes     = `{"company_name":"Ann & Sons","nickname":"Ann","role_names":["shipper"]}`
	partyRoleAttributes = `{"role":"customs_broker","roleable_type":"Cargo","roleable_id":"7",
		"created_at":"2026-09-01T00:00:00Z","updated_at":"2026-09-02T00:00:00Z"}`
	partyRoleRelationships = `{"party":{"data":{"type":"party","id":"1"}}}`
	accountAttributes      = `{"company_name":"Ann & Sons","company_type":"shipper","scac":"ANNS","abbr_name":"A&S","city":"Oakland",
		"state_abbr":"CA","country":"US","plan":"free_plan","tracking_slots":{"limit":10,"used":10,"remaining":0}}`
	userAttributes = `{"email":"ann@example.com","name":"Ann","role":"account_manager","job_role":"owner","job_title":"Boss",
		"admin":false}`
	userRelationships    = `{"accounts":{"data":[{"type":"account","id":"1"},{"type":"account","id":"2"}]}}`
	credentialAttributes = `{"kind":"user","channel":"dashboard","name":"Night shift",
		"features":{"rail_data":{"status":"requires_paid_plan"},"new_data":{"status":"later"}}}`
	credentialRelationships = `{"account":{"data":{"type":"account","id":"1"}},"user":{"data":{"type":"user","id":"2"}}}`
)

const inferenceAttributes = `{"number_type":"booking",
	"validation":{"is_valid":false,"type":"container","check_digit_passed":true,"parsed_number":"X","reason":"r"},
	"shipping_line":{"decision":"auto_select","selected":{"scac":"MAEU","name":"Maersk","confidence":0.97},"candidates":[{"scac":"MAEU"}]}}`

const searchHitAttributes = `{"entity_type":"tracking_request","number":"MEDU0000001","shipment_id":"s","scac":"MSCU",
	"port_of_lading_name":"Shanghai","port_of_discharge_name":"Los Angeles","containers_count":3,"tracking_stopped":true,
	"tracking_stopped_reason":"cancelled_by_user","status":"failed","failed_reason":"not_found","ref_numbers":["PO 1"],
	"created_at":"2026-04-01T00:00:00Z","updated_at":"2026-04-02T00:00:00Z"}`

const customFieldAttributes = `{"api_slug":"duty","value":1840.250000,"display_value":"1840.25","updated_at":"2026-04-02T00:00:00Z"}`

const customFieldDefinitionAttributes = `{"entity_type":"Cargo","api_slug":"buyer","display_name":"Buyer","description":"Who pays",
	"data_type":"reference","reference_type":"party","validation":{"required":true},"default_format":"long",
	"default_value":{"type":"party","id":"1"},"template_id":"7","sensitive":true,"reference_number":true,
	"created_at":"2026-04-03T00:00:00Z","updated_at":"2026-04-04T00:00:00Z"}`

const customFieldOptionAttributes = `{"label":"Free on board","value":"fob","position":0}`

const (
	documentAttributes = `{"id":"x","name":"Invoice 7","document_type":"commercial_invoice","document_type_manual":"arrival_notice",
		"classification_notes":"sure","source":"split_document","file_name":"invoice.pdf","file_content_type":"application/pdf",
		"file_size_bytes":2048,"created_at":"2026-03-24T10:00:00Z","updated_at":"2026-03-24T11:00:00Z",
		"parsed":{"packetSegment":{"startPage":3,"endPage":5}}}`
	extractionAttributes = `{"schema_version":"v2026-03-23","payload":{"total_amount":"12450.00"},
		"created_at":"2026-03-24T10:00:00Z","updated_at":"2026-03-24T11:00:00Z"}`
	documentSchemaAttributes = `{"document_type":"commercial_invoice","label":"Commercial Invoice","schema_version":"v2026-03-23",
		"full_version":"commercial_invoice@2026-03-23","current":true,"draft":true,"active_at":"2026-03-23T00:00:00Z",
		"schema_format":"json_schema","description":"The first","schema_payload":{"type":"object"},
		"created_at":"2026-03-24T10:00:00Z","updated_at":"2026-03-24T11:00:00Z"}`
	emailSubmissionAttributes = `{"subject":"Papers","body":"Dear all","body_preview":"Dear","from":["a@example.com"],
		"to":["b@example.com"],"cc":["c@example.com"],"sent_at":"2026-03-24T09:00:00Z","message_id":"m1","in_reply_to":"m0",
		"references":["m0"],"content_type":"text/plain","documents_count":1,
		"created_at":"2026-03-24T10:00:00Z","updated_at":"2026-03-24T11:00:00Z"}`
)

const webhookNotificationAttributes = `{"id":"x","event":"document.extracted","delivery_status":"failed",
	"created_at":"2026-04-06T00:00:00Z","version":"1.0"}`

const webhookEventCategoryAttributes = `{"name":"Container Events","events":[{"name":"container.created","description":"A new one."}]}`

const estimatedEventAttributes = `{"event":"shipment.estimated.arrival","estimated_timestamp":"2026-04-07T00:00:00Z",
	"created_at":"2026-04-08T00:00:00Z","location_locode":"USLAX","timezone":"America/Los_Angeles","voyage_number":"7W",
	"data_source":"shipping_line"}`

const containerCreatedEventAttributes = `{"timestamp":"2026-04-09T00:00:00Z","timezone":"America/Chicago"}`

const containerUpdatedEventAttributes = `{"changeset":{"available_for_pickup":[false,true]},"timestamp":"2026-04-10T00:00:00Z",
	"timezone":"America/Los_Angeles","data_source":"terminal"}`

const containerPODTerminalChangedEventAttributes = `{"timestamp":"2026-04-11T00:00:00Z","data_source":"pierpass"}`

const (
	shipmentRelationships = `{
		"port_of_lading":{"data":{"id":"1","type":"port"}},"port_of_discharge":{"data":{"id":"2","type":"port"}},
		"destination":{"data":{"id":"3","type":"metro_area"}},"pod_terminal":{"data":{"id":"4","type":"terminal"}},
		"destination_terminal":{"data":{"id":"5","type":"rail_terminal"}},"line_tracking_stopped_by_user":{"data":{"id":"6","type":"user"}},
		"containers":{"data":[{"id":"7","type":"container"},{"id":"8","type":"container"}]},
		"party_roles":{"data":[{"id":"9","type":"party_role"}]}}`
	containerRelationships = `{
		"shipment":{"data":{"id":"1","type":"shipment"}},"pod_terminal":{"data":{"id":"2","type":"terminal"}},
		"pickup_facility":{"data":{"id":"3","type":"terminal"}},"transport_events":{"data":[{"id":"4","type":"transport_event"}]},
		"raw_events":{"data":[{"id":"5","type":"raw_event"}]}}`
	trackingRequestRelationships = `{
		"tracked_object":{"data":{"id":"1","type":"shipment"}},"customer":{"data":{"id":"2","type":"party"}},
		"user":{"data":{"id":"3","type":"user"}}}`
	transportEventRelationships = `{
		"shipment":{"data":{"id":"1","type":"shipment"}},"container":{"data":{"id":"2","type":"container"}},
		"vessel":{"data":{"id":"3","type":"vessel"}},"location":{"data":{"id":"4","type":"port"}},
		"terminal":{"data":{"id":"5","type":"rail_terminal"}},"source_event":{"data":{"id":"6","type":"raw_event"}},
		"previous_version":{"data":{"id":"7","type":"transport_event"}}}`
	rawEventRelationships = `{
		"location":{"data":{"id":"1","type":"metro_area"}},"vessel":{"data":{"id":"2","type":"vessel"}},
		"container":{"data":{"id":"3","type":"container"}},"terminal":{"data":{"id":"4","type":"terminal"}}}`
	customFieldRelationships = `{"entity":{"data":{"id":"1","type":"container"}},
		"definition":{"data":{"id":"2","type":"custom_field_definition"}}}`
	customFieldDefinitionRelationships = `{"account":{"data":{"id":"1","type":"account"}},
		"fields":{"data":[{"id":"2","type":"custom_field"}]},"options":{"data":[{"id":"3","type":"custom_field_option"}]}}`
	documentRelationships = `{
		"account":{"data":{"id":"1","type":"account"}},"user":{"data":{"id":"2","type":"user"}},
		"email_submission":{"data":{"id":"3","type":"email_submission"}},
		"last_document_representation":{"data":{"id":"4","type":"document_representation"}},
		"shipments":{"data":[{"id":"5","type":"shipment"}]},"cargos":{"data":[{"id":"6","type":"container"}]},
		"parent_document":{"data":{"id":"7","type":"document"}}}`
	emailSubmissionRelationships = `{"account":{"data":{"id":"1","type":"account"}},"user":{"data":{"id":"2","type":"user"}},
		"documents":{"data":[{"id":"3","type":"document"}]}}`
	webhookNotificationRelationships = `{
		"webhook":{"data":{"id":"1","type":"webhook"}},"reference_object":{"data":{"id":"2","type":"estimated_event"}},
		"document":{"data":{"id":"3","type":"document"}},
		"webhook_notification_logs":{"data":[{"id":"4","type":"webhook_notification_log"}]}}`
	estimatedEventRelationships = `{"shipment":{"data":{"id":"1","type":"shipment"}},"port":{"data":{"id":"2","type":"port"}},
		"vessel":{"data":{"id":"3","type":"vessel"}}}`
	containerEventRelationships = `{"container":{"data":{"id":"1","type":"container"}},"shipment":{"data":{"id":"2","type":"shipment"}},
		"terminal":{"data":{"id":"3","type":"terminal"}}}`
	containerCreatedEventRelationships = `{"container":{"data":{"id":"1","type":"container"}},
		"shipment":{"data":{"id":"2","type":"shipment"}}}`
	portRelationships     = `{"terminals":{"data":[{"id":"1","type":"terminal"}]}}`
	terminalRelationships = `{"port":{"data":{"id":"1","type":"port"}},"metro_area":{"data":{"id":"2","type":"metro_area"}}}`
)
