package doctor_test

import (
	"context"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/doctor"
	"github.com/go-freight/terminal49/terminal49test"
)

func ExampleExamine() {
	service := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSyntheticContainers(300))
	defer service.Close()
	client, err := terminal49.New(service.Token, terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	report := doctor.Examine(context.Background(), client)
	for _, finding := range report.Findings[:4] {
		fmt.Println(finding.Question, finding.Answer)
	}
	fmt.Println(report.Err())
	// Output:
	// Does the service say whose token it is (GET /me)? Yes.
	// How many shipments does a page have, if 100 are requested? 100.
	// Does a list of shipments include the events of their containers? Yes.
	// How many containers does a page have, if 100 are requested? 50.
	// <nil>
}
