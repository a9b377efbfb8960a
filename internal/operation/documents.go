package operation

import "net/http"

// Documents.
var (
	DocumentsList = Operation{
		Name: "documents.list", Method: http.MethodGet, Path: "/documents", Resource: "document",
		Includes: []string{
			"shipments", "cargos", "account", "user", "email_submission", "last_document_representation",
			"current_extraction",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	DocumentsCreate = Operation{
		Name: "documents.create", Method: http.MethodPost, Path: "/documents", Resource: "document",
		Bucket: BucketDefault, Retry: Write,
	}
	DocumentsGet = Operation{
		Name: "documents.get", Method: http.MethodGet, Path: "/documents/{id}", Resource: "document",
		Includes: []string{
			"shipments", "cargos", "account", "user", "email_submission", "last_document_representation",
			"current_extraction",
		},
		Bucket: BucketDefault, Retry: Read,
	}
	DocumentsUpdate = Operation{
		Name: "documents.update", Method: http.MethodPatch, Path: "/documents/{id}", Resource: "document",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	DocumentsDelete = Operation{
		Name: "documents.delete", Method: http.MethodDelete, Path: "/documents/{id}",
		Bucket: BucketDefault, Retry: Idempotent,
	}
	DocumentsTypes = Operation{
		Name: "documents.types", Method: http.MethodGet, Path: "/documents/types",
		Bucket: BucketDefault, Retry: Read,
	}
	DocumentsType = Operation{
		Name: "documents.type", Method: http.MethodGet, Path: "/documents/types/{code}",
		Bucket: BucketDefault, Retry: Read,
	}
	DocumentsDownloadURL = Operation{
		Name: "documents.download_url", Method: http.MethodGet, Path: "/documents/{id}/download_url",
		Bucket: BucketDefault, Retry: Read,
	}
	// Repeating reextract, reclassify, relink or rotate repeats the work.
	DocumentsReextract = Operation{
		Name: "documents.reextract", Method: http.MethodPost, Path: "/documents/{id}/reextract",
		Bucket: BucketDefault, Retry: Write,
	}
	DocumentsReclassify = Operation{
		Name: "documents.reclassify", Method: http.MethodPost, Path: "/documents/{id}/reclassify",
		Bucket: BucketDefault, Retry: Write,
	}
	DocumentsRelink = Operation{
		Name: "documents.relink", Method: http.MethodPost, Path: "/documents/{id}/relink",
		Bucket: BucketDefault, Retry: Write,
	}
	DocumentsRotate = Operation{
		Name: "documents.rotate", Method: http.MethodPost, Path: "/documents/{id}/rotate",
		Bucket: BucketDefault, Retry: Write, Plain: true,
	}
)

// Document schemas.
var (
	DocumentSchemasGet = Operation{
		Name: "document_schemas.get", Method: http.MethodGet, Path: "/document_schemas/{id}",
		Resource: "document_schema",
		Bucket:   BucketDefault, Retry: Read,
	}
)

// E-mail submissions.
var (
	EmailSubmissionsList = Operation{
		Name: "email_submissions.list", Method: http.MethodGet, Path: "/email_submissions",
		Resource: "email_submission",
		Includes: []string{"account", "user", "documents", "documents.last_document_representation"},
		Bucket:   BucketDefault, Retry: Read,
	}
	EmailSubmissionsGet = Operation{
		Name: "email_submissions.get", Method: http.MethodGet, Path: "/email_submissions/{id}",
		Resource: "email_submission",
		Includes: []string{"account", "user", "documents", "documents.last_document_representation"},
		Bucket:   BucketDefault, Retry: Read,
	}
)

// documents returns the operations of documents and e-mails.
func documents() []Operation {
	return []Operation{
		DocumentsList, DocumentsCreate, DocumentsGet, DocumentsUpdate, DocumentsDelete,
		DocumentsTypes, DocumentsType, DocumentsDownloadURL, DocumentsReextract,
		DocumentsReclassify, DocumentsRelink, DocumentsRotate, DocumentSchemasGet,
		EmailSubmissionsList, EmailSubmissionsGet,
	}
}
