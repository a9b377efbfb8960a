package control_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

// A program serves the simulator, and a test in any language moves its clock.
func ExampleNew() {
	simulator := control.New(control.Options{
		Default: []terminal49test.Option{terminal49test.WithSpeed(0)},
		Fill:    func(server *terminal49test.Server) { server.SeedDemo() },
	})
	defer simulator.Close()
	socket := httptest.NewServer(simulator)
	defer socket.Close()

	request, err := http.NewRequest(http.MethodPost, socket.URL+"/_simulator/commands", strings.NewReader(`{"set_clock": "2040-01-01T00:00:00Z"}`))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Simulator-Control", "true")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	results, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(string(results))
	fmt.Println(simulator.Default().Now().Year())
	// Output:
	// {"results":[{"now":"2040-01-01T00:00:00Z","speed":0}]}
	// 2040
}

// A Go test uses commands that tests in other languages use too.
func ExampleRun() {
	server := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	results, err := control.Run(server, strings.NewReader(`
{"add_shipment": {"bill_of_lading_number": "MAEU240711002", "shipping_line": "MAEU"}}
{"update_shipment": {"id": "MAEU240711002", "set": {"ref_numbers": ["PO-1"]}}}
{"fault": {"operation": "shipments.get", "stauts": 503}}`))
	id, _ := server.ShipmentID("MAEU240711002")
	shipment, _ := server.Shipment(id)
	fmt.Println(len(results), shipment.ReferenceNumbers)
	fmt.Println(err)
	// Output:
	// 2 [PO-1]
	// line 4: fault: stauts is not known (did you mean status?)
}
