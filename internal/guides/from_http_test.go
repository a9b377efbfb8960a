package guides_test

import (
	"context"
	"fmt"
	"log"
	"net/http"

	"github.com/go-freight/terminal49"
)

// unsupported sends a request that the client has no method for.
func unsupported(ctx context.Context, client *terminal49.Client, id string) (string, error) {
	var document struct {
		Data struct {
			Attributes struct {
				Number string `json:"bill_of_lading_number"`
			} `json:"attributes"`
		} `json:"data"`
	}
	err := client.Do(ctx, terminal49.Request{Method: http.MethodGet, Path: "/shipments/" + id}, &document)
	return document.Data.Attributes.Number, err
}

func Example_fromHTTP() {
	_, demo, client := simulation()
	number, err := unsupported(context.Background(), client, demo.Shipments[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(number)
	// Output: MAEU240711002
}
