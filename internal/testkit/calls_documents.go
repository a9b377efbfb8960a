package testkit

import "github.com/go-freight/terminal49"

// documentCalls returns the calls of Documents, DocumentSchemas and EmailSubmissions.
func documentCalls() []func(on) error {
	include := []terminal49.DocumentInclude{
		terminal49.DocumentIncludeShipments, terminal49.DocumentIncludeContainers, terminal49.DocumentIncludeAccount,
		terminal49.DocumentIncludeUser,
		terminal49.DocumentIncludeEmailSubmission, terminal49.DocumentIncludeExtraction,
		terminal49.DocumentIncludeCurrentExtraction,
	}
	list := func() *terminal49.DocumentListParams {
		return &terminal49.DocumentListParams{
			PageParams: terminal49.PageParams{PageNumber: 1, PageSize: 5}, Include: include,
			Sort:     terminal49.DocumentSortCreated.Descending(),
			FileName: "invoice & co", Reference: "PO-1", DocumentTypes: []string{"commercial_invoice", "arrival_notice"},
		}
	}
	with := []terminal49.EmailSubmissionInclude{
		terminal49.EmailSubmissionIncludeAccount, terminal49.EmailSubmissionIncludeUser,
		terminal49.EmailSubmissionIncludeDocuments, "documents.last_document_representation",
	}
	emails := func() *terminal49.EmailSubmissionListParams {
		return &terminal49.EmailSubmissionListParams{PageParams: terminal49.PageParams{PageNumber: 1, PageSize: 5},
			Include: with}
	}
	return []func(on) error{
		func(c on) error { return First(c.Documents.List(c.ctx, list())) },
		func(c on) error { return First(Drain(c.Documents.Pages(c.ctx, list()))) },
		func(c on) error { return First(Drain(c.Documents.All(c.ctx, list()))) },
		func(c on) error {
			return First(c.Documents.Create(c.ctx,
				terminal49.DocumentCreate{Name: "Invoice 7", AttachedDocument: terminal49.NewSecret("signed")}))
		},
		func(c on) error {
			return First(c.Documents.Get(c.ctx, DocumentID, &terminal49.DocumentGetParams{Include: include[:1]}))
		},
		func(c on) error {
			return First(c.Documents.Update(c.ctx, DocumentID, terminal49.DocumentUpdate{
				DocumentTypeManual:  terminal49.Some("arrival_notice"),
				ExtractedDataManual: terminal49.Some(map[string]any{}),
			}))
		},
		func(c on) error {
			return First(c.Documents.Update(c.ctx, DocumentID,
				terminal49.DocumentUpdate{ExtractedDataManual: terminal49.Null[map[string]any]()}))
		},
		func(c on) error { return First(c.Documents.Types(c.ctx)) },
		func(c on) error { return First(c.Documents.Type(c.ctx, "arrival_notice")) },
		func(c on) error { return First(c.Documents.DownloadURL(c.ctx, DocumentID)) },
		func(c on) error { return c.Documents.Reextract(c.ctx, DocumentID) },
		func(c on) error { return c.Documents.Reclassify(c.ctx, DocumentID) },
		func(c on) error { return c.Documents.Relink(c.ctx, DocumentID) },
		func(c on) error { return c.Documents.Rotate(c.ctx, DocumentID, 270) },
		func(c on) error { return First(c.DocumentSchemas.Get(c.ctx, SchemaID)) },
		func(c on) error { return First(c.EmailSubmissions.List(c.ctx, emails())) },
		func(c on) error { return First(Drain(c.EmailSubmissions.Pages(c.ctx, emails()))) },
		func(c on) error { return First(Drain(c.EmailSubmissions.All(c.ctx, emails()))) },
		func(c on) error {
			return First(c.EmailSubmissions.Get(c.ctx, EmailID, &terminal49.EmailSubmissionGetParams{Include: with[2:3]}))
		},
		func(c on) error { return c.Documents.Delete(c.ctx, DocumentID) },
	}
}
