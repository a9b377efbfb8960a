package mcpserver

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// enums are the schemas of the types of arguments that have a few values.
var enums = map[reflect.Type]*jsonschema.Schema{}

// enumOf makes a type of text an enumeration in the schemas of arguments.
func enumOf[T ~string](values ...T) []T {
	schema := &jsonschema.Schema{Type: "string"}
	for _, v := range values {
		schema.Enum = append(schema.Enum, string(v))
	}
	enums[reflect.TypeFor[T]()] = schema
	return values
}
