package terminal49_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

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
