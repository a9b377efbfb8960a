package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Extraction is the data that the service extracted from a document. It cannot be fetched on its
// own: include it with a document, using DocumentIncludeExtraction.
type Extraction struct {
	Resource

	SchemaVersion string // schema_version: of the schema of Payload; see DocumentSchemas.For
	// Payload is the extracted object, exactly as the service sent it; nil if there is none. Its
	// members depend on the type of the document. Values are often strings, even amounts.
	Payload   json.RawMessage // payload
	CreatedAt Time            // created_at, UTC
	UpdatedAt Time            // updated_at, UTC
}

// ErrNoPayload is returned for an extraction without a payload.
var ErrNoPayload = errors.New("terminal49: the extraction has no payload")

// Decode unmarshals the payload into a value, like json.Unmarshal, except that a number in an
// interface becomes a json.Number and so keeps all digits. Use documentschema.Validate first if the
// form matters.
func (e *Extraction) Decode(into any) error {
	if len(e.Payload) == 0 {
		return ErrNoPayload
	}
	d := json.NewDecoder(bytes.NewReader(e.Payload))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("terminal49: extraction %s: %w", printable(e.ID), err)
	}
	return nil
}

func (e *Extraction) members(m *jsonapi.Members) {
	m.Add("schema_version", &e.SchemaVersion)
	m.Add("payload", &e.Payload)
	m.Add("created_at", &e.CreatedAt)
	m.Add("updated_at", &e.UpdatedAt)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e Extraction) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *Extraction) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }

// DocumentSchema is the schema of the data that the service extracts from one type of document.
type DocumentSchema struct {
	Resource // its ID is FullVersion, such as "commercial_invoice@2026-03-23"

	DocumentType  string          // document_type: a code of Documents.Types
	Label         string          // label: human-readable name of the type
	SchemaVersion string          // schema_version: a date, such as "2026-03-23"
	FullVersion   string          // full_version: "type@version"
	Current       bool            // current: whether new extractions use it
	Draft         bool            // draft: whether it may change
	ActiveAt      Time            // active_at, UTC: when it became active; zero if never
	SchemaFormat  string          // schema_format: the language of the schema; so far always "json_schema"
	Description   string          // description: "" if there is none
	SchemaPayload json.RawMessage // schema_payload: the schema, exactly as sent; see documentschema.Validate
	CreatedAt     Time            // created_at, UTC
	UpdatedAt     Time            // updated_at, UTC
}

// schemaID returns the id of a schema, "type@version". A version that is already such an id is
// returned unchanged.
func schemaID(documentType, version string) string {
	if strings.Contains(version, "@") {
		return version
	}
	return documentType + "@" + version
}

// DocumentSchemasService reads document schemas. The service cannot list them.
type DocumentSchemasService service

// Get returns a schema by its id, a type and a version such as "commercial_invoice@2026-03-23".
//
// API: GET /document_schemas/{id}. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentSchemasService) Get(ctx context.Context, id string, opts ...CallOption) (*DocumentSchema, error) {
	arg := slugArg("id", id)
	if name, version, found := strings.Cut(id, "@"); arg.problem == "" && (!found || name == "" || version == "") {
		arg.problem = `must be a type and a version, such as "commercial_invoice@2026-03-23"`
	}
	return fetchOne[DocumentSchema](ctx, s.client, newEndpoint(operation.DocumentSchemasGet, arg), opts)
}

// For returns the schema that a document's extraction follows. The document must have its
// Extraction included. The service does not document how they are related: For uses the
// extraction's version with the document type that the service found or, if there is none, the one
// that was set manually.
//
// API: GET /document_schemas/{id}. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentSchemasService) For(ctx context.Context, document *Document, opts ...CallOption) (*DocumentSchema, error) {
	const op = "document_schemas.get"
	if document == nil {
		return nil, &ArgumentError{Op: op, Field: "document", Problem: "must not be nil"}
	}
	extraction, ok := document.Extraction.Value()
	if !ok || extraction.SchemaVersion == "" {
		return nil, &ArgumentError{Op: op, Field: "document", Problem: "must have an extraction; use DocumentIncludeExtraction, after the document is extracted"}
	}
	return s.Get(ctx, schemaID(cmp.Or(document.DocumentType, document.DocumentTypeManual), extraction.SchemaVersion), opts...)
}

func (s *DocumentSchema) members(m *jsonapi.Members) {
	m.Add("document_type", &s.DocumentType)
	m.Add("label", &s.Label)
	m.Add("schema_version", &s.SchemaVersion)
	m.Add("full_version", &s.FullVersion)
	m.Add("current", &s.Current)
	m.Add("draft", &s.Draft)
	m.Add("active_at", &s.ActiveAt)
	m.Add("schema_format", &s.SchemaFormat)
	m.Add("description", &s.Description)
	m.Add("schema_payload", &s.SchemaPayload)
	m.Add("created_at", &s.CreatedAt)
	m.Add("updated_at", &s.UpdatedAt)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (s DocumentSchema) MarshalJSON() ([]byte, error) { return marshalResource(&s) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (s *DocumentSchema) UnmarshalJSON(data []byte) error { return unmarshalResource(data, s) }
