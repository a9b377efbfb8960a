package terminal49_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

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
