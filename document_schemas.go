package terminal49

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// DocumentSchema is the contract for what is extracted from one type of document.
type DocumentSchema struct {
	Resource // its ID is FullVersion, such as "commercial_invoice@2026-03-23"

	DocumentType  string          // document_type: a code of Documents.Types
	Label         string          // label: the type's name for people
	SchemaVersion string          // schema_version: a date, such as "2026-03-23"
	FullVersion   string          // full_version: "type@version"
	Current       bool            // current: whether new extractions follow it
	Draft         bool            // draft: whether it may still change
	ActiveAt      Time            // active_at, UTC: when it became active; zero if it never did
	SchemaFormat  SchemaFormat    // schema_format
	Description   string          // description: "" if there is none
	SchemaPayload json.RawMessage // schema_payload: the schema itself, byte for byte; see Validate
	CreatedAt     Time            // created_at, UTC
	UpdatedAt     Time            // updated_at, UTC
}

// SchemaFormat is the language a document schema is written in.
type SchemaFormat string

// SchemaFormatJSONSchema is JSON Schema (https://json-schema.org), the only format known.
const SchemaFormatJSONSchema SchemaFormat = "json_schema"

var schemaFormats = []SchemaFormat{SchemaFormatJSONSchema}

// Known reports whether f is one of the constants of this version. Unknown values are kept as they came.
func (f SchemaFormat) Known() bool { return known(f, schemaFormats) }

// SchemaError means that a payload does not follow its schema.
type SchemaError struct {
	SchemaID string          // such as "commercial_invoice@2026-03-23"
	Problems []SchemaProblem // the first 100
}

// keptProblems is how many places are told: each may take as long a pointer as the payload itself.
const keptProblems = 100

// SchemaProblem is one place where a payload does not follow its schema.
type SchemaProblem struct {
	Pointer string // JSON pointer into the payload, such as "/lines/0/amount"; "" for the whole
	Keyword string // what the schema demands, such as "required" or "pattern"; "number size" for a number not fit to be checked
	Message string // for people; may quote the document, which Error does not
}

// Error lists the first places and keywords. It quotes nothing of the document.
func (e *SchemaError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "terminal49: the payload does not follow %s", printable(e.SchemaID))
	for i, p := range e.Problems[:min(len(e.Problems), namedWarnings)] {
		b.WriteString([]string{": ", "; "}[min(i, 1)])
		fmt.Fprintf(&b, "%q breaks %s", p.Pointer, p.Keyword)
	}
	if more := len(e.Problems) - namedWarnings; more > 0 {
		fmt.Fprintf(&b, "; and %d more in Problems", more)
	}
	return b.String()
}

// Validate checks an extracted payload against the schema; a payload that does not follow it is a [*SchemaError]. Any
// other error is about the schema: of a format this package does not know, or not usable. References out of the schema
// are not followed. Without a "$schema" of its own it is read as draft 2020-12.
//
// A schema of a few hundred bytes can be written to keep the check busy for hours: use those of the service, or others
// that you trust.
//
// Numbers that take more than 60 digits or 30 decimals to write out are not checked but refused: in the payload each is
// a [SchemaProblem], and a schema with one cannot be used.
func (s *DocumentSchema) Validate(payload json.RawMessage) (err error) {
	defer func() { // the library panics on numbers it cannot read; what else it may panic on is not known
		if recover() != nil {
			err = fmt.Errorf("terminal49: document schema %s cannot be used on the payload: the check broke off", printable(s.ID))
		}
	}()
	compiled, err := s.compile()
	if err != nil {
		return fmt.Errorf("terminal49: document schema %s cannot be used: %w", printable(s.ID), err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(payload))
	if err != nil {
		return fmt.Errorf("terminal49: the payload is not JSON: %w", err)
	}
	var odd problemList
	if odd.addOddNumbers(instance, nil); len(odd) > 0 {
		return &SchemaError{s.ID, odd}
	}
	var broken *jsonschema.ValidationError
	if err := compiled.Validate(instance); errors.As(err, &broken) {
		var list problemList
		list.addLeaves(broken)
		return &SchemaError{s.ID, list}
	} else if err != nil {
		return fmt.Errorf("terminal49: document schema %s: %w", printable(s.ID), err)
	}
	return nil
}

func (s *DocumentSchema) compile() (*jsonschema.Schema, error) {
	if s.SchemaFormat != "" && !s.SchemaFormat.Known() {
		return nil, fmt.Errorf("its format %q is unknown", s.SchemaFormat)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.SchemaPayload))
	if err != nil {
		return nil, errors.New("its payload is not JSON")
	}
	var odd problemList
	if odd.addOddNumbers(schema, nil); len(odd) > 0 {
		return nil, fmt.Errorf("at %q is %s", odd[0].Pointer, odd[0].Message)
	}
	const at = "schema:payload"
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(closed{}) // the default one would read files that the schema names
	if err := compiler.AddResource(at, schema); err != nil {
		return nil, err
	}
	return compiler.Compile(at)
}

// problemList takes no more than keptProblems.
type problemList []SchemaProblem

func (l *problemList) isFull() bool { return len(*l) == keptProblems }

// addOddNumbers adds the numbers in a value that the library would write out digit by digit, or take for none: a few
// bytes such as 1e999999 would keep it busy for long, and it ignores a bound that it cannot read. at is where the value is.
func (l *problemList) addOddNumbers(value any, at []string) {
	if l.isFull() {
		return
	}
	switch value := value.(type) {
	case json.Number:
		if len(value) <= maxAmountLength {
			if _, err := parseDecimal(value.String()); err == nil {
				return
			}
		}
		*l = append(*l, SchemaProblem{pointer(at), "number size", errNotDecimal.Error()})
	case []any:
		for i, v := range value {
			l.addOddNumbers(v, append(at, strconv.Itoa(i)))
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			l.addOddNumbers(value[name], append(at, name))
		}
	}
}

// pointer is the JSON pointer of these steps.
func pointer(steps []string) string {
	var b strings.Builder
	for _, step := range steps {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(step))
	}
	return b.String()
}

// closed loads nothing.
type closed struct{}

func (closed) Load(string) (any, error) {
	return nil, errors.New("references out of the schema are not followed")
}

// addLeaves adds the leaves of the library's tree: what is wrong, rather than what contains it.
func (l *problemList) addLeaves(e *jsonschema.ValidationError) {
	for _, cause := range e.Causes {
		l.addLeaves(cause)
	}
	if len(e.Causes) > 0 || l.isFull() {
		return
	}
	path := e.ErrorKind.KeywordPath()
	keyword := "the schema"
	if len(path) > 0 {
		keyword = path[len(path)-1]
	}
	text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	*l = append(*l, SchemaProblem{pointer(e.InstanceLocation), keyword, text})
}

// DocumentSchemaID is the id of the schema for a type of document and a version, "type@version". A version that is
// such an id already stays as it is.
func DocumentSchemaID(documentType, version string) string {
	if strings.Contains(version, "@") {
		return version
	}
	return documentType + "@" + version
}

// DocumentSchemasService reads document schemas. There is no list of them.
type DocumentSchemasService service

// Get returns a schema by its id, such as "commercial_invoice@2026-03-23"; see [DocumentSchemaID].
//
// API: GET /document_schemas/{id}. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentSchemasService) Get(ctx context.Context, id string, opts ...CallOption) (*DocumentSchema, error) {
	arg := slugArg("id", id)
	if name, version, found := strings.Cut(id, "@"); arg.problem == "" && (!found || name == "" || version == "") {
		arg.problem = `must be a type and a version such as "commercial_invoice@2026-03-23"`
	}
	return fetchOne[DocumentSchema](ctx, s.client, newEndpoint(operation.DocumentSchemasGet, arg), opts)
}

// For returns the schema that a document's extraction follows. The document must have its Extraction included. The
// service does not say how the two belong together: this takes the type that the service found, or else the one set by
// hand, with the extraction's version.
//
// API: GET /document_schemas/{id}. Rate bucket: default. Errors: *ArgumentError, ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentSchemasService) For(ctx context.Context, document *Document, opts ...CallOption) (*DocumentSchema, error) {
	const op = "document_schemas.get"
	if document == nil {
		return nil, &ArgumentError{Op: op, Field: "document", Problem: "must not be nil"}
	}
	extraction, ok := document.Extraction.Value()
	if !ok || extraction.SchemaVersion == "" {
		return nil, &ArgumentError{Op: op, Field: "document", Problem: "has no extraction; get it with DocumentIncludeExtraction once one is there"}
	}
	return s.Get(ctx, DocumentSchemaID(firstOf(document.DocumentType, document.DocumentTypeManual), extraction.SchemaVersion), opts...)
}

func (*DocumentSchema) table() *jsonapi.Type[DocumentSchema] { return documentSchemaTable }

var documentSchemaTable = jsonapi.NewType(jsonapi.Spec[DocumentSchema]{
	Identify: func(s *DocumentSchema, id jsonapi.Identity) { s.identify(id) },
	Attributes: []jsonapi.Field[DocumentSchema]{
		text("document_type", func(s *DocumentSchema) *string { return &s.DocumentType }),
		text("label", func(s *DocumentSchema) *string { return &s.Label }),
		text("schema_version", func(s *DocumentSchema) *string { return &s.SchemaVersion }),
		text("full_version", func(s *DocumentSchema) *string { return &s.FullVersion }),
		flag("current", func(s *DocumentSchema) *bool { return &s.Current }),
		flag("draft", func(s *DocumentSchema) *bool { return &s.Draft }),
		moment("active_at", func(s *DocumentSchema) *Time { return &s.ActiveAt }),
		text("schema_format", func(s *DocumentSchema) *SchemaFormat { return &s.SchemaFormat }),
		text("description", func(s *DocumentSchema) *string { return &s.Description }),
		rawObject("schema_payload", func(s *DocumentSchema) *json.RawMessage { return &s.SchemaPayload }),
		moment("created_at", func(s *DocumentSchema) *Time { return &s.CreatedAt }),
		moment("updated_at", func(s *DocumentSchema) *Time { return &s.UpdatedAt }),
	},
})
