package terminal49test_test

import (
	"fmt"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// A hold is placed on a container of the demonstration, now.
func ExampleServer_Step() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	srv.SeedDemo()
	id, _ := srv.ContainerID("MSKU7182047")
	srv.Step(id, terminal49test.HoldPlaced(terminal49test.Hold{Name: "customs"}))
	container, _ := srv.Container(id)
	fmt.Println(container.Holds[0].Name)
	// Output: customs
}

// Half of the webhooks are lost for a while.
func ExampleServer_SetWebhookNoise() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithSpeed(0))
	srv.SetWebhookNoise(terminal49test.WebhookNoise{Lost: 0.5})
	srv.Advance(24 * time.Hour)
	srv.SetWebhookNoise(terminal49test.WebhookNoise{})
	fmt.Println(srv.Speed(), "times as fast as the process clock")
	// Output: 0 times as fast as the process clock
}

// A test finds its shipment by the number that it tracked.
func ExampleServer_ShipmentID() {
	srv := terminal49test.NewServer(terminal49test.WithoutSocket())
	srv.AddShipment(terminal49test.Shipment{BillOfLadingNumber: "MAEU240711002"})
	id, ok := srv.ShipmentID("MAEU240711002")
	shipment, _ := srv.Shipment(id)
	fmt.Println(shipment.BillOfLadingNumber, ok)
	// Output: MAEU240711002 true
}
