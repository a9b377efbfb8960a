package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// Deliveries returns an option for [webhook.NewHandler] that counts deliveries by event and
// outcome.
func Deliveries(m metric.Meter) (webhook.Option, error) {
	count, err := m.Int64Counter("terminal49.deliveries", metric.WithDescription("webhook deliveries by outcome"))
	return webhook.OnDelivery(func(ctx context.Context, d webhook.Delivery) {
		count.Add(ctx, 1, metric.WithAttributes(
			attribute.String("event", known(d.Event)), attribute.String("outcome", string(d.Outcome))))
	}), err
}

// known returns the name of an event, or "other": a label has few values, and none that a stranger
// chose.
func known(event terminal49.EventName) string {
	if event == "" || event.Known() {
		return string(event)
	}
	return "other"
}
