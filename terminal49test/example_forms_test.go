package terminal49test_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// A journey that is written down as JSON, such as in a file that programs in other languages share.
func ExampleJourney_UnmarshalJSON() {
	const file = `{
		"shipment": {"port_of_lading": "CNSHA", "port_of_discharge": "USNYC", "pod_terminal": "Maher"},
		"containers": [{"number": "MSKU7182047"}],
		"steps": [
			{"after": "4d", "do": "vessel_loaded"},
			{"after": "5d", "do": "vessel_departed", "sailing": "17.5d"},
			{"after": "23d", "do": "vessel_discharged", "spot": "Y4-117-C"},
			{"after": "24d", "do": "hold_placed", "hold": {"name": "customs", "description": "CBP HOLD"}}
		]
	}`
	var journey terminal49test.Journey
	if err := json.Unmarshal([]byte(file), &journey); err != nil {
		panic(err)
	}
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	container := track(srv, journey, 25*24*time.Hour)
	fmt.Println(container.Number, container.CurrentStatus, container.LocationAtPODTerminal)

	fmt.Println(json.Unmarshal([]byte(`{"steps": [{"do": "vessel_dischraged"}]}`), &journey))
	// Output:
	// MSKU7182047 grounded Y4-117-C
	// steps[0].do is not an action (did you mean vessel_discharged?)
}

// A journey with an arrival notice, a consignee, and an action of its own.
func ExampleCustom() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	party := srv.AddParty(terminal49test.Party{CompanyName: "Harbor Street Imports"})
	notice := terminal49test.Document{FileName: "arrival_notice.pdf", FileContentType: "application/pdf", Content: []byte("MSKU7182047")}
	container := track(srv, terminal49test.Journey{
		Containers: []terminal49test.Container{{Number: "MSKU7182047"}},
		Steps: []terminal49test.Step{
			{Do: terminal49test.PartyAssigned("consignee", party)},
			{After: time.Hour, Do: terminal49test.DocumentReceived(notice)},
			{After: 2 * time.Hour, Do: terminal49test.Custom(func(s *terminal49test.ActionContext) {
				s.Container.SealNumber = "SEAL-9"
				s.Do(terminal49test.Milestone("vessel_berthed", "USLAX"))
			})},
		},
	}, 3*time.Hour)
	fmt.Println(container.SealNumber, container.TransportEvents.Len())
	for r := range srv.Snapshot("document", "party_role") {
		fmt.Println(r.Type)
	}
	// Output:
	// SEAL-9 1
	// party_role
	// document
}

// Deliveries wait while the receiver is being replaced, and come all at once afterwards.
func ExampleServer_HoldWebhooks() {
	endpoint := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fmt.Println("delivered") })
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(endpoint))
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})

	srv.HoldWebhooks(true)
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"})
	srv.Advance(time.Hour)
	fmt.Println(len(srv.WebhookDeliveries()))
	srv.HoldWebhooks(false)
	// Output:
	// 0
	// delivered
}

// A test moves the clock to a time, and checks that each fault was met.
func ExampleServer_AdvanceTo() {
	start := time.Date(2026, time.November, 26, 8, 0, 0, 0, time.UTC)
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithStart(start))
	fmt.Println(srv.AdvanceTo(start.AddDate(0, 0, 2)), srv.AdvanceTo(start))
	fmt.Println(srv.Now().Format(time.DateOnly))

	srv.AddFault(terminal49test.Fault{Operation: "me.get", Status: 503, Times: 2})
	fmt.Println(status(srv, "/me"), srv.Faults()[0].Times, "left")
	fmt.Println(status(srv, "/me"), len(srv.Faults()), "faults")
	// Output:
	// true false
	// 2026-11-28
	// 503 1 left
	// 503 0 faults
}
