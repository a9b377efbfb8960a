package docs_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/go-freight/terminal49"
)

// connect is the beginning of every program.
func connect() (*terminal49.Client, error) {
	return terminal49.New(os.Getenv("T49_API_TOKEN"), terminal49.WithUserAgent("dispatcher/1.0"))
}

var _ = connect // the simulation has its own

func printKey(ctx context.Context, client *terminal49.Client) error {
	me, err := client.Me(ctx)
	if err != nil {
		return err
	}
	account, _ := me.Account.Value()
	fmt.Println(me.Kind, "of", account.CompanyName)
	return nil
}

func track(ctx context.Context, client *terminal49.Client, number string) (*terminal49.TrackingRequest, error) {
	request, result, err := client.TrackingRequests.FindOrTrack(ctx, number, nil)
	var undecided *terminal49.CarrierUndecidedError
	if errors.As(err, &undecided) {
		return nil, fmt.Errorf("which shipping line? %v", undecided.Candidates())
	}
	if err != nil {
		return nil, err
	}
	fmt.Println(number, result, "with", request.SCAC)
	return request, nil
}

func wait(ctx context.Context, client *terminal49.Client, id string) error {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Minute) // a shipping line takes minutes, sometimes hours
	defer cancel()
	request, err := client.TrackingRequests.Wait(ctx, id, nil)
	if err != nil {
		return err // a *TrackingFailedError if the shipping line does not know the number
	}
	if shipment, ok := request.Shipment.Value(); ok {
		fmt.Println(shipment.BillOfLadingNumber, "arrives in", shipment.PortOfDischargeName)
	}
	return nil
}

func printShipments(ctx context.Context, client *terminal49.Client) error {
	params := &terminal49.ShipmentListParams{
		Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludeContainers},
	}
	for shipment, err := range client.Shipments.All(ctx, params) {
		if err != nil {
			return err
		}
		containers, _ := shipment.Containers.Values()
		fmt.Println(shipment.BillOfLadingNumber, "to", shipment.PortOfDischargeLOCODE, "ETA", shipment.PODETA, len(containers), "containers")
	}
	return nil
}

// board prints one line per container that needs somebody's attention.
func board(ctx context.Context, client *terminal49.Client, now time.Time) error {
	for container, err := range client.Containers.All(ctx, nil) {
		if err != nil {
			return err
		}
		ready := terminal49.PickupReadiness(container)
		urgency := terminal49.LastFreeDays(container).Urgency(now, terminal49.UrgencyRules{})
		switch {
		case ready.Left:
			continue // it is gone, whatever the terminal's list says
		case ready.CanPickUp(now, 6*time.Hour):
			fmt.Println(container.Number, "pick up;", urgency.Level)
		default:
			fmt.Println(container.Number, ready.State, ready.Reason())
		}
	}
	return nil
}

func Example_firstHour() {
	service, demo, client := simulation()
	ctx := context.Background()
	if err := printKey(ctx, client); err != nil {
		log.Fatal(err)
	}
	request, err := track(ctx, client, demo.Untracked)
	if err != nil {
		log.Fatal(err)
	}
	service.Advance(time.Minute) // the shipping line answers
	if err := wait(ctx, client, request.ID); err != nil {
		log.Fatal(err)
	}
	if err := printShipments(ctx, client); err != nil {
		log.Fatal(err)
	}
	if err := board(ctx, client, service.Now()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// api_key of Simulated Account
	// HLCUSHA2406118 created with HLCU
	// HLCUSHA2406118 arrives in New York / New Jersey
	// HLCUSHA2406118 to USNYC ETA - 2 containers
	// COSU240377906 to USLAX ETA 2024-07-04 06:05 PDT 1 containers
	// EGLV240803771 to USLAX ETA 2024-07-11 06:04 PDT 2 containers
	// CMDU240512339 to USLAX ETA - 1 containers
	// ONEY240655120 to USSAV ETA - 1 containers
	// MSCU240988417 to USLGB ETA - 1 containers
	// MAEU240711002 to USLAX ETA - 2 containers
	// HLXU6104792 pick up; imminent
	// HLXU6104426 pick up; imminent
	// CSNU6445708 unknown Not known whether it is released, because the terminal does not report availability.
	// EGHU9023530 unknown Not known whether it is released, because the terminal does not report availability.
	// EGHU9023165 unknown Not known whether it is released, because the terminal does not report availability.
	// CMAU4716554 pick up; overdue
	// ONEU5520871 not_released Not released by the terminal yet.
	// MEDU3309188 blocked Blocked by a customs hold (customs broker).
	// MSKU7182411 pick up; imminent
	// MSKU7182047 pick up; imminent
}
