package terminal49

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"
)

const (
	documentID = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
	emailID    = "cccccccc-cccc-4ccc-8ccc-cccccccccccc"
	schemaID   = "commercial_invoice@2026-03-23"
)

func documentCalls() []call {
	const (
		one      = `{"data":{"id":"` + documentID + `","type":"document"}}`
		accepted = `{"status":"accepted"}`
		at       = "/documents/" + documentID
		listed   = "filter[document_types]=commercial_invoice,arrival_notice&filter[filename]=invoice & co&filter[reference]=PO-1" +
			"&include=shipments,cargos,account,user,email_submission,last_document_representation,current_extraction" +
			"&page[number]=1&page[size]=5&sort=-created_at"
		emailed = "include=account,user,documents,documents.last_document_representation&page[number]=1&page[size]=5"
		edit    = `{"data":{"type":"document","id":"` + documentID + `","attributes":`
	)
	include := []DocumentInclude{
		DocumentIncludeShipments, DocumentIncludeContainers, DocumentIncludeAccount, DocumentIncludeUser,
		DocumentIncludeEmailSubmission, DocumentIncludeExtraction, DocumentIncludeCurrentExtraction,
	}
	list := func() *DocumentListParams {
		return &DocumentListParams{
			PageParams: PageParams{PageNumber: 1, PageSize: 5}, Include: include, Sort: DocumentSortCreated.Descending(),
			FileName: "invoice & co", Reference: "PO-1", DocumentTypes: []string{"commercial_invoice", "arrival_notice"},
		}
	}
	with := []EmailSubmissionInclude{
		EmailSubmissionIncludeAccount, EmailSubmissionIncludeUser, EmailSubmissionIncludeDocuments, "documents.last_document_representation",
	}
	emails := func() *EmailSubmissionListParams {
		return &EmailSubmissionListParams{PageParams: PageParams{PageNumber: 1, PageSize: 5}, Include: with}
	}
	return []call{
		{
			op: "documents.list", method: "GET", path: "/documents", query: listed, reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Documents.List(ctx, list())) },
		},
		{
			op: "documents.list", method: "GET", path: "/documents", query: listed, reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Documents.Pages(ctx, list()))) },
		},
		{
			op: "documents.list", method: "GET", path: "/documents", query: listed, reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.Documents.All(ctx, list()))) },
		},
		{
			op: "documents.create", method: "POST", path: "/documents", reply: one,
			body: `{"data":{"type":"document","attributes":{"attached_document":"signed","name":"Invoice 7"}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Documents.Create(ctx, DocumentCreate{Name: "Invoice 7", AttachedDocument: NewSecret("signed")}))
			},
		},
		{
			op: "documents.get", method: "GET", path: at, query: "include=shipments", reply: one,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Documents.Get(ctx, documentID, &DocumentGetParams{Include: include[:1]}))
			},
		},
		{
			op: "documents.update", method: "PATCH", path: at, reply: one,
			body: edit + `{"document_type_manual":"arrival_notice","extracted_data_manual":{}}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Documents.Update(ctx, documentID, DocumentUpdate{
					DocumentTypeManual: Some("arrival_notice"), ExtractedDataManual: Some(map[string]any{}),
				}))
			},
		},
		{
			op: "documents.update", method: "PATCH", path: at, reply: one, body: edit + `{"extracted_data_manual":null}}}`,
			do: func(ctx context.Context, c *Client) error {
				return first(c.Documents.Update(ctx, documentID, DocumentUpdate{ExtractedDataManual: Null[map[string]any]()}))
			},
		},
		{
			op: "documents.types", method: "GET", path: "/documents/types", reply: `{"document_types":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Documents.Types(ctx)) },
		},
		{
			op: "documents.download_url", method: "GET", path: at + "/download_url", reply: `{"download_url":"https://files.example/f"}`,
			do: func(ctx context.Context, c *Client) error { return first(c.Documents.DownloadURL(ctx, documentID)) },
		},
		{
			op: "documents.reextract", method: "POST", path: at + "/reextract", reply: accepted,
			do: func(ctx context.Context, c *Client) error { return c.Documents.Reextract(ctx, documentID) },
		},
		{
			op: "documents.reclassify", method: "POST", path: at + "/reclassify", reply: accepted,
			do: func(ctx context.Context, c *Client) error { return c.Documents.Reclassify(ctx, documentID) },
		},
		{
			op: "documents.relink", method: "POST", path: at + "/relink", reply: accepted,
			do: func(ctx context.Context, c *Client) error { return c.Documents.Relink(ctx, documentID) },
		},
		{
			op: "documents.rotate", method: "POST", path: at + "/rotate", body: `{"degrees":270}`, reply: accepted,
			do: func(ctx context.Context, c *Client) error { return c.Documents.Rotate(ctx, documentID, 270) },
		},
		{
			op: "document_schemas.get", method: "GET", path: "/document_schemas/commercial_invoice%402026-03-23", reply: one,
			do: func(ctx context.Context, c *Client) error { return first(c.DocumentSchemas.Get(ctx, schemaID)) },
		},
		{
			op: "email_submissions.list", method: "GET", path: "/email_submissions", query: emailed, reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(c.EmailSubmissions.List(ctx, emails())) },
		},
		{
			op: "email_submissions.list", method: "GET", path: "/email_submissions", query: emailed, reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error {
				return first(drain(c.EmailSubmissions.Pages(ctx, emails())))
			},
		},
		{
			op: "email_submissions.list", method: "GET", path: "/email_submissions", query: emailed, reply: `{"data":[]}`,
			do: func(ctx context.Context, c *Client) error { return first(drain(c.EmailSubmissions.All(ctx, emails()))) },
		},
		{
			op: "email_submissions.get", method: "GET", path: "/email_submissions/" + emailID, query: "include=documents", reply: one,
			do: func(ctx context.Context, c *Client) error {
				return first(c.EmailSubmissions.Get(ctx, emailID, &EmailSubmissionGetParams{Include: with[2:3]}))
			},
		},
		{
			op: "documents.delete", method: "DELETE", path: at,
			do: func(ctx context.Context, c *Client) error { return c.Documents.Delete(ctx, documentID) },
		},
	}
}

func TestDocuments_Requests(t *testing.T) { testCalls(t, documentCalls()) }

// papersFor is a client of a simulator in the process.
func papersFor(t *testing.T, opts ...terminal49test.Option) (*terminal49test.Server, *Client) {
	t.Helper()
	srv := terminal49test.NewServer(append(opts, terminal49test.WithoutSocket())...)
	t.Cleanup(srv.Close)
	client, err := New(srv.Token, WithBaseURL(srv.URL), WithHTTPClient(srv.HTTPClient()), WithStrictDecoding())
	require.NoError(t, err)
	return srv, client
}

func TestDocuments_NotEnabled(t *testing.T) {
	srv, client := papersFor(t, terminal49test.WithoutDocuments())
	for _, c := range documentCalls() {
		err := c.do(t.Context(), client)
		require.ErrorIs(t, err, ErrFeatureNotEnabled, c.op)
		require.NotErrorIs(t, err, ErrNotFound, c.op)
	}
	_, err := client.Documents.Upload(t.Context(), DocumentFile{FileName: "a.pdf", Content: strings.NewReader("a")})
	require.ErrorIs(t, err, ErrFeatureNotEnabled)
	srv.CheckViolations(t)
}

func TestDocuments_NotFound(t *testing.T) {
	srv, client := papersFor(t)
	for _, c := range documentCalls() {
		if strings.Contains(c.path, documentID) || strings.Contains(c.path, emailID) {
			require.ErrorIs(t, c.do(t.Context(), client), ErrNotFound, c.op)
		}
	}
	srv.CheckViolations(t)
}

func TestDocuments_DownloadURLOfAnEmptyResponse(t *testing.T) {
	client := newClient(t, answer(http.StatusOK, `{}`))
	_, err := client.Documents.DownloadURL(t.Context(), documentID)
	require.ErrorContains(t, err, "it has no download_url")
}
