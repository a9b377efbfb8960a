package terminal49_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/internal/testkit"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/stretchr/testify/require"
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

// refusedHosts are spellings that a transport, a proxy or a resolver may read as an address of this
// machine or of a private network.
var refusedHosts = map[string][]string{
	// UTS #46, as net/http and browsers map names: full-width and other digits, letters and dots.
	"mapped by IDNA": {
		"127.0.0.１", "１２７.０.０.１", "127.0.0.１:443", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "①②⑦.0.0.1", "127.0.0.𝟏",
		"１0.0.0.1", "169.254.169.２54", "０x7f.1", "２130706433", "ｌｏｃａｌｈｏｓｔ", "ｌocalhost", "localhost。", "a.ｌocalhost",
		"loc\u00adalhost", "127.0.0\u200b.1", "10\u2024.0.0.1", "db。", "%EF%BC%91%32.0.0.1", "127.0.0.%EF%BC%91", "ſtorage.local",
	},
	// RFC 3492: the last label is ASCII only when it is decoded, or is mapped once more.
	"Punycode": {"127.0.0.xn--1-", "127.0.0.xn--4yg", "XN--localhost-", "a.xn--localhost-"},
	// The IPv4 parser of the WHATWG URL standard, and inet_aton.
	"short, octal, hexadecimal, decimal": {
		"0177.1", "0177.0.0.01", "017700000001", "0x7f.1", "0X7F.0.0.1", "0x7f000001", "2130706433", "127.1", "127.0.1", "0", "0.0.0.0", "0.1",
		"127.0.0.1.", "127.0.0.1..", "127..1", "8.8.8.8.", "08.8.8.8", "8.8.2056", "1.1.1.1.1", "127.0.0.1.0x1", "3232235777",
	},
	// The registries of special-purpose addresses of IANA, IPv4 and IPv6.
	"special purpose": {
		"0.1.2.3", "10.1.2.3", "100.64.1.1", "127.9.9.9", "169.254.169.254", "172.31.0.1", "192.0.0.8", "192.168.0.1", "198.18.0.1",
		"198.19.255.255", "224.0.0.1", "240.0.0.1", "255.255.255.255",
		"[::]", "[::1]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[100::1]",
	},
	// RFC 4291, 6052, 8215, 3056 and 4380.
	"IPv4 in IPv6": {
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:10.0.0.1]", "[::127.0.0.1]", "[::a00:1]", "[64:ff9b::127.0.0.1]",
		"[64:ff9b:1::10.0.0.1]", "[2002:7f00:1::]", "[2002:c0a8:101::1]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[2001::1]",
	},
	// RFC 6874.
	"zones": {"[fe80::1%25eth0]", "[::1%25lo]", "[2606:4700::1111%25lo]", "[2606:4700::1111%25127.0.0.1]"},
	// RFC 6761, 6762 with its appendix G, 8375, and the reservation of .internal by ICANN.
	"names of a machine or a private network": {
		"localhost", "localhost.", "LOCALHOST", "LocalHost.", "a.localhost", "localhost.localdomain", "ip6-localhost", "db", "db.",
		"printer.local", "metadata.google.internal", "Metadata.Google.Internal.", "router.home.arpa", "nas.lan", "wiki.corp", "files.intranet",
		"nas.home", "a.private",
	},
	// RFC 3986.
	"user": {"files.example@127.0.0.1", "files.example:443@127.0.0.1", "127.0.0.1@files.example", "@files.example", "a:b@127.0.0.１"},
	"text that is not a name": {
		"", "%31%32%37.0.0.1", "127.0.0.1%00.files.example", "files.example%2f127.0.0.1", "127.0.0.1;files.example", "(127.0.0.1)",
		"127.0.0.1,files.example", "files..example", ".files.example", "*.files.example", "[::1", "[127.0.0.1]", "files.example:0x1bb",
		"127.0.0.1\\@files.example", "files!.example", "files.exa'mple", strings.Repeat("a", 64) + ".example", strings.Repeat("a.", 130) + "example",
	},
}

// acceptedHosts are canonical names and addresses of the internet.
var acceptedHosts = []string{
	"files.example", "FILES.example", "files.example.", "files.example:443", "files.example:8443", "bucket.s3.us-east-1.amazonaws.com",
	"my_bucket.storage.googleapis.com", "account.blob.core.windows.net", "xn--bcher-kva.example", "127.0.0.1.files.example", "1.example2",
	"8.8.8.8", "8.8.8.8:443", "100.63.0.1", "[2606:4700::1111]", "[2606:4700:0:0::1111]:443", "[::ffff:8.8.8.8]", "[64:ff9b::8.8.8.8]",
}

// fileNetwork is a service that names a file, its storage and, in front of both, a proxy. It
// records the hosts that requests and connections are made to.
type fileNetwork struct {
	address string // of the file
	hop     string // where files.example/hop redirects; "" if nowhere
	server  *httptest.Server
	proxy   *httptest.Server

	mu    sync.Mutex
	asked []string // other hosts than the service and files.example
}

func newFileNetwork(t *testing.T) *fileNetwork {
	n := &fileNetwork{}
	n.server = httptest.NewTLSServer(http.HandlerFunc(n.serve))
	t.Cleanup(n.server.Close)
	n.proxy = httptest.NewServer(http.HandlerFunc(n.tunnel))
	t.Cleanup(n.proxy.Close)
	return n
}

func (n *fileNetwork) serve(w http.ResponseWriter, r *http.Request) {
	quoted, _ := json.Marshal(n.address)
	switch {
	case strings.HasSuffix(r.URL.Path, "/download_url"):
		_, _ = fmt.Fprintf(w, `{"download_url":%s}`, quoted)
	case strings.HasSuffix(r.URL.Path, "/direct_uploads"):
		_, _ = fmt.Fprintf(w, `{"signed_id":"s","direct_upload":{"url":%s,"headers":{}}}`, quoted)
	case r.URL.Path == "/v2/documents":
		_, _ = io.WriteString(w, `{"data":{"id":"d","type":"document"}}`)
	case r.URL.Path == "/hop":
		w.Header()["Location"] = []string{n.hop}
		w.WriteHeader(http.StatusFound)
	default:
		_, _ = io.WriteString(w, "contents of the internal server")
	}
}

func (n *fileNetwork) ask(host string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if name := strings.TrimSuffix(host, ":443"); name != "api.terminal49.com" && name != "files.example" || n.address == "https://"+host+"/f" {
		n.asked = append(n.asked, host)
	}
}

// tunnel is the proxy.
func (n *fileNetwork) tunnel(w http.ResponseWriter, r *http.Request) {
	n.ask(r.Host)
	out, err := net.Dial("tcp", n.server.Listener.Addr().String())
	if err != nil {
		return
	}
	in, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(in, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
	_, _ = io.Copy(in, out)
	_ = in.Close()
}

// transports returns the ways to the network: direct, through a wrapped transport, through a proxy.
func (n *fileNetwork) transports(t *testing.T) map[string]http.RoundTripper {
	direct := n.server.Client().Transport.(*http.Transport).Clone()
	direct.TLSClientConfig.InsecureSkipVerify = true
	proxied := direct.Clone()
	at, err := url.Parse(n.proxy.URL)
	require.NoError(t, err)
	proxied.DialContext, proxied.Proxy = nil, http.ProxyURL(at)
	direct.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		n.ask(addr)
		return new(net.Dialer).DialContext(ctx, network, n.server.Listener.Addr().String())
	}
	t.Cleanup(direct.CloseIdleConnections)
	t.Cleanup(proxied.CloseIdleConnections)
	return map[string]http.RoundTripper{"direct": direct, "proxy": proxied, "wrapped": testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
		n.ask(r.URL.Host)
		return direct.RoundTrip(r)
	})}
}

// A host that is neither a name of the internet in ASCII nor a canonical public address is refused
// before anything is sent, in uploads, downloads and redirects alike. Sources: the registries and
// RFCs named in the table.
func TestStorage_HostsInEverySpelling(t *testing.T) {
	n := newFileNetwork(t)
	tried := 0
	for way, rt := range n.transports(t) {
		client, err := terminal49.New("key-1", terminal49.WithHTTPClient(&http.Client{Transport: rt}), terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1))
		require.NoError(t, err)
		for kind, hosts := range refusedHosts {
			for _, host := range hosts {
				about := fmt.Sprintf("%s, %s: %q", way, kind, host)
				n.address = "https://" + host + "/f"
				_, err := client.Documents.Upload(t.Context(), paperFile("contents"))
				require.ErrorContains(t, err, "the URL of the storage ", about)
				var got strings.Builder
				_, err = client.Documents.Download(t.Context(), paperID, &got)
				require.ErrorContains(t, err, "the URL of the storage ", about)
				n.address, n.hop = "https://files.example/hop", n.address
				_, err = client.Documents.Download(t.Context(), paperID, &got)
				require.Error(t, err, about)
				require.Empty(t, got.String(), about)
				require.Empty(t, n.asked, about)
				tried += 3
			}
		}
	}
	require.Greater(t, tried, 3*3*100)
	t.Logf("figure: hosts: %d uploads, downloads and redirects to hosts in odd spellings, 0 sent", tried)
}

func TestStorage_CanonicalHostsAreAccepted(t *testing.T) {
	n := newFileNetwork(t)
	wrapped := n.transports(t)["wrapped"]
	client, err := terminal49.New("key-1", terminal49.WithHTTPClient(&http.Client{Transport: wrapped}), terminal49.WithoutRateLimits(), terminal49.WithMaxAttempts(1))
	require.NoError(t, err)
	for _, host := range acceptedHosts {
		n.address, n.asked = "https://"+host+"/f", nil
		_, err := client.Documents.Upload(t.Context(), paperFile("contents"))
		require.NoError(t, err, host)
		_, err = client.Documents.Download(t.Context(), paperID, io.Discard)
		require.NoError(t, err, host)
		require.Contains(t, n.asked, host)
	}
}

// Plain http is accepted for this machine only. No other spelling is taken for it, so that the
// token is never sent unencrypted to where a resolver or IDNA would lead.
func TestOptions_BaseURLsInEverySpelling(t *testing.T) {
	local := []string{"[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.9.9.9", "localhost"}
	for kind, hosts := range refusedHosts {
		for _, host := range hosts {
			_, err := terminal49.New("key-1", terminal49.WithBaseURL("http://"+host+"/v2"))
			if slices.Contains(local, host) {
				require.NoError(t, err, host)
				continue
			}
			var refused *terminal49.ArgumentError
			require.ErrorAs(t, err, &refused, "%s: %q", kind, host)
			require.NotContains(t, err.Error(), "a:b")
		}
	}
}
