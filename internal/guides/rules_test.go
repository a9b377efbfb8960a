package guides_test

import (
	"encoding/json"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
)

// reported returns a container whose terminal reported these attributes.
func reported(attributes string) *terminal49.Container {
	var c terminal49.Container
	err := json.Unmarshal([]byte(`{"type": "container", "id": "1", "attributes": {"pod_timezone": "America/Los_Angeles", `+attributes+`}}`), &c)
	if err != nil {
		log.Fatal(err)
	}
	return &c
}

func Example_verdict() {
	terminal := &terminal49.Terminal{Nickname: "WBCT", Port: terminal49.Included("p", &terminal49.Port{LOCODE: "USLAX"})}
	container := reported(`"pod_discharged_at": "2026-11-15T18:00:00Z", "terminal_checked_at": "2026-11-23T17:00:00Z",
		"available_for_pickup": true, "holds_at_pod_terminal": [],
		"fees_at_pod_terminal": [{"type": "demurrage", "amount": 555, "currency_code": "USD"}], "pickup_lfd": "2026-11-27T08:00:00Z",
		"import_deadlines": {"pickup_lfd_line": "2026-11-27T08:00:00Z", "pickup_lfd_terminal": "2026-11-19T08:00:00Z"}`)
	container.PODTerminal = terminal49.Included("t", terminal)
	now := time.Date(2026, time.November, 23, 18, 0, 0, 0, time.UTC)

	verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{})
	fmt.Println(verdict)
	fmt.Println(verdict.Situation, verdict.Urgency, verdict.DaysLeft)
	// Output:
	// Ready, but USD 555.00 must be paid first. Pay, then send a truck to WBCT (USLAX). The terminal's last free day was 2026-11-19, 4 days ago.
	// pay_first overdue -4
}

func Example_readinessCases() {
	for _, attributes := range []string{
		`"available_for_pickup": true, "holds_at_pod_terminal": []`,
		`"available_for_pickup": true, "holds_at_pod_terminal": [{"name": "USDA", "status": "pending"}]`,
		`"available_for_pickup": true, "holds_at_pod_terminal": [{"name": "customs", "status": "hold"}]`,
		`"available_for_pickup": false, "holds_at_pod_terminal": []`,
		`"available_for_pickup": false, "holds_at_pod_terminal": [{"name": "freight", "status": "hold"}]`,
		`"available_for_pickup": null, "holds_at_pod_terminal": []`,
		`"available_for_pickup": false, "availability_known": false`,
		`"available_for_pickup": true, "holds_at_pod_terminal": [], "pod_full_out_at": "2024-07-03T18:00:00Z"`,
	} {
		ready := terminal49.PickupReadiness(reported(attributes))
		fmt.Println(ready.State, ready.Ready(), ready.NeedsRecheck())
	}
	// Output:
	// ready true false
	// ready true true
	// out_of_sync false true
	// not_released false true
	// blocked false false
	// unknown false true
	// unknown false true
	// ready true false
}

func Example_feeCases() {
	for _, fees := range []string{
		`null`,
		`[]`,
		`[{"type": "total", "amount": 300, "currency_code": "USD"}]`,
		`[{"type": "demurrage", "amount": 250.10, "currency_code": "USD"}, {"type": "exam", "amount": 49.90, "currency_code": "USD"},
			{"type": "total", "amount": 300, "currency_code": "USD"}]`,
		`[{"type": "demurrage", "amount": 0, "currency_code": "USD"}]`,
		`[{"type": "demurrage", "amount": 250, "currency_code": "USD"}, {"type": "exam", "amount": 90, "currency_code": "CAD"}]`,
	} {
		owed := terminal49.SumFees(reported(`"fees_at_pod_terminal": ` + fees).Fees)
		amount, currency, ok := owed.Owed()
		fmt.Println(amount, currency, ok, owed.Settled(), owed)
	}
	// Output:
	// 0  false false fees not reported
	// 0  true true no fees
	// 300 USD true false USD 300.00
	// 300 USD true false USD 300.00
	// 0  false false USD 0.00 (not all amounts known)
	// 0  false false CAD 90.00 + USD 250.00
}

func Example_lastFreeDayCases() {
	container := reported(`"pickup_lfd": "2024-07-09T07:00:00Z", "terminal_checked_at": "2024-07-05T00:00:00Z",
		"import_deadlines": {"pickup_lfd_line": "2024-07-09T07:00:00Z", "pickup_lfd_terminal": "2024-07-06T07:00:00Z"}`)
	now := time.Date(2024, time.July, 5, 5, 0, 0, 0, time.UTC) // 22:00 on the 4th in Los Angeles

	days := terminal49.LastFreeDays(container)
	chosen, _ := days.Chosen.At.Date()
	fmt.Println("the service's choice:", chosen, "by the", days.Chosen.Source)
	if earliest, ok := days.Earliest(); ok {
		day, _ := earliest.At.Date()
		fmt.Println("the earliest:", day, "by the", earliest.Source)
	}
	verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{})
	fmt.Println(verdict.Urgency, verdict.DaysLeft)
	// Output:
	// the service's choice: 2024-07-09 by the line
	// the earliest: 2024-07-06 by the terminal
	// imminent 2
}
