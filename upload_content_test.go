package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"io"
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

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

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
