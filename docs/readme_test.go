package docs_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

// readme is the code in README.md.
func readme(ctx context.Context, client *terminal49.Client, now time.Time, dispatch func(*terminal49.Container)) error {
	for shipment, err := range client.Shipments.All(ctx, nil) {
		if err != nil {
			return err
		}
		fmt.Println(shipment.BillOfLadingNumber, shipment.PODETA) // local time of the port
	}
	with := &terminal49.ContainerListParams{Include: []terminal49.ContainerInclude{"shipment", "pod_terminal", "pickup_facility"}}
	for container, err := range client.Containers.All(ctx, with) {
		if err != nil {
			return err
		}
		verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{}) // where it is, what to do, the last free day that counts
		fmt.Println(container.Number, verdict)
		if verdict.Situation == terminal49.SituationReady { // no fee is reported, and the terminal was asked within a day
			dispatch(container)
		}
	}
	return nil
}

// dueThisWeek lists the held containers of a terminal whose last free day is in the next days.
func dueThisWeek(ctx context.Context, client *terminal49.Client, terminalID string, now time.Time) error {
	monday, friday := terminal49.DateOf(now), terminal49.DateOf(now.AddDate(0, 0, 4))
	params := &terminal49.ContainerListParams{
		Filter: terminal49.ContainerFilter{
			PODTerminalID: []string{terminalID},
			HasHolds:      terminal49.Some(true),
			PickupLFD:     terminal49.DateRange{From: monday, To: friday},
		},
		Sort: []terminal49.ContainerSort{terminal49.ContainerSortPickupLFD},
	}
	for container, err := range client.Containers.All(ctx, params) {
		if err != nil {
			return err
		}
		fmt.Println(container.Number, terminal49.Assess(container, now, terminal49.VerdictOptions{}))
	}
	return nil
}

func Example_readme() {
	service, demo, client := simulation()
	ctx := context.Background()
	var sent []string
	err := readme(ctx, client, service.Now(), func(c *terminal49.Container) { sent = append(sent, c.Number) })
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("trucks for", strings.Join(sent, " "))

	held, err := client.Containers.Get(ctx, containerOf(service, demo.Shipments[1]), nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := dueThisWeek(ctx, client, held.PODTerminal.ID(), service.Now()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// COSU240377906 2024-07-04 06:05 PDT
	// EGLV240803771 2024-07-11 06:04 PDT
	// CMDU240512339 -
	// ONEY240655120 -
	// MSCU240988417 -
	// MAEU240711002 -
	// CSNU6445708 On its way by ship to WBCT (USLAX), expected 2024-07-04. Wait.
	// EGHU9023530 On its way by ship to WBCT (USLAX), expected 2024-07-11. Wait.
	// EGHU9023165 On its way by ship to WBCT (USLAX), expected 2024-07-11. Wait.
	// CMAU4716554 Ready, but USD 555.00 must be paid first. Pay, then send a truck to APMT LA (USLAX). The terminal's last free day was 2024-06-28, 3 days ago.
	// ONEU5520871 At GCT (USSAV), not released by the terminal. Wait for the release.
	// MEDU3309188 At LBCT (USLGB), held by a customs hold (customs broker). Have it cleared before you send a truck. The terminal's last free day is 2024-07-05, in 4 days.
	// MSKU7182411 Ready for pickup. Send a truck to WBCT (USLAX). The terminal's last free day is 2024-07-04, in 3 days.
	// MSKU7182047 Ready for pickup. Send a truck to WBCT (USLAX). The terminal's last free day is 2024-07-04, in 3 days.
	// trucks for MSKU7182411 MSKU7182047
	// MEDU3309188 At the port of discharge, held by a customs hold (customs broker). Have it cleared before you send a truck. The terminal's last free day is 2024-07-05, in 4 days.
}
