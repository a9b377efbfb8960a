package demurrage_test

import (
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/shopspring/decimal"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// Four working days are free, five days cost USD 75 each and the others USD 150.
var tariffJSON = []byte(`{
	"name": "Our contract, import", "source": "contract 4711, 2026-01-01", "currency": "USD",
	"weekend": ["saturday", "sunday"], "holidays": ["2026-11-26", "2026-12-25"],
	"charges": [{
		"kind": "demurrage", "starts": ["discharge"], "starts_next_day": true, "stops": "full_out",
		"free_days": 4, "free_skips": ["weekends", "holidays"],
		"tiers_from": "first_charged_day", "tiers": [{"from": 1, "to": 5, "per_day": "75.00"}, {"from": 6, "per_day": "150.00"}]
	}]
}`)

var losAngeles = "America/Los_Angeles"

func at(year int, month time.Month, day, hour int) terminal49.Time {
	place, _ := time.LoadLocation(losAngeles)
	return terminal49.NewTime(time.Date(year, month, day, hour, 0, 0, 0, place), losAngeles)
}

// What the container costs until Friday, and what the weekend after it costs.
func ExampleTariff_Estimate() {
	container := &terminal49.Container{Number: "MSCU1234566", PODDischargedAt: at(2026, time.November, 19, 15)}

	tariff, err := demurrage.ParseTariff(tariffJSON)
	if err != nil {
		log.Fatal(err)
	}
	stay, friday := demurrage.StayOf(container), terminal49.Date{Year: 2026, Month: time.November, Day: 27}
	estimate, err := tariff.Estimate(stay, friday)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(estimate)
	for _, day := range estimate.Charges[0].Days {
		amount, _ := day.Amount.Exact()
		fmt.Println(day.Date, day.State, amount, day.Why)
	}
	weekend, err := tariff.CostOfMoreDays(stay, friday, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the weekend:", weekend.Format(tariff.Currency))
	// Output:
	// demurrage USD 150.00 until 2026-11-27, free until 2026-11-25
	// 2026-11-20 free 0 free day 1
	// 2026-11-21 skipped 0 a weekend, which uses up no free day
	// 2026-11-22 skipped 0 a weekend, which uses up no free day
	// 2026-11-23 free 0 free day 2
	// 2026-11-24 free 0 free day 3
	// 2026-11-25 free 0 free day 4
	// 2026-11-26 charged 75 charged day 1, tier 1
	// 2026-11-27 charged 75 charged day 2, tier 1
	// the weekend: USD 150.00
}

// A time that is not reported makes a range, or is unknown. It never makes zero.
func ExampleAmount() {
	tariff, err := demurrage.ParseTariff(tariffJSON)
	if err != nil {
		log.Fatal(err)
	}
	until := terminal49.Date{Year: 2026, Month: time.November, Day: 30}
	atSea := demurrage.StayOf(&terminal49.Container{})
	somewhen := demurrage.Stay{Between: map[demurrage.Event]demurrage.Days{
		demurrage.Discharge: {First: terminal49.Date{Year: 2026, Month: time.November, Day: 18}, Last: terminal49.Date{Year: 2026, Month: time.November, Day: 19}},
	}}
	for _, stay := range []demurrage.Stay{atSea, somewhen} {
		estimate, err := tariff.Estimate(stay, until)
		if err != nil {
			log.Fatal(err)
		}
		_, exact := estimate.Total.Exact()
		fmt.Println(exact, estimate)
	}
	// Output:
	// false demurrage unknown (discharge is not reported)
	// false demurrage USD 375.00 to USD 525.00 until 2026-11-30 (discharge was on 2026-11-18, 2026-11-19 or between)
}

func ExampleCompare() {
	tariff, err := demurrage.ParseTariff(tariffJSON)
	if err != nil {
		log.Fatal(err)
	}
	container := &terminal49.Container{
		PODDischargedAt: at(2026, time.November, 19, 15),
		Fees:            []terminal49.Fee{{Type: terminal49.FeeDemurrage, Amount: decimal.NewFromInt(225), CurrencyCode: "USD"}},
	}
	estimate, err := tariff.Estimate(demurrage.StayOf(container), terminal49.Date{Year: 2026, Month: time.November, Day: 27})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range demurrage.Compare(estimate, container.Fees) {
		fmt.Println(c.Kind, c.Result, "posted", c.Posted, "estimated", c.Estimated.Format(c.Currency))
	}
	// Output:
	// demurrage posted_more posted 225 estimated USD 150.00
}

// The invoice charges the day after the container left, and the second tier a day too early.
func ExampleCheck() {
	tariff, err := demurrage.ParseTariff(tariffJSON)
	if err != nil {
		log.Fatal(err)
	}
	stay := demurrage.StayOf(&terminal49.Container{PODDischargedAt: at(2026, time.November, 19, 15), PODFullOutAt: at(2026, time.December, 1, 9)})
	estimate, err := tariff.Estimate(stay, terminal49.Date{Year: 2026, Month: time.December, Day: 31})
	if err != nil {
		log.Fatal(err)
	}
	day := func(month time.Month, day int) terminal49.Date {
		return terminal49.Date{Year: 2026, Month: month, Day: day}
	}
	invoice := demurrage.Invoice{Currency: "USD", Lines: []demurrage.InvoiceLine{
		{Kind: demurrage.Demurrage, From: day(11, 26), To: day(11, 29), Days: 4, PerDay: decimal.NewFromInt(75), Amount: decimal.NewFromInt(300)},
		{Kind: demurrage.Demurrage, From: day(11, 30), To: day(12, 2), Days: 3, PerDay: decimal.NewFromInt(150), Amount: decimal.NewFromInt(450)},
	}}
	for _, finding := range demurrage.Check(estimate, invoice) {
		fmt.Println("line", finding.Line, finding.Problem, "-", finding.Text)
	}
	// Output:
	// line 2 wrong_amount - 2026-11-30 is in tier 1, at USD 75.00, not USD 150.00
	// line 2 after_stop - 2026-12-02 is after the last day, 2026-12-01
}

// The schema is for editors and for tools in other languages.
func ExampleSchema() {
	var schema struct{ Title string }
	if err := json.Unmarshal(demurrage.Schema(), &schema); err != nil {
		log.Fatal(err)
	}
	fmt.Println(schema.Title)
	// Output: Tariff of demurrage, detention and storage
}

// The day of an estimate is that of the place: in Los Angeles it is still the 26th.
func ExampleDayAt() {
	container := &terminal49.Container{PODTimezone: losAngeles, PODDischargedAt: at(2026, time.November, 19, 15)}
	fmt.Println(demurrage.DayAt(container, time.Date(2026, time.November, 27, 6, 0, 0, 0, time.UTC)))
	// Output: 2026-11-26
}
