package terminal49_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// These tests decode whole responses: hooks, strict decoding, raw JSON, and bytes that are not a
// document.

const oddShipment = `{"data":{"id":"` + testkit.ShipmentID +
	`","type":"shipment","attributes":{"customer_name":"Ann","pod_eta_at":"soon-ish",
	"surprise":1},"relationships":{"captain":{"data":null}}},"included":[{"id":"p","type":"port","attributes":{"latitude":[],"new":2}}]}`

func TestDecode_WarningsReachTheHook(t *testing.T) {
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

func TestDecode_StrictRefusesUnreadableParts(t *testing.T) {
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

func TestDecode_RawJSON(t *testing.T) {
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

func TestDecode_BytesThatAreNotADocument(t *testing.T) {
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

func TestDecode_OddBytesThatAreADocument(t *testing.T) {
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
func TestDecode_AnOddItemDoesNotCostThePage(t *testing.T) {
	body := `{"data":[null,{"id":"a","type":"shipment","attributes":"x"},17,{"id":"b","type":"shipment","attributes":{"customer_name":"Bo"}},[]]}`
	page, err := testkit.NewClient(t, testkit.Answer(200, body)).Shipments.List(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, shipmentIDs(page.Items))
	require.Equal(t, "Bo", page.Items[1].CustomerName)
}

func TestDecode_CountsThatAreNotNumbers(t *testing.T) {
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
