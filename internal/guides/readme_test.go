package guides_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"testing"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

func receiver(ctx context.Context, client *terminal49.Client, url string) (*webhook.Handler, error) {
	hook, err := client.Webhooks.Ensure(ctx, url, []terminal49.EventName{terminal49.EventContainerUpdated})
	if err != nil {
		return nil, err
	}
	return webhook.NewHandler(webhook.WithSecrets(hook.Secret), webhook.OnContainer(client, nil, dispatch))
}

func dispatch(_ context.Context, _ *webhook.Notification, container *terminal49.Container) error {
	fmt.Println(container.Number, "has changed")
	return nil
}

func Example_receiver() {
	var handler http.Handler
	service, demo, client := simulation(terminal49test.WithWebhookHandler(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) })))
	h, err := receiver(context.Background(), client, "https://example.com/terminal49")
	if err != nil {
		log.Fatal(err)
	}
	handler = h
	service.UpdateContainer(containerOf(service, demo.Shipments[0]), func(c *terminal49test.Container) {
		c.Holds = []terminal49test.Hold{{Name: string(terminal49.HoldCustoms)}}
	})
	service.Advance(time.Minute)
	// Output: MSKU7182047 has changed
}

func TestReadme_ATest(t *testing.T) {
	service := terminal49test.NewServer(terminal49test.WithoutSocket())
	id := service.AddContainer(terminal49test.Container{Holds: []terminal49test.Hold{{Name: string(terminal49.HoldCustoms)}}})
	client, err := terminal49.New(service.Token,
		terminal49.WithBaseURL(service.URL), terminal49.WithHTTPClient(service.HTTPClient()))
	if err != nil {
		t.Fatal(err)
	}
	container, err := client.Containers.Get(t.Context(), id, nil)
	if err != nil || len(terminal49.PickupReadiness(container).ActiveHolds) != 1 {
		t.Errorf("%v, %v", container, err)
	}
}
