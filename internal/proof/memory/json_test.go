package memory_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// A response within its limit may still take many times its length once decoded: two bytes can
// become a struct of a hundred. So the resources and array elements of a document are limited.

const (
	denseBody = 2 << 20
	denseCost = 96 << 20 // the maximum allocated: a fixed part, and about thirty bytes for each byte of the body
)

// dense repeats unit between head and tail until the body has n bytes.
func dense(n int, head, unit, tail string) string {
	body := head + strings.Repeat(unit, (n-len(head)-len(tail))/len(unit))
	return strings.TrimSuffix(body, ",") + tail
}

func TestMemory_DenseResponses(t *testing.T) {
	shipment := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.Shipments.Get(x, testkit.ShipmentID, nil))
	}
	shipments := func(x context.Context, c *terminal49.Client) error { return testkit.First(c.Shipments.List(x, nil)) }
	container := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.Containers.Get(x, testkit.ContainerID, nil))
	}
	vessel := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.Vessels.Get(x, testkit.LineID, nil))
	}
	infer := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.TrackingRequests.Infer(x, "MSCU1234566"))
	}
	webhook := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.Webhooks.Get(x, testkit.LineID))
	}
	field := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.CustomFields.Get(x, testkit.LineID))
	}
	document := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.Documents.Get(x, testkit.DocumentID, nil))
	}
	route := func(x context.Context, c *terminal49.Client) error {
		return testkit.First(c.Containers.Map(x, testkit.ContainerID))
	}
	const collection, feature = `{"type":"FeatureCollection","features":[`, `{"type":"Feature","properties":{"feature_type":"estimated_full_legs"},"geometry":{"type":`
	const attributes = `{"data":{"id":"x","type":"x","attributes":{`
	worst, of := int64(0), ""
	for _, c := range []struct {
		name             string
		head, unit, tail string
		do               func(context.Context, *terminal49.Client) error
	}{
		{"resources", `{"data":[`, `{"id":1},`, `]}`, shipments},
		{"no resources", `{"data":[`, `0,`, `]}`, shipments},
		{"included", `{"data":[],"included":[`, `{"type":"container"},`, `]}`, shipments},
		{"included of unknown types", `{"data":[],"included":[`, `{"type":1},{"type":2},`, `]}`, shipments},
		{"relationship", `{"data":{"id":"x","relationships":{"containers":{"data":[`, `{"id":1},`, `]}}}}`, shipment},
		{"relationship over and over", `{"data":{"id":"x","relationships":{`, `"containers":{"data":[{"id":1}]},`,
			`}}}`, shipment},
		{"reference numbers", attributes + `"ref_numbers":[`, `1,`, `]}}}`, shipment},
		{"tags over and over", attributes, `"tags":[1],`, `}}}`, shipment},
		{"unknown members", attributes, `"a":1,`, `}}}`, shipment},
		{"broken times", attributes, `"pod_eta_at":"2026-13-02T16:00:00Z",`, `}}}`, shipment},
		{"times that are none", attributes, `"pod_eta_at":"x",`, `}}}`, shipment},
		{"broken numbers", `{"data":{"id":"x","type":"x","attributes":{`, `"weight_in_lbs":"x",`, `}}}`, container},
		{"broken coordinates", attributes, `"latitude":91,`, `}}}`, vessel},
		{"escapes", attributes + `"bill_of_lading_number":"`, `\n`, `"}}}`, shipment},
		{"nesting", attributes + `"a":`, `[`, ``, shipment},
		{"meta", `{"data":[],"meta":{`, `"size":1,`, `}}`, shipments},
		{"links", `{"data":[],"links":{`, `"next":"a",`, `}}`, shipments},
		{"fees that are none", attributes + `"fees_at_pod_terminal":[`, `0,`, `]}}}`, container},
		{"empty fees", attributes + `"fees_at_pod_terminal":[`, `{},`, `]}}}`, container},
		{"amounts", attributes + `"fees_at_pod_terminal":[`, `{"amount":1e9},`, `]}}}`, container},
		{"holds", attributes + `"holds_at_pod_terminal":[`, `0,`, `]}}}`, container},
		{"positions", attributes + `"positions":[`, `0,`, `]}}}`, vessel},
		{"candidates", attributes + `"shipping_line":{"candidates":[`, `0,`, `]}}}}`, infer},
		{"events", attributes + `"events":[`, `1,`, `]}}}`, webhook},
		{"headers", attributes + `"headers":[`, `0,`, `]}}}`, webhook},
		{"custom field", attributes + `"value":[`, `0,`, `]}}}`, field},
		{"extraction", `{"data":{"id":"x"},"included":[{"id":"r","type":"document_representation","attributes":{"payload":{"a":[`, `0,`, `]}}}]}`, document},
		{"points", collection + feature + `"LineString","coordinates":[`, `[0,0],`, `]}}]}`, route},
		{"no points", collection + feature + `"MultiPoint","coordinates":[`, `[],`, `]}}]}`, route},
		{"rings", collection + feature + `"Polygon","coordinates":[`, `[[0]],`, `]}}]}`, route},
		{"empty features", collection, `{"type":"Feature"},`, `]}`, route},
		{"no features", collection, `0,`, `]}`, route},
		{"null features", collection, `null,`, `]}`, route},
		{"ports", collection, `{"type":"Feature","properties":{"feature_type":"port"},"geometry":{"type":"Point","coordinates":[0,0]}},`, `]}`, route},
		{"properties", collection + `{"type":"Feature","properties":{"a":[`, `[],`, `]}}]}`, route},
		{"members", `{"type":"FeatureCollection","a":[`, `[],`, `],"features":[]}`, route},
	} {
		body := dense(denseBody, c.head, c.unit, c.tail)
		client := testkit.NewClient(t, testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
				ContentLength: denseBody, Request: r}, nil
		}))
		var err error
		got := allocated(denseCost, func() { err = c.do(t.Context(), client) })
		require.LessOrEqual(t, got, int64(denseCost), "%s: %v", c.name, err)
		if got > worst {
			worst, of = got, c.name
		}
	}
	t.Logf("figure: memory: answers of %d MiB written to cost much: at most %d MiB allocated (%s)", denseBody>>20,
		worst>>20, of)
}

// An error body is cut at 64 KiB, and a limited number of its problems is kept.
func TestMemory_DenseErrors(t *testing.T) {
	for _, unit := range []string{`0,`, `{},`, `"a",`, `{"title":1},`, `{"title":1,"meta":{"a":[0,0,0,0,0,0,0,0]}},`} {
		client := testkit.NewClient(t,
			testkit.Answer(http.StatusUnprocessableEntity, dense(64<<10, `{"errors":[`, unit, `]}`)))
		var err error
		got := allocated(6<<20, func() { err = testkit.First(client.Shipments.List(t.Context(), nil)) })
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.LessOrEqual(t, got, int64(6<<20), unit)
		require.Less(t, len(err.Error()), 2<<10, unit)
	}
}

// A page with a million problems results in a short error.
func TestMemory_AnErrorOfManyWarningsIsShort(t *testing.T) {
	body := dense(1<<20, `{"data":{"id":"x","type":"shipment","attributes":{`, `"a":1,`, `}}}`)
	var hooked int
	hooks := terminal49.WithHooks(terminal49.Hooks{OnDecodeWarning: func(context.Context, terminal49.DecodeWarning) {
		hooked++
	}})
	err := testkit.First(testkit.NewClient(t, testkit.Answer(200, body), terminal49.WithStrictDecoding(),
		hooks).Shipments.Get(t.Context(), testkit.ShipmentID, nil))
	var unread *terminal49.DecodeError
	require.True(t, errors.As(err, &unread))
	require.Len(t, unread.Warnings, 1000)
	require.Regexp(t, `: \d{6} parts could not be decoded; `, err.Error())
	require.Less(t, len(err.Error()), 2<<10)
	require.Contains(t, err.Error(), "; and 980 more in Warnings")
	require.Equal(t, 1001, hooked, "the last one has the number of the others")
}
