package terminal49_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
)

const paperID = "9d2f6a58-2f5b-4f1e-8d3c-1b7a6e5d4c3b"

// papers returns a simulator and a client of it, both on the process clock.
func papers(t testing.TB, opts ...terminal49test.Option) (*terminal49test.Server, *terminal49.Client) {
	t.Helper()
	srv := terminal49test.NewServer(append([]terminal49test.Option{terminal49test.WithoutSocket()}, opts...)...)
	t.Cleanup(srv.Close)
	return srv, testkit.SimulatedClient(t, srv)
}

func paperAnswer(status int, body string) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
}

// cannedPapers returns a client that receives the same response to every call.
func cannedPapers(t testing.TB, status int, body string) (*terminal49.Client, *[]string) {
	t.Helper()
	var sent []string
	client, err := terminal49.New("key-1", terminal49.WithMaxAttempts(1), terminal49.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			var content []byte
			if r.Body != nil {
				content, _ = io.ReadAll(r.Body) // a bytes.Reader
			}
			query, err := url.QueryUnescape(r.URL.RawQuery)
			if err != nil {
				return nil, err
			}
			sent = append(sent, strings.TrimSpace(r.Method+" "+r.URL.EscapedPath()+" "+query+" "+string(content)))
			return paperAnswer(status, body), nil
		}),
	}))
	require.NoError(t, err)
	return client, &sent
}

func TestDocuments_ArgumentsAreCheckedBeforeSending(t *testing.T) {
	client, sent := cannedPapers(t, 200, `{}`)
	ctx := t.Context()
	refused := map[string]error{
		"documents.get: id must be a UUID":                           testkit.First(client.Documents.Get(ctx, "INV-7", nil)),
		"documents.rotate: degrees must be 90, 180 or 270, not 45":   client.Documents.Rotate(ctx, paperID, 45),
		"degrees must be 90, 180 or 270, not 0":                      client.Documents.Rotate(ctx, paperID, 0),
		"degrees must be 90, 180 or 270, not 360":                    client.Documents.Rotate(ctx, paperID, 360),
		"documents.update: document must set at least one field":     testkit.First(client.Documents.Update(ctx, paperID, terminal49.DocumentUpdate{})),
		"documents.create: Name must not be empty":                   testkit.First(client.Documents.Create(ctx, terminal49.DocumentCreate{AttachedDocument: terminal49.NewSecret("s")})),
		"documents.create: AttachedDocument must not be empty":       testkit.First(client.Documents.Create(ctx, terminal49.DocumentCreate{Name: "a"})),
		"document_schemas.get: id must be a type and a version":      testkit.First(client.DocumentSchemas.Get(ctx, "commercial_invoice")),
		"document_schemas.get: document must not be nil":             testkit.First(client.DocumentSchemas.For(ctx, nil)),
		"document_schemas.get: document must have an extraction":     testkit.First(client.DocumentSchemas.For(ctx, &terminal49.Document{})),
		"documents.upload: Content must not be nil":                  testkit.First(client.Documents.Upload(ctx, terminal49.DocumentFile{FileName: "a.pdf"})),
		"documents.upload: FileName must be a file name":             testkit.First(client.Documents.Upload(ctx, terminal49.DocumentFile{Content: strings.NewReader("a")})),
		"documents.upload: Content must have bytes":                  testkit.First(client.Documents.Upload(ctx, terminal49.DocumentFile{FileName: "a.pdf", Content: strings.NewReader("")})),
		"documents.wait_extracted: MinInterval must not be negative": testkit.First(client.Documents.WaitExtracted(ctx, paperID, &terminal49.DocumentWaitParams{MinInterval: -1})),
	}
	for text, err := range refused {
		var argument *terminal49.ArgumentError
		require.ErrorAs(t, err, &argument, text)
		require.ErrorContains(t, err, text)
	}
	require.Empty(t, *sent)
	_, err := terminal49.New("key-1", terminal49.WithStorageHTTPClient(nil))
	require.ErrorContains(t, err, "WithStorageHTTPClient must not be nil")
}

const fullDocument = `{"data":{"id":"d1","type":"document","attributes":{
	"id":"d1","name":"Invoice 7","document_type":"commercial_invoice","document_type_manual":"arrival_notice",
	"classification_notes":"sure","source":"fax","file_name":"invoice.pdf","file_content_type":"application/pdf",
	"file_size_bytes":"2048","created_at":"2026-03-24T10:00:00Z","updated_at":"2026-03-24T11:00:00Z"},
	"relationships":{"account":{"data":{"id":"a1","type":"account"}},"user":{"data":null},
		"email_submission":{"data":{"id":"e1","type":"email_submission"}},
		"last_document_representation":{"data":{"id":"r1","type":"document_representation"}},
		"shipments":{"data":[{"id":"s1","type":"shipment"}]},"cargos":{"data":[{"id":"c1","type":"container"}]}},
	"links":{"self":"/v2/documents/d1","download":"/v2/documents/d1/download_url"}},
	"included":[
		{"id":"a1","type":"account","attributes":{"company_name":"Acme"}},
		{"id":"c1","type":"container","attributes":{"number":"MSCU1234566"}},
		{"id":"e1","type":"email_submission","attributes":{"subject":null,"body_preview":"Dear","from":["a@example.com"],"to":[],"cc":null,
			"message_id":"m1","sent_at":null,"created_at":"2026-03-24T10:00:00Z","updated_at":"2026-03-24T10:00:00Z"}},
		{"id":"r1","type":"document_representation","attributes":{"schema_version":"2026-03-23",
			"payload":{"total_amount": "12450.00","quantity":12345678901234567890,"lines":[{"amount":1.10}]},
			"created_at":"2026-03-24T10:01:00Z","updated_at":"2026-03-24T10:02:00Z"}}]}`

func TestDocuments_Decode(t *testing.T) {
	client, _ := cannedPapers(t, 200, fullDocument)
	d, err := client.Documents.Get(t.Context(), paperID, nil, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	at := func(v string) terminal49.Time {
		parsed, err := time.Parse(time.RFC3339, v)
		require.NoError(t, err)
		return terminal49.NewTime(parsed, "")
	}
	require.Equal(t, "d1", d.ID)
	require.Equal(t, "/v2/documents/d1", d.Self)
	require.Equal(t, "Invoice 7", d.Name)
	require.Equal(t, "commercial_invoice", d.DocumentType)
	require.Equal(t, "arrival_notice", d.DocumentTypeManual)
	require.Equal(t, "arrival_notice", d.EffectiveType())
	require.Equal(t, "sure", d.ClassificationNotes)
	require.Equal(t, terminal49.DocumentSource("fax"), d.Source)
	require.False(t, d.Source.Known())
	require.Equal(t, "invoice.pdf", d.FileName)
	require.Equal(t, "application/pdf", d.FileContentType)
	require.Equal(t, terminal49.Some(2048), d.FileSizeBytes)
	require.Equal(t, at("2026-03-24T10:00:00Z"), d.CreatedAt)
	require.Equal(t, at("2026-03-24T11:00:00Z"), d.UpdatedAt)
	account, ok := d.Account.Value()
	require.True(t, ok)
	require.Equal(t, "Acme", account.CompanyName)
	require.Equal(t, terminal49.RelationshipNull, d.User.State())
	require.Equal(t, []string{"s1"}, d.Shipments.IDs())
	boxes, complete := d.Containers.Values()
	require.True(t, complete)
	require.Equal(t, "MSCU1234566", boxes[0].Number)
	email, ok := d.EmailSubmission.Value()
	require.True(t, ok)
	require.Equal(t, "Dear", email.BodyPreview)
	require.Equal(t, []string{"a@example.com"}, email.From)
	require.Empty(t, email.Body)

	extraction, ok := d.Extraction.Value()
	require.True(t, ok)
	require.Equal(t, "2026-03-23", extraction.SchemaVersion)
	require.Contains(t, string(extraction.Payload), `"total_amount": "12450.00"`, "byte for byte")
	var typed struct {
		TotalAmount string      `json:"total_amount"`
		Quantity    json.Number `json:"quantity"`
		Lines       []struct{ Amount any }
	}
	require.NoError(t, extraction.Decode(&typed))
	require.Equal(t, "12450.00", typed.TotalAmount)
	require.Equal(t, "12345678901234567890", typed.Quantity.String())
	require.Equal(t, json.Number("1.10"), typed.Lines[0].Amount)
	require.Error(t, extraction.Decode(&struct{ Lines string }{}))
	require.ErrorIs(t, (&terminal49.Extraction{}).Decode(&typed), terminal49.ErrNoPayload)
}

func TestDocuments_DecodeNullsAndGaps(t *testing.T) {
	for _, body := range []string{
		`{"data":{"id":"d1","type":"document"}}`,
		`{"data":{"id":"d1","type":"document","attributes":{},"relationships":{}}}`,
		`{"data":{"id":"d1","type":"document","attributes":{"name":null,"document_type":null,"source":null,"file_size_bytes":null,"created_at":null},
			"relationships":{"last_document_representation":{"data":null},"shipments":{"data":[]},"cargos":{}}}}`,
	} {
		client, _ := cannedPapers(t, 200, body)
		d, err := client.Documents.Get(t.Context(), paperID, nil)
		require.NoError(t, err, body)
		_, known := d.FileSizeBytes.Get()
		_, extracted := d.Extraction.Value()
		require.False(t, known || extracted)
		require.Empty(t, d.EffectiveType()+d.Name+string(d.Source))
		require.True(t, d.CreatedAt.IsZero())
	}
}

func TestDocuments_ManualCorrectionAndItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", DocumentType: "arrival_notice",
			Payload: map[string]any{"total": "1"}})
		payload := func() string {
			d, err := client.Documents.Get(t.Context(), id,
				&terminal49.DocumentGetParams{Include: []terminal49.DocumentInclude{terminal49.DocumentIncludeExtraction}})
			require.NoError(t, err)
			e, ok := d.Extraction.Value()
			require.True(t, ok)
			return string(e.Payload)
		}
		require.JSONEq(t, `{"total":"1"}`, payload())
		_, err := client.Documents.Update(t.Context(), id,
			terminal49.DocumentUpdate{ExtractedDataManual: terminal49.Some(map[string]any{"total": "2"})})
		require.NoError(t, err)
		require.JSONEq(t, `{"total":"2"}`, payload())
		_, err = client.Documents.Update(t.Context(), id,
			terminal49.DocumentUpdate{ExtractedDataManual: terminal49.Null[map[string]any]()})
		require.NoError(t, err)
		require.JSONEq(t, `{"total":"1"}`, payload())
	})
}

func TestDocuments_ListFiltersAndSoftDelete(t *testing.T) {
	srv, client := papers(t)
	add := func(name, kind string, minutes int, payload map[string]any) string {
		return srv.AddDocument(terminal49test.Document{
			FileName: name, DocumentType: kind, Payload: payload,
			CreatedAt: time.Date(2026, 4, 1, 0, minutes, 0, 0, time.UTC),
		})
	}
	a := add("invoice_a.pdf", "commercial_invoice", 1, map[string]any{"po": "PO-77"})
	b := add("notice_b.pdf", "arrival_notice", 2, nil)
	c := add("waybill_c.pdf", "sea_waybill", 3, nil)
	ids := func(p terminal49.DocumentListParams) (list []string) {
		for d, err := range client.Documents.All(t.Context(), &p) {
			require.NoError(t, err)
			list = append(list, d.ID)
		}
		return list
	}
	require.Equal(t, []string{c, b, a}, ids(terminal49.DocumentListParams{}))
	require.Equal(t, []string{a, b, c}, ids(terminal49.DocumentListParams{Sort: terminal49.DocumentSortCreated}))
	require.Equal(t, []string{b, a, c}, ids(terminal49.DocumentListParams{Sort: terminal49.DocumentSortType}))
	require.Equal(t, []string{c, a, b}, ids(terminal49.DocumentListParams{Sort: terminal49.DocumentSortType.Descending()}))
	require.Equal(t, []string{a}, ids(terminal49.DocumentListParams{FileName: "invoice"}))
	require.Equal(t, []string{a}, ids(terminal49.DocumentListParams{Reference: "po-77"}))
	require.Equal(t, []string{c, b},
		ids(terminal49.DocumentListParams{DocumentTypes: []string{"arrival_notice", "sea_waybill"}}))
	require.Equal(t, []string{c, b, a}, ids(terminal49.DocumentListParams{PageParams: terminal49.PageParams{PageSize: 1}}))

	require.NoError(t, client.Documents.Delete(t.Context(), b))
	require.Equal(t, []string{c, a}, ids(terminal49.DocumentListParams{}))
	require.ErrorIs(t, client.Documents.Delete(t.Context(), b), terminal49.ErrNotFound)
	kept, ok := srv.Document(b)
	require.True(t, ok && kept.Discarded)
	srv.CheckViolations(t)
}

func TestDocuments_UnknownIncludeIsRefused(t *testing.T) {
	_, client := papers(t)
	_, err := client.Documents.List(t.Context(),
		&terminal49.DocumentListParams{Include: []terminal49.DocumentInclude{"invoices"}})
	require.ErrorIs(t, err, terminal49.ErrInvalid)
	require.ErrorContains(t, err, "invoices is not specified as a relationship on V2::DocumentSerializer")
}

func TestDocuments_RotationRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		image := srv.AddDocument(terminal49test.Document{FileName: "a.png", FileContentType: "image/png",
			Content: []byte("a")})
		paper := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", FileContentType: "application/pdf",
			Content: []byte("b")})
		empty := srv.AddDocument(terminal49test.Document{FileName: "gone.png", FileContentType: "image/png"})
		require.NoError(t, client.Documents.Rotate(t.Context(), image, 180))
		require.NoError(t, client.Documents.Rotate(t.Context(), image, 270))
		require.ErrorIs(t, client.Documents.Rotate(t.Context(), paper, 90), terminal49.ErrInvalid)
		err := client.Documents.Rotate(t.Context(), empty, 90)
		require.ErrorIs(t, err, terminal49.ErrInvalid)
		require.ErrorContains(t, err, "No document attached")
		_, err = client.Documents.DownloadURL(t.Context(), empty)
		require.ErrorContains(t, err, "No document attached")
		time.Sleep(time.Minute)
		found, _ := srv.Document(image)
		require.Equal(t, 90, found.Rotation)
	})
}

func TestDocuments_Requests(t *testing.T) { testkit.TestCalls(t, testkit.CallsOf("documents")) }

// papersFor returns a client of a simulator in the process.
func papersFor(t *testing.T, opts ...terminal49test.Option) (*terminal49test.Server, *terminal49.Client) {
	t.Helper()
	srv := terminal49test.NewServer(append(opts, terminal49test.WithoutSocket())...)
	t.Cleanup(srv.Close)
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL),
		terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithStrictDecoding())
	require.NoError(t, err)
	return srv, client
}

func TestDocuments_NotEnabled(t *testing.T) {
	srv, client := papersFor(t, terminal49test.WithoutDocuments())
	for _, c := range testkit.CallsOf("documents") {
		err := c.Do(t.Context(), client)
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled, c.Op)
		require.NotErrorIs(t, err, terminal49.ErrNotFound, c.Op)
	}
	_, err := client.Documents.Upload(t.Context(),
		terminal49.DocumentFile{FileName: "a.pdf", Content: strings.NewReader("a")})
	require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
	srv.CheckViolations(t)
}

func TestDocuments_NotFound(t *testing.T) {
	srv, client := papersFor(t)
	for _, c := range testkit.CallsOf("documents") {
		if strings.Contains(c.Path, testkit.DocumentID) || strings.Contains(c.Path, testkit.EmailID) {
			require.ErrorIs(t, c.Do(t.Context(), client), terminal49.ErrNotFound, c.Op)
		}
	}
	srv.CheckViolations(t)
}

func TestDocuments_DownloadURLOfAnEmptyResponse(t *testing.T) {
	client := testkit.NewClient(t, testkit.Answer(http.StatusOK, `{}`))
	_, err := client.Documents.DownloadURL(t.Context(), testkit.DocumentID)
	require.ErrorContains(t, err, "it has no download_url")
}

// parsed.packetSegment and the relationship parent_document are optional
// (docs/service-tracking.md#split-documents).
func TestDocuments_PacketSegment(t *testing.T) {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	testkit.AddNamedResources(srv)
	id := srv.AddDocument(terminal49test.Document{
		FileName: "b.pdf", DocumentType: "delivery_order", Parent: testkit.DocumentID, StartPage: 3, EndPage: 5,
	})
	client := testkit.SimulatedClient(t, srv)
	split, err := client.Documents.Get(t.Context(), id, nil)
	require.NoError(t, err)
	require.Equal(t, testkit.DocumentID, split.ParentDocument.ID())
	first, last := split.PacketSegment()
	require.Equal(t, []terminal49.Opt[int]{terminal49.Some(3), terminal49.Some(5)}, []terminal49.Opt[int]{first, last})

	whole, err := client.Documents.Get(t.Context(), testkit.DocumentID, nil)
	require.NoError(t, err)
	require.Equal(t, terminal49.RelationshipAbsent, whole.ParentDocument.State())
	for _, parsed := range []terminal49.RawJSON{whole.Parsed, `{}`, `[]`, `{"packetSegment":null}`, `{"packetSegment":{"startPage":"b"}}`} {
		first, last = (&terminal49.Document{Parsed: parsed}).PacketSegment()
		require.True(t, first.IsZero() && last.IsZero(), parsed)
	}
}

func TestExtraction_CurrentIsAnAlias(t *testing.T) {
	client, _ := cannedPapers(t, 200,
		`{"data":{"id":"d1","type":"document","relationships":{"current_extraction":{"data":{"id":"r1","type":"document_representation"}}}},
		"included":[{"id":"r1","type":"document_representation","attributes":{"payload":null}}]}`)
	d, err := client.Documents.Get(t.Context(), paperID, nil, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	extraction, ok := d.Extraction.Value()
	require.True(t, ok)
	require.Nil(t, extraction.Payload)
}

func TestWaitExtracted_FollowsTheWholeLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456789"})
		box := srv.AddContainer(terminal49test.Container{Number: "MSKU1234565", Shipment: shipment})
		id := srv.AddDocument(terminal49test.Document{FileName: "invoice.txt",
			Content: []byte("B/L MAEU123456789, box MSKU1234565")})
		var types []string
		began := time.Now()
		doc, err := client.Documents.WaitExtracted(t.Context(), id, &terminal49.DocumentWaitParams{
			OnPoll: func(d *terminal49.Document) { types = append(types, d.DocumentType) },
		})
		require.NoError(t, err)
		require.Equal(t, "commercial_invoice", doc.DocumentType)
		require.Equal(t, []string{shipment}, doc.Shipments.IDs())
		require.Equal(t, []string{box}, doc.Containers.IDs())
		require.Equal(t, "", types[0])
		require.Contains(t, types[1:], "commercial_invoice")
		require.GreaterOrEqual(t, time.Since(began), 30*time.Second)
		require.Less(t, len(types), 12, "the intervals grow")

		schema, err := client.DocumentSchemas.For(t.Context(), doc)
		require.NoError(t, err)
		require.Equal(t, "commercial_invoice@2026-03-23", schema.ID)
		extraction, _ := doc.Extraction.Value()
		require.NoError(t, documentschema.Validate(schema, extraction.Payload))

		// After Reextract, the existing extraction is not mistaken for the result.
		require.NoError(t, client.Documents.Reextract(t.Context(), id))
		again, err := client.Documents.WaitExtracted(t.Context(), id,
			&terminal49.DocumentWaitParams{NewerThan: extraction})
		require.NoError(t, err)
		require.NotEqual(t, extraction.ID, again.Extraction.ID())
		found, _ := srv.Document(id)
		require.Equal(t, []string{"document.extracted", "document.extracted"}, found.Events)
		srv.CheckViolations(t)
	})
}

func TestWaitExtracted_OfAFailureEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		srv.ScriptDocument("blurred.pdf",
			terminal49test.DocumentScript{Outcome: terminal49test.DocumentExtractionFailed, DocumentType: "sea_waybill"})
		id := srv.AddDocument(terminal49test.Document{FileName: "blurred.pdf", Content: []byte("?")})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		doc, err := client.Documents.WaitExtracted(ctx, id, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, "sea_waybill", doc.DocumentType)
		found, _ := srv.Document(id)
		require.Equal(t, []string{"document.extraction_failed"}, found.Events)
		_, err = client.Documents.WaitExtracted(t.Context(), paperID, nil)
		require.ErrorIs(t, err, terminal49.ErrNotFound)
	})
}

func TestDocumentSchemas_Decode(t *testing.T) {
	client, _ := cannedPapers(t, 200, `{"data":{"id":"commercial_invoice@2026-03-23","type":"document_schema","attributes":{
		"document_type":"commercial_invoice","label":"Commercial Invoice","schema_version":"2026-03-23","full_version":"commercial_invoice@2026-03-23",
		"current":true,"draft":true,"active_at":"2026-03-23T00:00:00Z","schema_format":"json_schema","description":null,
		"schema_payload":{"type":"object"},"created_at":"2026-03-23T00:00:00Z","updated_at":"2026-03-24T00:00:00Z"}}}`)
	s, err := client.DocumentSchemas.Get(t.Context(), "commercial_invoice@2026-03-23", terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, []string{"commercial_invoice", "Commercial Invoice", "2026-03-23", "commercial_invoice@2026-03-23", ""},
		[]string{s.DocumentType, s.Label, s.SchemaVersion, s.FullVersion, s.Description})
	require.True(t, s.Current && s.Draft && s.SchemaFormat == "json_schema")
	require.JSONEq(t, `{"type":"object"}`, string(s.SchemaPayload))
	require.Equal(t, "2026-03-24 00:00 UTC", s.UpdatedAt.String())
	require.False(t, s.ActiveAt.IsZero() || s.CreatedAt.IsZero())
	require.Equal(t, "commercial_invoice@2026-03-23", terminal49.SchemaID("x", s.FullVersion))
	require.Equal(t, "a@b", terminal49.SchemaID("a", "b"))

	_, simulated := papers(t)
	_, err = simulated.DocumentSchemas.Get(t.Context(), "unknown@2026-03-23")
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.ErrorContains(t, err, "Couldn't find DocumentSchema with 'id'=unknown@2026-03-23")
}

func TestDocumentTypes_KeepWhatTheServiceSends(t *testing.T) {
	const listed = `{"code":"arrival_notice","label":"Arrival Notice","description":"From the line","new":1,
		"schema":{"id":"arrival_notice@2026-03-23","version":"2026-03-23","detail_url":"/v2/documents/types/arrival_notice"}}`
	client, _ := cannedPapers(t, 200, `{"document_types":[`+listed+`,{"code":"packing_list","label":"Packing List"}]}`)
	types, err := client.Documents.Types(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"From the line", "arrival_notice@2026-03-23", "2026-03-23", "/v2/documents/types/arrival_notice"},
		[]string{types[0].Description, types[0].Schema.ID, types[0].Schema.Version, types[0].Schema.DetailURL})
	require.JSONEq(t, listed, string(types[0].Raw()))
	require.Zero(t, types[1].Schema)
	_, err = client.Documents.Types(t.Context(), terminal49.WithStrictDecoding())
	require.ErrorContains(t, err, "new", "a member unknown to this version")

	one, _ := cannedPapers(t, 200, `{"data":{"id":"arrival_notice","type":"document_type","attributes":{"code":"arrival_notice","label":"Arrival Notice",
		"description":null,"schema":{"id":"a","version":"1","format":"f","payload":{"fields":[1e2]}}}}}`)
	got, err := one.Documents.Type(t.Context(), "arrival_notice", terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, terminal49.DocumentTypeSchema{ID: "a", Version: "1", Format: "f", Payload: `{"fields":[1e2]}`}, got.Schema)
	_, err = one.Documents.Type(t.Context(), "sea_waybill")
	require.ErrorContains(t, err, "does not hold the document type asked for")
	var argument *terminal49.ArgumentError
	for _, code := range []string{"", " ", "a/b"} {
		_, err = one.Documents.Type(t.Context(), code)
		require.ErrorAs(t, err, &argument, "%q", code)
	}

	_, simulated := papers(t)
	got, err = simulated.Documents.Type(t.Context(), "commercial_invoice", terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, "commercial_invoice@2026-03-23", got.Schema.ID)
	require.NotEmpty(t, got.Schema.Payload)
	_, err = simulated.Documents.Type(t.Context(), "nothing")
	require.ErrorIs(t, err, terminal49.ErrNotFound)
}

func TestEmailSubmissions_Decode(t *testing.T) {
	client, _ := cannedPapers(t, 200, `{"data":{"id":"e1","type":"email_submission","attributes":{
		"subject":"Papers","body":"Dear all","from":["a@example.com"],"to":["b@example.com"],"cc":["c@example.com"],
		"sent_at":"2026-03-24T10:00:00Z","message_id":"m1","in_reply_to":"m0","references":["m0"],"content_type":"text/plain",
		"documents_count":1,"created_at":"2026-03-24T10:00:01Z","updated_at":"2026-03-24T10:00:02Z"},
		"relationships":{"account":{"data":{"id":"a1","type":"account"}},"user":{"data":{"id":"u1","type":"user"}},
			"documents":{"data":[{"id":"d1","type":"document"}]}}},
		"included":[{"id":"d1","type":"document","attributes":{"name":"Invoice","source":"upload","document_type":null},
			"relationships":{"last_document_representation":{"data":null}}}]}`)
	e, err := client.EmailSubmissions.Get(t.Context(), paperID, nil, terminal49.WithStrictDecoding())
	require.NoError(t, err)
	require.Equal(t, []string{"Papers", "Dear all", "m1", "m0", "text/plain"},
		[]string{e.Subject, e.Body, e.MessageID, e.InReplyTo, e.ContentType})
	require.Equal(t, [][]string{{"a@example.com"}, {"b@example.com"}, {"c@example.com"}, {"m0"}},
		[][]string{e.From, e.To, e.CC, e.References})
	require.Equal(t, terminal49.Some(1), e.DocumentsCount)
	require.Equal(t, "2026-03-24 10:00 UTC", e.SentAt.String())
	require.Equal(t, "u1", e.User.ID())
	documents, complete := e.Documents.Values()
	require.True(t, complete)
	// A document from an e-mail may have the source "upload".
	require.Equal(t, terminal49.DocumentSourceUpload, documents[0].Source)
	require.Equal(t, terminal49.RelationshipNull, documents[0].Extraction.State())
}

func TestEmailSubmissions_Intake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		email, documents := srv.ReceiveEmail(
			terminal49test.EmailSubmission{Subject: "Arrival", Body: "Please see attached.",
				From: []string{"line@example.com"}},
			terminal49test.Document{FileName: "arrival notice.pdf", Content: []byte("1")},
			terminal49test.Document{FileName: "invoice.pdf", Content: []byte("2")},
		)
		time.Sleep(time.Minute)
		got, err := client.EmailSubmissions.Get(t.Context(), email, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.Some(2), got.DocumentsCount)
		attached, complete := got.Documents.Values()
		require.True(t, complete, "documents are included by default")
		require.Equal(t, "arrival_notice", attached[0].DocumentType)
		_, extracted := attached[0].Extraction.Value()
		require.True(t, extracted)
		require.Empty(t, attached[0].FileName, "fewer attributes than the document's own")

		d, err := client.Documents.Get(t.Context(), documents[1],
			&terminal49.DocumentGetParams{Include: []terminal49.DocumentInclude{terminal49.DocumentIncludeEmailSubmission}})
		require.NoError(t, err)
		require.Equal(t, terminal49.DocumentSourceEmail, d.Source)
		from, ok := d.EmailSubmission.Value()
		require.True(t, ok)
		require.Equal(t, "Please see attached.", from.BodyPreview)
		require.Empty(t, from.Body)

		require.NoError(t, client.Documents.Delete(t.Context(), documents[0]))
		got, err = client.EmailSubmissions.Get(t.Context(), email, nil)
		require.NoError(t, err)
		require.Equal(t, terminal49.Some(1), got.DocumentsCount)
		_, err = client.EmailSubmissions.Get(t.Context(), paperID, nil)
		require.ErrorContains(t, err, "Couldn't find EmailSubmission")
		srv.CheckViolations(t)
	})
}
