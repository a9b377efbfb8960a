package terminal49

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/go-freight/terminal49/internal/operation"
	"github.com/go-freight/terminal49/internal/transport"
)

// storage moves files to and from where the service keeps them: another host, which wants all the headers the service
// gave and checks those it signed. So its requests pass neither the client's credentials nor its middleware, cookies and
// rate limits. Besides what HTTP itself needs (Host, Content-Length) they only have Accept-Encoding: identity.
type storage struct {
	chain  *transport.Chain
	base   http.RoundTripper
	policy transport.Policy
	mounts []string     // what the direct upload may hang under, the likeliest first
	found  atomic.Int32 // which of the mounts it was found under
}

// StorageError means that the service's storage did not take or give a file. It holds no address: who knows one of
// those can act with it.
type StorageError struct {
	Op       string // "documents.upload" or "documents.download"
	Status   int    // HTTP status of the storage
	Code     string // the storage's own code, such as "AccessDenied"; "" if it gave none
	Attempts int    // requests sent
}

// Error names the operation and the storage's answer.
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

// WithDirectUploadMount says what path of the service's host the direct upload of files hangs under, such as "/" or
// "/v2": the service's documents leave that open. Where this is not given, or answered with 404, the client tries the
// base URL without its "/v2", then the base URL, and keeps to the one that was there.
func WithDirectUploadMount(path string) Option {
	return clientOption(func(c *config) error {
		if !strings.HasPrefix(path, "/") || strings.ContainsAny(path, "?#") || hasDots(path) {
			return optionError("WithDirectUploadMount", `must be a path such as "/" or "/v2"`)
		}
		c.uploadMount = path
		return nil
	})
}

// WithStorageHTTPClient makes uploads and downloads of files use the transport of h. Without it they use that of
// WithHTTPClient, or else the default one. Give one if the transport of your client adds credentials of its own: the
// storage is another host and must not see them. Only the transport of h is used.
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
	for _, m := range s.mounts {
		if m == mount {
			return
		}
	}
	s.mounts = append(s.mounts, mount)
}

// direct is what the service says about a file that is to be uploaded.
type direct struct {
	SignedID     string `json:"signed_id"`
	DirectUpload struct {
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	} `json:"direct_upload"`
}

func (d direct) incomplete() error {
	if d.SignedID == "" || d.DirectUpload.URL == "" {
		return errors.New("it has no signed id or no address")
	}
	return nil
}

// blob is a file as it is announced.
type blob struct {
	FileName    string `json:"filename"`
	ContentType string `json:"content_type"`
	ByteSize    int64  `json:"byte_size"`
	Checksum    string `json:"checksum"` // base64 of the MD5
}

// announce sends the service what the file is and returns where to put it.
func (c *Client) announce(ctx context.Context, b blob, opts []CallOption) (d direct, err error) {
	e := newEndpoint(operation.DirectUpload).plainBody(map[string]blob{"blob": b})
	for i := range c.storage.mounts {
		at := (int(c.storage.found.Load()) + i) % len(c.storage.mounts)
		e.base = c.storage.mounts[at]
		d, err = fetchPlain[direct](ctx, c, e, opts)
		if err == nil {
			c.storage.found.Store(int32(at))
		}
		if !errors.Is(err, ErrNotFound) {
			break
		}
	}
	return d, err
}

// uploadPace is the slowest an upload may be on average before an attempt is given up, in bytes per second.
const uploadPace = 64 << 10

// upload puts a file where the service said.
func (s *storage) upload(ctx context.Context, to direct, file *source, call callConfig) error {
	c := transport.Call{Op: "documents.upload", Route: "(storage)", Class: transport.Read, Policy: call.policy}
	timeout := call.attemptTimeout(s)
	setNonZero(&c.Policy.AttemptTimeout, max(timeout, timeout+time.Duration(file.size/uploadPace)*time.Second)) // the sum may overflow
	req, err := s.request(ctx, http.MethodPut, c, to.DirectUpload.URL)
	if err != nil {
		return err
	}
	for name, value := range to.DirectUpload.Headers {
		if problem := headerProblem(name, value); problem != "" {
			return decodeError(c, http.StatusOK, errors.New("direct_upload.headers "+problem))
		}
		req.Header.Set(name, value) // as given: they are part of what the address was signed for
		if strings.EqualFold(name, "Host") {
			req.Host = value
		}
	}
	req.ContentLength = file.size // known, so that the body is not sent in chunks
	req.GetBody = func() (io.ReadCloser, error) { return file.open(ctx) }
	req.Body = http.NoBody // the chain takes one from GetBody for each attempt
	defer file.close(ctx)
	answer, err := s.chain.Do(req, c)
	switch {
	case err != nil:
		return transportError(c, err, noSecrets)
	case answer.Status < 200 || answer.Status > 299:
		return storageError(c.Op, answer)
	}
	return nil
}

// download writes the file at an address to w.
func (s *storage) download(ctx context.Context, from Secret, w io.Writer, call callConfig) (int64, error) {
	c := transport.Call{Op: "documents.download", Route: "(storage)", Class: transport.Read}
	if _, err := s.request(ctx, http.MethodGet, c, from.Reveal()); err != nil {
		return 0, err
	}
	policy := s.policy
	policy.AttemptTimeout = call.attemptTimeout(s)
	setNonZero(&policy.MaxAttempts, call.policy.MaxAttempts)
	answer, n, err := transport.Download{Base: s.base, Policy: policy}.Run(ctx, from.Reveal(), w, c)
	switch {
	case err != nil:
		return n, transportError(c, err, noSecrets)
	case answer.Status != http.StatusOK:
		return n, storageError(c.Op, answer)
	}
	return n, nil
}

func (c callConfig) attemptTimeout(s *storage) time.Duration {
	if c.policy.AttemptTimeout > 0 {
		return c.policy.AttemptTimeout
	}
	return s.policy.AttemptTimeout
}

// noSecrets: nothing of what the storage says is kept but its status and code.
func noSecrets(string) string { return "" }

// request refuses addresses to which a file, or the right to it, would travel in the clear.
func (s *storage) request(ctx context.Context, method string, c transport.Call, to string) (*http.Request, error) {
	u, err := url.Parse(to)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !isLocal(u.Hostname())) {
		return nil, decodeError(c, http.StatusOK, errors.New("the storage address is not an https URL"))
	}
	req, err := http.NewRequestWithContext(ctx, method, to, nil)
	if err != nil {
		return nil, decodeError(c, http.StatusOK, errors.New("the storage address is not a URL"))
	}
	req.Header["User-Agent"] = nil                // or else Go adds its own
	req.Header.Set("Accept-Encoding", "identity") // or else Go asks for gzip, and unpacks it
	return req, nil
}

// headerName is what HTTP takes for the name of a header.
var headerName = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// headerProblem says why a header could never be sent, however often one tries. It quotes nothing: a header may be a
// secret.
func headerProblem(name, value string) string {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == '\x7f' }
	switch {
	case !headerName.MatchString(name):
		return "has a name that HTTP does not allow"
	case strings.ContainsFunc(value, control):
		return "has a value with control characters"
	case strings.EqualFold(name, "Host") && strings.ContainsAny(value, "/?#@ \t"):
		return "has a Host that is none"
	}
	return ""
}

// storageCode is the one part of a storage's error that is safe to repeat: the rest may quote the signature.
var storageCode = regexp.MustCompile(`<Code>([A-Za-z]{1,64})</Code>`)

func storageError(op string, r *transport.Result) error {
	e := &StorageError{Op: op, Status: r.Status, Attempts: r.Attempts}
	if code := storageCode.FindSubmatch(r.Body); code != nil {
		e.Code = string(code[1])
	}
	return e
}
