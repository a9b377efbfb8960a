package docs_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/go-freight/terminal49"
)

// connect is the beginning of every program.
func connect() (*terminal49.Client, error) {
	return terminal49.NewFromEnv(terminal49.WithUserAgent("dispatcher/1.0"))
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

// board prints one line per container that needs attention.
func board(ctx context.Context, client *terminal49.Client, now time.Time) error {
	params := &terminal49.ContainerListParams{Include: []terminal49.ContainerInclude{
		terminal49.ContainerIncludeShipment, terminal49.ContainerIncludePODTerminal,
		terminal49.ContainerIncludePickupFacility, terminal49.ContainerIncludeTransportEvents,
	}}
	for container, err := range client.Containers.All(ctx, params) {
		if err != nil {
			return err
		}
		verdict := terminal49.Assess(container, now, terminal49.VerdictOptions{MaxAge: 6 * time.Hour})
		switch verdict.Situation {
		case terminal49.SituationReady:
			fmt.Println(container.Number, "pick up at", verdict.Place, "-", verdict.Urgency)
		case terminal49.SituationOut, terminal49.SituationReturned:
		default:
			fmt.Println(container.Number, verdict)
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
	// HLXU6104792 pick up at Maher (USNYC) - imminent
	// HLXU6104426 pick up at Maher (USNYC) - imminent
	// CSNU6445708 On its way by ship to WBCT (USLAX), expected 2024-07-04. Wait.
	// EGHU9023530 On its way by ship to WBCT (USLAX), expected 2024-07-11. Wait.
	// EGHU9023165 On its way by ship to WBCT (USLAX), expected 2024-07-11. Wait.
	// CMAU4716554 Ready, but USD 555.00 must be paid first. Pay, then send a truck to APMT LA (USLAX). The terminal's last free day was 2024-06-28, 3 days ago.
	// ONEU5520871 At GCT (USSAV), not released by the terminal. Wait for the release.
	// MEDU3309188 At LBCT (USLGB), held by a customs hold (customs broker). Have it cleared before you send a truck. The terminal's last free day is 2024-07-05, in 4 days.
	// MSKU7182411 pick up at WBCT (USLAX) - imminent
	// MSKU7182047 pick up at WBCT (USLAX) - imminent
}
