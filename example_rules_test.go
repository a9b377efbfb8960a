package terminal49_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/shopspring/decimal"
)

func ExamplePickupReadiness() {
	container := &terminal49.Container{
		Number:             "MSCU1234566",
		AvailableForPickup: terminal49.Some(false),
		Holds:              []terminal49.Hold{{Name: terminal49.HoldCustoms, Status: terminal49.HoldStatusActive}},
	}

	ready := terminal49.PickupReadiness(container)
	fmt.Println(ready.State, ready.NeedsRecheck())
	for _, hold := range ready.ActiveHolds {
		fmt.Println("ask the", hold.Name.ClearedBy(), "about the", hold.Name, "hold")
	}
	// Output:
	// blocked false
	// ask the customs broker about the customs hold
}

func ExampleAssess() {
	now := time.Date(2026, time.November, 23, 18, 0, 0, 0, time.UTC)
	terminal := &terminal49.Terminal{Nickname: "WBCT", Port: terminal49.Included("p", &terminal49.Port{LOCODE: "USLAX"})}
	container := &terminal49.Container{
		Number:             "MSCU1234566",
		PODTerminal:        terminal49.Included("t", terminal),
		PODDischargedAt:    terminal49.NewTime(now.AddDate(0, 0, -6), losAngeles),
		AvailableForPickup: terminal49.Some(true),
		Holds:              []terminal49.Hold{},
		Fees:               []terminal49.Fee{{Type: terminal49.FeeDemurrage, Amount: decimal.NewFromInt(555), CurrencyCode: "USD"}},
		TerminalCheckedAt:  terminal49.NewTime(now.Add(-time.Hour), ""),
		ImportDeadlines: terminal49.ImportDeadlines{
			Terminal: terminal49.NewTime(time.Date(2026, time.November, 19, 8, 0, 0, 0, time.UTC), losAngeles),
		},
	}

	verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{})
	fmt.Println(verdict)
	fmt.Println(verdict.Situation, verdict.Place, verdict.Urgency, verdict.DaysLeft)
	for _, fact := range verdict.Proof {
		fmt.Println("because", fact)
	}
	// Output:
	// Ready, but USD 555.00 must be paid first. Pay, then send a truck to WBCT (USLAX). The terminal's last free day was 2026-11-19, 4 days ago.
	// pay_first WBCT (USLAX) overdue -4
	// because vessel discharged on 2026-11-17
}

// A program stores the standing of each container, and asks later, without the container.
func ExampleStanding() {
	checked := time.Date(2026, time.November, 23, 18, 0, 0, 0, time.UTC)
	container := &terminal49.Container{
		Number: "MSCU1234566", PODTimezone: losAngeles, PODDischargedAt: terminal49.NewTime(checked.AddDate(0, 0, -6), losAngeles),
		AvailableForPickup: terminal49.Some(true), Holds: []terminal49.Hold{}, TerminalCheckedAt: terminal49.NewTime(checked, ""),
		ImportDeadlines: terminal49.ImportDeadlines{
			Terminal: terminal49.NewTime(time.Date(2026, time.November, 26, 8, 0, 0, 0, time.UTC), losAngeles),
		},
	}
	stored, err := json.Marshal(terminal49.Assess(container, checked, terminal49.VerdictOptions{}).Stored())
	if err != nil {
		log.Fatal(err)
	}

	var standing terminal49.Standing
	if err := json.Unmarshal(stored, &standing); err != nil { // ErrRulesVersion: assess the container again
		log.Fatal(err)
	}
	for _, hours := range []int{1, 30, 100} {
		v := standing.Verdict(checked.Add(time.Duration(hours)*time.Hour), terminal49.VerdictOptions{})
		fmt.Println(v.Situation, v.Urgency, v.DaysLeft)
	}
	// Output:
	// ready imminent 3
	// stale imminent 2
	// stale overdue -1
}

func ExampleSumVerdicts() {
	now := time.Date(2026, time.March, 9, 12, 0, 0, 0, time.UTC)
	var verdicts []terminal49.Verdict
	for _, container := range []*terminal49.Container{
		{Number: "MSCU1234566", CurrentStatus: terminal49.StatusPickedUp, Fees: []terminal49.Fee{}},
		{Number: "MSKU7182047", CurrentStatus: terminal49.StatusOnShip, Fees: []terminal49.Fee{}},
	} {
		verdicts = append(verdicts, terminal49.Assess(container, now, terminal49.VerdictOptions{}))
	}
	bill := terminal49.SumVerdicts(verdicts)
	fmt.Println(bill)
	fmt.Println(bill.HaveLeft, "of", bill.Containers, "are out; the last is", bill.Furthest.Number)
	// Output:
	// 2 containers: 1 at sea, 1 out; no fees
	// 1 of 2 are out; the last is MSKU7182047
}

func ExampleSumContainerFees() {
	container := &terminal49.Container{Fees: []terminal49.Fee{
		{Type: terminal49.FeeDemurrage, Amount: decimal.RequireFromString("1000.00"), CurrencyCode: "USD"},
		{Type: terminal49.FeeExam, Amount: decimal.RequireFromString("300.00"), CurrencyCode: "USD"},
		{Type: terminal49.FeeTotal, Amount: decimal.RequireFromString("1300.00"), CurrencyCode: "USD"},
		{Type: terminal49.FeeExtendedDwellTime, CurrencyCode: "USD"}, // applies, amount not posted yet
	}}

	owed := terminal49.SumContainerFees(container)
	if amount, currency, ok := owed.Owed(); ok {
		fmt.Println("pay", terminal49.FormatMoney(amount, currency))
	} else {
		fmt.Println(owed, "- still to come:", owed.NotPosted)
	}
	// Output: USD 1,300.00 (not all amounts known) - still to come: [extended_dwell_time]
}

func ExampleLastFreeDays() {
	// Midnight in Los Angeles, sent as 07:00 in UTC.
	lastFreeDay := terminal49.NewTime(time.Date(2026, time.March, 10, 7, 0, 0, 0, time.UTC), losAngeles)
	now := time.Date(2026, time.March, 9, 5, 0, 0, 0, time.UTC) // still the 8th in Los Angeles
	container := &terminal49.Container{
		ImportDeadlines:   terminal49.ImportDeadlines{Terminal: lastFreeDay},
		TerminalCheckedAt: terminal49.NewTime(now.Add(-time.Hour), ""),
	}

	freeDays := terminal49.LastFreeDays(container)
	if earliest, ok := freeDays.Earliest(); ok {
		day, _ := earliest.At.Date()
		fmt.Println(earliest.Source, "last free day", day)
	}
	verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{})
	fmt.Println(verdict.Urgency, verdict.DaysLeft)
	// Output:
	// terminal last free day 2026-03-10
	// imminent 2
}

func ExampleTime_DaysLeft() {
	appointment := terminal49.NewTime(time.Date(2026, time.March, 10, 16, 30, 0, 0, time.UTC), losAngeles)
	now := time.Date(2026, time.March, 9, 6, 59, 0, 0, time.UTC) // 23:59 on the 8th in Los Angeles
	if days, ok := appointment.DaysLeft(now); ok {
		fmt.Println(appointment, "in", days, "days")
	}
	// Output: 2026-03-10 09:30 -07:00 in 2 days
}

func ExampleChangeset() {
	// The changeset of a container.updated event.
	var changeset terminal49.Changeset
	err := json.Unmarshal([]byte(`{
		"holds_at_pod_terminal": [[{"name": "customs", "status": "hold", "description": null}], []],
		"pickup_lfd_terminal": ["2026-03-10T07:00:00Z", "2026-03-12T07:00:00Z"]
	}`), &changeset)
	if err != nil {
		log.Fatal(err)
	}
	container := &terminal49.Container{ // from a store, or included in the event
		AvailableForPickup: terminal49.Some(true),
		Holds:              []terminal49.Hold{},
		PODTimezone:        losAngeles,
	}

	changes := changeset.Changes(container)
	for _, hold := range changes.Holds {
		fmt.Println(hold.Kind, hold.Old.Name)
	}
	for _, deadline := range changes.LastFreeDays {
		fmt.Println(deadline.Source, "last free day is", deadline.Move+":", deadline.New)
	}
	if changes.BecameReady() {
		fmt.Println("send a truck")
	}
	// Output:
	// cleared customs
	// terminal last free day is later: 2026-03-12 00:00 -07:00
	// send a truck
}

func ExampleDiffShipments() {
	eta := func(day, hour int) terminal49.Time {
		return terminal49.NewTime(time.Date(2026, time.March, day, hour, 0, 0, 0, time.UTC), losAngeles)
	}
	stored := &terminal49.Shipment{PODETA: eta(2, 16), PODVesselName: "EVER FORWARD", PODVesselIMO: "9850551"}
	polled := &terminal49.Shipment{PODETA: eta(3, 10), PODVesselName: "UMM SALAL", PODVesselIMO: "9525857"}

	changes := terminal49.DiffShipments(stored, polled)
	if slip, ok := changes.PODETA.Slip(); ok && slip.Abs() >= 6*time.Hour {
		fmt.Println(changes.PODETA.Move(), "by", slip.Abs(), "on", changes.PODETA.New)
	}
	if changes.VesselChanged() {
		fmt.Println("now with", polled.PODVesselName)
	}
	fmt.Println(terminal49.DiffShipments(polled, polled).IsZero())
	// Output:
	// later by 18h0m0s on 2026-03-03 02:00 -08:00
	// now with UMM SALAL
	// true
}

func ExampleParseContainerNumber() {
	number, err := terminal49.ParseContainerNumber("csqu 305438-3")
	fmt.Println(number, err)

	_, err = terminal49.ParseContainerNumber("CSQU3054388")
	var bad *terminal49.ContainerNumberError
	if errors.As(err, &bad) && bad.CheckDigitOnly {
		fmt.Println("please confirm", bad.Number)
	}
	// Output:
	// CSQU3054383 <nil>
	// please confirm CSQU3054388
}

func ExampleJourney() {
	container := &terminal49.Container{
		POLVesselDepartedAt: terminal49.NewTime(time.Date(2026, time.February, 20, 4, 0, 0, 0, time.UTC), "Asia/Shanghai"),
		Shipment: terminal49.Included("02b1bd6f-407c-45bb-8645-06e7ee34e7e3", &terminal49.Shipment{ // included with the container
			PODETA: terminal49.NewTime(time.Date(2026, time.March, 2, 16, 0, 0, 0, time.UTC), losAngeles),
		}),
	}

	journey := terminal49.Journey(container, terminal49.JourneyOptions{})
	for _, milestone := range journey {
		fmt.Println(milestone)
	}
	if next, ok := terminal49.NextMilestone(journey); ok {
		fmt.Println("next:", next)
	}
	// Output:
	// 2026-02-20 12:00 +08:00 vessel departed
	// 2026-03-02 08:00 -08:00 estimated: vessel arrived
	// next: 2026-03-02 08:00 -08:00 estimated: vessel arrived
}

func ExampleMapLine_Split() {
	leg := terminal49.MapFeature{Line: terminal49.MapLine{
		{Latitude: 40, Longitude: 175}, {Latitude: 48, Longitude: -165},
	}}
	for _, part := range leg.Line.Split() {
		fmt.Println(part)
	}
	// Output:
	// [{40 175} {42 180}]
	// [{42 -180} {48 -165}]
}

// An update sends the fields that are set. Null removes a value.
func ExampleNull() {
	for _, format := range []terminal49.Opt[string]{{}, terminal49.Some("%m/%d/%Y"), terminal49.Null[string]()} {
		body, err := json.Marshal(terminal49.CustomFieldDefinitionUpdate{DefaultFormat: format})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(body))
	}
	// Output:
	// {}
	// {"default_format":"%m/%d/%Y"}
	// {"default_format":null}
}

// A test makes resources with relationships of its own.
func ExampleLinked() {
	container := &terminal49.Container{
		Shipment:        terminal49.NotRelated[*terminal49.Shipment](),
		PODTerminal:     terminal49.Linked[*terminal49.Terminal]("terminal", "t1"),
		TransportEvents: terminal49.LinkedAll[*terminal49.TransportEvent]("transport_event", "e1", "e2"),
	}
	fmt.Println(container.Shipment.State(), container.PODTerminal.ID(), container.TransportEvents.IDs())
	// Output: null t1 [e1 e2]
}

// A document that was stored, such as a response or a file of json.Marshal.
func ExampleParseResources() {
	document := []byte(`{"data": [{"id": "c1", "type": "container", "attributes": {"number": "MSKU7182047",
		"pickup_lfd": "2024-07-04T07:00:00Z", "pod_timezone": "America/Los_Angeles"}}]}`)
	containers, err := terminal49.ParseResources[terminal49.Container](document)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(containers[0].Number, containers[0].PickupLFD)
	// Output: MSKU7182047 2024-07-04 00:00 -07:00
}

func ExampleChangeOf() {
	var changeset terminal49.Changeset
	if err := json.Unmarshal([]byte(`{"seal_number": ["A1", "B2"]}`), &changeset); err != nil {
		log.Fatal(err)
	}
	if seal, ok := terminal49.ChangeOf[string](changeset, "seal_number"); ok {
		fmt.Println("seal", seal.Old, "was replaced by", seal.New)
	}
	// Output: seal A1 was replaced by B2
}

// A program that stores webhooks' events checks that it knows one.
func ExampleWebhookEvents() {
	fmt.Println(slices.Contains(terminal49.WebhookEvents(), terminal49.EventContainerUpdated))
	// Output: true
}

func ExampleParseDate() {
	day, err := terminal49.ParseDate("2026-02-28")
	fmt.Println(day.Month, day.Day, err)
	_, err = terminal49.ParseDate("2026-02-30")
	fmt.Println(err != nil)
	// Output:
	// February 28 <nil>
	// true
}

// The days to the end of a month.
func ExampleDateOf() {
	today := terminal49.DateOf(time.Date(2026, time.March, 2, 23, 0, 0, 0, time.UTC))
	fmt.Println(terminal49.Date{Year: 2026, Month: time.March, Day: 31}.Sub(today))
	// Output: 29
}
