package catalogue

// documentOperations lists the calls about documents, their schemas and the
// e-mails that brought them.
func documentOperations() []Operation {
	const get, post, patch, del = "GET", "POST", "PATCH", "DELETE"
	document := []string{
		"shipments", "cargos", "account", "user", "email_submission",
		"last_document_representation", "current_extraction",
	}
	email := []string{"account", "user", "documents", "documents.last_document_representation"}
	return []Operation{
		{
			Name: "documents.list", Method: get, Path: "/documents", Resource: "document",
			Query: paged("include", "sort", "filter[filename]", "filter[reference]", "filter[document_types]"), Includes: document,
		},
		{
			Name: "documents.create", Method: post, Path: "/documents", Resource: "document",
			Body: []string{"name", "attached_document"},
		},
		{
			Name: "documents.get", Method: get, Path: "/documents/{id}", Resource: "document",
			Query: []string{"include"}, Includes: document,
		},
		{
			Name: "documents.update", Method: patch, Path: "/documents/{id}", Resource: "document",
			Body: []string{"document_type_manual", "extracted_data_manual"},
		},
		{Name: "documents.delete", Method: del, Path: "/documents/{id}"},
		{Name: "documents.types", Method: get, Path: "/documents/types"},
		{Name: "documents.download_url", Method: get, Path: "/documents/{id}/download_url"},
		{Name: "documents.reextract", Method: post, Path: "/documents/{id}/reextract"},
		{Name: "documents.reclassify", Method: post, Path: "/documents/{id}/reclassify"},
		{Name: "documents.relink", Method: post, Path: "/documents/{id}/relink"},
		{Name: "documents.rotate", Method: post, Path: "/documents/{id}/rotate", Body: []string{"degrees"}},

		{Name: "document_schemas.get", Method: get, Path: "/document_schemas/{id}", Resource: "document_schema"},

		{
			Name: "email_submissions.list", Method: get, Path: "/email_submissions", Resource: "email_submission",
			Query: paged("include"), Includes: email,
		},
		{
			Name: "email_submissions.get", Method: get, Path: "/email_submissions/{id}", Resource: "email_submission",
			Query: []string{"include"}, Includes: email,
		},
	}
}

func documentTypes() []Type {
	return []Type{
		{
			Name: "document",
			Attributes: []string{
				"id", "name", "document_type", "document_type_manual", "classification_notes", "source",
				"file_name", "file_content_type", "file_size_bytes", "created_at", "updated_at",
			},
			Relationships: []Relationship{
				one("account", "account"),
				one("user", "user"),
				one("email_submission", "email_submission"),
				one("last_document_representation", "document_representation"),
				one("current_extraction", "document_representation"),
				many("shipments", "shipment"),
				many("cargos", "container"),
			},
		},
		{
			Name:       "document_representation",
			Attributes: []string{"schema_version", "payload", "created_at", "updated_at"},
		},
		{
			Name: "document_schema",
			Attributes: []string{
				"document_type", "label", "schema_version", "full_version", "current", "draft", "active_at",
				"schema_format", "description", "schema_payload", "created_at", "updated_at",
			},
		},
		{
			Name: "email_submission",
			Attributes: []string{
				"subject", "body", "body_preview", "from", "to", "cc", "sent_at", "message_id", "in_reply_to",
				"references", "content_type", "documents_count", "created_at", "updated_at",
			},
			Relationships: []Relationship{
				one("account", "account"),
				one("user", "user"),
				many("documents", "document"),
			},
		},
	}
}

func documentEnums() []Enum {
	return []Enum{
		{"document.source", []string{"upload", "api", "email", "split_document"}},
		{"document_schema.schema_format", []string{"json_schema"}},
	}
}
