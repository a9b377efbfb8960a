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
	for container, err := range client.Containers.All(ctx, nil) {
		if err != nil {
			return err
		}
		if terminal49.PickupReadiness(container).CanPickUp(now, 6*time.Hour) { // the terminal was asked in the last 6 hours
			dispatch(container)
		}
		owed := terminal49.SumFees(container.Fees) // exact, per currency, the total not counted twice
		fmt.Println(container.Number, owed, "free until", container.PickupLFD)
	}
	return nil
}

// dueThisWeek lists the held containers of a terminal by their last free day.
func dueThisWeek(ctx context.Context, client *terminal49.Client, terminalID string, monday, friday terminal49.Date) error {
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
		fmt.Println(container.Number, terminal49.PickupReadiness(container).Reason())
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
	monday := terminal49.DateOf(service.Now())
	friday := terminal49.DateOf(service.Now().AddDate(0, 0, 4))
	if err := dueThisWeek(ctx, client, held.PODTerminal.ID(), monday, friday); err != nil {
		log.Fatal(err)
	}
	// Output:
	// COSU240377906 2024-07-04 06:05 PDT
	// EGLV240803771 2024-07-11 06:04 PDT
	// CMDU240512339 -
	// ONEY240655120 -
	// MSCU240988417 -
	// MAEU240711002 -
	// CSNU6445708 no fees free until -
	// EGHU9023530 no fees free until -
	// EGHU9023165 no fees free until -
	// CMAU4716554 USD 555.00 free until 2024-06-28 00:00 PDT
	// ONEU5520871 no fees free until -
	// MEDU3309188 USD 0.00 (not all amounts known) free until 2024-07-05 00:00 PDT
	// MSKU7182411 no fees free until 2024-07-04 00:00 PDT
	// MSKU7182047 no fees free until 2024-07-04 00:00 PDT
	// trucks for CMAU4716554 MSKU7182411 MSKU7182047
	// MEDU3309188 Blocked by a customs hold (customs broker).
}
