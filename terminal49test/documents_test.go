package terminal49test_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// blobBody announces a file with the content hello.
const blobBody = `{"blob":{"filename":"a \"b\".pdf","content_type":"application/pdf","byte_size":5,"checksum":"XUFAKrxLKna5cZ2REBfFkg=="}}`

// directUpload announces a file. It is the only operation outside the base path.
func directUpload(t *testing.T, srv *terminal49test.Server, body string) testReply {
	t.Helper()
	req := newAPIRequest(t, srv, "POST", "", body)
	req.URL.Path = "/rails/active_storage/direct_uploads"
	return sendRequest(t, srv.HTTPClient(), req)
}

// putFile sends content to the URL of a direct upload, after change was applied to the request.
func putFile(t *testing.T, srv *terminal49test.Server, a testReply, content string, change func(*http.Request)) testReply {
	t.Helper()
	address, _ := a.at("data/url").(string)
	if address == "" {
		address, _ = a.at("direct_upload/url").(string)
	}
	req, err := http.NewRequestWithContext(t.Context(), "PUT", address, strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	headers, _ := a.at("direct_upload/headers").(map[string]any)
	for name, v := range headers {
		value, _ := v.(string)
		req.Header.Set(name, value)
	}
	if change != nil {
		change(req)
	}
	return sendRequest(t, srv.HTTPClient(), req)
}

func createDocument(t *testing.T, srv *terminal49test.Server, signed any) testReply {
	t.Helper()
	id, _ := signed.(string)
	return callAPI(t, srv, "POST", "/documents", `{"data":{"type":"document","attributes":{"name":"Invoice","attached_document":"`+id+`"}}}`)
}

func TestDirectUpload_CreatesADocument(t *testing.T) {
	srv := newServer(t)
	a := directUpload(t, srv, blobBody)
	checkReply(t, a, 200, map[string]any{
		"filename": `a "b".pdf`, "byte_size": 5.0, "checksum": "XUFAKrxLKna5cZ2REBfFkg==",
		"direct_upload/headers/Content-Type": "application/pdf", "direct_upload/headers/Content-MD5": "XUFAKrxLKna5cZ2REBfFkg==",
		"direct_upload/headers/Content-Disposition": `inline; filename="a 'b'.pdf"; filename*=UTF-8''a%20%22b%22.pdf`,
	})
	checkReply(t, putFile(t, srv, a, "hello", nil), 200, nil)
	created := createDocument(t, srv, a.at("signed_id"))
	checkReply(t, created, 201, map[string]any{
		"data/attributes/document_type": nil, "data/attributes/source": "api", "data/attributes/file_size_bytes": 5.0,
		"data/relationships/account/data/id": srv.AccountID, "data/relationships/last_document_representation/data": nil,
	})
	id, _ := created.at("data/id").(string)
	checkReply(t, createDocument(t, srv, a.at("signed_id")), 409, map[string]any{
		"errors/0/code": "duplicate_document", "errors/0/meta/existing_document_id": id, "errors/0/meta/existing_document_name": "Invoice",
	})
	for _, r := range srv.Requests() {
		if r.Operation == "storage.put" && (r.Query != "[secret]" || len(r.Body) != 0) {
			t.Errorf("a storage request is recorded with its signature or file: %q", r.Query)
		}
	}
	srv.CheckViolations(t)
}

func TestDirectUpload_StorageIsStrict(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*http.Request)
		content string
		status  int
		code    string
	}{
		"token":          {func(r *http.Request) { r.Header.Set("Authorization", "Token x") }, "hello", 400, "InvalidArgument"},
		"cookie":         {func(r *http.Request) { r.Header.Set("Cookie", "a=b") }, "hello", 400, "InvalidArgument"},
		"missing header": {func(r *http.Request) { r.Header.Del("Content-Disposition") }, "hello", 403, "SignatureDoesNotMatch"},
		"changed header": {func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, "hello", 403, "SignatureDoesNotMatch"},
		"chunked":        {func(r *http.Request) { r.ContentLength = -1 }, "hello", 411, "MissingContentLength"},
		"other length":   {nil, "hello!", 403, "SignatureDoesNotMatch"},
		"other content":  {nil, "jello", 400, "BadDigest"},
		"extra header":   {func(r *http.Request) { r.Header.Set("X-Extra", "1") }, "hello", 200, ""},
	} {
		t.Run(name, func(t *testing.T) {
			srv := newServer(t)
			a := directUpload(t, srv, blobBody)
			got := putFile(t, srv, a, c.content, c.change)
			if got.status != c.status || !strings.Contains(got.raw, c.code) {
				t.Errorf("%d %s, want %d %s", got.status, got.raw, c.status, c.code)
			}
			if n := len(srv.Violations()); n != 1 {
				t.Errorf("%d violations, want 1: %v", n, srv.Violations())
			}
			if c.status != 200 {
				checkReply(t, createDocument(t, srv, a.at("signed_id")), 422, map[string]any{"errors/0/source/pointer": "/data/attributes/attached_document"})
			}
		})
	}
}

func TestDirectUpload_PresignedURLScopeAndExpiry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := terminal49test.NewServer(terminal49test.WithoutSocket())
		defer srv.Close()
		id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", FileContentType: "application/pdf", Content: []byte("hello")})
		address, _ := getAPI(t, srv, "/documents/"+id+"/download_url").at("download_url").(string)
		fetch := func(method, from string) (int, string) {
			req, err := http.NewRequestWithContext(t.Context(), method, from, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := srv.HTTPClient().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			body, _ := io.ReadAll(resp.Body)
			return resp.StatusCode, string(body)
		}
		if status, body := fetch("GET", address); status != 200 || body != "hello" {
			t.Errorf("%d %q", status, body)
		}
		for _, wrong := range []string{address + "0", strings.Replace(address, id, addOtherDocument(srv), 1), strings.Split(address, "?")[0]} {
			if status, _ := fetch("GET", wrong); status != 403 {
				t.Errorf("%s returned %d", wrong, status)
			}
		}
		if status, _ := fetch("PUT", address); status != 403 {
			t.Errorf("a URL for GET returned %d to PUT", status)
		}
		time.Sleep(6 * time.Minute)
		if status, body := fetch("GET", address); status != 403 || !strings.Contains(body, "AccessDenied") {
			t.Errorf("after six minutes: %d %q", status, body)
		}
	})
}

func addOtherDocument(srv *terminal49test.Server) string {
	return srv.AddDocument(terminal49test.Document{FileName: "other.pdf", Content: []byte("other")})
}

func TestDirectUpload_RefusesInvalidBlobs(t *testing.T) {
	srv := newServer(t)
	for _, body := range []string{
		`{}`, `{"blob":null}`, `{"blob":7}`, strings.Replace(blobBody, `:5`, `:0`, 1), strings.Replace(blobBody, "XUFA", "!!!!", 1),
		strings.Replace(blobBody, "XUFAKrxLKna5cZ2REBfFkg==", "aGVsbG8=", 1), strings.Replace(blobBody, `"filename"`, `"file"`, 1),
	} {
		checkReply(t, directUpload(t, srv, body), 422, nil)
	}
	if len(srv.Violations()) < 7 {
		t.Errorf("violations: %v", srv.Violations())
	}
	checkReply(t, createDocument(t, srv, "never-returned"), 422, map[string]any{"errors/0/detail": "Attached document is invalid"})
	checkReply(t, createDocument(t, srv, ""), 422, map[string]any{"errors/0/code": "blank"})
}

func TestDocuments_ProcessingUsesTheSimulatedClock(t *testing.T) {
	srv := newServer(t)
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456789"})
	srv.ScriptDocument("late.pdf", terminal49test.DocumentScript{
		ClassifiedAfter: time.Hour, ExtractedAfter: time.Hour, DocumentType: "arrival_notice", ClassificationNotes: "blurred", SchemaVersion: "2025-01-01",
		Payload: map[string]any{"bl": "maeu123456789"},
	})
	id := srv.AddDocument(terminal49test.Document{FileName: "late.pdf", Content: []byte("x")})
	path := "/documents/" + id + "?include=current_extraction"
	srv.Advance(59 * time.Minute)
	checkReply(t, getAPI(t, srv, path), 200, map[string]any{"data/attributes/document_type": nil})
	srv.Advance(2 * time.Minute)
	checkReply(t, getAPI(t, srv, path), 200, map[string]any{
		"data/attributes/document_type": "arrival_notice", "data/attributes/classification_notes": "blurred",
		"data/attributes/updated_at": "2024-07-01T13:00:00Z", "included/0": nil,
	})
	srv.Advance(time.Hour)
	checkReply(t, getAPI(t, srv, path), 200, map[string]any{
		"included/0/attributes/payload/bl": "maeu123456789", "included/0/attributes/schema_version": "2025-01-01",
		"included/0/attributes/created_at": "2024-07-01T14:00:00Z", "data/relationships/shipments/data/0/id": shipment,
	})

	// Relinking finds what was tracked later.
	later := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "LATE"})
	checkReply(t, callAPI(t, srv, "POST", "/documents/"+id+"/relink", ""), 202, map[string]any{"status": "accepted"})
	srv.Advance(time.Minute)
	d, _ := srv.Document(id)
	if len(d.Shipments) != 2 || d.Shipments[1] != later {
		t.Errorf("linked to %v, want also %s", d.Shipments, later)
	}
	srv.ScriptDocument("late.pdf", terminal49test.DocumentScript{DocumentType: "sea_waybill"})
	checkReply(t, callAPI(t, srv, "POST", "/documents/"+id+"/reclassify", ""), 202, nil)
	srv.Advance(time.Minute)
	checkReply(t, getAPI(t, srv, path), 200, map[string]any{"data/attributes/document_type": "sea_waybill"})
	srv.CheckViolations(t)
}

func TestDocumentSchemas_AndTypes(t *testing.T) {
	srv := newServer(t)
	id := srv.AddDocumentSchema(terminal49test.DocumentSchema{
		DocumentType: "commercial_invoice", SchemaVersion: "2027-01-01", Current: true, SchemaPayload: map[string]any{"type": "object"},
	})
	checkReply(t, getAPI(t, srv, "/document_schemas/"+id), 200, map[string]any{
		"data/id": "commercial_invoice@2027-01-01", "data/attributes/current": true, "data/attributes/schema_payload/type": "object",
	})
	checkReply(t, getAPI(t, srv, "/document_schemas/commercial_invoice%402026-03-23"), 200, map[string]any{"data/attributes/current": false})
	srv.AddDocumentType(terminal49test.DocumentType{Code: "packing_list", Label: "Packing List"})
	checkReply(t, getAPI(t, srv, "/documents/types"), 200, map[string]any{
		"document_types/5/code": "packing_list", "document_types/0/schema/version": "2027-01-01",
	})
	checkReply(t, getAPI(t, srv, "/documents/types/commercial_invoice"), 200, map[string]any{
		"data/type": "document_type", "data/attributes/schema/id": id, "data/attributes/schema/payload/type": "object",
	})
	checkReply(t, getAPI(t, srv, "/documents/types/other"), 404, nil)
	srv.CheckViolations(t)
}
