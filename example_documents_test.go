package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/terminal49test"
)

// simulatedPapers is a service whose clock runs fast, so that documents are read at once.
func simulatedPapers() (*terminal49test.Server, *terminal49.Client) {
	srv := terminal49test.NewServer(terminal49test.WithSpeed(3600), terminal49test.WithStart(time.Date(2026, 4, 1, 9, 0, 0, 0, time.UTC)))
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		panic(err)
	}
	return srv, client
}

// Upload a document, wait for what the service reads in it, check that and use it.
func ExampleDocumentsService_Upload() {
	srv, client := simulatedPapers()
	defer srv.Close()
	ctx := context.Background()

	file := strings.NewReader("Invoice INV-1001") // or an *os.File
	document, err := client.Documents.Upload(ctx, terminal49.DocumentFile{Name: "Invoice 1001", FileName: "inv.pdf", Content: file})
	if err != nil {
		fmt.Println(err)
		return
	}
	document, err = client.Documents.WaitExtracted(ctx, document.ID, &terminal49.ExtractionWaitParams{MinInterval: 10 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return
	}
	schema, err := client.DocumentSchemas.For(ctx, document)
	if err != nil {
		fmt.Println(err)
		return
	}
	extraction, _ := document.Extraction.Value()
	if err := documentschema.Validate(schema, extraction.Payload); err != nil {
		fmt.Println(err)
		return
	}
	var invoice struct {
		Number string `json:"invoice_number"`
		Total  string `json:"total_amount"`
	}
	if err := extraction.Decode(&invoice); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(document.DocumentType, schema.ID, invoice.Number, invoice.Total)
	// Output: commercial_invoice commercial_invoice@2026-03-23 INV-1001 12450.00
}

// The same contents are taken once. An upload whose last step fails is finished without sending the file again.
func ExampleDocumentsService_Create() {
	srv, client := simulatedPapers()
	defer srv.Close()
	ctx := context.Background()
	upload := func() error {
		_, err := client.Documents.Upload(ctx, terminal49.DocumentFile{FileName: "inv.pdf", Content: strings.NewReader("INV-1001")})
		return err
	}

	srv.Fault(terminal49test.Fault{Operation: "documents.create", Status: 500})
	var unfinished *terminal49.DocumentNotCreatedError
	if err := upload(); errors.As(err, &unfinished) {
		document, err := client.Documents.Create(ctx, terminal49.DocumentCreate{Name: unfinished.Name, AttachedDocument: unfinished.SignedID()})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("finished", document.Name)
	}
	var duplicate *terminal49.DuplicateDocumentError
	if err := upload(); errors.As(err, &duplicate) {
		fmt.Println("already there:", duplicate.ExistingName)
	}
	// Output:
	// finished inv.pdf
	// already there: inv.pdf
}

func ExampleDocumentsService_Download() {
	srv, client := simulatedPapers()
	defer srv.Close()
	ctx := context.Background()
	id := srv.AddDocument(terminal49test.Document{FileName: "notice.txt", Content: []byte("Arrival notice\n")})

	n, err := client.Documents.Download(ctx, id, os.Stdout)
	fmt.Println(n, err)

	// The address can be handed on instead; it opens the file for whoever has it, so it does not print.
	address, err := client.Documents.DownloadURL(ctx, id)
	fmt.Println(address, address.Reveal() != "", err)
	// Output:
	// Arrival notice
	// 15 <nil>
	// [secret] true <nil>
}

// Everything that can be read and corrected.
func ExampleDocumentsService_Update() {
	srv, client := simulatedPapers()
	defer srv.Close()
	ctx := context.Background()
	id := srv.AddDocument(terminal49test.Document{FileName: "scan.png", FileContentType: "image/png", Content: []byte("png"), DocumentType: "sea_waybill"})

	types, err := client.Documents.Types(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(types[0].Code, types[0].Label)

	document, err := client.Documents.Update(ctx, id, terminal49.DocumentUpdate{
		DocumentTypeManual:  terminal49.Some("commercial_invoice"),
		ExtractedDataManual: terminal49.Some(map[string]any{"invoice_number": "INV-7", "total_amount": "99.50"}),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(document.DocumentType, document.EffectiveType())

	// Take the correction back and let the service try again.
	_, err = client.Documents.Update(ctx, id, terminal49.DocumentUpdate{ExtractedDataManual: terminal49.Null[map[string]any]()})
	fmt.Println(err)
	for _, again := range []func(context.Context, string, ...terminal49.CallOption) error{
		client.Documents.Reclassify, client.Documents.Reextract, client.Documents.Relink,
	} {
		fmt.Println(again(ctx, id))
	}
	fmt.Println(client.Documents.Rotate(ctx, id, 90))
	fmt.Println(client.Documents.Rotate(ctx, id, 45))
	fmt.Println(client.Documents.Delete(ctx, id))
	// Output:
	// commercial_invoice Commercial Invoice
	// sea_waybill commercial_invoice
	// <nil>
	// <nil>
	// <nil>
	// <nil>
	// <nil>
	// terminal49: documents.rotate: degrees must be 90, 180 or 270, not 45
	// <nil>
}

func ExampleDocumentsService_All() {
	srv, client := simulatedPapers()
	defer srv.Close()
	ctx := context.Background()
	for _, name := range []string{"arrival_notice.pdf", "invoice.pdf"} {
		srv.AddDocument(terminal49test.Document{FileName: name, Content: []byte(name), DocumentType: strings.TrimSuffix(name, ".pdf")})
	}
	newest := terminal49.DocumentListParams{Sort: terminal49.DocumentSortType, FileName: "pdf"}
	for document, err := range client.Documents.All(ctx, &newest) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(document.FileName, document.Source)
	}
	// Output:
	// arrival_notice.pdf upload
	// invoice.pdf upload
}

func ExampleEmailSubmissionsService_All() {
	srv, client := simulatedPapers()
	defer srv.Close()
	srv.ReceiveEmail(
		terminal49test.EmailSubmission{Subject: "Papers for MAEU123456789", From: []string{"forwarder@example.com"}},
		terminal49test.Document{FileName: "invoice.pdf", Content: []byte("invoice")},
	)
	for email, err := range client.EmailSubmissions.All(context.Background(), nil) {
		if err != nil {
			fmt.Println(err)
			return
		}
		documents, _ := email.Documents.Values()
		fmt.Println(email.Subject, email.From, documents[0].Name)
	}
	// Output: Papers for MAEU123456789 [forwarder@example.com] invoice.pdf
}

// One page, all pages, and one document with what belongs to it.
func ExampleDocumentsService_List() {
	srv, client := simulatedPapers()
	defer srv.Close()
	ctx := context.Background()
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456789"})
	for _, name := range []string{"one.pdf", "two.pdf", "three.pdf"} {
		srv.AddDocument(terminal49test.Document{FileName: name, Content: []byte(name), DocumentType: "sea_waybill", Shipments: []string{shipment}})
	}
	size := terminal49.PageParams{PageSize: 2}
	page, err := client.Documents.List(ctx, &terminal49.DocumentListParams{PageParams: size})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(page.Items), "of", page.Total)
	for page, err := range client.Documents.Pages(ctx, &terminal49.DocumentListParams{PageParams: size}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("a page of", len(page.Items))
	}
	document, err := client.Documents.Get(ctx, page.Items[0].ID, &terminal49.DocumentGetParams{
		Include: []terminal49.DocumentInclude{terminal49.DocumentIncludeShipments},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	shipments, _ := document.Shipments.Values()
	fmt.Println(document.DocumentType, shipments[0].BillOfLadingNumber)
	// Output:
	// 2 of 3
	// a page of 2
	// a page of 1
	// sea_waybill MAEU123456789
}

// A schema tells which members to expect, before there is any document.
func ExampleDocumentSchemasService_Get() {
	srv, client := simulatedPapers()
	defer srv.Close()
	schema, err := client.DocumentSchemas.Get(context.Background(), terminal49.DocumentSchemaID("commercial_invoice", "2026-03-23"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(schema.Label, schema.Current)
	fmt.Println(documentschema.Validate(schema, []byte(`{"invoice_number":"INV-1001","total_amount":"a lot"}`)))
	// Output:
	// Commercial Invoice true
	// documentschema: the payload does not follow commercial_invoice@2026-03-23: "/total_amount" breaks pattern
}

func ExampleEmailSubmissionsService_Get() {
	srv, client := simulatedPapers()
	defer srv.Close()
	ctx := context.Background()
	id := srv.AddEmailSubmission(terminal49test.EmailSubmission{Subject: "Arrival notice", Body: "See attached.", From: []string{"line@example.com"}})

	email, err := client.EmailSubmissions.Get(ctx, id, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(email.Subject, email.From, email.Body)

	page, err := client.EmailSubmissions.List(ctx, &terminal49.EmailSubmissionListParams{Include: []terminal49.EmailSubmissionInclude{
		terminal49.EmailSubmissionIncludeAccount,
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	account, _ := page.Items[0].Account.Value()
	fmt.Println(account.CompanyName)
	for page, err := range client.EmailSubmissions.Pages(ctx, nil) {
		fmt.Println(len(page.Items), err)
	}
	// Output:
	// Arrival notice [line@example.com] See attached.
	// Simulated Account
	// 1 <nil>
}
