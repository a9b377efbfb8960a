package terminal49_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
)

// printed is a resource in the ways in which programs print it.
func printed(v any) []string {
	return []string{fmt.Sprint(v), fmt.Sprintf("%v", v), fmt.Sprintf("%+v", v), fmt.Sprintf("%s", v)}
}

// The form of a resource object is that of JSON:API 1.1, section 7.2: a type and an id.
func TestResource_PrintsItsTypeAndID(t *testing.T) {
	for _, v := range stored() {
		of := reflect.TypeOf(v).Elem()
		text := fmt.Sprintf(`{"type":%q,"id":%q,"attributes":{"number_type":"container"}}`, wireType(of), testkit.ContainerID)
		require.NoError(t, json.Unmarshal([]byte(text), v))
		want := wireType(of) + " " + testkit.ContainerID
		for _, value := range []any{v, reflect.ValueOf(v).Elem().Interface()} {
			for _, got := range printed(value) {
				require.Equal(t, want, got, "%T", value)
			}
		}
		for _, got := range printed([]any{v}) {
			require.Equal(t, "["+want+"]", got)
		}
		require.Equal(t, "<nil>", fmt.Sprint(reflect.Zero(reflect.TypeOf(v)).Interface()))
	}
}

func TestContainer_PrintsItsNumber(t *testing.T) {
	for want, c := range map[string]terminal49.Container{
		"container MSCU1234566 (" + testkit.ContainerID + ")": {
			Resource: terminal49.Resource{ID: testkit.ContainerID, Type: "container"}, Number: "MSCU1234566"},
		"container MSCU1234566": {Number: "MSCU1234566"},
		"container c":           {Resource: terminal49.Resource{ID: "c"}},
		"container":             {},
		`container A\nB`:        {Number: "A\nB"},
	} {
		for _, got := range append(printed(c), printed(&c)...) {
			require.Equal(t, want, got)
		}
	}
	require.Equal(t, "resource", terminal49.Resource{}.String())
}

// A relationship does not lead to addresses, and the JSON that is kept, which may hold secrets, is
// not printed.
func TestResource_PrintsNoAddressesAndNoSecrets(t *testing.T) {
	const secret = "s3cr3t-of-the-webhook"
	body := `{"data":[{"id":"` + testkit.WebhookID + `","type":"webhook","attributes":{"url":"https://example.com/` + secret + `","secret":"` + secret + `"}}]}`
	client := testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithRawJSON())
	page, err := client.Webhooks.List(t.Context(), nil)
	require.NoError(t, err)
	webhook := page.Items[0]
	require.Contains(t, string(webhook.Raw()), secret)
	require.Equal(t, "[webhook "+testkit.WebhookID+"]", fmt.Sprint(page.Items))
	demoClient, ids := demo(t)
	container, err := demoClient.Containers.Get(t.Context(), ids[0], &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{"shipment", "pod_terminal", "transport_events"}})
	require.NoError(t, err)
	shipment, _ := container.Shipment.Value()
	for _, v := range []any{webhook, *webhook, container, *container, shipment} {
		for _, got := range printed(v) {
			require.NotContains(t, got, secret)
			require.NotRegexp(t, regexp.MustCompile(`0x[0-9a-f]{6,}`), got)
		}
	}
}

// Values that users store. The form of a resource is that of JSON:API 1.1, section 7.2, which is
// the service's; that of a time with a zone is RFC 9557's.

// stored returns a new value of each type of resource, as json.Unmarshal takes it.
func stored() []any {
	return []any{
		&terminal49.Shipment{}, &terminal49.Container{}, &terminal49.TrackingRequest{}, &terminal49.TransportEvent{},
		&terminal49.RawEvent{}, &terminal49.ShippingLine{}, &terminal49.Port{}, &terminal49.MetroArea{}, &terminal49.Terminal{},
		&terminal49.Vessel{}, &terminal49.Party{}, &terminal49.PartyRole{}, &terminal49.Account{}, &terminal49.Credential{},
		&terminal49.User{}, &terminal49.CustomField{}, &terminal49.CustomFieldDefinition{}, &terminal49.CustomFieldOption{},
		&terminal49.Document{}, &terminal49.Extraction{}, &terminal49.DocumentSchema{}, &terminal49.EmailSubmission{},
		&terminal49.SearchHit{}, &terminal49.EstimatedEvent{}, &terminal49.ContainerCreatedEvent{},
		&terminal49.ContainerUpdatedEvent{}, &terminal49.ContainerPODTerminalChangedEvent{}, &terminal49.Inference{},
		&terminal49.Webhook{}, &terminal49.WebhookNotification{}, &terminal49.WebhookEventCategory{}, &terminal49.UnknownResource{},
	}
}

func TestStored_EveryResourceIsReadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	for _, v := range stored() {
		of := reflect.TypeOf(v).Elem()
		for range testkit.Scale(20, 600) {
			made := reflect.New(of)
			fill(random, made.Elem(), 0)
			if c, ok := made.Interface().(*terminal49.Container); ok { // 0 is read as missing
				c.EquipmentLength, c.WeightPounds = nonZero(c.EquipmentLength), nonZero(c.WeightPounds)
			}
			name := made.Elem().FieldByName("Type")
			name.SetString(wireType(of))
			text, err := json.Marshal(made.Interface())
			require.NoError(t, err, "%s", of)
			read := reflect.New(of)
			require.NoError(t, json.Unmarshal(text, read.Interface()), "%s", text)
			require.Equal(t, made.Interface(), read.Interface(), "%s", text)
			byValue, err := json.Marshal(made.Elem().Interface())
			require.NoError(t, err)
			require.Equal(t, string(text), string(byValue))
		}
	}
}

func nonZero[V int | float64](o terminal49.Opt[V]) terminal49.Opt[V] {
	if o == terminal49.Some[V](0) {
		return terminal49.Opt[V]{}
	}
	return o
}

// wireType returns the name of a type on the wire (docs/service.md#types).
func wireType(of reflect.Type) string {
	switch of {
	case reflect.TypeFor[terminal49.Extraction]():
		return "document_representation"
	case reflect.TypeFor[terminal49.SearchHit]():
		return "search_result"
	case reflect.TypeFor[terminal49.Inference]():
		return "infer_number_results"
	case reflect.TypeFor[terminal49.ContainerPODTerminalChangedEvent]():
		return "container_pod_terminal_changed_event"
	}
	var name strings.Builder
	for i, r := range of.Name() {
		if i > 0 && r >= 'A' && r <= 'Z' {
			name.WriteByte('_')
		}
		name.WriteRune(r)
	}
	return strings.ToLower(name.String())
}

// fill sets v to a random value that reading can return.
func fill(r *rand.Rand, v reflect.Value, depth int) {
	text := func() string {
		return string([]rune("aZ0 <&\"\\é\u2028/[")[r.IntN(12):][:1]) + fmt.Sprint(r.IntN(100))
	}
	switch at := v.Addr().Interface().(type) {
	case *time.Time:
		*at = time.Unix(r.Int64N(2e9), r.Int64N(1e9)).UTC()
	case *terminal49.Time:
		*at = randomTime(r)
	case *terminal49.Secret: // not stored
	case *decimal.Decimal:
		*at = decimal.RequireFromString(fmt.Sprintf("%d.%d5", r.IntN(1e6), r.IntN(100)))
	case *json.RawMessage:
		*at = json.RawMessage(fmt.Sprintf(`{"a":[%d,null]}`, r.IntN(100)))
	case *terminal49.RawJSON:
		*at = terminal49.RawJSON(fmt.Sprintf(`{"a":[%d,null]}`, r.IntN(100)))
	case *terminal49.CustomFieldValue:
		sent, _ := json.Marshal(text())
		*at = terminal49.CustomFieldValue{}
		if err := json.Unmarshal(sent, at); err != nil { // a value that is read does not know its type
			panic(err)
		}
	case *terminal49.ProvidedData:
		*at = terminal49.ProvidedData{
			"pickup_lfd":            {Reported: terminal49.Some(true), Notes: text()},
			"holds_at_pod_terminal": {Reported: terminal49.Some(false)}, "fees_at_pod_terminal": {Reported: terminal49.Null[bool]()},
			"pod_full_out_at": {Notes: text()},
		}
	case *terminal49.TrackingSlots:
		*at = []terminal49.TrackingSlots{{}, {Unlimited: true}, {Limit: terminal49.Some(r.IntN(9)), Used: terminal49.Null[int]()}}[r.IntN(3)]
	case *[]terminal49.FeatureAccess:
		*at = []terminal49.FeatureAccess{{Feature: "a", Status: "not_enabled"}, {Feature: terminal49.Feature(text())}}
	case json.Unmarshaler:
		fillByJSON(r, v, at)
	default:
		fillKind(r, v, depth, text)
	}
}

func fillKind(r *rand.Rand, v reflect.Value, depth int, text func() string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text())
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int:
		v.SetInt(r.Int64N(1000))
	case reflect.Float64:
		v.SetFloat(r.Float64() * 90) // also a latitude
	case reflect.Pointer:
		if r.IntN(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem(), depth+1)
		}
	case reflect.Slice:
		if n := r.IntN(4) - 1; n >= 0 { // nil, empty, or some
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range v.Len() {
			fill(r, v.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(r, v.Field(i), depth+1)
			}
		}
	default:
		panic("a field of a kind that is not filled: " + v.Type().String())
	}
}

// fillByJSON sets a value whose fields are not exported.
func fillByJSON(r *rand.Rand, v reflect.Value, at json.Unmarshaler) {
	name := v.Type().Name()
	var choices []string
	switch {
	case strings.HasPrefix(name, "ToOne["):
		choices = []string{`null`, `{"type":"container","id":"c"}`, `{"type":"","id":"<"}`, ``}
	case strings.HasPrefix(name, "ToMany["):
		choices = []string{`null`, `[]`, `[{"type":"container","id":"c"},{"type":"container","id":"d"}]`}
	case strings.HasPrefix(name, "Opt[bool"):
		choices = []string{`null`, `true`, `false`, ``}
	case strings.HasPrefix(name, "Opt[int"):
		choices = []string{`null`, `0`, `40`, ``}
	case strings.HasPrefix(name, "Opt[float64"):
		choices = []string{`null`, `0`, `-18.264217`, ``} // also a latitude
	case strings.HasPrefix(name, "Opt["):
		choices = []string{`null`, `{"scac":"MAEU","name":"Maersk","confidence":0.97}`, ``}
	case name == "Changeset":
		choices = []string{`{"pickup_lfd":["2026-03-01T08:00:00Z",null],"odd":[1]}`, `{}`}
	default: // an object with exported fields
		fillKind(r, v, 0, func() string { return fmt.Sprint("t", r.IntN(100)) })
		return
	}
	if choice := choices[r.IntN(len(choices))]; choice != "" {
		if err := at.UnmarshalJSON([]byte(choice)); err != nil {
			panic(err)
		}
	}
}

// randomTime returns a time of each kind: with a zone, in either of two, without, at no place, and
// a calendar day.
func randomTime(r *rand.Rand) (t terminal49.Time) {
	at := time.Unix(r.Int64N(3e9), r.Int64N(2)*r.Int64N(1e9)).UTC()
	digits := []string{
		at.Format(time.RFC3339Nano), at.Format(time.DateOnly),
		at.In(time.FixedZone("", r.IntN(24*60)*60-12*3600)).Format(time.RFC3339),
	}[r.IntN(3)]
	zone := []string{"", "[Asia/Shanghai]", "[America/Los_Angeles]", "[unknown]", "[unreported]", "[Asia/Tokyo or America/New_York]"}[r.IntN(6)]
	if r.IntN(8) > 0 {
		if err := t.UnmarshalText([]byte(digits + zone)); err != nil {
			panic(err)
		}
	}
	return t
}

// demo returns a client of the simulator's demo world, and the ids of its containers.
func demo(t *testing.T) (client *terminal49.Client, ids []string) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	t.Cleanup(srv.Close)
	srv.SeedDemo()
	client = testkit.SimulatedClient(t, srv)
	for c, err := range client.Containers.All(t.Context(), nil) {
		require.NoError(t, err)
		ids = append(ids, c.ID)
	}
	require.NotEmpty(t, ids)
	return client, ids
}

// A midnight of 25 November in Shanghai stays the last free day of that day, with a zone that the
// container has, and with one that only an included resource has.
func TestStored_TheDayStays(t *testing.T) {
	client, ids := demo(t)
	for _, id := range ids {
		c, err := client.Containers.Get(t.Context(), id, &terminal49.ContainerGetParams{Include: []terminal49.ContainerInclude{
			terminal49.ContainerIncludeShipment, terminal49.ContainerIncludeTransportEvents,
		}})
		require.NoError(t, err)
		text, err := json.Marshal(c)
		require.NoError(t, err)
		var read terminal49.Container
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, terminal49.LastFreeDays(c), terminal49.LastFreeDays(&read))
		require.Equal(t, c.POLVesselLoadedAt, read.POLVesselLoadedAt)
		require.Equal(t, c.AsOf, read.AsOf)
		require.Empty(t, terminal49.DiffContainers(c, &read).Attributes())
	}
}

// What cannot be read is an error that names the problem, and leaves the value as it was.
func TestStored_NothingIsReadInSilence(t *testing.T) {
	for text, problem := range map[string]string{
		`{}`:                                   "attributes",
		`[]`:                                   "resource",
		`{"data":null}`:                        "one resource",
		`{"data":[]}`:                          "not a list",
		`{"id":"x"}`:                           "attributes",
		`{"id":"x","attributes":{}}`:           `"type"`,
		`{"type":"container"}`:                 "attributes",
		`{"type":"container","id":"x"}`:        "attributes",
		`{"type":"container","attributes":{}}`: "without an id",
		`{"type":"FeatureCollection","features":[]}`:                                                              "attributes",
		`{"data":[{"id":"x","type":"container","attributes":{}}],"meta":{"total":200}}`:                           "not a list",
		`{"id":"x","type":"container","attributes":{},"meta":{"as_of":"soon"}}`:                                   "meta",
		`{"id":"x","type":"container","attributes":{},"relationships":{"shipment":{"data":{"type":"shipment"}}}}`: "no id",
		`{"ID":"x","Number":"y"}`:                                                                                 "attributes",
		`{"id":"x","type":"vessel","attributes":{}}`:                                                              `"vessel"`,
		`{"id":"x","type":"container","attributes":{"number":["y"]}}`:                                             "number",
		`{"id":"x","type":"container","attributes":{"pickup_lfd":"soon"}}`:                                        "pickup_lfd",
		`{"data":[{"id":"x","type":"container"},{"id":"y","type":"container"}]}`:                                  "not a list",
		`{"id":"x","type":"container","relationships":{"shipment":{"data":"s"}}}`:                                 "shipment",
		`{"id":"x","type":"container","attributes":{"number":"y"}} {"id":"z","type":"container","attributes":{}}`: "after top-level value",
	} {
		c := terminal49.Container{Number: "before"}
		err := json.Unmarshal([]byte(text), &c)
		require.ErrorContains(t, err, problem, text)
		require.Equal(t, "before", c.Number)
	}
	var zoned terminal49.Container // a zone of what is not a time is ignored
	require.NoError(t, json.Unmarshal([]byte(`{"id":"x","type":"container","attributes":{"number":"y"},"meta":{"zones":{"number":"UTC"}}}`), &zoned))
	_, err := json.Marshal(terminal49.Container{})
	require.ErrorContains(t, err, "without an id")
	c := terminal49.Container{Number: "before"}
	require.NoError(t, json.Unmarshal([]byte("null"), &c)) // encoding/json: null has no effect
	require.Equal(t, "before", c.Number)

	_, err = json.Marshal(terminal49.Container{Resource: terminal49.Resource{ID: "x"}, Shipment: terminal49.Linked[*terminal49.Shipment]("shipment", "")})
	require.ErrorContains(t, err, "shipment")
}

// A resource is read from Raw, from an element of data, and from a whole document with Do.
func TestStored_WhatTheServiceSentIsRead(t *testing.T) {
	client, ids := demo(t)
	id := ids[0]
	get := func(path string, out any) error {
		return client.Do(t.Context(), terminal49.Request{Method: http.MethodGet, Path: path}, out)
	}
	want, err := client.Containers.Get(t.Context(), id, nil, terminal49.WithRawJSON())
	require.NoError(t, err)

	var raw, whole terminal49.Container
	require.NoError(t, json.Unmarshal(want.Raw(), &raw))
	require.NoError(t, client.Do(t.Context(), terminal49.Request{
		Method: http.MethodGet, Path: "/containers/" + id, Query: url.Values{"include": {"shipment"}},
	}, &whole))
	require.Equal(t, want.Number, whole.Number)
	shipment, ok := whole.Shipment.Value()
	require.True(t, ok, "included resources are kept")
	require.NotEmpty(t, shipment.BillOfLadingNumber)
	require.Empty(t, terminal49.DiffContainers(want, &raw).Attributes())
	require.Equal(t, want.PickupLFD, raw.PickupLFD)

	var list struct{ Data []terminal49.Container }
	require.NoError(t, get("/containers", &list))
	require.NotEmpty(t, list.Data)
	require.NotEmpty(t, list.Data[0].Number)
	require.Error(t, get("/containers", &whole), "it holds several")
	require.ErrorContains(t, get("/containers/"+id, &terminal49.Shipment{}), `it is a "container"`)
	require.NotZero(t, whole.AsOf)
	var unknown terminal49.UnknownResource
	require.NoError(t, get("/containers/"+id, &unknown))
	require.Equal(t, id, unknown.ID)
}

// FuzzStored checks that what a resource accepts as JSON is written and read back as the same, and
// that nothing else than JSON is accepted.
func FuzzStored(f *testing.F) {
	for i, seed := range []string{
		`{"id":"c","type":"container","attributes":{"pickup_lfd":"2026-11-24T16:00:00Z","pod_timezone":"Asia/Shanghai"}}`,
		`{"data":{"id":"s","type":"shipment","relationships":{"containers":{"data":[{"type":"container","id":"c"}]}}}}`,
		`{"id":"c","type":"container","meta":{"as_of":"2026-01-01T00:00:00Z","zones":{"pickup_lfd":"unknown"}},"attributes":{"pickup_lfd":"2026-11-24"}}`,
		`{"id":"e","type":"container_updated_event","attributes":{"changeset":{"pickup_lfd":[null,"x"]}}}`,
		`{"id":"v","type":"vessel","attributes":{"positions":[{"timestamp":"2026-01-01T00:00:00-08:00"}]},"meta":{"zones":{"positions.0.timestamp":"unreported"}}}`,
		`{"id":"x","type":"odd","attributes":[],"meta":7}`, `null`, `{}`,
	} {
		f.Add(i, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		types := stored()
		of := reflect.TypeOf(types[(kind%len(types)+len(types))%len(types)]).Elem()
		first, second := reflect.New(of), reflect.New(of)
		if json.Unmarshal(data, first.Interface()) != nil || string(bytes.TrimSpace(data)) == "null" {
			return
		}
		text, err := json.Marshal(first.Interface())
		if err != nil {
			t.Fatalf("%s was read from %q and cannot be written: %v", of, data, err)
		}
		if err := json.Unmarshal(text, second.Interface()); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		again, err := json.Marshal(second.Interface())
		if err != nil || string(again) != string(text) {
			t.Fatalf("read from %q\nwritten as %s\nthen as %s %v", data, text, again, err)
		}
	})
}

// A resource whose AsOf JSON cannot hold is stored without it.
func TestResource_StoredWithAnyAsOf(t *testing.T) {
	for asOf, want := range map[time.Time]time.Time{
		{}: {}, time.Unix(0, 0).UTC(): time.Unix(0, 0).UTC(), time.Date(10000, 1, 1, 13, 59, 59, 0, time.UTC): {}, time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC): {},
	} {
		c := &terminal49.Container{Resource: terminal49.Resource{ID: "c", Type: "container", AsOf: asOf}}
		data, err := json.Marshal(c)
		require.NoError(t, err)
		var read terminal49.Container
		require.NoError(t, json.Unmarshal(data, &read))
		require.Equal(t, want, read.AsOf)
	}
}

// A stored response is read as the client reads it: with included resources, zones, and without
// members in an unknown form.
func TestParseResources_LikeAResponse(t *testing.T) {
	const document = `{"data":[
{"id":"c1","type":"container","attributes":{"number":"MSCU1234566","seal_number":{},"pol_vessel_loaded_at":"2026-02-01T20:00:00Z"},
 "relationships":{"shipment":{"data":{"id":"s1","type":"shipment"}}},"meta":{"as_of":"2026-03-04T05:06:07.5Z","other":1}},
{"id":"c2","type":"container","attributes":{"number":"MSCU1234571"},"relationships":{"shipment":{"data":{"id":"s1","type":"shipment"}}}}],
"included":[{"id":"s1","type":"shipment","attributes":{"pol_timezone":"Asia/Shanghai"},"meta":{"as_of":"2026-03-04T00:00:00+01:00"}}]}`
	list, err := terminal49.ParseResources[terminal49.Container]([]byte(document))
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "MSCU1234566", list[0].Number)
	require.Empty(t, list[0].SealNumber)
	require.Equal(t, "Asia/Shanghai", list[0].POLVesselLoadedAt.Zone())
	require.Equal(t, time.Date(2026, 3, 4, 5, 6, 7, 5e8, time.UTC), list[0].AsOf)
	require.Zero(t, list[1].AsOf)
	a, ok := list[0].Shipment.Value()
	require.True(t, ok)
	b, ok := list[1].Shipment.Value()
	require.True(t, ok)
	require.Same(t, a, b)
	require.True(t, a.AsOf.Equal(time.Date(2026, 3, 3, 23, 0, 0, 0, time.UTC)))
	require.Equal(t, time.UTC, a.AsOf.Location())
}

// What json.Marshal writes of a resource is read back with its time.
func TestParseResources_OfAMarshalledResource(t *testing.T) {
	c := &terminal49.Container{Resource: terminal49.Resource{ID: "c1", Type: "container", AsOf: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)}, Number: "MSCU1234566"}
	text, err := json.Marshal(c)
	require.NoError(t, err)
	list, err := terminal49.ParseResources[terminal49.Container]([]byte(`{"data":` + string(text) + `}`))
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, c.AsOf, list[0].AsOf)
	require.Equal(t, c.Number, list[0].Number)
}

func TestParseResources_Mistakes(t *testing.T) {
	for _, c := range []struct{ problem, document string }{
		{"", `{"data":[]}`},
		{"", `{"data":null}`},
		{"not a JSON:API document", `{}`},
		{"not a JSON:API document", `{"id":"c1","type":"container","attributes":{}}`},
		{"without an id", `{"data":{"type":"container","attributes":{}}}`},
		{`it holds a "shipment"`, `{"data":{"id":"s1","type":"shipment","attributes":{}}}`},
		{"want", `{"data":[`},
	} {
		list, err := terminal49.ParseResources[terminal49.Container]([]byte(c.document))
		if c.problem == "" {
			require.NoError(t, err)
			require.Empty(t, list)
			continue
		}
		require.ErrorContains(t, err, c.problem, c.document)
	}
}
