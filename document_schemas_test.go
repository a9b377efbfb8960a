package terminal49_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// hostileNumbers are few bytes each that would take long to write out, or that the library takes for no number.
var hostileNumbers = []string{
	"1e2000000", "-1e2000000", "1e-2000000", "1e999999", "1e99999999999999999999", "1e31", "1." + strings.Repeat("0", 100), strings.Repeat("9", 61),
}

func TestHostileNumberInAPayload(t *testing.T) {
	schema := schemaOf(`{"properties":{"a/b":{"items":{"type":"integer","minimum":0,"multipleOf":3}}}}`)
	for _, number := range hostileNumbers {
		err := schema.Validate(json.RawMessage(`{"a/b":[3,` + number + `],"c":` + number + `}`))
		var broken *terminal49.SchemaError
		require.ErrorAs(t, err, &broken, number)
		require.Len(t, broken.Problems, 2, number)
		for i, at := range []string{"/a~1b/1", "/c"} {
			require.Equal(t, terminal49.SchemaProblem{Pointer: at, Keyword: "number size", Message: "not a number of reasonable size"}, broken.Problems[i])
		}
		require.ErrorAs(t, schema.Validate(json.RawMessage(number)), &broken, number)
		require.Empty(t, broken.Problems[0].Pointer)
	}
	require.NoError(t, schema.Validate(json.RawMessage(`{"a/b":[3,3e29,3.0],"c":-0.000000000000000000000000000001}`)))

	many := `{"a/b":[` + strings.Repeat("1e999999,", 199) + `1e999999]}`
	var broken *terminal49.SchemaError
	require.ErrorAs(t, schema.Validate(json.RawMessage(many)), &broken)
	require.Len(t, broken.Problems, 100, "the first")
}

func TestHostileNumberInASchema(t *testing.T) {
	for _, number := range hostileNumbers {
		for at, schema := range map[string]string{
			"/minimum": `{"minimum":` + number + `}`, "/items/const": `{"items":{"const":` + number + `}}`, "/enum/1": `{"enum":[1,` + number + `]}`,
			"/multipleOf": `{"multipleOf":` + number + `}`,
		} {
			err := schemaOf(schema).Validate(json.RawMessage(`1`))
			require.ErrorContains(t, err, `cannot be used: at "`+at+`" is not a number of reasonable size`)
			var broken *terminal49.SchemaError
			require.False(t, errors.As(err, &broken))
		}
	}
}

// Whatever schema and payload come, the check ends, in an error or none.
func FuzzValidateDocument(f *testing.F) {
	for _, number := range append([]string{"1", "0"}, hostileNumbers...) {
		f.Add([]byte(`{"minimum":`+number+`,"multipleOf":2}`), []byte(`7`))
		f.Add([]byte(`{"type":"integer","minimum":0,"enum":[1,2],"uniqueItems":true}`), []byte(number))
		f.Add([]byte(`{"items":{"multipleOf":0.1},"uniqueItems":true}`), []byte(`[`+number+`,`+number+`]`))
	}
	f.Add([]byte(`{"$ref":"#"}`), []byte(`{}`))
	f.Add([]byte(`{"$dynamicRef":"#a","$defs":{"a":{"$dynamicAnchor":"a","not":{"type":"null"}}}}`), []byte(`null`))
	f.Fuzz(func(t *testing.T, schema, payload []byte) {
		err := schemaOf(string(schema)).Validate(payload)
		var broken *terminal49.SchemaError
		if errors.As(err, &broken) {
			require.NotEmpty(t, broken.Problems)
		}
		if err == nil {
			require.True(t, json.Valid(schema) && json.Valid(payload))
		}
	})
}

// A payload can be wrong in as many places as it has bytes, and each pointer to one be as long as the payload.
func TestSchemaErrorsAreBounded(t *testing.T) {
	name := strings.Repeat("n", 10<<10)
	for value, schema := range map[string]string{
		`1e99`: `{}`,
		`1`:    `{"additionalProperties":{"items":{"type":"string"}}}`,
		`"a"`:  `{"additionalProperties":{"items":{"type":"number"}}}`,
	} {
		payload := `{"` + name + `":[` + value + strings.Repeat(","+value, 9999) + `]}`
		var broken *terminal49.SchemaError
		err := (&terminal49.DocumentSchema{SchemaPayload: []byte(schema)}).Validate([]byte(payload))
		require.ErrorAs(t, err, &broken)
		require.Len(t, broken.Problems, 100)
		require.Contains(t, err.Error(), "; and 80 more in Problems")
	}
}
