package terminal49

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

// DocumentFile is a file to be uploaded.
type DocumentFile struct {
	Name     string // the document's name for people; "" for FileName
	FileName string // such as "invoice.pdf"; "" for the name of Content if that is an *os.File
	// ContentType is the MIME type; "" to go by the ending of FileName.
	ContentType string
	// Content is read from where it stands to its end: once to take its checksum, and once for each attempt to send it.
	// Where it stands afterwards is not said. It is not closed. An *os.File will do, and io.NewSectionReader makes one
	// of an io.ReaderAt.
	//
	// A Read that blocks cannot be interrupted, and the time limit of an attempt waits for it. If ctx ends meanwhile,
	// Upload gives it a tenth of a second and returns without it: a goroutine stays behind until that Read returns, and
	// what it read is dropped. Until then, leave Content alone, but for closing it if its Close may be called during a
	// Read, as that of an *os.File may. In all other cases nothing reads Content any more once Upload has returned.
	Content io.ReadSeeker
	// OnProgress is called with the bytes handed to the network and the bytes there are; may be nil. Sent begins at
	// nothing again when an attempt failed. It is called from another goroutine, but never after Upload returned; it
	// must be quick.
	OnProgress func(sent, total int64)
}

// DocumentNotCreatedError means that the file was uploaded, and that no document was made of it. With SignedID,
// [DocumentsService.Create] can finish without uploading again.
type DocumentNotCreatedError struct {
	Name string // the document's name, as for Create
	Err  error  // why, such as a *DuplicateDocumentError

	signedID Secret
}

// SignedID returns what Create wants as AttachedDocument. It works for whoever has it, and is never printed.
func (e *DocumentNotCreatedError) SignedID() Secret { return e.signedID }

// Error gives the reason.
func (e *DocumentNotCreatedError) Error() string {
	return fmt.Sprintf("terminal49: the file of %q is uploaded, but the document was not created: %v", e.Name, e.Err)
}

// Unwrap returns the reason.
func (e *DocumentNotCreatedError) Unwrap() error { return e.Err }

// Upload sends a file to the service's storage and makes a document of it. The file is streamed: it may be larger than
// memory. The document comes back as created, which is before it is classified; see [DocumentsService.WaitExtracted].
//
// The storage is another host, given by the service for each file. It gets neither the token nor what middleware adds.
// An attempt that fails is repeated from the start of the file. If all went well but the last step, the error is a
// [*DocumentNotCreatedError]; contents that the account has already are one that wraps a [*DuplicateDocumentError].
//
// API: POST /documents. Errors: *StorageError, *DocumentNotCreatedError, *DuplicateDocumentError,
// ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Upload(ctx context.Context, file DocumentFile, opts ...CallOption) (*Document, error) {
	call, err := s.client.options("documents.upload", opts)
	if err != nil {
		return nil, err
	}
	content, announced, err := file.open(ctx)
	if err != nil {
		return nil, withOp(err, "documents.upload")
	}
	to, err := s.client.announce(ctx, announced, opts)
	if err != nil {
		return nil, err
	}
	if err := s.client.storage.upload(ctx, to, content, call); err != nil {
		return nil, err
	}
	create := DocumentCreate{Name: cmp.Or(file.Name, announced.FileName), AttachedDocument: NewSecret(to.SignedID)}
	document, err := s.Create(ctx, create, opts...)
	if err != nil {
		return nil, &DocumentNotCreatedError{Name: create.Name, Err: err, signedID: create.AttachedDocument}
	}
	return document, nil
}

// open checks the file, takes its length and checksum, and returns it ready to be sent.
func (f DocumentFile) open(ctx context.Context) (*source, blob, error) {
	if f.Content == nil {
		return nil, blob{}, &ArgumentError{Field: "Content", Problem: "must not be nil; open the file"}
	}
	if file, ok := f.Content.(interface{ Name() string }); ok && f.FileName == "" {
		f.FileName = filepath.Base(file.Name())
	}
	if f.Name != "" && strings.TrimSpace(f.Name) == "" { // Create would refuse it, after the file was sent
		return nil, blob{}, &ArgumentError{Field: "Name", Problem: "must not be blank; leave it empty for FileName"}
	}
	if strings.TrimSpace(f.FileName) == "" || !utf8.ValidString(f.FileName) || strings.ContainsFunc(f.FileName, unicode.IsControl) {
		return nil, blob{}, &ArgumentError{Field: "FileName", Problem: `must be a file name such as "invoice.pdf"`}
	}
	if f.ContentType != "" && (!isHeaderText(f.ContentType) || !strings.Contains(f.ContentType, "/")) {
		return nil, blob{}, &ArgumentError{Field: "ContentType", Problem: `must be a MIME type such as "application/pdf"`}
	}
	src := &source{r: f.Content, progress: f.OnProgress, turn: make(chan struct{}, 1)}
	src.give()
	sum, err := src.measure(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, blob{}, fmt.Errorf("terminal49: documents.upload: reading the file: %w", ctx.Err())
	case err != nil:
		return nil, blob{}, fmt.Errorf("terminal49: documents.upload: the file cannot be read: %w", err)
	case src.size == 0:
		return nil, blob{}, &ArgumentError{Field: "Content", Problem: "has nothing from where it stands to its end; rewind it"}
	}
	return src, blob{f.FileName, cmp.Or(f.ContentType, contentType(f.FileName)), src.size, sum}, nil
}

// contentType goes by the ending of a file name, the same on every machine.
func contentType(fileName string) string {
	known, ok := map[string]string{
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
	return known
}

// source is the caller's file. Each attempt to send it reads from the start; a transport may still be reading for an
// attempt that is over, so only the latest reader gets bytes.
type source struct {
	turn        chan struct{} // holds one token, whose taker alone may use what follows
	r           io.ReadSeeker
	start, size int64
	buffer      [64 << 10]byte // r reads into it, and not into what others own, because a Read may outlast them
	n           int            // what the latest Read returned
	err         error

	mu       sync.Mutex // is not held while r is read, which may take for ever
	current  *reading
	progress func(sent, total int64) // called with mu held
}

// readGrace is what a Read gets to return once the context is over. Nearly any does, and the file is the caller's again.
const readGrace = 100 * time.Millisecond

// take waits for the turn to use the file, but not much longer than ctx lasts.
func (s *source) take(ctx context.Context) bool {
	select {
	case <-s.turn:
		return true
	case <-ctx.Done():
	}
	grace := time.NewTimer(readGrace)
	defer grace.Stop()
	select {
	case <-s.turn:
		return true
	case <-grace.C:
		return false
	}
}

func (s *source) give() { s.turn <- struct{}{} }

// read reads for the current attempt, nil while the file is measured. Even net/http waits for the Read of a request that
// was cancelled. So it has a goroutine of its own, which holds the turn for as long as it takes.
func (s *source) read(ctx context.Context, attempt *reading, p []byte) (int, error) {
	if !s.take(ctx) {
		return 0, ctx.Err()
	}
	if !s.isCurrent(attempt) {
		s.give()
		return 0, errOver
	}
	room := min(len(p), len(s.buffer))
	go func() {
		defer s.give()
		s.n, s.err = s.r.Read(s.buffer[:room])
	}()
	if !s.take(ctx) {
		return 0, ctx.Err()
	}
	defer s.give()
	return copy(p, s.buffer[:s.n]), s.err
}

// measure sets start and size and returns the checksum that the storage checks: base64 of the MD5.
func (s *source) measure(ctx context.Context) (sum string, err error) {
	if s.start, err = s.r.Seek(0, io.SeekCurrent); err != nil {
		return "", err
	}
	hash, buffer := md5.New(), make([]byte, 64<<10)
	for ctx.Err() == nil {
		n, err := s.read(ctx, nil, buffer)
		hash.Write(buffer[:n])
		s.size += int64(n)
		if errors.Is(err, io.EOF) {
			return base64.StdEncoding.EncodeToString(hash.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
	return "", ctx.Err()
}

// open returns a reader of the whole, and ends the one before.
func (s *source) open(ctx context.Context) (io.ReadCloser, error) {
	next := &reading{of: s, ctx: ctx}
	s.makeCurrent(next)
	if !s.take(ctx) {
		return nil, ctx.Err()
	}
	defer s.give()
	if _, err := s.r.Seek(s.start, io.SeekStart); err != nil {
		return nil, err
	}
	return next, nil
}

// close lets nobody read or tell progress any more: the file belongs to the caller again. Only a Read that outlasts ctx
// is not waited for.
func (s *source) close(ctx context.Context) {
	s.makeCurrent(nil)
	if s.take(ctx) {
		s.give()
	}
}

func (s *source) makeCurrent(r *reading) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = r
}

func (s *source) isCurrent(r *reading) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.current == r
}

// reading is the body of one attempt.
type reading struct {
	of   *source
	ctx  context.Context // of the upload
	sent int64
}

func (r *reading) Read(p []byte) (int, error) {
	left := r.of.size - r.sent
	if left == 0 {
		return 0, io.EOF
	}
	n, err := r.of.read(r.ctx, r, p[:min(int64(len(p)), left)])
	r.sent += int64(n)
	if n > 0 {
		r.tell()
	}
	if errors.Is(err, io.EOF) {
		err = io.EOF
		if r.sent < r.of.size {
			err = errors.New("the file became shorter while it was sent")
		}
	}
	return n, err
}

var errOver = errors.New("this attempt to send the file is over")

// tell tells what was sent, if this is still the current attempt.
func (r *reading) tell() {
	s := r.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == r && s.progress != nil {
		s.progress(r.sent, s.size)
	}
}

// Close does nothing: the file stays open for the next attempt.
func (r *reading) Close() error { return nil }
