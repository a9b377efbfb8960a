package terminal49

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/rewind"
	"github.com/go-freight/terminal49/internal/transport"
)

// storage uploads and downloads files. The service keeps them on another host, which checks the
// headers that the service has signed. Its requests therefore bypass the client's credentials,
// middleware, cookies and rate limits, and send only the signed headers, those that HTTP requires,
// and Accept-Encoding: identity.
type storage struct {
	chain  *transport.Chain
	base   http.RoundTripper
	policy transport.Policy
	mounts []string     // the candidates for the base URL of the direct upload, the most likely first
	mount  atomic.Int32 // index of the mount that last worked
}

// StorageError is returned when the service's storage did not accept or return a file. It does not
// contain the URL, which is a credential for the file.
type StorageError struct {
	Op       string // "documents.upload" or "documents.download"
	Status   int    // HTTP status of the storage
	Code     string // the storage's own code, such as "AccessDenied"; "" if none
	Attempts int    // requests sent
}

// Error includes the operation, the status and the code.
func (e *StorageError) Error() string {
	text := fmt.Sprintf("terminal49: %s: the storage answered %d %s", e.Op, e.Status, http.StatusText(e.Status))
	if e.Code != "" {
		text += ": " + e.Code
	}
	if e.Attempts > 1 {
		text += fmt.Sprintf(" (after %d attempts)", e.Attempts)
	}
	return text
}

// WithDirectUploadMount sets the path of the service's host below which files are uploaded, such as
// "/" or "/v2". The service does not document it. By default, and if this path is answered with
// 404, the client tries the base URL without "/v2", then the base URL, and keeps using the one that
// worked.
func WithDirectUploadMount(path string) Option {
	return clientOption(func(c *config) error {
		if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#") || hasDots(path) {
			return optionError("WithDirectUploadMount", `must be a path such as "/" or "/v2"`)
		}
		c.uploadMount = path
		return nil
	})
}

// WithStorageHTTPClient sets the client whose transport uploads and downloads files. The default is
// the transport of WithHTTPClient. Set it if that transport adds credentials, which the storage
// must not receive. Only the transport of h is used.
func WithStorageHTTPClient(h *http.Client) Option {
	return clientOption(func(c *config) error {
		if h == nil {
			return optionError("WithStorageHTTPClient", "must not be nil; leave the option out for the default")
		}
		c.storage = h.Transport
		if c.storage == nil {
			c.storage = http.DefaultTransport
		}
		return nil
	})
}

func (cfg config) newStorage() *storage {
	rt := cfg.storage
	if rt == nil {
		rt = cfg.http.Transport
	}
	s := &storage{base: rt, policy: cfg.policy(), chain: transport.New(transport.Config{
		Base: rt, Observer: observer(cfg.logger, cfg.hooks), Policy: cfg.policy(),
	})}
	base := strings.TrimRight(cfg.base.String(), "/")
	if cfg.uploadMount != "" {
		s.addMount(cfg.base.Scheme + "://" + cfg.base.Host + cfg.uploadMount)
	}
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
	req, err := s.newRequest(ctx, http.MethodPut, c, target.DirectUpload.URL)
	if err != nil {
		return err
	}
	for name, value := range target.DirectUpload.Headers {
		if problem := headerProblem(name, value); problem != "" {
			return decodeError(c, http.StatusOK, errors.New("direct_upload.headers "+problem))
		}
		req.Header.Set(name, value) // unchanged, because the signature of the URL covers them
		if strings.EqualFold(name, "Host") {
			req.Host = value
		}
	}
	req.ContentLength = file.Size() // so that the body is not sent in chunks
	req.GetBody = func() (io.ReadCloser, error) { return file.Open(ctx) }
	req.Body = http.NoBody // the chain calls GetBody for each attempt
	defer file.Close(ctx)
	result, err := s.chain.Do(req, c)
	switch {
	case err != nil:
		return transportError(c, err, redactAll)
	case result.Status < 200 || result.Status > 299:
		return storageError(c.Op, result)
	}
	return nil
}

// download writes the file at a URL to w.
func (s *storage) download(ctx context.Context, from Secret, w io.Writer, call callConfig) (int64, error) {
	c := transport.Call{Op: "documents.download", Route: "(storage)", Class: transport.Read}
	if _, err := s.newRequest(ctx, http.MethodGet, c, from.Reveal()); err != nil {
		return 0, err
	}
	policy := s.policy
	policy.AttemptTimeout = call.attemptTimeout(s)
	setNonZero(&policy.MaxAttempts, call.policy.MaxAttempts)
	result, n, err := transport.Download{Base: s.base, Policy: policy}.Run(ctx, from.Reveal(), w, c)
	switch {
	case err != nil:
		return n, transportError(c, err, redactAll)
	case result.Status != http.StatusOK:
		return n, storageError(c.Op, result)
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

// newRequest rejects a URL without TLS unless its host is local, because the file and the URL could
// be read in transit.
func (s *storage) newRequest(ctx context.Context, method string, c transport.Call, address string) (*http.Request, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !isLocal(u.Hostname())) {
		return nil, decodeError(c, http.StatusOK, errors.New("the URL of the storage must be https"))
	}
	req, err := http.NewRequestWithContext(ctx, method, address, nil)
	if err != nil {
		return nil, decodeError(c, http.StatusOK, errors.New("the URL of the storage is invalid"))
	}
	req.Header["User-Agent"] = nil                // or Go adds its own
	req.Header.Set("Accept-Encoding", "identity") // otherwise Go requests gzip and decompresses it
	return req, nil
}

// headerProblem returns why a header cannot be sent, or "". It quotes nothing, because the header
// may be secret.
func headerProblem(name, value string) string {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == '\x7f' }
	switch {
	case !headerName.MatchString(name):
		return "contains an invalid header name"
	case strings.ContainsFunc(value, control):
		return "contains a value with control characters"
	case strings.EqualFold(name, "Host") && strings.ContainsAny(value, "/?#@ \t"):
		return "contains an invalid Host"
	}
	return ""
}

// storageCode matches the error code of the storage, which is safe to repeat. The rest may contain
// the signature.
var storageCode = regexp.MustCompile(`<Code>([A-Za-z]{1,64})</Code>`)

func storageError(op string, r *transport.Result) error {
	e := &StorageError{Op: op, Status: r.Status, Attempts: r.Attempts}
	if code := storageCode.FindSubmatch(r.Body); code != nil {
		e.Code = string(code[1])
	}
	return e
}
