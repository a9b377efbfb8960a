// Package documentschema checks what the service extracted from a document against the schema of
// its type.
//
// It is a package of its own so that only programs that validate build a JSON Schema library.
package documentschema
