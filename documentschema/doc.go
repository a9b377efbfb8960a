// Package documentschema validates the data that the service extracted from a document.
//
//	schema, err := client.DocumentSchemas.For(ctx, document)
//	if err != nil {
//		return err
//	}
//	if extraction, ok := document.Extraction.Value(); ok {
//		err = documentschema.Validate(schema, extraction.Payload) // *Error lists the problems
//	}
//
// Use schemas of the service only: a hostile schema can keep [Validate] busy for hours. It is a
// separate package so that only programs that validate build a JSON Schema library.
package documentschema
