package guides_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// extract uploads a document and returns what the service extracted from it.
func extract(ctx context.Context, client *terminal49.Client, file io.ReadSeeker) (*terminal49.Document, error) {
	document, err := client.Documents.Upload(ctx, terminal49.DocumentFile{FileName: "invoice.pdf", Content: file}) // an *os.File works
	var duplicate *terminal49.DuplicateDocumentError
	if errors.As(err, &duplicate) {
		return client.Documents.WaitExtracted(ctx, duplicate.ExistingID, nil) // the account already has this file
	}
	if err != nil {
		return nil, err
	}
	return client.Documents.WaitExtracted(ctx, document.ID, nil) // ctx should have a deadline
}

func Example_documents() {
	_, _, client := simulation(terminal49test.WithSpeed(3600)) // an hour of the service's work takes a second
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for range 2 {
		document, err := extract(ctx, client, strings.NewReader("Invoice INV-1001"))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(document.DocumentType)
	}
	// Output:
	// commercial_invoice
	// commercial_invoice
}
