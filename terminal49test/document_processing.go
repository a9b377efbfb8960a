package terminal49test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/state"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// DocumentOutcome is the result of processing a document.
type DocumentOutcome string

// The outcomes of a document.
const (
	// DocumentExtracted classifies, extracts and links the document.
	DocumentExtracted DocumentOutcome = ""
	// DocumentExtractionFailed classifies the document; the failure is reported only as an event.
	DocumentExtractionFailed DocumentOutcome = "extraction_failed"
	// DocumentUnclassified never classifies the document.
	DocumentUnclassified DocumentOutcome = "unclassified"
)

// DocumentScript sets how the service processes a file. All durations are simulated time.
type DocumentScript struct {
	ClassifiedAfter time.Duration   `json:"classified_after,omitzero"` // after the document's creation; 0 means 10 seconds
	ExtractedAfter  time.Duration   `json:"extracted_after,omitzero"`  // after the classification; 0 means 20 seconds
	Outcome         DocumentOutcome `json:"outcome,omitzero"`
	// DocumentType is the classification; "" derives it from the file name, such as
	// arrival_notice_7.pdf, and falls back to commercial_invoice.
	DocumentType        string         `json:"document_type,omitzero"`
	ClassificationNotes string         `json:"classification_notes,omitzero"`
	Payload             map[string]any `json:"payload,omitzero"`        // nil means an example that lists the numbers the file mentions
	SchemaVersion       string         `json:"schema_version,omitzero"` // "" means that of the type's current schema
}

// ScriptDocument sets how files with this name are processed, including documents that are
// reclassified or extracted again.
func (s *Server) ScriptDocument(fileName string, d DocumentScript) {
	withWorld(s, func(w *world) bool {
		d.Payload = maps.Clone(d.Payload)
		w.docs.scripts[fileName] = d
		return true
	})
}

// documentStore holds the documents, their types and schemas, and the storage.
type documentStore struct {
	documents state.Table[Document]
	schemas   state.Table[DocumentSchema]
	emails    state.Table[EmailSubmission]
	types     []DocumentType
	scripts   map[string]DocumentScript // by file name
	blobs     state.Table[documentBlob] // by signed id
	grants    map[string]storageGrant   // by signature
}

const (
	classifyDelay = 10 * time.Second
	extractDelay  = 20 * time.Second
)

// planClassification plans the classification and, with goOn, the extraction after it.
func (w *world) planClassification(d *Document, at time.Time, goOn bool) {
	script := w.docs.scripts[d.FileName]
	w.Plan(at.Add(cmp.Or(script.ClassifiedAfter, classifyDelay)), classifyDocument{d.ID, script, goOn})
}

func (w *world) classify(d *Document, t classifyDocument, at time.Time) {
	if d.Discarded || t.Script.Outcome == DocumentUnclassified {
		return
	}
	w.docs.documents.Own(d.ID)
	d.DocumentType, d.ClassificationNotes, d.UpdatedAt = cmp.Or(t.Script.DocumentType, w.typeByName(d.FileName)), t.Script.ClassificationNotes, at
	if t.Extract {
		w.planExtraction(d, at)
	}
}

// planExtraction plans the extraction; afterwards the document is linked.
func (w *world) planExtraction(d *Document, at time.Time) {
	script := w.docs.scripts[d.FileName]
	w.Plan(at.Add(cmp.Or(script.ExtractedAfter, extractDelay)), extractDocument{d.ID, script})
}

func (w *world) extract(d *Document, script DocumentScript, at time.Time) {
	w.docs.documents.Own(d.ID)
	switch {
	case d.Discarded || script.Outcome == DocumentUnclassified:
		return
	case script.Outcome == DocumentExtractionFailed:
		d.UpdatedAt = at
		w.notifyDocument(d, "document.extraction_failed", at)
		return
	}
	payload := script.Payload
	if payload == nil {
		payload = w.examplePayload(d)
	}
	w.setExtraction(d, payload, cmp.Or(script.SchemaVersion, w.schemaVersion(d)), at)
	w.linkDocument(d, at)
	w.notifyDocument(d, "document.extracted", at)
	if len(d.Shipments)+len(d.Containers) > 0 {
		w.notify("link.created", at, wire.Ref{Kind: "document", ID: d.ID})
	}
}

func (w *world) notifyDocument(d *Document, event string, at time.Time) {
	d.Events = append(d.Events, event)
	w.notify(event, at, wire.Ref{Kind: "document", ID: d.ID})
	w.notify(otherDocumentEvent(event), at, wire.Ref{Kind: "document", ID: d.ID})
}

func (w *world) setExtraction(d *Document, payload map[string]any, version string, at time.Time) {
	d.representation = w.ids.Next("document_representation")
	d.Payload, d.SchemaVersion, d.ExtractedAt, d.payloadChangedAt = maps.Clone(payload), version, at, at
	d.UpdatedAt = laterOf(d.UpdatedAt, at)
}

func (w *world) schemaVersion(d *Document) string {
	if schema := w.currentSchema(d.DocumentType); schema != nil {
		return schema.SchemaVersion
	}
	return ""
}

// typeByName finds a document type of the account in a file name, with any separators of its words.
func (w *world) typeByName(fileName string) string {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < 'a' || r > 'z' {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	for _, t := range w.docs.types {
		if strings.Contains(letters(fileName), letters(t.Code)) {
			return t.Code
		}
	}
	return "commercial_invoice"
}

// examplePayload returns an example for the type, with the numbers that the file mentions.
func (w *world) examplePayload(d *Document) map[string]any {
	shipments, containers := w.mentionedIn(d)
	numbers, containerNumbers := []string{}, []string{}
	for _, id := range shipments {
		numbers = append(numbers, w.shipments.Get(id).BillOfLadingNumber)
	}
	for _, id := range containers {
		containerNumbers = append(containerNumbers, w.containers.Get(id).Number)
	}
	payload := map[string]any{"bill_of_lading_numbers": numbers, "container_numbers": containerNumbers}
	if d.DocumentType == "commercial_invoice" {
		payload["invoice_number"], payload["currency"], payload["total_amount"] = "INV-1001", "USD", "12450.00"
	}
	return payload
}

// linkDocument sets the shipments and containers that the document mentions.
func (w *world) linkDocument(d *Document, at time.Time) {
	d.Shipments, d.Containers = w.mentionedIn(d)
	d.UpdatedAt = laterOf(d.UpdatedAt, at)
}

// mentionedIn finds the shipments and containers whose numbers are in the file, its name or its
// payload.
func (w *world) mentionedIn(d *Document) (shipments, containers []string) {
	// A payload that cannot be encoded mentions no number.
	payload, _ := json.Marshal(d.effectivePayload())
	text := bytes.ToUpper(slices.Concat([]byte(d.Name+"\n"+d.FileName+"\n"), d.Content, payload))
	mentions := func(number string) bool {
		return number != "" && bytes.Contains(text, []byte(strings.ToUpper(number)))
	}
	for _, s := range w.shipments.All() {
		if mentions(s.BillOfLadingNumber) {
			shipments = append(shipments, s.ID)
		}
	}
	for _, c := range w.containers.All() {
		if mentions(c.Number) {
			containers = append(containers, c.ID)
		}
	}
	return shipments, containers
}

// effectivePayload returns the payload that a user set, or else the extracted one.
func (d *Document) effectivePayload() map[string]any {
	if d.ExtractedDataManual != nil {
		return d.ExtractedDataManual
	}
	return d.Payload
}

func (v view) renderRepresentation(r wire.Ref) (wire.Resource, bool) {
	d := v.w.docs.documents.Find(func(d *Document) bool { return r.ID != "" && d.representation == r.ID && !d.Discarded })
	if d == nil {
		return wire.Resource{}, false
	}
	return wire.Resource{Ref: r, Attributes: wire.Object{
		{"schema_version", wire.OrNull(d.SchemaVersion)}, {"payload", d.effectivePayload()},
		{"created_at", d.ExtractedAt}, {"updated_at", d.payloadChangedAt},
	}}, true
}
