// Shipments is a program of docs/first-hour.md: it prints whose key it uses, and lists shipments.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/go-freight/terminal49"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	me, err := client.Me(ctx)
	if err != nil {
		return err
	}
	account, _ := me.Account.Value()
	fmt.Println(me.Kind, "of", account.CompanyName)

	params := &terminal49.ShipmentListParams{Include: []terminal49.ShipmentInclude{terminal49.ShipmentIncludeContainers}}
	for shipment, err := range client.Shipments.All(ctx, params) {
		if err != nil {
			return err
		}
		containers, _ := shipment.Containers.Values()
		fmt.Println(shipment.BillOfLadingNumber, "to", shipment.PortOfDischargeLOCODE, "ETA", shipment.PODETA, len(containers), "containers")
	}
	return nil
}
