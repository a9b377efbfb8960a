package otelterminal49_test

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/otelterminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// A program has exporters instead, such as otlptracehttp and otlpmetrichttp.
func ExampleNew() {
	spans, reader := tracetest.NewSpanRecorder(), metric.NewManualReader()
	telemetry, err := otelterminal49.New(
		trace.NewTracerProvider(trace.WithSpanProcessor(spans)),
		metric.NewMeterProvider(metric.WithReader(reader)),
	)
	must(err)
	_, client := simulation(terminal49.WithHooks(telemetry.Hooks()))
	_, err = client.Shipments.List(context.Background(), nil)
	must(err)
	for _, span := range spans.Ended() {
		fmt.Println(span.Name())
	}
	// Output:
	// GET /shipments
	// terminal49.shipments.list
}

// A hook of the program's own calls the one that it replaces.
func ExampleTelemetry_Hooks() {
	telemetry := record()
	hooks := telemetry.Hooks()
	report := hooks.OnRetry
	hooks.OnRetry = func(ctx context.Context, r terminal49.Retry) {
		fmt.Println("retry of", r.Op, "after", r.StatusCode)
		report(ctx, r)
	}
	service, client := simulation(terminal49.WithHooks(hooks),
		terminal49.WithRetryPolicy(terminal49.RetryPolicy{MinBackoff: time.Millisecond}))
	service.AddFault(terminal49test.Fault{Operation: "shipments.list", Status: http.StatusBadGateway})
	_, err := client.Shipments.List(context.Background(), nil)
	must(err)
	for _, span := range telemetry.spans.Ended() {
		fmt.Println(span.Name(), span.Status().Code)
	}
	// Output:
	// retry of shipments.list after 502
	// GET /shipments Error
	// GET /shipments Unset
	// terminal49.shipments.list Unset
}

// instrumented returns a client and a receiver that are reported to the global providers.
func instrumented(token string, secret terminal49.Secret, limiter terminal49.Limiter, onUpdate webhook.Option) (*terminal49.Client, *webhook.Handler, error) {
	telemetry, err := otelterminal49.New(nil, nil) // the global providers
	if err != nil {
		return nil, nil, err
	}
	client, err := terminal49.New(token, terminal49.WithHooks(telemetry.Hooks()),
		terminal49.WithLimiter(telemetry.Limiter(limiter)))
	if err != nil {
		return nil, nil, err
	}
	handler, err := webhook.NewHandler(webhook.WithSecrets(secret), webhook.OnDelivery(telemetry.Delivery), onUpdate)
	return client, handler, err
}

var _ = instrumented // part of docs/observability.md
