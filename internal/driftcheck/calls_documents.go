package main

import (
	"context"

	"github.com/go-freight/terminal49"
)

// documentCalls returns the calls of documents, their schemas and e-mail submissions.
func documentCalls() map[string]func(*terminal49.Client) error {
	ctx := context.Background()
	return map[string]func(*terminal49.Client) error{
		"documents.list": func(c *terminal49.Client) error { return errOf(c.Documents.List(ctx, nil)) },
		"documents.get":  func(c *terminal49.Client) error { return errOf(c.Documents.Get(ctx, anyID, nil)) },
		"documents.create": func(c *terminal49.Client) error {
			create := terminal49.DocumentCreate{Name: "invoice.pdf", AttachedDocument: terminal49.NewSecret("signed")}
			return errOf(c.Documents.Create(ctx, create))
		},
		"documents.update": func(c *terminal49.Client) error {
			change := terminal49.DocumentUpdate{DocumentTypeManual: terminal49.Some("commercial_invoice")}
			return errOf(c.Documents.Update(ctx, anyID, change))
		},
		"documents.delete":       func(c *terminal49.Client) error { return c.Documents.Delete(ctx, anyID) },
		"documents.types":        func(c *terminal49.Client) error { return errOf(c.Documents.Types(ctx)) },
		"documents.type":         func(c *terminal49.Client) error { return errOf(c.Documents.Type(ctx, "commercial_invoice")) },
		"documents.download_url": func(c *terminal49.Client) error { return errOf(c.Documents.DownloadURL(ctx, anyID)) },
		"documents.reextract":    func(c *terminal49.Client) error { return c.Documents.Reextract(ctx, anyID) },
		"documents.reclassify":   func(c *terminal49.Client) error { return c.Documents.Reclassify(ctx, anyID) },
		"documents.relink":       func(c *terminal49.Client) error { return c.Documents.Relink(ctx, anyID) },
		"documents.rotate":       func(c *terminal49.Client) error { return c.Documents.Rotate(ctx, anyID, 90) },
		"document_schemas.get": func(c *terminal49.Client) error {
			return errOf(c.DocumentSchemas.Get(ctx, "commercial_invoice@2026-03-23"))
		},
		"email_submissions.list": func(c *terminal49.Client) error { return errOf(c.EmailSubmissions.List(ctx, nil)) },
		"email_submissions.get":  func(c *terminal49.Client) error { return errOf(c.EmailSubmissions.Get(ctx, anyID, nil)) },
	}
}
