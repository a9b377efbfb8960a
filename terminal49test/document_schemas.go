package terminal49test

import (
	"maps"
	"slices"
	"time"

	"github.com/go-freight/terminal49/terminal49test/internal/service"
	"github.com/go-freight/terminal49/terminal49test/internal/wire"
)

// DocumentType is a type of document that the account uses.
type DocumentType struct {
	Code        string `json:"code"`
	Label       string `json:"label"`
	Description string `json:"description,omitzero"`
}

// DocumentSchema is the JSON Schema of the payload of one type of document.
type DocumentSchema struct {
	DocumentType  string         `json:"document_type,omitzero"`
	SchemaVersion string         `json:"schema_version,omitzero"` // a date such as "2026-03-23"; the id is type@version
	Label         string         `json:"label,omitzero"`
	Description   string         `json:"description,omitzero"`
	Current       bool           `json:"current,omitzero"`
	Draft         bool           `json:"draft,omitzero"`
	ActiveAt      time.Time      `json:"active_at,omitzero"`
	CreatedAt     time.Time      `json:"created_at,omitzero"`     // zero means now
	SchemaPayload map[string]any `json:"schema_payload,omitzero"` // a JSON Schema
	Attributes    map[string]any `json:"attributes,omitzero"`
}

// AddDocumentType adds a type of document.
func (s *Server) AddDocumentType(t DocumentType) {
	withWorld(s, func(w *world) bool { w.docs.types = append(w.docs.types, t); return true })
}

// AddDocumentSchema adds a schema and returns its id. A current schema replaces the type's current
// one.
func (s *Server) AddDocumentSchema(d DocumentSchema) string {
	return withWorld(s, func(w *world) string { return w.addSchema(d) })
}

// addDocumentTypes adds the account's document types and their schemas.
func (w *world) addDocumentTypes() {
	w.docs.types = []DocumentType{
		{Code: "commercial_invoice", Label: "Commercial Invoice"}, {Code: "arrival_notice", Label: "Arrival Notice"},
		{Code: "sea_waybill", Label: "Sea Waybill"}, {Code: "carrier_delivery_order", Label: "Carrier Delivery Order"},
		{Code: "cargo_control_document", Label: "Cargo Control Document"},
	}
	text := map[string]any{"type": "string"}
	lists := map[string]any{"type": "array", "items": text}
	since := time.Date(2026, time.March, 23, 0, 0, 0, 0, time.UTC)
	for _, t := range w.docs.types {
		members := map[string]any{"bill_of_lading_numbers": lists, "container_numbers": lists}
		required := []any{}
		if t.Code == "commercial_invoice" {
			members["invoice_number"], members["currency"] = text, map[string]any{"type": "string", "pattern": "^[A-Z]{3}$"}
			members["total_amount"] = map[string]any{"type": "string", "pattern": `^[0-9]+(\.[0-9]+)?$`}
			required = append(required, "invoice_number", "total_amount")
		}
		w.addSchema(DocumentSchema{
			DocumentType: t.Code, Label: t.Label, SchemaVersion: since.Format(time.DateOnly), Current: true, ActiveAt: since, CreatedAt: since,
			SchemaPayload: map[string]any{
				"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": members, "required": required,
			},
		})
	}
}

func (w *world) addSchema(d DocumentSchema) string {
	d.CreatedAt = w.orNow(d.CreatedAt)
	d.SchemaPayload, d.Attributes = maps.Clone(d.SchemaPayload), maps.Clone(d.Attributes)
	if d.Current {
		if old := w.currentSchema(d.DocumentType); old != nil {
			old.Current = false
		}
	}
	w.docs.schemas.Put(d.id(), &d)
	return d.id()
}

func (d *DocumentSchema) id() string { return d.DocumentType + "@" + d.SchemaVersion }

func (w *world) currentSchema(documentType string) *DocumentSchema {
	return w.docs.schemas.Find(func(d *DocumentSchema) bool { return d.Current && d.DocumentType == documentType })
}

func (x *exchange) documentTypes() service.Reply {
	list := []wire.Object{}
	for _, t := range x.w.docs.types {
		list = append(list, t.render(x.w.currentSchema(t.Code), func(*DocumentSchema) wire.Object {
			return wire.Object{{"detail_url", basePath + "/documents/types/" + t.Code}}
		}))
	}
	return service.JSONReply(200, wire.Object{{"document_types", list}})
}

// documentType sends a type with its schema. The form of the service's payload is not public; the
// one here is the schema of the extraction.
func (x *exchange) documentType() service.Reply {
	code := x.Args["code"]
	i := slices.IndexFunc(x.w.docs.types, func(t DocumentType) bool { return t.Code == code })
	if i < 0 {
		return service.DocumentNotFound("DocumentType with 'code'=" + code)
	}
	attributes := x.w.docs.types[i].render(x.w.currentSchema(code), func(schema *DocumentSchema) wire.Object {
		return wire.Object{{"format", "json_schema"}, {"payload", schema.SchemaPayload}}
	})
	return service.JSONReply(200, wire.Object{{"data", wire.Object{{"id", code}, {"type", "document_type"}, {"attributes", attributes}}}})
}

func (t DocumentType) render(schema *DocumentSchema, details func(*DocumentSchema) wire.Object) wire.Object {
	o := wire.Object{{"code", t.Code}, {"label", t.Label}}
	if t.Description != "" {
		o = append(o, wire.Object{{"description", t.Description}}...)
	}
	if schema != nil {
		of := wire.Object{{"id", schema.id()}, {"version", schema.SchemaVersion}}
		o = append(o, wire.Object{{"schema", append(of, details(schema)...)}}...)
	}
	return o
}

func (x *exchange) getSchema() service.Reply {
	if x.w.docs.schemas.Get(x.Args["id"]) == nil {
		return service.DocumentNotFound("DocumentSchema with 'id'=" + x.Args["id"])
	}
	return x.one(200, wire.Ref{Kind: "document_schema", ID: x.Args["id"]})
}

func (w *world) renderSchema(d *DocumentSchema) wire.Resource {
	return wire.Resource{
		Ref: wire.Ref{Kind: "document_schema", ID: d.id()}, Self: basePath + "/document_schemas/" + d.id(),
		Attributes: wire.Object{
			{"document_type", d.DocumentType}, {"label", d.Label}, {"schema_version", d.SchemaVersion}, {"full_version", d.id()},
			{"current", d.Current}, {"draft", d.Draft}, {"active_at", d.ActiveAt}, {"schema_format", "json_schema"},
			{"description", wire.OrNull(d.Description)}, {"schema_payload", d.SchemaPayload},
			{"created_at", d.CreatedAt}, {"updated_at", d.CreatedAt},
		}.With(d.Attributes),
	}
}
