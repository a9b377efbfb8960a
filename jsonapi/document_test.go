package jsonapi_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/jsonapi"
)

// JSON:API 1.0: data is a resource, several, or null; linkage that is absent is unknown, and null
// means that there is none.
func TestDocument(t *testing.T) {
	var d jsonapi.Document
	require.NoError(t, json.Unmarshal([]byte(`{"data":{"type":"container","id":"C","attributes":{"number":"x","none":null},
  "relationships":{"shipment":{"data":{"type":"shipment","id":"S"}},"pod_terminal":{"data":null},"transport_events":{"links":{}}}},
  "included":[null,{"id":"S","type":"shipment"}],"links":{"next":"/n"},"meta":{"size":3,"total":7}}`), &d))
	require.Len(t, d.All(), 2)
	c := d.Data[0]
	assert.Equal(t, jsonapi.Ref{Type: "container", ID: "C"}, c.Ref)
	assert.Equal(t, json.RawMessage(`"x"`), c.Attributes["number"])
	assert.Equal(t, json.RawMessage("null"), c.Attributes["none"])
	of, ok := c.One("shipment")
	assert.True(t, ok)
	assert.Equal(t, jsonapi.Ref{Type: "shipment", ID: "S"}, of)
	assert.Equal(t, json.RawMessage("null"), c.Relationships["pod_terminal"].Data)
	assert.Nil(t, c.Relationships["transport_events"].Data)
	assert.Equal(t, "/n", d.NextPage)
	assert.Equal(t, 3, *d.Meta.Size)
	assert.Equal(t, 7, *d.Meta.Total)

	for text, resources := range map[string]int{`{"data":null}`: 0, `{"data":[]}`: 0, `{"data":[{"type":"a","id":"1"},{"type":"a","id":"2"}]}`: 2, `{}`: 0} {
		var d jsonapi.Document
		require.NoError(t, json.Unmarshal([]byte(text), &d), text)
		assert.Len(t, d.Data, resources, text)
	}
	for _, text := range []string{`{"data":"x"}`, `[]`, `"x"`, `null`, `{"data":[`, `{"data":[{]}`, `{} {}`} {
		assert.Error(t, new(jsonapi.Document).UnmarshalJSON([]byte(text)), text)
	}
}

// JSON:API 1.1, "Document Links": a link is a string, an object with href, or null.
func TestDocument_NextPage(t *testing.T) {
	for links, want := range map[string]string{
		`{"next":"/n"}`: "/n", `{"next":{"href":"/n"}}`: "/n", `{"next":{"meta":{},"href":"/n","rel":"next"}}`: "/n",
		`{"next":null}`: "", `{}`: "", `null`: "", `{"self":{"href":"/n"}}`: "", `{"@next":"/n"}`: "",
	} {
		var d jsonapi.Document
		require.NoError(t, json.Unmarshal([]byte(`{"data":[],"links":`+links+`}`), &d), links)
		assert.Equal(t, want, d.NextPage, links)
	}
	for links, odd := range map[string]string{
		`[]`: "links", `"/n"`: "links", `5`: "links", `{"next":5}`: "links.next", `{"next":[]}`: "links.next", `{"next":{}}`: "links.next",
		`{"next":{"href":null}}`: "links.next", `{"next":{"href":["/n"]}}`: "links.next",
	} {
		var d jsonapi.Document
		require.NoError(t, json.Unmarshal([]byte(`{"data":[],"links":`+links+`}`), &d), links)
		assert.Equal(t, []string{odd}, d.Odd, links)
		assert.Empty(t, d.NextPage)
	}
}

// What is odd does not hide the rest of a document, and is named.
func TestDocument_Odd(t *testing.T) {
	var d jsonapi.Document
	require.NoError(t, json.Unmarshal([]byte(`{"data":[{"id":"1","type":"a"},7,null,"x",[],{"id":"2","type":"a"}],"included":[false,{"id":"3","type":"b"}],
		"meta":{"total":"twenty","size":-1}}`), &d))
	assert.Equal(t, []string{"data[1]", "data[3]", "data[4]", "included[0]", "meta.total", "meta.size"}, d.Odd)
	assert.Len(t, d.Data, 2)
	assert.Len(t, d.Included, 1)
	assert.Equal(t, jsonapi.Meta{}, d.Meta)
	require.NoError(t, json.Unmarshal([]byte(`{"data":null,"included":5}`), &d))
	assert.Equal(t, []string{"included"}, d.Odd)
}

// The client reads numbers in these forms, too.
func TestDocument_Numbers(t *testing.T) {
	for text, want := range map[string]int{`20`: 20, `"20"`: 20, `20.0`: 20, `2e1`: 20, `0`: 0} {
		var d jsonapi.Document
		require.NoError(t, json.Unmarshal([]byte(`{"data":[],"meta":{"total":`+text+`}}`), &d), text)
		require.Empty(t, d.Odd)
		require.Equal(t, want, *d.Meta.Total, text)
	}
}

func TestResource_One(t *testing.T) {
	var r jsonapi.Resource
	require.NoError(t, json.Unmarshal([]byte(`{"type":"container","id":"C","relationships":{"null":{"data":null},"links":{"links":{}},
  "several":{"data":[{"type":"a","id":"1"},{"type":"b","id":"2"}]},"one":{"data":{"type":"a","id":"1"}}}}`), &r))
	for name, n := range map[string]int{"absent": 0, "null": 0, "links": 0, "several": 2, "one": 1} {
		_, ok := r.One(name)
		assert.Equal(t, name == "one", ok, name)
		assert.Len(t, r.Relationships[name].Refs(), n, name)
	}
	assert.Error(t, r.UnmarshalJSON([]byte(`[]`)))
	assert.Error(t, r.UnmarshalJSON([]byte(`{`)))
}

// A resource keeps the bytes that were sent, and no others: the caller may use its buffer again.
func TestResource_KeepsItsBytes(t *testing.T) {
	const sent = `{"id":"C", "type":"container","more":[1e400, {"a":"é"}]}`
	body := []byte(`{"data":` + sent + `}`)
	var d jsonapi.Document
	require.NoError(t, d.UnmarshalJSON(body))
	copy(body, bytes.Repeat([]byte("x"), len(body)))
	assert.Equal(t, sent, string(d.Data[0].Raw))
}

// FuzzDocument checks that the resources of a document that is read keep their JSON.
func FuzzDocument(f *testing.F) {
	f.Add([]byte(`{"data":[{"type":"a","id":"1","attributes":{"b":[1]},"relationships":{"c":{"data":{"type":"d","id":"2"}}}}],"links":{"next":"/2"}}`))
	f.Add([]byte(`{"data":null,"included":[null],"meta":{"total":1}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var d jsonapi.Document
		if d.UnmarshalJSON(body) != nil {
			return
		}
		for _, r := range d.All() {
			var again jsonapi.Resource
			require.NoError(t, again.UnmarshalJSON(r.Raw))
			assert.Equal(t, r, &again)
		}
	})
}
