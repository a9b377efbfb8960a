package terminal49test_test

import (
	"fmt"
	"net/http"
	"time"

	"github.com/go-freight/terminal49/terminal49test"
)

// Half of the notifications are never delivered. The service's log has all of them.
func ExampleWithWebhookNoise() {
	endpoint := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	srv := terminal49test.NewServer(terminal49test.WithoutSocket(), terminal49test.WithWebhookHandler(endpoint),
		terminal49test.WithWebhookNoise(terminal49test.WebhookNoise{Lost: 0.5}))
	defer srv.Close()
	srv.AddWebhook(terminal49test.Webhook{URL: "https://a.example/hook", Events: []string{"container.created"}})
	for serial := range 6 {
		srv.AddContainer(terminal49test.Container{Number: terminal49test.ContainerNumber("MSKU", serial)})
	}
	srv.Advance(time.Minute)
	for _, n := range srv.WebhookNotifications() {
		fmt.Println(n.Event, n.DeliveryStatus)
	}
	// Output:
	// container.created pending
	// container.created succeeded
	// container.created pending
	// container.created pending
	// container.created succeeded
	// container.created pending
}
