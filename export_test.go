package terminal49

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
	"github.com/stretchr/testify/require"
)

// These exports are for the external tests of this package.

// Bounds and lists.
const (
	Snippet         = snippet
	MaxPlain        = maxPlain
	MaxBarrenPages  = maxBarrenPages
	MaxPollFailures = maxPollFailures
)

// FailedReasons returns the documented reasons of failed tracking requests.
func FailedReasons() []FailedReason { return ValuesOf[FailedReason]("tracking_request.failed_reason") }

// ValuesOf returns the constants of an enumeration, by the name of an attribute that has it.
func ValuesOf[S ~string](attribute string) (list []S) {
	for _, enum := range catalogue.Enums() {
		if enum.Name == attribute {
			for _, value := range enum.Values {
				list = append(list, S(value))
			}
		}
	}
	return list
}

// Features returns all features in the order in which the service sent them.
func (m *ContainerMap) Features() []*MapFeature { return m.features }

// SchemaID returns the id of a document schema.
func SchemaID(documentType, version string) string { return schemaID(documentType, version) }

// ReadMap reads the map of a container.
func ReadMap(body []byte) (*ContainerMap, error) { return readMap(body, jsonapi.Options{}) }

// Forget drops what a feature keeps of how it was sent.
func (f *MapFeature) Forget() { f.raw, f.known = nil, false }

// Base returns the base URL of the client.
func (c *Client) Base() string { return c.base }

// Check validates the value as a request does.
func (v CustomFieldValue) Check() error { return v.check("Value") }

// Moment returns the instant of t, and whether t is a day without a time.
func (t Time) Moment() (instant time.Time, day bool) { return t.utc(), t.day }

// ResourceOf returns the identity that v, a pointer to any resource, embeds.
func ResourceOf(v any) *Resource { return v.(interface{ resource() *Resource }).resource() }

// OptState returns the state of v, an Opt of any type.
func OptState(v reflect.Value) (missing, null, value bool) {
	state := optState(v.Field(1).Uint())
	return state == optMissing, state == optNull, state == optValue
}

// Jitter spreads a wait as the waiters do.
func Jitter(d time.Duration) time.Duration { return jitter(d) }

// LostWrite returns the error of a write whose connection ended after three attempts.
func LostWrite(err error) error {
	return transportError(transport.Call{Op: "a.b", Class: transport.Write},
		&transport.Error{Op: "a.b", Method: "POST", Route: "/a", Err: err, Attempts: 3, MayHaveBeenSent: true}, nil)
}

// Attributes and relationships of the fixtures that decode_test.go explains.
const (
	ShipmentAttributes     = shipmentAttributes
	ShipmentRelationships  = shipmentRelationships
	ContainerAttributes    = containerAttributes
	ContainerRelationships = containerRelationships
)

// namesOf returns the wire names of the members of v, a pointer to a value object.
func namesOf(v any) []string { return jsonapi.NewTable(model{}, v).Names() }

// These helpers find the Go field of each wire name by decoding, so that new fields are fuzzed too.

// MemberShape maps each wire name of a Go type to the index of its struct field. It does not
// contain ignored names.
type MemberShape struct{ Attributes, Relationships map[string]int }

// DocumentShapes contains every resource and every object within one.
type DocumentShapes map[reflect.Type]MemberShape

// DocumentReader reads documents whose primary data are of one type, with the decoder and with a
// client.
type DocumentReader struct {
	Name   string
	Type   reflect.Type
	Decode func(body []byte) ([]any, *jsonapi.Document, error)
	Page   func(ctx context.Context, c *Client, opts ...CallOption) ([]any, Links, Opt[int], error) // nil if no call returns it
}

// readerOf returns the reader of a type that calls return.
func readerOf[T any, P resourceType[T]](t testing.TB, to DocumentShapes, name string) DocumentReader {
	t.Helper()
	r := includedReader[T](t, to, name)
	r.Page = func(ctx context.Context, c *Client, opts ...CallOption) ([]any, Links, Opt[int], error) {
		p, err := fetchPage[T, P](ctx, c, newEndpoint(operation.Operation{Name: "fuzz.list", Method: http.MethodGet, Path: "/fuzz", Retry: operation.Read}), opts)
		if err != nil {
			return nil, Links{}, Opt[int]{}, err
		}
		return anys(p.Items), p.Links, p.Size, nil
	}
	return r
}

// includedReader returns the reader of a type that is only included with others.
func includedReader[T any](t testing.TB, to DocumentShapes, name string) DocumentReader {
	t.Helper()
	find := func(member string, names []string) map[string]int {
		return fieldsOf(names, func(object string) reflect.Value {
			body := fmt.Sprintf(`{"data":{"id":"x","type":%q,%q:%s}}`, name, member, object)
			items, _, err := jsonapi.Decode[T]([]byte(body), jsonapi.Options{Types: registry})
			require.NoError(t, err, body)
			return reflect.ValueOf(items[0]).Elem()
		})
	}
	typ, table := reflect.TypeFor[T](), registry.TypeOf(new(T))
	to[typ] = MemberShape{find("attributes", table.Attributes()), find("relationships", table.Relationships())}
	return DocumentReader{
		Name: name, Type: typ,
		Decode: func(body []byte) ([]any, *jsonapi.Document, error) {
			own := bytes.Clone(body)
			items, doc, err := jsonapi.Decode[T](own, jsonapi.Options{Types: registry})
			clear(own) // as a later response does: a client uses the memory again
			return anys(items), doc, err
		},
	}
}

func anys[T any](items []*T) []any {
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = item
	}
	return list
}

func addMembersTo[T any](to DocumentShapes) {
	members := jsonapi.NewTable(model{}, new(T))
	to[reflect.TypeFor[T]()] = MemberShape{Attributes: fieldsOf(members.Names(), func(object string) reflect.Value {
		var v T
		_ = jsonapi.DecodeObject([]byte(object), jsonapi.Ref{}, members, &v, jsonapi.Options{})
		return reflect.ValueOf(&v).Elem()
	})}
}

// traces are values. At least one of them changes a field of any kind.
var traces = []string{
	`"trace"`, `7`, `true`, `"2026-03-02T16:00:00Z"`, `["trace"]`, `{"trace":[1,2]}`, `{"pickup_lfd_line":"2026-03-02"}`,
	`{"current":"2026-03-02"}`, `{"current_value":"2026-03-02"}`, `{"line":{"current":"2026-03-02"}}`, `{"reason":"x"}`,
	`{"decision":"x"}`, `{"data":{"type":"trace","id":"1"}}`, `{"data":[{"type":"trace","id":"1"}]}`,
}

// fieldsOf finds the field of each name: the one that is not empty after the name was read.
func fieldsOf(names []string, read func(object string) reflect.Value) map[string]int {
	fields := map[string]int{}
	for _, name := range names {
		for _, trace := range traces {
			v := read(fmt.Sprintf(`{%q:%s}`, name, trace))
			for i := range v.NumField() {
				if v.Type().Field(i).Name != "Resource" && !v.Field(i).IsZero() {
					fields[name] = i
				}
			}
		}
	}
	return fields
}

// DocumentReaders lists every type that the package reads, and how.
func DocumentReaders(t testing.TB) ([]DocumentReader, DocumentShapes) {
	to := DocumentShapes{}
	list := []DocumentReader{
		readerOf[Shipment](t, to, "shipment"), readerOf[Container](t, to, "container"),
		readerOf[TrackingRequest](t, to, "tracking_request"), readerOf[TransportEvent](t, to, "transport_event"),
		readerOf[RawEvent](t, to, "raw_event"), readerOf[ShippingLine](t, to, "shipping_line"), readerOf[Port](t, to, "port"),
		readerOf[MetroArea](t, to, "metro_area"), readerOf[Terminal](t, to, "terminal"), readerOf[Terminal](t, to, "rail_terminal"),
		readerOf[Vessel](t, to, "vessel"), readerOf[Party](t, to, "party"), readerOf[PartyRole](t, to, "party_role"), includedReader[Account](t, to, "account"),
		readerOf[CustomField](t, to, "custom_field"), readerOf[CustomFieldDefinition](t, to, "custom_field_definition"),
		readerOf[CustomFieldOption](t, to, "custom_field_option"), includedReader[User](t, to, "user"),
		readerOf[Document](t, to, "document"), readerOf[Extraction](t, to, "document_representation"),
		readerOf[DocumentSchema](t, to, "document_schema"), readerOf[EmailSubmission](t, to, "email_submission"),
		readerOf[SearchHit](t, to, "search_result"), includedReader[EstimatedEvent](t, to, "estimated_event"),
		includedReader[ContainerCreatedEvent](t, to, "container_created_event"),
		includedReader[ContainerUpdatedEvent](t, to, "container_updated_event"),
		includedReader[ContainerPODTerminalChangedEvent](t, to, "container_pod_terminal_changed_event"),
		readerOf[Webhook](t, to, "webhook"), readerOf[WebhookNotification](t, to, "webhook_notification"),
		readerOf[WebhookEventCategory](t, to, "webhook_event_category"), readerOf[Inference](t, to, "infer_number_results"),
	}
	addMembersTo[Hold](to)
	addMembersTo[Fee](to)
	addMembersTo[ImportDeadlines](to)
	addMembersTo[PODLastFreeDays](to)
	addMembersTo[LastFreeDayHistory](to)
	addMembersTo[ChosenLastFreeDay](to)
	addMembersTo[VesselPosition](to)
	addMembersTo[NumberValidation](to)
	addMembersTo[CarrierInference](to)
	addMembersTo[CarrierCandidate](to)
	addMembersTo[WebhookHeader](to)
	addMembersTo[WebhookEvent](to)
	return list, to
}

// ignoredMembers are not read: they repeat the id.
var ignoredMembers = map[string]bool{"id": true}

// readByMe are the types whose members only a response to Me has, with tables of their own;
// TestDecode_EveryField covers them. The name of an account is in other responses too.
var readByMe = map[string]bool{"credential": true, "account": true, "user": true}

// Every member of the service must be in the differential fuzzing or listed as ignored.
func TestFuzz_CoversEveryMember(t *testing.T) {
	list, known := DocumentReaders(t)
	byName := map[string]MemberShape{}
	members := 0
	for _, r := range list {
		byName[r.Name] = known[r.Type]
	}
	for _, typ := range catalogue.Types() {
		if typ.Withdrawn || readByMe[typ.Name] {
			continue
		}
		require.Contains(t, byName, typ.Name)
		for _, name := range typ.Attributes {
			if strings.Contains(name, ".") || ignoredMembers[name] {
				continue
			}
			require.Contains(t, byName[typ.Name].Attributes, name, typ.Name)
			members++
		}
		for _, r := range typ.Relationships {
			require.Contains(t, byName[typ.Name].Relationships, r.Name, typ.Name)
			members++
		}
	}
	require.Len(t, known[reflect.TypeFor[Hold]()].Attributes, len(namesOf(new(Hold))))
	require.Len(t, known[reflect.TypeFor[CarrierInference]()].Attributes, len(namesOf(new(CarrierInference))))
	t.Logf("figure: the document fuzzer checks %d members of %d resource types against encoding/json", members, len(list))
}

// WalkEndless walks a list whose every page has a new item and the link to the next, and returns
// the number of pages.
func WalkEndless() (pages int, err error) {
	read := func(_ context.Context, c apiCall) (anyPage, error) {
		number, _ := strconv.Atoi(c.query.Get(pageNumber))
		links := &Links{Next: "?page[number]=" + strconv.Itoa(max(number, 1)+1)}
		return anyPage{ids: []string{links.Next}, links: links, total: -1, more: true}, nil
	}
	for _, stepErr := range steps(context.Background(), apiCall{}, read) {
		if err = stepErr; err == nil {
			pages++
		}
	}
	return pages, err
}

// WithdrawnAsDuplicates returns which of the events of a container are duplicates of others: by
// comparing each with each, and as Journey finds those of many events.
func WithdrawnAsDuplicates(c *Container, events []*TransportEvent) (naive, got []bool) {
	r := itineraryOf(c, events)
	var a, b []fact
	for _, e := range events {
		a = append(a, fact{Milestone: milestoneOf(e), where: r.spotOf(e), createdAt: e.CreatedAt})
	}
	b = slices.Clone(a)
	withdrawDuplicates(b) // sorts
	if len(b) <= fewFacts {
		for i := range b {
			b[i].Withdrawn = false
		}
		withdrawByKeys(b)
	}
	for i := range b {
		a[i] = b[i]
		a[i].Withdrawn = false
	}
	for i, g := range a {
		a[i].Withdrawn = slices.ContainsFunc(a[:i], func(f fact) bool { return f.Event == g.Event && !f.Withdrawn && g.repeats(f) })
		naive, got = append(naive, a[i].Withdrawn), append(got, b[i].Withdrawn)
	}
	return naive, got
}

// WithdrawnAsEstimates returns which of the events of a container are estimates that others replace
// or overtake: by comparing each with each, and as Journey finds them.
func WithdrawnAsEstimates(c *Container, events []*TransportEvent) (naive, got []bool) {
	r := itineraryOf(c, events)
	var facts []fact
	for _, e := range events {
		facts = append(facts, fact{Milestone: milestoneOf(e), where: r.spotOf(e), createdAt: e.CreatedAt})
	}
	for _, f := range facts {
		naive = append(naive, f.Estimated && slices.ContainsFunc(facts, f.isOvertakenBy))
	}
	withdrawEstimates(facts)
	for _, f := range facts {
		got = append(got, f.Withdrawn)
	}
	return naive, got
}

// WithoutInternal is exported for tests of what is sent to a private address.
var WithoutInternal = withoutInternal

// EscapedPath is exported because a fuzz target compares it with package url.
var EscapedPath = escapedPath

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

func instant(s string) time.Time {
	v, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		panic(err)
	}
	return v
}

func placed(s, zone string) Time { return NewTime(instant(s), zone) }
func inUTC(s string) Time        { return NewTime(instant(s), "") }

func notTold(s string) Time {
	v := inUTC(s)
	markZoneUnreported(&v)
	return v
}

func dayOnly(s string) Time {
	v, ok := parseTime([]byte(s))
	if !ok {
		panic(s)
	}
	return v
}
