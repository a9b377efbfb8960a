// Owed prints what the terminals ask for all containers of a bill of lading, exactly.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: owed BILL-OF-LADING")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, number string) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	shipment, err := find(ctx, client, number)
	if err != nil {
		return err
	}
	containers, _ := shipment.Containers.Values()
	var all terminal49.FeeSummary
	var unknown []string
	for _, container := range containers {
		fees := terminal49.SumContainerFees(container) // a total next to its own items counts once
		all = all.Add(fees)
		if !fees.Reported || len(fees.NotPosted) > 0 || conflicts(fees) {
			unknown = append(unknown, container.Number)
		}
	}
	printed := false
	for _, sum := range all.Currencies() {
		if sum.Owed.IsPositive() {
			fmt.Println(sum.CurrencyCode, sum.Owed.StringFixed(2))
			printed = true
		}
	}
	switch slices.Sort(unknown); {
	case len(unknown) > 0:
		fmt.Println("unknown: " + strings.Join(unknown, ", "))
	case !printed:
		fmt.Println("nothing")
	}
	return nil
}

// conflicts reports whether a terminal reported two totals: neither can be chosen.
func conflicts(fees terminal49.FeeSummary) bool {
	return slices.ContainsFunc(fees.Currencies(), func(sum terminal49.FeeCurrencySum) bool { return sum.TotalConflict && sum.LineCount == 0 })
}

func find(ctx context.Context, client *terminal49.Client, number string) (*terminal49.Shipment, error) {
	params := &terminal49.ShipmentListParams{
		Number:  number,
		Include: terminal49.AssessShipmentIncludes(),
	}
	for shipment, err := range client.Shipments.All(ctx, params) {
		if err != nil {
			return nil, err
		}
		if strings.EqualFold(shipment.BillOfLadingNumber, number) { // a booking number selects it too
			return shipment, nil
		}
	}
	return nil, fmt.Errorf("the account has no shipment with the bill of lading %q", number)
}
