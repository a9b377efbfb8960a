package terminal49_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// Transport events, options and other lists are not really paged, and their links may advertise
// pages that do not exist (docs/service.md#lists-without-pages). What was received is not lost.
func TestPagination_KeepsTheItemsOfALinkWithoutAPage(t *testing.T) {
	page := func(typ string) string {
		return `{"data":[{"id":"` + testkit.OptionID + `","type":"` + typ + `"}],"links":{"next":"https://api.example.test/v2/x"}}`
	}
	for name, c := range map[string]struct {
		path, typ string
		list      func(*terminal49.Client) (int, error)
		whole     bool // links are ignored
	}{
		"transport events": {"/containers/" + testkit.ContainerID + "/transport_events", "transport_event", func(c *terminal49.Client) (int, error) {
			list, err := c.Containers.TransportEvents(t.Context(), testkit.ContainerID, nil)
			return len(list), err
		}, false},
		"options": {"/custom_field_definitions/" + testkit.DefinitionID + "/options", "custom_field_option", func(c *terminal49.Client) (int, error) {
			list, err := c.CustomFieldOptions.List(t.Context(), testkit.DefinitionID)
			return len(list), err
		}, false},
		"custom fields": {"/shipments/" + testkit.ShipmentID + "/custom_fields", "custom_field", func(c *terminal49.Client) (int, error) {
			list, err := c.Shipments.CustomFields(t.Context(), testkit.ShipmentID)
			return len(list), err
		}, false},
		"definitions": {"/custom_field_definitions", "custom_field_definition", func(c *terminal49.Client) (int, error) {
			list, err := testkit.Drain(c.CustomFieldDefinitions.All(t.Context(), nil))
			return len(list), err
		}, false},
		"webhooks": {"/webhooks", "webhook", func(c *terminal49.Client) (int, error) {
			list, err := testkit.Drain(c.Webhooks.All(t.Context(), nil))
			return len(list), err
		}, false},
		"raw events": {"/containers/" + testkit.ContainerID + "/raw_events", "raw_event", func(c *terminal49.Client) (int, error) {
			list, err := c.Containers.RawEvents(t.Context(), testkit.ContainerID)
			return len(list), err
		}, true},
		"shipping lines": {"/shipping_lines", "shipping_line", func(c *terminal49.Client) (int, error) {
			list, err := c.ShippingLines.List(t.Context())
			return len(list), err
		}, true},
		"search": {"/search", "search_result", func(c *terminal49.Client) (int, error) {
			list, err := c.Search.Query(t.Context(), "MSCU")
			return len(list), err
		}, true},
	} {
		api := testkit.NewFakeAPI()
		api.On("GET", c.path, 200, page(c.typ))
		n, err := c.list(testkit.NewClient(t, api))
		require.Equal(t, 1, n, name)
		require.Equal(t, !c.whole, errors.Is(err, terminal49.ErrPagination), "%s: %v", name, err)
		require.Len(t, api.Requests(), 1, name)
	}
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
