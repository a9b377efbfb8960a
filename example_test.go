package terminal49_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// simulation replaces the service, so that the examples run without an account. It is the afternoon
// of 1 July 2024, and the account has the shipments of [terminal49test.Server.SeedDemo].
func simulation(opts ...terminal49test.Option) (*terminal49test.Server, terminal49test.Demo, *terminal49.Client) {
	service := terminal49test.NewServer(append([]terminal49test.Option{
		terminal49test.WithoutSocket(), terminal49test.WithSpeed(0), terminal49test.WithSeed(49),
		terminal49test.WithStart(time.Date(2024, time.July, 1, 20, 0, 0, 0, time.UTC)),
	}, opts...)...)
	demo := service.SeedDemo()
	return service, demo, connect(service)
}

// connect returns a client of the simulated service.
func connect(service *terminal49test.Server, opts ...terminal49.Option) *terminal49.Client {
	client, err := terminal49.New(service.Token, append([]terminal49.Option{
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()),
	}, opts...)...)
	if err != nil {
		log.Fatal(err)
	}
	return client
}

// containerOf returns the id of a shipment's first container.
func containerOf(service *terminal49test.Server, shipment string) string {
	return service.ContainerIDs(shipment)[0]
}

// List the account's containers and print which of them can be picked up.
func Example() {
	service, _, _ := simulation()
	client, err := terminal49.New(service.Token, // in production: os.Getenv("T49_API_TOKEN") and no options
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		log.Fatal(err)
	}
	for container, err := range client.Containers.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		switch readiness := terminal49.PickupReadiness(container); readiness.State {
		case terminal49.ReadinessReady:
			day, _ := container.PickupLFD.Date() // in the terminal's own calendar
			fmt.Println(container.Number, "can be picked up, last free day", day)
		case terminal49.ReadinessBlocked:
			fmt.Println(container.Number, "is held by", readiness.ActiveHolds[0].Name)
		default:
			fmt.Println(container.Number, readiness.State)
		}
	}
	// Output:
	// CSNU6445708 unknown
	// EGHU9023530 unknown
	// EGHU9023165 unknown
	// CMAU4716554 can be picked up, last free day 2024-06-28
	// ONEU5520871 not_released
	// MEDU3309188 is held by customs
	// MSKU7182411 can be picked up, last free day 2024-07-04
	// MSKU7182047 can be picked up, last free day 2024-07-04
}

// Track a number and wait until its shipment is known. Running this twice creates one tracking
// request.
func Example_track() {
	service, demo, client := simulation()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	request, result, err := client.TrackingRequests.FindOrTrack(ctx, demo.Untracked, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(request.SCAC, request.RequestType, result)

	service.Advance(time.Minute) // the simulated time that the shipping line takes
	request, err = client.TrackingRequests.Wait(ctx, request.ID, nil)
	if err != nil {
		log.Fatal(err)
	}
	if shipment, ok := request.Shipment.Value(); ok {
		fmt.Println(shipment.BillOfLadingNumber, "to", shipment.PortOfDischargeName)
	}
	// Output:
	// HLCU bill_of_lading created
	// HLCUSHA2406118 to New York / New Jersey
}

// Decide whether to send a truck.
func Example_readiness() {
	_, _, client := simulation()
	containers, err := client.Containers.FindByNumber(context.Background(), "MEDU3309188", nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, container := range containers {
		switch readiness := terminal49.PickupReadiness(container); {
		case readiness.Left:
			fmt.Println("already picked up")
		case readiness.Ready():
			fmt.Println("send a truck for", container.Number)
		case readiness.Recheck():
			fmt.Println("read the container again later")
		default:
			for _, hold := range readiness.ActiveHolds {
				fmt.Println("ask the", hold.Name.ClearedBy(), "about the", hold.Name, "hold")
			}
		}
	}
	// Output: ask the customs broker about the customs hold
}

// Report what each container owes its terminal. Amounts are exact and never added across
// currencies.
func Example_fees() {
	_, _, client := simulation()
	for container, err := range client.Containers.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		amount, currency, ok := terminal49.SumFees(container.Fees).Owed()
		if ok && amount.IsPositive() {
			fmt.Println(container.Number, "owes", terminal49.FormatMoney(amount, currency))
		}
	}
	// Output: CMAU4716554 owes USD 555.00
}

// List the pickups that are due, counted in calendar days of each terminal.
func Example_lastFreeDay() {
	service, _, client := simulation()
	now := service.Now() // in production: time.Now()
	for container, err := range client.Containers.All(context.Background(), nil) {
		if err != nil {
			log.Fatal(err)
		}
		urgency := terminal49.LastFreeDays(container).Urgency(now, terminal49.UrgencyRules{})
		switch urgency.Level {
		case terminal49.UrgencyOverdue, terminal49.UrgencyImminent:
			day, _ := urgency.Deadline.At.Date()
			fmt.Println(container.Number, urgency.Level, "last free day", day, "days left:", urgency.DaysLeft)
		}
	}
	// Output:
	// CMAU4716554 overdue last free day 2024-06-28 days left: -3
	// MSKU7182411 imminent last free day 2024-07-04 days left: 3
	// MSKU7182047 imminent last free day 2024-07-04 days left: 3
}

// Compare a container with the reading that was kept before. Webhooks report the same changes
// without polling.
func Example_changes() {
	service, demo, client := simulation()
	ctx := context.Background()
	id := containerOf(service, demo.Shipments[1])
	before, err := client.Containers.Get(ctx, id, nil)
	if err != nil {
		log.Fatal(err)
	}
	service.UpdateContainer(id, func(c *terminal49test.Container) { // meanwhile, customs clear the container
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})
	after, err := client.Containers.Get(ctx, id, nil)
	if err != nil {
		log.Fatal(err)
	}

	changes := terminal49.DiffContainers(before, after).Changes(after)
	for _, hold := range changes.Holds {
		fmt.Println(after.Number, "hold", hold.Old.Name, hold.Kind)
	}
	fmt.Println("became ready:", changes.BecameReady())
	// Output:
	// MEDU3309188 hold customs cleared
	// became ready: true
}

// Receive what the service pushes. Package webhook verifies, parses and deduplicates deliveries.
func Example_webhooks() {
	secret := terminal49.NewSecret("the webhook's secret") // client.Webhooks.Ensure returns it
	updated := func(_ context.Context, n *terminal49.Notification, p *terminal49.ContainerUpdatedPayload) error {
		if container, ok := n.Container.Value(); ok {
			fmt.Println(container.Number, "became ready:", p.Changes.Changes(container).BecameReady())
		}
		return nil // acknowledges the notification; after an error the service delivers again
	}
	handler, err := webhook.NewHandler(webhook.WithSecrets(secret), webhook.OnContainerUpdated(updated))
	if err != nil {
		log.Fatal(err)
	}

	// In production: http.Handle("/terminal49", handler)
	service, demo, _ := simulation(terminal49test.WithWebhookHandler(handler))
	service.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Events: []string{"container.updated"}, Secret: secret.Reveal(),
	})
	service.UpdateContainer(containerOf(service, demo.Shipments[1]), func(c *terminal49test.Container) {
		c.Holds, c.AvailableForPickup = nil, terminal49test.Bool(true)
	})
	service.Advance(time.Minute)
	// Output: MEDU3309188 became ready: true
}

// Upload a document and use what the service extracts from it.
func Example_upload() {
	_, _, client := simulation(terminal49test.WithSpeed(3600)) // an hour of the service's work takes a second
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	document, err := client.Documents.Upload(ctx, terminal49.DocumentFile{
		FileName: "inv.pdf", Content: strings.NewReader("Invoice INV-1001"), // or an *os.File
	})
	if err != nil {
		log.Fatal(err)
	}
	document, err = client.Documents.WaitExtracted(ctx, document.ID, &terminal49.ExtractionWaitParams{
		MinInterval: 10 * time.Millisecond, // leave it out with the real service
	})
	if err != nil {
		log.Fatal(err)
	}
	var invoice struct {
		Number string `json:"invoice_number"`
		Total  string `json:"total_amount"`
	}
	extraction, _ := document.Extraction.Value()
	if err := extraction.Decode(&invoice); err != nil {
		log.Fatal(err)
	}
	fmt.Println(document.DocumentType, invoice.Number, invoice.Total)
	// Output: commercial_invoice INV-1001 12450.00
}

// Handle an error by its kind, with errors.Is; errors.As returns the details.
func Example_errors() {
	_, _, client := simulation()
	_, err := client.Shipments.Get(context.Background(), "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	var response *terminal49.APIError
	switch {
	case errors.Is(err, terminal49.ErrNotFound):
		fmt.Println("no such shipment")
	case errors.Is(err, terminal49.ErrRateLimited) && errors.As(err, &response):
		fmt.Println("try again in", response.RetryAfter.Or(time.Minute))
	case err != nil:
		fmt.Println(err)
	}
	// Output: no such shipment
}
