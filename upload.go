package terminal49

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-freight/terminal49/internal/rewind"
)

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
