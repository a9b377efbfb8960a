package terminal49

import (
	"context"
	"iter"

	"github.com/go-freight/terminal49/internal/operation"
)

// EmailSubmission is an e-mail to the account's address for documents. Its attachments became
// documents.
//
// A submission that is included with a document has fewer fields: BodyPreview instead of Body, and
// no InReplyTo, References, ContentType, DocumentsCount or relationships.
//
//t49:resource email_submission
type EmailSubmission struct {
	Resource

	Subject        string   `t49:"subject"`
	Body           string   `t49:"body"`         // "" if there is none or the submission was included
	BodyPreview    string   `t49:"body_preview"` // "" unless the submission was included
	From           []string `t49:"from"`         // addresses; nil if not reported
	To             []string `t49:"to"`
	CC             []string `t49:"cc"`
	SentAt         Time     `t49:"sent_at"` // UTC: according to the e-mail
	MessageID      string   `t49:"message_id"`
	InReplyTo      string   `t49:"in_reply_to"`
	References     []string `t49:"references"`
	ContentType    string   `t49:"content_type"`    // MIME type of the whole e-mail
	DocumentsCount Opt[int] `t49:"documents_count"` // its documents, without deleted ones
	CreatedAt      Time     `t49:"created_at"`      // UTC
	UpdatedAt      Time     `t49:"updated_at"`      // UTC

	Account   ToOne[*Account]   `t49:"account"`
	User      ToOne[*User]      `t49:"user"`      // null if the sender is not a user of the account
	Documents ToMany[*Document] `t49:"documents"` // with fewer attributes than Documents.Get returns
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
