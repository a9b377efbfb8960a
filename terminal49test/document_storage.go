package terminal49test

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

const (
	directUploadPath = "/rails/active_storage/direct_uploads"
	storageHost      = "storage.terminal49.test" // in the process; with sockets it is another port
	maxFile          = 256 << 20
	grantTime        = 5 * time.Minute // of the process clock, like the rate limits
)

// documentBlob is a file that was announced and possibly uploaded.
type documentBlob struct {
	signedID, key, fileName, contentType, checksum string
	size                                           int64
	uploaded                                       []byte // nil until uploaded
}

// storageGrant describes what one presigned URL allows.
type storageGrant struct {
	method, key string // key of a blob for PUT, id of a document for GET
	blob        *documentBlob
	until       time.Time
}

func (b *documentBlob) headers() wire.Object {
	return wire.Object{
		{"Content-Type", b.contentType}, {"Content-MD5", b.checksum},
		{"Content-Disposition", `inline; filename="` + strings.ReplaceAll(b.fileName, `"`, "'") + `"; filename*=UTF-8''` + url.PathEscape(b.fileName)},
	}
}

func (x *exchange) directUpload() service.Reply {
	var body struct {
		Filename    string `json:"filename"`
		ContentType string `json:"content_type"`
		ByteSize    int64  `json:"byte_size"`
		Checksum    string `json:"checksum"`
	}
	if !x.Attribute("blob", &body) {
		x.Violate(`the body must be {"blob":{"filename", "content_type", "byte_size", "checksum"}}`)
		return *service.Unprocessable("", "blob is missing")
	}
	sum, err := base64.StdEncoding.DecodeString(body.Checksum)
	if err != nil || len(sum) != md5.Size || body.Filename == "" || body.ByteSize < 1 {
		x.Violate("blob requires a filename, a byte_size of at least 1 and a checksum, the base64 of a 16-byte MD5")
		return *service.Unprocessable("", "blob is invalid")
	}
	b := &documentBlob{
		signedID: "signed-" + x.w.ids.Next("signed_id"), key: x.w.ids.Next("blob_key"), fileName: body.Filename,
		contentType: body.ContentType, size: body.ByteSize, checksum: body.Checksum,
	}
	x.w.docs.blobs.Put(b.signedID, b)
	return service.JSONReply(200, wire.Object{
		{"id", x.w.ids.Next("blob")}, {"key", b.key}, {"filename", b.fileName}, {"content_type", b.contentType},
		{"metadata", wire.Object{}}, {"service_name", "amazon"}, {"byte_size", b.size}, {"checksum", b.checksum},
		{"created_at", x.Now}, {"signed_id", b.signedID},
		{"direct_upload", wire.Object{
			{"url", x.presign(storageGrant{method: "PUT", key: b.key, blob: b})}, {"headers", b.headers()},
		}},
	})
}

// presign returns a URL for g. A URL is on another host than the API, allows one method on one file
// for five minutes, and requires the headers it was signed for.
func (x *exchange) presign(g storageGrant) string {
	g.until = time.Now().Add(grantTime)
	signature := strings.ReplaceAll(x.s.world.ids.Next("signature"), "-", "")
	if x.s.world.docs.grants == nil {
		x.s.world.docs.grants = map[string]storageGrant{}
	}
	x.s.world.docs.grants[signature] = g
	base := x.s.storageURL
	if strings.HasPrefix(base, "/") {
		base = x.Origin + base
	}
	return base + "/" + g.key + "?" + url.Values{
		"X-Amz-Algorithm": {"AWS4-HMAC-SHA256"}, "X-Amz-Expires": {strconv.Itoa(int(grantTime.Seconds()))}, "X-Amz-Signature": {signature},
	}.Encode()
}

// operationPath removes the base path, which all operations have except the direct upload.
func (s *Server) operationPath(path string) (string, bool) {
	rest, versioned := strings.CutPrefix(path, basePath)
	if rest == directUploadPath {
		return rest, versioned == s.config.uploadUnderVersion
	}
	return rest, versioned && strings.HasPrefix(rest, "/")
}

// storagePath is the path of the storage's URL; "" if the storage has a host of its own.
func (s *Server) storagePath() string {
	rest := s.storageURL
	if _, after, ok := strings.Cut(rest, "://"); ok {
		rest = after
	}
	if i := strings.Index(rest, "/"); i >= 0 {
		return rest[i:]
	}
	return ""
}

// isStorage reports whether a request is for the storage.
func (s *Server) isStorage(host, path string) bool {
	if base := s.storagePath(); base != "" {
		return strings.HasPrefix(path, base+"/")
	}
	_, own, _ := strings.Cut(s.storageURL, "://")
	return host == storageHost || host == own
}

// bodyLimit returns the maximum number of bytes that are read of a request body.
func (s *Server) bodyLimit(host, path string) int64 {
	if s.isStorage(host, path) {
		return maxFile
	}
	return service.MaxRequestBody
}

// handleStorage is [Server.handle] for the storage. Faults named "storage.put" and "storage.get"
// apply; rate limits do not.
func (s *Server) handleStorage(in service.Incoming) service.Outgoing {
	op := "storage." + strings.ToLower(in.Method)
	x := &exchange{s: s, view: view{w: s.world}, Call: service.NewCall(in, s.catchUp(), s.redact)}
	redacted := in
	redacted.Body = nil // the file and the signature are not recorded
	redacted.URL = &url.URL{Scheme: in.URL.Scheme, Host: in.URL.Host, Path: in.URL.Path, RawQuery: "[secret]"}
	_, signed := s.world.docs.grants[in.URL.Query().Get("X-Amz-Signature")]
	recorded, kept := s.record(redacted, op, signed)
	x.Violation = s.recorder(kept, in, op)
	fault := s.takeFault(op)
	var r service.Reply
	if fault == nil || fault.actsFirst() {
		r = x.runStorage()
	}
	out := fault.apply(r, in.URL)
	recorded.Status = out.Status
	return out
}

func (x *exchange) runStorage() service.Reply {
	g, ok := x.w.docs.grants[x.In.URL.Query().Get("X-Amz-Signature")]
	for _, name := range []string{"Authorization", "Cookie", "X-Account-Id"} {
		if x.In.Header.Get(name) != "" {
			x.Violate("header %s must not be sent to the storage, which is another host", name)
			return storageError(400, "InvalidArgument")
		}
	}
	switch {
	case !ok || g.method != x.In.Method || x.In.URL.Path != x.s.storagePath()+"/"+g.key:
		return storageError(403, "SignatureDoesNotMatch")
	case time.Now().After(g.until):
		return storageError(403, "AccessDenied")
	case g.method == "PUT":
		return x.putBlob(g.blob)
	}
	d := x.w.docs.documents.Get(g.key)
	return service.Reply{Status: 200, Header: http.Header{"Content-Type": {d.FileContentType}}, Body: d.Content}
}

func (x *exchange) putBlob(b *documentBlob) service.Reply {
	switch {
	case !x.hasUploadHeaders(b):
		return storageError(403, "SignatureDoesNotMatch")
	case x.In.Length < 0:
		x.Violate("the upload must have a Content-Length and must not be chunked")
		return storageError(411, "MissingContentLength")
	case x.In.Length != b.size || int64(len(x.In.Body)) != b.size:
		x.Violate("the upload has %d bytes and must have %d, as announced", len(x.In.Body), b.size)
		return storageError(403, "SignatureDoesNotMatch")
	case checksum(x.In.Body) != b.checksum:
		x.Violate("the upload must have the MD5 that was announced")
		return storageError(400, "BadDigest")
	}
	b.uploaded = bytes.Clone(x.In.Body)
	return service.Reply{Status: 200, Header: http.Header{"Etag": {`"` + b.key + `"`}}, Body: nil}
}

// hasUploadHeaders reports whether the headers are those that the direct upload returned.
func (x *exchange) hasUploadHeaders(b *documentBlob) bool {
	for _, h := range b.headers() {
		if got := x.In.Header.Values(h.Name); len(got) != 1 || got[0] != h.Value {
			x.Violate("header %s of the upload must have the value returned by the direct upload", h.Name)
			return false
		}
	}
	for name := range x.In.Header {
		allowed := slices.Contains([]string{"Content-Length", "Accept-Encoding", "Connection", "User-Agent"}, name)
		if !allowed && !slices.ContainsFunc(b.headers(), func(h wire.Member) bool { return http.CanonicalHeaderKey(h.Name) == name }) {
			x.Violate("header %s of the upload was not returned by the direct upload", name)
		}
	}
	return true
}

// storageError is an error in the storage's format.
func storageError(status int, code string) service.Reply {
	body := `<?xml version="1.0" encoding="UTF-8"?>` + "\n<Error><Code>" + code + "</Code><Message>" + http.StatusText(status) + "</Message></Error>"
	return service.Reply{Status: status, Header: http.Header{"Content-Type": {"application/xml"}}, Body: []byte(body)}
}

func checksum(content []byte) string {
	sum := md5.Sum(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}
