package terminal49test_test

import (
	"context"
	"fmt"
	"log"
	"net/http/httptest"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// A program serves the simulator on its own socket, with the files of documents below /files.
func ExampleWithStorageURL() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithStorageURL("/files"))
	socket := httptest.NewServer(srv)
	defer socket.Close()

	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(socket.URL+"/v2"))
	if err != nil {
		log.Fatal(err)
	}
	document, err := client.Documents.Upload(context.Background(), terminal49.DocumentFile{
		FileName: "invoice.pdf", ContentType: "application/pdf", Content: strings.NewReader("%PDF-1.7"),
	})
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder
	if _, err := client.Documents.Download(context.Background(), document.ID, &file); err != nil {
		log.Fatal(err)
	}
	fmt.Println(file.String())
	for _, r := range srv.Requests() {
		fmt.Println(r.Operation, strings.HasPrefix(r.Path, "/files/"))
	}
	// Output:
	// %PDF-1.7
	// documents.direct_upload false
	// storage.put true
	// documents.create false
	// documents.download_url false
	// storage.get true
}
