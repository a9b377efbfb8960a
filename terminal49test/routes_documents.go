package terminal49test

import "github.com/go-freight/terminal49/terminal49test/internal/service"

// documentRoutes are the operations on documents, their schemas and e-mail submissions, and the
// direct upload.
func documentRoutes() []operation {
	pages := []string{"page[number]", "page[size]"}
	with := func(names ...string) []string { return append(names, pages...) }
	include := []string{"include"}
	list := []operation{
		{service.Route{Op: "documents.direct_upload", Method: "POST", Path: directUploadPath,
			Body: &service.BodyRule{Attributes: []string{"blob"}}}, (*exchange).directUpload},
		{service.Route{Op: "documents.list", Method: "GET", Path: "/documents",
			Query: with("include", "sort", "filter[filename]", "filter[reference]", "filter[document_types]")}, (*exchange).listDocuments},
		{service.Route{Op: "documents.create", Method: "POST", Path: "/documents",
			Body: &service.BodyRule{Kind: "document", Attributes: []string{"name", "attached_document"}}}, (*exchange).createDocument},
		{service.Route{Op: "documents.types", Method: "GET", Path: "/documents/types"}, (*exchange).documentTypes},
		{service.Route{Op: "documents.get", Method: "GET", Path: "/documents/{id}", Query: include}, withDocument((*exchange).getDocument)},
		{service.Route{Op: "documents.update", Method: "PATCH", Path: "/documents/{id}",
			Body: &service.BodyRule{Kind: "document", Attributes: []string{"document_type_manual", "extracted_data_manual"}}}, withDocument((*exchange).updateDocument)},
		{service.Route{Op: "documents.delete", Method: "DELETE", Path: "/documents/{id}"}, withDocument((*exchange).deleteDocument)},
		{service.Route{Op: "documents.download_url", Method: "GET", Path: "/documents/{id}/download_url"}, withDocument((*exchange).downloadURL)},
		{service.Route{Op: "documents.reextract", Method: "POST", Path: "/documents/{id}/reextract"}, withDocument((*exchange).reextract)},
		{service.Route{Op: "documents.reclassify", Method: "POST", Path: "/documents/{id}/reclassify"}, withDocument((*exchange).reclassify)},
		{service.Route{Op: "documents.relink", Method: "POST", Path: "/documents/{id}/relink"}, withDocument((*exchange).relink)},
		{service.Route{Op: "documents.rotate", Method: "POST", Path: "/documents/{id}/rotate",
			Body: &service.BodyRule{Attributes: []string{"degrees"}}}, withDocument((*exchange).rotate)},
		{service.Route{Op: "document_schemas.get", Method: "GET", Path: "/document_schemas/{id}"}, (*exchange).getSchema},
		{service.Route{Op: "email_submissions.list", Method: "GET", Path: "/email_submissions", Query: with("include")}, (*exchange).listEmails},
		{service.Route{Op: "email_submissions.get", Method: "GET", Path: "/email_submissions/{id}", Query: include}, (*exchange).getEmail},
	}
	for i := range list {
		list[i].Bucket, list[i].handle = "default", requireDocuments(list[i].handle)
	}
	return list
}
