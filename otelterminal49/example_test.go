package otelterminal49_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
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

// The limiter may also be one that several processes share, from redisstore or sqlstore.
func ExampleTelemetry_Limiter() {
	telemetry := record()
	limiter, err := terminal49.NewLimiter(terminal49.DefaultRateLimits())
	must(err)
	_, client := simulation(terminal49.WithLimiter(telemetry.Limiter(limiter)))
	for range 2 {
		_, err := client.Shipments.List(context.Background(), nil)
		must(err)
	}
	fmt.Println(telemetry.metrics())
	// Output: map[terminal49.limiter.wait.duration terminal49.bucket=default:2]
}

func ExampleTelemetry_Delivery() {
	telemetry := record()
	handler, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret("s3cret")),
		webhook.OnDelivery(telemetry.Delivery),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return errors.New("no database") }))
	must(err)
	body := `{"data": {"id": "1", "type": "webhook_notification", "attributes": {"event": "container.created"}}}`
	r := httptest.NewRequest(http.MethodPost, "/terminal49", strings.NewReader(body))
	r.Header.Set(webhook.SignatureHeader, terminal49test.SignWebhook("s3cret", []byte(body)))
	handler.ServeHTTP(httptest.NewRecorder(), r)
	fmt.Println(slices.Collect(maps.Keys(telemetry.metrics())))
	// Output: [terminal49.webhook.delivery.duration terminal49.webhook.event=container.created,terminal49.webhook.outcome=failed]
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
