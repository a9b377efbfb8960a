package documentschema_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/documentschema"
	"github.com/go-freight/terminal49/terminal49test"
)

// Validate a payload against the schema that the service publishes for its type of document.
func ExampleValidate() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	defer srv.Close()
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	if err != nil {
		fmt.Println(err)
		return
	}
	schema, err := client.DocumentSchemas.Get(context.Background(), "commercial_invoice@2026-03-23")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(documentschema.Validate(schema, []byte(`{"invoice_number":"INV-1001","total_amount":"12450.00"}`)))
	fmt.Println(documentschema.Validate(schema, []byte(`{"invoice_number":"INV-1001","total_amount":"a lot"}`)))
	// Output:
	// <nil>
	// documentschema: the payload does not follow commercial_invoice@2026-03-23: "/total_amount" breaks pattern
}

// Each problem names the place in the payload and the keyword of the schema.
func ExampleError() {
	schema := &terminal49.DocumentSchema{
		Resource:      terminal49.Resource{ID: "packing_list@2026-03-23"},
		SchemaPayload: []byte(`{"required":["packages"],"properties":{"weight_kg":{"type":"number","minimum":0}}}`),
	}
	err := documentschema.Validate(schema, []byte(`{"weight_kg":-4}`))
	var broken *documentschema.Error
	if errors.As(err, &broken) {
		for _, p := range broken.Problems {
			fmt.Println(strings.TrimSpace(p.Pointer + " " + p.Keyword))
		}
	}
	// Unordered output:
	// required
	// /weight_kg minimum
}
