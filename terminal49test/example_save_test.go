package terminal49test_test

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// A world is saved once it took long to get there, and each test begins with it.
func ExampleServer_Load() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	srv.SeedDemo()
	srv.Advance(10 * 24 * time.Hour)
	var world bytes.Buffer
	if err := srv.Save(&world); err != nil {
		panic(err)
	}

	other := terminal49test.NewServer(terminal49test.WithoutSocket())
	if err := other.Load(&world); err != nil {
		panic(err)
	}
	fmt.Println(other.Now().Equal(srv.Now()))

	// A world that cannot be read changes nothing.
	fmt.Println(other.Load(strings.NewReader(`{"container":{"number":"MSKU7182047"}}`)))
	// Output:
	// true
	// terminal49test: line 1: container: must come after the world, which is the first line
}

func ExampleServer_Reset() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU240711002", ShippingLine: "MAEU"})
	srv.Reset()
	for range srv.Snapshot("shipment") {
		fmt.Println("a shipment")
	}
	// Output:
}
