package terminal49test_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// track tracks a number whose journey is scripted, and returns its first container a while later.
func track(srv *terminal49test.Server, journey terminal49test.Journey, later time.Duration) *terminal49.Container {
	srv.Script("HLCUSHA2406118", journey)
	id := srv.AddTrackingRequest(terminal49test.TrackingRequest{RequestNumber: "HLCUSHA2406118", SCAC: "HLCU"})
	srv.Advance(later)
	tracking, _ := srv.TrackingRequest(id)
	container, err := newClient(srv).Containers.Get(context.Background(), srv.ContainerIDs(tracking.Shipment)[0], &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeTransportEvents},
	})
	if err != nil {
		log.Fatal(err)
	}
	return container
}

// The situation in which each of the preset journeys is found.
func ExampleJourney_presets() {
	for _, preset := range []struct {
		name    string
		journey terminal49test.Journey
	}{
		{"default", terminal49test.DefaultJourney()}, {"ready", terminal49test.ReadyJourney()},
		{"customs hold", terminal49test.CustomsHoldJourney()}, {"not released", terminal49test.NotReleasedJourney()},
		{"demurrage", terminal49test.DemurrageJourney()}, {"on ship", terminal49test.OnShipJourney()}, {"rail", terminal49test.RailJourney()},
	} {
		noon := time.Date(2026, 3, 9, 19, 0, 0, 0, time.UTC) // in Los Angeles: days are counted there
		srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithStart(noon))
		container := track(srv, preset.journey, time.Minute)
		verdict := terminal49.Assess(container, srv.Now(), terminal49.VerdictOptions{})
		fmt.Println(preset.name, "-", verdict.Situation, verdict.Urgency)
	}
	// Output:
	// default - at_sea unknown
	// ready - ready imminent
	// customs hold - held none
	// not released - not_released unknown
	// demurrage - pay_first overdue
	// on ship - at_sea unknown
	// rail - at_sea unknown
}

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
