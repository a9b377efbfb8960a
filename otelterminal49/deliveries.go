package otelterminal49

import (
	"context"

	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/go-freight/terminal49/webhook"
)

// Delivery reports a delivery; pass it to [webhook.OnDelivery]. It also adds event and outcome to
// the span in ctx, such as that of otelhttp.NewHandler.
func (t *Telemetry) Delivery(ctx context.Context, d webhook.Delivery) {
	event, outcome := eventKey.String(eventName(d.Event)), outcomeKey.String(string(d.Outcome))
	trace.SpanFromContext(ctx).SetAttributes(event, outcome)
	t.deliveries.Record(ctx, d.Duration.Seconds(), metric.WithAttributes(event, outcome))
}
