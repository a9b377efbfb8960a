package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/terminal49test"
)

// The account keeps one document per content. Uploading it again returns the first one's id and
// name.
func ExampleDocumentsService_Upload() {
	_, _, client := simulation()
	ctx := context.Background()
	for range 2 {
		file := strings.NewReader("Invoice INV-1001") // or an *os.File
		document, err := client.Documents.Upload(ctx, terminal49.DocumentFile{
			Name: "Invoice 1001", FileName: "inv.pdf", Content: file,
		})
		var duplicate *terminal49.DuplicateDocumentError
		switch {
		case errors.As(err, &duplicate):
			fmt.Println("exists already:", duplicate.ExistingName)
		case err != nil:
			log.Fatal(err)
		default:
			fmt.Println("uploaded", document.Name)
		}
	}
	// Output:
	// uploaded Invoice 1001
	// exists already: Invoice 1001
}

// When only the last step of an upload failed, Create finishes it without sending the file again.
func ExampleDocumentsService_Create() {
	service, _, client := simulation()
	service.AddFault(terminal49test.Fault{Operation: "documents.create", Status: 500})
	ctx := context.Background()

	file := terminal49.DocumentFile{FileName: "inv.pdf", Content: strings.NewReader("Invoice INV-1001")}
	document, err := client.Documents.Upload(ctx, file)
	var unfinished *terminal49.DocumentNotCreatedError
	if errors.As(err, &unfinished) {
		document, err = client.Documents.Create(ctx, terminal49.DocumentCreate{
			Name: unfinished.Name, AttachedDocument: unfinished.SignedID(),
		})
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.Name)
	// Output: inv.pdf
}

// Wait until the service has extracted a document. Its Extraction is then included.
func ExampleDocumentsService_WaitExtracted() {
	service, _, client := simulation(terminal49test.WithSpeed(3600)) // an hour of the service's work takes a second
	id := service.AddDocument(terminal49test.Document{FileName: "inv.pdf", Content: []byte("Invoice INV-1001")})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	document, err := client.Documents.WaitExtracted(ctx, id, &terminal49.DocumentWaitParams{
		MinInterval: 10 * time.Millisecond, // leave it out with the real service
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.DocumentType, document.Extraction.State())
	// Output: commercial_invoice included
}

func ExampleDocumentsService_Download() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "notice.txt", Content: []byte("Arrival notice\n")})
	n, err := client.Documents.Download(context.Background(), id, os.Stdout)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "bytes")
	// Output:
	// Arrival notice
	// 15 bytes
}

// Anyone with the URL can read the file, so it is a Secret, which prints as "[secret]".
func ExampleDocumentsService_DownloadURL() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "notice.txt", Content: []byte("Arrival notice\n")})
	address, err := client.Documents.DownloadURL(context.Background(), id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(address, len(address.Reveal()) > 0)
	// Output: [secret] true
}

func ExampleDocumentsService_All() {
	service, _, client := simulation()
	for _, name := range []string{"arrival_notice.pdf", "invoice.pdf", "scan.png"} {
		service.AddDocument(terminal49test.Document{FileName: name, Content: []byte(name)})
		service.Advance(time.Minute)
	}
	params := &terminal49.DocumentListParams{Sort: terminal49.DocumentSortCreated, FileName: "pdf"}
	for document, err := range client.Documents.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(document.FileName, document.Source)
	}
	// Output:
	// arrival_notice.pdf upload
	// arrival-notice-MAEU240711002.pdf email
	// invoice.pdf upload
}

func ExampleDocumentsService_Pages() {
	service, _, client := simulation()
	for _, name := range []string{"one.pdf", "two.pdf", "three.pdf"} {
		service.AddDocument(terminal49test.Document{FileName: name, Content: []byte(name)})
	}
	ctx := context.Background()
	params := &terminal49.DocumentListParams{PageParams: terminal49.PageParams{PageSize: 2}}
	page, err := client.Documents.List(ctx, params) // one page
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "of", page.Total)
	for page, err := range client.Documents.Pages(ctx, params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "documents")
	}
	// Output:
	// 2 of 4
	// 2 documents
	// 2 documents
}

// Read a document with the shipments that it is about.
func ExampleDocumentsService_Get() {
	service, demo, client := simulation()
	id := service.AddDocument(terminal49test.Document{
		FileName: "inv.pdf", Content: []byte("Invoice INV-1001"), Shipments: []string{demo.Shipments[0]},
	})
	document, err := client.Documents.Get(context.Background(), id, &terminal49.DocumentGetParams{
		Include: []terminal49.DocumentInclude{terminal49.DocumentIncludeShipments},
	})
	if err != nil {
		log.Fatal(err)
	}
	if shipments, ok := document.Shipments.Values(); ok {
		fmt.Println(document.FileName, shipments[0].BillOfLadingNumber)
	}
	// Output: inv.pdf MAEU240711002
}

// Correct the type of a document. Types lists the codes.
func ExampleDocumentsService_Update() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "inv.pdf", Content: []byte("Invoice INV-1001")})
	ctx := context.Background()
	types, err := client.Documents.Types(ctx)
	if err != nil {
		log.Fatal(err)
	}
	document, err := client.Documents.Update(ctx, id, terminal49.DocumentUpdate{
		DocumentTypeManual: terminal49.Some(types[0].Code),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.EffectiveType(), "is", types[0].Label)
	// Output: commercial_invoice is Commercial Invoice
}

// Turn a scan upright, classify, extract and link it again, and finally delete it.
func ExampleDocumentsService_Rotate() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{
		FileName: "scan.png", FileContentType: "image/png", Content: []byte("png"), DocumentType: "commercial_invoice",
	})
	ctx := context.Background()
	if err := client.Documents.Rotate(ctx, id, 90); err != nil { // degrees: 90, 180 or 270
		log.Fatal(err)
	}
	if err := client.Documents.Reclassify(ctx, id); err != nil {
		log.Fatal(err)
	}
	if err := client.Documents.Reextract(ctx, id); err != nil {
		log.Fatal(err)
	}
	if err := client.Documents.Relink(ctx, id); err != nil {
		log.Fatal(err)
	}
	if err := client.Documents.Delete(ctx, id); err != nil {
		log.Fatal(err)
	}
	_, err := client.Documents.Get(ctx, id, nil)
	fmt.Println("deleted:", errors.Is(err, terminal49.ErrNotFound))
	// Output: deleted: true
}

// For returns the schema that a document's extraction follows, to validate it against.
func ExampleDocumentSchemasService_For() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{
		DocumentType: "commercial_invoice",
		Payload:      map[string]any{"invoice_number": "INV-1001", "total_amount": "12450.00"},
	})
	ctx := context.Background()
	document, err := client.Documents.Get(ctx, id, &terminal49.DocumentGetParams{
		Include: []terminal49.DocumentInclude{terminal49.DocumentIncludeExtraction},
	})
	if err != nil {
		log.Fatal(err)
	}
	schema, err := client.DocumentSchemas.For(ctx, document)
	if err != nil {
		log.Fatal(err)
	}
	extraction, _ := document.Extraction.Value()
	fmt.Println(schema.ID, documentschema.Validate(schema, extraction.Payload))
	// Output: commercial_invoice@2026-03-23 <nil>
}

// A schema lists the members of a document type's payload, before there is any document.
func ExampleDocumentSchemasService_Get() {
	_, _, client := simulation()
	schema, err := client.DocumentSchemas.Get(context.Background(), "commercial_invoice@2026-03-23")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Label, schema.Current)

	payload := []byte(`{"invoice_number": "INV-1001", "total_amount": "a lot"}`)
	var invalid *documentschema.Error
	if errors.As(documentschema.Validate(schema, payload), &invalid) {
		fmt.Println(invalid.Problems[0].Pointer, invalid.Problems[0].Keyword)
	}
	// Output:
	// Commercial Invoice true
	// /total_amount pattern
}

// The attachments of e-mails to the account's address become documents.
func ExampleEmailSubmissionsService_All() {
	service, _, client := simulation()
	service.ReceiveEmail(
		terminal49test.EmailSubmission{Subject: "Papers for MAEU123456789", From: []string{"forwarder@example.com"}},
		terminal49test.Document{FileName: "invoice.pdf", Content: []byte("invoice")},
	)
	for email, err := range client.EmailSubmissions.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		documents, _ := email.Documents.Values()
		fmt.Println(email.Subject, email.From, documents[0].Name)
	}
	// Output:
	// Papers for MAEU123456789 [forwarder@example.com] invoice.pdf
	// Arrival notice MAEU240711002 [import@line.example] arrival-notice-MAEU240711002.pdf
}

func ExampleEmailSubmissionsService_Get() {
	service, _, client := simulation()
	id := service.AddEmailSubmission(terminal49test.EmailSubmission{
		Subject: "Arrival notice", Body: "See attached.", From: []string{"line@example.com"},
	})
	email, err := client.EmailSubmissions.Get(context.Background(), id, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(email.Subject, email.From, email.Body)
	// Output: Arrival notice [line@example.com] See attached.
}

func ExampleEmailSubmissionsService_Pages() {
	service, _, client := simulation()
	for _, subject := range []string{"Arrival notice", "Delivery order", "Invoice"} {
		service.AddEmailSubmission(terminal49test.EmailSubmission{Subject: subject})
	}
	ctx := context.Background()
	params := &terminal49.EmailSubmissionListParams{PageParams: terminal49.PageParams{PageSize: 2}}
	page, err := client.EmailSubmissions.List(ctx, params) // one page
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "of", page.Total)
	for page, err := range client.EmailSubmissions.Pages(ctx, params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "e-mails")
	}
	// Output:
	// 2 of 4
	// 2 e-mails
	// 2 e-mails
}

func ExampleDocumentsService_List() {
	service, _, client := simulation()
	service.AddDocument(terminal49test.Document{FileName: "inv.pdf", Content: []byte("Invoice INV-1001")})
	page, err := client.Documents.List(context.Background(), &terminal49.DocumentListParams{FileName: "inv"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, page.Items[0].FileName)
	// Output: 1 inv.pdf
}

func ExampleDocumentsService_Delete() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "inv.pdf", Content: []byte("Invoice INV-1001")})
	ctx := context.Background()
	if err := client.Documents.Delete(ctx, id); err != nil {
		log.Fatal(err)
	}
	_, err := client.Documents.Get(ctx, id, nil)
	fmt.Println("deleted:", errors.Is(err, terminal49.ErrNotFound))
	// Output: deleted: true
}

func ExampleDocumentsService_Types() {
	_, _, client := simulation()
	types, err := client.Documents.Types(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(types[0].Code, "is", types[0].Label)
	// Output: commercial_invoice is Commercial Invoice
}

// After the type of a document was corrected, the service extracts it again on request.
func ExampleDocumentsService_Reextract() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "inv.pdf", Content: []byte("Invoice INV-1001")})
	ctx := context.Background()
	corrected := terminal49.DocumentUpdate{DocumentTypeManual: terminal49.Some("commercial_invoice")}
	if _, err := client.Documents.Update(ctx, id, corrected); err != nil {
		log.Fatal(err)
	}
	fmt.Println(client.Documents.Reextract(ctx, id))
	// Output: <nil>
}

// The service classifies the document again, which takes it a while.
func ExampleDocumentsService_Reclassify() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "inv.pdf", Content: []byte("Invoice INV-1001")})
	fmt.Println(client.Documents.Reclassify(context.Background(), id))
	// Output: <nil>
}

// A document that came before its shipment was tracked is linked to it on request.
func ExampleDocumentsService_Relink() {
	service, _, client := simulation()
	id := service.AddDocument(terminal49test.Document{FileName: "notice.pdf", Content: []byte("MAEU240711002")})
	fmt.Println(client.Documents.Relink(context.Background(), id))
	// Output: <nil>
}

func ExampleEmailSubmissionsService_List() {
	_, _, client := simulation()
	page, err := client.EmailSubmissions.List(context.Background(), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, page.Items[0].Subject)
	// Output: 1 Arrival notice MAEU240711002
}
