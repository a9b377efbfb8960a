package hostile_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-freight/terminal49/terminal49test"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
)

// File names come from strangers' e-mails, and the storage's address and headers from the service.
// A name must never become a path, and the token must never be sent to the storage.

func TestHostile_FileNames(t *testing.T) {
	testkit.Simulated(t, func(t *testing.T, srv *terminal49test.Server) {
		client := testkit.SimulatedClient(t, srv, terminal49.WithoutRateLimits())
		names := append(hostile(), "../../etc/passwd", "a\r\nX: y", `a"; filename="b`, `C:\a.pdf`, "con.pdf",
			"-rf.pdf", ".pdf", "..pdf", "invoice\u202efdp.exe")
		accepted, put := 0, 0
		for _, name := range names {
			srv.ClearFaults()
			sent := len(srv.Requests())
			doc, err := client.Documents.Upload(t.Context(),
				terminal49.DocumentFile{FileName: name, Content: strings.NewReader("contents of " + name)})
			requests := srv.Requests()[sent:]
			var refused *terminal49.ArgumentError
			if errors.As(err, &refused) {
				require.Equal(t, "FileName", refused.Field, "%q", name)
				require.Empty(t, requests, "%q", name)
				require.NotRegexp(t, obeyed, err.Error())
				continue
			}
			require.NoError(t, err, "%q", name)
			accepted++
			require.Equal(t, name, doc.FileName)
			for _, r := range requests {
				require.Empty(t, r.Header.Get("X"), "%q", name)
				if r.Operation == "storage.put" {
					put++
					require.Empty(t, r.Header.Get("Authorization"))
				}
			}
		}
		require.Equal(t, accepted, put)
		require.Greater(t, accepted, 20)
		t.Logf("figure: %d of %d file names taken as they are, the others refused before anything was sent", accepted,
			len(names))
	}, terminal49test.WithoutRateLimits())
}

func TestHostile_ABlankFileNameIsRefusedBeforeSending(t *testing.T) {
	wire := &wired{}
	_, err := testkit.NewClient(t, wire).Documents.Upload(t.Context(),
		terminal49.DocumentFile{Name: " ", FileName: "a.pdf", Content: strings.NewReader("a")})
	var refused *terminal49.ArgumentError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "Name", refused.Field)
	require.Empty(t, wire.got)
}

func TestHostile_InvalidContentTypes(t *testing.T) {
	bad, _ := headerTexts()
	for _, kind := range append(bad, "pdf", "application/pdf\r\nX-Evil: 1", "application/\x00", " ") {
		wire := &wired{}
		_, err := testkit.NewClient(t, wire).Documents.Upload(t.Context(),
			terminal49.DocumentFile{FileName: "a.pdf", ContentType: kind, Content: strings.NewReader("a")})
		var refused *terminal49.ArgumentError
		require.ErrorAs(t, err, &refused, "%q", kind)
		require.Equal(t, "ContentType", refused.Field)
		require.Empty(t, wire.got)
	}
}

// storageOf is a service that returns the given storage address, and keeps the requests sent there.
type storageOf struct {
	address string
	headers map[string]string
	got     []*http.Request
	bodies  []string
}

func (s *storageOf) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.HasSuffix(req.URL.Path, "/direct_uploads") {
		given, err := json.Marshal(map[string]any{"signed_id": "s3cr3t-id",
			"direct_upload": map[string]any{"url": s.address, "headers": s.headers}})
		if err != nil {
			return nil, err
		}
		return testkit.Answer(200, string(given))(req)
	}
	if req.Method != http.MethodPut {
		return testkit.Answer(404, `{}`)(req)
	}
	var wire bytes.Buffer
	if err := req.Write(&wire); err != nil {
		return nil, err
	}
	in := bufio.NewReader(&wire)
	got, err := http.ReadRequest(in)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(got.Body)
	if err != nil {
		return nil, err
	}
	s.got, s.bodies = append(s.got, got), append(s.bodies, string(body))
	if rest, _ := io.ReadAll(in); len(rest) > 0 {
		return nil, errors.New("a second request was smuggled in")
	}
	return testkit.Answer(200, "")(req)
}

func TestHostile_Storage(t *testing.T) {
	upload := func(s *storageOf) error {
		_, err := testkit.NewClient(t, s, terminal49.WithAccountID(testkit.Account)).Documents.Upload(t.Context(),
			terminal49.DocumentFile{FileName: "a.pdf", Content: strings.NewReader("contents")})
		for _, r := range s.got {
			for name, values := range r.Header {
				require.NotContains(t, strings.Join(values, " "), testkit.Token, name)
				require.NotContains(t, strings.Join(values, " "), testkit.Account, name)
			}
		}
		require.NotContains(t, err.Error(), "s3cr3t")
		return err
	}
	var unmade *terminal49.DocumentNotCreatedError
	for _, address := range []string{
		"http://169.254.169.254/latest/s3cr3t", "http://10.0.0.1/s3cr3t", "file:///etc/s3cr3t",
		"gopher://a.test/s3cr3t", "javascript:s3cr3t",
		"https://user:s3cr3t@a.test/", "https://a.test\r\nX-Evil: s3cr3t/", "//a.test/s3cr3t", "/s3cr3t", "s3cr3t",
		"https:s3cr3t", "http://localhost.evil.test/s3cr3t",
		"https://169.254.169.254/latest/s3cr3t", "https://localhost/s3cr3t", "https://:443/s3cr3t",
		"HTTP://a.test/s3cr3t", "ws://a.test/s3cr3t",
	} {
		s := &storageOf{address: address}
		var unread *terminal49.DecodeError
		require.ErrorAs(t, upload(s), &unread, address)
		require.Empty(t, s.got, "%s: nothing is sent there", address)
	}
	// The token is not sent to a storage, even on the service's own host.
	s := &storageOf{address: "https://api.example.test/proxy/v2/anything", headers: map[string]string{
		"Content-Length": "3", "Content-Type": "application/pdf", "x-amz-meta-a": "b",
	}}
	require.ErrorAs(t, upload(s), &unmade)
	require.Len(t, s.got, 1)
	require.Equal(t, "b", s.got[0].Header.Get("X-Amz-Meta-A"), "what the address was signed for")
	require.Equal(t, "api.example.test", s.got[0].Host)
	require.EqualValues(t, len("contents"), s.got[0].ContentLength)
	require.Empty(t, s.got[0].TransferEncoding)
	require.Equal(t, []string{"contents"}, s.bodies)
	for name, value := range map[string]string{
		"X\r\nEvil": "1", "X: y": "1", "": "1", " X": "1", "X\x00": "1", "X-Amz-A": "a\r\nX-Evil: 1", "X-Ms-B": "\x00",
		"X-Goog-C": "a\nb", "host": "a b", "Authorization": "given", "Host": "bucket.example.test", "Cookie": "a=b",
		"Transfer-Encoding": "chunked", "Trailer": "X",
	} {
		s := &storageOf{address: "https://a.test/", headers: map[string]string{name: value}}
		require.ErrorContains(t, upload(s), "direct_upload.headers", "%q", name)
		require.Empty(t, s.got)
	}
}

// growing is a file that changes while it is sent: after it was measured it has other contents.
type growing struct {
	*strings.Reader
	then string
}

func (g *growing) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekStart { // the second seek to the start: the file is measured
		g.Reader = strings.NewReader(g.then)
	}
	return g.Reader.Seek(offset, whence)
}

func TestHostile_FilesThatChangeWhileTheyAreSent(t *testing.T) {
	for then, want := range map[string]string{"contents and more": "contents", "short": "", "CONTENTS": "CONTENTS"} {
		s := &storageOf{address: "https://a.test/"}
		_, err := testkit.NewClient(t, s).Documents.Upload(t.Context(),
			terminal49.DocumentFile{FileName: "a.pdf", Content: &growing{Reader: strings.NewReader("contents"), then: then}})
		require.Error(t, err)
		if want == "" {
			require.ErrorContains(t, err, "shorter")
			require.Empty(t, s.got)
			continue
		}
		require.Equal(t, []string{want}, s.bodies, "as many bytes as were announced; the storage compares the checksum")
	}
}
