package terminal49_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// Anyone who sees the address of a file can read it, so neither the service nor a redirect of the
// storage may cause an unencrypted download.
func TestDownload_StaysOnHTTPS(t *testing.T) {
	for name, addresses := range map[string][2]string{
		"by the service":             {"http://files.example/f?s3cr3t"},
		"by a redirect":              {"https://blobs.example/f", "http://files.example/f?s3cr3t"},
		"by a redirect, same host":   {"https://files.example/f", "http://files.example/f?s3cr3t"},
		"by a redirect to no scheme": {"https://blobs.example/f", "ftp://files.example/f?s3cr3t"},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := terminal49.New("key-123456",
				terminal49.WithHTTPClient(&http.Client{Transport: paperTripper(func(r *http.Request) (*http.Response, error) {
					if r.URL.Host == "api.terminal49.com" {
						return paperAnswer(200, `{"download_url":"`+addresses[0]+`"}`), nil
					}
					require.Equal(t, "https", r.URL.Scheme)
					require.Empty(t, r.Header.Get("Authorization"))
					answer := paperAnswer(302, "")
					answer.Header.Set("Location", addresses[1])
					return answer, nil
				})}))
			require.NoError(t, err)
			_, err = client.Documents.Download(t.Context(), paperID, io.Discard)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "s3cr3t")
		})
	}
}

// Go would request gzip, a header that the service did not set, and would decompress the response.
func TestDownload_KeepsStoredFilesAsTheyAre(t *testing.T) {
	var packed bytes.Buffer
	pack := gzip.NewWriter(&packed)
	_, err := pack.Write([]byte("contents"))
	require.NoError(t, err)
	require.NoError(t, pack.Close())
	var asked []string
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/download_url"):
			_, _ = fmt.Fprintf(w, `{"download_url":"%s/file"}`, server.URL)
		case r.URL.Path == "/file":
			asked = append(asked, r.Method+" "+strings.Join(r.Header.Values("Accept-Encoding"), "|"))
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		case r.URL.Path == "/v2/documents":
			_, _ = io.WriteString(w, `{"data":{"id":"d","type":"document"}}`)
		default:
			_, _ = fmt.Fprintf(w, `{"signed_id":"s","direct_upload":{"url":"%s/file","headers":{"Content-Type":"a/b"}}}`, server.URL)
		}
	}))
	defer server.Close()
	client, err := terminal49.New("key-1", terminal49.WithBaseURL(server.URL+"/v2"),
		terminal49.WithHTTPClient(server.Client()))
	require.NoError(t, err)
	_, err = client.Documents.Upload(t.Context(), paperFile("contents"))
	require.NoError(t, err)
	var got bytes.Buffer
	_, err = client.Documents.Download(t.Context(), paperID, &got)
	require.NoError(t, err)
	require.Equal(t, packed.Bytes(), got.Bytes())
	require.Equal(t, []string{"PUT identity", "GET identity"}, asked)
}

func TestDownload_IsRetriedUntilTheFirstByte(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, client := papers(t)
		id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", Content: []byte("the contents")})
		for _, fault := range []terminal49test.Fault{
			{Status: 503, Times: 3}, {Status: 503, RetryAfter: terminal49test.RetryAfterSeconds(time.Minute)},
			{Kind: terminal49test.FaultDrop}, {Kind: terminal49test.FaultRefuse}, {Kind: terminal49test.FaultStallHeaders},
		} {
			fault.Operation = "storage.get"
			srv.Fault(fault)
			var got bytes.Buffer
			_, err := client.Documents.Download(t.Context(), id, &got)
			require.NoError(t, err, "%v", fault)
			require.Equal(t, "the contents", got.String())
		}
		srv.Fault(terminal49test.Fault{Operation: "storage.get", Status: 503, Times: 4})
		_, err := client.Documents.Download(t.Context(), id, io.Discard)
		var refused *terminal49.StorageError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, 4, refused.Attempts)

		for _, kind := range []terminal49test.FaultKind{terminal49test.FaultTruncate, terminal49test.FaultStallBody} {
			srv.Fault(terminal49test.Fault{Operation: "storage.get", Kind: kind})
			var got bytes.Buffer
			n, err := client.Documents.Download(t.Context(), id, &got)
			var lost *terminal49.TransportError
			require.ErrorAs(t, err, &lost)
			require.ErrorContains(t, err, "cut short after 6 bytes")
			require.Equal(t, int64(6), n)
			require.Equal(t, "the co", got.String())
			require.False(t, terminal49.IsOutcomeUnknown(err))
		}
		srv.CheckViolations(t)
	})
}

type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.room {
		return d.room, errors.New("disk full")
	}
	return len(p), nil
}

func TestDownload_IntoAWriterThatFails(t *testing.T) {
	srv, client := papers(t)
	id := srv.AddDocument(terminal49test.Document{FileName: "a.pdf", Content: []byte("the contents")})
	n, err := client.Documents.Download(t.Context(), id, &fullDisk{room: 0})
	require.ErrorContains(t, err, "disk full")
	require.Zero(t, n)
	require.Equal(t, []string{"documents.download_url", "storage.get"}, paperOperations(srv),
		"another attempt would not help")
}

func TestDownload_FollowsRedirectsWithoutSecrets(t *testing.T) {
	var seen []http.Header
	client, err := terminal49.New("key-1",
		terminal49.WithHTTPClient(&http.Client{Transport: paperTripper(func(r *http.Request) (*http.Response, error) {
			switch r.URL.Host {
			case "api.terminal49.com":
				return paperAnswer(200, `{"download_url":"https://blobs.example/f?s3cr3t"}`), nil
			case "blobs.example":
				answer := paperAnswer(302, "")
				answer.Header.Set("Location", "https://files.example/f")
				return answer, nil
			default:
				seen = append(seen, r.Header)
				return paperAnswer(200, "contents"), nil
			}
		})}))
	require.NoError(t, err)
	var got bytes.Buffer
	_, err = client.Documents.Download(t.Context(), paperID, &got)
	require.NoError(t, err)
	require.Equal(t, "contents", got.String())
	require.Len(t, seen, 1)
	require.Empty(t, seen[0].Get("Referer")+seen[0].Get("Authorization"))
}
