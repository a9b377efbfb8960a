package terminal49test

// documentRoutes are the operations on documents, their schemas and e-mail submissions, and the
// direct upload.
func documentRoutes() []route {
	pages := []string{"page[number]", "page[size]"}
	with := func(names ...string) []string { return append(names, pages...) }
	include := []string{"include"}
	list := []route{
		{op: "documents.direct_upload", method: "POST", path: directUploadPath,
			body: &bodyRule{attributes: []string{"blob"}}, handle: (*exchange).directUpload},
		{op: "documents.list", method: "GET", path: "/documents", handle: (*exchange).listDocuments,
			query: with("include", "sort", "filter[filename]", "filter[reference]", "filter[document_types]")},
		{op: "documents.create", method: "POST", path: "/documents", handle: (*exchange).createDocument,
			body: &bodyRule{kind: "document", attributes: []string{"name", "attached_document"}}},
		{op: "documents.types", method: "GET", path: "/documents/types", handle: (*exchange).documentTypes},
		{op: "documents.get", method: "GET", path: "/documents/{id}", query: include, handle: withDocument((*exchange).getDocument)},
		{op: "documents.update", method: "PATCH", path: "/documents/{id}", handle: withDocument((*exchange).updateDocument),
			body: &bodyRule{kind: "document", attributes: []string{"document_type_manual", "extracted_data_manual"}}},
		{op: "documents.delete", method: "DELETE", path: "/documents/{id}", handle: withDocument((*exchange).deleteDocument)},
		{op: "documents.download_url", method: "GET", path: "/documents/{id}/download_url",
			handle: withDocument((*exchange).downloadURL)},
		{op: "documents.reextract", method: "POST", path: "/documents/{id}/reextract", handle: withDocument((*exchange).reextract)},
		{op: "documents.reclassify", method: "POST", path: "/documents/{id}/reclassify",
			handle: withDocument((*exchange).reclassify)},
		{op: "documents.relink", method: "POST", path: "/documents/{id}/relink", handle: withDocument((*exchange).relink)},
		{op: "documents.rotate", method: "POST", path: "/documents/{id}/rotate", handle: withDocument((*exchange).rotate),
			body: &bodyRule{attributes: []string{"degrees"}}},
		{op: "document_schemas.get", method: "GET", path: "/document_schemas/{id}", handle: (*exchange).getSchema},
		{op: "email_submissions.list", method: "GET", path: "/email_submissions", query: with("include"),
			handle: (*exchange).listEmails},
		{op: "email_submissions.get", method: "GET", path: "/email_submissions/{id}", query: include,
			handle: (*exchange).getEmail},
	}
	for i := range list {
		list[i].bucket, list[i].handle = "default", requireDocuments(list[i].handle)
	}
	return list
}
