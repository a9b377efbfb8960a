package mirror

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// JSON:API 1.0: data is a resource, several, or null; linkage that is absent says nothing, and null
// says that there is none.
func TestDocument(t *testing.T) {
	var d document
	require.NoError(t, json.Unmarshal([]byte(`{"data":{"type":"container","id":"C","attributes":{"number":"x","none":null},
  "relationships":{"shipment":{"data":{"type":"shipment","id":"S"}},"pod_terminal":{"data":null},"transport_events":{"links":{}}}},
  "included":[null,{"id":"S","type":"shipment"}],"links":{"next":"/n"},"meta":{"size":3,"total":7}}`), &d))
	require.Len(t, d.all(), 2)
	c := d.Data[0]
	assert.Equal(t, ref{"container", "C"}, c.ref)
	assert.Equal(t, json.RawMessage(`"x"`), c.Attributes["number"])
	assert.Equal(t, json.RawMessage("null"), c.Attributes["none"])
	assert.Equal(t, &ref{"shipment", "S"}, c.to("shipment"))
	assert.Equal(t, json.RawMessage("null"), c.Relationships["pod_terminal"].Data)
	assert.Nil(t, c.Relationships["transport_events"].Data)
	assert.Equal(t, "/n", d.Links.Next)
	assert.Equal(t, 7, *d.Meta.Total)

	for text, resources := range map[string]int{`{"data":null}`: 0, `{"data":[]}`: 0, `{"data":[{"type":"a","id":"1"},{"type":"a","id":"2"}]}`: 2, `{}`: 0} {
		var d document
		require.NoError(t, json.Unmarshal([]byte(text), &d), text)
		assert.Len(t, d.Data, resources, text)
	}
	for _, text := range []string{`{"data":[1]}`, `{"data":"x"}`} {
		assert.Error(t, json.Unmarshal([]byte(text), new(document)), text)
	}
}
