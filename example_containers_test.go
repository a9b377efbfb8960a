package terminal49_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
)

// A number names a piece of equipment. Each of its tracked voyages is a separate container.
func ExampleContainersService_FindByNumber() {
	_, _, client := simulation()
	params := &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludePODTerminal},
	}
	found, err := client.Containers.FindByNumber(context.Background(), "msku 718204-7", params)
	if err != nil {
		log.Fatal(err)
	}
	for _, container := range found {
		terminal, _ := container.PODTerminal.Value()
		fmt.Println(container.Number, container.CurrentStatus, "at", terminal.Nickname)
	}
	// Output: MSKU7182047 available at WBCT
}

// The numbers of a sheet, in any spelling, with repetitions. Each has an outcome of its own.
func ExampleContainersService_FindByNumbers() {
	_, _, client := simulation()
	numbers := []string{"MSKU7182047", "medu 330918-8", "MSKU0000002", "total", "MSKU-7182047"}
	for found := range client.Containers.FindByNumbers(context.Background(), numbers, nil) {
		if found.Err != nil {
			fmt.Println(found.Number, "is not a container number")
			continue
		}
		for _, container := range found.Containers {
			fmt.Println(found.Number, container.CurrentStatus)
		}
		if len(found.Containers) == 0 {
			fmt.Println(found.Number, "is not tracked")
		}
	}
	// Output:
	// MSKU7182047 available
	// medu 330918-8 not_available
	// MSKU0000002 is not tracked
	// total is not a container number
	// MSKU-7182047 available
}

func ExampleContainersService_All() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{Number: "MSKU7182047"}
	for container, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.CurrentStatus, container.PickupLFD)
	}
	// Output: MSKU7182047 available 2024-07-04 00:00 -07:00
}

// What a dispatcher must collect this week at one port. The filters are newer than the service's
// published description: the client reports one that the service ignores.
func ExampleContainersService_All_filter() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{
		Include: []terminal49.ContainerInclude{terminal49.ContainerIncludeShipment}, // so that PODCode is checked
		Filter: terminal49.ContainerFilter{
			PODCode:       []string{"USLAX", "USLGB"},
			CurrentStatus: []terminal49.ContainerStatus{terminal49.StatusAvailable},
			PickupLFD: terminal49.DateRange{
				From: terminal49.Date{Year: 2024, Month: time.July, Day: 1},
				To:   terminal49.Date{Year: 2024, Month: time.July, Day: 5},
			},
		},
		Sort: []terminal49.ContainerSort{terminal49.ContainerSortPickupLFD},
	}
	for container, err := range client.Containers.All(context.Background(), params) {
		var ignored *terminal49.FilterIgnoredError
		if errors.As(err, &ignored) {
			log.Fatalf("filter on this side instead: the service does not have %s", ignored.Filter)
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.PickupLFD)
	}
	// Output:
	// MSKU7182411 2024-07-04 00:00 -07:00
	// MSKU7182047 2024-07-04 00:00 -07:00
}

// How many containers wait at each terminal, in one request.
func ExampleContainersService_Summary() {
	_, _, client := simulation()
	summary, err := client.Containers.Summary(context.Background(), terminal49.GroupByPODTerminal, terminal49.DashboardDischarged())
	if err != nil {
		log.Fatal(err)
	}
	for _, group := range summary.Groups {
		fmt.Println(group.Label.Or("(terminal not known)"), group.Count)
	}
	fmt.Println("in all", summary.Total)
	// Output:
	// West Basin Container Terminal 2
	// Garden City Terminal 1
	// APM Terminals Los Angeles 1
	// Long Beach Container Terminal 1
	// in all 5
}

// Midnight in Los Angeles is 07:00 of that day in UTC, and in Shanghai 16:00 of the day before. The
// day that is asked for is that of each place.
func ExampleContainersService_AllByPickupLFD() {
	_, _, client := simulation()
	day := terminal49.Date{Year: 2024, Month: time.July, Day: 4}
	for container, err := range client.Containers.AllByPickupLFD(context.Background(), day, nil) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.PickupLFD)
	}
	// Output:
	// MSKU7182411 2024-07-04 00:00 -07:00
	// MSKU7182047 2024-07-04 00:00 -07:00
}

// What the dashboard lists as ready has the status available. Our verdict asks for more.
func ExampleDashboardReady() {
	service, demo, client := simulation()
	service.UpdateContainer(containerOf(service, demo.Shipments[0]), func(c *terminal49test.Container) {
		c.Holds = append(c.Holds, terminal49test.Hold{Name: "customs"})
	})
	params := &terminal49.ContainerListParams{Filter: terminal49.DashboardReady()}
	for container, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, terminal49.PickupReadiness(container).State)
	}
	// Output:
	// CMAU4716554 ready
	// MSKU7182411 ready
	// MSKU7182047 out_of_sync
}

// The dashboard sorts this list by what needs attention most.
func ExampleDashboardAtRisk() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{
		Filter: terminal49.DashboardAtRisk(), Sort: []terminal49.ContainerSort{terminal49.ContainerSortAttention},
	}
	for container, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.CurrentStatus, container.PickupLFD)
	}
	// Output: CMAU4716554 available 2024-06-28 00:00 -07:00
}

// A number of any kind opens what it belongs to.
func ExampleDashboardURL() {
	fmt.Println(terminal49.DashboardURL("MSKU7182047"))
	fmt.Println(terminal49.DashboardURL("PO 10231/7"))
	// Output:
	// https://app.terminal49.com/shipments/find?q=MSKU7182047
	// https://app.terminal49.com/shipments/find?q=PO+10231%2F7
}

// Containers that customs or the department of agriculture holds.
func ExampleContainerFilter_holdNames() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{Filter: terminal49.ContainerFilter{
		HoldNames: []terminal49.HoldName{terminal49.HoldCustoms, terminal49.HoldUSDA},
	}}
	for container, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(container.Number, container.Holds)
	}
	// Output: MEDU3309188 [a customs hold (customs broker)]
}

// An older service ignores filters that it does not have, and returns every container.
func ExampleFilterIgnoredError() {
	srv := terminal49test.NewServer(terminal49test.WithoutAutumn2026())
	defer srv.Close()
	srv.AddContainer(terminal49test.Container{Number: "MSKU7182047"}) // without holds
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL))
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Containers.List(context.Background(), &terminal49.ContainerListParams{
		Filter: terminal49.ContainerFilter{HasHolds: terminal49.Some(true)},
	})
	var ignored *terminal49.FilterIgnoredError
	fmt.Println(errors.As(err, &ignored), ignored.Filter)
	// Output: true filter[has_holds]
}

func ExampleContainersService_List() {
	_, _, client := simulation()
	page, err := client.Containers.List(context.Background(), &terminal49.ContainerListParams{
		PageParams: terminal49.PageParams{PageSize: 3},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(page.Items), "of", page.Total, "more:", page.HasNext())
	// Output: 3 of 8 more: true
}

func ExampleContainersService_Pages() {
	_, _, client := simulation()
	params := &terminal49.ContainerListParams{PageParams: terminal49.PageParams{PageSize: 5}}
	for page, err := range client.Containers.Pages(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(page.Items), "containers")
	}
	// Output:
	// 5 containers
	// 3 containers
}

func ExampleContainersService_Get() {
	service, demo, client := simulation()
	id := containerOf(service, demo.Shipments[0])
	container, err := client.Containers.Get(context.Background(), id, &terminal49.ContainerGetParams{
		Include: []terminal49.ContainerInclude{
			terminal49.ContainerIncludePickupFacility, terminal49.ContainerIncludeShipment,
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	if terminal, ok := container.PickupFacility.Value(); ok {
		fmt.Println(container.Number, "is at", terminal.Nickname, container.LocationAtPODTerminal)
	}
	fmt.Println("discharged", container.PODDischargedAt)
	// Output:
	// MSKU7182047 is at WBCT Y4-117-C
	// discharged 2024-06-30 06:00 -07:00
}

func ExampleContainersService_Update() {
	service, demo, client := simulation()
	id := containerOf(service, demo.Shipments[0])
	container, err := client.Containers.Update(context.Background(), id, terminal49.ContainerUpdate{
		ReferenceNumbers: terminal49.Some([]string{"PO-10231", "DOCK-7"}),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(container.ReferenceNumbers)
	// Output: [PO-10231 DOCK-7]
}

// Refresh before a truck is sent. Not every account can.
func ExampleContainersService_Refresh() {
	service, demo, client := simulation()
	message, err := client.Containers.Refresh(context.Background(), containerOf(service, demo.Shipments[0]))
	switch {
	case errors.Is(err, terminal49.ErrFeatureNotEnabled):
		fmt.Println("the account cannot refresh")
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(message)
	}
	// Output: Started refresh for Shipping line, Terminal
}

// The service returns events in no order. Sort them by time, or use Journey.
func ExampleContainersService_TransportEvents() {
	service, demo, client := simulation()
	ctx := context.Background()
	events, err := client.Containers.TransportEvents(ctx, containerOf(service, demo.Shipments[0]), nil)
	if err != nil {
		log.Fatal(err)
	}
	slices.SortFunc(events, func(a, b *terminal49.TransportEvent) int {
		at, _ := a.Timestamp.Instant()
		bt, _ := b.Timestamp.Instant()
		return at.Compare(bt)
	})
	for _, event := range events {
		switch event.Event {
		case terminal49.EventVesselDeparted, terminal49.EventVesselArrived, terminal49.EventVesselDischarged:
			fmt.Println(event.LocationLOCODE, event.Event, event.Timestamp)
		}
	}
	// Output:
	// CNSHA container.transport.vessel_departed 2024-06-12 15:00 +08:00
	// USLAX container.transport.vessel_arrived 2024-06-29 18:00 -07:00
	// USLAX container.transport.vessel_discharged 2024-06-30 06:00 -07:00
}

// Raw events are what the carrier reported, in its own words. Prefer TransportEvents.
func ExampleContainersService_RawEvents() {
	service, demo, client := simulation()
	events, err := client.Containers.RawEvents(context.Background(), containerOf(service, demo.Shipments[0]))
	if err != nil {
		log.Fatal(err)
	}
	for _, event := range events {
		if event.Event == "vessel_discharged" {
			fmt.Printf("%q at %s\n", event.OriginalEvent, event.LocationName)
		}
	}
	// Output: "Vessel discharged" at Los Angeles
}

// Watch polls with growing intervals and yields what changed since the reading that was kept.
func ExampleContainersService_Watch() {
	service, demo, client := simulation()
	ctx := context.Background()
	id := containerOf(service, demo.Shipments[1])
	stored, err := client.Containers.Get(ctx, id, nil)
	if err != nil {
		log.Fatal(err)
	}
	service.UpdateContainer(id, func(c *terminal49test.Container) { // meanwhile, at the terminal
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})

	for change, err := range client.Containers.Watch(ctx, id, &terminal49.ContainerWatchParams{LastReading: stored}) {
		if err != nil {
			log.Fatal(err)
		}
		meaning := change.Changes()
		for _, hold := range meaning.Holds {
			fmt.Println(change.After.Number, "hold", hold.Old.Name, hold.Kind)
		}
		if meaning.BecameReady() {
			fmt.Println(change.After.Number, "can be picked up")
			break
		}
	}
	// Output:
	// MEDU3309188 hold customs cleared
	// MEDU3309188 can be picked up
}

// WatchAll reads the list, 100 containers a request. The set is what a program stores, here as
// JSON, and passes as Since when it starts again.
func ExampleContainersService_WatchAll() {
	service, demo, client := simulation()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	stored := map[string]json.RawMessage{}
	params := &terminal49.ContainerWatchAllParams{OnWalk: func(int) { stop() }} // one walk is enough here
	for change, err := range client.Containers.WatchAll(ctx, params) {
		if err != nil {
			break
		}
		stored[change.After.ID], _ = json.Marshal(change.After)
	}

	service.UpdateContainer(containerOf(service, demo.Shipments[1]), func(c *terminal49test.Container) {
		c.Holds, c.LocationAtPODTerminal = nil, "Row 7" // meanwhile, at the terminal
	})
	params.LastReadings = map[string]*terminal49.Container{}
	for id, data := range stored {
		params.LastReadings[id] = new(terminal49.Container)
		if err := json.Unmarshal(data, params.LastReadings[id]); err != nil {
			log.Fatal(err)
		}
	}
	for change, err := range client.Containers.WatchAll(context.Background(), params) {
		switch {
		case err != nil:
			log.Fatal(err)
		case change.After == nil:
			delete(stored, change.Before.ID) // no longer listed
		default:
			fmt.Println(change.After.Number, change.Changeset.Attributes())
		}
		break
	}
	// Output: MEDU3309188 [holds_at_pod_terminal location_at_pod_terminal]
}

// The map needs the Routing Data feature.
func ExampleContainersService_Map() {
	service, demo, client := simulation()
	m, err := client.Containers.Map(context.Background(), containerOf(service, demo.Shipments[4]))
	if errors.Is(err, terminal49.ErrFeatureNotEnabled) {
		fmt.Println("the account has no Routing Data")
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, port := range m.Ports() {
		fmt.Printf("%s %s: in %v, out %v\n", port.Label, port.Name, port.InboundATA, port.OutboundATD)
	}
	if vessel, atSea := m.CurrentVessel(); atSea {
		fmt.Printf("%s is due in %s on %v\n", vessel.Name, vessel.Arrival.Name, vessel.Arrival.At)
	}
	// Output:
	// POL Shanghai: in -, out 2024-06-24 03:04 +08:00
	// TS1 Busan: in 2024-06-28 04:04 +09:00, out 2024-06-30 04:04 +09:00
	// POD Los Angeles: in -, out -
	// NORTHERN JUBILEE is due in Los Angeles on 2024-07-11 06:04 -07:00
}

// A container is stored in the service's own form and read back with its zones.
func ExampleContainer_MarshalJSON() {
	container := &terminal49.Container{
		Resource:    terminal49.Resource{ID: "4a5d3f0c-0c28-4f1b-8f4c-1f7d1d3c9d11", Type: "container"},
		Number:      "CAIU1234567",
		PODTimezone: "Asia/Shanghai",
		PickupLFD:   terminal49.NewTime(time.Date(2026, 11, 24, 16, 0, 0, 0, time.UTC), "Asia/Shanghai"),
	}
	text, err := json.Marshal(container)
	if err != nil {
		fmt.Println(err)
		return
	}
	var stored terminal49.Container
	if err := json.Unmarshal(text, &stored); err != nil {
		fmt.Println(err)
		return
	}
	day, ok := stored.PickupLFD.Date()
	fmt.Println(stored.Number, day, ok)
	// Output: CAIU1234567 2026-11-25 true
}

// List the containers at a terminal that are ready, have nothing to pay and have their last free
// day tomorrow.
func ExampleReadiness_CanPickUp_list() {
	service, _, client := simulation()
	zone, now := time.FixedZone("PDT", -7*60*60), service.Now()
	shipment := service.AddShipment(terminal49test.Shipment{PortOfDischarge: "USLGB", Destination: "USLGB", PODTerminal: "LBCT"})
	for serial, fees := range [][]terminal49test.Fee{{}, {{Type: "demurrage"}}} { // nothing, and an amount not posted yet
		service.AddContainer(terminal49test.Container{
			Shipment: shipment, Number: terminal49test.ContainerNumber("MSCU", 123456+serial), Fees: fees,
			AvailabilityKnown: true, AvailableForPickup: terminal49test.Bool(true), TerminalCheckedAt: now.Add(-time.Hour),
			ImportDeadlines: terminal49test.Deadlines{Terminal: time.Date(2024, time.July, 2, 0, 0, 0, 0, zone)},
		})
	}

	params := &terminal49.ContainerListParams{Include: terminal49.AssessIncludes()}
	for c, err := range client.Containers.All(context.Background(), params) {
		if err != nil {
			log.Fatal(err)
		}
		verdict := terminal49.Assess(c, now, terminal49.VerdictOptions{MaxAge: 6 * time.Hour})
		days, known := verdict.DaysLeft.Get()
		if verdict.Situation == terminal49.SituationReady && verdict.Place.Nickname == "LBCT" && known && days == 1 {
			fmt.Println(c.Number, "- last free day", verdict.LastFreeDay.At)
		}
	}
	// Output: MSCU1234566 - last free day 2024-07-02 00:00 -07:00
}

func ExampleContainer_SizeTypeGroup() {
	container := &terminal49.Container{
		EquipmentType:   terminal49.EquipmentReefer,
		EquipmentLength: terminal49.Some(40),
		EquipmentHeight: terminal49.HeightHighCube,
		WeightPounds:    terminal49.Some(44_090.5),
	}
	fmt.Println(container.SizeTypeGroup())
	if teu, ok := container.TEU(); ok {
		fmt.Println(teu, "TEU")
	}
	if kilograms, ok := container.WeightKilograms(); ok {
		fmt.Printf("%.0f kg\n", kilograms)
	}
	// Output:
	// 45RT
	// 2 TEU
	// 19999 kg
}

func ExampleSumContainerFees() {
	container := &terminal49.Container{
		Fees: []terminal49.Fee{},
		PODTerminal: terminal49.Included("7e4557b9-cc5a-4298-aaec-1a32e90202c9", &terminal49.Terminal{
			ProvidedData: terminal49.ProvidedData{"fees_at_pod_terminal": {Reported: terminal49.Some(false)}},
		}),
	}
	fmt.Println(terminal49.SumFees(container.Fees))
	fmt.Println(terminal49.SumContainerFees(container)) // the terminal never reports fees
	// Output:
	// no fees
	// fees not reported
}
