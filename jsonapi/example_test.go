package jsonapi_test

import (
	"context"
	"fmt"
	"net/url"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/jsonapi"
	"github.com/go-freight/terminal49/terminal49test"
)

// A page of a list as the service sent it, for example to store it.
func Example() {
	srv := terminal49test.NewServer()
	defer srv.Close()
	shipment := srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU123456789", ShippingLine: "MAEU"})
	srv.AddContainer(terminal49test.Container{Number: "MSCU1234566", Shipment: shipment})
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		fmt.Println(err)
		return
	}

	var page jsonapi.Document
	request := terminal49.Request{Method: "GET", Path: "/containers", Query: url.Values{"include": {"shipment"}}}
	if err := client.Do(context.Background(), request, &page); err != nil {
		fmt.Println(err)
		return
	}
	for _, container := range page.Data {
		of, _ := container.One("shipment")
		fmt.Printf("%s %s, of a %s; %t\n", container.Type, container.Attributes["number"], of.Type, len(container.Raw) > 100)
	}
	fmt.Println(len(page.Included), "included;", page.NextPage == "")
	// Output:
	// container "MSCU1234566", of a shipment; true
	// 1 included; true
}
