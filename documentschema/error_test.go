package documentschema_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
)

// forged is text that writes a line of its own into a log, clears the terminal and hides what
// follows.
const forged = "\r\n2026-01-01 level=INFO msg=\"all is well\" \x1b[2J\x1b[31m\u202e\u200b\u2028\x00\u009b\x7f"

// obeyed matches characters that a terminal or a log reader interprets.
var obeyed = regexp.MustCompile(`[\x00-\x1f\x7f-\x{9f}\x{200b}\x{200e}\x{200f}\x{2028}\x{2029}\x{202a}-\x{202e}\x{2066}-\x{2069}\x{feff}]`)

func TestError_StaysOnItsLine(t *testing.T) {
	quoted, err := json.Marshal(forged)
	require.NoError(t, err)
	schema := func(payload string) *terminal49.DocumentSchema {
		return &terminal49.DocumentSchema{Resource: terminal49.Resource{ID: forged}, SchemaPayload: json.RawMessage(payload)}
	}
	unknownFormat := schema(`{}`)
	unknownFormat.SchemaFormat = forged
	for _, err := range []error{
		&documentschema.Error{SchemaID: forged, Problems: []documentschema.Problem{{Pointer: forged}}},
		documentschema.Validate(nil, nil),
		documentschema.Validate(unknownFormat, nil),
		documentschema.Validate(schema(`{}`), quoted[1:]),
		documentschema.Validate(schema(`{"type":`+string(quoted)+`}`), []byte(`{}`)),
		documentschema.Validate(schema(`{"$ref":`+string(quoted)+`}`), []byte(`{}`)),
		documentschema.Validate(schema(`{"$id":`+string(quoted)+`}`), []byte(`{}`)),
		documentschema.Validate(schema(`{"$schema":`+string(quoted)+`}`), []byte(`{}`)),
		documentschema.Validate(schema(`{"minimum":`+string(quoted)+`}`), []byte(`{}`)),
		documentschema.Validate(schema(`{"pattern":"("}`), []byte(`{}`)),
		documentschema.Validate(schema(`{"properties":{`+string(quoted)+`:{"minimum":1e99}}}`), []byte(`{}`)),
		documentschema.Validate(schema(`{"additionalProperties":false}`), []byte(`{`+string(quoted)+`:1}`)),
		documentschema.Validate(schema(`{"additionalProperties":{"type":"null"}}`), []byte(`{`+string(quoted)+`:1}`)),
	} {
		require.Error(t, err)
		require.NotRegexp(t, obeyed, err.Error(), "%T", err)
		require.Less(t, len(err.Error()), 2000)
	}
}

func TestValidate_WithoutASchema(t *testing.T) {
	require.EqualError(t, documentschema.Validate(nil, []byte(`{}`)), "documentschema: the schema is nil")
	require.NoError(t, documentschema.Validate(&terminal49.DocumentSchema{SchemaPayload: []byte(`{}`)}, []byte(`{}`)))
	require.ErrorContains(t, documentschema.Validate(&terminal49.DocumentSchema{}, []byte(`{}`)), "cannot be used: its payload is not JSON")
}

// Values of the document appear only in Problems, because errors are logged.
func TestError_DoesNotQuoteTheDocument(t *testing.T) {
	err := documentschema.Validate(schemaOf(`{"additionalProperties":{"const":"a","maxLength":1,"pattern":"^b$","type":"number"}}`), []byte(`{"a":"c0nfidential"}`))
	require.Error(t, err)
	for _, text := range []string{err.Error(), fmt.Sprintf("%v %s %q", err, err, err)} {
		require.NotContains(t, text, "c0nfidential")
	}
}
