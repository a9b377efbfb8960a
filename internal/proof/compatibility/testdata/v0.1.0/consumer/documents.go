package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/terminal49test"
)

// documents uploads an invoice, validates what was extracted from it, and reads it back.
func documents(ctx context.Context, a *account) error {
	const content = "Invoice INV-1001"
	document, err := a.client.Documents.Upload(ctx, terminal49.DocumentFile{
		Name: "Invoice 1001", FileName: "invoice.pdf", Content: strings.NewReader(content),
	})
	if err != nil {
		return err
	}
	a.service.Advance(time.Minute)
	document, err = a.client.Documents.WaitExtracted(ctx, document.ID, nil)
	if err != nil {
		return err
	}
	schema, err := a.client.DocumentSchemas.For(ctx, document)
	if err != nil {
		return err
	}
	extraction, ok := document.Extraction.Value()
	if !ok {
		return fmt.Errorf("the extraction is %v", document.Extraction.State())
	}
	if err := documentschema.Validate(schema, extraction.Payload); err != nil {
		return err
	}
	var invalid *documentschema.Error
	if err := documentschema.Validate(schema, []byte(`{"total_amount":"a lot"}`)); !errors.As(err, &invalid) {
		return fmt.Errorf("an invalid payload was not refused as such: %w", err)
	}
	var invoice struct {
		Number string `json:"invoice_number"`
		Total  string `json:"total_amount"`
	}
	if err := extraction.Decode(&invoice); err != nil {
		return err
	}
	say("%s is %s: %s over %s; problems of an invalid one: %d", document.Name, schema.ID, invoice.Number, invoice.Total,
		len(invalid.Problems))

	var file bytes.Buffer
	if _, err := a.client.Documents.Download(ctx, document.ID, &file); err != nil {
		return err
	}
	if file.String() != content {
		return fmt.Errorf("downloaded %q", file.String())
	}

	a.service.ReceiveEmail(
		terminal49test.EmailSubmission{Subject: "Papers", From: []string{"forwarder@example.com"}},
		terminal49test.Document{FileName: "packing_list.pdf", Content: []byte("packing list")},
	)
	for email, err := range a.client.EmailSubmissions.All(ctx, nil) {
		if err != nil {
			return err
		}
		say("e-mail %q with %d document", email.Subject, email.Documents.Len())
	}
	return nil
}
