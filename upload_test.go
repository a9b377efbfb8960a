package terminal49_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func paperFile(content string) terminal49.DocumentFile {
	return terminal49.DocumentFile{Name: "Invoice 7", FileName: `invoice "ü".pdf`, Content: strings.NewReader(content)}
}

func paperOperations(srv *terminal49test.Server) (list []string) {
	for _, r := range srv.Requests() {
		list = append(list, r.Operation)
	}
	return list
}

func TestUpload_WholeFlow(t *testing.T) {
	for name, opts := range map[string][]terminal49test.Option{"in process": {terminal49test.WithoutSocket()},
		"over sockets": nil} {
		t.Run(name, func(t *testing.T) {
			srv := terminal49test.NewServer(opts...)
			defer srv.Close()
			own := &http.Client{}
			if opts != nil {
				own = srv.HTTPClient()
			} else {
				transport := &http.Transport{}
				defer transport.CloseIdleConnections()
				own.Transport = transport
			}
			leak := func(next http.RoundTripper) http.RoundTripper {
				return testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
					r = r.Clone(r.Context())
					r.Header.Set("Cookie", "middleware=1")
					return next.RoundTrip(r)
				})
			}
			client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(own),
				terminal49.WithMiddleware(leak), terminal49.WithAccountID("account"))
			require.NoError(t, err)
			var progress []int64
			file := paperFile("the contents")
			file.OnProgress = func(sent, total int64) {
				require.Equal(t, int64(12), total)
				progress = append(progress, sent)
			}
			doc, err := client.Documents.Upload(t.Context(), file)
			require.NoError(t, err)
			require.Equal(t, "Invoice 7", doc.Name)
			require.Equal(t, `invoice "ü".pdf`, doc.FileName)
			require.Equal(t, "application/pdf", doc.FileContentType)
			require.Equal(t, terminal49.Some(12), doc.FileSizeBytes)
			require.Equal(t, terminal49.DocumentSourceAPI, doc.Source)
			require.Empty(t, doc.DocumentType)
			require.Equal(t, int64(12), progress[len(progress)-1])
			require.Equal(t, []string{"documents.direct_upload", "storage.put", "documents.create"}, paperOperations(srv))

			put := srv.Requests()[1].Header
			sum := md5.Sum([]byte("the contents"))
			require.Equal(t, base64.StdEncoding.EncodeToString(sum[:]), put.Get("Content-Md5"))
			require.Contains(t, put.Get("Content-Disposition"), "filename*=UTF-8''invoice%20%22%C3%BC%22.pdf")
			require.Empty(t, put.Get("Authorization")+put.Get("X-Account-Id")+put.Get("Cookie")+put.Get("User-Agent"))

			var got bytes.Buffer
			n, err := client.Documents.Download(t.Context(), doc.ID, &got)
			require.NoError(t, err)
			require.Equal(t, int64(12), n)
			require.Equal(t, "the contents", got.String())
			srv.CheckViolations(t)
		})
	}
}

func TestUpload_IsRetriedFromTheStartOfTheContent(t *testing.T) {
	for _, fault := range []terminal49test.Fault{
		{Status: 503, Times: 2}, {Status: 500}, {Kind: terminal49test.FaultDrop, Times: 3},
		{Kind: terminal49test.FaultRefuse},
		{Kind: terminal49test.FaultStallHeaders}, {Kind: terminal49test.FaultTruncate},
	} {
		synctest.Test(t, func(t *testing.T) {
			srv, client := papers(t)
			fault.Operation = "storage.put"
			srv.AddFault(fault)
			content := strings.NewReader("skipped|the contents")
			_, err := content.Seek(8, io.SeekStart)
			require.NoError(t, err)
			doc, err := client.Documents.Upload(t.Context(), terminal49.DocumentFile{FileName: "a.txt", Content: content})
			require.NoError(t, err, fault.Kind)
			stored, _ := srv.Document(doc.ID)
			require.Equal(t, "the contents", string(stored.Content))
			require.Equal(t, "a.txt", doc.Name)
			srv.CheckViolations(t)
		})
	}
}

func TestUpload_FallsBackToTheOtherMount(t *testing.T) {
	srv, client := papers(t, terminal49test.WithDirectUploadUnderVersion())
	_, err := client.Documents.Upload(t.Context(), paperFile("1"))
	require.NoError(t, err)
	_, err = client.Documents.Upload(t.Context(), paperFile("2"))
	require.NoError(t, err)
	require.Equal(t, []string{"", "documents.direct_upload", "storage.put", "documents.create",
		"documents.direct_upload", "storage.put", "documents.create"}, paperOperations(srv), "the mount that worked is kept")
}

func TestUpload_OfADuplicate(t *testing.T) {
	srv, client := papers(t)
	first, err := client.Documents.Upload(t.Context(), paperFile("same"))
	require.NoError(t, err)
	_, err = client.Documents.Upload(t.Context(), paperFile("same"))
	require.ErrorIs(t, err, terminal49.ErrDuplicate)
	require.ErrorIs(t, err, terminal49.ErrConflict)
	var duplicate *terminal49.DuplicateDocumentError
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, first.ID, duplicate.ExistingID)
	require.Equal(t, "Invoice 7", duplicate.ExistingName)
	var answer *terminal49.APIError
	require.ErrorAs(t, err, &answer)

	// After the document is deleted, the contents are no longer a duplicate.
	require.NoError(t, client.Documents.Delete(t.Context(), first.ID))
	_, err = client.Documents.Upload(t.Context(), paperFile("same"))
	require.NoError(t, err)
	srv.CheckViolations(t)
}

func TestUpload_DuplicatePolicies(t *testing.T) {
	for policy, left := range map[terminal49test.DuplicatePolicy]int{terminal49test.DuplicatesAccepted: 2,
		terminal49test.DuplicatesReplace: 1} {
		_, client := papers(t, terminal49test.WithDuplicateDocuments(policy))
		for range 2 {
			_, err := client.Documents.Upload(t.Context(), paperFile("same"))
			require.NoError(t, err)
		}
		list, err := client.Documents.List(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, list.Items, left)
	}
}

func TestUpload_AnotherConflictIsNotADuplicate(t *testing.T) {
	client, _ := cannedPapers(t, 409, `{"errors":[{"status":"409","title":"Conflict"}]}`)
	_, err := client.Documents.Create(t.Context(),
		terminal49.DocumentCreate{Name: "a", AttachedDocument: terminal49.NewSecret("s")})
	var duplicate *terminal49.DuplicateDocumentError
	require.ErrorIs(t, err, terminal49.ErrConflict)
	require.False(t, errors.As(err, &duplicate))
}

func TestUpload_AFailedCreationCanBeFinished(t *testing.T) {
	srv, client := papers(t)
	srv.AddFault(terminal49test.Fault{Operation: "documents.create", Status: 500})
	_, err := client.Documents.Upload(t.Context(), paperFile("contents"))
	var unfinished *terminal49.DocumentNotCreatedError
	require.ErrorAs(t, err, &unfinished)
	require.ErrorIs(t, err, terminal49.ErrServer)
	require.True(t, terminal49.IsOutcomeUnknown(err))
	doc, err := client.Documents.Create(t.Context(),
		terminal49.DocumentCreate{Name: unfinished.Name, AttachedDocument: unfinished.SignedID()})
	require.NoError(t, err)
	require.Equal(t, "Invoice 7", doc.Name)
	require.Equal(t, []string{"documents.direct_upload", "storage.put", "documents.create", "documents.create"},
		paperOperations(srv))
	srv.CheckViolations(t)
}

func TestUpload_PrintsNoSecret(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	srv, _ := papers(t)
	hooked := func(err error) { fmt.Fprintf(&log, "%+v %#v", err, err) }
	client := testkit.SimulatedClient(t, srv, terminal49.WithMaxAttempts(1), terminal49.WithLogger(logger),
		terminal49.WithHooks(terminal49.Hooks{
			OnAttempt: func(_ context.Context, a terminal49.Attempt) { hooked(a.Err) },
		}))
	var seen []any
	keep := func(v any) { seen = append(seen, v) }
	for _, fault := range []terminal49test.Fault{
		{Operation: "documents.direct_upload", Kind: terminal49test.FaultMalformedJSON},
		{Operation: "documents.direct_upload", Kind: terminal49test.FaultTruncate},
		{Operation: "storage.put", Status: 403}, {Operation: "storage.put", Kind: terminal49test.FaultDrop},
		{Operation: "storage.put", Kind: terminal49test.FaultRefuse},
		{Operation: "storage.put", Kind: terminal49test.FaultRedirect},
		{Operation: "documents.create", Status: 500}, {Operation: "documents.create", Kind: terminal49test.FaultDrop},
		{Operation: "documents.create", Kind: terminal49test.FaultEmpty},
	} {
		srv.AddFault(fault)
		_, err := client.Documents.Upload(t.Context(), paperFile("contents"))
		require.Error(t, err, "%v", fault)
		keep(err)
		var unfinished *terminal49.DocumentNotCreatedError
		if errors.As(err, &unfinished) {
			require.Contains(t, unfinished.SignedID().Reveal(), "signed-")
			keep(unfinished.SignedID())
			keep(*unfinished)
			keep(terminal49.DocumentCreate{Name: "a", AttachedDocument: unfinished.SignedID()})
		}
	}
	id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", Content: []byte("other")})
	address, err := client.Documents.DownloadURL(t.Context(), id)
	require.NoError(t, err)
	require.Contains(t, address.Reveal(), "X-Amz-Signature=")
	keep(address)
	keep(&address)
	for _, fault := range []terminal49test.Fault{
		{Status: 403}, {Kind: terminal49test.FaultDrop}, {Kind: terminal49test.FaultRefuse},
		{Kind: terminal49test.FaultTruncate},
		{Kind: terminal49test.FaultRedirect, Location: "http://elsewhere.example/?X-Amz-Signature=1"},
	} {
		fault.Operation = "storage.get"
		srv.AddFault(fault)
		_, err := client.Documents.Download(t.Context(), id, io.Discard)
		require.Error(t, err, "%v", fault)
		keep(err)
	}
	keep(client)
	for _, v := range seen {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			fmt.Fprintf(&log, format+"\n", v)
		}
		marshalled, err := json.Marshal(v)
		if err == nil {
			log.Write(marshalled)
		}
		logger.Error("printed", "value", v)
	}
	for _, secret := range []string{"X-Amz", "signed-", srv.Token} {
		require.NotContains(t, log.String(), secret)
		require.NotContains(t, log.String(), fmt.Sprintf("%x", secret))
	}
}

func TestUpload_ServiceThatRepeatsTheSignedID(t *testing.T) {
	client, _ := cannedPapers(t, 422, `{"errors":[{"status":"422","detail":"s3cr3t is unknown"}]}`)
	_, err := client.Documents.Create(t.Context(),
		terminal49.DocumentCreate{Name: "a", AttachedDocument: terminal49.NewSecret("s3cr3t")})
	require.ErrorContains(t, err, "[secret] is unknown")
	require.NotContains(t, fmt.Sprintf("%#v", err), "s3cr3t")
}

func TestUpload_Cancelled(t *testing.T) {
	srv, client := papers(t)
	ctx, cancel := context.WithCancel(t.Context())
	file := paperFile("contents")
	var after atomic.Bool
	file.OnProgress = func(int64, int64) {
		cancel()
		if after.Load() {
			t.Error("progress after Upload returned")
		}
	}
	_, err := client.Documents.Upload(ctx, file)
	after.Store(true)
	require.ErrorIs(t, err, context.Canceled)
	require.NotContains(t, paperOperations(srv), "documents.create")

	_, err = client.Documents.Upload(ctx, paperFile("contents"))
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "reading the file")
}

// A base URL may have a path, as behind a proxy: nothing outside that path is requested.
func TestUpload_StaysBelowTheBaseURL(t *testing.T) {
	var paths []string
	client, err := terminal49.New("key-1", terminal49.WithMaxAttempts(1),
		terminal49.WithBaseURL("https://proxy.example/t49/v2"),
		terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			paths = append(paths, r.URL.Path)
			return paperAnswer(404, "<html>"), nil
		})}))
	require.NoError(t, err)
	_, err = client.Documents.Upload(t.Context(), paperFile("contents"))
	require.ErrorIs(t, err, terminal49.ErrNotFound)
	require.Equal(t, []string{"/t49/rails/active_storage/direct_uploads",
		"/t49/v2/rails/active_storage/direct_uploads"}, paths)
}
