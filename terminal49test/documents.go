package terminal49test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// Document is a trade document, such as a commercial invoice or an arrival notice.
type Document struct {
	ID              string `json:"id,omitzero"`   // "" generates one
	Name            string `json:"name,omitzero"` // "" means FileName
	FileName        string `json:"file_name,omitzero"`
	FileContentType string `json:"file_content_type,omitzero"`   // "" means null
	Content         []byte `json:"content,omitzero" form:"text"` // the file; nil if there is none
	Source          string `json:"source,omitzero"`              // "upload" (also for ""), "api", "email" or "split_document"
	User            string `json:"user,omitzero"`                // user id; "" means null

	// DocumentType is the type the service found. A document added with "" and without Payload is
	// processed like an uploaded one: classified, extracted and linked by its script or the
	// defaults.
	DocumentType        string `json:"document_type,omitzero"`
	DocumentTypeManual  string `json:"document_type_manual,omitzero"`
	ClassificationNotes string `json:"classification_notes,omitzero"`

	Payload             map[string]any `json:"payload,omitzero"`               // extracted data; nil until extracted
	ExtractedDataManual map[string]any `json:"extracted_data_manual,omitzero"` // set by a user instead of Payload; nil means none
	SchemaVersion       string         `json:"schema_version,omitzero"`        // "" means that of the type's current schema
	ExtractedAt         time.Time      `json:"extracted_at,omitzero"`

	Shipments       []string       `json:"shipments,omitzero"`        // ids
	Containers      []string       `json:"containers,omitzero"`       // ids
	EmailSubmission string         `json:"email_submission,omitzero"` // id
	Parent          string         `json:"parent_document,omitzero"`  // id of the document that it was split off; "" if none
	StartPage       int            `json:"start_page,omitzero"`       // of Parent; sent only with Parent
	EndPage         int            `json:"end_page,omitzero"`         // of Parent; sent only with Parent
	Rotation        int            `json:"rotation,omitzero"`         // in degrees, 0 to 270
	Discarded       bool           `json:"discarded,omitzero"`        // deleted: the row is kept but no longer sent
	Events          []string       `json:"events,omitzero"`           // such as "document.extracted", in order
	CreatedAt       time.Time      `json:"created_at,omitzero"`
	UpdatedAt       time.Time      `json:"updated_at,omitzero"`
	Attributes      map[string]any `json:"attributes,omitzero"`

	representation   string    // id of the extraction
	payloadChangedAt time.Time // last change of the effective payload
	checksum         string    // of Content, as in the direct upload
}

// AddDocument adds a document and returns its id.
func (s *Server) AddDocument(d Document) string {
	return withWorld(s, func(w *world) string { return w.addDocument(d) })
}

// UpdateDocument changes a document in place and reports whether the id exists.
func (s *Server) UpdateDocument(id string, change func(*Document)) bool {
	change = calling(s, change)
	return withWorld(s, func(w *world) bool { return updateRow(&w.docs.documents, id, change) })
}

// Document returns a copy of a document, deleted or not, and whether the id exists.
func (s *Server) Document(id string) (d Document, ok bool) {
	ok = s.UpdateDocument(id, func(found *Document) { d = found.clone() })
	return d, ok
}

func (d *Document) clone() Document {
	c := *d
	c.Content, c.Shipments, c.Containers = slices.Clone(d.Content), slices.Clone(d.Shipments), slices.Clone(d.Containers)
	c.Payload, c.ExtractedDataManual = maps.Clone(d.Payload), maps.Clone(d.ExtractedDataManual)
	c.Events, c.Attributes = slices.Clone(d.Events), maps.Clone(d.Attributes)
	return c
}

func (w *world) addDocument(from Document) string {
	d := from.clone()
	d.ID = w.identify(d.ID, "document")
	d.Name, d.Source = cmp.Or(d.Name, d.FileName), cmp.Or(d.Source, "upload")
	d.CreatedAt = w.orNow(d.CreatedAt)
	if d.UpdatedAt.IsZero() {
		d.UpdatedAt = d.CreatedAt
	}
	if d.Content != nil {
		d.checksum = checksum(d.Content)
	}
	w.replaces(wire.Ref{Kind: "document", ID: d.ID}, w.docs.documents.Get(d.ID) != nil)
	w.docs.documents.Put(d.ID, &d)
	switch {
	case d.Payload != nil:
		w.setExtraction(&d, d.Payload, cmp.Or(d.SchemaVersion, w.schemaVersion(&d)), d.CreatedAt)
	case d.DocumentType == "":
		w.planClassification(&d, d.CreatedAt, true)
	}
	return d.ID
}

// withDocument answers 404 unless the document exists and is not deleted.
func withDocument(handle func(*exchange, *Document) service.Reply) func(*exchange) service.Reply {
	return func(x *exchange) service.Reply {
		d := x.w.docs.documents.Get(x.Args["id"])
		if d == nil || d.Discarded {
			return service.DocumentNotFound("Document")
		}
		return handle(x, d)
	}
}

func (x *exchange) getDocument(d *Document) service.Reply {
	return x.one(200, wire.Ref{Kind: "document", ID: d.ID})
}

func (x *exchange) listDocuments() service.Reply {
	q := x.Query
	var types []string
	if t := q.Get("filter[document_types]"); t != "" {
		types = strings.Split(t, ",")
	}
	var rows []*Document
	for _, d := range x.w.docs.documents.All() {
		switch {
		case d.Discarded,
			types != nil && !slices.Contains(types, cmp.Or(d.DocumentTypeManual, d.DocumentType)),
			!strings.Contains(strings.ToUpper(d.FileName), strings.ToUpper(q.Get("filter[filename]"))),
			!x.w.mentionsReference(d, q.Get("filter[reference]")):
			continue
		}
		rows = append(rows, d)
	}
	refs := newestFirst("document", rows, func(d *Document) (string, time.Time) { return d.ID, d.CreatedAt })
	if sort := q.Get("sort"); sort != "" {
		by := map[string]func(*Document) string{
			"document_type": func(d *Document) string { return cmp.Or(d.DocumentTypeManual, d.DocumentType) },
			"added_by":      func(d *Document) string { return d.User },
			"created_at":    func(d *Document) string { return d.CreatedAt.UTC().Format(time.RFC3339Nano) },
		}[strings.TrimPrefix(sort, "-")]
		if by == nil {
			x.Violate("sort is %q and must be document_type, added_by or created_at", sort)
			return service.Refusal(service.Problem{Status: 400, Title: "Bad Request", Parameter: "sort", Detail: "Invalid sort"})
		}
		key := func(r wire.Ref) string { return by(x.w.docs.documents.Get(r.ID)) }
		slices.SortStableFunc(refs, func(a, b wire.Ref) int {
			if strings.HasPrefix(sort, "-") {
				a, b = b, a
			}
			return strings.Compare(key(a), key(b))
		})
	}
	return x.page(refs, 30, metaSizeTotal)
}

// mentionsReference reports whether the payload or the linked shipments and containers contain a
// number.
func (w *world) mentionsReference(d *Document, number string) bool {
	if number == "" {
		return true
	}
	text, _ := json.Marshal(d.effectivePayload())
	for _, id := range d.Shipments {
		text = append(text, w.shipments.Get(id).BillOfLadingNumber...)
	}
	for _, id := range d.Containers {
		text = append(text, w.containers.Get(id).Number...)
	}
	return bytes.Contains(bytes.ToUpper(text), []byte(strings.ToUpper(number)))
}

func (x *exchange) createDocument() service.Reply {
	var name, signed string
	x.Attribute("name", &name)
	x.Attribute("attached_document", &signed)
	b := x.w.docs.blobs.Get(signed)
	if problems := x.documentProblems(name, signed, b); len(problems) > 0 {
		return service.Refusal(problems...)
	}
	existing := x.w.docs.documents.Find(func(d *Document) bool { return !d.Discarded && d.checksum == b.checksum })
	switch policy := x.s.config.duplicates; {
	case existing != nil && policy == DuplicatesRejected:
		return duplicateDocument(existing)
	case existing != nil && policy == DuplicatesReplace:
		existing.Discarded, existing.UpdatedAt = true, x.Now
	}
	id := x.w.addDocument(Document{
		Name: name, FileName: b.fileName, FileContentType: b.contentType, Content: b.uploaded, Source: "api", User: x.w.user,
	})
	return x.one(201, wire.Ref{Kind: "document", ID: id})
}

// documentProblems returns all problems of a new document at once.
func (x *exchange) documentProblems(name, signed string, b *documentBlob) (problems []service.Problem) {
	if strings.TrimSpace(name) == "" {
		problems = append(problems, service.AttributeProblem("/data/attributes/name", "blank", "Name can't be blank"))
	}
	switch {
	case signed == "":
		problems = append(problems, service.AttributeProblem("/data/attributes/attached_document", "blank", "Attached document can't be blank"))
	case b == nil:
		problems = append(problems, service.AttributeProblem("/data/attributes/attached_document", "invalid", "Attached document is invalid"))
	case b.uploaded == nil:
		x.Violate("the file must be uploaded before the document is created")
		problems = append(problems, service.AttributeProblem("/data/attributes/attached_document", "invalid", "Attached document is not uploaded"))
	}
	return problems
}

func duplicateDocument(existing *Document) service.Reply {
	return service.JSONReply(409, wire.Object{{"errors", []wire.Object{{
		{"status", "409"}, {"code", "duplicate_document"}, {"title", "Duplicate document"},
		{"detail", "A document with the same content already exists."},
		{"meta", wire.Object{{"existing_document_id", existing.ID}, {"existing_document_name", existing.Name}}},
	}}}})
}

func (x *exchange) updateDocument(d *Document) service.Reply {
	if x.Attribute("document_type_manual", &d.DocumentTypeManual) {
		d.UpdatedAt = x.Now
	}
	if raw, there := x.Data.Attributes["extracted_data_manual"]; there {
		d.ExtractedDataManual = nil
		if x.Attribute("extracted_data_manual", &d.ExtractedDataManual) || string(raw) == "null" {
			d.UpdatedAt, d.payloadChangedAt = x.Now, x.Now
		}
		if d.ExtractedDataManual != nil && d.representation == "" {
			d.representation, d.ExtractedAt = x.w.ids.Next("document_representation"), x.Now
			d.SchemaVersion = x.w.schemaVersion(d)
		}
	}
	return x.getDocument(d)
}

func (x *exchange) deleteDocument(d *Document) service.Reply {
	d.Discarded, d.UpdatedAt = true, x.Now
	return service.Reply{Status: 204, Header: http.Header{}}
}

func (x *exchange) downloadURL(d *Document) service.Reply {
	if d.Content == nil {
		return service.Refusal(service.Problem{Status: 422, Title: "No document attached"})
	}
	return service.JSONReply(200, wire.Object{{"download_url", x.presign(storageGrant{method: "GET", key: d.ID})}})
}

func acceptedReply() service.Reply {
	return service.JSONReply(202, wire.Object{{"status", "accepted"}})
}

func (x *exchange) reextract(d *Document) service.Reply {
	x.w.planExtraction(d, x.Now)
	return acceptedReply()
}

func (x *exchange) reclassify(d *Document) service.Reply {
	x.w.planClassification(d, x.Now, false)
	return acceptedReply()
}

func (x *exchange) relink(d *Document) service.Reply {
	x.w.Plan(x.Now.Add(classifyDelay), linkDocument{d.ID})
	return acceptedReply()
}

func (x *exchange) rotate(d *Document) service.Reply {
	var degrees int
	x.Attribute("degrees", &degrees)
	switch {
	case degrees != 90 && degrees != 180 && degrees != 270:
		x.Violate("degrees is %s and must be 90, 180 or 270", strconv.Itoa(degrees))
		return service.Refusal(service.Problem{Status: 422, Title: "Invalid rotation", Detail: "degrees must be one of: 90, 180, 270"})
	case d.Content == nil:
		return service.Refusal(service.Problem{Status: 422, Title: "No document attached"})
	case !strings.HasPrefix(d.FileContentType, "image/"):
		return service.Refusal(service.Problem{Status: 422, Title: "Invalid rotation", Detail: "only images can be rotated"})
	}
	x.w.Plan(x.Now.Add(classifyDelay), rotateDocument{d.ID, degrees})
	return acceptedReply()
}

func (v view) renderDocument(of wire.Ref) (wire.Resource, bool) {
	d := v.w.docs.documents.Get(of.ID)
	if d == nil || d.Discarded {
		return wire.Resource{}, false
	}
	r := wire.Resource{Ref: of, Self: basePath + "/documents/" + d.ID}
	extraction := wire.ToOne("last_document_representation", "document_representation", d.representation)
	if v.emails {
		r.Attributes = wire.Object{
			{"name", d.Name}, {"source", d.Source}, {"document_type", wire.OrNull(d.DocumentType)},
			{"created_at", d.CreatedAt}, {"updated_at", d.UpdatedAt},
		}.With(d.Attributes)
		r.Relations = []wire.Relation{extraction}
		return r, true
	}
	size := any(nil)
	if d.Content != nil {
		size = len(d.Content)
	}
	r.Attributes = wire.Object{
		{"id", d.ID}, {"name", d.Name}, {"document_type", wire.OrNull(d.DocumentType)}, {"document_type_manual", wire.OrNull(d.DocumentTypeManual)},
		{"classification_notes", wire.OrNull(d.ClassificationNotes)}, {"source", d.Source}, {"file_name", d.FileName},
		{"file_content_type", wire.OrNull(d.FileContentType)}, {"file_size_bytes", size},
		{"created_at", d.CreatedAt}, {"updated_at", d.UpdatedAt},
	}
	if d.Parent != "" {
		pages := wire.Object{{"startPage", d.StartPage}, {"endPage", d.EndPage}}
		r.Attributes = append(r.Attributes, wire.Member{"parsed", wire.Object{{"packetSegment", pages}}})
	}
	r.Attributes = r.Attributes.With(d.Attributes)
	r.Relations = []wire.Relation{
		wire.ToOne("account", "account", v.w.account), wire.ToOne("user", "user", d.User),
		wire.ToOne("email_submission", "email_submission", d.EmailSubmission), extraction,
		wire.ToMany("shipments", "shipment", d.Shipments), wire.ToMany("cargos", "container", d.Containers),
	}
	if d.Parent != "" {
		r.Relations = append(r.Relations, wire.ToOne("parent_document", "document", d.Parent))
	}
	return r, true
}
