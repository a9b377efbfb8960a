package documentschema_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
)

func schemaOf(payload string) *terminal49.DocumentSchema {
	return &terminal49.DocumentSchema{
		Resource: terminal49.Resource{ID: "commercial_invoice@2026-03-23"}, SchemaFormat: "json_schema",
		SchemaPayload: json.RawMessage(payload),
	}
}

func TestValidate_Payload(t *testing.T) {
	schema := schemaOf(`{"type":"object","required":["total_amount"],"properties":{
		"total_amount":{"type":"string","pattern":"^[0-9]+[.][0-9]{2}$"},"a/b":{"type":"array","items":{"type":"integer"}}}}`)
	require.NoError(t, documentschema.Validate(schema, json.RawMessage(`{"total_amount":"12450.00","a/b":[1,2]}`)))

	err := documentschema.Validate(schema, json.RawMessage(`{"total_amount":"confidential","a/b":[1,"x"]}`))
	var broken *documentschema.Error
	require.ErrorAs(t, err, &broken)
	keywords := map[string]string{}
	for _, p := range broken.Problems {
		keywords[p.Pointer] = p.Keyword
	}
	require.Equal(t, map[string]string{"/total_amount": "pattern", "/a~1b/1": "type"}, keywords)
	require.NotContains(t, err.Error(), "confidential")

	require.ErrorAs(t, documentschema.Validate(schema, json.RawMessage(`{}`)), &broken)
	require.Equal(t, "required", broken.Problems[0].Keyword)
	require.Contains(t, broken.Problems[0].Message, "total_amount")

	err = documentschema.Validate(schema, json.RawMessage(`{`))
	require.ErrorContains(t, err, "the payload is not JSON")
	require.False(t, errors.As(err, &broken))
}

func TestValidate_SchemaThatCannotBeUsed(t *testing.T) {
	for payload, text := range map[string]string{
		`{`: "its payload is not JSON", `{"type":"objekt"}`: "cannot be used",
		`{"$ref":"file:///etc/hostname"}`:                  "references out of the schema are not followed",
		`{"$schema":"https://example.com/of-my-own"}`:      "references out of the schema are not followed",
		`{"$ref":"https://example.com/other-schema.json"}`: "references out of the schema are not followed",
	} {
		err := documentschema.Validate(schemaOf(payload), json.RawMessage(`{}`))
		var broken *documentschema.Error
		require.ErrorContains(t, err, text, payload)
		require.False(t, errors.As(err, &broken), payload)
	}
	other := schemaOf(`{}`)
	other.SchemaFormat = "xsd"
	require.ErrorContains(t, documentschema.Validate(other, json.RawMessage(`{}`)), `format "xsd" is unknown`)
}

// hostileNumbers are short texts that would take long to write out, or that the library does not
// accept as numbers.
var hostileNumbers = []string{
	"1e2000000", "-1e2000000", "1e-2000000", "1e999999", "1e99999999999999999999", "1e31", "1." + strings.Repeat("0", 100), strings.Repeat("9", 61),
}

func TestValidate_HostileNumberInAPayload(t *testing.T) {
	schema := schemaOf(`{"properties":{"a/b":{"items":{"type":"integer","minimum":0,"multipleOf":3}}}}`)
	for _, number := range hostileNumbers {
		err := documentschema.Validate(schema, json.RawMessage(`{"a/b":[3,`+number+`],"c":`+number+`}`))
		var broken *documentschema.Error
		require.ErrorAs(t, err, &broken, number)
		require.Len(t, broken.Problems, 2, number)
		for i, at := range []string{"/a~1b/1", "/c"} {
			require.Equal(t, documentschema.Problem{Pointer: at, Keyword: "number size", Message: "not a number of reasonable size"}, broken.Problems[i])
		}
		require.ErrorAs(t, documentschema.Validate(schema, json.RawMessage(number)), &broken, number)
		require.Empty(t, broken.Problems[0].Pointer)
	}
	require.NoError(t, documentschema.Validate(schema, json.RawMessage(`{"a/b":[3,3e29,3.0],"c":-0.000000000000000000000000000001}`)))

	many := `{"a/b":[` + strings.Repeat("1e999999,", 199) + `1e999999]}`
	var broken *documentschema.Error
	require.ErrorAs(t, documentschema.Validate(schema, json.RawMessage(many)), &broken)
	require.Len(t, broken.Problems, 100, "the first")
}

func TestValidate_HostileNumberInASchema(t *testing.T) {
	for _, number := range hostileNumbers {
		for at, schema := range map[string]string{
			"/minimum": `{"minimum":` + number + `}`, "/items/const": `{"items":{"const":` + number + `}}`, "/enum/1": `{"enum":[1,` + number + `]}`,
			"/multipleOf": `{"multipleOf":` + number + `}`,
		} {
			err := documentschema.Validate(schemaOf(schema), json.RawMessage(`1`))
			require.ErrorContains(t, err, `cannot be used: at "`+at+`" is not a number of reasonable size`)
			var broken *documentschema.Error
			require.False(t, errors.As(err, &broken))
		}
	}
}

// The check of any schema and payload ends, with or without an error.
func FuzzValidate(f *testing.F) {
	for _, number := range append([]string{"1", "0"}, hostileNumbers...) {
		f.Add([]byte(`{"minimum":`+number+`,"multipleOf":2}`), []byte(`7`))
		f.Add([]byte(`{"type":"integer","minimum":0,"enum":[1,2],"uniqueItems":true}`), []byte(number))
		f.Add([]byte(`{"items":{"multipleOf":0.1},"uniqueItems":true}`), []byte(`[`+number+`,`+number+`]`))
	}
	f.Add([]byte(`{"$ref":"#"}`), []byte(`{}`))
	f.Add([]byte(`{"$dynamicRef":"#a","$defs":{"a":{"$dynamicAnchor":"a","not":{"type":"null"}}}}`), []byte(`null`))
	f.Fuzz(func(t *testing.T, schema, payload []byte) {
		err := documentschema.Validate(schemaOf(string(schema)), payload)
		var broken *documentschema.Error
		if errors.As(err, &broken) {
			require.NotEmpty(t, broken.Problems)
		}
		if err == nil {
			require.True(t, json.Valid(schema) && json.Valid(payload))
		}
	})
}

// A payload can have as many problems as bytes, each with a pointer as long as the payload.
func TestError_IsBounded(t *testing.T) {
	name := strings.Repeat("n", 10<<10)
	for value, schema := range map[string]string{
		`1e99`: `{}`,
		`1`:    `{"additionalProperties":{"items":{"type":"string"}}}`,
		`"a"`:  `{"additionalProperties":{"items":{"type":"number"}}}`,
	} {
		payload := `{"` + name + `":[` + value + strings.Repeat(","+value, 9999) + `]}`
		var broken *documentschema.Error
		err := documentschema.Validate(&terminal49.DocumentSchema{SchemaPayload: []byte(schema)}, []byte(payload))
		require.ErrorAs(t, err, &broken)
		require.Len(t, broken.Problems, 100)
		require.Contains(t, err.Error(), "; and 80 more in Problems")
	}
}
