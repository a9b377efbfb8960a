package forms

import (
	"encoding/json"
	"go/token"
	"maps"
	"reflect"
	"time"
)

// Object is a JSON Schema.
type Object = map[string]any

// Schemas returns the JSON Schemas of types. Exported structs become definitions, to which others
// refer.
type Schemas struct{ Definitions Object }

// described has the schemas of types whose form does not follow from their fields, and choices
// those of enumerations. Both are filled when a program starts.
var (
	described = map[reflect.Type]func(*Schemas) Object{}
	choices   = map[reflect.Type][]string{}
)

// Describe sets the schema of a type.
func Describe[T any](schema func(*Schemas) Object) { described[reflect.TypeFor[T]()] = schema }

// Enumerate sets the texts that a type can have besides "".
func Enumerate[T ~string](texts ...T) {
	var list []string
	for _, text := range texts {
		list = append(list, string(text))
	}
	choices[reflect.TypeFor[T]()] = list
	Describe[T](func(*Schemas) Object { return Object{"enum": list} })
}

// ChooseFrom is [Choose] of the texts that T can have.
func ChooseFrom[T ~string](into *T, text []byte) error {
	of := choices[reflect.TypeFor[T]()]
	list := make([]T, len(of))
	for i, choice := range of {
		list[i] = T(choice)
	}
	return Choose(into, text, list...)
}

// Of returns the schema of a type.
func (s *Schemas) Of(t reflect.Type) Object {
	if t.Kind() == reflect.Pointer {
		return s.Of(t.Elem())
	}
	schema := described[t]
	if schema == nil && t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() {
		schema = func(s *Schemas) Object { return s.Struct(t) }
	}
	switch {
	case schema == nil:
		return s.simple(t)
	case !token.IsExported(t.Name()):
		return schema(s)
	}
	if s.Definitions[t.Name()] == nil {
		s.Definitions[t.Name()] = Object{}
		s.Definitions[t.Name()] = schema(s)
	}
	return Object{"$ref": "#/$defs/" + t.Name()}
}

func (s *Schemas) simple(t reflect.Type) Object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return Object{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[time.Duration]():
		return Object{"type": "string", "pattern": durationPattern}
	case reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()):
		return Object{}
	}
	switch t.Kind() {
	case reflect.String:
		return Object{"type": "string"}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return Object{"type": "integer"}
	case reflect.Float64:
		return Object{"type": "number"}
	case reflect.Slice:
		return Object{"type": "array", "items": s.Of(t.Elem())}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": s.Of(t.Elem())}
	}
	return Object{}
}

// durationPattern matches what [ParseDuration] reads.
const durationPattern = `^-?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(d|h|ms|m|s|us|µs|ns) ?)+)$`

// Struct returns the schema of an object with the members of structs, as if they were one. Members
// that are not required can be null.
func (s *Schemas) Struct(of ...reflect.Type) Object {
	members, required := Object{}, []string{}
	for _, t := range of {
		for _, f := range fieldsOf(t) {
			schema := s.Of(f.typ)
			switch {
			case f.text:
				schema = Object{"anyOf": []Object{{"type": "string"}, s.Struct(reflect.TypeFor[base64Bytes]())}}
			case f.typ.Kind() == reflect.Interface:
				schema = Object{}
			}
			if f.required {
				required = append(required, f.name)
			} else {
				schema = orNull(schema)
			}
			members[f.name] = schema
		}
	}
	schema := Object{"type": "object", "properties": members, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}

// WithConstant returns the schema of an object with one more member, which has a fixed text.
func WithConstant(schema Object, name, text string) Object {
	members := maps.Clone(schema["properties"].(Object))
	members[name] = Object{"const": text}
	required, _ := schema["required"].([]string)
	schema["properties"], schema["required"] = members, append([]string{name}, required...)
	return schema
}

// WithoutRequired returns the schema of some members of an object.
func WithoutRequired(schema Object) Object {
	schema = maps.Clone(schema)
	delete(schema, "required")
	return schema
}

func orNull(schema Object) Object {
	if kind, ok := schema["type"].(string); ok {
		schema = maps.Clone(schema)
		schema["type"] = []string{kind, "null"}
		return schema
	}
	if len(schema) == 0 {
		return schema
	}
	return Object{"anyOf": []Object{schema, {"type": "null"}}}
}

// OneMember returns the schema of an object with exactly one of the members.
func OneMember(members Object, description string) Object {
	return Object{
		"type": "object", "description": description, "properties": members,
		"minProperties": 1, "maxProperties": 1, "additionalProperties": false,
	}
}
