package guides_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// recoverSince handles what was missed since an outage began.
func recoverSince(ctx context.Context, client *terminal49.Client, handler *webhook.Handler, outage time.Time) error {
	report, err := webhook.Recover(ctx, client, outage, handler.Handle)
	if err != nil {
		return err // the others were handled; call it again with the same time
	}
	fmt.Println("recovered", report.Handled, "of", report.Found)
	if len(report.Inactive) > 0 {
		fmt.Println("a webhook is switched off; Ensure switches it on, and a nightly walk finds what it missed")
	}
	return nil
}

func Example_webhooks() {
	var handler http.Handler
	service, demo, client := simulation(terminal49test.WithWebhookHandler(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) })))
	ctx := context.Background()
	hook, err := client.Webhooks.Ensure(ctx, "https://example.com/terminal49", []terminal49.EventName{terminal49.EventContainerUpdated})
	if err != nil {
		log.Fatal(err)
	}
	h, err := webhook.NewHandler(webhook.WithSecrets(hook.Secret), webhook.OnContainer(client, nil,
		func(_ context.Context, _ *webhook.Notification, container *terminal49.Container) error {
			fmt.Println(container.Number, terminal49.Assess(container, service.Now(), terminal49.VerdictOptions{}).Situation)
			return nil
		}))
	if err != nil {
		log.Fatal(err)
	}

	handler = http.NotFoundHandler() // an outage: the service cannot deliver
	outage := service.Now()
	service.UpdateContainer(containerOf(service, demo.Shipments[1]), func(c *terminal49test.Container) {
		c.Holds, c.AvailableForPickup, c.CurrentStatus = nil, terminal49test.Bool(true), "available"
	})
	service.Advance(48 * time.Hour)

	handler = h
	if err := recoverSince(ctx, client, h, outage); err != nil {
		log.Fatal(err)
	}
	// Output:
	// MEDU3309188 pay_first
	// CMAU4716554 pay_first
	// CMAU4716554 pay_first
	// CMAU4716554 pay_first
	// CMAU4716554 pay_first
	// recovered 5 of 5
	// a webhook is switched off; Ensure switches it on, and a nightly walk finds what it missed
}
