package terminal49_test

import (
	"encoding/json"
	"fmt"
	"log"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
)

func ExampleDiffHolds() {
	before := []terminal49.Hold{{Name: terminal49.HoldCustoms, Status: terminal49.HoldStatusActive}}
	after := []terminal49.Hold{{Name: terminal49.HoldFreight, Status: terminal49.HoldStatusActive}}
	for _, change := range terminal49.DiffHolds(before, after) {
		fmt.Println(change)
	}
	// Output:
	// cleared a customs hold (customs broker)
	// placed a freight hold (shipping line or forwarder)
}

func ExampleDiffFees() {
	fee := func(amount string) []terminal49.Fee {
		return []terminal49.Fee{{Type: terminal49.FeeDemurrage, Amount: decimal.RequireFromString(amount), CurrencyCode: "USD"}}
	}
	for _, change := range terminal49.DiffFees(fee("185"), fee("370")) {
		fmt.Println(change.Type, "from", change.Old, "to", change.New, change.CurrencyCode)
	}
	// Output: demurrage from 185 to 370 USD
}

// The constructors of the data types of custom fields.
func ExampleCustomFieldValue_String() {
	at := time.Date(2026, time.March, 2, 8, 30, 0, 0, time.UTC)
	for _, value := range []terminal49.CustomFieldValue{
		terminal49.CustomText("Ann"), terminal49.CustomBoolean(true), terminal49.CustomDateTime(at),
		terminal49.CustomEnumMulti("fob", "cif"), terminal49.CustomReference(terminal49.ResourceRef{Type: "party", ID: "11111111-1111-4111-8111-111111111111"}),
	} {
		fmt.Println(value.DataType(), value)
	}
	// Output:
	// short_text Ann
	// boolean true
	// datetime 2026-03-02T08:30:00Z
	// enum_multi ["fob","cif"]
	// reference {"type":"party","id":"11111111-1111-4111-8111-111111111111"}
}

func ExampleNormalizeContainerNumber() {
	fmt.Println(terminal49.NormalizeContainerNumber(" msku 718204-7 "))
	// Output: MSKU7182047
}

// A program that stores webhooks' events checks that it knows one.
func ExampleWebhookEvents() {
	fmt.Println(slices.Contains(terminal49.WebhookEvents(), terminal49.EventContainerUpdated))
	// Output: true
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

// If the service does not know the zone of a place, the digits are those of a clock there.
func ExampleNewWallTime() {
	at := terminal49.NewWallTime(time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC))
	_, known := at.Instant()
	day, ok := at.Date()
	fmt.Println(at, known, day, ok)
	// Output: 2026-03-02 08:00 (zone unknown) false 2026-03-02 true
}
