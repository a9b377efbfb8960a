package testkit

import (
	"context"

	"github.com/go-freight/terminal49"
)

// DocumentCalls returns the calls of Documents, DocumentSchemas and EmailSubmissions.
func DocumentCalls() []Call {
	const (
		one      = `{"data":{"id":"` + DocumentID + `","type":"document"}}`
		accepted = `{"status":"accepted"}`
		at       = "/documents/" + DocumentID
		listed   = "filter[document_types]=commercial_invoice,arrival_notice&filter[filename]=invoice & co&filter[reference]=PO-1" +
			"&include=shipments,cargos,account,user,email_submission,last_document_representation,current_extraction" +
			"&page[number]=1&page[size]=5&sort=-created_at"
		emailed = "include=account,user,documents,documents.last_document_representation&page[number]=1&page[size]=5"
		edit    = `{"data":{"type":"document","id":"` + DocumentID + `","attributes":`
	)
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
	return []Call{
		{
			Op: "documents.list", Method: "GET", Path: "/documents", Query: listed, Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Documents.List(ctx, list())) },
		},
		{
			Op: "documents.list", Method: "GET", Path: "/documents", Query: listed, Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Documents.Pages(ctx, list())))
			},
		},
		{
			Op: "documents.list", Method: "GET", Path: "/documents", Query: listed, Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.Documents.All(ctx, list())))
			},
		},
		{
			Op: "documents.create", Method: "POST", Path: "/documents", Reply: one,
			Body: `{"data":{"type":"document","attributes":{"attached_document":"signed","name":"Invoice 7"}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Documents.Create(ctx,
					terminal49.DocumentCreate{Name: "Invoice 7", AttachedDocument: terminal49.NewSecret("signed")}))
			},
		},
		{
			Op: "documents.get", Method: "GET", Path: at, Query: "include=shipments", Reply: one,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Documents.Get(ctx, DocumentID, &terminal49.DocumentGetParams{Include: include[:1]}))
			},
		},
		{
			Op: "documents.update", Method: "PATCH", Path: at, Reply: one,
			Body: edit + `{"document_type_manual":"arrival_notice","extracted_data_manual":{}}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Documents.Update(ctx, DocumentID, terminal49.DocumentUpdate{
					DocumentTypeManual:  terminal49.Some("arrival_notice"),
					ExtractedDataManual: terminal49.Some(map[string]any{}),
				}))
			},
		},
		{
			Op: "documents.update", Method: "PATCH", Path: at, Reply: one, Body: edit + `{"extracted_data_manual":null}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Documents.Update(ctx, DocumentID,
					terminal49.DocumentUpdate{ExtractedDataManual: terminal49.Null[map[string]any]()}))
			},
		},
		{
			Op: "documents.types", Method: "GET", Path: "/documents/types", Reply: `{"document_types":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error { return First(c.Documents.Types(ctx)) },
		},
		{
			Op: "documents.type", Method: "GET", Path: "/documents/types/arrival_notice",
			Reply: `{"data":{"id":"arrival_notice","type":"document_type","attributes":{"code":"arrival_notice"}}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Documents.Type(ctx, "arrival_notice"))
			},
		},
		{
			Op: "documents.download_url", Method: "GET", Path: at + "/download_url",
			Reply: `{"download_url":"https://files.example/f"}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.Documents.DownloadURL(ctx, DocumentID))
			},
		},
		{
			Op: "documents.reextract", Method: "POST", Path: at + "/reextract", Reply: accepted,
			Do: func(ctx context.Context, c *terminal49.Client) error { return c.Documents.Reextract(ctx, DocumentID) },
		},
		{
			Op: "documents.reclassify", Method: "POST", Path: at + "/reclassify", Reply: accepted,
			Do: func(ctx context.Context, c *terminal49.Client) error { return c.Documents.Reclassify(ctx, DocumentID) },
		},
		{
			Op: "documents.relink", Method: "POST", Path: at + "/relink", Reply: accepted,
			Do: func(ctx context.Context, c *terminal49.Client) error { return c.Documents.Relink(ctx, DocumentID) },
		},
		{
			Op: "documents.rotate", Method: "POST", Path: at + "/rotate", Body: `{"degrees":270}`, Reply: accepted,
			Do: func(ctx context.Context, c *terminal49.Client) error { return c.Documents.Rotate(ctx, DocumentID, 270) },
		},
		{
			Op: "document_schemas.get", Method: "GET", Path: "/document_schemas/commercial_invoice%402026-03-23",
			Reply: `{"data":{"id":"commercial_invoice@2026-03-23","type":"document_schema"}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.DocumentSchemas.Get(ctx, SchemaID))
			},
		},
		{
			Op: "email_submissions.list", Method: "GET", Path: "/email_submissions", Query: emailed, Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.EmailSubmissions.List(ctx, emails()))
			},
		},
		{
			Op: "email_submissions.list", Method: "GET", Path: "/email_submissions", Query: emailed, Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.EmailSubmissions.Pages(ctx, emails())))
			},
		},
		{
			Op: "email_submissions.list", Method: "GET", Path: "/email_submissions", Query: emailed, Reply: `{"data":[]}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(Drain(c.EmailSubmissions.All(ctx, emails())))
			},
		},
		{
			Op: "email_submissions.get", Method: "GET", Path: "/email_submissions/" + EmailID,
			Query: "include=documents", Reply: `{"data":{"id":"` + EmailID + `","type":"email_submission"}}`,
			Do: func(ctx context.Context, c *terminal49.Client) error {
				return First(c.EmailSubmissions.Get(ctx, EmailID, &terminal49.EmailSubmissionGetParams{Include: with[2:3]}))
			},
		},
		{
			Op: "documents.delete", Method: "DELETE", Path: at,
			Do: func(ctx context.Context, c *terminal49.Client) error { return c.Documents.Delete(ctx, DocumentID) },
		},
	}
}
