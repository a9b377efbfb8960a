package terminal49

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/internal/catalogue"
	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
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
func FailedReasons() []FailedReason { return failedReasons }

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

// Attributes and relationships of the fixtures that decode_odd_test.go explains.
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
