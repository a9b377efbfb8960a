package control_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
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

// A scenario in a Go test.
func ExampleScenario() {
	fmt.Println(control.Scenarios())
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	commands, _ := control.Scenario("rail-import")
	if _, err := control.Run(srv, bytes.NewReader(commands)); err != nil {
		log.Fatal(err)
	}
	srv.Advance(5 * 24 * time.Hour)
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHTTPClient(srv.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	for container, err := range client.Containers.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, terminal49.Assess(container, srv.Now(), terminal49.VerdictOptions{}).Situation)
	}
	// Output:
	// [bad-day held-and-paid rail-import rolled-and-transshipped]
	// CSNU6446113 on_rail
}
