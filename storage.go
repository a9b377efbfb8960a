package terminal49

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49/internal/hosts"
	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/rewind"
	"github.com/go-freight/terminal49/internal/transport"
)

// storage uploads and downloads files. The service keeps them on another host, which checks the
// headers that the service has signed. Its requests therefore bypass the client's credentials,
// middleware, cookies and rate limits, and send only the signed headers, those that HTTP requires,
// and Accept-Encoding: identity.
type storage struct {
	observer transport.Observer
	base     http.RoundTripper
	policy   transport.Policy
	origin   *url.URL // the base URL of the service

	mounts []string     // the candidates for the base URL of the direct upload, the most likely first
	mount  atomic.Int32 // index of the mount that last worked
}

// StorageError is returned when the service's storage did not accept or return a file. It does not
// contain the URL, which is a credential for the file.
type StorageError struct {
	Op         string // "documents.upload" or "documents.download"
	StatusCode int    // HTTP status of the storage
	Code       string // the storage's own code, such as "AccessDenied"; "" if none
	Reason     string // why a redirect was not followed; "" if the status is not a redirect
	Attempts   int    // requests sent
}

// Error includes the operation, the status, the code and the reason.
func (e *StorageError) Error() string {
	text := fmt.Sprintf("terminal49: %s: the storage answered %d %s", e.Op, e.StatusCode, http.StatusText(e.StatusCode))
	if e.Code != "" {
		text += ": " + e.Code
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (after %d attempts)", e.Attempts)
	}
	return text
}

func (cfg config) newStorage() *storage {
	s := &storage{base: cfg.storage, policy: cfg.policy(), origin: cfg.base, observer: observer(cfg.logger, cfg.hooks)}
	if s.base == nil {
		s.base = cfg.http.Transport
	}
	base := strings.TrimRight(cfg.base.String(), "/")
	s.addMount(strings.TrimSuffix(base, "/v2"))
	s.addMount(base)
	return s
}

func (s *storage) addMount(mount string) {
	mount = strings.TrimRight(mount, "/")
	if !slices.Contains(s.mounts, mount) {
		s.mounts = append(s.mounts, mount)
	}
}

// uploadTarget is the service's response that describes where and how to upload a file.
type uploadTarget struct {
	SignedID     string `json:"signed_id"`
	DirectUpload struct {
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	} `json:"direct_upload"`

	_ struct{} `known:"id,key,filename,content_type,metadata,service_name,byte_size,checksum,created_at"` // not needed
}

func (t uploadTarget) incomplete() error {
	if t.SignedID == "" || t.DirectUpload.URL == "" {
		return errors.New("it has no signed id or no URL")
	}
	return nil
}

// fileInfo describes a file to upload.
type fileInfo struct {
	FileName    string `json:"filename"`
	ContentType string `json:"content_type"`
	ByteSize    int64  `json:"byte_size"`
	Checksum    string `json:"checksum"` // base64 of the MD5
}

// announce describes the file to the service and returns where to upload it. It tries each mount.
func (c *Client) announce(ctx context.Context, file fileInfo, opts []CallOption) (target uploadTarget, err error) {
	e := newEndpoint(operation.DirectUpload).plainBody(map[string]fileInfo{"blob": file})
	for i := range c.storage.mounts {
		at := (int(c.storage.mount.Load()) + i) % len(c.storage.mounts)
		e.base = c.storage.mounts[at]
		target, err = fetchPlain[uploadTarget](ctx, c, e, opts)
		if err == nil {
			c.storage.mount.Store(int32(at))
		}
		if !errors.Is(err, ErrNotFound) {
			break
		}
	}
	return target, err
}

// minUploadRate is the average rate, in bytes per second, that an attempt must reach. It extends
// the attempt timeout of large files.
const minUploadRate = 64 << 10

// upload sends the file to its target.
func (s *storage) upload(ctx context.Context, target uploadTarget, file *rewind.Content, call callConfig) error {
	c := transport.Call{Op: "documents.upload", Route: "(storage)", Class: transport.Read, Policy: call.policy}
	timeout := call.attemptTimeout(s)
	extended := timeout + time.Duration(file.Size()/minUploadRate)*time.Second
	setNonZero(&c.Policy.AttemptTimeout, max(timeout, extended)) // extended may have overflowed
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	req, err := s.newRequest(ctx, http.MethodPut, c, target.DirectUpload.URL)
	if err != nil {
		return err
	}
	for name, value := range target.DirectUpload.Headers {
		if problem := headerProblem(name, value); problem != "" {
			return decodeError(c, http.StatusOK, errors.New("direct_upload.headers "+problem))
		}
		req.Header.Set(name, value) // unchanged, because the signature of the URL covers them
	}
	req.ContentLength = file.Size() // so that the body is not sent in chunks
	req.GetBody = func() (io.ReadCloser, error) { return file.Open(ctx) }
	req.Body = http.NoBody // the chain calls GetBody for each attempt
	defer file.Close(ctx)
	chain := transport.New(transport.Config{Base: guard{s, refuse}, Observer: s.observer, Policy: s.policy})
	result, err := chain.Do(req, c)
	switch {
	case err != nil:
		return storageFailure(ctx, c, err)
	case result.Status < 200 || result.Status > 299:
		return storageError(c.Op, target.DirectUpload.URL, result)
	}
	return nil
}

// download writes the file at a URL to w.
func (s *storage) download(ctx context.Context, from Secret, w io.Writer, call callConfig) (int64, error) {
	c := transport.Call{Op: "documents.download", Route: "(storage)", Class: transport.Read}
	ctx, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	if _, err := s.newRequest(ctx, http.MethodGet, c, from.Reveal()); err != nil {
		return 0, err
	}
	policy := s.policy
	policy.AttemptTimeout = call.attemptTimeout(s)
	setNonZero(&policy.MaxAttempts, call.policy.MaxAttempts)
	result, n, err := transport.Download{Base: guard{s, refuse}, Policy: policy}.Run(ctx, from.Reveal(), w, c)
	switch {
	case err != nil:
		return n, storageFailure(ctx, c, err)
	case result.Status != http.StatusOK:
		return n, storageError(c.Op, from.Reveal(), result)
	}
	return n, nil
}

func (c callConfig) attemptTimeout(s *storage) time.Duration {
	if c.policy.AttemptTimeout > 0 {
		return c.policy.AttemptTimeout
	}
	return s.policy.AttemptTimeout
}

// redactAll drops the text of the storage's errors, which may contain the URL or part of its
// signature.
func redactAll(string) string { return "" }

// newRequest rejects an address that the guard would refuse.
func (s *storage) newRequest(ctx context.Context, method string, c transport.Call, address string) (*http.Request, error) {
	u, err := url.Parse(address)
	if err != nil {
		u = &url.URL{} // its error quotes the address
	}
	if err := s.refusal(u); err != nil {
		return nil, decodeError(c, http.StatusOK, err)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, decodeError(c, http.StatusOK, errors.New("the URL of the storage is invalid"))
	}
	req.Header["User-Agent"] = nil                // or Go adds its own
	req.Header.Set("Accept-Encoding", "identity") // otherwise Go requests gzip and decompresses it
	return req, nil
}

// signedHeader matches the headers that storages sign: with any other, the service could
// impersonate another client at a host of its choice.
var signedHeader = regexp.MustCompile("^(?i:content|x-amz|x-goog|x-ms)-[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// headerProblem returns why a header cannot be sent, or "". It quotes nothing, because the header
// may be secret.
func headerProblem(name, value string) string {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == '\x7f' }
	switch {
	case !signedHeader.MatchString(name):
		return "must have only names that begin with Content-, X-Amz-, X-Goog- or X-Ms-"
	case strings.ContainsFunc(value, control):
		return "contains a value with control characters"
	}
	return ""
}

// storageCode matches the error code of the storage, which is safe to repeat. The rest may contain
// the signature.
var storageCode = regexp.MustCompile(`<Code>([A-Za-z]{1,64})</Code>`)

func storageError(op, address string, r *transport.Result) error {
	e := &StorageError{Op: op, StatusCode: r.Status, Reason: unfollowed(op, address, r), Attempts: r.Attempts}
	if code := storageCode.FindSubmatch(r.Body); code != nil {
		e.Code = string(code[1])
	}
	return e
}

// unfollowed returns why a redirect from address was not followed, or "" if r is not a redirect. It
// does not quote the target, which is a credential.
func unfollowed(op, address string, r *transport.Result) string {
	location := r.Header.Get("Location")
	to, err := url.Parse(location)
	switch {
	case !slices.Contains([]int{301, 302, 303, 307, 308}, r.Status):
		return ""
	case op == "documents.upload":
		return "an upload must not be redirected"
	case location == "" || err != nil:
		return "the redirect must name an address"
	case strings.HasPrefix(strings.ToLower(address), "https:") && to.Scheme != "" && to.Scheme != "https":
		return "a redirect from https must lead to https"
	}
	return "there were too many redirects"
}

// refusedAddress is why nothing was sent to an address of the storage. It does not quote the
// address, which is a credential.
type refusedAddress string

func (r refusedAddress) Error() string { return "the URL of the storage " + string(r) }

const (
	mustBeHTTPS  refusedAddress = "must be https; http is accepted only if the base URL is http, for its own host and this machine"
	mustBePublic refusedAddress = "names a loopback or private address, which is accepted only if the base URL names one too; see WithBaseURL"
	mustBePlain  refusedAddress = "must name a host in ASCII letters, digits, hyphens and underscores, or an IP address without a zone"
)

// refusal returns why u is refused, or nil. The service names the storage, so a service on the
// internet could otherwise reach into the network of its caller. The host of the base URL is known
// to the caller and accepted.
func (s *storage) refusal(u *url.URL) error {
	host := u.Hostname()
	plain := u.Scheme == "http" && s.origin.Scheme == "http" && (isLocal(host) || s.isOrigin(host))
	switch {
	case host == "" || u.User != nil || u.Scheme != "https" && !plain:
		return mustBeHTTPS
	case s.isGuarded(host) && hosts.IsInternal(host):
		return mustBePublic
	case !s.isOrigin(host) && !hosts.IsPlain(host):
		return mustBePlain
	}
	return nil
}

func (s *storage) isOrigin(host string) bool { return strings.EqualFold(host, s.origin.Hostname()) }

// isGuarded reports whether host must not be in a private network.
func (s *storage) isGuarded(host string) bool {
	return !s.isOrigin(host) && !hosts.IsInternal(s.origin.Hostname())
}

// guard is the transport of one call to the storage. A redirect may name any address, and a name
// may resolve to any, so each request is checked before it is sent.
type guard struct {
	*storage
	refuse context.CancelCauseFunc // ends the call, so that it is not retried
}

// RoundTrip sends a request unless its address is refused.
func (g guard) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := g.refusal(req.URL); err != nil {
		g.refuse(err)
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	base := g.base
	if base == nil {
		base = http.DefaultTransport
	}
	if g.isGuarded(req.URL.Hostname()) && isDirect(base, req) {
		base = withoutInternal(base.(*http.Transport))
	}
	resp, err := base.RoundTrip(req)
	var refused refusedAddress
	if errors.As(err, &refused) {
		g.refuse(refused)
	}
	return resp, err
}

// withoutInternal returns a copy of t that connects to no loopback or private address. It keeps no
// connection, because the caller could not close it.
func withoutInternal(t *http.Transport) *http.Transport {
	isDefault := t == http.DefaultTransport
	t = t.Clone()
	t.DisableKeepAlives = true
	dial, dialTLS := t.DialContext, t.DialTLSContext
	//lint:ignore SA1019 a caller may still use it
	old := t.Dial
	switch {
	case isDefault || dial == nil && old == nil:
		dialer := &net.Dialer{Timeout: 30 * time.Second, Control: func(_, address string, _ syscall.RawConn) error {
			return publicOnly(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)))
		}}
		dial = dialer.DialContext
	case dial == nil:
		dial = func(_ context.Context, network, address string) (net.Conn, error) { return old(network, address) }
	}
	t.DialContext = public(dial)
	if dialTLS != nil {
		t.DialTLSContext = public(dialTLS)
	}
	return t
}

type dialFunc = func(ctx context.Context, network, address string) (net.Conn, error)

// public returns dial, without connections to internal addresses. Nothing is written to one.
func public(dial dialFunc) dialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if err := publicOnly(conn.RemoteAddr()); err != nil {
			_ = conn.Close()
			return nil, err
		}
		return conn, nil
	}
}

func publicOnly(at net.Addr) error {
	if tcp, ok := at.(*net.TCPAddr); ok && hosts.IsInternalIP(tcp.IP) {
		return mustBePublic
	}
	return nil
}

// isDirect reports whether rt is known to connect to the host of req itself. A proxy may be in the
// private network.
func isDirect(rt http.RoundTripper, req *http.Request) bool {
	t, ok := rt.(*http.Transport)
	if !ok || t.Proxy == nil {
		return ok
	}
	proxy, err := t.Proxy(req)
	return proxy == nil && err == nil
}

// storageFailure returns the error of a call that ended without a response.
func storageFailure(ctx context.Context, c transport.Call, err error) error {
	if refused, ok := context.Cause(ctx).(refusedAddress); ok {
		return decodeError(c, http.StatusOK, refused)
	}
	return transportError(c, err, redactAll)
}

// DocumentFile is a file to upload.
type DocumentFile struct {
	Name     string // the document's name, human-readable; "" for FileName
	FileName string // such as "invoice.pdf"; "" for the name of Content if that is an *os.File
	// ContentType is the MIME type; "" to derive it from the extension of FileName.
	ContentType string
	// Content is read from its current offset to its end, once for a checksum and once for each
	// attempt. Upload does not close Content; its offset afterwards is unspecified. An *os.File
	// works, and so does an *io.SectionReader.
	//
	// A Read that blocks cannot be interrupted. If ctx ends meanwhile, Upload abandons the Read
	// after 100 ms and returns. Until that Read returns, a goroutine remains and Content must not
	// be used. It may be closed if its Close is safe during a Read, as that of an *os.File is.
	Content io.ReadSeeker
	// OnProgress is called with the bytes passed to the network and the size of the file; may be
	// nil. sent restarts from zero for each attempt. It is called from another goroutine, where a
	// panic becomes an error of Upload, as one of Content does. It is not called after Upload has
	// returned, and must be fast: Upload does not wait for it longer than for a Read.
	OnProgress func(sent, total int64)
}

// DocumentNotCreatedError is returned when the file was uploaded but the document was not created.
// [DocumentsService.Create] can finish with SignedID, without uploading the file again.
type DocumentNotCreatedError struct {
	Name string // the document's name, for Create
	Err  error  // the cause, such as a *DuplicateDocumentError

	signedID Secret
}

// SignedID returns the AttachedDocument for Create. It is a credential for the file and is never
// printed.
func (e *DocumentNotCreatedError) SignedID() Secret { return e.signedID }

// Error includes the name and the cause.
func (e *DocumentNotCreatedError) Error() string {
	return fmt.Sprintf("terminal49: the file of %q was uploaded, but the document was not created: %v", e.Name, e.Err)
}

// Unwrap returns Err.
func (e *DocumentNotCreatedError) Unwrap() error { return e.Err }

// Upload uploads a file to the service's storage and creates a document from it. The file is
// streamed, so it may be larger than memory. The document is returned before it is classified; see
// [DocumentsService.WaitExtracted].
//
// The storage is on another host, which receives neither the token nor the headers of middleware. A
// failed attempt is repeated from the start of the file. If only the last step fails, the error is
// a [*DocumentNotCreatedError], which wraps a [*DuplicateDocumentError] if the account already has
// the contents.
//
// API: POST /documents. Errors: *StorageError, *DocumentNotCreatedError, *DuplicateDocumentError,
// ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Upload(ctx context.Context, file DocumentFile, opts ...CallOption) (*Document, error) {
	call, err := s.client.options("documents.upload", opts)
	if err != nil {
		return nil, err
	}
	if ctx == nil {
		return nil, nilContext("documents.upload")
	}
	content, info, err := file.open(ctx)
	if err != nil {
		return nil, withOp(err, "documents.upload")
	}
	target, err := s.client.announce(ctx, info, opts)
	if err != nil {
		return nil, err
	}
	if err := s.client.storage.upload(ctx, target, content, call); err != nil {
		return nil, err
	}
	create := DocumentCreate{Name: cmp.Or(file.Name, info.FileName), AttachedDocument: NewSecret(target.SignedID)}
	doc, err := s.Create(ctx, create, opts...)
	if err != nil {
		return nil, &DocumentNotCreatedError{Name: create.Name, Err: err, signedID: create.AttachedDocument}
	}
	return doc, nil
}

// open validates the file, measures its content and returns that ready to send.
func (f DocumentFile) open(ctx context.Context) (*rewind.Content, fileInfo, error) {
	if file, ok := f.Content.(interface{ Name() string }); ok && f.FileName == "" {
		f.FileName = filepath.Base(file.Name())
	}
	if err := f.validate(); err != nil {
		return nil, fileInfo{}, err
	}
	content := rewind.New(f.Content, f.OnProgress)
	sum, err := content.Measure(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, fileInfo{}, fmt.Errorf("terminal49: documents.upload: reading the file: %w", ctx.Err())
	case err != nil:
		return nil, fileInfo{}, fmt.Errorf("terminal49: documents.upload: the file cannot be read: %w", err)
	case content.Size() == 0:
		return nil, fileInfo{}, &ArgumentError{Field: "Content", Problem: "must have bytes after its current offset; seek to its start"}
	}
	return content, fileInfo{
		FileName: f.FileName, ContentType: cmp.Or(f.ContentType, contentTypeOf(f.FileName)),
		ByteSize: content.Size(), Checksum: base64.StdEncoding.EncodeToString(sum[:]),
	}, nil
}

func (f DocumentFile) validate() error {
	blankName := f.Name != "" && strings.TrimSpace(f.Name) == ""
	noType := f.ContentType != "" && (!isHeaderText(f.ContentType) || !strings.Contains(f.ContentType, "/"))
	return checkRules(
		rule{f.Content == nil, "Content", "must not be nil; open the file"},
		// Create would refuse it, after the file was sent.
		rule{blankName, "Name", "must not be blank; leave it empty to use FileName"},
		rule{!isFileName(f.FileName), "FileName", `must be a file name such as "invoice.pdf"`},
		rule{noType, "ContentType", `must be a MIME type such as "application/pdf"`},
	)
}

func isFileName(s string) bool {
	return strings.TrimSpace(s) != "" && utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// contentTypeOf derives the MIME type from the extension, with the same result on every machine.
func contentTypeOf(fileName string) string {
	mimeType, ok := map[string]string{
		".pdf": "application/pdf", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
		".tif": "image/tiff", ".tiff": "image/tiff", ".webp": "image/webp", ".heic": "image/heic",
		".txt": "text/plain", ".csv": "text/csv", ".html": "text/html", ".xml": "application/xml",
		".eml": "message/rfc822", ".doc": "application/msword", ".xls": "application/vnd.ms-excel",
		".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		".xlsm": "application/vnd.ms-excel.sheet.macroEnabled.12",
	}[strings.ToLower(filepath.Ext(fileName))]
	if !ok {
		return "application/octet-stream"
	}
	return mimeType
}
