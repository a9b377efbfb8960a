package terminal49

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49/internal/jsonapi"
	"github.com/go-freight/terminal49/internal/operation"
)

// EmailSubmission is an e-mail to the account's address for documents. Its attachments became
// documents.
//
// A submission that is included with a document has fewer fields: BodyPreview instead of Body, and
// no InReplyTo, References, ContentType, DocumentsCount or relationships.
type EmailSubmission struct {
	Resource

	Subject        string   // subject
	Body           string   // body: "" if there is none or the submission was included
	BodyPreview    string   // body_preview: "" unless the submission was included
	From           []string // from: addresses; nil if not reported
	To             []string // to
	CC             []string // cc
	SentAt         Time     // sent_at, UTC: according to the e-mail
	MessageID      string   // message_id
	InReplyTo      string   // in_reply_to
	References     []string // references
	ContentType    string   // content_type: MIME type of the whole e-mail
	DocumentsCount Opt[int] // documents_count: its documents, without deleted ones
	CreatedAt      Time     // created_at, UTC
	UpdatedAt      Time     // updated_at, UTC

	Account   ToOne[*Account]   // account
	User      ToOne[*User]      // user: null if the sender is not a user of the account
	Documents ToMany[*Document] // documents: with fewer attributes than Documents.Get returns
}

// EmailSubmissionInclude is a relationship to include with e-mail submissions. Dotted paths such as
// "documents.last_document_representation" work too. By default the service includes the documents
// and their extractions.
type EmailSubmissionInclude string

// The values of EmailSubmissionInclude.
const (
	EmailSubmissionIncludeAccount   EmailSubmissionInclude = "account"
	EmailSubmissionIncludeUser      EmailSubmissionInclude = "user"
	EmailSubmissionIncludeDocuments EmailSubmissionInclude = "documents"
)

// EmailSubmissionListParams selects a page of e-mail submissions and what to include with them.
type EmailSubmissionListParams struct {
	PageParams
	Include []EmailSubmissionInclude // relationships to include
}

// EmailSubmissionGetParams selects what to include with one e-mail submission.
type EmailSubmissionGetParams struct {
	Include []EmailSubmissionInclude // relationships to include
}

// EmailSubmissionsService reads the e-mails from which documents were created.
type EmailSubmissionsService service

// List returns one page of e-mail submissions.
//
// API: GET /email_submissions. Errors: ErrInvalid, ErrFeatureNotEnabled.
func (s *EmailSubmissionsService) List(ctx context.Context, params *EmailSubmissionListParams, opts ...CallOption) (*Page[EmailSubmission], error) {
	return fetchPage[EmailSubmission](ctx, s.client, newEndpoint(operation.EmailSubmissionsList).with(params), opts)
}

// Pages iterates over the pages of e-mail submissions.
//
// API: GET /email_submissions. Errors: ErrInvalid, ErrFeatureNotEnabled, ErrPagination.
func (s *EmailSubmissionsService) Pages(ctx context.Context, params *EmailSubmissionListParams, opts ...CallOption) iter.Seq2[*Page[EmailSubmission], error] {
	return pagesOf[EmailSubmission](ctx, s.client, newEndpoint(operation.EmailSubmissionsList).with(params), opts)
}

// All iterates over all e-mail submissions and fetches pages as needed.
//
// API: GET /email_submissions. Errors: ErrInvalid, ErrFeatureNotEnabled, ErrPagination.
func (s *EmailSubmissionsService) All(ctx context.Context, params *EmailSubmissionListParams, opts ...CallOption) iter.Seq2[*EmailSubmission, error] {
	return allOf[EmailSubmission](ctx, s.client, newEndpoint(operation.EmailSubmissionsList).with(params), opts)
}

// Get returns one e-mail submission.
//
// API: GET /email_submissions/{id}. Errors: ErrNotFound, ErrInvalid, ErrFeatureNotEnabled.
func (s *EmailSubmissionsService) Get(ctx context.Context, id string, params *EmailSubmissionGetParams, opts ...CallOption) (*EmailSubmission, error) {
	return fetchOne[EmailSubmission](ctx, s.client, newEndpoint(operation.EmailSubmissionsGet, uuidArg(id)).with(params), opts)
}

func (p *EmailSubmissionListParams) query(q *query) {
	p.PageParams.query(q)
	q.setList("include", toStrings(p.Include))
}

func (p *EmailSubmissionGetParams) query(q *query) { q.setList("include", toStrings(p.Include)) }

func (e *EmailSubmission) members(m *jsonapi.Members) {
	m.Add("subject", &e.Subject)
	m.Add("body", &e.Body)
	m.Add("body_preview", &e.BodyPreview)
	m.Add("from", &e.From)
	m.Add("to", &e.To)
	m.Add("cc", &e.CC)
	m.Add("sent_at", &e.SentAt)
	m.Add("message_id", &e.MessageID)
	m.Add("in_reply_to", &e.InReplyTo)
	m.Add("references", &e.References)
	m.Add("content_type", &e.ContentType)
	m.Add("documents_count", &e.DocumentsCount)
	m.Add("created_at", &e.CreatedAt)
	m.Add("updated_at", &e.UpdatedAt)
}

func (e *EmailSubmission) relationships(m *jsonapi.Members) {
	m.Add("account", &e.Account)
	m.Add("user", &e.User)
	m.Add("documents", &e.Documents)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e EmailSubmission) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *EmailSubmission) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }
