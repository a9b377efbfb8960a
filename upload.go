package terminal49

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
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
// API: POST /documents. Rate bucket: default. Errors: *ArgumentError, *StorageError, *DocumentNotCreatedError, *DuplicateDocumentError, ErrInvalid, ErrFeatureNotEnabled.
func (s *DocumentsService) Upload(ctx context.Context, file DocumentFile, opts ...CallOption) (*Document, error) {
	call, err := s.client.call("documents.upload", opts)
	if err != nil {
		return nil, err
	}
	content, announced, err := file.open(ctx)
	if err != nil {
		return nil, named(err, "documents.upload")
	}
	to, err := s.client.announce(ctx, announced, opts)
	if err != nil {
		return nil, err
	}
	if err := s.client.storage.upload(ctx, to, content, call); err != nil {
		return nil, err
	}
	create := DocumentCreate{Name: firstOf(file.Name, announced.FileName), AttachedDocument: NewSecret(to.SignedID)}
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
	if f.FileName == "" || !utf8.ValidString(f.FileName) || strings.ContainsFunc(f.FileName, unicode.IsControl) {
		return nil, blob{}, &ArgumentError{Field: "FileName", Problem: `must be a file name such as "invoice.pdf"`}
	}
	src := &source{r: f.Content, progress: f.OnProgress}
	sum, err := src.measure(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, blob{}, fmt.Errorf("terminal49: documents.upload: reading the file: %w", ctx.Err())
	case err != nil:
		return nil, blob{}, fmt.Errorf("terminal49: documents.upload: the file cannot be read: %w", err)
	case src.size == 0:
		return nil, blob{}, &ArgumentError{Field: "Content", Problem: "has nothing from where it stands to its end; rewind it"}
	}
	return src, blob{f.FileName, firstOf(f.ContentType, contentType(f.FileName)), src.size, sum}, nil
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
	progress func(sent, total int64)

	mu          sync.Mutex
	r           io.ReadSeeker
	start, size int64
	current     *reading
}

// measure sets start and size and returns the checksum that the storage checks: base64 of the MD5.
func (s *source) measure(ctx context.Context) (sum string, err error) {
	if s.start, err = s.r.Seek(0, io.SeekCurrent); err != nil {
		return "", err
	}
	hash, buffer := md5.New(), make([]byte, 64<<10)
	for ctx.Err() == nil {
		n, err := s.r.Read(buffer)
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
func (s *source) open() (io.ReadCloser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.r.Seek(s.start, io.SeekStart); err != nil {
		return nil, err
	}
	s.current = &reading{of: s}
	return s.current, nil
}

// close lets nobody read any more: the file belongs to the caller again.
func (s *source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = nil
}

// reading is the body of one attempt.
type reading struct {
	of   *source
	sent int64
}

func (r *reading) Read(p []byte) (int, error) {
	s := r.of
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.current != r:
		return 0, errors.New("this attempt to send the file is over")
	case r.sent == s.size:
		return 0, io.EOF
	}
	n, err := s.r.Read(p[:min(int64(len(p)), s.size-r.sent)])
	r.sent += int64(n)
	if n > 0 && s.progress != nil {
		s.progress(r.sent, s.size)
	}
	if errors.Is(err, io.EOF) {
		err = io.EOF
		if r.sent < s.size {
			err = errors.New("the file became shorter while it was sent")
		}
	}
	return n, err
}

// Close does nothing: the file stays open for the next attempt.
func (r *reading) Close() error { return nil }
