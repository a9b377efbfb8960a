package terminal49

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-freight/terminal49/internal/jsonapi"
)

// Extraction is what the service read out of a document: its "document representation". It only comes along with
// documents; ask with DocumentIncludeExtraction.
type Extraction struct {
	Resource

	SchemaVersion string // schema_version: with the document's type, names the schema that Payload follows
	// Payload is the extracted object, byte for byte as the service sent it. Its members depend on the type of the
	// document; values are often strings, amounts too. Nil if there is none.
	Payload   json.RawMessage // payload
	CreatedAt Time            // created_at, UTC
	UpdatedAt Time            // updated_at, UTC
}

// ErrNoPayload means that an extraction holds nothing.
var ErrNoPayload = errors.New("terminal49: the extraction has no payload")

// Decode reads the payload into a value of yours, as json.Unmarshal does, except that numbers that end up in an
// interface become json.Number and so lose no digit. If you depend on its form, check the payload first, with
// documentschema.Validate.
func (e *Extraction) Decode(into any) error {
	if len(e.Payload) == 0 {
		return ErrNoPayload
	}
	d := json.NewDecoder(bytes.NewReader(e.Payload))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("terminal49: extraction %s: %w", printable(e.ID), err)
	}
	return nil
}

// Download writes the document's file to w as it arrives and returns how many bytes it wrote. The file comes from the
// service's storage, which gets no token. A failure before the first byte is retried; after that, what w got is a
// part. A stalled transfer ends after the attempt timeout without a byte.
//
// API: GET /documents/{id}/download_url. Errors: ErrNotFound, ErrInvalid (no file), *StorageError,
// *TransportError.
func (s *DocumentsService) Download(ctx context.Context, id string, w io.Writer, opts ...CallOption) (int64, error) {
	from, err := s.DownloadURL(ctx, id, opts...)
	if err != nil {
		return 0, err
	}
	call, err := s.client.options("documents.download", opts)
	if err != nil {
		return 0, err
	}
	return s.client.storage.download(ctx, from, w, call)
}

func (*Extraction) table() *jsonapi.Type[Extraction] { return extractionTable }

var extractionTable = jsonapi.NewType(jsonapi.Spec[Extraction]{
	Identify: func(e *Extraction, id jsonapi.Identity) { e.identify(id) },
	Attributes: []jsonapi.Field[Extraction]{
		textField("schema_version", func(e *Extraction) *string { return &e.SchemaVersion }),
		rawField("payload", func(e *Extraction) *json.RawMessage { return &e.Payload }),
		timeField("created_at", func(e *Extraction) *Time { return &e.CreatedAt }),
		timeField("updated_at", func(e *Extraction) *Time { return &e.UpdatedAt }),
	},
})

// rawField is an object of no fixed form; its bytes are copied.
func rawField[T any](name string, at func(*T) *json.RawMessage) jsonapi.Field[T] {
	return jsonapi.Field[T]{Name: name, Read: func(d *jsonapi.Decoder, v *T) {
		switch raw := d.Raw(); {
		case bytes.HasPrefix(raw, []byte("{")):
			*at(v) = bytes.Clone(raw)
		case !bytes.Equal(raw, []byte("null")):
			d.Warn("want an object")
		}
	}}
}
