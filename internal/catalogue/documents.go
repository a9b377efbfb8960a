package catalogue

func documentTypes() []Type {
	return []Type{
		{
			Name: "document",
			Attributes: []string{
				"id", "name", "document_type", "document_type_manual", "classification_notes", "source",
				"file_name", "file_content_type", "file_size_bytes", "created_at", "updated_at",
				"parsed",
			},
			Relationships: []Relationship{
				toOne("account", "account"),
				toOne("user", "user"),
				toOne("email_submission", "email_submission"),
				toOne("last_document_representation", "document_representation"),
				toOne("current_extraction", "document_representation"),
				toMany("shipments", "shipment"),
				toMany("cargos", "container"),
				toOne("parent_document", "document"),
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
				toOne("account", "account"),
				toOne("user", "user"),
				toMany("documents", "document"),
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
