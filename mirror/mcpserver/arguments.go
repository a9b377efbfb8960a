package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// mostArguments bounds the arguments of a call, in bytes.
const mostArguments = 64 << 10

// fromOne are the arguments whose default is not 0, so that 0 cannot mean what it says.
var fromOne = []string{"days", "limit", "unchecked_hours"}

// arguments checks the arguments of a tool.
type arguments struct {
	schema   *jsonschema.Schema
	resolved *jsonschema.Resolved
}

func newArguments(schema *jsonschema.Schema) *arguments {
	resolved, err := schema.Resolve(nil)
	if err != nil {
		panic(err) // of a type of this package
	}
	return &arguments{schema, resolved}
}

// decode decodes arguments into a value of the schema's type.
func (a *arguments) decode(data json.RawMessage, to any) error {
	if len(data) == 0 {
		data = json.RawMessage("{}")
	}
	if len(data) > mostArguments {
		return mend("arguments", "must have at most %d bytes, not %d; split the question", mostArguments, len(data))
	}
	members := map[string]any{}
	if err := json.Unmarshal(data, &members); err != nil { // null is none
		return mend("arguments", "must be an object")
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := a.check(name, members[name]); err != nil {
			return err
		}
		if members[name] == nil { // some agents send null for what they do not set
			delete(members, name)
		}
	}
	if err := a.resolved.Validate(members); err != nil {
		return mend("arguments", "%s", clean(strings.TrimPrefix(err.Error(), "validating root: ")))
	}
	data, _ = json.Marshal(members) // 10.0 is the integer 10 (JSON Schema 2020-12, 6.1.1)
	if err := json.Unmarshal(data, to); err != nil {
		var typed *json.UnmarshalTypeError
		if errors.As(err, &typed) {
			field := typed.Field[strings.LastIndex(typed.Field, ".")+1:] // without the name of an embedded struct
			return mend(field, "must be %s that fits, not %s", typed.Type, clean(typed.Value))
		}
		return mend("arguments", "%s", clean(err.Error()))
	}
	return nil
}

// check explains the mistakes that agents make.
func (a *arguments) check(name string, value any) error {
	schema := a.schema.Properties[name]
	if schema == nil {
		allowed := "the tool has none"
		if names := a.schema.PropertyOrder; len(names) > 0 {
			allowed = "allowed are " + strings.Join(names, ", ")
		}
		return mend(clean(name), "is not an argument; %s", allowed)
	}
	if strings.Contains(fmt.Sprint(value), "\x00") { // which Postgres refuses
		return mend(name, "must have only printable characters, not U+0000")
	}
	if value == 0.0 && slices.Contains(fromOne, name) {
		return mend(name, "must be at least 1, not 0; without it the default applies")
	}
	if list, ok := value.([]any); ok && schema.Items != nil {
		for _, element := range list {
			if err := checkEnum(name, schema.Items, element); err != nil {
				return err
			}
		}
		return nil
	}
	return checkEnum(name, schema, value)
}

func checkEnum(name string, schema *jsonschema.Schema, value any) error {
	if len(schema.Enum) == 0 || value == nil || slices.Contains(schema.Enum, value) {
		return nil
	}
	allowed := make([]string, len(schema.Enum))
	for i, v := range schema.Enum {
		allowed[i] = fmt.Sprint(v)
	}
	return mend(name, "must be one of %s, not %s", strings.Join(allowed, ", "), quoted(fmt.Sprint(value)))
}
