package docs_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net/http"
	"time"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// receiver is the part of a program that receives notifications.
type receiver struct {
	client *terminal49.Client
	kept   store
	now    func() time.Time
}

// handler makes sure that the service has the webhook, and returns the handler for its URL.
func (r *receiver) handler(ctx context.Context, url string) (*webhook.Handler, error) {
	hook, err := r.client.Webhooks.Ensure(ctx, url, []terminal49.EventName{
		terminal49.EventContainerUpdated, terminal49.EventTrackingRequestFailed,
	})
	if err != nil {
		return nil, err
	}
	return webhook.NewHandler(
		webhook.WithSecrets(hook.Secret),
		webhook.OnContainerUpdated(r.updated),
		webhook.OnTrackingFailed(r.failed),
		webhook.OnDelivery(func(ctx context.Context, d webhook.Delivery) {
			slog.InfoContext(ctx, "delivery", "event", d.Event, "outcome", d.Outcome, "error", d.Err)
		}),
	)
}

// updated reads the container again, because the notification's copy may be older than what is
// kept.
func (r *receiver) updated(ctx context.Context, n *terminal49.Notification, p *terminal49.ContainerUpdatedPayload) error {
	container, err := r.client.Containers.Get(ctx, n.Container.ID(), nil)
	if errors.Is(err, terminal49.ErrNotFound) {
		return nil // removed meanwhile
	}
	if err != nil {
		return err // the service delivers again
	}
	if p.Changes.Changes(container).BecameReady() {
		fmt.Println(container.Number, terminal49.Assess(container, r.now(), terminal49.VerdictOptions{}))
	}
	return compare(r.kept, container)
}

func (r *receiver) failed(_ context.Context, _ *terminal49.Notification, p *terminal49.TrackingRequestPayload) error {
	if request, ok := p.Request.Value(); ok {
		fmt.Println("cannot track", request.RequestNumber, request.FailedReason)
	}
	return nil
}

// recoverSince handles what was missed since an outage began.
func (r *receiver) recoverSince(ctx context.Context, handler *webhook.Handler, outage time.Time) error {
	report, err := r.client.Webhooks.Recover(ctx, outage, handler.Handle)
	if err != nil {
		return err // the others were handled; call it again with the same time
	}
	fmt.Println("recovered", report.Handled, "of", report.Found)
	if len(report.Inactive) > 0 {
		fmt.Println("a webhook is switched off; Ensure switches it on, and a nightly walk finds what it missed")
	}
	return nil
}

// serve runs until ctx ends, then lets running callbacks finish.
func serve(ctx context.Context, handler *webhook.Handler) error {
	mux := http.NewServeMux()
	mux.Handle("POST /terminal49", handler)
	server := &http.Server{
		Addr: ":8080", Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute,
	}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 20*time.Second)
		defer cancel()
		stopped <- errors.Join(server.Shutdown(ctx), handler.Shutdown(ctx))
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

var _ = serve // binds a port, so no test calls it

func Example_webhooks() {
	var handler http.Handler
	service, demo, client := simulation(terminal49test.WithWebhookHandler(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) })))
	slog.SetLogLoggerLevel(slog.LevelError)
	ctx := context.Background()
	r := &receiver{client, store{}, service.Now}
	h, err := r.handler(ctx, "https://example.com/terminal49")
	if err != nil {
		log.Fatal(err)
	}
	release := func() {
		service.UpdateContainer(containerOf(service, demo.Shipments[1]), func(c *terminal49test.Container) {
			c.Holds, c.AvailableForPickup, c.CurrentStatus = nil, terminal49test.Bool(true), "available"
		})
	}

	handler = http.NotFoundHandler() // an outage: the service cannot deliver
	outage := service.Now()
	release()
	service.Advance(48 * time.Hour)

	handler = h
	if err := r.recoverSince(ctx, h, outage); err != nil {
		log.Fatal(err)
	}
	// Output:
	// MEDU3309188 Ready, but a fee of unknown amount (exam) must be paid first. Pay, then send a truck to the port of discharge. The terminal's last free day is 2024-07-05, in 2 days.
	// recovered 5 of 5
	// a webhook is switched off; Ensure switches it on, and a nightly walk finds what it missed
}
