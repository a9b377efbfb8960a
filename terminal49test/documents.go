package terminal49test

import (
	"maps"
	"slices"
	"time"
)

// Document is a paper of a shipment.
type Document struct {
	ID          string // "" for one from the seed
	Name        string // "" for FileName
	FileName    string
	ContentType string // "" is null
	Content     []byte // the file; nil for a document without one
	Source      string // "upload" (also for ""), "api", "email" or "split_document"
	User        string // user id; "" is null

	// Type is the code the service found. Added with "" and without Payload, the document runs its course as an uploaded
	// one does: classified, extracted and linked as its script or the default says.
	Type       string
	TypeManual string
	Notes      string // classification_notes

	Payload       map[string]any // what was extracted; nil until then
	PayloadManual map[string]any // what a user put in its stead; nil for nothing
	SchemaVersion string         // "" for that of the type's current schema
	ExtractedAt   time.Time

	Shipments, Containers []string // ids
	EmailSubmission       string   // id
	Rotation              int      // degrees, added up
	Discarded             bool     // deleted: the service keeps the row and shows it no more
	Events                []string // such as "document.extracted", as they happened
	CreatedAt, UpdatedAt  time.Time
	Attributes            map[string]any

	representation string    // id of the extraction
	payloadAt      time.Time // when its payload last changed
	checksum       string    // of Content, as a direct upload gives it
}

// DocumentType is a kind of document that the account can have.
type DocumentType struct{ Code, Label string }

// DocumentSchema is the contract for the payload of one type of document.
type DocumentSchema struct {
	DocumentType string
	Version      string // a date such as "2026-03-23"; the id is type@version
	Label        string
	Description  string
	Current      bool
	Draft        bool
	ActiveAt     time.Time
	CreatedAt    time.Time      // zero for now
	Schema       map[string]any // a JSON Schema
	Attributes   map[string]any
}

// EmailSubmission is an e-mail to the account's address for documents.
type EmailSubmission struct {
	ID                   string // "" for one from the seed
	Subject, Body        string
	From, To, CC         []string
	References           []string
	MessageID, InReplyTo string
	ContentType          string // "" is "multipart/mixed"
	User                 string // user id; "" is null
	SentAt               time.Time
	CreatedAt            time.Time // zero for now
	Attributes           map[string]any
}

// DocumentOutcome is where a document's processing ends.
type DocumentOutcome string

// The outcomes of a document.
const (
	DocumentExtracted        DocumentOutcome = ""                  // classified, extracted and linked
	DocumentExtractionFailed DocumentOutcome = "extraction_failed" // classified, and told so by event alone
	DocumentUnclassified     DocumentOutcome = "unclassified"      // nothing ever comes of it
)

// DocumentScript says what the service makes of a file. All durations are on the world's clock.
type DocumentScript struct {
	ClassifiedAfter time.Duration // since the document was created; 0 is 10 seconds
	ExtractedAfter  time.Duration // since it was classified; 0 is 20 seconds
	Outcome         DocumentOutcome
	Type            string         // "" to go by the file name, such as arrival_notice_7.pdf, else commercial_invoice
	Notes           string         // classification_notes
	Payload         map[string]any // nil for an example that names the shipments and containers it mentions
	SchemaVersion   string         // "" for that of the type's current schema
}

// ScriptDocument says what the service makes of files with this name, now and when it is asked to do its work again.
func (s *Server) ScriptDocument(fileName string, d DocumentScript) {
	locked(s, func(w *world) bool {
		if w.papers.scripts == nil {
			w.papers.scripts = map[string]DocumentScript{}
		}
		d.Payload = maps.Clone(d.Payload)
		w.papers.scripts[fileName] = d
		return true
	})
}

// AddDocument adds a document and returns its id.
func (s *Server) AddDocument(d Document) string {
	return locked(s, func(w *world) string { return w.addDocument(d) })
}

// UpdateDocument changes a document in place and reports whether there is one with that id.
func (s *Server) UpdateDocument(id string, change func(*Document)) bool {
	return locked(s, func(w *world) bool { return update(&w.papers.documents, id, change) })
}

// Document gives a copy of a document as the world has it now, and whether there is one with that id, deleted or not.
func (s *Server) Document(id string) (d Document, ok bool) {
	ok = s.UpdateDocument(id, func(found *Document) { d = found.clone() })
	return d, ok
}

// AddDocumentType adds a kind of document to the account's.
func (s *Server) AddDocumentType(t DocumentType) {
	locked(s, func(w *world) bool { w.papers.types = append(w.papers.types, t); return true })
}

// AddDocumentSchema adds a schema and returns its id. One that is current takes the place of the type's current one.
func (s *Server) AddDocumentSchema(d DocumentSchema) string {
	return locked(s, func(w *world) string { return w.addSchema(d) })
}

// AddEmailSubmission adds an e-mail without attachments and returns its id.
func (s *Server) AddEmailSubmission(e EmailSubmission) string {
	return locked(s, func(w *world) string { return w.addEmail(e) })
}

// ReceiveEmail is an e-mail with attachments arriving: each becomes a document of source "email" that runs its course.
func (s *Server) ReceiveEmail(e EmailSubmission, attachments ...Document) (id string, documents []string) {
	locked(s, func(w *world) bool {
		id = w.addEmail(e)
		for _, d := range attachments {
			d.EmailSubmission, d.Source = id, "email"
			documents = append(documents, w.addDocument(d))
		}
		return true
	})
	return id, documents
}

func (d *Document) clone() Document {
	c := *d
	c.Content, c.Shipments, c.Containers = slices.Clone(d.Content), slices.Clone(d.Shipments), slices.Clone(d.Containers)
	c.Payload, c.PayloadManual = maps.Clone(d.Payload), maps.Clone(d.PayloadManual)
	c.Events, c.Attributes = slices.Clone(d.Events), maps.Clone(d.Attributes)
	return c
}

// DuplicatePolicy is what the account does with contents it has already.
type DuplicatePolicy string

// The policies that an account can choose.
const (
	DuplicatesRejected DuplicatePolicy = ""        // 409
	DuplicatesReplace  DuplicatePolicy = "replace" // the old document is deleted
	DuplicatesAccepted DuplicatePolicy = "accept"  // both stay
)

// WithDuplicateDocuments sets what the account does with contents it has already. They are rejected unless set.
func WithDuplicateDocuments(p DuplicatePolicy) Option { return func(c *config) { c.duplicates = p } }

// WithoutDocuments takes away the account's right to documents: all their operations answer 403.
func WithoutDocuments() Option { return func(c *config) { c.withoutDocuments = true } }

// WithDirectUploadUnderVersion puts the direct upload below the base path, as /v2/rails/..., rather than at the host's
// root. The service documents neither.
func WithDirectUploadUnderVersion() Option { return func(c *config) { c.uploadUnderVersion = true } }
