// Package documentschema validates the data extracted from a document against the schema of its
// type.
//
// It is a separate package so that only programs that validate depend on a JSON Schema library.
package documentschema
