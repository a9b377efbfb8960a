package guides_test

import (
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/demurrage"
)

// The worked case of money.md: a contract with four free working days, and a container that was
// discharged on a Thursday.
var contract = []byte(`{
  "name": "Contract 4711, import", "source": "contract 4711 of 2026-01-01, appendix B", "currency": "USD",
  "weekend": ["saturday", "sunday"], "holidays": ["2026-11-26", "2026-12-25"],
  "charges": [
    {"kind": "demurrage", "applies": {"ports": ["USLAX", "USLGB"]},
     "starts": ["discharge"], "starts_next_day": true, "stops": "full_out",
     "free_days": 4, "free_skips": ["weekends", "holidays"],
     "tiers_from": "first_charged_day",
     "tiers": [{"from": 1, "to": 5, "per_day": "75.00"}, {"from": 6, "per_day": "150.00"}], "cap": "3000.00"},
    {"kind": "detention",
     "starts": ["full_out"], "starts_next_day": true, "stops": "empty_return",
     "free_days": 5, "tiers_from": "first_charged_day", "tiers": [{"from": 1, "per_day": "120.00"}]}
  ]
}`)

func Example_money() {
	container := reported(`"pod_discharged_at": "2026-11-19T23:00:00Z", "terminal_checked_at": "2026-11-27T17:00:00Z",
		"fees_at_pod_terminal": [{"type": "demurrage", "amount": 150, "currency_code": "USD"}]`)
	container.Shipment = terminal49.Included("s", &terminal49.Shipment{PortOfDischargeLOCODE: "USLAX"})
	friday := terminal49.Date{Year: 2026, Month: time.November, Day: 27}

	tariff, err := demurrage.ParseTariff(contract)
	if err != nil {
		log.Fatal(err)
	}
	stay := demurrage.StayOf(container)
	estimate, err := tariff.Estimate(stay, friday)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(estimate)
	more, err := tariff.CostOfMoreDays(stay, friday, 7)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("a week more:", more.Format(estimate.Currency))
	for _, c := range demurrage.Compare(estimate, container.Fees) {
		fmt.Println("the terminal's", c.Kind, c.Result)
	}
	// Output:
	// demurrage USD 150.00 until 2026-11-27, free until 2026-11-25
	// detention USD 0.00 (full out is not reported, so the clock has not started)
	// total USD 150.00
	// a week more: USD 825.00
	// the terminal's demurrage agrees
}
