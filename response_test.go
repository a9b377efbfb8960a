package terminal49_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/stretchr/testify/require"
)

// unread returns what strict decoding does not understand.
func unread(t *testing.T, body string, do func(*terminal49.Client) error) (list []string) {
	t.Helper()
	rt := testkit.Answer(http.StatusOK, body)
	require.NoError(t, do(testkit.NewClient(t, rt)), "without strict decoding")
	err := do(testkit.NewClient(t, rt, terminal49.WithStrictDecoding()))
	var unread *terminal49.DecodeError
	if errors.As(err, &unread) {
		for _, w := range unread.Warnings {
			list = append(list, strings.TrimSpace(w.ResourceType+" "+w.Field))
		}
		return list
	}
	require.NoError(t, err)
	return nil
}

// JSON:API 1.0, "Document Structure", names the members of each object. The service adds
// meta.pagination (docs/service.md#pages), the id among attributes (docs/service.md#ids) and
// links.download.
func TestStrictDecoding_SeesUnknownMembersEverywhere(t *testing.T) {
	list := func(c *terminal49.Client) error { return testkit.First(c.TrackingRequests.List(t.Context(), nil)) }
	require.Equal(t, []string{
		"tracking_request attr", "tracking_request tracked_object.rel", "tracking_request tracked_object.reff",
		"tracking_request tracked_object.links.relLink", "tracking_request tracked_object.meta.relMeta",
		"tracking_request links.resLink", "tracking_request meta.resMeta", "tracking_request res",
		"shipment res", "links.link", "meta.count", "top",
	}, unread(t, `{"data":[{"id":"`+testkit.RequestID+`","type":"tracking_request","attributes":{"attr":1},
		"relationships":{"tracked_object":{"rel":{"x":1},"data":{"id":"`+testkit.ShipmentID+`","type":"shipment","reff":[]},
			"links":{"self":"s","related":"r","relLink":null},"meta":{"relMeta":1}}},
		"links":{"self":"s","resLink":"r"},"meta":{"resMeta":1},"res":[1]}],
		"included":[{"id":"`+testkit.ShipmentID+`","type":"shipment","res":1}],
		"links":{"self":"s","current":"c","link":"l"},"meta":{"size":1,"total":1,"count":1},"top":{"x":{}}}`, list))
	err := list(testkit.NewClient(t, testkit.Answer(200, `{"data":[],"top":1}`), terminal49.WithStrictDecoding()))
	require.ErrorContains(t, err, "; top: unknown member")
	require.Empty(t, unread(t, `{"jsonapi":{"version":"1.0"},"data":[{"id":"`+testkit.RequestID+`","type":"tracking_request",
		"attributes":{"status":"pending"},"relationships":{"tracked_object":{"data":null,"links":{"related":"r"},"meta":{}}},
		"links":{"self":"s"},"meta":{}}],"included":[{"id":"`+testkit.PortID+`","type":"port","attributes":{"id":"1","name":"LA"}}],
		"links":{"self":"s","current":"c","first":"f","prev":"p","next":"n?page[number]=2","last":"l"},
		"meta":{"size":1,"total":1,"pagination":{"current":1,"next":2,"last":2,"records":31}}}`, list))
	require.Empty(t, unread(t, `{"data":{"id":"`+testkit.DocumentID+`","type":"document","attributes":{"id":"1"},
		"links":{"self":"s","download":"d"}}}`, func(c *terminal49.Client) error {
		return testkit.First(c.Documents.Get(t.Context(), testkit.DocumentID, nil))
	}))
}

// A warning names the member by its path. The objects are those that the OpenAPI document has
// within attributes.
func TestStrictDecoding_NamesTheWholePath(t *testing.T) {
	list := func(c *terminal49.Client) error { return testkit.First(c.TrackingRequests.List(t.Context(), nil)) }
	require.Equal(t, []string{"meta", "links", "included"}, unread(t, `{"data":[],"meta":7,"links":"x","included":{}}`, list))
	require.Equal(t, []string{"data", "included", "links.next", "meta.size", "meta.x"}, unread(t, `{"data":[7,{"id":"`+testkit.RequestID+
		`","type":"tracking_request"}],"included":["x"],"links":{"next":{}},"meta":{"size":"many","x":1}}`, list))
	require.Equal(t, []string{
		"container import_deadlines.pod.unified.w", "container import_deadlines.pod.unified.current_value",
		"container import_deadlines.pod.v", "container import_deadlines.pickup_lfd_line.u", "container import_deadlines.t", "container s",
	}, unread(t, `{"data":{"id":"`+testkit.ContainerID+`","type":"container","attributes":{"import_deadlines":{"pod":{"unified":{"w":1,
		"current_value":{}},"v":1},"pickup_lfd_line":{"u":1},"t":1},"s":1}}}`, func(c *terminal49.Client) error {
		return testkit.First(c.Containers.Get(t.Context(), testkit.ContainerID, nil))
	}))
	require.Equal(t, []string{"shipping_line.selected.z", "shipping_line.candidates.y", "shipping_line.x"}, unread(t, `{"data":{"attributes":{
		"number_type":"container","shipping_line":{"selected":{"z":1},"candidates":[{"scac":"MAEU"},{"y":1}],"x":1}}}}`, func(c *terminal49.Client) error {
		return testkit.First(c.TrackingRequests.Infer(t.Context(), "MSCU1234566"))
	}))
}

// RFC 7946, sections 3.1, 3.1.8 and 5, has the members of a geometry; crs is of an older format.
func TestStrictDecoding_SeesUnknownMembersOfAGeometry(t *testing.T) {
	feature := func(geometry string) string {
		return `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{` + geometry + `},"properties":null}]}`
	}
	get := func(c *terminal49.Client) error {
		return testkit.First(c.Containers.Map(t.Context(), testkit.ContainerID))
	}
	require.Equal(t, []string{"features.geometry.crs"}, unread(t, feature(`"type":"Point","coordinates":[1,2],"crs":{}`), get))
	require.Empty(t, unread(t, feature(`"type":"Point","coordinates":[1,2],"bbox":[1,2,1,2]`), get))
	require.Empty(t, unread(t, feature(`"type":"GeometryCollection","geometries":[]`), get))
}

// The OpenAPI document has the members of the responses that are not JSON:API documents; RFC 7946
// those of GeoJSON.
func TestStrictDecoding_SeesUnknownMembersOfPlainResponses(t *testing.T) {
	trigger := terminal49.WebhookTrigger{URL: testkit.EndpointURL, Event: terminal49.EventFullIn}
	for name, c := range map[string]struct {
		known, unknown string
		want           []string
		do             func(*terminal49.Client) error
	}{
		"refresh": {`{"message":"Started refresh"}`, `{"message":"m","job":1,"Eta":{"a":1}}`, []string{"job", "Eta"},
			func(c *terminal49.Client) error {
				return testkit.First(c.Containers.Refresh(t.Context(), testkit.ContainerID))
			}},
		"types": {`{"document_types":[{"code":"a","label":"A"}]}`, `{"document_types":[{"code":"a","icon":"x"},{"hue":1}],"n":1}`,
			[]string{"document_types.icon", "document_types.hue", "n"},
			func(c *terminal49.Client) error { return testkit.First(c.Documents.Types(t.Context())) }},
		"summary": {`{"data":[{"key":null,"label":"x","count":1}],"meta":{"total":1,"group_by":"current_status","truncated":false}}`,
			`{"data":[{"key":"a","count":1,"share":1}],"meta":{"total":1,"group_by":"current_status","truncated":false,"size":1},"links":{}}`,
			[]string{"data.share", "meta.size", "links"}, func(c *terminal49.Client) error {
				return testkit.First(c.Containers.Summary(t.Context(), terminal49.GroupByStatus, terminal49.ContainerFilter{}))
			}},
		"download url": {`{"download_url":"https://s.example/1"}`, `{"download_url":"https://s.example/1","expires":1}`, []string{"expires"},
			func(c *terminal49.Client) error {
				return testkit.First(c.Documents.DownloadURL(t.Context(), testkit.DocumentID))
			}},
		"ips": {`{"webhook_notification_ips":["192.0.2.1"],"last_updated":"2026-01-01T00:00:00Z"}`, `{"webhook_notification_ips":["192.0.2.1"],"ipv6":[]}`,
			[]string{"ipv6"}, func(c *terminal49.Client) error { return testkit.First(c.Webhooks.IPs(t.Context())) }},
		"trigger": {`{"url":"u","succeeded":true,"error":null,"status_code":200,"request_headers":{"a":"b"},"request_body":"x",
			"response_headers":{"c":["d"]},"response_body":"y"}`, `{"succeeded":false,"attempt":2}`, []string{"attempt"},
			func(c *terminal49.Client) error { return testkit.First(c.Webhooks.Trigger(t.Context(), trigger)) }},
		"map": {`{"type":"FeatureCollection","bbox":[0,0,1,1],"features":[{"type":"Feature","id":1,"bbox":[],"geometry":null,"properties":null}]}`,
			`{"type":"FeatureCollection","route":1,"features":[{"type":"Feature","geometry":null,"properties":null,"style":{}}]}`,
			[]string{"route", "features.style"},
			func(c *terminal49.Client) error {
				return testkit.First(c.Containers.Map(t.Context(), testkit.ContainerID))
			}},
	} {
		require.Empty(t, unread(t, c.known, c.do), name)
		require.Equal(t, c.want, unread(t, c.unknown, c.do), name)
	}
}

const oddShipment = `{"data":{"id":"` + testkit.ShipmentID +
	`","type":"shipment","attributes":{"customer_name":"Ann","pod_eta_at":"soon-ish",
	"surprise":1},"relationships":{"captain":{"data":null}}},"included":[{"id":"p","type":"port","attributes":{"latitude":[],"new":2}}]}`

func TestWarnings_ReachTheHook(t *testing.T) {
	type key struct{}
	var got []terminal49.DecodeWarning
	client := testkit.NewClient(t, testkit.Answer(200, oddShipment),
		terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(ctx context.Context, w terminal49.DecodeWarning) {
			require.Equal(t, "mine", ctx.Value(key{}))
			got = append(got, w)
		}}))
	shipment, err := client.Shipments.Get(context.WithValue(t.Context(), key{}, "mine"), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Equal(t, "Ann", shipment.CustomerName)
	require.True(t, shipment.PODETA.IsZero())
	require.Equal(t, []terminal49.DecodeWarning{
		{Op: "shipments.get", ResourceType: "shipment", ResourceID: testkit.ShipmentID, Field: "pod_eta_at",
			Problem: "not a time"},
		{Op: "shipments.get", ResourceType: "port", ResourceID: "p", Field: "latitude",
			Problem: "want a number, got an array"},
	}, got)
	require.Equal(t, "port p: latitude: want a number, got an array", got[1].String())
}

func TestStrictDecoding_RefusesUnreadableParts(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(200, oddShipment))
	shipment, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil, terminal49.WithStrictDecoding())
	require.Nil(t, shipment)
	var decode *terminal49.DecodeError
	require.ErrorAs(t, err, &decode)
	var fields []string
	for _, w := range decode.Warnings {
		fields = append(fields, w.ResourceType+"."+w.Field+": "+w.Problem)
	}
	require.Equal(t, []string{
		`shipment.pod_eta_at: not a time`, `shipment.surprise: unknown member`, `shipment.captain: unknown member`,
		`port.latitude: want a number, got an array`, `port.new: unknown member`,
	}, fields)
	require.NotContains(t, err.Error(), "soon-ish")

	_, err = testkit.NewClient(t, testkit.Answer(200, testkit.OneShipment),
		terminal49.WithStrictDecoding()).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	for _, body := range []string{
		`{"data":{"id":"s","type":"shipment","attributes":` + terminal49.ShipmentAttributes + `,"relationships":` +
			terminal49.ShipmentRelationships + `}}`,
		`{"data":{"id":"s","type":"shipment"},"included":[{"id":"c","type":"container","attributes":` +
			terminal49.ContainerAttributes +
			`,"relationships":` + terminal49.ContainerRelationships +
			`}],"meta":{"size":1,"pagination":{"records":1}},"jsonapi":{"version":"1.0"}}`,
	} {
		_, err = testkit.NewClient(t, testkit.Answer(200, body),
			terminal49.WithStrictDecoding()).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
		require.NoError(t, err)
	}
}

// broken are responses with one value that cannot be read, over and over.
var broken = []struct {
	name, head, unit, tail string
	do                     func(context.Context, *terminal49.Client) error
}{
	{"time", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment","attributes":{`, `"pod_eta_at":"2026-13-02T16:00:00Z",`, `}}}`, getShipment},
	{"kind", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment","attributes":{`, `"pod_eta_at":{},`, `}}}`, getShipment},
	{"list", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment","attributes":{"ref_numbers":[`, `[],"x12345678901234567890",`, `]}}}`, getShipment},
	{"included", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment"},"included":[`, `{"id":"1","type":"port","attributes":{"latitude":91}},`, `]}`, getShipment},
	{"not included", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment"},"included":[`, `7,"x12345678901234567890",`, `]}`, getShipment},
	{"features", `{"type":"FeatureCollection","features":[`, `{"type":"Feature","properties":{"feature_type":"port","updated_at":"x"},"geometry":{"type":"Point","coordinates":[0,0]}},`, `]}`, getMap},
	{"points", `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"LineString","coordinates":[`, `[181,0],`, `]}}]}`, getMap},
}

func getShipment(ctx context.Context, c *terminal49.Client) error {
	return testkit.First(c.Shipments.Get(ctx, testkit.ShipmentID, nil))
}

func getMap(ctx context.Context, c *terminal49.Client) error {
	return testkit.First(c.Containers.Map(ctx, testkit.ContainerID))
}

func getTypes(ctx context.Context, c *terminal49.Client) error {
	return testkit.First(c.Documents.Types(ctx, terminal49.WithStrictDecoding()))
}

// brokenBody repeats the unit this often.
func brokenBody(head, unit, tail string, times int) string {
	return strings.TrimSuffix(head+strings.Repeat(unit, times), ",") + tail
}

// The hook and the log receive the first 1,000 warnings of a response, and one that has the number
// of the others.
func TestWarnings_OfOneResponseAreBounded(t *testing.T) {
	for _, row := range broken {
		var log bytes.Buffer
		var hooked []terminal49.DecodeWarning
		client := testkit.NewClient(t, testkit.Answer(200, brokenBody(row.head, row.unit, row.tail, 3000)),
			terminal49.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))),
			terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) {
				hooked = append(hooked, w)
			}}))
		require.NoError(t, row.do(t.Context(), client), row.name)
		require.Len(t, hooked, 1001, row.name)
		require.NotContains(t, hooked[999].Problem, " more", row.name)
		require.Regexp(t, `^[25]000 more values could not be read$`, strings.Replace(hooked[1000].Problem, "5000", "2000", 1), row.name)
		require.Equal(t, 1001, strings.Count(log.String(), "\n"), row.name)
		hooked = nil
		require.NoError(t, row.do(t.Context(), client), row.name)
		require.Len(t, hooked, 1001, "each response counts alone")
	}
}

// A notification keeps the warnings of its delivery in the same way.
func TestWarnings_OfADeliveryAreBounded(t *testing.T) {
	_, warnings, err := terminal49.ParseWebhookNotification([]byte(brokenBody(`{"data":{"id":"1","type":"webhook_notification","attributes":{"event":"container.transport.full_out",`,
		`"created_at":"x",`, `}}}`, 3000)))
	require.NoError(t, err)
	require.Len(t, warnings, 1001)
	require.Equal(t, "2000 more values could not be read", warnings[1000].Problem)
}

// endingBody is a body that ends its context once it has been read.
type endingBody struct {
	io.Reader
	end func()
}

func (b endingBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err == io.EOF {
		b.end()
	}
	return n, err
}

func (b endingBody) Close() error { return nil }

// Decoding does not go on for long after the context of its call has ended, whatever the response
// consists of.
func TestDecode_EndsWithItsContext(t *testing.T) {
	rows := append(broken, []struct {
		name, head, unit, tail string
		do                     func(context.Context, *terminal49.Client) error
	}{
		{"resources", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment"},"included":[`, `{"id":"1","type":"port","attributes":{"name":"x"}},`, `]}`, getShipment},
		{"unknown resources", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment"},"included":[`, `{"id":"1","type":"x"},`, `]}`, getShipment},
		{"unknown members", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment","attributes":{`, `"a":1,"b":2,`, `}}}`, getShipment},
		{"references", `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment","relationships":{"containers":{"data":[`, `{"id":"1234567890","type":"container"},{"id":"1","type":"x"},`, `]}}}}`, getShipment},
		{"properties", `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[0,0]},"properties":{"feature_type":"port",`, `"a":1,"b":2,`, `}}]}`, getMap},
		{"plain members", `{"document_types":[],`, `"a":1,"b":2,`, `}`, getTypes},
		{"plain list", `{"document_types":[`, `{},`, `]}`, getTypes},
		{"good points", `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"LineString","coordinates":[`, `[1,0],`, `]}}]}`, getMap},
	}...)
	for _, row := range rows {
		body := brokenBody(row.head, row.unit, row.tail, 9_000)
		ctx, cancel := context.WithCancel(t.Context())
		client := testkit.NewClient(t, testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: endingBody{strings.NewReader(body), cancel}, ContentLength: -1, Request: r}, nil
		}))
		err := row.do(ctx, client)
		require.ErrorIs(t, err, context.Canceled, row.name)
		cancel()
	}
}

// A context that ends while a response of the usual size is decoded does not fail the call: a
// creation that was answered is not lost.
func TestDecode_FinishesAShortResponse(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	client := testkit.NewClient(t, testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: endingBody{strings.NewReader(oddShipment), cancel}, ContentLength: -1, Request: r}, nil
	}))
	require.NoError(t, getShipment(ctx, client))
	require.ErrorIs(t, ctx.Err(), context.Canceled)
}

func TestResponse_RawJSON(t *testing.T) {
	const container = `{ "id":"c" , "type":"container","attributes":{"number":"A","surprise":[1, 2]},"relationships":{"shipment":{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment"}}} }`
	const shipment = `{"attributes": {"surprise":"\u00fc"},"id":"` + testkit.ShipmentID +
		`","type":"shipment","relationships":{"containers":{"data":[{"id":"c","type":"container"}]}}}`
	const body = "{\"included\":[\n\t" + container + "],\"data\": " + shipment + "}"
	for name, client := range map[string]*terminal49.Client{
		"call":   testkit.NewClient(t, testkit.Answer(200, body)),
		"client": testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithRawJSON()),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := client.Shipments.Get(t.Context(), testkit.ShipmentID, nil, terminal49.WithRawJSON())
			require.NoError(t, err)
			require.Equal(t, shipment, string(got.Raw()))
			containers, _ := got.Containers.Values()
			require.Equal(t, container, string(containers[0].Raw()))
			back, _ := containers[0].Shipment.Value()
			require.Same(t, got, back)
		})
	}
	got, err := testkit.NewClient(t, testkit.Answer(200, body)).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
	require.NoError(t, err)
	require.Nil(t, got.Raw())
}

func TestResponse_BytesThatAreNotADocument(t *testing.T) {
	whole := `{"data":{"id":"s","type":"shipment","attributes":` + terminal49.ShipmentAttributes + `}}`
	bodies := map[string]string{
		"trailing value":  whole + `{}`,
		"two documents":   whole + whole,
		"a number":        `17`,
		"null":            `null`,
		"a string":        `"data"`,
		"no data":         `{"meta":{}}`,
		"errors in a 200": `{"errors":[{"title":"x"}]}`,
		"array bomb":      `{"data":` + strings.Repeat(`[`, 1_000_000),
		"object bomb":     strings.Repeat(`{"data":`, 300_000),
		"closed bomb": `{"data":{"id":"s","type":"shipment","attributes":{"x":` + strings.Repeat(`[`, 100_000) +
			strings.Repeat(`]`, 100_000) + `}}}`,
		"bomb aside": `{"data":null,"x":` + strings.Repeat(`{"a":`, 100_000) + `1` +
			strings.Repeat(`}`, 100_000) + `}`,
		"comma at the end": `{"data":{"id":"s","type":"shipment",}}`,
		"no comma":         `{"data":{"id":"s" "type":"shipment"}}`,
		"bare word":        `{"data":undefined}`,
		"single quotes":    `{'data':null}`,
		"bad number":       `{"data":{"id":"s","type":"container","attributes":{"weight_in_lbs":01}}}`,
		"control byte":     "{\"data\":{\"id\":\"a\x01\",\"type\":\"shipment\"}}",
		"bad escape":       `{"data":{"id":"\x","type":"shipment"}}`,
		"bad unicode":      `{"data":{"id":"\u12g4","type":"shipment"}}`,
		"NUL":              "\x00",
	}
	for cut := range len(whole) { // wherever a response breaks off
		bodies["cut short"] = whole[:cut]
		for name, body := range bodies {
			_, err := testkit.NewClient(t, testkit.Answer(200, body)).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
			var decode *terminal49.DecodeError
			require.ErrorAs(t, err, &decode, "%s: %.80q", name, body)
		}
		for name := range bodies { // the others once
			if name != "cut short" {
				delete(bodies, name)
			}
		}
	}
}

func TestResponse_OddBytesThatAreADocument(t *testing.T) {
	for name, body := range map[string]string{
		"white space": "\n\t {\r\n\"data\" : {\"id\" : \"" + testkit.ShipmentID + "\" , \"type\":\"shipment\"} } \n",
		"byte order": `{"data":{"id":"` + testkit.ShipmentID +
			`","type":"shipment","attributes":null,"relationships":null,"links":null,"meta":{"a":[{}]}},"included":null,"links":null,"meta":null}`,
		"invalid UTF-8": "{\"data\":{\"id\":\"" + testkit.ShipmentID +
			"\",\"type\":\"shipment\",\"attributes\":{\"tags\":[\"\xff\xfe\"],\"x\xff\":1}}}",
		"lone surrogate": `{"data":{"id":"` + testkit.ShipmentID +
			`","type":"shipment","attributes":{"customer_name":"\ud800x"}}}`,
		"odd neighbours": `{"data":{"id":"` + testkit.ShipmentID +
			`","type":"shipment"},"included":[null,7,"x",{"type":"port"},{}],"links":[],"meta":"x"}`,
		"deep enough": `{"data":{"id":"` + testkit.ShipmentID + `","type":"shipment","attributes":{"x":` +
			strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100) + `}}}`,
		"escaped members": `{"d\u0061ta":{"\u0069d":"` + testkit.ShipmentID + `","type":"ship\u006dent"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := testkit.NewClient(t, testkit.Answer(200, body)).Shipments.Get(t.Context(), testkit.ShipmentID, nil)
			require.NoError(t, err)
			require.Equal(t, testkit.ShipmentID, got.ID)
			require.Equal(t, "shipment", got.Type)
		})
	}
}

// One invalid item does not lose the page.
func TestResponse_AnOddItemDoesNotCostThePage(t *testing.T) {
	body := `{"data":[null,{"id":"a","type":"shipment","attributes":"x"},17,{"id":"b","type":"shipment","attributes":{"customer_name":"Bo"}},[]]}`
	page, err := testkit.NewClient(t, testkit.Answer(200, body)).Shipments.List(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, shipmentIDs(page.Items))
	require.Equal(t, "Bo", page.Items[1].CustomerName)
}

func TestResponse_CountsThatAreNotNumbers(t *testing.T) {
	var warned []terminal49.DecodeWarning
	client := testkit.NewClient(t,
		testkit.Answer(200, `{"data":[{"id":"a","type":"shipment"}],"meta":{"size":"1","total":"many"}}`),
		terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(_ context.Context, w terminal49.DecodeWarning) {
			warned = append(warned, w)
		}}))
	page, err := client.Shipments.List(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, terminal49.Some(1), page.Size)
	require.True(t, page.Total.IsZero())
	require.Len(t, warned, 1)
	require.Empty(t, warned[0].ResourceID, "it is not about the last resource")
}

// A mock of the OpenAPI document answers every request with its example: another id, another
// number, the same page again.
func TestResponse_OfAMock(t *testing.T) {
	mock := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		data := `{"id":"ba4cb904-827f-4038-8e31-1e92b3356218","type":"tracking_request","attributes":{"request_number":"MEDUFR030802"}}`
		if req.Method == "GET" && !strings.Contains(req.URL.Path, testkit.RequestID) {
			data = "[" + data + "]"
		}
		return testkit.Answer(200, `{"data":`+data+`,"links":{"next":"/x?page[number]=2"}}`)(req)
	})
	calls := func(c *terminal49.Client) []error {
		_, listErr := testkit.Drain(c.TrackingRequests.All(t.Context(), nil))
		return []error{
			testkit.First(c.TrackingRequests.Get(t.Context(), testkit.RequestID, nil)),
			testkit.First(c.TrackingRequests.Update(t.Context(), testkit.RequestID,
				terminal49.TrackingRequestUpdate{ReferenceNumber: terminal49.Some("a")})),
			testkit.First(c.TrackingRequests.Create(t.Context(), testkit.FullCreate())), listErr,
		}
	}
	for i, err := range calls(testkit.NewClient(t, mock)) {
		require.Error(t, err, i)
	}
	for i, err := range calls(testkit.NewClient(t, mock, terminal49.WithUnstable(terminal49.UnstableExamples))) {
		require.NoError(t, err, i)
	}
	_, err := testkit.NewClient(t, mock).TrackingRequests.Get(t.Context(), testkit.RequestID, nil, terminal49.WithUnstable(terminal49.UnstableExamples))
	require.NoError(t, err)
	// The type is checked still: the examples have the right ones.
	err = testkit.First(testkit.NewClient(t, testkit.Answer(200, testkit.OneContainer), terminal49.WithUnstable(terminal49.UnstableExamples)).Shipments.Get(
		t.Context(), testkit.ShipmentID, nil))
	require.ErrorContains(t, err, `it holds a "container"`)
}
