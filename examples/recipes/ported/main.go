// Ported is a program of the TypeScript SDK in Go: it tracks a container and lists all of them.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"slices"
	"time"

	"github.com/go-freight/terminal49"
)

// included is what the SDK includes by default.
var included = []terminal49.ContainerInclude{"shipment", "pod_terminal", "pickup_facility"}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: ported CONTAINER SCAC")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, number, scac string) error {
	client, err := terminal49.NewFromEnv()
	if err != nil {
		return err
	}
	_, err = client.TrackingRequests.Track(ctx, number, &terminal49.TrackParams{
		RequestType: terminal49.RequestTypeContainer, SCAC: scac,
	})
	if err != nil {
		return err
	}
	var lines []string
	for container, err := range client.Containers.All(ctx, &terminal49.ContainerListParams{Include: included}) {
		if err != nil {
			return err
		}
		bill, nickname, available := "", "", "?"
		if shipment, ok := container.Shipment.Value(); ok {
			bill = shipment.BillOfLadingNumber
		}
		if terminal, ok := container.PODTerminal.Value(); ok {
			nickname = terminal.Nickname
		}
		if yes, known := container.Availability(); known {
			available = fmt.Sprint(yes)
		}
		lines = append(lines, fmt.Sprintln(container.Number, cmp.Or(bill, "?"), cmp.Or(nickname, "?"), available))
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Print(line)
	}
	return nil
}
