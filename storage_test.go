package terminal49_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

func TestUpload_StorageThatRefuses(t *testing.T) {
	srv, client := papers(t)
	srv.AddFault(terminal49test.Fault{Operation: "storage.put", Status: 403})
	_, err := client.Documents.Upload(t.Context(), paperFile("contents"))
	var refused *terminal49.StorageError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, terminal49.StorageError{Op: "documents.upload", StatusCode: 403, Attempts: 1}, *refused)
	require.NotErrorIs(t, err, terminal49.ErrForbidden, "the storage is not the service")
	require.Equal(t, "terminal49: documents.upload: the storage answered 403 Forbidden", err.Error())
}

// storageAnswer runs an upload against a service that returns the given storage address, and a
// storage with the given response.
func storageAnswer(t *testing.T, address, body string, opts ...terminal49.Option) error {
	t.Helper()
	opts = append([]terminal49.Option{terminal49.WithMaxAttempts(1), terminal49.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if r.URL.Host != "api.terminal49.com" {
				return paperAnswer(403, body), nil
			}
			quoted, err := json.Marshal(address)
			return paperAnswer(200, `{"signed_id":"s3cr3t","direct_upload":{"url":`+string(quoted)+`,"headers":{}}}`), err
		}),
	})}, opts...)
	client, err := terminal49.New("key-1", opts...)
	require.NoError(t, err)
	_, err = client.Documents.Upload(t.Context(), paperFile("contents"))
	require.Error(t, err)
	return err
}

func TestUpload_PlainHTTPStorageIsRefused(t *testing.T) {
	for _, address := range []string{"http://files.example/f?s3cr3t", "ftp://files.example/s3cr3t", "/s3cr3t",
		"https://u:s3cr3t@files.example/", "https://files.example/\x7fs3cr3t"} {
		err := storageAnswer(t, address, "")
		require.ErrorContains(t, err, "the URL of the storage must be https")
		require.NotContains(t, err.Error(), "s3cr3t")
	}
	require.ErrorContains(t, storageAnswer(t, "", ""), "no signed id or no URL")
}

func TestUpload_InvalidStorageHeadersAreRefused(t *testing.T) {
	for _, headers := range []string{`{"":"a"}`, `{"X s3cr3t":"a"}`, `{"X-Ü":"a"}`, `{"X-Amz-A":"s3cr3t\r\nX-B: c"}`,
		`{"X-Amz-A":"s3cr3t\u0000"}`, `{"X-Ms-A":"\u007f"}`, `{"Host":"s3cr3t/x"}`, `{"Content-":"a"}`, `{"X-Goog-A B":"a"}`,
		`{"Host":"s3cr3t.example"}`, `{"authorization":"s3cr3t"}`, `{"COOKIE":"s3cr3t"}`, `{"Transfer-Encoding":"chunked"}`,
		`{"X-Forwarded-For":"127.0.0.1"}`, `{"Metadata-Flavor":"Google"}`, `{"X-Amz-A":"a","Expect":"100-continue"}`} {
		sent := 0
		client, err := terminal49.New("key-1",
			terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				sent++
				return paperAnswer(200, `{"signed_id":"s","direct_upload":{"url":"https://files.example/f","headers":`+
					headers+`}}`), nil
			})}))
		require.NoError(t, err)
		_, err = client.Documents.Upload(t.Context(), paperFile("contents"))
		var bad *terminal49.DecodeError
		require.ErrorAs(t, err, &bad, headers)
		require.ErrorContains(t, err, "direct_upload.headers")
		require.NotContains(t, fmt.Sprintf("%+v %#v", err, bad.Err), "s3cr3t")
		require.Equal(t, 1, sent, "the file is not sent")
	}
}

func TestUpload_StorageErrorKeepsOnlyTheCode(t *testing.T) {
	const body = `<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code><SignatureProvided>s3cr3t</SignatureProvided></Error>`
	err := storageAnswer(t, "https://files.example/f?s3cr3t", body)
	require.ErrorContains(t, err, "403 Forbidden: SignatureDoesNotMatch")
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		require.NotContains(t, fmt.Sprintf(format, err), "s3cr3t")
	}
}

func TestUpload_StorageHTTPClientServesOnlyTheStorage(t *testing.T) {
	srv, _ := papers(t)
	count := func(n *int) *http.Client {
		return &http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			*n++
			return srv.Transport().RoundTrip(r)
		})}
	}
	var service, files int
	client := testkit.SimulatedClient(t, srv, terminal49.WithHTTPClient(count(&service)),
		terminal49.WithStorageHTTPClient(count(&files)))
	doc, err := client.Documents.Upload(t.Context(), paperFile("contents"))
	require.NoError(t, err)
	_, err = client.Documents.Download(t.Context(), doc.ID, io.Discard)
	require.NoError(t, err)
	require.Equal(t, []int{3, 2}, []int{service, files})
}
