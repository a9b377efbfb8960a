package terminal49test

import "strings"

// renderPaper builds the resources that are about documents, and the account and users behind them.
func (w *world) renderPaper(r ref) (resource, bool) {
	switch r.kind {
	case "document":
		if d := w.papers.documents.get(r.id); d != nil && !d.Discarded {
			return w.renderDocument(d), true
		}
	case "document_representation":
		extracted := func(d *Document) bool { return r.id != "" && d.representation == r.id && !d.Discarded }
		return rendered(w.papers.documents.find(extracted), renderRepresentation)
	case "document_schema":
		return rendered(w.papers.schemas.get(r.id), renderSchema)
	case "email_submission":
		return rendered(w.papers.emails.get(r.id), w.renderEmail)
	case "account":
		if r.id == w.account {
			return resource{ref: r, attributes: object{{"company_name", "Simulated Account"}}}, true
		}
	case "user":
		if r.id == w.user {
			return resource{ref: r, attributes: object{}}, true
		}
	}
	return resource{}, false
}

func (w *world) renderDocument(d *Document) resource {
	r := resource{ref: ref{"document", d.ID}, self: basePath + "/documents/" + d.ID}
	extraction := toOne("last_document_representation", "document_representation", d.representation)
	if w.papers.ofEmails {
		r.attributes = object{
			{"name", d.Name}, {"source", d.Source}, {"document_type", orNull(d.Type)},
			{"created_at", d.CreatedAt}, {"updated_at", d.UpdatedAt},
		}.with(d.Attributes)
		r.relations = []relation{extraction}
		return r
	}
	size := any(nil)
	if d.Content != nil {
		size = len(d.Content)
	}
	r.attributes = object{
		{"id", d.ID}, {"name", d.Name}, {"document_type", orNull(d.Type)}, {"document_type_manual", orNull(d.TypeManual)},
		{"classification_notes", orNull(d.Notes)}, {"source", d.Source}, {"file_name", d.FileName},
		{"file_content_type", orNull(d.ContentType)}, {"file_size_bytes", size},
		{"created_at", d.CreatedAt}, {"updated_at", d.UpdatedAt},
	}.with(d.Attributes)
	r.relations = []relation{
		toOne("account", "account", w.account), toOne("user", "user", d.User),
		toOne("email_submission", "email_submission", d.EmailSubmission), extraction,
		toMany("shipments", "shipment", d.Shipments), toMany("cargos", "container", d.Containers),
	}
	return r
}

func renderRepresentation(d *Document) resource {
	return resource{ref: ref{"document_representation", d.representation}, attributes: object{
		{"schema_version", orNull(d.SchemaVersion)}, {"payload", d.payload()},
		{"created_at", d.ExtractedAt}, {"updated_at", d.payloadAt},
	}}
}

func renderSchema(d *DocumentSchema) resource {
	return resource{
		ref: ref{"document_schema", d.id()}, self: basePath + "/document_schemas/" + d.id(),
		attributes: object{
			{"document_type", d.DocumentType}, {"label", d.Label}, {"schema_version", d.Version}, {"full_version", d.id()},
			{"current", d.Current}, {"draft", d.Draft}, {"active_at", d.ActiveAt}, {"schema_format", "json_schema"},
			{"description", orNull(d.Description)}, {"schema_payload", d.Schema},
			{"created_at", d.CreatedAt}, {"updated_at", d.CreatedAt},
		}.with(d.Attributes),
	}
}

func (w *world) renderEmail(e *EmailSubmission) resource {
	r := resource{ref: ref{"email_submission", e.ID}}
	if !w.papers.ofEmails { // inside documents and webhooks
		r.attributes = object{
			{"subject", orNull(e.Subject)}, {"body_preview", orNull(strings.ToValidUTF8(e.Body[:min(len(e.Body), 200)], ""))},
			{"from", nonNil(e.From)}, {"to", nonNil(e.To)}, {"cc", nonNil(e.CC)}, {"message_id", orNull(e.MessageID)},
			{"sent_at", e.SentAt}, {"created_at", e.CreatedAt}, {"updated_at", e.CreatedAt},
		}.with(e.Attributes)
		return r
	}
	var documents []string
	for _, d := range w.papers.documents.all() {
		if d.EmailSubmission == e.ID && !d.Discarded {
			documents = append(documents, d.ID)
		}
	}
	r.self = basePath + "/email_submissions/" + e.ID
	r.attributes = object{
		{"subject", e.Subject}, {"body", orNull(e.Body)}, {"from", nonNil(e.From)}, {"to", nonNil(e.To)}, {"cc", nonNil(e.CC)},
		{"sent_at", e.SentAt}, {"message_id", orNull(e.MessageID)}, {"in_reply_to", orNull(e.InReplyTo)},
		{"references", nonNil(e.References)}, {"content_type", orNull(e.ContentType)}, {"documents_count", len(documents)},
		{"created_at", e.CreatedAt}, {"updated_at", e.CreatedAt},
	}.with(e.Attributes)
	r.relations = []relation{
		toOne("account", "account", w.account), toOne("user", "user", e.User), toMany("documents", "document", documents),
	}
	return r
}
