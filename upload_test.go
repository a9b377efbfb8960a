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
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
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

// stuckFile is a file on a disk that stops responding: from the stuckAt-th Read on, Read blocks
// until free is closed.
type stuckFile struct {
	*strings.Reader
	stuckAt     int
	stuck, free chan struct{}
}

func (f *stuckFile) Read(p []byte) (int, error) {
	if f.stuckAt--; f.stuckAt == 0 {
		close(f.stuck)
		<-f.free
	}
	return f.Reader.Read(p)
}

// Whether it is stuck while the checksum is taken (the 1st Read) or while it is sent (the 3rd),
// Upload does not wait.
func TestUpload_CancelledWhileTheFileIsStuck(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = fmt.Fprintf(w, `{"signed_id":"s","direct_upload":{"url":"http://%s/file"}}`, r.Host)
	}))
	defer server.Close()
	client, err := terminal49.New("key-1", terminal49.WithBaseURL(server.URL+"/v2"),
		terminal49.WithHTTPClient(server.Client()))
	require.NoError(t, err)
	for _, stuckAt := range []int{1, 3} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		content := &stuckFile{strings.NewReader("contents"), stuckAt, make(chan struct{}), make(chan struct{})}
		var returned, late atomic.Bool
		done := make(chan error, 1)
		go func() {
			_, err := client.Documents.Upload(ctx,
				terminal49.DocumentFile{FileName: "a.pdf", Content: content, OnProgress: func(int64, int64) {
					late.Store(late.Load() || returned.Load())
				}})
			returned.Store(true)
			done <- err
		}()
		<-content.stuck
		cancel()
		select {
		case err := <-done:
			require.ErrorIs(t, err, context.Canceled)
		case <-time.After(time.Minute): // the file is free only afterwards
			t.Errorf("stuck at read %d: Upload waits for the file", stuckAt)
		}
		close(content.free)
		require.False(t, late.Load(), "progress after Upload returned")
	}
}

// A Read that returns after Upload reports no progress, and the attempt receives none of its bytes.
func TestUpload_ReadThatEndsLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		content := &stuckFile{strings.NewReader("contents"), 3, make(chan struct{}), make(chan struct{})}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		late := make(chan error, 1)
		client, err := terminal49.New("key-1",
			terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				if r.URL.Host == "api.terminal49.com" {
					return paperAnswer(200, `{"signed_id":"s","direct_upload":{"url":"https://files.example/f"}}`), nil
				}
				go func() {
					_, err := io.ReadAll(r.Body)
					late <- err
				}()
				<-content.stuck
				cancel()
				return nil, r.Context().Err()
			})}))
		require.NoError(t, err)
		_, err = client.Documents.Upload(ctx,
			terminal49.DocumentFile{FileName: "a.pdf", Content: content, OnProgress: func(int64, int64) {
				t.Error("progress after Upload returned")
			}})
		require.ErrorIs(t, err, context.Canceled)
		close(content.free)
		require.ErrorIs(t, <-late, context.Canceled)
	})
}

type failingFile struct{ *strings.Reader }

func (failingFile) Read([]byte) (int, error) { return 0, errors.New("disk on fire") }

func TestUpload_FileThatCannotBeRead(t *testing.T) {
	client, sent := cannedPapers(t, 200, `{}`)
	_, err := client.Documents.Upload(t.Context(),
		terminal49.DocumentFile{FileName: "a.pdf", Content: failingFile{strings.NewReader("a")}})
	require.ErrorContains(t, err, "documents.upload: the file cannot be read: disk on fire")
	require.Empty(t, *sent)
}

func TestUpload_FileNameAndTypeOfAnOpenFile(t *testing.T) {
	srv, client := papers(t)
	path := filepath.Join(t.TempDir(), "scan.PNG")
	require.NoError(t, os.WriteFile(path, []byte("png"), 0o600))
	file, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	doc, err := client.Documents.Upload(t.Context(), terminal49.DocumentFile{Content: file})
	require.NoError(t, err)
	require.Equal(t, []string{"scan.PNG", "scan.PNG", "image/png"}, []string{doc.Name, doc.FileName, doc.FileContentType})

	doc, err = client.Documents.Upload(t.Context(),
		terminal49.DocumentFile{FileName: "a.weird", Content: strings.NewReader("w")})
	require.NoError(t, err)
	require.Equal(t, "application/octet-stream", doc.FileContentType)
	doc, err = client.Documents.Upload(t.Context(),
		terminal49.DocumentFile{FileName: "b.pdf", ContentType: "image/tiff", Content: strings.NewReader("x")})
	require.NoError(t, err)
	require.Equal(t, "image/tiff", doc.FileContentType)
	srv.CheckViolations(t)
}

// A file of 64 MiB is streamed without being held in memory, over real sockets, with its
// Content-Length.
func TestUpload_AndDownloadAreStreamed(t *testing.T) {
	const size = 64 << 20
	var stored, chunked atomic.Int64
	var address string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPut:
			chunked.Store(int64(len(r.TransferEncoding)))
			n, _ := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r.Body}, make([]byte, 32<<10))
			if r.ContentLength == n {
				stored.Store(n)
			}
		case r.URL.Path == "/rails/active_storage/direct_uploads":
			_, _ = fmt.Fprintf(w, `{"signed_id":"s","direct_upload":{"url":%q,"headers":{"Content-Type":"application/pdf"}}}`, address)
		case r.URL.Path == "/v2/documents":
			_, _ = io.WriteString(w, `{"data":{"id":"d","type":"document"}}`)
		case strings.HasSuffix(r.URL.Path, "/download_url"):
			_, _ = fmt.Fprintf(w, `{"download_url":%q}`, address)
		default:
			block := make([]byte, 32<<10)
			w.Header().Set("Content-Length", fmt.Sprint(size))
			for range size / len(block) {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	address = server.URL + "/file"
	client, err := terminal49.New("key-1", terminal49.WithBaseURL(server.URL+"/v2"),
		terminal49.WithHTTPClient(server.Client()))
	require.NoError(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "big.pdf"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	require.NoError(t, file.Truncate(size))

	extra := func(do func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc // total allocations, including garbage
	}
	used := extra(func() { _, err = client.Documents.Upload(t.Context(), terminal49.DocumentFile{Content: file}) })
	require.NoError(t, err)
	require.Equal(t, int64(size), stored.Load())
	require.Zero(t, chunked.Load())
	require.Less(t, used, uint64(8<<20), "memory for the upload")
	t.Logf("upload of %d MiB: %d KiB allocated", size>>20, used>>10)

	var n int64
	used = extra(func() { n, err = client.Documents.Download(t.Context(), paperID, struct{ io.Writer }{io.Discard}) })
	require.NoError(t, err)
	require.Equal(t, int64(size), n)
	require.Less(t, used, uint64(8<<20), "memory for the download")
	t.Logf("download of %d MiB: %d KiB allocated", size>>20, used>>10)
}
