package terminal49

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strings"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// Document is a paper of a shipment, such as a commercial invoice or an arrival notice. The service first classifies
// it, then extracts its contents, then links it to shipments and containers; none of that is done when it is created.
// The service calls its documents a beta.
type Document struct {
	Resource

	Name                string         // name: the name shown to people
	DocumentType        string         // document_type: a code of Documents.Types, found by the service; "" until classified
	DocumentTypeManual  string         // document_type_manual: a code set by a person, "" if none
	ClassificationNotes string         // classification_notes
	Source              DocumentSource // source: how it came in; says nothing of whether there is an EmailSubmission
	FileName            string         // file_name: of the file as it was uploaded or split off
	FileContentType     string         // file_content_type: "" if unknown
	FileSizeBytes       Opt[int]       // file_size_bytes
	CreatedAt           Time           // created_at, UTC
	UpdatedAt           Time           // updated_at, UTC

	Account         ToOne[*Account]         // account
	User            ToOne[*User]            // user: null unless a person uploaded it
	EmailSubmission ToOne[*EmailSubmission] // email_submission: the e-mail it was attached to
	Extraction      ToOne[*Extraction]      // last_document_representation: null until something was extracted
	Shipments       ToMany[*Shipment]       // shipments that the document is about, as far as the service found out
	Containers      ToMany[*Container]      // cargos: containers that the document is about
}

// EffectiveType is the document's type: what a person set, else what the service found, else "".
func (d *Document) EffectiveType() string { return cmp.Or(d.DocumentTypeManual, d.DocumentType) }

// DocumentSource says how a document came into the service.
type DocumentSource string

const (
	DocumentSourceUpload DocumentSource = "upload"         // in the service's dashboard
	DocumentSourceAPI    DocumentSource = "api"            // by a call such as Documents.Upload
	DocumentSourceEmail  DocumentSource = "email"          // as an attachment
	DocumentSourceSplit  DocumentSource = "split_document" // cut out of a file with several documents
)

var documentSources = []DocumentSource{DocumentSourceUpload, DocumentSourceAPI, DocumentSourceEmail, DocumentSourceSplit}

// Known reports whether s is one of the constants of this version. Unknown values are kept unchanged.
func (s DocumentSource) Known() bool { return isKnown(s, documentSources) }

// DocumentInclude names a relation that comes along with documents.
type DocumentInclude string

const (
	DocumentIncludeShipments         DocumentInclude = "shipments"
	DocumentIncludeContainers        DocumentInclude = "cargos"
	DocumentIncludeAccount           DocumentInclude = "account"
	DocumentIncludeUser              DocumentInclude = "user"
	DocumentIncludeEmailSubmission   DocumentInclude = "email_submission"
	DocumentIncludeExtraction        DocumentInclude = "last_document_representation"
	DocumentIncludeCurrentExtraction DocumentInclude = "current_extraction" // another name of DocumentIncludeExtraction
)

// DocumentSort is an order of a list of documents.
type DocumentSort string

const (
	DocumentSortType    DocumentSort = "document_type"
	DocumentSortAddedBy DocumentSort = "added_by"
	DocumentSortCreated DocumentSort = "created_at" // oldest first
)

// Descending turns the order round.
func (s DocumentSort) Descending() DocumentSort {
	if s == "" || strings.HasPrefix(string(s), "-") {
		return s
	}
	return "-" + s
}

// DocumentListParams narrows a list of documents. The zero value, like nil, asks for all of them.
type DocumentListParams struct {
	PageParams
	Include []DocumentInclude
	Sort    DocumentSort // "" leaves the order to the service

	FileName      string   // full-text search in file names
	Reference     string   // a number that the document mentions
	DocumentTypes []string // any of these codes; see Documents.Types
}

// DocumentGetParams says what comes along with one document.
type DocumentGetParams struct {
	Include []DocumentInclude
}

// DocumentUpdate is a correction by hand. What is not mentioned stays as it is.
type DocumentUpdate struct {
	DocumentTypeManual Opt[string] `json:"document_type_manual,omitzero"` // a code of Documents.Types
	// ExtractedDataManual takes the place of what the service extracted; Null takes the correction back. Write amounts
	// as strings or json.Number, for a float64 cannot hold every amount.
	ExtractedDataManual Opt[map[string]any] `json:"extracted_data_manual,omitzero"`
}

// DocumentType is a kind of document that the account can have.
type DocumentType struct {
	Code  string `json:"code"`  // such as "commercial_invoice"
	Label string `json:"label"` // for people
}

// DocumentCreate is a document whose file was uploaded before; [DocumentsService.Upload] does both.
type DocumentCreate struct {
	Name             string // the name shown to people
	AttachedDocument Secret // the signed id of the upload, as from [DocumentNotCreatedError.SignedID]
}

// DuplicateDocumentError means that the account has a document with the same contents, and that nothing was created.
// errors.Is finds ErrDuplicate and ErrConflict in it.
type DuplicateDocumentError struct {
	ExistingID   string // "" if the service did not say
	ExistingName string // "" if the service did not say
	Err          *APIError
}

// Error names the document that is there already.
func (e *DuplicateDocumentError) Error() string {
	return fmt.Sprintf("terminal49: %s: the account has this document already: %q (id %s)", e.Err.Op, e.ExistingName, printable(e.ExistingID))
}

// Is makes every one an ErrDuplicate, however the service words it.
func (e *DuplicateDocumentError) Is(target error) bool { return target == ErrDuplicate }

// Unwrap returns the service's answer.
func (e *DuplicateDocumentError) Unwrap() error { return e.Err }

// DocumentsService uploads documents, reads what the service made of them and corrects it.
type DocumentsService service

// List returns one page of documents. Deleted ones are left out.
//
// API: GET /documents. Errors: ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) List(ctx context.Context, params *DocumentListParams, opts ...CallOption) (*Page[Document], error) {
	return fetchPage[Document](ctx, s.client, newEndpoint(operation.DocumentsList).with(params), opts)
}

// Pages walks the pages of documents.
//
// API: GET /documents. Errors: ErrInvalid, ErrFeatureNotEnabled, ErrPagination.
func (s *DocumentsService) Pages(ctx context.Context, params *DocumentListParams, opts ...CallOption) iter.Seq2[*Page[Document], error] {
	return pagesOf[Document](ctx, s.client, newEndpoint(operation.DocumentsList).with(params), opts)
}

// All walks all documents, fetching pages as they are needed.
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

// Create makes a document of a file that was uploaded before. Use it to finish an Upload that failed with a
// [*DocumentNotCreatedError]: the file need not travel again.
//
// API: POST /documents. Errors: *DuplicateDocumentError, ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Create(ctx context.Context, create DocumentCreate, opts ...CallOption) (*Document, error) {
	e := newEndpoint(operation.DocumentsCreate).check(slugArg("Name", create.Name)).
		check(slugArg("AttachedDocument", create.AttachedDocument.Reveal()))
	body := map[string]string{"name": create.Name, "attached_document": create.AttachedDocument.Reveal()}
	doc, err := fetchOne[Document](ctx, s.client, e.resource("document", "", body).concealing(create.AttachedDocument), opts)
	return doc, duplicate(err)
}

// Update sets the document's type or contents by hand and returns it as it is afterwards.
//
// API: PATCH /documents/{id}. Errors: ErrNotFound, ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Update(ctx context.Context, id string, update DocumentUpdate, opts ...CallOption) (*Document, error) {
	return fetchOne[Document](ctx, s.client, newEndpoint(operation.DocumentsUpdate, uuidArg(id)).resource("document", id, update), opts)
}

// Delete takes the document out of the account. The service keeps the file.
//
// API: DELETE /documents/{id}. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsDelete, uuidArg(id)), opts)
}

// DownloadURL returns where the file can be fetched for a while by anyone who knows the address: without the token, and
// never with it. [DocumentsService.Download] fetches it. The service does not say how long the address holds.
//
// API: GET /documents/{id}/download_url. Errors: ErrNotFound, ErrInvalid (no file),
// ErrFeatureNotEnabled.
func (s *DocumentsService) DownloadURL(ctx context.Context, id string, opts ...CallOption) (Secret, error) {
	reply, err := fetchPlain[downloadReply](ctx, s.client, newEndpoint(operation.DocumentsDownloadURL, uuidArg(id)), opts)
	return NewSecret(reply.DownloadURL), err
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

// Types returns the kinds of document that the account can have.
//
// API: GET /documents/types. Errors: ErrFeatureNotEnabled.
func (s *DocumentsService) Types(ctx context.Context, opts ...CallOption) ([]DocumentType, error) {
	type typesReply struct {
		DocumentTypes []DocumentType `json:"document_types"`
	}
	reply, err := fetchPlain[typesReply](ctx, s.client, newEndpoint(operation.DocumentsTypes), opts)
	return reply.DocumentTypes, err
}

// Reextract has the contents extracted anew; nil means that the service accepted it, not that it is done. See
// [DocumentsService.WaitExtracted]. Asking twice has the work done twice, so it is not sent again on its own after a
// failure that leaves open whether it arrived.
//
// API: POST /documents/{id}/reextract. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Reextract(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsReextract, uuidArg(id)), opts)
}

// Reclassify has the document's type found anew, some time after it returns.
//
// API: POST /documents/{id}/reclassify. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Reclassify(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsReclassify, uuidArg(id)), opts)
}

// Relink has the shipments and containers that the document is about looked for anew, some time after it returns.
//
// API: POST /documents/{id}/relink. Errors: ErrNotFound, ErrFeatureNotEnabled.
func (s *DocumentsService) Relink(ctx context.Context, id string, opts ...CallOption) error {
	return fetchNothing(ctx, s.client, newEndpoint(operation.DocumentsRelink, uuidArg(id)), opts)
}

// Rotate turns an image by 90, 180 or 270 degrees, some time after it returns; download it again then. The service
// turns images only.
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

// duplicate gives the refusal of a document that exists already a type of its own.
func duplicate(err error) error {
	var answer *APIError
	if !errors.As(err, &answer) || answer.Status != http.StatusConflict {
		return err
	}
	d := &DuplicateDocumentError{Err: answer}
	for _, o := range answer.Errors {
		if id, ok := o.Meta["existing_document_id"].(string); ok {
			d.ExistingID = id
		}
		if name, ok := o.Meta["existing_document_name"].(string); ok {
			d.ExistingName = name
		}
	}
	if d.ExistingID == "" && !errors.Is(answer, ErrDuplicate) {
		return err // a conflict about something else
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

func (*Document) table() *jsonapi.Type[Document] { return documentTable }

var documentTable = jsonapi.NewType(jsonapi.Spec[Document]{
	Identify: func(d *Document, id jsonapi.Identity) { d.identify(id) },
	Attributes: []jsonapi.Field[Document]{
		ignoredField[Document]("id"),
		textField("name", func(d *Document) *string { return &d.Name }),
		textField("document_type", func(d *Document) *string { return &d.DocumentType }),
		textField("document_type_manual", func(d *Document) *string { return &d.DocumentTypeManual }),
		textField("classification_notes", func(d *Document) *string { return &d.ClassificationNotes }),
		textField("source", func(d *Document) *DocumentSource { return &d.Source }),
		textField("file_name", func(d *Document) *string { return &d.FileName }),
		textField("file_content_type", func(d *Document) *string { return &d.FileContentType }),
		optIntField("file_size_bytes", func(d *Document) *Opt[int] { return &d.FileSizeBytes }),
		timeField("created_at", func(d *Document) *Time { return &d.CreatedAt }),
		timeField("updated_at", func(d *Document) *Time { return &d.UpdatedAt }),
	},
	Relationships: []jsonapi.Field[Document]{
		relationshipField("account", func(d *Document) *ToOne[*Account] { return &d.Account }),
		relationshipField("user", func(d *Document) *ToOne[*User] { return &d.User }),
		relationshipField("email_submission", func(d *Document) *ToOne[*EmailSubmission] { return &d.EmailSubmission }),
		relationshipField("last_document_representation", func(d *Document) *ToOne[*Extraction] { return &d.Extraction }),
		relationshipField("current_extraction", func(d *Document) *ToOne[*Extraction] { return &d.Extraction }),
		relationshipField("shipments", func(d *Document) *ToMany[*Shipment] { return &d.Shipments }),
		relationshipField("cargos", func(d *Document) *ToMany[*Container] { return &d.Containers }),
	},
})
