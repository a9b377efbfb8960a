package documentschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/text"
)

// Validate checks an extracted payload against a schema of the service. It returns an [*Error] for
// a payload that does not follow the schema. Any other error means that the schema has an unknown
// format or is invalid, or that the payload is not JSON.
//
// A schema without "$schema" is read as draft 2020-12. References to other documents are not
// followed. A number that needs more than 60 digits or 30 decimal places is rejected. Validate only
// against schemas that you trust, such as the service's: a schema of a few hundred bytes can take
// hours to check.
func Validate(schema *terminal49.DocumentSchema, payload json.RawMessage) (err error) {
	if schema == nil {
		return errors.New("documentschema: the schema is nil")
	}
	name := text.Printable(schema.ID)
	defer func() { // the library panics on numbers that it cannot read, and perhaps on more
		if recover() != nil {
			err = fmt.Errorf("documentschema: schema %s cannot be used on the payload: the check panicked", name)
		}
	}()
	compiled, err := compile(schema)
	if err != nil {
		return fmt.Errorf("documentschema: schema %s cannot be used: %w", name, err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(payload))
	if err != nil {
		return fmt.Errorf("documentschema: the payload is not JSON: %w", err)
	}
	if odd := oddNumbers(instance); len(odd) > 0 {
		return &Error{schema.ID, odd}
	}
	var broken *jsonschema.ValidationError
	if err := compiled.Validate(instance); errors.As(err, &broken) {
		return &Error{schema.ID, leaves(broken)}
	} else if err != nil {
		return fmt.Errorf("documentschema: schema %s: %w", name, schemaError(err))
	}
	return nil
}

// compile compiles the schema. Its errors describe what is wrong with the schema.
func compile(s *terminal49.DocumentSchema) (*jsonschema.Schema, error) {
	if s.SchemaFormat != "" && s.SchemaFormat != "json_schema" {
		return nil, fmt.Errorf("its format %q is unknown", s.SchemaFormat)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.SchemaPayload))
	if err != nil {
		return nil, errors.New("its payload is not JSON")
	}
	if odd := oddNumbers(schema); len(odd) > 0 {
		return nil, fmt.Errorf("at %q is %s", odd[0].Pointer, odd[0].Message)
	}
	const at = "schema:payload"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(at, schema); err != nil {
		return nil, schemaError(err)
	}
	compiled, err := compiler.Compile(at)
	if err != nil {
		return nil, schemaError(err)
	}
	return compiled, nil
}

// noLoader loads nothing. The library's default reads any file that the schema names.
type noLoader struct{}

func (noLoader) Load(string) (any, error) {
	return nil, errors.New("references out of the schema are not followed")
}
