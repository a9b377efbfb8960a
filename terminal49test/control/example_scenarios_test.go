package control_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/terminal49test/control"
)

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
