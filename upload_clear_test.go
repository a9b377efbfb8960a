package terminal49_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
)

// The address of a file opens it to whoever reads it on the way: neither the service nor a redirect of the storage may
// send a download into the clear.
func TestDownload_StaysOnHTTPS(t *testing.T) {
	for name, addresses := range map[string][2]string{
		"by the service":             {"http://files.example/f?s3cr3t"},
		"by a redirect":              {"https://blobs.example/f", "http://files.example/f?s3cr3t"},
		"by a redirect, same host":   {"https://files.example/f", "http://files.example/f?s3cr3t"},
		"by a redirect to no scheme": {"https://blobs.example/f", "ftp://files.example/f?s3cr3t"},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := terminal49.New("key-123456", terminal49.WithHTTPClient(&http.Client{Transport: paperTripper(func(r *http.Request) (*http.Response, error) {
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
