package terminal49test

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"
)

// papers is the part of the world that is about documents.
type papers struct {
	documents table[Document]
	schemas   table[DocumentSchema]
	emails    table[EmailSubmission]
	types     []DocumentType
	scripts   map[string]DocumentScript // by file name
	blobs     table[blob]               // by signed id
	grants    map[string]grant          // by signature
	ofEmails  bool                      // what is being answered is about e-mails: documents look different inside of them
}

const (
	classifyDelay = 10 * time.Second
	extractDelay  = 20 * time.Second
)

// addPapers gives the account its kinds of document and their schemas.
func (w *world) addPapers() {
	w.papers.types = []DocumentType{
		{"commercial_invoice", "Commercial Invoice"}, {"arrival_notice", "Arrival Notice"}, {"sea_waybill", "Sea Waybill"},
		{"carrier_delivery_order", "Carrier Delivery Order"}, {"cargo_control_document", "Cargo Control Document"},
	}
	text := map[string]any{"type": "string"}
	lists := map[string]any{"type": "array", "items": text}
	since := time.Date(2026, time.March, 23, 0, 0, 0, 0, time.UTC)
	for _, t := range w.papers.types {
		members := map[string]any{"bill_of_lading_numbers": lists, "container_numbers": lists}
		required := []any{}
		if t.Code == "commercial_invoice" {
			members["invoice_number"], members["currency"] = text, map[string]any{"type": "string", "pattern": "^[A-Z]{3}$"}
			members["total_amount"] = map[string]any{"type": "string", "pattern": `^[0-9]+(\.[0-9]+)?$`}
			required = append(required, "invoice_number", "total_amount")
		}
		w.addSchema(DocumentSchema{
			DocumentType: t.Code, Label: t.Label, Version: since.Format(time.DateOnly), Current: true, ActiveAt: since, CreatedAt: since,
			Schema: map[string]any{
				"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": members, "required": required,
			},
		})
	}
}

func (w *world) addSchema(d DocumentSchema) string {
	d.CreatedAt = w.orNow(d.CreatedAt)
	d.Schema, d.Attributes = maps.Clone(d.Schema), maps.Clone(d.Attributes)
	if d.Current {
		if old := w.currentSchema(d.DocumentType); old != nil {
			old.Current = false
		}
	}
	w.papers.schemas.put(d.id(), &d)
	return d.id()
}

func (d *DocumentSchema) id() string { return d.DocumentType + "@" + d.Version }

func (w *world) currentSchema(documentType string) *DocumentSchema {
	return w.papers.schemas.find(func(d *DocumentSchema) bool { return d.Current && d.DocumentType == documentType })
}

func (w *world) addEmail(e EmailSubmission) string {
	e.ID = w.identify(e.ID, "email_submission")
	e.CreatedAt = w.orNow(e.CreatedAt)
	e.ContentType = cmp.Or(e.ContentType, "multipart/mixed")
	e.From, e.To, e.CC = slices.Clone(e.From), slices.Clone(e.To), slices.Clone(e.CC)
	e.References, e.Attributes = slices.Clone(e.References), maps.Clone(e.Attributes)
	w.papers.emails.put(e.ID, &e)
	return e.ID
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
	w.papers.documents.put(d.ID, &d)
	switch {
	case d.Payload != nil:
		w.extracted(&d, d.Payload, cmp.Or(d.SchemaVersion, w.schemaVersion(&d)), d.CreatedAt)
	case d.Type == "":
		w.classify(&d, d.CreatedAt, true)
	}
	return d.ID
}

func checksum(content []byte) string {
	sum := md5.Sum(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// classify finds the document's type some time after at, and then goes on to extract.
func (w *world) classify(d *Document, at time.Time, goOn bool) {
	script := w.papers.scripts[d.FileName]
	w.plan(at.Add(cmp.Or(script.ClassifiedAfter, classifyDelay)), func(at time.Time) {
		if d.Discarded || script.Outcome == DocumentUnclassified {
			return
		}
		d.Type, d.Notes, d.UpdatedAt = cmp.Or(script.Type, w.typeByName(d.FileName)), script.Notes, at
		if goOn {
			w.extract(d, at)
		}
	})
}

// extract reads the document some time after at, and links it.
func (w *world) extract(d *Document, at time.Time) {
	script := w.papers.scripts[d.FileName]
	w.plan(at.Add(cmp.Or(script.ExtractedAfter, extractDelay)), func(at time.Time) {
		switch {
		case d.Discarded || script.Outcome == DocumentUnclassified:
			return
		case script.Outcome == DocumentExtractionFailed:
			d.UpdatedAt = at
			w.tellDocument(d, "document.extraction_failed", at)
			return
		}
		payload := script.Payload
		if payload == nil {
			payload = w.examplePayload(d)
		}
		w.extracted(d, payload, cmp.Or(script.SchemaVersion, w.schemaVersion(d)), at)
		w.link(d, at)
		w.tellDocument(d, "document.extracted", at)
	})
}

func (w *world) tellDocument(d *Document, event string, at time.Time) {
	d.Events = append(d.Events, event)
	w.tell(event, at, ref{"document", d.ID})
}

func (w *world) extracted(d *Document, payload map[string]any, version string, at time.Time) {
	d.representation = w.ids.next("document_representation")
	d.Payload, d.SchemaVersion, d.ExtractedAt, d.payloadAt = maps.Clone(payload), version, at, at
	d.UpdatedAt = latest(d.UpdatedAt, at)
}

func (w *world) schemaVersion(d *Document) string {
	if schema := w.currentSchema(d.Type); schema != nil {
		return schema.Version
	}
	return ""
}

// typeByName finds a type of the account in a file name, whatever stands between its words.
func (w *world) typeByName(fileName string) string {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < 'a' || r > 'z' {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	for _, t := range w.papers.types {
		if strings.Contains(letters(fileName), letters(t.Code)) {
			return t.Code
		}
	}
	return "commercial_invoice"
}

// examplePayload is what an example of the type says, with the numbers that the file mentions.
func (w *world) examplePayload(d *Document) map[string]any {
	shipments, containers := w.mentioned(d)
	numbers, boxes := []string{}, []string{}
	for _, id := range shipments {
		numbers = append(numbers, w.shipments.get(id).Number)
	}
	for _, id := range containers {
		boxes = append(boxes, w.containers.get(id).Number)
	}
	payload := map[string]any{"bill_of_lading_numbers": numbers, "container_numbers": boxes}
	if d.Type == "commercial_invoice" {
		payload["invoice_number"], payload["currency"], payload["total_amount"] = "INV-1001", "USD", "12450.00"
	}
	return payload
}

// link finds the shipments and containers that the document is about.
func (w *world) link(d *Document, at time.Time) {
	d.Shipments, d.Containers = w.mentioned(d)
	d.UpdatedAt = latest(d.UpdatedAt, at)
}

// mentioned finds the shipments and containers whose numbers stand in the file, its name or what was extracted.
func (w *world) mentioned(d *Document) (shipments, containers []string) {
	payload, _ := json.Marshal(d.payload()) // what cannot be written mentions nothing
	text := bytes.ToUpper(slices.Concat([]byte(d.Name+"\n"+d.FileName+"\n"), d.Content, payload))
	mentions := func(number string) bool {
		return number != "" && bytes.Contains(text, []byte(strings.ToUpper(number)))
	}
	for _, s := range w.shipments.all() {
		if mentions(s.Number) {
			shipments = append(shipments, s.ID)
		}
	}
	for _, c := range w.containers.all() {
		if mentions(c.Number) {
			containers = append(containers, c.ID)
		}
	}
	return shipments, containers
}

// payload is what counts: what a user put in, else what was extracted.
func (d *Document) payload() map[string]any {
	if d.PayloadManual != nil {
		return d.PayloadManual
	}
	return d.Payload
}
