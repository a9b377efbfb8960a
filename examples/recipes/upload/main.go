// Upload sends a document, waits for what the service extracts from it, and prints that.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: upload FILE")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, path string) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	id := ""
	document, err := client.Documents.Upload(ctx, terminal49.DocumentFile{FileName: filepath.Base(path), Content: file})
	var duplicate *terminal49.DuplicateDocumentError
	switch {
	case err == nil:
		id = document.ID
	case errors.As(err, &duplicate) && duplicate.ExistingID != "":
		id = duplicate.ExistingID // the account has these contents already
	default:
		return err
	}
	if document, err = client.Documents.WaitExtracted(ctx, id, nil); err != nil {
		return err
	}
	extraction, _ := document.Extraction.Value()
	var line bytes.Buffer
	if err := json.Compact(&line, extraction.Payload); err != nil {
		return err
	}
	fmt.Printf("%s\n%s\n", id, line.Bytes())
	return nil
}
