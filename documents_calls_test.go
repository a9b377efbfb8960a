package terminal49_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

func TestDocuments_Requests(t *testing.T) { testkit.TestCalls(t, testkit.DocumentCalls()) }

// papersFor is a client of a simulator in the process.
func papersFor(t *testing.T, opts ...terminal49test.Option) (*terminal49test.Server, *terminal49.Client) {
	t.Helper()
	srv := terminal49test.NewServer(append(opts, terminal49test.WithoutSocket())...)
	t.Cleanup(srv.Close)
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()), terminal49.WithStrictDecoding())
	require.NoError(t, err)
	return srv, client
}

func TestDocuments_NotEnabled(t *testing.T) {
	srv, client := papersFor(t, terminal49test.WithoutDocuments())
	for _, c := range testkit.DocumentCalls() {
		err := c.Do(t.Context(), client)
		require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled, c.Op)
		require.NotErrorIs(t, err, terminal49.ErrNotFound, c.Op)
	}
	_, err := client.Documents.Upload(t.Context(), terminal49.DocumentFile{FileName: "a.pdf", Content: strings.NewReader("a")})
	require.ErrorIs(t, err, terminal49.ErrFeatureNotEnabled)
	srv.CheckViolations(t)
}

func TestDocuments_NotFound(t *testing.T) {
	srv, client := papersFor(t)
	for _, c := range testkit.DocumentCalls() {
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
