package compatibility_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/go-freight/terminal49"
	"github.com/go-freight/terminal49/fleet"
	"github.com/go-freight/terminal49/otelterminal49"
	"github.com/go-freight/terminal49/terminal49test"
	"github.com/go-freight/terminal49/webhook"
)

// telemetryOf has what otelterminal49 reports of calls that succeed, fail and are retried, waits,
// deliveries and a fleet: spans with their attributes, metrics with their kinds, units and
// attributes.
func telemetryOf(t *testing.T) (lines []string) {
	spans, reader := tracetest.NewSpanRecorder(), sdkmetric.NewManualReader()
	telemetry, err := otelterminal49.New(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)), sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	use(t, telemetry)
	for _, span := range spans.Ended() {
		name := strings.ReplaceAll(span.Name(), span.InstrumentationScope().Name+" ", "")
		lines = append(lines, fmt.Sprintf("span %s: %s", name, span.SpanKind()), "scope "+span.InstrumentationScope().Name)
		for _, a := range span.Attributes() {
			lines = append(lines, fmt.Sprintf("span %s %s: %s", name, a.Key, a.Value.Type()))
		}
	}
	var collected metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &collected); err != nil {
		t.Fatal(err)
	}
	for _, scope := range collected.ScopeMetrics {
		lines = append(lines, "scope "+scope.Scope.Name)
		for _, m := range scope.Metrics {
			lines = append(lines, metricLines(m)...)
		}
	}
	return lines
}

// metricLines has a metric's kind and unit, and the attributes of its points.
func metricLines(m metricdata.Metrics) (lines []string) {
	data := reflect.ValueOf(m.Data)
	kind, _, _ := strings.Cut(data.Type().Name(), "[")
	if monotonic := data.FieldByName("IsMonotonic"); monotonic.IsValid() && monotonic.Bool() {
		kind = "counter"
	}
	points := data.FieldByName("DataPoints")
	for i := range points.Len() {
		set := points.Index(i).FieldByName("Attributes").Interface().(attribute.Set)
		for _, a := range set.ToSlice() {
			lines = append(lines, fmt.Sprintf("metric %s %s: %s", m.Name, a.Key, a.Value.Type()))
		}
	}
	return append(lines, strings.TrimSpace(fmt.Sprintf("metric %s: %s %s", m.Name, strings.ToLower(kind), m.Unit)))
}

// use does everything that is reported.
func use(t *testing.T, telemetry *otelterminal49.Telemetry) {
	t.Helper()
	srv := terminal49test.NewServer(terminal49test.WithSpeed(0), terminal49test.WithSeed(49))
	defer srv.Close()
	demo := srv.SeedDemo()
	limiter := telemetry.Limiter(free{})
	client, err := terminal49.New(srv.Token, terminal49.WithBaseURL(srv.URL), terminal49.WithHooks(telemetry.Hooks()), terminal49.WithLimiter(limiter))
	if err != nil {
		t.Fatal(err)
	}
	srv.UpdateShipment(demo.Shipments[0], func(s *terminal49test.Shipment) { s.Attributes = map[string]any{"pod_eta_at": 7} })
	srv.AddFault(terminal49test.Fault{Operation: "shipments.get", Status: 503})
	_, _ = client.Shipments.Get(t.Context(), demo.Shipments[0], nil) // it is reported
	_, _ = client.Shipments.Get(t.Context(), "5f5a7c2e-1d0b-4a3e-9c56-0e8b1a2f3c4d", nil)
	_, _ = limiter.Acquire(canceled(t), terminal49.BucketDefault)
	telemetry.Hooks().OnAttempt(t.Context(), terminal49.Attempt{
		CallInfo: terminal49.CallInfo{Op: "shipments.list", Route: "/shipments", Bucket: terminal49.BucketDefault, Attempt: 1},
		Method:   http.MethodGet, StatusCode: http.StatusOK, Duration: time.Second, LimiterWait: 3 * time.Second,
	})
	if _, err := telemetry.RegisterFleet(one{}); err != nil {
		t.Fatal(err)
	}
	handler, err := webhook.NewHandler(webhook.WithSecrets(terminal49.NewSecret("whsec-1")), webhook.OnDelivery(telemetry.Delivery),
		webhook.OnAny(func(context.Context, *webhook.Notification) error { return errors.New("busy") }))
	if err != nil {
		t.Fatal(err)
	}
	body := exampleOf(t, srv)
	for _, signature := range []string{"", terminal49test.SignWebhook("whsec-1", body)} {
		req := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(string(body)))
		req.Header.Set(webhook.SignatureHeader, signature)
		handler.ServeHTTP(httptest.NewRecorder(), req)
	}
}

// exampleOf returns the service's sample delivery of an event.
func exampleOf(t *testing.T, srv *terminal49test.Server) []byte {
	t.Helper()
	r := do(t, http.MethodGet, srv.URL+"/webhook_notifications/examples?event=container.updated", "",
		http.Header{"Authorization": {"Token " + srv.Token}, "User-Agent": {"test"}})
	if r.status != http.StatusOK {
		t.Fatal(r)
	}
	return []byte(r.body)
}

func canceled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// free is a limiter without a limit.
type free struct{}

// Acquire implements terminal49.Limiter.
func (free) Acquire(ctx context.Context, _ terminal49.Bucket) (func(), error) {
	return func() {}, ctx.Err()
}

// Pause implements terminal49.Limiter.
func (free) Pause(terminal49.Bucket, time.Duration) {}

// one is a fleet's limiter with a bucket. It embeds a Limiter so that go-api finds a RegisterFleet
// that asks for more, and not the compiler.
type one struct{ terminal49.Limiter }

// Stats has the numbers of the bucket.
func (one) Stats() map[terminal49.Bucket]fleet.Stats {
	return map[terminal49.Bucket]fleet.Stats{terminal49.BucketDefault: {}}
}
