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

// Extraction is the data that the service extracted from a document. It cannot be fetched on its
// own: include it with a document, using DocumentIncludeExtraction.
type Extraction struct {
	Resource

	SchemaVersion string // schema_version: of the schema of Payload; see DocumentSchemas.For
	// Payload is the extracted object, exactly as the service sent it; nil if there is none. Its
	// members depend on the type of the document. Values are often strings, even amounts.
	Payload   json.RawMessage // payload
	CreatedAt Time            // created_at, UTC
	UpdatedAt Time            // updated_at, UTC
}

// ErrNoPayload is returned for an extraction without a payload.
var ErrNoPayload = errors.New("terminal49: the extraction has no payload")

// Decode unmarshals the payload into a value, like json.Unmarshal, except that a number in an
// interface becomes a json.Number and so keeps all digits. Use documentschema.Validate first if the
// form matters.
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

// Download writes the document's file to w as it arrives, and returns the number of bytes written.
// The file is fetched from the service's storage, without the token. A failure before the first
// byte is retried; after a later failure, w has received part of the file. A transfer fails if no
// byte arrives for as long as the attempt timeout.
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

func (e *Extraction) members(m *jsonapi.Members) {
	m.Add("schema_version", &e.SchemaVersion)
	m.Add("payload", &e.Payload)
	m.Add("created_at", &e.CreatedAt)
	m.Add("updated_at", &e.UpdatedAt)
}

// MarshalJSON returns the JSON:API resource object; see [Resource].
func (e Extraction) MarshalJSON() ([]byte, error) { return marshalResource(&e) }

// UnmarshalJSON parses a JSON:API resource object; see [Resource].
func (e *Extraction) UnmarshalJSON(data []byte) error { return unmarshalResource(data, e) }
