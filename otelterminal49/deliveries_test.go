package otelterminal49_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/webhook"
)

// A delivery is counted, and described on the span of the server that received it.
func TestDelivery_MetricAndSpan(t *testing.T) {
	r := record()
	ctx, span := trace.NewTracerProvider(trace.WithSpanProcessor(r.spans)).Tracer("server").Start(t.Context(), "POST /terminal49")
	r.Delivery(ctx, webhook.Delivery{
		NotificationID: "87d4f5e3-df7b-4725-85a3-b80acc572e5d", Event: terminal49.EventContainerUpdated, Outcome: webhook.OutcomeFailed,
		StatusCode: 500, Duration: time.Second,
	})
	span.End()
	r.Delivery(t.Context(), webhook.Delivery{Outcome: webhook.OutcomeUnauthorized, StatusCode: 401})
	require.Equal(t, []string{
		"POST /terminal49 | in  | terminal49.webhook.event=container.updated,terminal49.webhook.outcome=failed | internal Unset",
	}, r.lines())
	require.Equal(t, map[string]float64{
		"terminal49.webhook.delivery.duration terminal49.webhook.event=container.updated,terminal49.webhook.outcome=failed": 1,
		"terminal49.webhook.delivery.duration terminal49.webhook.event=,terminal49.webhook.outcome=unauthorized":            1,
	}, r.metrics())
}
