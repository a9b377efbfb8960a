package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/otelterminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// secret signs the deliveries of the simulated service.
const secret = "a-secret-of-the-example"

// work lists shipments and receives webhooks until ctx ends. Every fifth list fails once, and one
// value cannot be decoded.
func work(ctx context.Context, t trace.Tracer, telemetry *otelterminal49.Telemetry) error {
	handler, err := receiver(telemetry)
	if err != nil {
		return err
	}
	service := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithWebhookHandler(handler))
	defer service.Close()
	demo := service.SeedDemo()
	service.UpdateShipment(demo.Shipments[0], func(s *terminal49test.Shipment) {
		s.Attributes = map[string]any{"pod_eta_at": "soon"} // cannot be decoded
	})
	service.AddWebhook(terminal49test.Webhook{
		URL: "https://example.com/terminal49", Secret: secret, Events: []string{"container.updated"},
	})
	client, err := newClient(service.Token, service.URL, telemetry)
	if err != nil {
		return err
	}
	for i := 0; ctx.Err() == nil; i++ {
		if i%5 == 0 {
			service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusBadGateway})
		}
		if err := round(ctx, client, t); err != nil && ctx.Err() == nil {
			return err
		}
		service.Advance(6 * time.Hour)
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
	return nil
}

// newClient returns a client whose calls and waits are reported.
func newClient(token, baseURL string, telemetry *otelterminal49.Telemetry) (*terminal49.Client, error) {
	limiter, err := terminal49.NewLimiter(terminal49.DefaultRateLimits())
	if err != nil {
		return nil, err
	}
	return terminal49.New(token, terminal49.WithBaseURL(baseURL),
		terminal49.WithHooks(telemetry.Hooks()), terminal49.WithLimiter(telemetry.Limiter(limiter)))
}

// round is one span of the program's own, the parent of the client's.
func round(ctx context.Context, client *terminal49.Client, t trace.Tracer) (err error) {
	ctx, span := t.Start(ctx, "round")
	defer span.End()
	for _, err := range client.Shipments.All(ctx, nil) {
		if err != nil {
			return err
		}
	}
	_, err = client.Search.Query(ctx, "MAEU")
	return err
}

// receiver returns a webhook handler whose deliveries are reported. One of four fails.
func receiver(telemetry *otelterminal49.Telemetry) (*webhook.Handler, error) {
	busy := errors.New("the database is busy")
	n := 0
	return webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret(secret)), webhook.OnDelivery(telemetry.Delivery),
		webhook.OnAny(func(context.Context, *webhook.Notification) error {
			if n++; n%4 == 0 {
				return busy // delivered again
			}
			return nil
		}))
}
