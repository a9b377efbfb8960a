package terminal49_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
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
				terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
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
			srv.AddFault(fault)
			var got bytes.Buffer
			_, err := client.Documents.Download(t.Context(), id, &got)
			require.NoError(t, err, "%v", fault)
			require.Equal(t, "the contents", got.String())
		}
		srv.AddFault(terminal49test.Fault{Operation: "storage.get", Status: 503, Times: 4})
		_, err := client.Documents.Download(t.Context(), id, io.Discard)
		var refused *terminal49.StorageError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, 4, refused.Attempts)

		for _, kind := range []terminal49test.FaultKind{terminal49test.FaultTruncate, terminal49test.FaultStallBody} {
			srv.AddFault(terminal49test.Fault{Operation: "storage.get", Kind: kind})
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
		terminal49.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
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

// storageAt runs an upload and a download against a service at base, which names the given storage
// address. It returns both errors and the addresses that were requested of the storage.
func storageAt(t *testing.T, base, address, headers string, opts ...terminal49.Option) (errs [2]error, sent []string) {
	t.Helper()
	opts = append([]terminal49.Option{terminal49.WithBaseURL(base), terminal49.WithHTTPClient(&http.Client{
		Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
			switch {
			case strings.HasSuffix(r.URL.Path, "/download_url"):
				return paperAnswer(200, `{"download_url":"`+address+`"}`), nil
			case strings.HasSuffix(r.URL.Path, "/direct_uploads"):
				return paperAnswer(200, `{"signed_id":"s","direct_upload":{"url":"`+address+`","headers":`+headers+`}}`), nil
			case r.URL.Path == "/v2/documents":
				return paperAnswer(200, `{"data":{"id":"d","type":"document"}}`), nil
			}
			sent = append(sent, r.URL.Host)
			return paperAnswer(200, "contents"), nil
		}),
	})}, opts...)
	client, err := terminal49.New("key-1", opts...)
	require.NoError(t, err)
	_, errs[0] = client.Documents.Upload(t.Context(), paperFile("contents"))
	_, errs[1] = client.Documents.Download(t.Context(), paperID, io.Discard)
	return errs, sent
}

// The addresses are those of RFC 1918, RFC 3927, RFC 4193, RFC 6598 and RFC 6890, in the forms that
// resolvers accept.
func TestDownload_PrivateAddressesAreRefused(t *testing.T) {
	for _, host := range []string{
		"127.0.0.1", "127.8.9.1:8443", "localhost", "LOCALHOST.", "a.localhost", "[::1]:1", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]",
		"10.0.0.1", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "224.0.0.1", "255.255.255.255",
		"[64:ff9b::10.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::169.254.169.254]", "[64:ff9b::100.64.0.1]", // RFC 6052
		"[64:ff9b:1::10.0.0.1]", "[64:ff9b:1:abcd::7f00:1]", "[64:ff9b:1:c0a8:1:200::]", // RFC 8215; of 48 bits: 192.168.1.2
		"[2002:a00:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[::ffff:a00:1]", "[::ffff:192.168.1.1]", // RFC 3056, RFC 4291
		"[fd00::1]", "[fe80::1]", "[fe80::1%25eth0]", "2130706433", "127.1", "0x7f.1", "0177.0.0.1", "db", "db.",
	} {
		errs, sent := storageAt(t, "https://api.terminal49.com/v2", "https://"+host+"/f?s3cr3t", "{}")
		for _, err := range errs {
			var refused *terminal49.DecodeError
			require.ErrorAs(t, err, &refused, host)
			require.ErrorContains(t, err, "loopback or private address, which is accepted only if the base URL names one too; see WithBaseURL", host)
			require.NotContains(t, fmt.Sprintf("%+v %#v", err, refused.Err), "s3cr3t")
		}
		require.Empty(t, sent, host)
	}
}

// These addresses are next to those that are refused, or as private as the base URL.
func TestDownload_OtherAddressesAreAccepted(t *testing.T) {
	for base, addresses := range map[string][]string{
		"https://api.terminal49.com/v2": {
			"https://8.8.8.8", "https://172.32.0.1", "https://100.63.0.1", "https://100.128.0.1", "https://[2001:4860:4860::8888]",
			"https://[64:ff9b::8.8.8.8]", "https://[64:ff9b:1::8.8.8.8]", "https://[64:ff9b:1:808:8:800::]", "https://[2002:808:808::1]",
			"https://[::ffff:8.8.8.8]",
			"https://bucket.s3.amazonaws.com:443", "https://a1.example2", "https://api.terminal49.com",
		},
		"https://10.0.0.5/v2":         {"https://10.0.0.6", "https://localhost", "https://files.example"},
		"https://simulator/v2":        {"https://10.0.0.6"},
		"http://localhost:8049/v2":    {"http://127.0.0.1:8050", "http://localhost:8050", "https://files.example"},
		"http://simulator.test:80/v2": {"http://simulator.test:8050", "https://files.example"},
	} {
		for _, address := range addresses {
			errs, sent := storageAt(t, base, address+"/f", "{}", terminal49.WithPlainHTTP())
			require.NoError(t, errors.Join(errs[:]...), "%s %s", base, address)
			require.Len(t, sent, 2)
		}
	}
}

// A storage without TLS is accepted only by a client that uses none for the service either.
func TestDownload_PlainHTTPOnlyWithAPlainBaseURL(t *testing.T) {
	for base, addresses := range map[string][]string{
		"https://localhost/v2":        {"http://localhost", "http://127.0.0.1:8050"},
		"https://10.0.0.5/v2":         {"http://127.0.0.1:8050", "http://10.0.0.5"},
		"http://localhost:8049/v2":    {"http://files.example", "http://10.0.0.1"},
		"http://simulator.test:80/v2": {"http://files.example", "http://10.0.0.1"},
	} {
		for _, address := range addresses {
			errs, sent := storageAt(t, base, address+"/f?s3cr3t", "{}", terminal49.WithPlainHTTP())
			for _, err := range errs {
				require.ErrorContains(t, err, "the URL of the storage must be https; http is accepted only if the base URL is http", "%s %s", base, address)
				require.NotContains(t, err.Error(), "s3cr3t")
			}
			require.Empty(t, sent)
		}
	}
}

// A redirect of the storage obeys the rules for the address that the service names.
func TestDownload_RedirectToARefusedAddress(t *testing.T) {
	for base, hop := range map[string][2]string{
		"https://api.terminal49.com/v2": {"https://files.example/f", "https://169.254.169.254/s3cr3t"},
		"http://localhost:8049/v2":      {"http://localhost:8050/f", "http://files.example/s3cr3t"},
	} {
		var sent []string
		client, err := terminal49.New("key-1", terminal49.WithBaseURL(base), terminal49.WithHTTPClient(&http.Client{
			Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				sent = append(sent, r.URL.Path)
				if strings.HasSuffix(r.URL.Path, "/download_url") {
					return paperAnswer(200, `{"download_url":"`+hop[0]+`"}`), nil
				}
				moved := paperAnswer(302, "")
				moved.Header.Set("Location", hop[1])
				return moved, nil
			}),
		}))
		require.NoError(t, err)
		_, err = client.Documents.Download(t.Context(), paperID, io.Discard)
		require.ErrorContains(t, err, "the URL of the storage")
		require.NotContains(t, err.Error(), "s3cr3t")
		require.Len(t, sent, 2, "it is neither requested nor retried: %v", sent)
	}
}

// The doc comment of StorageError promises a reason for every redirect that is not followed,
// without its target: RFC 9110, section 15.4, names the statuses.
func TestDownload_RedirectsThatAreNotFollowed(t *testing.T) {
	const (
		plain, endless = "a redirect from https must lead to https", "there were too many redirects"
		nowhere        = "the redirect must name an address"
		upload         = "an upload must not be redirected"
	)
	for _, c := range []struct {
		status                int
		location, down, above string // reasons of the download and the upload
	}{
		{302, "http://files.example/s3cr3t", plain, upload},
		{307, "HTTP://files.example/s3cr3t", plain, upload},
		{301, "https://files.example/s3cr3t", endless, upload},
		{308, "/s3cr3t", endless, upload},
		{303, "", nowhere, upload},
		{304, "", "", ""},
		{403, "https://files.example/s3cr3t", "", ""},
	} {
		client, err := terminal49.New("key-1", terminal49.WithHTTPClient(&http.Client{
			Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/download_url"):
					return paperAnswer(200, `{"download_url":"https://files.example/f"}`), nil
				case strings.HasSuffix(r.URL.Path, "/direct_uploads"):
					return paperAnswer(200, `{"signed_id":"s","direct_upload":{"url":"https://files.example/f","headers":{}}}`), nil
				}
				moved := paperAnswer(c.status, "")
				if c.location != "" {
					moved.Header.Set("Location", c.location)
				}
				return moved, nil
			}),
		}))
		require.NoError(t, err)
		_, up := client.Documents.Upload(t.Context(), paperFile("contents"))
		_, down := client.Documents.Download(t.Context(), paperID, io.Discard)
		for reason, err := range map[*string]error{&c.down: down, &c.above: up} {
			var refused *terminal49.StorageError
			require.ErrorAs(t, err, &refused, "%d %s", c.status, c.location)
			require.Equal(t, c.status, refused.StatusCode)
			require.Equal(t, *reason, refused.Reason)
			require.Contains(t, err.Error(), *reason)
			require.NotContains(t, fmt.Sprintf("%v %+v", err, refused), "s3cr3t")
		}
	}
}

// A name of the internet may resolve to an address of the caller's network. It is refused before
// anything is written, also by TLS; a connection through a proxy is the proxy's.
func TestDownload_NamesThatResolveToPrivateAddresses(t *testing.T) {
	for name, c := range map[string]struct{ base, file string }{
		"a public service":  {"https://api.terminal49.com", "https://files.example"},
		"the service's own": {"https://api.terminal49.com", "https://api.terminal49.com"},
		"a private service": {"https://10.0.0.5", "https://files.example"},
	} {
		for _, http2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, HTTP/2 %v", name, http2), func(t *testing.T) {
				stored := 0
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					switch {
					case strings.HasSuffix(r.URL.Path, "/download_url"):
						_, _ = fmt.Fprintf(w, `{"download_url":"%s/f"}`, c.file)
					case strings.HasSuffix(r.URL.Path, "/direct_uploads"):
						_, _ = fmt.Fprintf(w, `{"signed_id":"s","direct_upload":{"url":"%s/f","headers":{}}}`, c.file)
					case r.URL.Path == "/v2/documents":
						_, _ = io.WriteString(w, `{"data":{"id":"d","type":"document"}}`)
					default:
						stored++
						_, _ = io.WriteString(w, "contents")
					}
				}))
				server.EnableHTTP2 = http2
				server.StartTLS()
				defer server.Close()
				tr := server.Client().Transport.(*http.Transport).Clone()
				defer tr.CloseIdleConnections()
				tr.TLSClientConfig.InsecureSkipVerify = true
				var written atomic.Int64
				tr.DialContext = func(ctx context.Context, network, at string) (net.Conn, error) { // as a name server of the attacker's
					conn, err := new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
					if at == "files.example:443" {
						conn = countedConn{conn, &written}
					}
					return conn, err
				}
				client, err := terminal49.New("key-1", terminal49.WithBaseURL(c.base+"/v2"), terminal49.WithHTTPClient(&http.Client{Transport: tr}))
				require.NoError(t, err)
				for range 3 {
					_, up := client.Documents.Upload(t.Context(), paperFile("contents"))
					_, down := client.Documents.Download(t.Context(), paperID, io.Discard)
					if name != "a public service" {
						require.NoError(t, errors.Join(up, down))
						continue
					}
					require.ErrorContains(t, up, "loopback or private address")
					require.ErrorContains(t, down, "loopback or private address")
				}
				require.Equal(t, name == "a public service", stored == 0)
				require.Equal(t, name == "a private service", written.Load() > 0)
			})
		}
	}
}

type countedConn struct {
	net.Conn
	written *atomic.Int64
}

func (c countedConn) Write(b []byte) (int, error) {
	c.written.Add(int64(len(b)))
	return c.Conn.Write(b)
}

// Without a dialer of the caller's, there is not even a connection: the address decides.
func TestDownload_NoConnectionToAPrivateAddress(t *testing.T) {
	var connections atomic.Int64
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ConnState = func(net.Conn, http.ConnState) { connections.Add(1) }
	server.StartTLS()
	defer server.Close()
	for name, tr := range map[string]*http.Transport{"default": http.DefaultTransport.(*http.Transport), "plain": {}} {
		for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(server.URL, "127.0.0.1", host, 1), nil)
			require.NoError(t, err)
			_, err = terminal49.WithoutInternal(tr).RoundTrip(req)
			require.ErrorContains(t, err, "loopback or private address", "%s %s", name, host)
		}
	}
	require.Zero(t, connections.Load())
}

// A proxy resolves names itself, and is often in the private network.
func TestDownload_ThroughAProxyInThePrivateNetwork(t *testing.T) {
	storage := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/download_url") {
			_, _ = io.WriteString(w, `{"download_url":"https://files.example/f"}`)
			return
		}
		_, _ = io.WriteString(w, "contents")
	}))
	defer storage.Close()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		out, err := net.Dial("tcp", storage.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		in, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(in, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(in, out); _ = in.Close() }()
		_, _ = io.Copy(out, in)
		_ = out.Close()
	}))
	defer proxy.Close()
	at, err := url.Parse(proxy.URL)
	require.NoError(t, err)
	tr := storage.Client().Transport.(*http.Transport).Clone()
	defer tr.CloseIdleConnections()
	tr.TLSClientConfig.InsecureSkipVerify = true
	tr.DialContext, tr.Proxy = nil, http.ProxyURL(at)
	client, err := terminal49.New("key-1", terminal49.WithHTTPClient(&http.Client{Transport: tr}))
	require.NoError(t, err)
	n, err := client.Documents.Download(t.Context(), paperID, io.Discard)
	require.NoError(t, err)
	require.EqualValues(t, len("contents"), n)
}
