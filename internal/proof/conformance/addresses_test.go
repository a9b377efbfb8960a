package conformance_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
)

// address is where the service or a redirect sends a file. The base URL of these cases is public
// and https.
type address struct {
	url      string
	named    verdict // the result if the service names it
	redirect verdict // the result if the storage redirects a download to it
}

// addresses are refused before anything is sent to them (doc of WithStorageHTTPClient): those of
// RFC 1918, RFC 3927, RFC 4193, RFC 6598 and RFC 6890, and names within a network. A download does
// not follow a redirect from https to http (doc of StorageError: the status is the storage's).
func addresses() (list []address) {
	for _, host := range []string{"127.0.0.1", "127.8.9.1:8443", "localhost", "a.localhost", "[::1]", "[::ffff:10.0.0.1]",
		"10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "[fc00::1]", "0.0.0.0", "intranet"} {
		list = append(list, address{"https://" + host + "/f?s3cr3t=1", verdictUnread, verdictUnread})
	}
	return append(list,
		address{"https://u:s3cr3t@" + mirror + "/f", verdictUnread, verdictUnread},
		address{"http://" + mirror + "/f?s3cr3t=1", verdictUnread, verdictStorage},
		address{"ftp://" + mirror + "/f?s3cr3t=1", verdictUnread, verdictStorage},
		address{"https://" + mirror + "/f?s3cr3t=1", verdictSuccess, verdictSuccess})
}

const mirror = "mirror.example"

// forgedHeaders are refused: a storage signs only Content-*, X-Amz-*, X-Goog-* and X-Ms-*, and with
// any other header the service could impersonate another client.
var forgedHeaders = []string{"Host", "Authorization", "authorization", "Cookie", "X-Forwarded-For", "Transfer-Encoding",
	"Connection", "Proxy-Authorization", "X-Account-Id", "Metadata-Flavor", "X-Amz-A\r\nHost", ""}

// storageCase is a download or an upload whose storage is not the simulator's.
type storageCase struct {
	name   string
	do     func(context.Context, *terminal49.Client) error
	op     string // whose response is altered
	alter  func(*http.Response)
	result verdict
	others int // requests that the simulator receives
	mirror int // requests that the mirror receives
}

func storageCases() (list []storageCase) {
	upload := func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.Documents.Upload(ctx, paper()))
	}
	download := func(ctx context.Context, c *terminal49.Client) error {
		return testkit.First(c.Documents.Download(ctx, testkit.DocumentID, io.Discard))
	}
	direct := func(change func(map[string]any)) func(*http.Response) {
		return rewritten(func(doc map[string]any) { change(doc["direct_upload"].(map[string]any)) })
	}
	reached := map[verdict]int{verdictSuccess: 1}
	for _, a := range addresses() {
		named := direct(func(to map[string]any) { to["url"] = a.url })
		location := func(resp *http.Response) {
			resp.StatusCode = http.StatusFound
			resp.Header.Set("Location", a.url)
		}
		put := storageCase{"upload to " + a.url, upload, "documents.direct_upload", named, a.named, 1, reached[a.named]}
		if a.named == verdictSuccess { // the mirror has the file, and the service does not know it
			put.result, put.others = verdictInvalid, 2
		}
		list = append(list, put,
			storageCase{"download from " + a.url, download, "documents.download_url",
				rewritten(func(doc map[string]any) { doc["download_url"] = a.url }), a.named, 1, reached[a.named]},
			storageCase{"download redirected to " + a.url, download, "documents.download", location, a.redirect, 2, reached[a.redirect]},
			storageCase{"upload redirected to " + a.url, upload, "documents.upload", location, verdictStorage, 2, 0})
	}
	for _, name := range forgedHeaders {
		forge := direct(func(to map[string]any) { to["headers"].(map[string]any)[name] = "s3cr3t" })
		list = append(list, storageCase{"upload with the header " + name, upload, "documents.direct_upload", forge, verdictUnread, 1, 0})
	}
	return list
}

// conformAddresses tries every address and header. Nothing becomes visible before the document is
// created, so no outcome is unknown; no error shows the address.
func conformAddresses(t *testing.T, count *tally) {
	for _, c := range storageCases() {
		synctest.Test(t, func(t *testing.T) {
			srv := terminal49test.NewServer(terminal49test.WithoutSocket())
			defer srv.Close()
			testkit.AddNamedResources(srv)
			mirrored := 0
			storage := testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				if req.URL.Host != mirror {
					return srv.Transport().RoundTrip(req)
				}
				mirrored++
				for _, name := range []string{"Authorization", "Cookie", "Referer", "User-Agent"} {
					require.Empty(t, req.Header.Get(name), c.name)
				}
				return testkit.Answer(http.StatusOK, "png")(req)
			})
			base := &altering{storage, c.op, 0, 1, c.alter}
			client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(&http.Client{Transport: base}))
			require.NoError(t, err)
			err = c.do(t.Context(), client)
			require.Equal(t, c.result, judge(err), "%s: %v", c.name, err)
			require.False(t, terminal49.IsOutcomeUnknown(err), "%s: %v", c.name, err)
			require.Len(t, srv.Requests(), c.others, c.name)
			require.Equal(t, c.mirror, mirrored, c.name)
			if err != nil {
				require.False(t, strings.Contains(err.Error(), "s3cr3t"), "%s: %v", c.name, err)
			}
			count.add("addresses of files", c.others+mirrored)
		})
	}
}
