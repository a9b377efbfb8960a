package terminal49

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"

	"github.com/go-freight/terminal49/internal/operation"
)

// Document is a document of a shipment, such as a commercial invoice or an arrival notice. After it
// is created, the service classifies it, extracts its contents, and links it to shipments and
// containers. The service considers documents a beta feature.
//
//t49:resource document
type Document struct {
	Resource `t49:"id,ignored"`

	Name                string         `t49:"name"`                 // human-readable
	DocumentType        string         `t49:"document_type"`        // a code of Documents.Types; "" until classified
	DocumentTypeManual  string         `t49:"document_type_manual"` // a code set by a person; "" if none
	ClassificationNotes string         `t49:"classification_notes"`
	Source              DocumentSource `t49:"source"`            // does not imply whether EmailSubmission is set
	FileName            string         `t49:"file_name"`         // of the uploaded or split file
	FileContentType     string         `t49:"file_content_type"` // "" if unknown
	FileSizeBytes       Opt[int]       `t49:"file_size_bytes"`
	CreatedAt           Time           `t49:"created_at"` // UTC
	UpdatedAt           Time           `t49:"updated_at"` // UTC
	Parsed              RawJSON        `t49:"parsed"`     // in an undocumented form; see PacketSegment

	Account         ToOne[*Account]         `t49:"account"`
	User            ToOne[*User]            `t49:"user"`                                                 // null unless a person uploaded it
	EmailSubmission ToOne[*EmailSubmission] `t49:"email_submission"`                                     // the e-mail that it was attached to
	Extraction      ToOne[*Extraction]      `t49:"current_extraction,also=last_document_representation"` // null until extracted
	Shipments       ToMany[*Shipment]       `t49:"shipments"`                                            // those that the service linked the document to
	Containers      ToMany[*Container]      `t49:"cargos"`                                               // those that the service linked the document to

	// ParentDocument is the file that the document was split off. It and Parsed are in one draft of
	// the service's documents, later than the published OpenAPI file.
	ParentDocument ToOne[*Document] `t49:"parent_document"`
}

// PacketSegment returns the pages of ParentDocument that the document was split off, as far as
// Parsed reports them as numbers. The service does not document whether it counts from 0 or 1, or
// whether the range includes the last page.
func (d *Document) PacketSegment() (startPage, endPage Opt[int]) {
	var parsed struct {
		Pages struct {
			Start Opt[int] `json:"startPage"`
			End   Opt[int] `json:"endPage"`
		} `json:"packetSegment"`
	}
	if json.Unmarshal([]byte(d.Parsed), &parsed) != nil {
		return startPage, endPage
	}
	return parsed.Pages.Start, parsed.Pages.End
}

// EffectiveType returns DocumentTypeManual or, if that is empty, DocumentType.
func (d *Document) EffectiveType() string { return cmp.Or(d.DocumentTypeManual, d.DocumentType) }

// DocumentSource is the way in which a document was created.
//
//t49:enum
type DocumentSource string

// The values of DocumentSource.
const (
	DocumentSourceUpload DocumentSource = "upload"         // uploaded in the service's dashboard
	DocumentSourceAPI    DocumentSource = "api"            // created by a call such as Documents.Upload
	DocumentSourceEmail  DocumentSource = "email"          // attached to an e-mail
	DocumentSourceSplit  DocumentSource = "split_document" // split off a file with several documents
)

// DocumentInclude is a relationship to include with documents.
type DocumentInclude string

// The values of DocumentInclude.
const (
	DocumentIncludeShipments         DocumentInclude = "shipments"
	DocumentIncludeContainers        DocumentInclude = "cargos"
	DocumentIncludeAccount           DocumentInclude = "account"
	DocumentIncludeUser              DocumentInclude = "user"
	DocumentIncludeEmailSubmission   DocumentInclude = "email_submission"
	DocumentIncludeExtraction        DocumentInclude = "last_document_representation"
	DocumentIncludeCurrentExtraction DocumentInclude = "current_extraction" // an alias of DocumentIncludeExtraction
)

// DocumentSort is an order of documents.
type DocumentSort string

// The values of DocumentSort.
const (
	DocumentSortType    DocumentSort = "document_type"
	DocumentSortAddedBy DocumentSort = "added_by"
	DocumentSortCreated DocumentSort = "created_at" // oldest first
)

// Descending returns the reverse order. An order that is empty or already descending is returned
// unchanged.
func (s DocumentSort) Descending() DocumentSort { return descending(s) }

// DocumentListParams filters and sorts a list of documents. Nil and the zero value select all.
type DocumentListParams struct {
	PageParams
	Include []DocumentInclude // relationships to include
	Sort    DocumentSort      // "" for the service's default

	FileName      string   // full-text search in file names
	Reference     string   // a number in the document
	DocumentTypes []string // one of these codes; see Documents.Types
}

// DocumentGetParams selects what to include with one document.
type DocumentGetParams struct {
	Include []DocumentInclude // relationships to include
}

// DocumentUpdate is a manual correction of a document. Unset fields are not changed.
type DocumentUpdate struct {
	DocumentTypeManual Opt[string] `json:"document_type_manual,omitzero"` // a code of Documents.Types
	// ExtractedDataManual replaces the extracted data; Null restores it. Write amounts as strings
	// or json.Number, because a float64 cannot represent every amount.
	ExtractedDataManual Opt[map[string]any] `json:"extracted_data_manual,omitzero"`
}

func (u DocumentUpdate) validate() error {
	if u.DocumentTypeManual.IsNull() {
		return &ArgumentError{Field: "DocumentTypeManual", Problem: "must not be null; set a code of Documents.Types"}
	}
	return nil
}

// DocumentType is a kind of document that the account can have.
type DocumentType struct {
	Code        string             `json:"code"`                 // such as "commercial_invoice"
	Label       string             `json:"label"`                // human-readable
	Description string             `json:"description,omitzero"` // human-readable; "" if there is none
	Schema      DocumentTypeSchema `json:"schema,omitzero"`      // zero if the service reports none
	raw         RawJSON
}

// DocumentTypeSchema describes the data that the service extracts from one type of document.
type DocumentTypeSchema struct {
	ID        string  `json:"id,omitzero"`         // such as "commercial_invoice@2026-03-23"
	Version   string  `json:"version,omitzero"`    // such as "2026-03-23"
	DetailURL string  `json:"detail_url,omitzero"` // where the service has the details; only from Types
	Format    string  `json:"format,omitzero"`     // how Payload is written; only from Type
	Payload   RawJSON `json:"payload,omitzero"`    // only from Type; not the form of DocumentSchema
}

// Raw returns the type's JSON as the service sent it, including members unknown to this package.
// It is nil for a type that came from elsewhere, such as from stored JSON.
func (t DocumentType) Raw() json.RawMessage {
	if t.raw == "" {
		return nil
	}
	return json.RawMessage(t.raw)
}

// sentDocumentType is a DocumentType that keeps its JSON.
type sentDocumentType struct {
	DocumentType `known:"code,label,description,schema"`
}

func (t *sentDocumentType) UnmarshalJSON(data []byte) error {
	t.DocumentType = DocumentType{raw: newRawJSON(data)}
	return json.Unmarshal(data, &t.DocumentType)
}

// documentTypeReply is the response with the document type of one code.
type documentTypeReply struct {
	Data struct {
		ID         string           `json:"id"`
		Type       string           `json:"type"`
		Links      RawJSON          `json:"links"`
		Attributes sentDocumentType `json:"attributes"`
	} `json:"data"`
	wanted string
}

func (r documentTypeReply) incomplete() error {
	if !strings.EqualFold(r.Data.Attributes.Code, r.wanted) {
		return errors.New("it does not hold the document type asked for")
	}
	return nil
}

// DocumentCreate is a document whose file is already uploaded. [DocumentsService.Upload] uploads
// the file too.
type DocumentCreate struct {
	Name             string // required; human-readable
	AttachedDocument Secret // required: the result of [DocumentNotCreatedError.SignedID]
}

// DuplicateDocumentError is returned when the account already has a document with the same
// contents. Nothing was created. It matches ErrDuplicate and ErrConflict.
type DuplicateDocumentError struct {
	ExistingID   string // "" if not reported
	ExistingName string // "" if not reported
	Err          *APIError
}

// Error includes the name and the id of the existing document.
func (e *DuplicateDocumentError) Error() string {
	return fmt.Sprintf("terminal49: %s: the account already has this document: %q (id %s)", e.Err.Op, e.ExistingName, printable(e.ExistingID))
}

// Is reports whether target is [ErrDuplicate]. Err alone may not match it.
func (e *DuplicateDocumentError) Is(target error) bool { return target == ErrDuplicate }

// Unwrap returns Err.
func (e *DuplicateDocumentError) Unwrap() error { return e.Err }

// DocumentsService uploads documents, reads what the service extracts from them and corrects it.
type DocumentsService service

// List returns one page of documents, without deleted ones.
//
// API: GET /documents. Errors: ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) List(ctx context.Context, params *DocumentListParams, opts ...CallOption) (*Page[Document], error) {
	return fetchPage[Document](ctx, s.client, newEndpoint(operation.DocumentsList).with(params), opts)
}

// Pages iterates over the pages of documents.
//
// API: GET /documents. Errors: ErrInvalid, ErrFeatureNotEnabled, ErrPagination.
func (s *DocumentsService) Pages(ctx context.Context, params *DocumentListParams, opts ...CallOption) iter.Seq2[*Page[Document], error] {
	return pagesOf[Document](ctx, s.client, newEndpoint(operation.DocumentsList).with(params), opts)
}

// All iterates over all documents and fetches pages as needed.
//
// API: GET /documents. Errors: ErrInvalid, ErrFeatureNotEnabled, ErrPagination.
func (s *DocumentsService) All(ctx context.Context, params *DocumentListParams, opts ...CallOption) iter.Seq2[*Document, error] {
	return allOf[Document](ctx, s.client, newEndpoint(operation.DocumentsList).with(params), opts)
}

// Get returns one document.
//
// API: GET /documents/{id}. Errors: ErrNotFound, ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Get(ctx context.Context, id string, params *DocumentGetParams, opts ...CallOption) (*Document, error) {
	return fetchOne[Document](ctx, s.client, newEndpoint(operation.DocumentsGet, uuidArg(id)).with(params), opts)
}

// Create creates a document from an uploaded file. Use it after an Upload that failed with a
// [*DocumentNotCreatedError], to avoid uploading the file again.
//
// API: POST /documents. Errors: *DuplicateDocumentError, ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Create(ctx context.Context, create DocumentCreate, opts ...CallOption) (*Document, error) {
	e := newEndpoint(operation.DocumentsCreate).check(slugArg("Name", create.Name)).
		check(slugArg("AttachedDocument", create.AttachedDocument.Reveal()))
	body := map[string]string{"name": create.Name, "attached_document": create.AttachedDocument.Reveal()}
	doc, err := fetchOne[Document](ctx, s.client, e.resource("document", "", body).concealing(create.AttachedDocument), opts)
	return doc, asDuplicate(err)
}

// Update sets the type or the contents of a document manually and returns the result.
//
// API: PATCH /documents/{id}. Errors: ErrNotFound, ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Update(ctx context.Context, id string, update DocumentUpdate, opts ...CallOption) (*Document, error) {
	return fetchOne[Document](ctx, s.client, newEndpoint(operation.DocumentsUpdate, uuidArg(id)).resource("document", id, update), opts)
}

// Delete removes a document from the account. The service keeps the file.
//
// API: DELETE /documents/{id}. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsDelete, uuidArg(id)), opts)
}

// DownloadURL returns a URL from which anyone can fetch the file without a token for a while; the
// service does not document for how long. [DocumentsService.Download] fetches it.
//
// API: GET /documents/{id}/download_url. Errors: ErrNotFound, ErrInvalid (no file),
// ErrFeatureNotEnabled.
func (s *DocumentsService) DownloadURL(ctx context.Context, id string, opts ...CallOption) (Secret, error) {
	reply, err := fetchPlain[downloadReply](ctx, s.client, newEndpoint(operation.DocumentsDownloadURL, uuidArg(id)), opts)
	return NewSecret(reply.DownloadURL), err
}

// Download writes the document's file to w as it arrives, and returns the number of bytes written.
// The file is fetched from the service's storage, without the token. A failure before the first
// byte is retried; after a later failure, w has received part of the file. A transfer fails if no
// byte arrives for as long as the attempt timeout.
//
// API: GET /documents/{id}/download_url. Errors: ErrNotFound, ErrInvalid (no file), *StorageError,
// *TransportError.
func (s *DocumentsService) Download(ctx context.Context, id string, w io.Writer, opts ...CallOption) (int64, error) {
	from, err := s.DownloadURL(ctx, id, opts...)
	if err != nil {
		return 0, err
	}
	call, err := s.client.options("documents.download", opts)
	if err != nil {
		return 0, err
	}
	return s.client.storage.download(ctx, from, w, call)
}

type downloadReply struct {
	DownloadURL string `json:"download_url"`
}

func (r downloadReply) incomplete() error {
	if r.DownloadURL == "" {
		return errors.New("it has no download_url")
	}
	return nil
}

// Types returns the types of document that the account can have.
//
// API: GET /documents/types. Errors: ErrFeatureNotEnabled.
func (s *DocumentsService) Types(ctx context.Context, opts ...CallOption) ([]DocumentType, error) {
	type typesReply struct {
		DocumentTypes []sentDocumentType `json:"document_types"`
	}
	reply, err := fetchPlain[typesReply](ctx, s.client, newEndpoint(operation.DocumentsTypes), opts)
	if err != nil || reply.DocumentTypes == nil {
		return nil, err
	}
	types := make([]DocumentType, 0, len(reply.DocumentTypes))
	for _, t := range reply.DocumentTypes {
		types = append(types, t.DocumentType)
	}
	return types, nil
}

// Type returns one type of document with the Payload of its schema. The service considers it a beta
// feature, and answers ErrNotFound for codes that exist only as a value of DocumentTypeManual.
//
// API: GET /documents/types/{code}. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Type(ctx context.Context, code string, opts ...CallOption) (*DocumentType, error) {
	reply := documentTypeReply{wanted: code}
	e := newEndpoint(operation.DocumentsType, apiSlugArg("code", code))
	if err := readPlain(ctx, s.client, e, opts, &reply); err != nil {
		return nil, err
	}
	return &reply.Data.Attributes.DocumentType, nil
}

// Reextract makes the service extract the contents again. It returns when the service has accepted
// the request; see [DocumentsService.WaitExtracted]. Repeating it repeats the work, so it is not
// retried when the outcome is unknown.
//
// API: POST /documents/{id}/reextract. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Reextract(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsReextract, uuidArg(id)), opts)
}

// Reclassify makes the service determine the type of the document again. It returns when the
// service has accepted the request, and is retried like Reextract.
//
// API: POST /documents/{id}/reclassify. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Reclassify(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsReclassify, uuidArg(id)), opts)
}

// Relink makes the service link the document to shipments and containers again. It returns when the
// service has accepted the request, and is retried like Reextract.
//
// API: POST /documents/{id}/relink. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Relink(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsRelink, uuidArg(id)), opts)
}

// Rotate rotates an image by 90, 180 or 270 degrees. It returns when the service has accepted the
// request; download the file again later. Files other than images fail with ErrInvalid.
//
// API: POST /documents/{id}/rotate. Errors: ErrNotFound, ErrInvalid (no image, no file),
// ErrFeatureNotEnabled.
func (s *DocumentsService) Rotate(ctx context.Context, id string, degrees int, opts ...CallOption) error {
	e := newEndpoint(operation.DocumentsRotate, uuidArg(id)).plainBody(map[string]int{"degrees": degrees})
	if degrees != 90 && degrees != 180 && degrees != 270 {
		e = e.reject(&ArgumentError{Field: "degrees", Problem: fmt.Sprintf("must be 90, 180 or 270, not %d", degrees)})
	}
	return fetchNothing(ctx, s.client, e, opts)
}

// asDuplicate replaces the error of a document that already exists by a *DuplicateDocumentError.
func asDuplicate(err error) error {
	var conflict *APIError
	if !errors.As(err, &conflict) || conflict.StatusCode != http.StatusConflict {
		return err
	}
	d := &DuplicateDocumentError{Err: conflict}
	for _, o := range conflict.Errors {
		if id, ok := o.Meta["existing_document_id"].(string); ok {
			d.ExistingID = id
		}
		if name, ok := o.Meta["existing_document_name"].(string); ok {
			d.ExistingName = name
		}
	}
	if d.ExistingID == "" && !errors.Is(conflict, ErrDuplicate) {
		return err // another kind of conflict
	}
	return d
}

func (p *DocumentListParams) query(q *query) {
	p.PageParams.query(q)
	q.setList("include", toStrings(p.Include))
	q.setText("sort", string(p.Sort))
	q.setText("filter[filename]", p.FileName)
	q.setText("filter[reference]", p.Reference)
	q.setList("filter[document_types]", p.DocumentTypes)
}

func (p *DocumentGetParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

// Extraction is the data that the service extracted from a document. It cannot be fetched on its
// own: include it with a document, using DocumentIncludeExtraction.
//
//t49:resource document_representation
type Extraction struct {
	Resource

	SchemaVersion string `t49:"schema_version"` // of the schema of Payload; see DocumentSchemas.For
	// Payload is the extracted object, exactly as the service sent it; nil if there is none. Its
	// members depend on the type of the document. Values are often strings, even amounts.
	Payload   json.RawMessage `t49:"payload"`
	CreatedAt Time            `t49:"created_at"` // UTC
	UpdatedAt Time            `t49:"updated_at"` // UTC
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

// DocumentSchema is the schema of the data that the service extracts from one type of document.
//
//t49:resource document_schema
type DocumentSchema struct {
	Resource // its ID is FullVersion, such as "commercial_invoice@2026-03-23"

	DocumentType  string          `t49:"document_type"`  // a code of Documents.Types
	Label         string          `t49:"label"`          // human-readable name of the type
	SchemaVersion string          `t49:"schema_version"` // a date, such as "2026-03-23"
	FullVersion   string          `t49:"full_version"`   // "type@version"
	Current       bool            `t49:"current"`        // whether new extractions use it
	Draft         bool            `t49:"draft"`          // whether it may change
	ActiveAt      Time            `t49:"active_at"`      // UTC: when it became active; zero if never
	SchemaFormat  string          `t49:"schema_format"`  // the language of the schema; so far always "json_schema"
	Description   string          `t49:"description"`    // "" if there is none
	SchemaPayload json.RawMessage `t49:"schema_payload"` // the schema, exactly as sent; see documentschema.Validate
	CreatedAt     Time            `t49:"created_at"`     // UTC
	UpdatedAt     Time            `t49:"updated_at"`     // UTC
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
